//! The command line, each flag defined once; help, man pages and completions derive from it.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

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
  nestling verify game.psol
  nestling explain 'repeat(100, nested(2))' morpion-5d";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search for the best game of a problem
    Solve(Box<SolveArgs>),
    /// Say what a search does, what it would cost here, and why it would be refused
    Explain(ExplainArgs),
    /// Replay games by the plain rules
    Verify(VerifyArgs),
    /// Measure the Morpion engine beside the paper's technique
    Bench(BenchArgs),
    /// List the problems
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
    /// Make this many runs, each with its own seed, and sum them up
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000), default_value_t = 1)]
    pub runs: u64,
    /// Search on from a game, after its first K moves if given
    #[arg(long, value_name = "FILE[@K]")]
    pub from: Option<String>,
    /// Print improvements and results as JSON, one object a line
    #[arg(long)]
    pub json: bool,
    /// Keep the best game in this file, rewritten at every improvement
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Keep the policy that nrpa has learned in this file, for `warm=FILE` or `weights=FILE`
    #[arg(long, value_name = "FILE")]
    pub learned: Option<PathBuf>,
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
  nrpa(level)          policy adaptation; iterations=100, alpha=1, warm=FILE
  uct(n)               n simulations in a tree; c=0.1, trees=1
  dfs, beam(width)     depth first; beam search, samples=4
  All take playout=NAME and weights=FILE for the games at their bottom.

Examples:
  nestling solve morpion-5d --time 30s
  nestling solve morpion-5d -s 'nested(2)' --seed 7
  nestling solve morpion-5t -s 'repeat(nested(1, playout=mobility))' --playouts 20000
  nestling solve morpion-5t --from game.psol@60 --time 1m -o better.psol
  nestling solve morpion-5d -s 'nrpa(2)' --runs 100 --json

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
#[command(after_help = "\
Example:
  nestling verify *.psol

Exit codes: 0 all games are legal; 1 one is not; 2 one cannot be read")]
pub(crate) struct VerifyArgs {
    /// Files with games; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
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
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
}

fn time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| format!("{error}; write 30s, 5m or 1h30m"))?;
    if time.is_zero() { Err("there must be some time; write 30s, 5m or 1h30m".to_owned()) } else { Ok(time) }
}

fn count(text: &str) -> Result<u64, String> {
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
