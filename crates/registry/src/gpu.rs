//! The GPUs' part in a problem: which searches they make, and how one begins.

use nestling::engine::Accelerator;
use nestling::search::Files;
use nestling::{Problem, Search, Suggestion};

/// What GPUs can do for a problem. [`Registry::with_gpu`](crate::Registry::with_gpu) adds a problem together with one; where the problem
/// has [kernels](nestling_gpu::Kernels), [`Registry::with_kernels`](crate::Registry::with_kernels) makes it of those.
pub trait GpuSearches<P: Problem>: Send + Sync {
    /// The search to use when a person names none, and why.
    fn default_search(&self) -> Suggestion;

    /// Whether the GPUs of this machine can run a search; if not, a message with the reason.
    fn check(&self, search: &Search) -> Result<(), String>;

    /// Begins a search from a state, one that [`check`](GpuSearches::check) allows, with the files that it mentions.
    fn open(
        &self,
        state: &P,
        search: &Search,
        files: &Files<P::Move>,
        seed: u64,
    ) -> Result<Box<dyn Accelerator<P::Move>>, String>;
}

/// The searches of a problem's kernels.
#[cfg(feature = "gpu")]
pub(crate) struct KernelSearches;

#[cfg(feature = "gpu")]
impl<P: nestling_gpu::Kernels> GpuSearches<P> for KernelSearches {
    fn default_search(&self) -> Suggestion {
        P::default_gpu_search()
    }

    fn check(&self, search: &Search) -> Result<(), String> {
        nestling_gpu::check_support::<P>(search)?;
        nestling_gpu::available().map(drop).map_err(|missing| missing.to_string())
    }

    fn open(
        &self,
        state: &P,
        search: &Search,
        files: &Files<P::Move>,
        seed: u64,
    ) -> Result<Box<dyn Accelerator<P::Move>>, String> {
        nestling_gpu::open(state, search, files, seed).map_err(|error| error.to_string())
    }
}
