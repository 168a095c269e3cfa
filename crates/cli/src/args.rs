//! The command line, each flag defined once; help, man pages and completions derive from it.

mod forms;
mod games;
mod hunt;
mod table;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;

use crate::cluster::ClusterArgs;
use crate::output::Existing;
use crate::stored::KeepingArgs;
pub(crate) use forms::with_help;
pub(crate) use games::{ConvertArgs, PictureArgs, ProveArgs, RecordsArgs, ShowArgs, VerifyArgs};
pub(crate) use hunt::HuntArgs;
pub(crate) use table::MatchArgs;
#[cfg(feature = "store")]
pub(crate) use values::share;
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
  nestling hunt morpion-5t
  nestling show game.psol
  nestling convert game.psol game.png
  nestling records rosin178
  nestling weights morpion-5d --weights game.psol
  nestling learn morpion-5d -o policy.nn
  nestling runs resume
  nestling play
  nestling verify game.psol
  nestling prove game.psol --time 5m
  nestling puzzle sudoku --level hard --count 10 -o book.pdf
  nestling match quarto 'uct(1000)' second --games 1000
  nestling play quarto --terminal
  nestling explain 'repeat(100, nested(2))' morpion-5d";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search for the best game of a problem
    Solve(Box<SolveArgs>),
    /// Hunt for a record: search for days, and keep every good game
    Hunt(Box<HuntArgs>),
    /// Explain a search: its meaning, its estimated cost, and whether it would be refused
    Explain(ExplainArgs),
    /// Let two programs play a two-player game against each other
    Match(MatchArgs),
    /// Verify games with an independent implementation of the rules
    Verify(VerifyArgs),
    /// Prove that the last moves of a Morpion Solitaire game are best
    Prove(ProveArgs),
    /// Generate Sudokus and Kakuros with one solution, by level, as text or as pages to print
    Puzzle(crate::puzzle::PuzzleArgs),
    /// Draw a game on the terminal, or as a picture
    Show(ShowArgs),
    /// Convert a game to another format, or to a picture that contains the game
    Convert(ConvertArgs),
    /// List the published record games and the best games of your own runs; draw or save one of them
    Records(RecordsArgs),
    /// Show the moves of a position with their codes and weights, or write them to a file for the search options warm= and weights=
    Weights(crate::weights::WeightsArgs),
    /// Train a neural network on games, for the search option weights=
    Learn(crate::learn::LearnArgs),
    /// Work with stored runs: list, show, resume, export, divide into tasks, repeat, copy to other stores, delete, or repair the store
    #[cfg(feature = "store")]
    Runs(crate::runs::args::RunsArgs),
    /// Run the tasks in a file made by `nestling runs tasks`, for example as one job of a job array on a cluster
    Task(crate::task::TaskArgs),
    /// Play games and watch searches in the browser, or play on the terminal
    #[cfg(feature = "web")]
    Play(crate::play::args::PlayArgs),
    /// Write the app as a folder of static files that works in the browser without a server
    #[cfg(feature = "web")]
    Site(crate::site::args::SiteArgs),
    /// Repeat the experiments of five research papers, and report the results
    #[cfg(feature = "lab")]
    Lab(crate::lab::args::LabArgs),
    /// Compare the Morpion engine's speed with the technique of Buzer and Cazenave (2022)
    #[cfg(feature = "lab")]
    Bench(crate::bench::args::BenchArgs),
    /// List the problems
    #[command(after_help = "Example:\n  nestling problems --json")]
    Problems {
        /// Print JSON, one object per line
        #[arg(long)]
        json: bool,
    },
    /// Print a completion script for a shell
    #[command(after_help = "\
The script completes commands, flags, files, the names of problems, records and experiments, and
the numbers of runs.

