//! NRPA's playouts: games drawn by a policy that has a place for every line of the window.

use nestling::playout::draw;
use nestling::{Learner, Rng, Trace};

use super::tables::{LINES, Tables};
use super::{GAME, Instructions, Kernel, LIST, Position, portable};
use crate::board::Board;
use crate::geometry::Move;

pub(super) struct Player<'a> {
    board: &'a Board,
    tables: &'static Tables,
    start: Position,
    position: Position,
    instructions: Instructions,
}

impl<'a> Player<'a> {
    pub fn new(board: &'a Board, instructions: Instructions) -> Option<Self> {
        let start = Position::of(board)?;
        let tables = Tables::of(board.variant());
        Some(Player { board, tables, position: start.clone(), start, instructions })
    }

    /// The weighted game; false if it outgrows its place.
    #[inline(always)]
    pub fn play_by<K: Kernel>(&mut self, policy: &[f64; LINES], rng: &mut Rng, trace: &mut Trace<Move>) -> bool {
        self.position.clone_from(&self.start);
        let mut weights = [0.0; LIST];
        for _ in 0..GAME {
            let len = self.position.len.min(LIST);
            if len == 0 {
                return true;
            }
            let entries = &self.position.entries[..len];
            for (weight, &entry) in weights.iter_mut().zip(entries) {
                *weight = policy[entry as usize % LINES];
            }
            let chosen = draw(&mut weights[..len], rng);
            let entry = entries[chosen];
            trace.step(entries.iter().map(|entry| entry % LINES as u32), chosen, self.tables.decode(entry));
            if !self.position.play::<K>(self.tables, entry) {
                return false;
            }
        }
        false
    }
}

impl Learner<Move> for Player<'_> {
    /// The engine numbers the lines by their addresses.
    fn codes(&self) -> Vec<u64> {
        (0..LINES).map(|address| self.tables.line(address).code()).collect()
    }

    fn play(&mut self, policy: &[f64], rng: &mut Rng, trace: &mut Trace<Move>) -> bool {
        let Some(policy) = policy.first_chunk() else { return false };
        let before = self.board.moves_played().len();
        let fits = match self.instructions {
            Instructions::Portable => self.play_by::<portable::Portable>(policy, rng, trace),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => super::avx2::learn(self, policy, rng, trace),
            #[cfg(not(target_arch = "x86_64"))]
            Instructions::Avx2 => false,
        };
        trace.end((before + trace.len()) as f64);
        fits
    }
}
