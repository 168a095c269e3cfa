//! The flags of `nestling bench`.

use clap::Args;

use crate::args::DeviceChoice;

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