Example:
  nestling completions bash > ~/.local/share/bash-completion/completions/nestling")]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page of the program or of a command
    #[command(after_help = "Example:\n  nestling man solve | man -l -")]
    Man {
        /// The command, such as solve
        command: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// The problem, such as morpion-5d; `nestling problems` lists them. sudoku:- reads the puzzle from standard input. A path that ends in .toml
    /// is a problem of your own (docs/GUIDE.md)
    pub problem: String,
    /// The search, as an expression (below) [default: the best in our measurements for this problem and time; `nestling explain PROBLEM` shows it]
    #[arg(short, long, value_name = "EXPR", allow_hyphen_values = true)]
    pub search: Option<String>,
    /// Stop after this time, such as 30s, 5m or 1h30m; with --runs, the limit of each run. A run with none of -s, --playouts, --target and
    /// --time stops after 10s; any other run without --time has no time limit
    #[arg(short, long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub time: Option<Duration>,
    /// Stop after this many playouts
    #[arg(short, long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub playouts: Option<u64>,
    /// Stop at this score; exit code 1 if it is not reached
    #[arg(long, value_name = "N", value_parser = score, allow_hyphen_values = true)]
    pub target: Option<f64>,
    /// The score from which on games are stored that are not the best; `hunt` sets it.
    #[arg(skip)]
    pub keep: Option<f64>,
    /// The random seed; the same search with the same seed and --playouts gives the same result [default: chosen at random and printed]
    #[arg(long, value_name = "N", value_parser = within(0..=u64::MAX), allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// The number of threads; with --playouts, the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    /// Where the search runs: on the processor (cpu), on the NVIDIA GPUs (cuda), or on GPUs if they support the search (auto).
    /// Different devices find different games from the same seed. If GPUs do not support a search, the error lists the searches that they support
    #[arg(long, value_enum, value_name = "DEVICE", default_value_t)]
    pub device: DeviceChoice,
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Make this many runs, each with its own seed, and report the distribution of their scores
    #[arg(long, value_name = "N", value_parser = within(1..=1_000_000u64), allow_hyphen_values = true, default_value = "1")]
    pub runs: u64,
    /// Start from the last position of the game in this file; with @K, from its position after K moves
    #[arg(long, value_name = "FILE[@K]", value_hint = ValueHint::FilePath)]
    pub from: Option<String>,
    #[command(flatten)]
    pub shown: ShownArgs,
    /// Write the best game to this file, again at every improvement. The file's ending decides the format (see `nestling convert --help`).
    /// If the file exists and contains a game of the same problem, only a better game replaces it; any other existing file is replaced only with
    /// --force
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
    /// Write the policy that nrpa learned to this file; the search options `warm=FILE` and `weights=FILE` read it
    #[arg(long, value_name = "FILE")]
    pub learned: Option<PathBuf>,
    #[command(flatten)]
    pub keeping: KeepingArgs,
}

/// The device that the user asks for; `auto` is GPUs if there are any and they support the search.
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
    /// Print improvements and results as JSON, one object per line
    #[arg(long)]
    pub json: bool,
    /// Print only the result: without the picture, the progress and the hints; with --json, without the improvements
    #[arg(short, long)]
    pub quiet: bool,
    #[command(flatten)]
    pub ascii: AsciiArgs,
}

/// Which characters people get.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct AsciiArgs {
    /// Use ASCII characters only; the default where the locale is not UTF-8
    #[arg(long)]
    pub ascii: bool,
}

/// How existing files are treated.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct ForceArgs {
    /// Overwrite an existing file, whatever it contains
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

Exit codes: 0 done; 1 the target was not reached, the puzzle is not solved, or the tour misses
windows; 2 bad usage, unreadable input, or a file that could not be written; 130 interrupted";

#[derive(Debug, Args)]
#[command(
    allow_missing_positional = true,
    after_help = "\
Examples:
  nestling explain 'reflexive(100, 1000)' morpion-5d
  nestling explain samegame --time 1m       the default search for one minute, and why"
)]
pub(crate) struct ExplainArgs {
    /// The search expression [default: the problem's default search]
    #[arg(value_name = "EXPR")]
    pub search: Option<String>,
    /// The problem, such as morpion-5d
    pub problem: String,
    /// Show the default search for this time limit [default: 10s, if --playouts is not given]
    #[arg(short, long, value_name = "TIME", value_parser = time, allow_hyphen_values = true, conflicts_with = "search")]
    pub time: Option<Duration>,
    /// Show the default search for this many playouts
    #[arg(short, long, value_name = "N", value_parser = count, allow_hyphen_values = true, conflicts_with = "search")]
    pub playouts: Option<u64>,
}
