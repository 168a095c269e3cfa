//! The flags of `nestling runs`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::args::{AsciiArgs, ForceArgs, ShownArgs, count, time, within};
use crate::stored::StoreArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nestling runs list
  nestling runs resume                   go on with what was interrupted last
  nestling runs resume 12 --time 2h      give run 12 two hours in all
  nestling runs export 12 score.svg      its score over time; with --runs, a histogram")]
pub(crate) struct RunsArgs {
    #[command(flatten)]
    pub store: StoreArgs,
    #[command(subcommand)]
    pub command: RunsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// List the runs, the newest first
    List {
        /// All of them, not only the newest 20
        #[arg(long)]
        all: bool,
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Show a run: what it searched, how far it is, what it has found
    Show {
        /// The run's number
        #[arg(value_parser = run_number, allow_negative_numbers = true)]
        id: i64,
        /// As JSON, one object
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        ascii: AsciiArgs,
    },
    /// Go on with an interrupted run, or give a finished one more time
    Resume(ResumeArgs),
    /// Write a run to a file, as data, a chart or a game
    ///
    /// The file's ending decides: .json has everything, .csv the improvements, .svg the score over time. For repeated runs .csv
    /// has their results and .svg their histogram. Any other ending: the best game.
    Export {
        /// The run's number
        #[arg(value_parser = run_number, allow_negative_numbers = true)]
        id: i64,
        /// The file; - is standard output, which gets JSON
        #[arg(default_value = "-")]
        file: PathBuf,
        #[command(flatten)]
        force: ForceArgs,
        /// Of repeated runs, the improvements over time rather than the results
        #[arg(long)]
        improvements: bool,
    },
    /// Delete runs; their games stay in the hall of fame
    Delete {
        /// The runs' numbers
        #[arg(required = true, value_parser = run_number, allow_negative_numbers = true)]
        id: Vec<i64>,
    },
    /// Check the whole store, and save what can be read if it is damaged
    Salvage,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The run's number; without it, the run that was interrupted last
    #[arg(value_parser = run_number, allow_negative_numbers = true)]
    pub id: Option<i64>,
    /// Stop after this time in all, instead of what the run was given
    #[arg(short, long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub time: Option<Duration>,
    /// Stop after this many playouts in all, instead of what the run was given
    #[arg(short, long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub playouts: Option<u64>,
    /// How many threads; all cores if not given. With --playouts the result does not depend on it
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    /// The time between checkpoints, instead of what the run was given
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub checkpoint: Option<Duration>,
    #[command(flatten)]
    pub shown: ShownArgs,
    /// Keep the best game in this file, instead of the one the run was given
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
}

fn run_number(text: &str) -> Result<i64, String> {
    within(1..=i64::MAX)(text).map_err(|_| "the number of a run, such as 12".to_owned())
}
