//! Thousands of nested Monte-Carlo searches on a GPU, a warp each.

mod state;
#[cfg(test)]
mod tests;

use std::ops::Range;

use cudarc::driver::{CudaSlice, DeviceRepr, PushKernelArg};
use nestling::Ties;
use nestling_morpion::{Board, Move};

use super::buffers::DeviceBuffers;
use super::layout::{LONGEST, SLOTS, TRACKS};
use super::{WARPS, score};
use crate::{DeviceTask, Gpu, GpuError, Kernel, Part, SearchTotals};
use state::{NestedLevelState, NestedRunState};

/// The work of every run in a launch, in moves of playouts: about a tenth of a second.
const ENOUGH: u32 = 160_000;

/// More playouts than a launch can play.
const UNBOUNDED: u64 = 1 << 40;

/// Words of 64 bits of a position: tracks, legal moves, how many there are.
const POSITION: usize = TRACKS + SLOTS / 2 + 1;

/// The settings of nested searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nesting {
    /// The level, 1 or more.
    pub level: u32,
    /// Whether levels remember their best game from move to move.
    pub memory: bool,
    /// Which of equally good moves a level takes.
    pub ties: Ties,
    /// How many runs there are, on all devices; as many as the device holds if 0. Run r makes the searches r, r + runs, …
    pub runs: u32,
    /// How many searches the runs make together.
    pub searches: u64,
    /// The seed of the random games.
    pub seed: u64,
}

impl Default for Nesting {
    fn default() -> Self {
        Nesting { level: 2, memory: true, ties: Ties::First, runs: 0, searches: u64::MAX, seed: 1 }
    }
}

impl DeviceTask for Nesting {
    fn searches(&self) -> u64 {
        self.searches
    }

    fn divided(self, runs: u32, searches: u64) -> Self {
        Nesting { runs, searches, ..self }
    }
}

/// The state of a level of a run, in the kernel's layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
struct Level {
    at: u32,
    tied: u32,
    played: u32,
    length: u32,
}

/// A level that has not begun.
const IDLE: Level = Level { at: u32::MAX, tied: 0, played: 0, length: 0 };

/// How levels choose, in the kernel's layout.
#[derive(Clone, Copy)]
#[repr(C)]
struct Manner {
    memory: u32,
    ties: u32,
}

// SAFETY: both are plain numbers, laid out as the kernel's.
unsafe impl DeviceRepr for Level {}
// SAFETY: as above.
unsafe impl DeviceRepr for Manner {}

/// Independent nested searches, each of which begins anew when it has finished.
pub struct NestedRuns {
    kernel: Kernel,
    nesting: Nesting,
    /// The runs of this device.
    here: Range<u32>,
    tally: DeviceBuffers,
    positions: CudaSlice<u64>,
    levels: CudaSlice<Level>,
    best: CudaSlice<u32>,
    current: CudaSlice<u32>,
    result_length: CudaSlice<u32>,
    result: CudaSlice<u32>,
}

impl NestedRuns {
    /// Prepares searches from a position, all of them on this device.
    ///
    /// # Errors
    ///
    /// When it is too large, or the device has not enough memory, fails, or was opened with other kernels than those of the board's
    /// variant.
    pub fn new(device: &Gpu, board: &Board, nesting: Nesting) -> Result<Self, GpuError> {
        let runs = if nesting.runs == 0 { NestedRuns::room(device, &nesting)? } else { nesting.runs };
        NestedRuns::part(device, board, Nesting { runs, ..nesting }, 0..runs)
    }

    /// Prepares the runs of this device; others have the rest.
    ///
    /// # Errors
    ///
    /// As for [`NestedRuns::new`].
    pub fn part(device: &Gpu, board: &Board, nesting: Nesting, here: Range<u32>) -> Result<Self, GpuError> {
        let (runs, places) = (here.len(), here.len() * nesting.level as usize);
        Ok(NestedRuns {
            kernel: device.kernel("nested", WARPS)?,
            nesting,
            here,
            tally: DeviceBuffers::new(device, board, runs)?,
            positions: device.zeros(places * POSITION)?,
            levels: device.upload(&vec![IDLE; places])?,
            best: device.zeros(places * LONGEST)?,
            current: device.zeros(runs * LONGEST)?,
            result_length: device.zeros(runs)?,
            result: device.zeros(runs * LONGEST)?,
        })
    }

    /// The settings of the search, with the number of unfinished runs.
    pub fn nesting(&self) -> Nesting {
        self.nesting
    }

