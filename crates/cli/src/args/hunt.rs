//! The flags of `hunt`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use nestling::Search;
use nestling::search::Pool;

use super::{DeviceChoice, ForceArgs, ShownArgs, SolveArgs, score, time, within};
use crate::cluster::ClusterArgs;
use crate::stored::KeepingArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nestling hunt morpion-5t                    until a game of 179 moves is found, or Ctrl-C
  nestling hunt morpion-5t --device cuda --time 8h
  nestling hunt morpion-5d --keep 80 --target 83
  nestling hunt morpion-5t --from-games found.psol
                                              begin every search with games of a file
  nestling runs resume                        continue an interrupted hunt
  nestling records morpion-5t                 the games found so far, also during the hunt
  nestling records morpion-5t -o found.psol   write them to a file

The search is restarted again and again. Each search starts from new random games (with
--from-games: from games of the file), so the searches are independent. Games with the same dots, up
to symmetry, are a family. One game of each family that reaches the score of --keep is stored. At
the end, a summary lists how many searches reached each score. For each of the best families it
lists how many searches found it and, if there is one, the published record that belongs to it.

Exit codes: as for `nestling solve`; 1 if the target was not reached")]
pub(crate) struct HuntArgs {
    /// The problem, such as morpion-5t
    pub problem: String,
    /// Stop at this score [default: one better than the published record]
    #[arg(long, value_name = "N", value_parser = score, allow_hyphen_values = true)]
    pub target: Option<f64>,
    /// Store the games that reach this score [default: 3 worse than the published record]
    #[arg(long, value_name = "N", value_parser = score, allow_hyphen_values = true)]
    pub keep: Option<f64>,
    /// The search expression
    #[arg(short, long, value_name = "EXPR", allow_hyphen_values = true, default_value = "repeat(pool)")]
    pub search: String,
    /// Begin every search with games chosen at random from this file, instead of new random games: the search is then repeat(pool(first=replay(FILE)))
    #[arg(long, value_name = "FILE", conflicts_with = "search")]
    pub from_games: Option<String>,
    /// Stop after this time, such as 30m or 8h [default: the hunt continues until it reaches the target or you press Ctrl-C]
    #[arg(short, long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub time: Option<Duration>,
    /// The random seed [default: chosen at random and printed]
    #[arg(long, value_name = "N", value_parser = within(0..=u64::MAX), allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// The number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    /// Where the search runs: on GPUs if there are any and they support the search (auto), on the processor (cpu), or on the NVIDIA GPUs (cuda)
    #[arg(long, value_enum, value_name = "DEVICE", default_value = "auto")]
    pub device: DeviceChoice,
    #[command(flatten)]
    pub cluster: ClusterArgs,
    #[command(flatten)]
    pub shown: ShownArgs,
    /// Write the best game to this file at every improvement; the file's ending decides the format (see `nestling convert --help`)
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
    #[command(flatten)]
    pub keeping: KeepingArgs,
}

impl HuntArgs {
    /// The same as a search with these scores.
    pub fn into_solve(self, target: f64, keep: f64) -> SolveArgs {
        let search = match self.from_games {
            Some(file) => Search::of::<Pool>().first(Search::replay(file)).forever().to_string(),
            None => self.search,
        };
        SolveArgs {
            problem: self.problem,
            search: Some(search),
            time: self.time,
            playouts: None,
            target: Some(target),
            keep: Some(keep),
            seed: self.seed,
            threads: self.threads,
            device: self.device,
            cluster: self.cluster,
            runs: 1,
            from: None,
            shown: self.shown,
            output: self.output,
            force: self.force,
            learned: None,
            keeping: self.keeping,
        }
    }
}
