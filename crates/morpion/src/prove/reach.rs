//! Which moves a position might still lead to: an optimistic answer, and often a finite one.
//!
//! A move (a line and its dot) is *reachable* if every other cell of its line has a dot or can get one by a reachable move
//! that does not conflict with it. Two moves conflict if their lines overlap or their dots are the same. Every reachable move `a`
//! has a set `needs(a)` of moves that every game contains which plays `a`:
//!
//! ```text
//! needs(a) = {a} ∪ ⋃ over the other empty cells c of a's line: ⋂ over the moves b that fill c and fit: needs(b)
//! b fits a  ⇔  no move in needs(b) conflicts with a move that a is known to need
//! ```
//!
//! A move of which `needs` contains a conflict is not reachable. The sets only shrink while more moves become reachable, so
//! repeating until nothing changes ends; every move that any game can play is reachable in the end. Without these sets
//! nearly every position would reach infinitely far, because the conflicts between moves of the future would not count.

use super::grid::{Grid, LineId};

/// At most this many moves are followed: a set of them is a word, and the word with all bits set is reserved.
pub(super) const MOST: usize = 63;

/// The reachable moves of one position at a time.
pub(super) struct Reach {
    /// For every cell: the reachable moves that put a dot there.
    fillers: Vec<u64>,
    /// For every line: the reachable moves whose lines overlap it or are it.
    overlaps: Vec<u64>,
    /// For every line: its cells with a filler, as bits.
    filled: Vec<u8>,
    /// Cells with a filler; lines with an overlap.
    cells: Vec<u32>,
    lines: Vec<LineId>,
    /// The number of reachable moves, and for each of them: its line, what it needs, and what conflicts with it.
    count: usize,
    moves: [LineId; 64],
    needs: [u64; 64],
    conflicts: [u64; 64],
    /// Cells with new fillers, or with fillers that need less than before.
    queue: Vec<u32>,
    queued: Vec<bool>,
}

impl Reach {
    pub fn new(grid: &Grid) -> Self {
        Reach {
            fillers: vec![0; grid.cells()],
            overlaps: vec![0; grid.lines()],
            filled: vec![0; grid.lines()],
            cells: Vec::new(),
            lines: Vec::new(),
            count: 0,
            moves: [0; 64],
            needs: [0; 64],
            conflicts: [0; 64],
            queue: Vec::new(),
            queued: vec![false; grid.cells()],
        }
    }

    /// Finds the reachable moves. Returns whether these are all of them, rather than the first [`MOST`].
    pub fn explore(&mut self, grid: &Grid, legal: &[LineId]) -> bool {
        self.clear(grid);
        let mut is_finite = legal.iter().all(|&line| self.consider(grid, line));
        let mut next = 0;
        while is_finite && next < self.queue.len() {
            let cell = self.queue[next] as usize;
            next += 1;
            self.queued[cell] = false;
            is_finite = grid.through(cell).all(|line| self.consider(grid, line));
        }
        for &cell in &self.queue[next..] {
            self.queued[cell as usize] = false;
        }
        is_finite
    }

    fn clear(&mut self, grid: &Grid) {
        for cell in self.cells.drain(..) {
            self.fillers[cell as usize] = 0;
            grid.through(cell as usize).for_each(|line| self.filled[line as usize] = 0);
        }
        self.lines.drain(..).for_each(|line| self.overlaps[line as usize] = 0);
        self.count = 0;
        self.queue.clear();
    }

    /// The number of cells that might get a dot: no game continues for more moves. Only for finite answers.
    pub fn bound(&self) -> usize {
        self.cells.len()
    }

    /// Might a line that overlaps this one still be drawn? Only for finite answers, and for lines that are reachable.
    pub fn is_contested(&self, line: LineId) -> bool {
        self.overlaps[line as usize] & !self.of_line(line) != 0
    }

    /// How much a decision about a legal line settles: the product of the number of reachable moves that need it, which are lost
    /// if it is never drawn, and of those that need a move in conflict with it, which are lost if it is drawn.
    pub fn leverage(&self, line: LineId) -> usize {
        let own = self.of_line(line);
        if own == 0 {
            return 0;
        }
        let conflicts = self.conflicts[own.trailing_zeros() as usize];
        let count = |moves: u64| self.needs[..self.count].iter().filter(|needs| **needs & moves != 0).count();
        // The constants measured best of a few; they matter little.
        (count(own) + 8) * (count(conflicts) + 2)
    }

    /// The reachable moves that draw a line.
    fn of_line(&self, line: LineId) -> u64 {
        let own = bits(self.overlaps[line as usize]).filter(|&index| self.moves[index] == line);
        own.fold(0, |own, index| own | 1 << index)
    }

