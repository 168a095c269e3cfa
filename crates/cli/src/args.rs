//! The command line, each flag defined once; help, man pages and completions derive from it.

mod games;
mod play;
mod table;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::lab::args::LabArgs;
pub(crate) use games::{ConvertArgs, PictureArgs, RecordsArgs, ShowArgs, VerifyArgs};
pub(crate) use play::{BrowserArgs, PlayArgs, Seat, TerminalArgs};
pub(crate) use table::MatchArgs;

/// Monte-Carlo search for puzzles, games and optimisation.
#[derive(Debug, Parser)]
#[command(name = "nestling", version, max_term_width = 100, after_help = EXAMPLES)]
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
    Runs(RunsArgs),
    /// Play and watch searches in the browser, or play on the terminal
    Play(PlayArgs),
    /// Run the papers' experiments again, and report what came of them
    Lab(LabArgs),
    /// Measure the Morpion engine beside the paper's technique
    Bench(BenchArgs),
    /// List the problems
    #[command(after_help = "Example:\n  nestling problems --json")]
    Problems {
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  nestling completions bash > ~/.local/share/bash-completion/completions/nestling"
    )]
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
#[command(after_help = SOLVE_EXAMPLES)]
pub(crate) struct SolveArgs {
    /// The problem, such as morpion-5d; `nestling problems` lists them
    pub problem: String,
    /// The search expression; without it, NRPA restarted at the level that suits the time
    #[arg(short, long, value_name = "EXPR", allow_hyphen_values = true)]
    pub search: Option<String>,
    /// Stop after this time, such as 30s, 5m or 1h30m (with --runs, each run); 10s if there is neither a search nor a budget
    #[arg(short, long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// Stop after this many playouts
    #[arg(short, long, value_name = "N", value_parser = count)]
    pub playouts: Option<u64>,
    /// Stop at this score; exit code 1 if it is not reached
    #[arg(long, value_name = "N", value_parser = score, allow_negative_numbers = true)]
    pub target: Option<f64>,
    /// The seed; the same seed with --playouts gives the same result. Drawn, and printed, if not given
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// How many threads; all cores if not given. The result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// What searches: the processor, the NVIDIA GPUs (cuda), or GPUs where they can (auto). The same seed gives other games on another
    /// device. On GPUs: nrpa, nested and playout, alone or repeated, on Morpion Solitaire
    #[arg(long, value_enum, value_name = "DEVICE", default_value_t)]
    pub device: DeviceChoice,
    /// Make this many runs, each with its own seed, and sum them up
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000), default_value_t = 1)]
    pub runs: u64,
    /// Search on from a game, after its first K moves if given
    #[arg(long, value_name = "FILE[@K]")]
    pub from: Option<String>,
    /// Print improvements and results as JSON, one object a line
    #[arg(long)]
    pub json: bool,
    /// Keep the best game in this file, rewritten at every improvement, in the format of its ending (see convert)
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Keep the policy that nrpa has learned in this file, for `warm=FILE` or `weights=FILE`
    #[arg(long, value_name = "FILE")]
    pub learned: Option<PathBuf>,
    /// The time between checkpoints, from which `nestling runs resume` goes on after an interruption
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "10s")]
    pub checkpoint: Duration,
    /// Do not keep the run
    #[arg(long)]
    pub no_store: bool,
    #[command(flatten)]
    pub store: StoreArgs,
}

/// What a person wants to search with; `auto` is GPUs where there are some and they can make the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeviceChoice {
    #[default]
    Cpu,
    Cuda,
    Auto,
}

