//! The steps of a beam on a GPU.

use cudarc::driver::{CudaSlice, PushKernelArg};
use nestling_puzzles::Snake;

use super::beams::{Expanded, Steps};
use super::program;
use crate::{Gpu, GpuError, Kernel};

/// Warps in a block.
const WARPS: u32 = 4;

/// The states kept: a copy of them, and one that becomes the next.
pub(super) struct DeviceSteps {
    device: Gpu,
    expand: Kernel,
    sort: Kernel,
    keep: Kernel,
    dimensions: u32,
    width: u32,
    states: u32,
    blocked: CudaSlice<u64>,
    heads: CudaSlice<u32>,
    next_blocked: CudaSlice<u64>,
    next_heads: CudaSlice<u32>,
    /// Two words each.
    candidates: CudaSlice<u64>,
    kept: CudaSlice<u32>,
}

impl DeviceSteps {
    /// Room for so many states.
    pub fn new(device: Gpu, snake: &Snake, width: u32) -> Result<Self, GpuError> {
        if *device.program() != program(snake) {
            return Err(GpuError::OtherProgram);
        }
        let (states, dimensions) = (width as usize, usize::from(snake.dimensions()));
        let words = states * (1_usize << dimensions).div_ceil(64);
        Ok(DeviceSteps {
            expand: device.kernel("expand", WARPS)?,
            sort: device.kernel("sort", WARPS)?,
            keep: device.kernel("keep", WARPS)?,
            dimensions: dimensions as u32,
            width,
            states: 0,
            blocked: device.zeros(words)?,
            heads: device.zeros(states)?,
            next_blocked: device.zeros(words)?,
            next_heads: device.zeros(states)?,
            candidates: device.zeros(2 * states * dimensions)?,
            kept: device.zeros(states)?,
            device,
        })
    }
}

/// Enough blocks for so many threads.
fn blocks(threads: u32) -> u32 {
    threads.div_ceil(WARPS * 32)
}

impl Steps for DeviceSteps {
    fn begin(&mut self, blocked: &[u64], head: u16, used: u8) -> Result<(), GpuError> {
        let (stream, width) = (self.device.stream(), self.width as usize);
        for (word, place) in blocked.iter().zip((0..).step_by(width)) {
            stream.memcpy_htod(&[*word], &mut self.blocked.slice_mut(place..=place))?;
        }
        stream.memcpy_htod(&[u32::from(used) << 16 | u32::from(head)], &mut self.heads.slice_mut(0..1))?;
        self.states = 1;
        Ok(())
    }

    fn expand(&mut self, vertices: u32, seed: u64) -> Result<Expanded, GpuError> {
        let mut counts = self.device.upload(&[0, 0, u32::MAX])?;
        let mut launch = self.device.stream().launch_builder(self.expand.function());
        launch.arg(&self.blocked).arg(&self.heads).arg(&self.width).arg(&self.states).arg(&vertices).arg(&seed);
        launch.arg(&mut self.candidates).arg(&mut counts);
        // SAFETY: the arguments are those of the kernel; every state has a place in the arrays, and room for a candidate for each dimension.
        unsafe { launch.launch(self.expand.launch(blocks(self.states * self.dimensions))) }?;
        let counts = self.device.download(&counts)?;
        Ok(Expanded { candidates: counts[0], ends: counts[1], first_end: counts[2] })
    }

    fn sort(&mut self, candidates: u32, mask: u32) -> Result<(), GpuError> {
        let mut launch = self.device.stream().launch_builder(self.sort.function());
        launch.arg(&mut self.candidates).arg(&candidates).arg(&mask);
        // SAFETY: the arguments are those of the kernel, which touches no candidate beyond the last.
        unsafe { launch.launch(self.sort.launch(blocks(candidates))) }?;
        Ok(())
    }

    fn keep(&mut self, candidates: u32) -> Result<Vec<u32>, GpuError> {
        let count = candidates.min(self.width);
        let mut launch = self.device.stream().launch_builder(self.keep.function());
        launch.arg(&self.blocked).arg(&self.heads).arg(&mut self.next_blocked).arg(&mut self.next_heads);
        launch.arg(&self.width).arg(&self.candidates).arg(&count).arg(&mut self.kept);
        // SAFETY: the arguments are those of the kernel; no more states are made than there is room for.
        unsafe { launch.launch(self.keep.launch(blocks(count))) }?;
        std::mem::swap(&mut self.blocked, &mut self.next_blocked);
        std::mem::swap(&mut self.heads, &mut self.next_heads);
        self.states = count;
        Ok(self.device.stream().clone_dtoh(&self.kept.slice(0..count as usize))?)
    }
}