    /// Searches on for about a tenth of a second; does not wait for it. All runs together, those on other devices too, play at most
    /// `playouts` games, and exactly as many where time and searches are left.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn advance(&mut self, playouts: u64) -> Result<(), GpuError> {
        let Nesting { level, memory, ties, runs, searches, seed } = self.nesting;
        let ties = match ties {
            Ties::First => 0,
            Ties::Last => 1,
            Ties::Random => 2,
        };
        let manner = Manner { memory: memory.into(), ties };
        let (here, playouts) = (self.here.len() as u32, playouts.min(UNBOUNDED));
        let launched = self.kernel.launch(here.div_ceil(WARPS));
        let tally = &mut self.tally;
        let mut launch = tally.device.stream().launch_builder(self.kernel.function());
        launch.arg(&tally.start_words).arg(&tally.start_moves).arg(&tally.start.count);
        launch.arg(&seed).arg(&here).arg(&self.here.start).arg(&runs).arg(&searches);
        launch.arg(&level).arg(&manner).arg(&playouts).arg(&ENOUGH);
        launch.arg(&mut self.positions).arg(&mut self.levels).arg(&mut self.best).arg(&mut self.current);
        launch.arg(&mut tally.done).arg(&mut tally.playout);
        launch.arg(&mut tally.record_length).arg(&mut tally.record);
        launch.arg(&mut self.result_length).arg(&mut self.result);
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
        self.tally.collect(self.nesting.seed, self.nesting.runs)
    }

    /// The longest game that a search has ended with; without memory that need not be the best that it saw.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn result(&self) -> Result<Vec<Move>, GpuError> {
        Ok(self.tally.longest(&self.result_length, &self.result, 0)?.unwrap_or_default())
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

impl Part for NestedRuns {
    type Problem = Board;
    type DeviceTask = Nesting;
    type State = NestedRunState;

    fn room(device: &Gpu, _: &Nesting) -> Result<u32, GpuError> {
        Ok(device.kernel("nested", WARPS)?.blocks() * WARPS)
    }

    fn new(device: &Gpu, board: &Board, nesting: Nesting, here: Range<u32>) -> Result<Self, GpuError> {
        NestedRuns::part(device, board, nesting, here)
    }

    fn score(start: &Board, game: &[Move]) -> f64 {
        score(start, game)
    }

    fn runs(&self) -> usize {
        self.here.len()
    }

    fn search(&mut self, left: u64) -> Result<(), GpuError> {
        self.advance(left)
    }

    fn progress(&mut self) -> Result<&SearchTotals<Move>, GpuError> {
        self.collect()
    }

    /// With memory no search forgets its best game.
    fn result(&self) -> Result<Option<Vec<Move>>, GpuError> {
        if self.nesting.memory { Ok(None) } else { NestedRuns::result(self).map(Some) }
    }

    fn save(&self) -> Result<Vec<NestedRunState>, GpuError> {
        let (device, height) = (&self.tally.device, self.nesting.level as usize);
        let (levels, best) = (device.download(&self.levels)?, device.download(&self.best)?);
        let level_state = |place: usize| {
            let level = levels[place];
            (level != IDLE).then(|| NestedLevelState {
                at: level.at,
                tied: level.tied,
                played: level.played,
                length: level.length,
                best: best[place * LONGEST..][..level.length.max(level.played) as usize].to_vec(),
            })
        };
        let results = self.tally.games(&self.result_length, &self.result)?;
        let run_state = |(run, (tally, result))| NestedRunState {
            tally,
            result,
            levels: (run * height..(run + 1) * height).map(level_state).collect(),
        };
        Ok((0..).zip(self.tally.save()?.into_iter().zip(results)).map(run_state).collect())
    }

    fn restore(&mut self, runs: &[NestedRunState]) -> Result<(), GpuError> {
        let height = self.nesting.level as usize;
        if runs.len() != self.here.len() || runs.iter().any(|run| run.levels.len() != height) {
            return Err(GpuError::State("it belongs to another search".to_owned()));
        }
        if !runs.iter().all(NestedRunState::is_sound) {
            return Err(GpuError::State("it contains an invalid game".to_owned()));
        }
        let states = || runs.iter().flat_map(|run| &run.levels);
        let level =
            |&NestedLevelState { at, tied, played, length, .. }: &NestedLevelState| Level { at, tied, played, length };
        let levels: Vec<Level> = states().map(|state| state.as_ref().map_or(IDLE, level)).collect();
        self.levels = self.tally.device.upload(&levels)?;
        (_, self.best) =
            self.tally.upload(states().map(|state| state.as_ref().map_or(&[][..], |level| &level.best)))?;
        (self.result_length, self.result) = self.tally.upload(runs.iter().map(|run| &run.result[..]))?;
        self.tally.restore(runs.iter().map(|run| &run.tally))
    }
}
