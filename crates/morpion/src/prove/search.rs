//! The search for a longer continuation: a legal line is drawn now, or never.
//!
//! That is complete: if a continuation draws a line that is legal now, it may draw it first, for nothing before it was in
//! its way. Two rules keep the tree small:
//!
//! - **Bound.** If the reachable moves ([`Reach`]) fill fewer cells than moves are wanted, there is no such continuation.
//! - **Free move.** If no line that could still be drawn overlaps a legal line, the line is drawn without an alternative: in a
//!   continuation without it, it replaces the move that puts the same dot, or is added if there is none. Neither makes the
//!   continuation shorter.

use super::grid::{Grid, LineId};
use super::reach::Reach;

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// The caller wanted it to stop.
    Stopped,
    /// A dot came too close to the edge of the window.
    Edge,
}

pub(super) struct ProofSearch<'a> {
    grid: Grid,
    reach: Reach,
    /// The moves played in the search: lines and their dots.
    pub played: Vec<(LineId, usize)>,
    /// Called for every position; returns whether to continue.
    watch: &'a mut dyn FnMut() -> bool,
}

impl<'a> ProofSearch<'a> {
    pub fn new(grid: Grid, watch: &'a mut dyn FnMut() -> bool) -> Self {
        ProofSearch { reach: Reach::new(&grid), grid, played: Vec::new(), watch }
    }

    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Is there a continuation of at least `wanted` moves that never draws the line `never`? If so, it is left in `played`.
    pub fn find(&mut self, never: Option<LineId>, wanted: usize) -> Result<bool, Halt> {
        if let Some(line) = never {
            self.grid.forbid(line);
        }
        let legal = self.grid.legal();
        self.descend(&legal, wanted)
    }

    fn descend(&mut self, legal: &[LineId], wanted: usize) -> Result<bool, Halt> {
        if wanted == 0 {
            return Ok(true);
        }
        if !(self.watch)() {
            return Err(Halt::Stopped);
        }
        let is_finite = self.reach.explore(&self.grid, legal);
        if is_finite && self.reach.bound() < wanted {
            return Ok(false);
        }
        let (line, is_free) = self.choose(legal, is_finite);
        if self.draw(line, legal, wanted)? {
            return Ok(true);
        }
        if is_free {
            return Ok(false);
        }
        let others: Vec<LineId> = legal.iter().copied().filter(|&other| other != line).collect();
        self.grid.forbid(line);
        let found = self.descend(&others, wanted);
        self.grid.allow(line);
        found
    }

    /// Continues with a line. What is found stays in `played`.
    fn draw(&mut self, line: LineId, legal: &[LineId], wanted: usize) -> Result<bool, Halt> {
        let dot = self.grid.dot(line);
        if self.grid.is_near_edge(dot) {
            return Err(Halt::Edge);
        }
        self.grid.play(line, dot);
        let mut next: Vec<LineId> = legal.iter().copied().filter(|&other| self.grid.is_legal(other)).collect();
        next.extend(self.grid.through(dot).filter(|&other| self.grid.is_legal(other)));
        self.played.push((line, dot));
        let found = self.descend(&next, wanted - 1);
        self.grid.take_back(line, dot);
        if found != Ok(true) {
            self.played.pop();
        }
        found
    }

    /// A free move, or else the one that settles most.
    fn choose(&self, legal: &[LineId], is_finite: bool) -> (LineId, bool) {
        let is_free = |line: &&LineId| match is_finite {
            true => !self.reach.is_contested(**line),
            false => !self.grid.overlapping(**line).any(|other| self.is_conceivable(other)),
        };
        if let Some(&free) = legal.iter().find(is_free) {
            return (free, true);
        }
        let best = legal.iter().max_by_key(|&&line| self.reach.leverage(line));
        (*best.expect("without legal moves nothing is reachable, which is less than wanted"), false)
    }

    /// Could the line be drawn some day, at a glance? For every empty cell but one there must be another line that could fill it.
    fn is_conceivable(&self, line: LineId) -> bool {
        let grid = &self.grid;
        if !grid.is_open(line) {
            return false;
        }
        let (mut holes, mut lost) = (grid.holes(line), 0);
        if holes == 0 {
            return false;
        }
        let (direction, _) = grid.parts(line);
        while holes != 0 {
            let cell = grid.cell(line, holes.trailing_zeros() as i32);
            holes &= holes - 1;
            let span = (grid.conflict_distance * grid.stride(direction)).unsigned_abs();
            let fills = |other: LineId| {
                let overlaps = grid.parts(other).0 == direction && other.abs_diff(line) <= span;
                !overlaps && grid.is_open(other)
            };
            lost += u32::from(!grid.through(cell).any(fills));
        }
        lost <= 1
    }
}
