//! The traits that a problem implements to be searched on GPUs.

use nestling::engine::Accelerator;
use nestling::search::Files;
use nestling::{Problem, Search, Suggestion};

use crate::device::{Gpu, available};
use crate::error::GpuError;
use crate::program::Program;

/// A problem that has kernels: programs for GPUs that make whole searches.
///
/// The kernels are the problem's own, written in CUDA C++; what is common to all, from opening the devices to dividing the runs among
/// them, is in this crate. A search on GPUs is an [`Accelerator`]: implement that trait, or [`Part`](crate::Part) for searches
/// that are many independent runs, of which [`Machine`](crate::Machine) makes an accelerator. Every game that is found is verified by
/// [`Problem::certify`] on the processor.
///
/// ```
/// use nestling::engine::Accelerator;
/// use nestling::search::Files;
/// use nestling::{Problem, Search, Suggestion};
/// use nestling_gpu::{Gpu, GpuError, Kernels, Program};
///
/// /// Count the moves to the left on the way down a binary tree.
/// #[derive(Clone)]
/// struct LeftMove { depth: u32, lefts: u32 }
/// # impl Problem for LeftMove {
/// #     type Move = bool;
/// #     fn legal_moves(&self, moves: &mut Vec<bool>) { moves.clear(); if self.depth > 0 { moves.extend([true, false]) } }
/// #     fn play(&mut self, left: bool) { self.depth -= 1; self.lefts += u32::from(left); }
/// #     fn score(&self) -> f64 { self.lefts.into() }
/// # }
///
/// impl Kernels for LeftMove {
///     fn program(&self) -> Program {
///         Program::new(r#"extern "C" __global__ void playouts(unsigned *lefts) { /* … up to DEPTH moves … */ }"#)
///             .define("DEPTH", self.depth)
///             .kernel("playouts")
///     }
///
///     fn default_gpu_search() -> Suggestion {
///         Suggestion::new(Search::playout().forever(), "as many games at once as the GPU holds")
///     }
///
///     fn supports(search: &Search) -> Result<(), String> {
///         Err(format!("GPUs do not support {search}; the kernels of this problem are not finished"))
///     }
///
///     fn start(
///         &self,
///         _devices: Vec<Gpu>,
///         search: &Search,
///         _files: &Files<bool>,
///         _seed: u64,
///     ) -> Result<Box<dyn Accelerator<bool>>, GpuError> {
///         Err(GpuError::Search(search.to_string()))
///     }
/// }
///
/// let (problem, search) = (LeftMove { depth: 60, lefts: 0 }, "repeat(playout)".parse()?);
/// assert!(nestling_gpu::check_support::<LeftMove>(&search).unwrap_err().ends_with("not finished"));
/// assert!(matches!(nestling_gpu::open(&problem, &search, &Files::default(), 1), Err(GpuError::Search(_))));
/// # Ok::<(), nestling::ParseError>(())
/// ```
pub trait Kernels: Problem {
    /// The program that the devices are opened with for searches from this state. What differs between instances of the problem may
    /// be defined as a macro.
    fn program(&self) -> Program;

    /// The search to use when a person names none, and why: one that keeps a whole GPU busy.
    fn default_gpu_search() -> Suggestion;

    /// Whether the kernels can make a search. Needs no GPU.
    ///
    /// # Errors
    ///
    /// When they cannot: a message with the searches that they support.
    fn supports(search: &Search) -> Result<(), String>;

    /// Begins a search from this state, one that [`supports`](Kernels::supports) allows, on devices that have been opened with the
    /// [program](Kernels::program). The files are those that the search mentions.
    ///
    /// # Errors
    ///
    /// When a file is missing, the state does not fit the kernels, or the devices cannot be used.
    fn start(
        &self,
        devices: Vec<Gpu>,
        search: &Search,
        files: &Files<Self::Move>,
        seed: u64,
    ) -> Result<Box<dyn Accelerator<Self::Move>>, GpuError>;
}

/// Whether the kernels of a problem can make a search. Needs no GPU; whether there is one [`available`] says.
///
/// ```
/// use nestling_gpu::check_support;
/// use nestling_morpion::Board;
///
/// assert!(check_support::<Board>(&"repeat(nrpa(3, alpha=0.5))".parse()?).is_ok());
/// assert!(check_support::<Board>(&"repeat(nested(2, memory=off))".parse()?).is_ok());
/// assert!(check_support::<Board>(&"uct(1000)".parse()?).unwrap_err().starts_with("GPUs do not support uct(1000)"));
/// # Ok::<(), nestling::ParseError>(())
/// ```
///
/// # Errors
///
/// When they cannot: a message with the searches that they support.
pub fn check_support<K: Kernels>(search: &Search) -> Result<(), String> {
    K::supports(search)
}

/// Opens all GPUs for a search from a state, with the files that it mentions.
///
/// # Errors
///
/// When the search is none that [`check_support`] allows, a file is missing or too large, or the devices cannot be used.
pub fn open<K: Kernels>(
    problem: &K,
    search: &Search,
    files: &Files<K::Move>,
    seed: u64,
) -> Result<Box<dyn Accelerator<K::Move>>, GpuError> {
    K::supports(search).map_err(|_| GpuError::Search(search.to_string()))?;
    let (count, program) = (available()?, problem.program());
    let devices = (0..count).map(|number| Gpu::open(number, &program)).collect::<Result<_, _>>()?;
    problem.start(devices, search, files, seed)
}
