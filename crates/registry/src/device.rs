//! The device of a search.

use std::fmt;

use nestling::{Allowance, Suggestion};
use serde::{Deserialize, Serialize};

use crate::instance::Instance;

/// The device that runs a search: the processor, or the GPUs. Their games differ, so it is part of a run's description.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
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

    /// Whether this program supports the device; if not, a message with the reason.
    pub(crate) fn check(self) -> Result<(), String> {
        match self {
            Device::Cuda if cfg!(not(feature = "gpu")) => Err("this program was built without GPU support".to_owned()),
            _ => Ok(()),
        }
    }

    /// The default search, and the reason.
    pub fn suggestion(self, problem: &dyn Instance, allowance: Allowance) -> Suggestion {
        match self {
            Device::Cpu => problem.default_search(allowance),
            // Where GPUs have nothing for the problem, that is refused with the search.
            Device::Cuda => problem.gpu_default_search().unwrap_or_else(|| problem.default_search(allowance)),
        }
    }

    /// The facts that, beside search and seed, are needed to repeat a search, for the origin of a game; nothing for the processor.
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