/// Where runs are kept.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct StoreArgs {
    /// The file that keeps the runs; without it one in the data folder of the user
    #[arg(long, value_name = "PATH", env = "NESTLING_STORE", hide_env_values = true, global = true)]
    pub store: Option<PathBuf>,
}

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
        id: i64,
        /// As JSON, one object
        #[arg(long)]
        json: bool,
    },
    /// Go on with an interrupted run, or give a finished one more time
    Resume(ResumeArgs),
    /// Write a run to a file, as data, a chart or a game
    ///
    /// The file's ending decides: .json has everything, .csv the improvements, .svg the score over time. For repeated runs .csv
    /// has their results and .svg their histogram. Any other ending: the best game.
    Export {
        /// The run's number
        id: i64,
        /// The file; - is standard output, which gets JSON
        #[arg(default_value = "-")]
        file: PathBuf,
        /// Of repeated runs, the improvements over time rather than the results
        #[arg(long)]
        improvements: bool,
    },
    /// Delete runs; their games stay in the hall of fame
    Delete {
        /// The runs' numbers
        #[arg(required = true)]
        id: Vec<i64>,
    },
    /// Check the whole store, and save what can be read if it is damaged
    Salvage,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The run's number; without it, the run that was interrupted last
    pub id: Option<i64>,
    /// Stop after this time in all, instead of what the run was given
    #[arg(short, long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// Stop after this many playouts in all, instead of what the run was given
    #[arg(short, long, value_name = "N", value_parser = count)]
    pub playouts: Option<u64>,
    /// How many threads; all cores if not given. The result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// The time between checkpoints, instead of what the run was given
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub checkpoint: Option<Duration>,
    /// Print improvements and results as JSON, one object a line
    #[arg(long)]
    pub json: bool,
    /// Keep the best game in this file, instead of the one the run was given
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

const SOLVE_EXAMPLES: &str = "\
Search expressions:
  playout              one game to the end; playout(mobility) prefers moves that leave many moves
  repeat(n, s)         s, n times; repeat(s): until the budget ends; the best
  mean(n, s)           s, n times, hidden randomness redrawn; the average
  step(s)              a whole game, s before each move; memory=on|off
  lookahead(s)         each legal move, then s; ties=first|random|last
  nested(level)        nested Monte-Carlo search; memory=, ties=
  reflexive(n1, n2..)  reflexive Monte-Carlo search
  nrpa(level)          policy adaptation; iterations=100, alpha=1, tries=1,
                       warm=FILE
  uct(n)               n simulations in a tree; c=0.1, trees=1
  dfs, beam(width)     depth first; beam search, samples=4
  All take playout=NAME and weights=FILE for the games at their bottom.

Examples:
  nestling solve morpion-5d --time 30s
  nestling solve morpion-5d -s 'nested(2)' --seed 7
  nestling solve morpion-5t -s 'repeat(nested(1, playout=mobility))' --playouts 20000
  nestling solve morpion-5t --from game.psol@60 --time 1m -o better.psol
  nestling solve morpion-5d -s 'nrpa(2)' --runs 100 --json
  nestling solve morpion-5d --device cuda --target 82

Exit codes: 0 done; 1 the target was missed; 2 bad usage or unreadable input; 130 interrupted";

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  nestling explain 'reflexive(100, 1000)' morpion-5d")]
pub(crate) struct ExplainArgs {
    /// The search expression
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub search: String,
    /// The problem, such as morpion-5d
    pub problem: String,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  nestling bench --quick")]
pub(crate) struct BenchArgs {
    /// Fewer rounds and no level 3: under a minute rather than about eight
    #[arg(long, conflicts_with = "deep")]
    pub quick: bool,
    /// Nested search of level 3 too, which takes about a quarter of an hour more
    #[arg(long)]
    pub deep: bool,
    /// With cuda, the GPU beside all cores of this machine instead, in under a minute; with auto, that too where there is a GPU
    #[arg(long, value_enum, value_name = "DEVICE", default_value_t)]
    pub device: DeviceChoice,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
}

pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| format!("{error}; write 30s, 5m or 1h30m"))?;
    if time.is_zero() { Err("there must be some time; write 30s, 5m or 1h30m".to_owned()) } else { Ok(time) }
}

pub(crate) fn count(text: &str) -> Result<u64, String> {
    let digits = text.replace('_', "");
    match digits.parse() {
        Ok(0) => Err("there must be at least one".to_owned()),
        Ok(count) => Ok(count),
        Err(_) => Err("write a whole number such as 20000 or 20_000".to_owned()),
    }
}

fn score(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|score: &f64| score.is_finite()).ok_or_else(|| "write a number such as 74".to_owned())
}
