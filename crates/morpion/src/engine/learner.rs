//! NRPA's playouts: games drawn by a policy that has a place for every line of the window.

use nestling::Rng;
use nestling::engine::{Adapting, Codes, Exponential, INDEX_BITS, Learner, Recording, Span, Spans, Trace};

use super::tables::{CELLS, LINES, Tables};
use super::{
    Clockwork, GAME, InstructionSet, Instructions, LIST, MARGIN, NEVER, Policy, Position, Start, key, portable,
};
use crate::board::Board;
use crate::geometry::Move;

/// The index of a move fits into the bits of a clock that do not count.
const _: () = assert!(LIST == 1 << INDEX_BITS);

/// Room for the moves that become possible in a game.
const BORN: usize = 4096;

/// The most moves that one move can make possible, five in each direction, and some more.
const AT_ONCE: usize = 32;

/// The steps of a game and the numbers of its spans fit into a word, see `Player::packed`.
const _: () = assert!(GAME < 1 << 12 && BORN <= 1 << 16);

pub(super) struct LearnerGames<'a> {
    board: &'a Board,
    tables: &'static Tables,
    start: Start<'a>,
    position: Position,
    instructions: Instructions,
    /// The game played last: all moves that were ever possible, how many of them there were at every step, and the moves
    /// played.
    born: [u32; BORN],
    known: [u32; GAME],
    moves: [u32; GAME],
    length: usize,
    /// The moves of the game recorded last.
    recorded: Vec<u32>,
    /// While a game is written down: in which step a dot was put and a line excluded.
    dots: [u16; CELLS],
    lines: [u16; LINES],
    /// The same, by number of a move that was ever possible: the step in which it became possible.
    first_steps: [u16; BORN + AT_ONCE],
    /// The same: number << 16 | place of the first step in its block of four << 12 | the step after the last; then some unused ones.
    packed: Vec<u32>,
}

impl<'a> LearnerGames<'a> {
    pub fn new(board: &'a Board, instructions: Instructions) -> Option<Self> {
        let start = Start::of(board)?;
        let tables = Tables::of(board.variant());
        let mut born = [0; BORN];
        born[..start.len].copy_from_slice(start.entries());
        let (known, moves) = ([0; GAME], [0; GAME]);
        let (dots, lines) = ([u16::MAX; CELLS], [u16::MAX; LINES]);
        Some(LearnerGames {
            board,
            tables,
            start,
            position: Position::new(),
            instructions,
            born,
            known,
            moves,
            length: 0,
            recorded: Vec::new(),
            dots,
            lines,
            first_steps: [0; BORN + AT_ONCE],
            packed: Vec::new(),
        })
    }

    /// The weighted game; false if it outgrows its place.
    #[inline(always)]
    pub fn play_by<K: InstructionSet>(&mut self, policy: &Policy, rng: &mut Rng) -> bool {
        self.position.begin(&self.start);
        let exponential = Exponential::new();
        let list = &mut self.position.list;
        let mut rung = NEVER;
        for (index, (clock, &entry)) in list.clocks.iter_mut().zip(&list.entries[..list.len]).enumerate() {
            *clock = exponential.draw(rng) / policy[entry as usize % LINES];
            rung = rung.min(key(*clock, index));
        }
        let mut known = list.len;
        for length in 0..GAME {
            self.known[length] = known as u32;
            let list = &self.position.list;
            if list.len == 0 {
                self.length = length;
                return true;
            }
            let entry = list.entries[rung as usize % LIST];
            self.moves[length] = entry;
            let Some(born) = self.born.get_mut(known..).and_then(|rest| rest.first_chunk_mut()) else { return false };
            let clockwork = Clockwork { policy, exponential, rng, rung, born };
            let Some((count, next)) = self.position.play::<K>(self.tables, entry, Some(clockwork)) else {
                return false;
            };
            known += count;
            rung = next;
        }
        false
    }
}

