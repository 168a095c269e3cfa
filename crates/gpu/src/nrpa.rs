//! Thousands of NRPA searches on a GPU, a warp each.

use cudarc::driver::{CudaSlice, PushKernelArg};
use nestling_morpion::{Board, Move};

use crate::device::{Device, GpuError, Kernel, WARPS};
use crate::layout::{CODES, LONGEST, Start};

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The level, 1 or more.
    pub level: u32,
    /// Iterations of every level.
    pub iterations: u32,
    /// The step of the policy.
    pub alpha: f32,
    /// How many searches go on at once; as many as the device holds if 0.
    pub runs: u32,
    /// What the games are drawn from.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { level: 3, iterations: 100, alpha: 1.0, runs: 0, seed: 1 }
    }
}

/// Independent NRPA searches, each of which begins anew when it has finished.
pub struct Nrpa<'a> {
    device: &'a Device,
    kernel: Kernel,
    settings: Settings,
    start: Start,
    start_words: CudaSlice<u64>,
    start_moves: CudaSlice<u32>,
    at: CudaSlice<u32>,
    policies: CudaSlice<f32>,
    best_length: CudaSlice<u32>,
    best: CudaSlice<u32>,
    current: CudaSlice<u32>,
    record_length: CudaSlice<u32>,
    record: CudaSlice<u32>,
    playout: CudaSlice<u64>,
    finished: CudaSlice<u32>,
    steps: CudaSlice<u64>,
    beyond: CudaSlice<u32>,
}

impl<'a> Nrpa<'a> {
    /// Prepares searches from a position.
    ///
    /// # Errors
    ///
    /// When it is too large, or the device has not enough memory or fails.
    pub fn new(device: &'a Device, board: &Board, settings: Settings) -> Result<Self, GpuError> {
        let start = Start::new(board).ok_or(GpuError::TooLarge)?;
        let kernel = device.kernel("nrpa")?;
        let runs = if settings.runs == 0 { kernel.blocks * WARPS } else { settings.runs };
        let (runs_here, levels) = (runs as usize, settings.level as usize);
        Ok(Nrpa {
            device,
            settings: Settings { runs, ..settings },
            start_words: device.upload(&start.words)?,
            start_moves: device.upload(&start.moves)?,
            at: device.zeros(runs_here * levels)?,
            policies: device.zeros(runs_here * levels * CODES)?,
            best_length: device.zeros(runs_here * levels)?,
            best: device.zeros(runs_here * levels * LONGEST)?,
            current: device.zeros(runs_here * LONGEST)?,
            record_length: device.zeros(runs_here)?,
            record: device.zeros(runs_here * LONGEST)?,
            playout: device.zeros(runs_here)?,
            finished: device.zeros(LONGEST)?,
            steps: device.zeros(1)?,
            beyond: device.zeros(1)?,
            kernel,
            start,
        })
    }

    /// The settings, with the number of runs that go on.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Runs some level-1 searches of every run; does not wait for them. More at once waste less at the end of the call, where the
    /// device waits for the slowest run.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn advance(&mut self, searches: u32) -> Result<(), GpuError> {
        let Settings { level, iterations, alpha, runs, seed } = self.settings;
        let mut launch = self.device.stream.launch_builder(&self.kernel.function);
        launch.arg(&self.start_words).arg(&self.start_moves).arg(&self.start.count);
        launch.arg(&seed).arg(&runs).arg(&level).arg(&iterations);
        // Policies hold base 2 logarithms.
        let alpha = alpha * std::f32::consts::LOG2_E;
        launch
            .arg(&alpha)
            .arg(&searches)
            .arg(&mut self.at)
            .arg(&mut self.policies)
            .arg(&mut self.best_length)
            .arg(&mut self.best);
        launch.arg(&mut self.current).arg(&mut self.record_length).arg(&mut self.record).arg(&mut self.playout);
        launch.arg(&mut self.finished).arg(&mut self.steps).arg(&mut self.beyond);
        // SAFETY: the arguments are those of the kernel, and every array has the size that it counts on for so many runs.
        unsafe { launch.launch(Kernel::launch(runs.div_ceil(WARPS))) }?;
        Ok(())
    }

    /// The longest game so far; waits for what is under way.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn best(&self) -> Result<Vec<Move>, GpuError> {
        let lengths = self.device.download(&self.record_length)?;
        let (run, &length) =
            (0..).zip(&lengths).max_by_key(|&(run, length)| (length, std::cmp::Reverse(run))).expect("there are runs");
        let game = self.device.stream.clone_dtoh(&self.record.slice(run * LONGEST..run * LONGEST + length as usize))?;
        Ok(self.start.decode(&game))
    }

    /// How many searches have finished with as many moves, from 0 on.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn finished(&self) -> Result<Vec<u32>, GpuError> {
        self.device.download(&self.finished)
    }

    /// The moves played and adapted to so far, and the games that left the board.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn worked(&self) -> Result<(u64, u32), GpuError> {
        Ok((self.device.download(&self.steps)?[0], self.device.download(&self.beyond)?[0]))
    }
}
