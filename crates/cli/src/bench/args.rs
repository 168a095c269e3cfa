//! The flags of `nestling bench`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::args::DeviceChoice;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nestling bench --quick
  nestling bench --json > before.jsonl
  nestling bench --compare before.jsonl                  each ratio now beside the one before
  nestling bench --compare before.jsonl after.jsonl      two saved results")]
pub(crate) struct BenchArgs {
    /// Run fewer rounds and leave out nrpa(3): under a minute instead of about eight minutes
    #[arg(long, conflicts_with = "deep")]
    pub quick: bool,
    /// Also run nested(3), which takes about a quarter of an hour more
    #[arg(long)]
    pub deep: bool,
    /// cuda: compare the GPU with all cores, instead of the engine with the technique of the paper, in under a minute; auto: do so if there is a GPU
    #[arg(long, value_enum, value_name = "DEVICE", default_value_t)]
    pub device: DeviceChoice,
    /// Compare the ratios with those saved by --json; reported as changed are those whose 95 % confidence intervals do not overlap. With two
    /// files, nothing is measured: the files are compared
    #[arg(long, value_name = "FILE", num_args = 1..=2, value_hint = ValueHint::FilePath)]
    pub compare: Vec<PathBuf>,
    /// Print JSON, one object per line
    #[arg(long)]
    pub json: bool,
}
