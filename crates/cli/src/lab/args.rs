//! The flags of `nestling lab`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::args::{DeviceChoice, ForceArgs, count, time, within};
use crate::cluster;
use crate::stored::StoreArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
An experiment repeats a table, figure or statement of a paper. The report has a verdict for each
claim of the paper: whether the results confirm it. docs/LAB.md explains the rules.

Examples:
  nestling lab list
  nestling lab run reflexive-table-1              two minutes for one table
  nestling lab run --all --budget 20m             all experiments, scaled down to fit
  nestling lab run nested --full                  all experiments of one paper, at full size
  nestling lab run --until-decided --budget 8h    a night for the undecided claims
  nestling lab run nested-morpion-time --device cuda
  nestling lab run reflexive --full --on ray:auto
  nestling lab report -o report                   an HTML page and Markdown with all results so far
  nestling lab export -o readings.csv             every run, with its seed and its command
  nestling lab compare morpion-5t 'repeat(nrpa(3))' 'repeat(nested(3))' --time 10s -o score.svg
  nestling lab run --experiments mine --all       your own experiments; see docs/LAB.md")]
pub(crate) struct LabArgs {
    #[command(flatten)]
    pub store: StoreArgs,
    /// A file or folder with your own experiments, instead of the built-in ones
    #[arg(long, value_name = "PATH", global = true)]
    pub experiments: Option<PathBuf>,
    #[command(subcommand)]
    pub command: LabCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LabCommand {
    /// List the experiments
    List {
        /// Print JSON, one object per line
        #[arg(long)]
        json: bool,
    },
    /// Run experiments; results that are stored already are reused
    Run(LabRunArgs),
    /// Write an HTML page and Markdown that compare all results so far with the published ones
    Report {
        /// Report only these experiments or papers
        id: Vec<String>,
        /// The folder to write to
        #[arg(short, long, value_name = "FOLDER", default_value = "report")]
        output: PathBuf,
        #[command(flatten)]
        force: ForceArgs,
    },
    /// Write all runs so far as CSV, one per line, with seed and command
    Export {
        /// Write only the runs of these experiments or papers
        id: Vec<String>,
        /// The file to write to; - is standard output
        #[arg(short, long, value_name = "FILE", default_value = "-")]
        output: PathBuf,
        #[command(flatten)]
        force: ForceArgs,
    },
    /// Compare two searches on a problem, with the same seeds
    Compare(CompareArgs),
    /// Compare candidates for the default search of each problem, as tables in Markdown
    Defaults(DefaultsArgs),
}

#[derive(Debug, Args)]
pub(crate) struct DefaultsArgs {
    /// Compare only on these problems, such as samegame
    pub problem: Vec<String>,
    /// The time of each run, on one thread; repeat the option for several tables
    #[arg(short, long, value_name = "TIME", value_parser = time, allow_hyphen_values = true, default_values = ["1s", "10s"])]
    pub time: Vec<Duration>,
    /// The number of runs of each search, each with another instance or seed
    #[arg(long, value_name = "N", value_parser = within(1..=1_000_000u64), allow_hyphen_values = true, default_value = "8")]
    pub runs: u64,
    /// The seed that the seeds of all runs derive from
    #[arg(long, value_name = "N", value_parser = within(0..=u64::MAX), allow_hyphen_values = true, default_value = "1")]
    pub seed: u64,
    /// The number of runs at the same time [default: all cores]
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
    /// The problem; {run} in its name is replaced by the number of the pair, as in samegame:seed={run}
    pub problem: String,
    /// The first search expression
    #[arg(value_name = "A", allow_hyphen_values = true)]
    pub one: String,
    /// The second search expression
    #[arg(value_name = "B", allow_hyphen_values = true)]
    pub other: String,
    /// The time of each run, on one thread
    #[arg(short, long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub time: Option<Duration>,
    /// The playouts of each run
    #[arg(short, long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub playouts: Option<u64>,
    /// The number of pairs of runs
    #[arg(long, value_name = "N", value_parser = within(2..=1_000_000u64), allow_hyphen_values = true, default_value = "20")]
    pub runs: u64,
    /// The random seed [default: chosen at random and printed]
    #[arg(long, value_name = "N", value_parser = within(0..=u64::MAX), allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// The number of runs at the same time [default: all cores]
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    /// Write a chart of the mean best scores over time to this file (.svg)
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LabRunArgs {
    /// The experiments or papers to run
    #[arg(required_unless_present_any = ["all", "until_decided"])]
    pub id: Vec<String>,
    /// Run all experiments
    #[arg(long, conflicts_with = "id")]
    pub all: bool,
    /// The time for all experiments together. If it is too short, experiments are run less often, at a smaller size, or not at all; the report
    /// shows which
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true, default_value = "2m")]
    pub budget: Duration,
    /// Run at the papers' own sizes, however long it takes
    #[arg(long, conflicts_with = "budget")]
    pub full: bool,
    /// Spend the budget only on claims that have no verdict yet (of all experiments, if none is named), at the papers' own sizes. Claims that
    /// need the least time come first
    #[arg(long, conflicts_with = "full")]
    pub until_decided: bool,
    /// The seed that the seeds of all runs derive from
    #[arg(long, value_name = "N", value_parser = within(0..=u64::MAX), allow_hyphen_values = true, default_value = "1")]
    pub seed: u64,
    /// The number of runs at the same time, each on one thread [default: all cores]
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    /// Where the rows of a table run: on the processor (cpu), on the NVIDIA GPUs (cuda), or on GPUs if there are any (auto). Rows that
    /// GPUs do not support run on the processor. Results of different devices are kept apart
    #[arg(long, value_enum, value_name = "DEVICE", default_value_t)]
    pub device: DeviceChoice,
    /// Send searches to the workers of a Ray cluster (docs/CLUSTER.md). ray: workers on this machine; ray:auto: the cluster that this machine
    /// belongs to; ray:ADDRESS: the cluster at that address. The results are the same, but without times: rows whose times are
    /// compared, and rows that are not searches, are then run on this machine. This needs the Python package of Nestling
    #[arg(long, value_name = "CLUSTER", value_parser = cluster::named, allow_hyphen_values = true)]
    pub on: Option<String>,
    /// Print the result of each row as JSON, one object per line
    #[arg(long)]
    pub json: bool,
}
