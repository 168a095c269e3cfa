//! Thousands of nested Monte-Carlo searches on a GPU, a warp each.

mod machine;
mod state;
#[cfg(test)]
mod tests;

use std::ops::Range;

use cudarc::driver::{CudaSlice, DeviceRepr, PushKernelArg};
use nestling::Ties;
use nestling_morpion::{Board, Move};

use crate::device::{Device, GpuError, Kernel, WARPS};
use crate::layout::{LONGEST, SLOTS, Start, TRACKS};
use crate::strays::Strays;

pub(crate) use machine::Nests;
use state::{LevelState, RunState};

/// What every run does in a launch, in moves of playouts: about a tenth of a second.
const ENOUGH: u32 = 160_000;

/// More playouts than a launch can play.
const UNBOUNDED: u64 = 1 << 40;

/// Words of 64 bits of a position: tracks, legal moves, how many there are.
const POSITION: usize = TRACKS + SLOTS / 2 + 1;

/// What is searched.
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
    /// What the games are drawn from.
    pub seed: u64,
}

impl Default for Nesting {
    fn default() -> Self {
        Nesting { level: 2, memory: true, ties: Ties::First, runs: 0, searches: u64::MAX, seed: 1 }
    }
}

/// Where a level of a run stands, as the kernel has it.
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

/// How levels choose, as the kernel has it.
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

/// What the searches have come to so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Games played to the end.
    pub playouts: u64,
    /// Moves played in them, those that levels looked at not counted.
    pub played: u64,
    /// Searches that are finished.
    pub searches: u64,
    /// Games that left the GPU's board and were finished by the processor.
    pub beyond: u64,
    /// The longest game, of the first run that has one.
    pub best: Vec<Move>,
}

/// Independent nested searches, each of which begins anew when it has finished.
pub struct Nested {
    device: Device,
    kernel: Kernel,
    nesting: Nesting,
    /// The runs of this device.
    here: Range<u32>,
    start: Start,
    start_words: CudaSlice<u64>,
    start_moves: CudaSlice<u32>,
    positions: CudaSlice<u64>,
    levels: CudaSlice<Level>,
    best: CudaSlice<u32>,
    current: CudaSlice<u32>,
    done: CudaSlice<u32>,
    playout: CudaSlice<u64>,
    record_length: CudaSlice<u32>,
    record: CudaSlice<u32>,
    result_length: CudaSlice<u32>,
    result: CudaSlice<u32>,
    finished: CudaSlice<u32>,
    steps: CudaSlice<u64>,
    strays: Strays,
    found: Findings,
}

impl Nested {
    /// Prepares searches from a position, all of them on this device.
    ///
    /// # Errors
    ///
    /// When it is too large, or the device has not enough memory or fails.
    pub fn new(device: &Device, board: &Board, nesting: Nesting) -> Result<Self, GpuError> {
        let runs = if nesting.runs == 0 { Nested::room(device)? } else { nesting.runs };
        Nested::part(device, board, Nesting { runs, ..nesting }, 0..runs)
    }

    /// Prepares the runs of this device; others have the rest.
    ///
    /// # Errors
    ///
    /// As for [`Nested::new`].
    pub fn part(device: &Device, board: &Board, nesting: Nesting, here: Range<u32>) -> Result<Self, GpuError> {
        let start = Start::new(board).ok_or(GpuError::TooLarge)?;
        let (runs, places) = (here.len(), here.len() * nesting.level as usize);
        Ok(Nested {
            kernel: device.kernel("nested")?,
            nesting,
            here,
            start_words: device.upload(&start.words)?,
            start_moves: device.upload(&start.moves)?,
            positions: device.zeros(places * POSITION)?,
            levels: device.upload(&vec![IDLE; places])?,
            best: device.zeros(places * LONGEST)?,
            current: device.zeros(runs * LONGEST)?,
            done: device.zeros(runs)?,
            playout: device.zeros(runs)?,
            record_length: device.zeros(runs)?,
            record: device.zeros(runs * LONGEST)?,
            result_length: device.zeros(runs)?,
            result: device.zeros(runs * LONGEST)?,
            finished: device.zeros(LONGEST)?,
            steps: device.zeros(1)?,
            strays: Strays::new(device, board)?,
            found: Findings::default(),
            device: device.clone(),
            start,
        })
    }

    /// How many searches a device holds at once.
    fn room(device: &Device) -> Result<u32, GpuError> {
        Ok(device.kernel("nested")?.blocks * WARPS)
    }

