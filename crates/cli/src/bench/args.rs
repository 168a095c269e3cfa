//! The flags of `nestling bench`.

use clap::Args;

use crate::args::DeviceChoice;

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  nestling bench --quick")]
pub(crate) struct BenchArgs {
    /// Run fewer rounds and leave out nrpa(3): under a minute instead of about eight minutes
    #[arg(long, conflicts_with = "deep")]
    pub quick: bool,
    /// Also run nested(3), which takes about a quarter of an hour more
    #[arg(long)]
    pub deep: bool,
    /// With cuda, compare the GPU with all cores of this machine instead, in under a minute; with auto, do so if there is a GPU
    #[arg(long, value_enum, value_name = "DEVICE", default_value_t)]
    pub device: DeviceChoice,
    /// Print JSON, one object per line
    #[arg(long)]
    pub json: bool,
}
