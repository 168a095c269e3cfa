//! Snakes and coils: `beam(w, by=outlook)`, the same beams as on the processor, a thread for every move of every state kept.
//!
//! The kernels expand the states, sort what comes after them, and make the states that are kept; what they count is whole numbers, and the
//! lots that decide between equals are those of the processor's streams. So a beam keeps the same states as the processor's, in the same order, and finds
//! the same games. The one playout of each depth is played by the processor.
//!
//! ```
//! use nestling_gpu::check_support;
//! use nestling_puzzles::Snake;
//!
//! assert!(check_support::<Snake>(&"repeat(beam(100000, by=outlook))".parse()?).is_ok());
//! assert!(check_support::<Snake>(&"nrpa(3)".parse()?).unwrap_err().starts_with("GPUs do not support nrpa(3)"));
//! # Ok::<(), nestling::ParseError>(())
//! ```

mod beams;
mod device;
#[cfg(test)]
mod emulated;
#[cfg(test)]
mod tests;

use nestling::engine::Accelerator;
use nestling::search::{self, Files, Repeat};
use nestling::{Search, Suggestion};
use nestling_puzzles::Snake;

use crate::{Gpu, GpuError, Kernels, Program};
use beams::{BeamTask, Beams};
use device::DeviceSteps;

/// The source to be compiled.
const SOURCE: &str = include_str!("kernels.cu");

/// The width when a person names no search.
const USUAL_WIDTH: u64 = 1_000_000;

/// The kernels for a dimension, and for snakes or coils.
pub fn program(snake: &Snake) -> Program {
    let program =
        definitions(snake).into_iter().fold(Program::new(SOURCE), |program, (name, value)| program.define(name, value));
    ["expand", "sort", "keep"].into_iter().fold(program, Program::kernel)
}

/// What the kernels need to know when they are compiled.
fn definitions(snake: &Snake) -> [(&'static str, u8); 2] {
    [("DIMENSIONS", snake.dimensions()), ("COIL", snake.is_coil().into())]
}

/// An expression as the kernels search it.
fn plan(search: &Search) -> Option<BeamTask> {
    let (searches, inner) = match search.is_of::<Repeat>() {
        // What is inside is then complete in itself.
        true => (Some(search.optional_integer("count").unwrap_or(u64::MAX)), search.core().inner()[0].clone()),
        false => (None, search.clone()),
    };
    if !inner.is_of::<search::Beam>() || inner.games.weights.is_some() {
        return None;
    }
    let width = u32::try_from(inner.integer("width")).ok()?;
    let policy = inner.games.policy.clone();
    // An option that the kernels do not know is refused, not ignored.
    let known = Search::beam(width.into()).by_outlook().played_by(inner.games.clone());
    let is_usual = policy.is_none_or(|name| name == beams::POLICY);
    (inner == known && is_usual).then_some(BeamTask { width, searches })
}

impl Kernels for Snake {
    fn program(&self) -> Program {
        program(self)
    }

    fn default_gpu_search() -> Suggestion {
        let reason = "the widest beams; on the processor wider beams went farther (not measured on a GPU)";
        Suggestion::new(Search::beam(USUAL_WIDTH).by_outlook().forever(), reason)
    }

    fn supports(search: &Search) -> Result<(), String> {
        plan(search).map(drop).ok_or_else(|| {
            format!("GPUs do not support {search}; they support beam(w, by=outlook), once or as repeat(search) or repeat(n, search)")
        })
    }

    /// Uses the first device only: a beam is one search.
    fn start(
        &self,
        devices: Vec<Gpu>,
        search: &Search,
        _: &Files<u8>,
        seed: u64,
    ) -> Result<Box<dyn Accelerator<u8>>, GpuError> {
        let task = plan(search).ok_or_else(|| GpuError::Search(search.to_string()))?;
        let device = devices.into_iter().next().ok_or(GpuError::NoDevice)?;
        let steps = DeviceSteps::new(device, self, task.width)?;
        Ok(Box::new(Beams::new(steps, self, task, seed)))
    }
}