impl LearnerGames<'_> {
    /// Writes the spans of the last game. A line excludes `EXCLUDED` lines around it; a move stays possible until its dot
    /// is put or its line is excluded.
    #[inline(always)]
    fn write_spans_with<const EXCLUDED: usize>(&mut self, spans: &mut impl Extend<Span>) {
        let moves = &self.moves[..self.length];
        let mark = |played: u32, step: u16, dots: &mut [u16; CELLS], lines: &mut [u16; LINES]| {
            dots[(played >> 16) as usize % CELLS] = step;
            let lowest = played as usize % LINES - EXCLUDED / 2;
            lines[lowest..lowest + EXCLUDED].copy_from_slice(&[step; EXCLUDED]);
        };
        // The first move that ends another counts.
        for (step, &played) in moves.iter().enumerate().rev() {
            mark(played, step as u16, &mut self.dots, &mut self.lines);
        }
        // More places are written than there are new moves, which takes less time than a loop whose length cannot be predicted.
        self.first_steps[..self.start.len].fill(0);
        for (step, &known) in (1..self.length as u16).zip(&self.known) {
            self.first_steps[known as usize..][..AT_ONCE].copy_from_slice(&[step; AT_ONCE]);
        }
        let born = self.length.checked_sub(1).map_or(0, |last| self.known[last] as usize);
        spans.extend(self.born[..born].iter().zip(&self.first_steps).map(|(&entry, &from)| {
            let line = entry as usize % LINES;
            let last = self.lines[line].min(self.dots[(entry >> 16) as usize % CELLS]);
            let played = u32::from(self.moves[usize::from(last) % GAME] == entry);
            Span { code: line as u32, from: u32::from(from), to: u32::from(last) + 1, played }
        }));
        for &played in moves {
            mark(played, u16::MAX, &mut self.dots, &mut self.lines);
        }
    }

    #[inline(always)]
    fn write_spans(&mut self, spans: &mut impl Extend<Span>) {
        match self.tables.masks.conflict_distance {
            2 => self.write_spans_with::<5>(spans),
            3 => self.write_spans_with::<7>(spans),
            _ => self.write_spans_with::<9>(spans),
        }
    }

    fn score(&self) -> f64 {
        (self.board.moves_played().len() + self.length) as f64
    }

    #[inline(always)]
    fn record_moves(&self, game: &mut Recording<'_, Move>) {
        game.moves(self.moves[..self.length].iter().map(|&played| self.tables.decode(played)));
    }

    /// Writes the last game down; `write_blocks` gets the packed spans, how many there are before every step, and the lists of the
    /// blocks to fill in.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only AVX2 has a faster way to write them"))]
    #[inline(always)]
    pub fn record_blocks(
        &mut self,
        mut game: Recording<'_, Move>,
        write_blocks: impl FnOnce(&[u32], &[u32], &mut Vec<u32>, &mut Vec<u32>),
    ) {
        self.record_moves(&mut game);
        game.end_with(self.score(), |Spans { spans, considered, ends }| {
            self.write_spans(spans);
            let pack = |(number, span): (u32, &Span)| number << 16 | (span.from % 4) << 12 | span.to;
            self.packed.clear();
            self.packed.extend((0..spans.len() as u32).zip(&*spans).map(pack));
            self.packed.extend([0; MARGIN]);
            write_blocks(&self.packed, &self.known[..self.length], considered, ends);
        });
    }
}

impl Learner<Move> for LearnerGames<'_> {
    /// The engine numbers the lines by their addresses.
    fn codes(&self) -> Vec<u64> {
        self.tables.lines.iter().map(|line| line.code()).collect()
    }

    fn play(&mut self, _: &Codes, policy: &[f64], rng: &mut Rng) -> Option<(f64, usize)> {
        let policy = policy.first_chunk()?;
        let fits = match self.instructions {
            Instructions::Portable | Instructions::Simd128 => self.play_by::<portable::Portable>(policy, rng),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => super::avx2::learn(self, policy, rng),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        };
        fits.then(|| (self.score(), self.length))
    }

    fn is_recorded(&self) -> bool {
        self.recorded == self.moves[..self.length]
    }

    fn record(&mut self, _: &mut Codes, mut game: Recording<'_, Move>) {
        self.recorded.clear();
        self.recorded.extend_from_slice(&self.moves[..self.length]);
        match self.instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => super::avx2::record(self, game),
            _ => {
                self.record_moves(&mut game);
                self.write_spans(&mut game);
                game.end(self.score());
            }
        }
    }

    fn adapt(&self, adapting: &mut Adapting, policy: &mut [f64], game: &Trace<Move>, alpha: f64) {
        match self.instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => super::avx2::adapt(adapting, policy, game, alpha),
            _ => adapting.adapt(policy, game, alpha),
        }
    }
}
