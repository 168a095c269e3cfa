//! Thousands of NRPA searches on a GPU, a warp each.

mod state;

use std::ops::Range;

use cudarc::driver::{CudaSlice, PushKernelArg};
use nestling_morpion::{Board, Move};

use super::buffers::DeviceBuffers;
use super::layout::{CODES, LONGEST, SPAN_WORDS};
use super::{WARPS, score};
use crate::{DeviceTask, Gpu, GpuError, Kernel, Part, SearchTotals};
use state::{NrpaLevelState, NrpaRunState, SparsePolicy};

/// Level-1 searches of every run in a round: about a tenth of a second.
const ROUND: u64 = 5;

/// The settings of searches by NRPA.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NrpaSettings {
    /// The level, 1 or more.
    pub level: u32,
    /// Iterations of every level.
    pub iterations: u32,
    /// The step of the policy.
    pub alpha: f32,
    /// Playouts before each adapt of level 1, all by the same policy: 1 to 16.
    pub tries: u32,
    /// Iterations and steps of single levels, the lowest first, where they differ.
    pub schedule: Option<Schedule>,
    /// How many runs there are, on all devices; as many as the device holds if 0. Run r makes the searches r, r + runs, …
    pub runs: u32,
    /// How many searches the runs make together.
    pub searches: u64,
    /// The seed of the random games.
    pub seed: u64,
}

impl Default for NrpaSettings {
    fn default() -> Self {
        NrpaSettings {
            level: 3,
            iterations: 100,
            alpha: 1.0,
            tries: 1,
            schedule: None,
            runs: 0,
            searches: u64::MAX,
            seed: 1,
        }
    }
}

/// The settings of the levels, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Schedule {
    /// Iterations.
    pub iterations: [u32; 8],
    /// Steps of the policies.
    pub alpha: [f32; 8],
}

// SAFETY: it is plain numbers, laid out as the kernel's.
unsafe impl cudarc::driver::DeviceRepr for Schedule {}

impl NrpaSettings {
    fn schedule(&self) -> Schedule {
        self.schedule.unwrap_or(Schedule { iterations: [self.iterations; 8], alpha: [self.alpha; 8] })
    }
}

impl DeviceTask for NrpaSettings {
    fn searches(&self) -> u64 {
        self.searches
    }

    fn divided(self, runs: u32, searches: u64) -> Self {
        NrpaSettings { runs, searches, ..self }
    }
}

/// Independent NRPA searches, each of which begins anew when it has finished.
pub struct NrpaRuns {
    kernel: Kernel,
    settings: NrpaSettings,
    /// The runs of this device.
    here: Range<u32>,
    tally: DeviceBuffers,
    at: CudaSlice<u32>,
    policies: CudaSlice<f32>,
    best_length: CudaSlice<u32>,
    best: CudaSlice<u32>,
    current: CudaSlice<u32>,
    spans: CudaSlice<u32>,
}

impl NrpaRuns {
    /// Prepares searches from a position, all of them on this device.
    ///
    /// # Errors
    ///
    /// When it is too large, or the device has not enough memory, fails, or was opened with other kernels than those of the board's
    /// variant.
    pub fn new(device: &Gpu, board: &Board, settings: NrpaSettings) -> Result<Self, GpuError> {
        let runs = if settings.runs == 0 { NrpaRuns::room(device, &settings)? } else { settings.runs };
        NrpaRuns::part(device, board, NrpaSettings { runs, ..settings }, 0..runs)
    }

    /// Prepares the runs of this device; others have the rest.
    ///
    /// # Errors
    ///
    /// As for [`NrpaRuns::new`].
    pub fn part(device: &Gpu, board: &Board, settings: NrpaSettings, here: Range<u32>) -> Result<Self, GpuError> {
        let (runs, levels, tries) = (here.len(), settings.level as usize, settings.tries as usize);
        Ok(NrpaRuns {
            kernel: kernel(device, settings.tries)?,
            settings,
            here,
            tally: DeviceBuffers::new(device, board, runs)?,
            at: device.zeros(runs * levels)?,
            policies: device.zeros(runs * levels * CODES)?,
            best_length: device.zeros(runs * levels)?,
            best: device.zeros(runs * levels * LONGEST)?,
            current: device.zeros(runs * tries * LONGEST)?,
            spans: device.zeros(runs * (tries + 1) * SPAN_WORDS)?,
        })
    }

    /// The settings, with the number of unfinished runs.
    pub fn settings(&self) -> NrpaSettings {
        self.settings
    }

