//! The flags of `nestling lab`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::args::{DeviceChoice, ForceArgs, count, time, within};
use crate::stored::StoreArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nestling lab list
  nestling lab run reflexive-table-1              two minutes for one table
  nestling lab run --all --budget 20m             everything, scaled down to fit
  nestling lab run nested --full                  all of one paper, at its own sizes
  nestling lab run nested-morpion-time --device cuda
  nestling lab report -o report                   a page and Markdown of all that has been run
  nestling lab compare morpion-5t 'repeat(nrpa(3))' 'repeat(nested(3))' --time 10s --runs 50 -o score.svg
  nestling lab run --experiments mine --all       experiments of your own; docs/LAB.md says how to write one")]
pub(crate) struct LabArgs {
    #[command(flatten)]
    pub store: StoreArgs,
    /// A file or folder with experiments of your own, instead of those that come with the program
    #[arg(long, value_name = "PATH", global = true)]
    pub experiments: Option<PathBuf>,
    #[command(subcommand)]
    pub command: LabCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LabCommand {
    /// List the experiments
    List {
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Run experiments, or what is missing of them
    Run(LabRunArgs),
    /// Write a page, and Markdown, with everything that has been run beside what was published
    Report {
        /// Only these experiments, or papers
        id: Vec<String>,
        /// The folder to write to
        #[arg(short, long, value_name = "FOLDER", default_value = "report")]
        output: PathBuf,
        #[command(flatten)]
        force: ForceArgs,
    },
    /// Compare two searches on a problem, with the same seeds
    Compare(CompareArgs),
    /// Compare the searches that might be the default of each problem, as tables in Markdown
    Defaults(DefaultsArgs),
}

#[derive(Debug, Args)]
pub(crate) struct DefaultsArgs {
    /// Only these problems, such as samegame
    pub problem: Vec<String>,
    /// The time of each run, which has one thread; give it several times for several tables
    #[arg(short, long, value_name = "TIME", value_parser = time, allow_hyphen_values = true, default_values = ["1s", "10s"])]
    pub time: Vec<Duration>,
    /// How often each search is run, with another instance or seed each time
    #[arg(long, value_name = "N", value_parser = within(1..=1_000_000u64), allow_hyphen_values = true, default_value = "8")]
    pub runs: u64,
    /// The seed that the seeds of all runs derive from
    #[arg(long, value_name = "N", value_parser = within(0..=u64::MAX), allow_hyphen_values = true, default_value = "1")]
    pub seed: u64,
    /// How many runs go on at once; all cores if not given
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    /// The file to write the tables to; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    #[command(flatten)]
    pub force: ForceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The problem; {run} in it is the number of the pair, as in samegame:seed={run}
    pub problem: String,
    /// One search expression
    #[arg(value_name = "A", allow_hyphen_values = true)]
    pub one: String,
    /// The other
    #[arg(value_name = "B", allow_hyphen_values = true)]
    pub other: String,
    /// The time of each run, which has one thread
    #[arg(short, long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub time: Option<Duration>,
    /// The playouts of each run
    #[arg(short, long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub playouts: Option<u64>,
    /// How many pairs of runs
    #[arg(long, value_name = "N", value_parser = within(2..=1_000_000u64), allow_hyphen_values = true, default_value = "20")]
    pub runs: u64,
    /// The seed; drawn, and printed, if not given
    #[arg(long, value_name = "N", value_parser = within(0..=u64::MAX), allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// How many runs go on at once; all cores if not given
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    /// Draw the mean best scores over time in this file, an SVG
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
    /// As JSON, one object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LabRunArgs {
    /// The experiments, or papers
    #[arg(required_unless_present = "all")]
    pub id: Vec<String>,
    /// All of them
    #[arg(long, conflicts_with = "id")]
    pub all: bool,
    /// The time for everything; what does not fit is run less often, at a smaller size, or not at all, and the report says so
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true, default_value = "2m")]
    pub budget: Duration,
    /// The papers' own sizes, whatever time that takes
    #[arg(long, conflicts_with = "budget")]
    pub full: bool,
    /// The seed that the seeds of all runs derive from
    #[arg(long, value_name = "N", value_parser = within(0..=u64::MAX), allow_hyphen_values = true, default_value = "1")]
    pub seed: u64,
    /// How many runs go on at once; all cores if not given. Every run has one thread
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    /// What runs the rows: the processor alone, or the NVIDIA GPUs what they can make (cuda), if there are some (auto), and the
    /// processor the rest. Readings of different devices are kept apart
    #[arg(long, value_enum, value_name = "DEVICE", default_value_t)]
    pub device: DeviceChoice,
    /// What became of each row as JSON, one object a line
    #[arg(long)]
    pub json: bool,
}