    /// What is searched, with the number of runs that go on.
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
        let mut launch = self.device.stream.launch_builder(&self.kernel.function);
        launch.arg(&self.start_words).arg(&self.start_moves).arg(&self.start.count);
        launch.arg(&seed).arg(&here).arg(&self.here.start).arg(&runs).arg(&searches);
        launch.arg(&level).arg(&manner).arg(&playouts).arg(&ENOUGH);
        launch.arg(&mut self.positions).arg(&mut self.levels).arg(&mut self.best).arg(&mut self.current);
        launch.arg(&mut self.done).arg(&mut self.playout);
        launch.arg(&mut self.record_length).arg(&mut self.record);
        launch.arg(&mut self.result_length).arg(&mut self.result);
        launch.arg(&mut self.finished).arg(&mut self.steps);
        launch.arg(&mut self.strays.count).arg(&mut self.strays.games);
        // SAFETY: the arguments are those of the kernel, and every array has the size that it counts on for so many runs.
        unsafe { launch.launch(launched) }?;
        Ok(())
    }

    /// Waits for what is under way, and says what all of it has come to.
    ///
    /// # Errors
    ///
    /// When the device fails, or more games left its board than can be finished.
    pub fn collect(&mut self) -> Result<&Findings, GpuError> {
        self.found.played = self.device.download(&self.steps)?[0];
        self.found.playouts = self.device.download(&self.playout)?.iter().sum();
        self.found.searches = self.device.download(&self.done)?.iter().map(|&done| u64::from(done)).sum();
        let best = self.longest(&self.record_length, &self.record, self.found.best.len())?;
        if let Some(best) = best {
            self.found.best = best;
        }
        let runs = u64::from(self.nesting.runs);
        for game in self.strays.finish(&self.device, &self.start, self.nesting.seed, runs)? {
            self.found.beyond += 1;
            if game.len() > self.found.best.len() {
                self.found.best = game;
            }
        }
        Ok(&self.found)
    }

    /// The longest game that a search has ended with; without memory that need not be the best that it saw.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn result(&self) -> Result<Vec<Move>, GpuError> {
        Ok(self.longest(&self.result_length, &self.result, 0)?.unwrap_or_default())
    }

    /// How many searches have finished with as many moves, from 0 on.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn finished(&self) -> Result<Vec<u32>, GpuError> {
        self.device.download(&self.finished)
    }

    /// The longest of the games of all runs, if it is longer than this.
    fn longest(
        &self,
        lengths: &CudaSlice<u32>,
        games: &CudaSlice<u32>,
        known: usize,
    ) -> Result<Option<Vec<Move>>, GpuError> {
        let lengths = self.device.download(lengths)?;
        let Some((run, length)) = (0..).zip(lengths).max_by_key(|&(run, length)| (length, std::cmp::Reverse(run)))
        else {
            return Ok(None);
        };
        let (first, length): (usize, usize) = (run * LONGEST, length as usize);
        if length <= known {
            return Ok(None);
        }
        let game = self.device.stream.clone_dtoh(&games.slice(first..first + length))?;
        Ok(Some(self.start.decode(&game)))
    }

    /// Where every run stands, between two launches.
    fn save(&self) -> Result<Vec<RunState>, GpuError> {
        let (device, height) = (&self.device, self.nesting.level as usize);
        let (levels, best) = (device.download(&self.levels)?, device.download(&self.best)?);
        let (done, playout) = (device.download(&self.done)?, device.download(&self.playout)?);
        let (record_lengths, record) = (device.download(&self.record_length)?, device.download(&self.record)?);
        let (result_lengths, result) = (device.download(&self.result_length)?, device.download(&self.result)?);
        let game = |games: &[u32], place: usize, length: u32| games[place * LONGEST..][..length as usize].to_vec();
        let level_state = |place: usize| {
            let level = levels[place];
            (level != IDLE).then(|| LevelState {
                at: level.at,
                tied: level.tied,
                played: level.played,
                length: level.length,
                best: game(&best, place, level.length.max(level.played)),
            })
        };
        let run_state = |run: usize| RunState {
            done: done[run],
            playout: playout[run],
            record: game(&record, run, record_lengths[run]),
            result: game(&result, run, result_lengths[run]),
            levels: (run * height..(run + 1) * height).map(level_state).collect(),
        };
        Ok((0..self.here.len()).map(run_state).collect())
    }

    /// Takes up what was saved, one state for each run of this device.
    fn restore(&mut self, runs: &[RunState]) -> Result<(), GpuError> {
        let height = self.nesting.level as usize;
        if runs.len() != self.here.len() || runs.iter().any(|run| run.levels.len() != height) {
            return Err(GpuError::State("it is of another search".to_owned()));
        }
        if !runs.iter().all(RunState::is_sound) {
            return Err(GpuError::State("a game in it is none".to_owned()));
        }
        let levels: Vec<Level> = runs
            .iter()
            .flat_map(|run| &run.levels)
            .map(|level| {
                level.as_ref().map_or(IDLE, |&LevelState { at, tied, played, length, .. }| Level {
                    at,
                    tied,
                    played,
                    length,
                })
            })
            .collect();
        let best =
            runs.iter().flat_map(|run| &run.levels).map(|level| level.as_ref().map_or(&[][..], |level| &level.best));
        let device = &self.device;
        self.best = device.upload(&padded(best))?;
        self.levels = device.upload(&levels)?;
        self.record = device.upload(&padded(runs.iter().map(|run| &run.record[..])))?;
        self.result = device.upload(&padded(runs.iter().map(|run| &run.result[..])))?;
        self.record_length = device.upload(&each(runs, |run| run.record.len() as u32))?;
        self.result_length = device.upload(&each(runs, |run| run.result.len() as u32))?;
        self.done = device.upload(&each(runs, |run| run.done))?;
        self.playout = device.upload(&each(runs, |run| run.playout))?;
        Ok(())
    }
}

fn each<T>(runs: &[RunState], of: impl Fn(&RunState) -> T) -> Vec<T> {
    runs.iter().map(of).collect()
}

/// Games one after the other, each with the room of the longest.
fn padded<'a>(games: impl Iterator<Item = &'a [u32]>) -> Vec<u32> {
    let mut all = Vec::new();
    for game in games {
        let end = all.len() + LONGEST;
        all.extend_from_slice(game);
        all.resize(end, 0);
    }
    all
}