    /// Runs some level-1 searches of every run; does not wait for them. More at once waste less at the end of the call, where the
    /// device waits for the slowest run.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn advance(&mut self, searches: u32) -> Result<(), GpuError> {
        let NrpaSettings { level, runs, searches: wanted, seed, .. } = self.settings;
        // Policies hold base 2 logarithms.
        let mut schedule = self.settings.schedule();
        schedule.alpha.iter_mut().for_each(|alpha| *alpha *= std::f32::consts::LOG2_E);
        let here = self.here.len() as u32;
        let blocks = if self.settings.tries == 1 { here.div_ceil(WARPS) } else { here };
        let launched = self.kernel.launch(blocks);
        let tally = &mut self.tally;
        let mut launch = tally.device.stream().launch_builder(self.kernel.function());
        launch.arg(&tally.start_words).arg(&tally.start_moves).arg(&tally.start.count);
        launch.arg(&seed).arg(&here).arg(&self.here.start).arg(&runs).arg(&wanted);
        launch.arg(&level).arg(&schedule).arg(&searches);
        launch.arg(&mut self.at).arg(&mut tally.done).arg(&mut self.policies);
        launch.arg(&mut self.best_length).arg(&mut self.best).arg(&mut self.current).arg(&mut self.spans);
        launch.arg(&mut tally.record_length).arg(&mut tally.record).arg(&mut tally.playout);
        launch.arg(&mut tally.finished).arg(&mut tally.steps);
        launch.arg(&mut tally.off_board.count).arg(&mut tally.off_board.games);
        // SAFETY: the arguments are those of the kernel, and every array has the size that it counts on for so many runs.
        unsafe { launch.launch(launched) }?;
        Ok(())
    }

    /// Waits for the launches in progress, and returns the totals of all runs.
    ///
    /// # Errors
    ///
    /// When the device fails, or more games left its board than can be finished.
    pub fn collect(&mut self) -> Result<&SearchTotals<Move>, GpuError> {
        self.tally.collect(self.settings.seed, self.settings.runs)
    }

    /// The lengths of the best games of a level, by run; level 1 is the lowest.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn lengths(&self, level: usize) -> Result<Vec<u32>, GpuError> {
        let levels = self.settings.level as usize;
        Ok(self.tally.device.download(&self.best_length)?.into_iter().skip(level - 1).step_by(levels).collect())
    }

    /// How many searches have finished with as many moves, from 0 on.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn finished(&self) -> Result<Vec<u32>, GpuError> {
        self.tally.device.download(&self.tally.finished)
    }
}

/// The kernel: a warp for every run, or a block where there are several tries.
fn kernel(device: &Gpu, tries: u32) -> Result<Kernel, GpuError> {
    if tries == 1 { device.kernel("nrpa", WARPS) } else { device.kernel("nrpa_trying", tries) }
}

impl Part for NrpaRuns {
    type Problem = Board;
    type DeviceTask = NrpaSettings;
    type State = NrpaRunState;

    fn room(device: &Gpu, settings: &NrpaSettings) -> Result<u32, GpuError> {
        let blocks = kernel(device, settings.tries)?.blocks();
        Ok(if settings.tries == 1 { blocks * WARPS } else { blocks })
    }

    fn new(device: &Gpu, board: &Board, settings: NrpaSettings, here: Range<u32>) -> Result<Self, GpuError> {
        NrpaRuns::part(device, board, settings, here)
    }

    fn score(start: &Board, game: &[Move]) -> f64 {
        score(start, game)
    }

    fn runs(&self) -> usize {
        self.here.len()
    }

    fn search(&mut self, left: u64) -> Result<(), GpuError> {
        let NrpaSettings { runs, iterations, tries, .. } = self.settings;
        let one = u64::from(runs) * u64::from(iterations) * u64::from(tries);
        self.advance(left.div_ceil(one).clamp(1, ROUND) as u32)
    }

    fn progress(&mut self) -> Result<&SearchTotals<Move>, GpuError> {
        self.collect()
    }

    /// No search forgets its best game.
    fn result(&self) -> Result<Option<Vec<Move>>, GpuError> {
        Ok(None)
    }

    fn save(&self) -> Result<Vec<NrpaRunState>, GpuError> {
        let (device, levels) = (&self.tally.device, self.settings.level as usize);
        let (at, policies) = (device.download(&self.at)?, device.download(&self.policies)?);
        let best = self.tally.games(&self.best_length, &self.best)?;
        let level_state = |place: usize| {
            // A level that has not begun takes its policy from the one above.
            (at[place] > 0).then(|| NrpaLevelState {
                at: at[place],
                policy: SparsePolicy::pack(&policies[place * CODES..][..CODES]),
                best: best[place].clone(),
            })
        };
        let run_state = |(run, tally)| NrpaRunState {
            tally,
            levels: (run * levels..(run + 1) * levels).map(level_state).collect(),
        };
        Ok((0..).zip(self.tally.save()?).map(run_state).collect())
    }

    fn restore(&mut self, runs: &[NrpaRunState]) -> Result<(), GpuError> {
        let levels = self.settings.level as usize;
        let damaged = |what: &str| Err(GpuError::State(what.to_owned()));
        if runs.len() != self.here.len() || runs.iter().any(|run| run.levels.len() != levels) {
            return damaged("it belongs to another search");
        }
        if !runs.iter().all(NrpaRunState::is_sound) {
            return damaged("it contains an invalid game");
        }
        let states = || runs.iter().flat_map(|run| &run.levels);
        let mut policies = vec![0.0; runs.len() * levels * CODES];
        for (place, (level, policy)) in states().zip(policies.chunks_mut(CODES)).enumerate() {
            let most = self.settings.schedule().iterations[place % levels];
            if level.as_ref().is_some_and(|level| level.at >= most || !level.policy.unpack(policy)) {
                return damaged("it contains an invalid policy");
            }
        }
        let at: Vec<u32> = states().map(|level| level.as_ref().map_or(0, |level| level.at)).collect();
        let best = states().map(|level| level.as_ref().map_or(&[][..], |level| &level.best));
        (self.best_length, self.best) = self.tally.upload(best)?;
        (self.at, self.policies) = (self.tally.device.upload(&at)?, self.tally.device.upload(&policies)?);
        self.tally.restore(runs.iter().map(|run| &run.tally))
    }
}
