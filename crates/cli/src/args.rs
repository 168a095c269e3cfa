//! The command line, each flag defined once; help, man pages and completions derive from it.

mod play;
mod table;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use nestling_registry::{Picture, Theme};

use crate::lab::args::LabArgs;
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
Examples:
  nestling verify *.psol
  nestling verify mine.psol --against theirs.msr
  nestling verify - --json < game.json

A game is legal or not, complete or not; if it is a published record, turned or in another order,
that is said. --against tells the same game, the same lines in another order and the same dots.

Exit codes: 0 all games are legal; 1 one is not; 2 one cannot be read")]
pub(crate) struct VerifyArgs {
    /// Files with games in any format; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Say what each game has in common with this one, up to symmetry
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// One JSON object a line, one line a file
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nestling show game.psol
  nestling show game.msr --up-to 60 --ascii
  nestling show game.psol -o game.svg --animated

Exit codes: 0 done; 1 the game is illegal; 2 the file cannot be read")]
pub(crate) struct ShowArgs {
    /// A file with a game in any format, pictures included; - is standard input
    pub file: PathBuf,
    /// Use ASCII characters only
    #[arg(long)]
    pub ascii: bool,
    /// Write a file instead, such as a picture .svg or .png
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub picture: PictureArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Formats are recognised by content when reading, and chosen by the file's ending when writing:
  .psol, .txt   Pentasol text (Morpion Solitaire; other problems: .txt is our text)
  .msr          the Morpion Solitaire Record format as JSON
  .ms1          the same in its compact form
  .game         our text: the problem's name, one move a line
  .json         our JSON, for every problem
  .svg, .png    a picture with that JSON inside, so that it can be read again
All carry where a game comes from: search, seed, playouts, date, author.

Examples:
  nestling convert game.psol game.png --theme age
  nestling convert game.png game.msr
  nestling convert game.msr - --to pentasol

Exit codes: 0 done; 1 the game is illegal; 2 a file cannot be read or written")]
pub(crate) struct ConvertArgs {
    /// The file to read, in any format; - is standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The file to write; - is standard output
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// The format to write, whatever the file is called
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<String>,
    #[command(flatten)]
    pub picture: PictureArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nestling records
  nestling records rosin178
  nestling records morpion-5d#1          the best 5D game found here
  nestling records bruneau170 -o bruneau.png --theme dark")]
pub(crate) struct RecordsArgs {
    /// Draw this one
    pub name: Option<String>,
    /// Write it to a file instead of drawing it
    #[arg(short, long, value_name = "FILE", requires = "name")]
    pub output: Option<PathBuf>,
    /// Use ASCII characters only
    #[arg(long)]
    pub ascii: bool,
    /// List them as JSON, one object a line, moves included
    #[arg(long, conflicts_with = "name")]
    pub json: bool,
    #[command(flatten)]
    pub picture: PictureArgs,
    #[command(flatten)]
    pub store: StoreArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Pictures")]
pub(crate) struct PictureArgs {
    /// Show the position after K moves; a picture file still carries all
    #[arg(long, value_name = "K")]
    pub up_to: Option<usize>,
    /// The width in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(100..=10_000))]
    pub size: u32,
    /// The colours
    #[arg(long, value_name = "THEME", default_value = "light", value_parser = PossibleValuesParser::new(["light", "dark", "print", "age"]).try_map(|name| name.parse::<Theme>()))]
    pub theme: Theme,
    /// Play the moves one by one (.svg)
    #[arg(long)]
    pub animated: bool,
    /// A text below the picture; otherwise it says who or what found the game
    #[arg(long, value_name = "TEXT")]
    pub caption: Option<String>,
}

impl PictureArgs {
    /// The same for a game of this many moves.
    pub fn picture(&self, moves: usize) -> anyhow::Result<Picture> {
        if let Some(up_to) = self.up_to {
            anyhow::ensure!(up_to <= moves, "--up-to {up_to}: the game has only {moves} moves");
        }
        let PictureArgs { up_to, size: width, theme, animated, ref caption } = *self;
        Ok(Picture { width, theme, up_to, animated, caption: caption.clone() })
    }
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
