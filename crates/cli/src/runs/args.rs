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
  nestling runs resume                   continue the run that was interrupted last
  nestling runs resume 12 --time 2h      give run 12 a total of two hours
  nestling runs export 12 score.svg      its score over time; of a batch (`solve --runs`), a histogram")]
pub(crate) struct RunsArgs {
    #[command(flatten)]
    pub store: StoreArgs,
    #[command(subcommand)]
    pub command: RunsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// List the runs, newest first
    List {
        /// List all runs, not only the newest 20
        #[arg(long)]
        all: bool,
        /// Print JSON, one object per line
        #[arg(long)]
        json: bool,
    },
    /// Show a run: its search, its progress, its best game
    Show {
        /// The run's number
        #[arg(value_parser = run_number, allow_negative_numbers = true)]
        id: i64,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        ascii: AsciiArgs,
    },
    /// Continue an interrupted run, or give a finished run more time
    Resume(ResumeArgs),
    /// Write a run to a file, as data, a chart or a game
    ///
    /// The file's ending decides the content: .json has everything, .csv the improvements, .svg a chart of the score over time. For
    /// repeated runs .csv has their results and .svg a histogram of them. With any other ending, the best game is written.
    Export {
        /// The run's number
        #[arg(value_parser = run_number, allow_negative_numbers = true)]
        id: i64,
        /// The file to write; - writes JSON to standard output
        #[arg(default_value = "-")]
        file: PathBuf,
        #[command(flatten)]
        force: ForceArgs,
        /// For repeated runs, export the improvements over time instead of the results
        #[arg(long)]
        improvements: bool,
    },
    /// Delete runs; games in the hall of fame (`nestling records`) are kept
    Delete {
        /// The runs' numbers
        #[arg(required = true, value_parser = run_number, allow_negative_numbers = true)]
        id: Vec<i64>,
    },
    /// Check the whole store, and repair it if it is damaged
    Salvage,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The run's number; if not given, the run that was interrupted last
    #[arg(value_parser = run_number, allow_negative_numbers = true)]
    pub id: Option<i64>,
    /// Stop after this total time, instead of the run's own time limit
    #[arg(short, long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub time: Option<Duration>,
    /// Stop after this many playouts in total, instead of the run's own limit
    #[arg(short, long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub playouts: Option<u64>,
    /// The number of threads; all cores if not given. With --playouts the result does not depend on it
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    /// The time between checkpoints, instead of the run's own
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub checkpoint: Option<Duration>,
    #[command(flatten)]
    pub shown: ShownArgs,
    /// Write the best game to this file, instead of the run's own output file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
}

fn run_number(text: &str) -> Result<i64, String> {
    within(1..=i64::MAX)(text).map_err(|_| "the number of a run, such as 12".to_owned())
}
