//! Thousands of NRPA searches on a GPU, a warp each.

use std::ops::Range;

use cudarc::driver::{CudaSlice, PushKernelArg};
use nestling_morpion::{Board, Move};

use crate::device::{Device, GpuError, Kernel, WARPS};
use crate::layout::{CODES, LONGEST, SPAN_WORDS, Start};
use crate::state::{LevelState, Policy, RunState};
use crate::strays::Strays;

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
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
    /// What the games are drawn from.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
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

/// What the levels do, the lowest first.
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

impl Settings {
    fn schedule(&self) -> Schedule {
        self.schedule.unwrap_or(Schedule { iterations: [self.iterations; 8], alpha: [self.alpha; 8] })
    }
}

/// What the searches have come to so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Games played to the end.
    pub playouts: u64,
    /// Moves played in them.
    pub played: u64,
    /// Moves of the games that policies were adapted to.
    pub adapted: u64,
    /// Searches that are finished.
    pub searches: u64,
    /// Games that left the GPU's board and were finished by the processor.
    pub beyond: u64,
    /// The longest game, of the first run that has one.
    pub best: Vec<Move>,
}

/// Independent NRPA searches, each of which begins anew when it has finished.
pub struct Nrpa {
    device: Device,
    kernel: Kernel,
    settings: Settings,
    /// The runs of this device.
    here: Range<u32>,
    start: Start,
    start_words: CudaSlice<u64>,
    start_moves: CudaSlice<u32>,
    at: CudaSlice<u32>,
    done: CudaSlice<u32>,
    policies: CudaSlice<f32>,
    best_length: CudaSlice<u32>,
    best: CudaSlice<u32>,
    current: CudaSlice<u32>,
    spans: CudaSlice<u32>,
    record_length: CudaSlice<u32>,
    record: CudaSlice<u32>,
    playout: CudaSlice<u64>,
    finished: CudaSlice<u32>,
    steps: CudaSlice<u64>,
    strays: Strays,
    progress: Progress,
}

impl Nrpa {
    /// Prepares searches from a position, all of them on this device.
    ///
    /// # Errors
    ///
    /// When it is too large, or the device has not enough memory or fails.
    pub fn new(device: &Device, board: &Board, settings: Settings) -> Result<Self, GpuError> {
        let runs = if settings.runs == 0 { device.searches(settings.tries)? } else { settings.runs };
        Nrpa::part(device, board, Settings { runs, ..settings }, 0..runs)
    }

    /// Prepares the runs of this device; others have the rest.
    ///
    /// # Errors
    ///
    /// As for [`Nrpa::new`].
    pub fn part(device: &Device, board: &Board, settings: Settings, here: Range<u32>) -> Result<Self, GpuError> {
        let start = Start::new(board).ok_or(GpuError::TooLarge)?;
        let (runs, levels) = (here.len(), settings.level as usize);
        Ok(Nrpa {
            kernel: device.nrpa(settings.tries)?,
            settings,
            here,
            start_words: device.upload(&start.words)?,
            start_moves: device.upload(&start.moves)?,
            at: device.zeros(runs * levels)?,
            done: device.zeros(runs)?,
            policies: device.zeros(runs * levels * CODES)?,
            best_length: device.zeros(runs * levels)?,
            best: device.zeros(runs * levels * LONGEST)?,
            current: device.zeros(runs * settings.tries as usize * LONGEST)?,
            spans: device.zeros(runs * (settings.tries as usize + 1) * SPAN_WORDS)?,
            record_length: device.zeros(runs)?,
            record: device.zeros(runs * LONGEST)?,
            playout: device.zeros(runs)?,
            finished: device.zeros(LONGEST)?,
            steps: device.zeros(2)?,
            strays: Strays::new(device, board)?,
            progress: Progress::default(),
            device: device.clone(),
            start,
        })
    }

    /// The settings, with the number of runs that go on.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// How many runs are on this device.
    pub(crate) fn runs(&self) -> usize {
        self.here.len()
    }

    /// Runs some level-1 searches of every run; does not wait for them. More at once waste less at the end of the call, where the
    /// device waits for the slowest run.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn advance(&mut self, searches: u32) -> Result<(), GpuError> {
        let Settings { level, runs, searches: wanted, seed, .. } = self.settings;
        // Policies hold base 2 logarithms.
        let mut schedule = self.settings.schedule();
        schedule.alpha.iter_mut().for_each(|alpha| *alpha *= std::f32::consts::LOG2_E);
        let here = self.here.len() as u32;
        let blocks = if self.settings.tries == 1 { here.div_ceil(WARPS) } else { here };
        let launched = self.kernel.launch(blocks);
        let mut launch = self.device.stream.launch_builder(&self.kernel.function);
        launch.arg(&self.start_words).arg(&self.start_moves).arg(&self.start.count);
        launch.arg(&seed).arg(&here).arg(&self.here.start).arg(&runs).arg(&wanted);
        launch.arg(&level).arg(&schedule).arg(&searches);
        launch.arg(&mut self.at).arg(&mut self.done).arg(&mut self.policies);
        launch.arg(&mut self.best_length).arg(&mut self.best).arg(&mut self.current).arg(&mut self.spans);
        launch.arg(&mut self.record_length).arg(&mut self.record).arg(&mut self.playout);
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
    pub fn collect(&mut self) -> Result<&Progress, GpuError> {
        let device = &self.device;
        let steps = device.download(&self.steps)?;
        let progress = &mut self.progress;
        (progress.played, progress.adapted) = (steps[0], steps[1]);
        progress.playouts = device.download(&self.playout)?.iter().sum();
        progress.searches = device.download(&self.done)?.iter().map(|&done| u64::from(done)).sum();
        let lengths = device.download(&self.record_length)?;
        let longest = (0..).zip(&lengths).max_by_key(|&(run, length)| (length, std::cmp::Reverse(run)));
        let (run, length) = longest.map_or((0, 0), |(run, &length)| (run, length as usize));
        if length > progress.best.len() {
            let game = device.stream.clone_dtoh(&self.record.slice(run * LONGEST..run * LONGEST + length))?;
            progress.best = self.start.decode(&game);
        }
        for game in self.strays.finish(device, &self.start, self.settings.seed, u64::from(self.settings.runs))? {
            progress.beyond += 1;
            if game.len() > progress.best.len() {
                progress.best = game;
            }
        }
        Ok(progress)
    }

