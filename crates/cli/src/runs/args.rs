//! The flags of `nestling runs`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::args::{AsciiArgs, ForceArgs, ShownArgs, count, share, time, within};
use crate::cluster::ClusterArgs;
use crate::stored::StoreArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nestling runs list
  nestling runs resume                   continue the run that was interrupted last
  nestling runs resume 12 --time 2h      give run 12 a total of two hours
  nestling runs export 12 score.svg      its score over time; if run 12 is a batch, a histogram
  nestling runs tasks 12 -o tasks        divide run 12 into tasks for `nestling task`
  nestling runs collect 12 tasks         add the reports of these tasks to run 12
  nestling runs unpack nestling.runs     add the runs of a browser tab")]
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
    /// a batch (`solve --runs`), .csv has the results of its runs and .svg a histogram of them. With any other ending, the best game is written.
    Export {
        /// The run's number
        #[arg(value_parser = run_number, allow_negative_numbers = true)]
        id: i64,
        /// The file to write; - writes JSON to standard output
        #[arg(default_value = "-")]
        file: PathBuf,
        #[command(flatten)]
        force: ForceArgs,
        /// For a batch, export the improvements over time instead of the results
        #[arg(long)]
        improvements: bool,
    },
    /// Divide a run into tasks, and write them to files for other processes or machines
    ///
    /// A task is one repetition of the outermost repeat, mean or uct, or one run of a batch (`solve --runs`); any other run is a single
    /// task. Each file contains all that is needed. The result is the same as that of one process. docs/CLUSTER.md explains job arrays.
    Tasks(TasksArgs),
    /// Add the reports of tasks to a run; damaged reports are refused, tasks without a report are listed
    Collect(CollectArgs),
    /// Repeat a random part of a run, and compare the results
    ///
    /// For a batch, some of its runs are repeated; with --tasks, some of the tasks in a folder; for any other run, the part between its
    /// two newest checkpoints. Scores, moves, and the numbers of playouts and moves must be the same; for tasks, every bit of the results.
    Recheck(RecheckArgs),
    /// Write runs and the hall of fame to one file, for another store or for the app in a browser tab
    ///
    /// `runs unpack` adds the runs to another store. The app's page Runs, in a browser tab, opens and saves such files too. The runs can be resumed in
    /// either place.
    Pack {
        /// The file to write; - writes to standard output
        file: PathBuf,
        /// The runs' numbers [default: all runs]
        #[arg(value_parser = run_number, allow_negative_numbers = true)]
        id: Vec<i64>,
        #[command(flatten)]
        force: ForceArgs,
    },
    /// Add the runs and games from a file that `runs pack`, or the app in a browser tab, has written
    ///
    /// Every game is verified by the rules. If a run is stored already, the version that has made more progress is kept.
    Unpack {
        /// The file
        #[arg(value_hint = clap::ValueHint::FilePath)]
        file: PathBuf,
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
#[command(after_help = "\
Example:
  nestling solve morpion-5d -s 'repeat(200, nrpa(3))' --later      stored as run 12
  nestling runs tasks 12 --count 20 -o tasks                       20 files with ten tasks each
  sbatch --array=0-19 --wrap 'nestling task tasks/$SLURM_ARRAY_TASK_ID.task'
  nestling runs collect 12 tasks")]
pub(crate) struct TasksArgs {
    /// The run's number
    #[arg(value_parser = run_number, allow_negative_numbers = true)]
    pub id: i64,
    /// Write at most this many files, with several tasks each if the run has more (at most 100,000 tasks at once)
    #[arg(long, value_name = "N", value_parser = within(1..=100_000u64), allow_hyphen_values = true, default_value = "1000")]
    pub count: u64,
    /// Put this many tasks into each file; tasks that do not fit into --count files are not written yet
    #[arg(long, value_name = "N", value_parser = within(1..=100_000u64), allow_hyphen_values = true)]
    pub each: Option<u64>,
    /// The folder to write them to, as 0.task, 1.task and so on; it is created if it is missing
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 done; 1 some reports were refused, or the finished run has not reached its target;\n2 bad usage or an unreadable store"
)]
pub(crate) struct CollectArgs {
    /// The run's number
    #[arg(value_parser = run_number, allow_negative_numbers = true)]
    pub id: i64,
    /// The folder with the reports, files that end in .report
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    #[command(flatten)]
    pub force: ForceArgs,
    #[command(flatten)]
    pub shown: ShownArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nestling runs recheck 12 --share 5%
  nestling runs recheck 12 --tasks tasks

Exit codes: 0 everything is the same; 1 something differs; 2 bad usage, or nothing to compare")]
pub(crate) struct RecheckArgs {
    /// The run's number
    #[arg(value_parser = run_number, allow_negative_numbers = true)]
    pub id: i64,
    /// How much of the run to repeat, such as 5%; at least one task or run
    #[arg(long, value_name = "PERCENT", value_parser = share, allow_hyphen_values = true, default_value = "5%")]
    pub share: f64,
    /// Repeat tasks of this folder, and compare the results with their reports
    #[arg(long, value_name = "FOLDER")]
    pub tasks: Option<PathBuf>,
    /// The seed that chooses the tasks [default: chosen at random]
    #[arg(long, value_name = "N", value_parser = within(0..=u64::MAX), allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// Print no progress
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The run's number [default: the run that was interrupted last]
    #[arg(value_parser = run_number, allow_negative_numbers = true)]
    pub id: Option<i64>,
    /// Stop after this total time, instead of the run's own time limit
    #[arg(short, long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub time: Option<Duration>,
    /// Stop after this many playouts in total, instead of the run's own limit
    #[arg(short, long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub playouts: Option<u64>,
    /// The number of threads; with --playouts, the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub cluster: ClusterArgs,
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

impl ResumeArgs {
    /// A run that is resumed unchanged.
    pub fn of(id: i64, shown: ShownArgs) -> Self {
        let (time, playouts, threads, cluster, checkpoint, output, force) = Default::default();
        ResumeArgs { id: Some(id), time, playouts, threads, cluster, checkpoint, shown, output, force }
    }
}

impl TasksArgs {
    /// The most tasks that fit into the files. More at once would fill the memory.
    pub fn most(&self) -> u64 {
        const MANY: u64 = 100_000;
        self.each.map_or(MANY, |each| each.saturating_mul(self.count).min(MANY))
    }
}

fn run_number(text: &str) -> Result<i64, String> {
    within(1..=i64::MAX)(text).map_err(|_| "the number of a run, such as 12".to_owned())
}
