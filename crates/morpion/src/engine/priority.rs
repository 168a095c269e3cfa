//! Games by priorities, for `pool`: a game that follows a parent needs no list of its legal moves.
//!
//! First the moves of the parent that are still possible are played, one after the other. Then all lines are looked through for those that are
//! playable. From then on every line of the parent has a rank, and every rank a bit that is set when its line becomes playable. The lowest bit is the
//! next move, unless the line's byte tells that it has become impossible since: such a move never comes back. All other moves that become playable
//! wait, each with its random priority, and are looked at only when no bit is set.

use nestling::engine::{Priorities, PriorityPlayer};

use super::tables::{CELLS, LINES, Row, Tables};
use super::{GAME, InstructionSet, Instructions, Lines, Start, portable};
use crate::board::Board;
use crate::board::masks::{WORD, lone_bits};
use crate::geometry::Move;

/// The rank of a line that is none of the parent's: its bit is in a word that is never read.
const NO_RANK: u16 = GAME as u16;

/// How many words have a bit for every rank.
const WORDS: usize = GAME / 64;

/// Room for the other moves that wait.
const WAITING: usize = 512;

pub(super) struct Follower<'a> {
    board: &'a Board,
    tables: &'static Tables,
    start: Start<'a>,
    instructions: Instructions,
    lines: Lines,
    /// By the address of a line.
    ranks: [u16; LINES],
    /// The addresses of the lines that have a rank.
    ranked: [u16; GAME],
    ready: PlayableLines,
    waiting: Waiting,
    /// The game played last.
    game: [u32; GAME],
    length: usize,
}

/// The lines of the parent that have become playable: a bit for each rank. The last word is for lines without a rank.
struct PlayableLines {
    words: [u64; WORDS + 1],
    /// No bit is set below this word.
    lowest: usize,
}

impl PlayableLines {
    #[inline(always)]
    fn add(&mut self, rank: u16) {
        let rank = usize::from(rank).min(GAME);
        self.words[rank / 64] |= 1 << (rank % 64);
        self.lowest = self.lowest.min(rank / 64);
    }

    /// Takes the first.
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.lowest < WORDS {
            let word = &mut self.words[self.lowest];
            if *word != 0 {
                let rank = self.lowest * 64 + word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(rank);
            }
            self.lowest += 1;
        }
        None
    }
}

/// The other lines that have become playable. The first have their priorities; those that came since are asked for them when needed,
/// since most become impossible before.
struct Waiting {
    priorities: [u64; WAITING],
    lines: [u16; WAITING],
    with_priority: usize,
    len: usize,
}

impl Waiting {
    /// Takes the one of the highest priority, and forgets those that have become impossible.
    #[inline(always)]
    fn next(&mut self, bytes: &Lines, priority: impl Fn(u16) -> u64) -> Option<u16> {
        let (mut best, mut best_place, mut kept) = (0, 0, 0);
        let mut keep = |line: u16, priority: u64, places: &mut Self| {
            (places.priorities[kept % WAITING], places.lines[kept % WAITING]) = (priority, line);
            // No conditions that cannot be predicted.
            let playable = is_playable(bytes, line);
            let is_better = playable & (priority >= best);
            best = if is_better { priority } else { best };
            best_place = if is_better { kept } else { best_place };
            kept += usize::from(playable);
        };
        for place in 0..self.with_priority.min(WAITING) {
            keep(self.lines[place], self.priorities[place], self);
        }
        for place in self.with_priority..self.len.min(WAITING) {
            keep(self.lines[place], priority(self.lines[place]), self);
        }
        if kept == 0 {
            self.len = 0;
            self.with_priority = 0;
            return None;
        }
        let (line, last) = (self.lines[best_place % WAITING], (kept - 1) % WAITING);
        (self.priorities[best_place % WAITING], self.lines[best_place % WAITING]) =
            (self.priorities[last], self.lines[last]);
        self.len = last;
        self.with_priority = last;
        Some(line)
    }
}

/// Whether a line that was playable once still is.
#[inline(always)]
fn is_playable(bytes: &Lines, line: u16) -> bool {
    bytes[usize::from(line) % LINES].count_ones() == 1
}

impl<'a> Follower<'a> {
    pub fn new(board: &'a Board, instructions: Instructions) -> Option<Self> {
        let start = Start::of(board)?;
        Some(Follower {
            board,
            tables: Tables::of(board.variant()),
            start,
            instructions,
            lines: [0; LINES + 32],
            ranks: [NO_RANK; LINES],
            ranked: [0; GAME],
            ready: PlayableLines { words: [0; WORDS + 1], lowest: 0 },
            waiting: Waiting { priorities: [0; WAITING], lines: [0; WAITING], with_priority: 0, len: 0 },
            game: [0; GAME],
            length: 0,
        })
    }

    /// Plays a game; false if it outgrows its place here.
    #[inline(always)]
    pub fn play_by<K: InstructionSet>(&mut self, priorities: &Priorities<'_, Move>) -> bool {
        let parent = priorities.parent;
        if parent.len() > GAME {
            return false;
        }
        let inside = self.rank(parent);
        for &demoted in priorities.demoted {
            self.ranks[usize::from(self.ranked[demoted % GAME]) % LINES] = NO_RANK;
        }
        let fits = inside && self.follow::<K>(priorities);
        for &line in &self.ranked[..parent.len()] {
            self.ranks[usize::from(line) % LINES] = NO_RANK;
        }
        fits
    }

