//! The flags of `nestling bench`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::args::DeviceChoice;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nestling bench --quick
  nestling bench --json > before.jsonl
  nestling bench --compare before.jsonl                  the ratios now, next to the saved ones
  nestling bench --compare before.jsonl after.jsonl      two saved results")]
pub(crate) struct BenchArgs {
    /// Run fewer rounds and leave out nrpa(3): under a minute instead of about eight minutes
    #[arg(long, conflicts_with = "deep")]
    pub quick: bool,
    /// Also run nested(3), which takes about a quarter of an hour more
    #[arg(long)]
    pub deep: bool,
    /// cuda: compare the GPU with all cores of this machine, instead of the engine with the technique of the paper (under a minute); auto: the same if
    /// there is a GPU
    #[arg(long, value_enum, value_name = "DEVICE", default_value_t)]
    pub device: DeviceChoice,
    /// Compare the ratios with those saved by --json; a ratio is reported as changed if its 95 % confidence intervals do not overlap. With two
    /// files, nothing is measured: the files are compared
    #[arg(long, value_name = "FILE", num_args = 1..=2, value_hint = ValueHint::FilePath)]
    pub compare: Vec<PathBuf>,
    /// Print JSON, one object per line
    #[arg(long)]
    pub json: bool,
}