    /// Looks at the moves of a line again. False if there are too many moves.
    #[inline]
    fn consider(&mut self, grid: &Grid, line: LineId) -> bool {
        let holes = grid.holes(line);
        let mut unfilled = holes & !u32::from(self.filled[line as usize]);
        // Most lines end here.
        if unfilled & unfilled.wrapping_sub(1) != 0 || holes == 0 || !grid.is_open(line) {
            return true;
        }
        let overlaps = self.overlaps[line as usize];
        let (direction, start) = grid.parts(line);
        let stride = grid.stride(direction);
        let mut rest = holes & !unfilled;
        while rest != 0 {
            let place = rest.trailing_zeros();
            rest &= rest - 1;
            let fillers = self.fillers[(start + place as i32 * stride) as usize];
            unfilled |= u32::from(fillers & !overlaps == 0) << place;
        }
        // All cells but the new dot's must be filled by others.
        let mut candidates = match unfilled.count_ones() {
            0 => holes,
            1 => unfilled,
            _ => return true,
        };
        while candidates != 0 {
            let place = candidates.trailing_zeros();
            candidates &= candidates - 1;
            let dot = (start + place as i32 * stride) as usize;
            let known = self.find(line, dot);
            if known.is_some_and(|index| self.needs[index] == 1 << index) {
                continue;
            }
            if let Some(needs) = self.needs_of(line, dot, holes & !(1 << place), start, stride)
                && !self.record(grid, line, dot, known, needs)
            {
                return false;
            }
        }
        true
    }

    /// The moves that a move needs, without itself; nothing if they conflict.
    #[inline]
    fn needs_of(&self, line: LineId, dot: usize, others: u32, start: i32, stride: i32) -> Option<u64> {
        let mut needs = 0;
        let mut conflicts = self.overlaps[line as usize] | self.fillers[dot];
        let mut cells = others;
        while cells != 0 {
            let cell = (start + cells.trailing_zeros() as i32 * stride) as usize;
            cells &= cells - 1;
            let mut common = u64::MAX;
            for filler in bits(self.fillers[cell]) {
                let needed = self.needs[filler];
                common &= if needed & conflicts == 0 { needed } else { u64::MAX };
            }
            if common == u64::MAX {
                return None;
            }
            for new in bits(common & !needs) {
                conflicts |= self.conflicts[new];
            }
            needs |= common;
            if conflicts & needs != 0 {
                return None;
            }
        }
        Some(needs)
    }

    /// The number of a reachable move.
    #[inline]
    fn find(&self, line: LineId, dot: usize) -> Option<usize> {
        bits(self.fillers[dot] & self.overlaps[line as usize]).find(|&index| self.moves[index] == line)
    }

    /// Adds a move, or takes note that it needs less than it seemed to.
    fn record(&mut self, grid: &Grid, line: LineId, dot: usize, known: Option<usize>, needs: u64) -> bool {
        let Some(index) = known else { return self.add(grid, line, dot, needs) };
        let fewer = self.needs[index] & (needs | 1 << index);
        if fewer != self.needs[index] {
            self.needs[index] = fewer;
            self.enqueue(dot);
        }
        true
    }

    fn add(&mut self, grid: &Grid, line: LineId, dot: usize, needs: u64) -> bool {
        let index = self.count;
        if index == MOST || grid.is_near_edge(dot) {
            return false;
        }
        self.count += 1;
        let bit = 1 << index;
        let conflicts = self.overlaps[line as usize] | self.fillers[dot];
        self.moves[index] = line;
        self.needs[index] = needs | bit;
        self.conflicts[index] = conflicts;
        for other in bits(conflicts) {
            self.conflicts[other] |= bit;
        }
        if self.fillers[dot] == 0 {
            self.cells.push(dot as u32);
            for (through, place) in grid.through(dot).zip((0..grid.length).cycle()) {
                self.filled[through as usize] |= 1 << place;
            }
        }
        self.fillers[dot] |= bit;
        for near in grid.overlapping(line).chain([line]) {
            let overlaps = &mut self.overlaps[near as usize];
            if *overlaps == 0 {
                self.lines.push(near);
            }
            *overlaps |= bit;
        }
        self.enqueue(dot);
        true
    }

    fn enqueue(&mut self, cell: usize) {
        if !self.queued[cell] {
            self.queued[cell] = true;
            self.queue.push(cell as u32);
        }
    }
}

/// The numbers of the bits that are set.
#[inline(always)]
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then_some(set.trailing_zeros() as usize & 63);
        set &= set.wrapping_sub(1);
        first
    })
}
