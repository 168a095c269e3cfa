//! The command line, each flag defined once; help, man pages and completions derive from it.

mod forms;
mod games;
mod table;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;

use crate::output::Existing;
use crate::stored::KeepingArgs;
pub(crate) use forms::with_help;
pub(crate) use games::{ConvertArgs, PictureArgs, RecordsArgs, ShowArgs, VerifyArgs};
pub(crate) use table::MatchArgs;
pub(crate) use values::{count, score, time, within};

/// More moves than any game has.
const MOST_MOVES: usize = 1_000_000_000;

/// Monte-Carlo search for puzzles, games and optimisation.
#[derive(Debug, Parser)]
#[command(name = "nestling", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  nestling solve morpion-5d --time 30s
  nestling solve morpion-5t -s 'nrpa(3)' --seed 7 -o game.psol
  nestling show game.psol
  nestling convert game.psol game.png
  nestling records rosin178
  nestling runs resume
  nestling play
  nestling verify game.psol
  nestling match quarto 'uct(1000)' second --games 1000
  nestling play quarto --terminal
  nestling explain 'repeat(100, nested(2))' morpion-5d";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search for the best game of a problem
    Solve(Box<SolveArgs>),
    /// Say what a search does, what it would cost here, and why it would be refused
    Explain(ExplainArgs),
    /// Let two players of a game play against each other
    Match(MatchArgs),
    /// Replay games by the plain rules
    Verify(VerifyArgs),
    /// Draw a game on the terminal, or as a picture
    Show(ShowArgs),
    /// Write a game in another format, or as a picture that carries it
    Convert(ConvertArgs),
    /// List the published record games and the best found here, or draw or write one
    Records(RecordsArgs),
    /// List, show, take up, export or delete the runs that are kept
    #[cfg(feature = "store")]
    Runs(crate::runs::args::RunsArgs),
    /// Play and watch searches in the browser, or play on the terminal
    #[cfg(feature = "web")]
    Play(crate::play::args::PlayArgs),
    /// Run the papers' experiments again, and report what came of them
    #[cfg(feature = "lab")]
    Lab(crate::lab::args::LabArgs),
    /// Measure the Morpion engine beside the paper's technique
    #[cfg(feature = "lab")]
    Bench(crate::bench::args::BenchArgs),
    /// List the problems
    #[command(after_help = "Example:\n  nestling problems --json")]
    Problems {
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Print a completion script for a shell
    #[command(after_help = "\
Commands, flags and files are completed, the names of problems, records and experiments, and the
numbers of runs.

Example:
  nestling completions bash > ~/.local/share/bash-completion/completions/nestling")]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or that of a command
    #[command(after_help = "Example:\n  nestling man solve | man -l -")]
    Man {
        /// A command such as solve
        command: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// The problem, such as morpion-5d; `nestling problems` lists them. sudoku:- takes the puzzle from standard input
    pub problem: String,
    /// The search expression; without it, the one that measured best for the problem: `nestling explain PROBLEM` names it
    #[arg(short, long, value_name = "EXPR", allow_hyphen_values = true)]
    pub search: Option<String>,
    /// Stop after this time, such as 30s, 5m or 1h30m (with --runs, each run); 10s if there is neither a search nor a budget
    #[arg(short, long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub time: Option<Duration>,
    /// Stop after this many playouts
    #[arg(short, long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub playouts: Option<u64>,
    /// Stop at this score; exit code 1 if it is not reached
    #[arg(long, value_name = "N", value_parser = score, allow_hyphen_values = true)]
    pub target: Option<f64>,
    /// The seed; the same seed with --playouts gives the same result. Drawn, and printed, if not given
    #[arg(long, value_name = "N", value_parser = within(0..=u64::MAX), allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// How many threads; all cores if not given. With --playouts the result does not depend on it
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    /// What searches: the processor, the NVIDIA GPUs (cuda), or GPUs where they can (auto). The same seed gives other games on another
    /// device. Which searches GPUs can make depends on the problem; a refusal lists them
    #[arg(long, value_enum, value_name = "DEVICE", default_value_t)]
    pub device: DeviceChoice,
    /// Make this many runs, each with its own seed, and sum them up
    #[arg(long, value_name = "N", value_parser = within(1..=1_000_000u64), allow_hyphen_values = true, default_value = "1")]
    pub runs: u64,
    /// Search on from a game, after its first K moves if given
    #[arg(long, value_name = "FILE[@K]", value_hint = ValueHint::FilePath)]
    pub from: Option<String>,
    #[command(flatten)]
    pub shown: ShownArgs,
    /// Keep the best game in this file, rewritten at every improvement, in the format of its ending (see convert). A game of the
    /// same problem that it holds already is replaced only by a better one; any other file is refused
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
    /// Keep the policy that nrpa has learned in this file, for `warm=FILE` or `weights=FILE`
    #[arg(long, value_name = "FILE")]
    pub learned: Option<PathBuf>,
    #[command(flatten)]
    pub keeping: KeepingArgs,
}

/// What a person wants to search with; `auto` is GPUs where there are some and they can make the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeviceChoice {
    #[default]
    Cpu,
    Cuda,
    Auto,
}

/// How people and programs see a run.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ShownArgs {
    /// Print improvements and results as JSON, one object a line
    #[arg(long)]
    pub json: bool,
    /// Print only the result: no picture, no progress, no hints; with --json no improvements
    #[arg(short, long)]
    pub quiet: bool,
    #[command(flatten)]
    pub ascii: AsciiArgs,
}

/// Which characters people get.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct AsciiArgs {
    /// Use ASCII characters only, as where the locale is not UTF-8
    #[arg(long)]
    pub ascii: bool,
}

/// What happens to files that are there already.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ForceArgs {
    /// Replace a file that exists, whatever it holds
    #[arg(long)]
    pub force: bool,
}

impl ForceArgs {
    pub fn existing(self) -> Existing {
        Existing::Forced(self.force)
    }
}

const SOLVE_EXAMPLES: &str = "\
Examples:
  nestling solve morpion-5d --time 30s
  nestling solve morpion-5d -s 'nested(2)' --seed 7
  nestling solve morpion-5t -s 'repeat(nested(1, playout=mobility))' --playouts 20000
  nestling solve morpion-5t --from game.psol@60 --time 1m -o better.psol
  nestling solve morpion-5d -s 'nrpa(2)' --runs 100 --json
  nestling solve morpion-5d --device cuda --target 82

Exit codes: 0 done; 1 the target was missed, the puzzle is not solved, or the tour misses windows;
2 bad usage, unreadable input, or a file that could not be written; 130 interrupted";

#[derive(Debug, Args)]
#[command(
    allow_missing_positional = true,
    after_help = "\
Examples:
  nestling explain 'reflexive(100, 1000)' morpion-5d
  nestling explain samegame --time 1m       the search that a minute gets without -s, and why"
)]
pub(crate) struct ExplainArgs {
    /// The search expression; without it, the problem's default search
    #[arg(value_name = "EXPR")]
    pub search: Option<String>,
    /// The problem, such as morpion-5d
    pub problem: String,
    /// The time for which the default search is asked; 10s if there is no budget
    #[arg(short, long, value_name = "TIME", value_parser = time, allow_hyphen_values = true, conflicts_with = "search")]
    pub time: Option<Duration>,
    /// The playouts for which it is asked
    #[arg(short, long, value_name = "N", value_parser = count, allow_hyphen_values = true, conflicts_with = "search")]
    pub playouts: Option<u64>,
}
