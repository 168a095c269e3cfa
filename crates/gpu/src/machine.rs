//! Independent runs of a search on all GPUs of a machine, for the driver.

use std::ops::Range;

use nestling::engine::{Accelerator, KeptGame, Round};
use nestling::{Problem, state_after};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::progress::SearchTotals;

/// The task of the runs of a [`Machine`].
pub trait DeviceTask: Copy + Send {
    /// How many searches the runs make together; `u64::MAX` for no end.
    fn searches(&self) -> u64;

    /// The same task for so many runs and searches.
    #[must_use]
    fn divided(self, runs: u32, searches: u64) -> Self;
}

/// The runs of a task on one device: run r of n makes the searches r, r + n, …, one after the other.
///
/// A launch does about a tenth of a second of every run's work, and leaves the state for the next launch in the device's memory.
pub trait Part: Send + Sized {
    /// The problem.
    type Problem: Problem;

    /// The settings of the search.
    type DeviceTask: DeviceTask;

    /// A run between two launches, as checkpoints have it.
    type State: Serialize + DeserializeOwned;

    /// How many runs a device holds at once.
    fn room(device: &Gpu, task: &Self::DeviceTask) -> Result<u32, GpuError>;

    /// Prepares the runs of this device; others have the rest.
    fn new(device: &Gpu, start: &Self::Problem, task: Self::DeviceTask, here: Range<u32>) -> Result<Self, GpuError>;

    /// The score of a game from the start. The default plays it, and so may panic where a kernel has found a game that is none; replace it
    /// where the score can be told from the moves, or the rules are slow.
    fn score(start: &Self::Problem, game: &[MoveOf<Self>]) -> f64 {
        state_after(start, game).score()
    }

    /// Lets every search begin with games of these, drawn at random. The default is for searches that do not begin with games.
    ///
    /// # Errors
    ///
    /// When the device fails, a game is too large for it, or games are given to a search that takes none.
    fn begin_with(&mut self, games: &[Vec<MoveOf<Self>>]) -> Result<(), GpuError> {
        if games.is_empty() { Ok(()) } else { Err(GpuError::Search("a beginning with known games".to_owned())) }
    }

    /// How many runs are on this device.
    fn runs(&self) -> usize;

    /// Searches on for about a tenth of a second; all devices together play no more than `left` games where they can stop so soon. Need
    /// not wait for the device.
    fn search(&mut self, left: u64) -> Result<(), GpuError>;

    /// Waits for the searches under way, and reports the progress of all since the beginning.
    fn progress(&mut self) -> Result<&SearchTotals<MoveOf<Self>>, GpuError>;

    /// The best game that a search ended with, where that need not be the best of all.
    fn result(&self) -> Result<Option<Vec<MoveOf<Self>>>, GpuError>;

    /// Games that reach a score: each once, except that a search's best game is listed even if another has found it too. The default returns none.
    fn finds(&mut self, _least: f64) -> Result<Vec<KeptGame<MoveOf<Self>>>, GpuError> {
        Ok(Vec::new())
    }

    /// The state of every run.
    fn save(&self) -> Result<Vec<Self::State>, GpuError>;

    /// Goes on from saved states, one for each run of this device; refuses those that are damaged or of another search.
    fn restore(&mut self, runs: &[Self::State]) -> Result<(), GpuError>;
}

/// A move of what a part searches.
pub type MoveOf<P> = <<P as Part>::Problem as Problem>::Move;

/// A game with its score.
type Scored<M> = (f64, Vec<M>);

/// The runs of a task, divided among the devices: an [`Accelerator`].
pub struct Machine<P: Part> {
    devices: Vec<Gpu>,
    start: P::Problem,
    task: P::DeviceTask,
    parts: Vec<P>,
    /// The games that searches begin with.
    games: Vec<Vec<MoveOf<P>>>,
    reported: Reported,
}

impl<P: Part> Machine<P> {
    /// Prepares as many runs as the devices hold, or as there are searches.
    ///
    /// # Errors
    ///
    /// When a device fails or refuses the start.
    pub fn new(devices: Vec<Gpu>, start: &P::Problem, task: P::DeviceTask) -> Result<Self, GpuError> {
        // From the end of a game repeating finds nothing new.
        let searches = if is_end(start) { task.searches().min(1) } else { task.searches() };
        let room = devices.iter().map(|device| P::room(device, &task)).sum::<Result<u32, _>>()?;
        let runs = u32::try_from(searches).map_or(room, |searches| searches.min(room));
        let task = task.divided(runs, searches);
        let mut new = Machine {
            devices,
            start: start.clone(),
            task,
            parts: Vec::new(),
            games: Vec::new(),
            reported: Reported::default(),
        };
        new.divide(runs)?;
        Ok(new)
    }

    /// Begins anew with so many runs.
    fn divide(&mut self, runs: u32) -> Result<(), GpuError> {
        self.parts.clear();
        self.task = self.task.divided(runs, self.task.searches());
        let sizes = self.devices.iter().map(|device| P::room(device, &self.task)).collect::<Result<Vec<_>, _>>()?;
        if sizes.iter().all(|&size| size == 0) {
            return Err(GpuError::Memory);
        }
        let parts = self.devices.iter().zip(shares(runs, &sizes)).filter(|(_, here)| !here.is_empty());
        self.parts =
            parts.map(|(device, here)| P::new(device, &self.start, self.task, here)).collect::<Result<_, _>>()?;
        self.parts.iter_mut().try_for_each(|part| part.begin_with(&self.games))
    }

