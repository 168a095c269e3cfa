//! `--on`: a cluster that makes the tasks of a run.

use std::sync::{Mutex, OnceLock};

use anyhow::{Result, anyhow};
use clap::Args;
use nestling_registry::{Device, Workers};

/// Opens a cluster by its name, such as `ray:auto`, for runs on a device.
pub type OpenWorkers = Box<dyn Fn(&str, Device) -> Result<Box<dyn Workers>, String> + Send + Sync>;

static CLUSTER: OnceLock<OpenWorkers> = OnceLock::new();

/// Lets `--on` use this cluster.
pub(crate) fn offer(cluster: Option<OpenWorkers>) {
    if let Some(cluster) = cluster {
        let _ = CLUSTER.set(cluster);
    }
}

/// The place where the tasks of a run are made.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ClusterArgs {
    /// Divide the search among the workers of a Ray cluster (docs/CLUSTER.md). ray: workers on this machine; ray:auto: the cluster that this
    /// machine belongs to; ray:ADDRESS: the cluster at that address. The result is the same as without --on, unless a target or a
    /// time limit ends the run. This needs the Python package of Nestling
    #[arg(long, value_name = "CLUSTER", value_parser = named, allow_hyphen_values = true)]
    pub on: Option<String>,
}

pub(crate) fn named(text: &str) -> Result<String, String> {
    match text.split_once(':') {
        _ if text == "ray" => Ok(text.to_owned()),
        Some(("ray", address)) if !address.is_empty() => Ok(text.to_owned()),
        _ => Err("ray, ray:auto or ray:ADDRESS".to_owned()),
    }
}

impl ClusterArgs {
    /// The workers of the cluster, if one is named.
    pub fn open(&self, device: Device) -> Result<Option<Mutex<Box<dyn Workers>>>> {
        self.on.as_ref().map(|name| open(name, device).map(Mutex::new)).transpose()
    }
}

/// The workers of a cluster.
pub(crate) fn open(name: &str, device: Device) -> Result<Box<dyn Workers>> {
    let open = CLUSTER.get().ok_or_else(|| {
            anyhow!(
                "--on {name}: this needs the Python package; `pip install 'nestling[ray]'`, then `python3 -m nestling` instead of `nestling`"
            )
        })?;
    open(name, device).map_err(|reason| anyhow!("--on {name}: {reason}"))
}