    /// Notes the ranks of the parent's lines; false if one of them is outside.
    #[inline(always)]
    fn rank(&mut self, parent: &[Move]) -> bool {
        let mut inside = true;
        for ((rank, &played), ranked) in parent.iter().enumerate().zip(&mut self.ranked) {
            let (line, is_inside) = self.board.address_within(played);
            inside &= is_inside;
            *ranked = line as u16;
            self.ranks[line % LINES] = rank as u16;
        }
        inside
    }

    #[inline(always)]
    fn follow<K: InstructionSet>(&mut self, priorities: &Priorities<'_, Move>) -> bool {
        let tables = self.tables;
        let priority = |line: u16| priorities.other(tables.codes[usize::from(line) % LINES].into());
        self.lines[..LINES].copy_from_slice(self.start.lines);
        self.ready = PlayableLines { words: [0; WORDS + 1], lowest: WORDS };
        (self.waiting.len, self.waiting.with_priority) = (0, 0);
        self.length = 0;
        if !self.repeat_parent::<K>(priorities.parent.len()) {
            return false;
        }
        self.find_playable();
        loop {
            let line = match self.ready.next() {
                Some(rank) => {
                    let line = self.ranked[rank % GAME];
                    if !is_playable(&self.lines, line) {
                        continue;
                    }
                    line
                }
                None => match self.waiting.next(&self.lines, priority) {
                    Some(line) => line,
                    None => return true,
                },
            };
            if !self.play_line::<K>(usize::from(line) % LINES) {
                return false;
            }
        }
    }

    /// Plays the moves of the parent that are still possible, in their order; false if the game outgrows its place here.
    ///
    /// Nothing else is played before they all are. Every dot of the parent is put by one of its moves, so a move that cannot be played
    /// when it is its turn waits for a dot that none of the others puts. So one look at each is enough, and until the last is played
    /// it does not matter what else is playable.
    #[inline(always)]
    fn repeat_parent<K: InstructionSet>(&mut self, length: usize) -> bool {
        let mut fits = true;
        for rank in 0..length.min(GAME) {
            let line = self.ranked[rank];
            if self.ranks[usize::from(line) % LINES] != NO_RANK && is_playable(&self.lines, line) {
                let (row, _) = self.put::<K>(usize::from(line) % LINES);
                fits &= row.has_room;
            }
        }
        fits
    }

    /// Notes all lines that are playable.
    #[inline(always)]
    fn find_playable(&mut self) {
        const CHUNK: usize = 4 * WORD;
        for begin in (0..LINES).step_by(CHUNK) {
            let mut words = [0; 4];
            for (word, bytes) in words.iter_mut().zip(self.lines[begin..begin + CHUNK].chunks_exact(WORD)) {
                *word = lone_bits(u64::from_le_bytes(bytes.try_into().expect("the length of a word")));
            }
            if words[0] | words[1] | words[2] | words[3] == 0 {
                continue;
            }
            for (word, place) in words.iter_mut().zip(0..) {
                while *word != 0 {
                    let line = begin + place * WORD + word.trailing_zeros() as usize / 8;
                    *word &= *word - 1;
                    self.become_playable(line % LINES);
                }
            }
        }
    }

    /// Draws a playable line and puts its dot: what is known of the dot's cell, and which lines of its words are playable now.
    #[inline(always)]
    fn put<K: InstructionSet>(&mut self, line: usize) -> (&'static Row, u32) {
        let tables = self.tables;
        let hole = self.lines[line].trailing_zeros() as i32;
        let dot = (i32::from(tables.starts[line]) + hole * tables.strides[line / CELLS]) as usize % CELLS;
        self.game[self.length % GAME] = line as u32 | (dot as u32) << 16;
        self.length += 1;
        let row = &tables.rows[dot];
        // Before the dot, so that the lines excluded by this one cannot become playable.
        K::block(&mut self.lines, line, tables.masks.blocked);
        (row, K::put(&mut self.lines, row.words, tables.masks.dot) & tables.touched)
    }

    /// Plays a line, and notes those that become playable; false if the game outgrows its place here.
    #[inline(always)]
    fn play_line<K: InstructionSet>(&mut self, line: usize) -> bool {
        if self.length == GAME {
            return false;
        }
        let (row, mut playable) = self.put::<K>(line);
        while playable != 0 {
            let bit = playable.trailing_zeros() as usize;
            playable &= playable - 1;
            self.become_playable((usize::from(row.words[bit / 8 % 4]) + bit % 8) % LINES);
        }
        row.has_room & (self.waiting.len < WAITING - 32)
    }

    /// Notes a line that has become playable.
    #[inline(always)]
    fn become_playable(&mut self, line: usize) {
        let rank = self.ranks[line];
        // Both are written, so that there is nothing to predict.
        self.ready.add(rank);
        self.waiting.lines[self.waiting.len % WAITING] = line as u16;
        self.waiting.len += usize::from(rank == NO_RANK);
    }
}

impl PriorityPlayer<Move> for Follower<'_> {
    fn play(&mut self, priorities: &Priorities<'_, Move>) -> Option<(f64, usize)> {
        let fits = match self.instructions {
            Instructions::Portable | Instructions::Simd128 => self.play_by::<portable::Portable>(priorities),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => super::avx2::follow(self, priorities),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        };
        fits.then(|| ((self.board.moves_played().len() + self.length) as f64, self.length))
    }

    fn moves(&self, into: &mut Vec<Move>) {
        into.extend(self.game[..self.length].iter().map(|&entry| self.tables.decode(entry)));
    }
}