    /// The lengths of the best games of a level, by run; level 1 is the lowest.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn lengths(&self, level: usize) -> Result<Vec<u32>, GpuError> {
        let levels = self.settings.level as usize;
        Ok(self.device.download(&self.best_length)?.into_iter().skip(level - 1).step_by(levels).collect())
    }

    /// How many searches have finished with as many moves, from 0 on.
    ///
    /// # Errors
    ///
    /// When the device fails.
    pub fn finished(&self) -> Result<Vec<u32>, GpuError> {
        self.device.download(&self.finished)
    }

    /// Where every run stands, between two launches.
    pub(crate) fn save(&self) -> Result<Vec<RunState>, GpuError> {
        let (device, levels) = (&self.device, self.settings.level as usize);
        let (at, done, playout) =
            (device.download(&self.at)?, device.download(&self.done)?, device.download(&self.playout)?);
        let (policies, lengths) = (device.download(&self.policies)?, device.download(&self.best_length)?);
        let (best, record_lengths) = (device.download(&self.best)?, device.download(&self.record_length)?);
        let record = device.download(&self.record)?;
        let level_state = |index: usize| {
            // A level that has not begun takes its policy from the one above.
            (at[index] > 0).then(|| LevelState {
                at: at[index],
                policy: Policy::pack(&policies[index * CODES..(index + 1) * CODES]),
                best: best[index * LONGEST..index * LONGEST + lengths[index] as usize].to_vec(),
            })
        };
        let run_state = |run: usize| RunState {
            done: done[run],
            playout: playout[run],
            record: record[run * LONGEST..run * LONGEST + record_lengths[run] as usize].to_vec(),
            levels: (run * levels..(run + 1) * levels).map(level_state).collect(),
        };
        Ok((0..self.here.len()).map(run_state).collect())
    }

    /// Takes up what was saved, one state for each run of this device.
    pub(crate) fn restore(&mut self, runs: &[RunState]) -> Result<(), GpuError> {
        let levels = self.settings.level as usize;
        let damaged = |what: &str| Err(GpuError::State(what.to_owned()));
        if runs.len() != self.here.len() || runs.iter().any(|run| run.levels.len() != levels) {
            return damaged("it is of another search");
        }
        let places = runs.len() * levels;
        let (mut at, mut lengths) = (vec![0; places], vec![0; places]);
        let (mut policies, mut best) = (vec![0.0; places * CODES], vec![0; places * LONGEST]);
        let (mut record_lengths, mut record) = (vec![0; runs.len()], vec![0; runs.len() * LONGEST]);
        let games = runs
            .iter()
            .flat_map(|run| run.levels.iter().flatten().map(|level| &level.best).chain(std::iter::once(&run.record)));
        for game in games {
            if game.len() >= LONGEST || game.iter().any(|&played| !Start::is_move(played)) {
                return damaged("a game in it is none");
            }
        }
        for (number, run) in runs.iter().enumerate() {
            record_lengths[number] = run.record.len() as u32;
            record[number * LONGEST..][..run.record.len()].copy_from_slice(&run.record);
            for (index, level) in (number * levels..).zip(&run.levels) {
                let Some(level) = level else { continue };
                if level.at >= self.settings.schedule().iterations[index % levels]
                    || !level.policy.unpack(&mut policies[index * CODES..][..CODES])
                {
                    return damaged("a policy in it is none");
                }
                (at[index], lengths[index]) = (level.at, level.best.len() as u32);
                best[index * LONGEST..][..level.best.len()].copy_from_slice(&level.best);
            }
        }
        let device = &self.device;
        (self.at, self.best_length) = (device.upload(&at)?, device.upload(&lengths)?);
        (self.policies, self.best) = (device.upload(&policies)?, device.upload(&best)?);
        (self.record_length, self.record) = (device.upload(&record_lengths)?, device.upload(&record)?);
        self.done = device.upload(&runs.iter().map(|run| run.done).collect::<Vec<_>>())?;
        self.playout = device.upload(&runs.iter().map(|run| run.playout).collect::<Vec<_>>())?;
        Ok(())
    }
}
