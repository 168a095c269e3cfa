//! What makes a search.

use std::fmt;

use nestling::Search;
use serde::{Deserialize, Serialize};

/// What makes a search: the processor, or the GPUs. Their games differ, so it is part of what a run was asked to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Device {
    /// The processor.
    #[default]
    Cpu,
    /// All NVIDIA GPUs of the machine.
    Cuda,
}

impl Device {
    /// Whether this is the processor.
    pub fn is_cpu(&self) -> bool {
        *self == Device::Cpu
    }

    /// The search of GPUs when a person names none: as many at once as they hold, of a level that ends in minutes. The processor's
    /// depends on the problem and the budget.
    pub fn sensible_search(self) -> Option<Search> {
        (self == Device::Cuda).then(|| Search::nrpa(3).forever())
    }

    /// What has to be known beside search and seed to repeat a search, for the description of a game; nothing for the processor.
    ///
    /// ```
    /// use nestling_registry::Device;
    /// assert_eq!(Device::Cuda.remark().as_deref(), Some("searched with --device cuda"));
    /// assert_eq!(Device::Cpu.remark(), None);
    /// ```
    pub fn remark(self) -> Option<String> {
        (!self.is_cpu()).then(|| format!("searched with --device {self}"))
    }
}

/// As on the command line: `cpu` or `cuda`.
impl fmt::Display for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Device::Cpu => "cpu",
            Device::Cuda => "cuda",
        })
    }
}
