//! Independent runs of a search on all GPUs of a machine, for the driver.

use std::ops::Range;

use nestling::{Accelerator, Problem, Round};
use nestling_morpion::{Board, Move};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::device::{Device, GpuError};
use crate::tally::Progress;

/// What runs search.
pub(crate) trait Task: Copy + Send {
    /// How many searches the runs make together.
    fn searches(&self) -> u64;

    /// The same task for so many runs and searches.
    fn divided(self, runs: u32, searches: u64) -> Self;
}

/// The runs of a task on one device.
pub(crate) trait Part: Send + Sized {
    type Task: Task;
    type State: Serialize + DeserializeOwned;

    /// How many runs a device holds at once.
    fn room(device: &Device, task: &Self::Task) -> Result<u32, GpuError>;

    /// Prepares the runs of this device; others have the rest.
    fn new(device: &Device, board: &Board, task: Self::Task, here: Range<u32>) -> Result<Self, GpuError>;

    /// How many runs are on this device.
    fn runs(&self) -> usize;

    /// Searches on for about a tenth of a second; all devices together play no more than `left` games where they can stop so soon.
    fn search(&mut self, left: u64) -> Result<(), GpuError>;

    /// Waits for what is under way, and says what all of it has come to.
    fn progress(&mut self) -> Result<&Progress, GpuError>;

    /// The longest game that a search ended with, where that need not be the best of all.
    fn result(&self) -> Result<Option<Vec<Move>>, GpuError>;

    /// Where every run stands.
    fn save(&self) -> Result<Vec<Self::State>, GpuError>;

    /// Takes up what was saved, one state for each run of this device.
    fn restore(&mut self, runs: &[Self::State]) -> Result<(), GpuError>;
}

/// The runs of a task, divided among the devices.
pub(crate) struct Machine<P: Part> {
    devices: Vec<Device>,
    board: Board,
    task: P::Task,
    parts: Vec<P>,
    told: Told,
}

impl<P: Part> Machine<P> {
    pub fn new(devices: Vec<Device>, board: &Board, task: P::Task) -> Result<Self, GpuError> {
        // From the end of a game there is nothing to find by trying again.
        let searches = if is_end(board) { task.searches().min(1) } else { task.searches() };
        let room = devices.iter().map(|device| P::room(device, &task)).sum::<Result<u32, _>>()?;
        let runs = u32::try_from(searches).map_or(room, |searches| searches.min(room));
        let task = task.divided(runs, searches);
        let mut new = Machine { devices, board: board.clone(), task, parts: Vec::new(), told: Told::default() };
        new.divide(runs)?;
        Ok(new)
    }

    /// Begins anew with so many runs.
    fn divide(&mut self, runs: u32) -> Result<(), GpuError> {
        self.parts.clear();
        self.task = self.task.divided(runs, self.task.searches());
        let sizes = self.devices.iter().map(|device| P::room(device, &self.task)).collect::<Result<Vec<_>, _>>()?;
        let parts = self.devices.iter().zip(shares(runs, &sizes)).filter(|(_, here)| !here.is_empty());
        self.parts =
            parts.map(|(device, here)| P::new(device, &self.board, self.task, here)).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn advance(&mut self, left: u64) -> Result<Round<Move>, GpuError> {
        self.parts.iter_mut().try_for_each(|part| part.search(left))?;
        let round = self.look()?;
        Ok(self.told.news(round))
    }

    /// What all devices have come to so far.
    fn look(&mut self) -> Result<Round<Move>, GpuError> {
        let (mut round, mut finished) = (Round { playouts: 0, moves: 0, best: None, finished: false }, 0);
        let mut best: &[Move] = &[];
        for part in &mut self.parts {
            let progress = part.progress()?;
            round.playouts += progress.playouts;
            round.moves += progress.played;
            finished += progress.searches;
            if progress.best.len() > best.len() {
                best = &progress.best;
            }
        }
        if !best.is_empty() || is_end(&self.board) {
            round.best = Some((self.board.score() + best.len() as f64, best.to_vec()));
        }
        round.finished = finished >= self.task.searches();
        Ok(round)
    }

    fn other_result(&self) -> Result<Option<(f64, Vec<Move>)>, GpuError> {
        let mut longest = Vec::new();
        for part in &self.parts {
            let result = part.result()?.unwrap_or_default();
            if result.len() > longest.len() {
                longest = result;
            }
        }
        // Without any, all games have left the board.
        Ok((!longest.is_empty()).then(|| (self.board.score() + longest.len() as f64, longest)))
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
        self.told = Told::of(&self.look()?);
        Ok(())
    }
}

impl<P: Part> Accelerator<Move> for Machine<P> {
    fn round(&mut self, left: u64) -> Result<Round<Move>, String> {
        self.advance(left).map_err(|error| error.to_string())
    }

    fn result(&mut self) -> Result<Option<(f64, Vec<Move>)>, String> {
        self.other_result().map_err(|error| error.to_string())
    }

    fn save(&mut self) -> Result<Vec<u8>, String> {
        self.saved().map_err(|error| error.to_string())
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        self.take_up(state).map_err(|error| error.to_string())
    }
}

fn is_end(board: &Board) -> bool {
    let mut legal = Vec::new();
    board.legal_moves(&mut legal);
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

/// Playouts and moves that the driver has been told of.
#[derive(Default)]
struct Told {
    playouts: u64,
    moves: u64,
}

impl Told {
    /// All that the devices have come to.
    fn of(whole: &Round<Move>) -> Told {
        Told { playouts: whole.playouts, moves: whole.moves }
    }

    /// Of all that the devices have come to, what the driver has not been told yet.
    fn news(&mut self, whole: Round<Move>) -> Round<Move> {
        let before = std::mem::replace(self, Told::of(&whole));
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
        let mut told = Told::default();
        let whole = |playouts, moves| Round { playouts, moves, best: None, finished: false };
        let mut news = |playouts, moves| {
            let round = told.news(whole(playouts, moves));
            (round.playouts, round.moves)
        };
        assert_eq!([news(3, 40), news(3, 40), news(10, 90)], [(3, 40), (0, 0), (7, 50)]);
    }
}
