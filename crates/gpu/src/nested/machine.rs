//! Nested searches on all GPUs of a machine, for the driver.

use nestling::{Accelerator, Problem, Round};
use nestling_morpion::{Board, Move};

use super::state::RunState;
use super::{Nested, Nesting};
use crate::device::{Device, GpuError};
use crate::engine::shares;
use crate::state::{Told, packed, unpacked};

/// Independent nested searches.
pub(crate) struct Nests {
    devices: Vec<Device>,
    board: Board,
    nesting: Nesting,
    parts: Vec<Nested>,
    told: Told,
}

impl Nests {
    pub fn new(devices: Vec<Device>, board: &Board, nesting: Nesting) -> Result<Self, GpuError> {
        // From the end of a game there is nothing to find by trying again.
        let searches = if is_end(board) { nesting.searches.min(1) } else { nesting.searches };
        let nesting = Nesting { searches, ..nesting };
        let room = devices.iter().map(Nested::room).sum::<Result<u32, _>>()?;
        let runs = u32::try_from(nesting.searches).map_or(room, |searches| searches.min(room));
        let mut new = Nests { devices, board: board.clone(), nesting, parts: Vec::new(), told: Told::default() };
        new.divide(runs)?;
        Ok(new)
    }

    /// Begins anew with so many runs.
    fn divide(&mut self, runs: u32) -> Result<(), GpuError> {
        self.parts.clear();
        self.nesting.runs = runs;
        let sizes = self.devices.iter().map(Nested::room).collect::<Result<Vec<_>, _>>()?;
        let parts = self.devices.iter().zip(shares(runs, &sizes)).filter(|(_, here)| !here.is_empty());
        self.parts = parts
            .map(|(device, here)| Nested::part(device, &self.board, self.nesting, here))
            .collect::<Result<_, _>>()?;
        Ok(())
    }

    fn advance(&mut self, left: u64) -> Result<Round<Move>, GpuError> {
        self.parts.iter_mut().try_for_each(|part| part.advance(left))?;
        let round = self.look()?;
        Ok(self.told.news(round))
    }

    /// What all devices have come to so far.
    fn look(&mut self) -> Result<Round<Move>, GpuError> {
        let (mut round, mut finished) = (Round { playouts: 0, moves: 0, best: None, finished: false }, 0);
        let mut best: &[Move] = &[];
        for part in &mut self.parts {
            let found = part.collect()?;
            round.playouts += found.playouts;
            round.moves += found.played;
            finished += found.searches;
            if found.best.len() > best.len() {
                best = &found.best;
            }
        }
        if !best.is_empty() || is_end(&self.board) {
            round.best = Some((self.board.score() + best.len() as f64, best.to_vec()));
        }
        round.finished = finished >= self.nesting.searches;
        Ok(round)
    }

    /// The longest game that a search ended with, where that need not be the best of all: with memory no search forgets its best game, and
    /// without a game all have left the board.
    fn other_result(&self) -> Result<Option<(f64, Vec<Move>)>, GpuError> {
        if self.nesting.memory {
            return Ok(None);
        }
        let mut result = Vec::new();
        for part in &self.parts {
            let other = part.result()?;
            if other.len() > result.len() {
                result = other;
            }
        }
        Ok((!result.is_empty()).then(|| (self.board.score() + result.len() as f64, result)))
    }

    fn saved(&mut self) -> Result<Vec<u8>, GpuError> {
        let mut runs = Vec::new();
        for part in &self.parts {
            runs.extend(part.save()?);
        }
        packed(&runs)
    }

    fn take_up(&mut self, state: &[u8]) -> Result<(), GpuError> {
        let mut runs: Vec<RunState> = unpacked(state)?;
        self.divide(runs.len() as u32)?;
        for part in &mut self.parts {
            let others = runs.split_off(part.here.len().min(runs.len()));
            part.restore(&runs)?;
            runs = others;
        }
        self.told = Told::of(&self.look()?);
        Ok(())
    }
}

fn is_end(board: &Board) -> bool {
    let mut legal = Vec::new();
    board.legal_moves(&mut legal);
    legal.is_empty()
}

impl Accelerator<Move> for Nests {
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