    /// Lets every search begin with games of these, drawn at random.
    ///
    /// # Errors
    ///
    /// When a device fails, or a game is too large for it.
    pub fn beginning_with(mut self, games: Vec<Vec<MoveOf<P>>>) -> Result<Self, GpuError> {
        self.games = games;
        self.parts.iter_mut().try_for_each(|part| part.begin_with(&self.games))?;
        Ok(self)
    }

    fn advance(&mut self, left: u64) -> Result<Round<MoveOf<P>>, GpuError> {
        self.parts.iter_mut().try_for_each(|part| part.search(left))?;
        let round = self.look()?;
        Ok(self.reported.news(round))
    }

    /// The progress of all devices since the beginning.
    fn look(&mut self) -> Result<Round<MoveOf<P>>, GpuError> {
        let (mut round, mut finished) = (Round { playouts: 0, moves: 0, best: None, finished: false }, 0);
        for part in &mut self.parts {
            let progress = part.progress()?;
            round.playouts += progress.playouts;
            round.moves += progress.played;
            finished += progress.searches;
            take_better::<P>(&self.start, &mut round.best, &progress.best);
        }
        if round.best.is_none() && is_end(&self.start) {
            round.best = Some((self.start.score(), Vec::new()));
        }
        round.finished = finished >= self.task.searches();
        Ok(round)
    }

    fn other_result(&self) -> Result<Option<Scored<MoveOf<P>>>, GpuError> {
        // Without any, the kernels have handed all games to the processor.
        let mut best = None;
        for part in &self.parts {
            take_better::<P>(&self.start, &mut best, &part.result()?.unwrap_or_default());
        }
        Ok(best)
    }

    fn saved(&self) -> Result<Vec<u8>, GpuError> {
        let mut runs = Vec::new();
        for part in &self.parts {
            runs.extend(part.save()?);
        }
        postcard::to_stdvec(&runs).map_err(|error| GpuError::State(error.to_string()))
    }

    fn take_up(&mut self, state: &[u8]) -> Result<(), GpuError> {
        let mut runs: Vec<P::State> =
            postcard::from_bytes(state).map_err(|error| GpuError::State(error.to_string()))?;
        self.divide(runs.len() as u32)?;
        for part in &mut self.parts {
            let others = runs.split_off(part.runs().min(runs.len()));
            part.restore(&runs)?;
            runs = others;
        }
        self.reported = Reported::of(&self.look()?);
        Ok(())
    }
}

impl<P: Part> Accelerator<MoveOf<P>> for Machine<P> {
    fn round(&mut self, left: u64) -> Result<Round<MoveOf<P>>, String> {
        self.advance(left).map_err(|error| error.to_string())
    }

    fn result(&mut self) -> Result<Option<(f64, Vec<MoveOf<P>>)>, String> {
        self.other_result().map_err(|error| error.to_string())
    }

    fn finds(&mut self, least: f64) -> Result<Vec<KeptGame<MoveOf<P>>>, String> {
        let mut finds = Vec::new();
        for part in &mut self.parts {
            finds.extend(part.finds(least).map_err(|error| error.to_string())?);
        }
        Ok(finds)
    }

    fn save(&mut self) -> Result<Vec<u8>, String> {
        self.saved().map_err(|error| error.to_string())
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        self.take_up(state).map_err(|error| error.to_string())
    }
}

/// Replaces the best game by another that is better; an empty one is none.
fn take_better<P: Part>(start: &P::Problem, best: &mut Option<Scored<MoveOf<P>>>, game: &[MoveOf<P>]) {
    if game.is_empty() {
        return;
    }
    let score = P::score(start, game);
    if best.as_ref().is_none_or(|(known, _)| start.goal().better(score, *known)) {
        *best = Some((score, game.to_vec()));
    }
}

fn is_end<P: Problem>(state: &P) -> bool {
    let mut legal = Vec::new();
    state.legal_moves(&mut legal);
    legal.is_empty()
}

/// Divides some runs among devices, as their sizes are.
fn shares(runs: u32, sizes: &[u32]) -> Vec<Range<u32>> {
    let whole: u64 = sizes.iter().map(|&size| u64::from(size)).sum();
    let mut before = 0_u64;
    let mut ends = sizes.iter().map(|&size| {
        before += u64::from(size);
        (u64::from(runs) * before / whole) as u32
    });
    let mut first = 0;
    std::iter::from_fn(|| ends.next().map(|end| std::mem::replace(&mut first, end)..end)).collect()
}

/// Playouts and moves that were reported to the driver.
#[derive(Default)]
struct Reported {
    playouts: u64,
    moves: u64,
}

impl Reported {
    /// All that the devices have done.
    fn of<M>(whole: &Round<M>) -> Reported {
        Reported { playouts: whole.playouts, moves: whole.moves }
    }

    /// The part of all playouts and moves that was not reported to the driver yet.
    fn news<M>(&mut self, whole: Round<M>) -> Round<M> {
        let before = std::mem::replace(self, Reported::of(&whole));
        Round { playouts: whole.playouts - before.playouts, moves: whole.moves - before.moves, ..whole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_share_the_runs() {
        assert_eq!(shares(4224, &[4224]).first(), Some(&(0..4224)));
        assert_eq!(shares(10, &[4, 4, 2]), [0..4, 4..8, 8..10]);
        assert_eq!(shares(1, &[4, 4]), [0..0, 0..1]);
    }

    #[test]
    fn the_driver_is_told_everything_once() {
        let mut reported = Reported::default();
        let whole = |playouts, moves| Round::<u8> { playouts, moves, best: None, finished: false };
        let mut news = |playouts, moves| {
            let round = reported.news(whole(playouts, moves));
            (round.playouts, round.moves)
        };
        assert_eq!([news(3, 40), news(3, 40), news(10, 90)], [(3, 40), (0, 0), (7, 50)]);
    }
}
