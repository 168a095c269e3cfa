//! Playouts at full speed.
//!
//! The engine plays whole games on a compact copy of a [`Board`] whose window is the smallest: one byte per line as there,
//! and the legal moves in their order, each a line and a dot. Weighted games, and uniform ones in plain code, keep the moves in a list that
//! the kernel filters; uniform games with vectors keep them in slots (`slots`). Which instructions are used is chosen when the program runs;
//! all of them play the same games. A game that outgrows the window, or has too many moves, is played again by the board itself.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(any(target_arch = "x86_64", target_feature = "simd128"))]
mod lanes;
mod learner;
mod portable;
mod priority;
#[cfg(target_feature = "simd128")]
mod simd128;
#[cfg(any(target_arch = "x86_64", target_feature = "simd128"))]
mod slots;
mod tables;
pub(crate) mod weighted;

use nestling::Rng;
use nestling::engine::Batch;
use nestling::engine::{Exponential, Learner, PriorityPlayer};

use crate::board::Board;
use crate::board::masks::WORD;
use crate::geometry::Move;
use portable::Portable;
pub(crate) use tables::BITS;
use tables::{LINES, Tables};

/// Room for the list of moves; random games have up to about 41, learned ones more.
const LIST: usize = 128;
/// Room behind the list for the vectors that kernels write.
const MARGIN: usize = 16;
/// Room for the moves of a game; 485 is a proven bound.
const GAME: usize = 512;

/// A set of instructions that the engine can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// Those that every processor has.
    Portable,
    /// AVX2 and what comes with it, on x86-64.
    Avx2,
    /// The vectors of WebAssembly, for uniform games.
    Simd128,
}

impl Instructions {
    /// Those that this processor has, the fastest last.
    pub fn available() -> Vec<Instructions> {
        #[cfg(target_arch = "x86_64")]
        if avx2::is_available() {
            return vec![Instructions::Portable, Instructions::Avx2];
        }
        if cfg!(target_feature = "simd128") {
            return vec![Instructions::Portable, Instructions::Simd128];
        }
        vec![Instructions::Portable]
    }

    /// The fastest that this processor has.
    pub fn fastest() -> Instructions {
        Instructions::available().pop().unwrap_or(Instructions::Portable)
    }
}

/// The steps of a move that instruction sets do differently.
trait InstructionSet {
    /// Removes the moves with this dot, and those whose lines lie in `lowest..=lowest + span`; the rest keep their order,
    /// and `time` is subtracted from their clocks, if they have any. Returns how many are left, and the key of the clock that
    /// will ring first among them, at least [`NEVER`] if there is none.
    fn remove_conflicting(list: &mut List, time: Option<f64>, lowest: u32, span: u32, dot: u32) -> (usize, u64);

    /// Puts a dot at the ends of four words, and tells which lines have exactly one hole now: bit 8·direction + place in
    /// the word.
    fn put(lines: &mut Lines, words: [u16; 4], dot: u64) -> u32;

    /// Excludes the lines that conflict with a new one.
    fn block(lines: &mut Lines, line: usize, blocked: u128);
}

/// The key of a clock: its bits, which have the order of the times, with the index of its move in the place of the lowest.
#[inline(always)]
fn key(clock: f64, index: usize) -> u64 {
    clock.to_bits() & !(LIST as u64 - 1) | index as u64
}

/// Later than any clock.
const NEVER: u64 = f64::MAX.to_bits();

/// The legal moves.
struct List {
    /// line | dot << 16
    entries: [u32; LIST + MARGIN],
    /// In weighted playouts, when their clocks ring.
    clocks: [f64; LIST + MARGIN],
    len: usize,
}

/// The bytes of all lines, and room behind them for the words that kernels read.
type Lines = [u8; LINES + 32];

/// The policy of a weighted playout, by the address of a line.
type Policy = [f64; LINES];

/// The data for the clocks of a weighted playout.
struct Clockwork<'a> {
    policy: &'a Policy,
    exponential: Exponential,
    rng: &'a mut Rng,
    /// The key of the clock that has rung.
    rung: u64,
    /// Where the moves that become possible are noted.
    born: &'a mut [u32; 32],
}

/// Where games start: the lines of a board, and its moves in the engine's form.
struct Start<'a> {
    lines: &'a [u8; LINES],
    entries: [u32; LIST],
    len: usize,
}

impl<'a> Start<'a> {
    fn of(board: &'a Board) -> Option<Start<'a>> {
        let (lines, keys) = board.in_smallest_window()?;
        let mut start = Start { lines: lines.first_chunk()?, entries: [0; LIST], len: keys.len() };
        for (entry, key) in start.entries[..LIST - 32].iter_mut().zip(keys) {
            *entry = key.line | key.dot << 16;
        }
        (keys.len() <= LIST - 32).then_some(start)
    }

    /// The moves.
    fn entries(&self) -> &[u32] {
        &self.entries[..self.len]
    }
}

/// A position in the engine's form.
struct Position {
    lines: Lines,
    list: List,
}

impl Position {
    fn new() -> Position {
        let list = List { entries: [0; LIST + MARGIN], clocks: [0.0; LIST + MARGIN], len: 0 };
        Position { lines: [0; LINES + 32], list }
    }

    /// Goes to the start; clocks stay as they are.
    #[inline(always)]
    fn begin(&mut self, start: &Start<'_>) {
        self.lines[..LINES].copy_from_slice(start.lines);
        self.list.len = start.len;
        self.list.entries[..start.len].copy_from_slice(start.entries());
    }

    /// Plays a move. The answer is how many moves have become possible, or nothing if the game outgrows its place here. In
    /// a weighted playout the new moves get clocks, and are noted; the answer then has the key of the next clock to ring, too.
    #[inline(always)]
    fn play<K: InstructionSet>(
        &mut self,
        tables: &Tables,
        entry: u32,
        mut clockwork: Option<Clockwork<'_>>,
    ) -> Option<(usize, u64)> {
        let (line, dot) = (entry & 0xffff, (entry >> 16) as usize % tables::CELLS);
        let row = &tables.rows[dot];
        let distance = tables.masks.conflict_distance;
        // Before the dot, so that the lines excluded by this one cannot become playable.
        K::block(&mut self.lines, line as usize, tables.masks.blocked);
        let mut playable = K::put(&mut self.lines, row.words, tables.masks.dot) & tables.touched;
        let time = clockwork.as_ref().map(|clockwork| f64::from_bits(clockwork.rung & !(LIST as u64 - 1)));
        let (kept, mut first) = K::remove_conflicting(&mut self.list, time, line - distance, 2 * distance, dot as u32);
        let mut new = 0;
        while playable != 0 {
            let bit = playable.trailing_zeros() as usize;
            playable &= playable - 1;
            let address = (usize::from(row.words[bit / 8 % 4]) + bit % 8) % LINES;
            let hole = self.lines[address].trailing_zeros() as usize;
            let steps = (hole + bit % 8) as i32 - (WORD as i32 - 1);
            let cell = dot as i32 + steps * tables.strides[bit / 8 % 4];
            let entry = address as u32 | (cell as u32) << 16;
            self.list.entries[(kept + new) % LIST] = entry;
            if let Some(Clockwork { policy, exponential, rng, born, .. }) = &mut clockwork {
                let clock = exponential.draw(rng) / policy[address];
                self.list.clocks[(kept + new) % LIST] = clock;
                first = first.min(key(clock, (kept + new) % LIST));
                born[new % 32] = entry;
            }
            new += 1;
        }
        self.list.len = kept + new;
        ((kept + new <= LIST - 32) & row.has_room).then_some((new, first))
    }

    /// Plays the first move, if there is one, and then those that are chosen from the list, to the end; how many, or nothing if the game
    /// outgrows its place here.
    #[inline(always)]
    fn play_out<K: InstructionSet>(
        &mut self,
        tables: &Tables,
        first: Option<u32>,
        rng: &mut Rng,
        game: &mut [u32; GAME],
        mut choose: impl FnMut(&List, &mut Rng) -> usize,
    ) -> Option<usize> {
        let mut length = 0;
        let mut next = first;
        loop {
            let entry = match next.take() {
                Some(entry) => entry,
                None if self.list.len == 0 => return Some(length),
                None => self.list.entries[choose(&self.list, rng) % LIST],
            };
            *game.get_mut(length)? = entry;
            length += 1;
            self.play::<K>(tables, entry, None)?;
        }
    }
}

/// Plays a batch of uniform games from a board; false if the board is not for this engine.
#[cfg_attr(
    not(any(target_arch = "x86_64", target_feature = "simd128")),
    expect(unused_variables, reason = "there is only portable code")
)]
pub(crate) fn playouts(board: &Board, batch: &mut Batch<'_, Move>, instructions: Instructions) -> bool {
    let Some(start) = Start::of(board) else { return false };
    #[cfg(target_arch = "x86_64")]
    if instructions == Instructions::Avx2 && avx2::play_batch(board, &start, batch) {
        return true;
    }
    #[cfg(target_feature = "simd128")]
    if instructions == Instructions::Simd128 && simd128::play_batch(board, &start, batch) {
        return true;
    }
    play_plainly(board, &start, batch, usize::MAX);
    true
}

/// An engine for NRPA's games from a board, if the board is for this engine.
pub(crate) fn learner(board: &Board, instructions: Instructions) -> Option<Box<dyn Learner<Move> + '_>> {
    let player = learner::LearnerGames::new(board, instructions)?;
    Some(Box::new(player))
}

/// An engine for the games of `pool` from a board, if the board is for this engine.
pub(crate) fn priority_player(board: &Board, instructions: Instructions) -> Option<Box<dyn PriorityPlayer<Move> + '_>> {
    let follower = priority::Follower::new(board, instructions)?;
    Some(Box::new(follower))
}

/// Plays at most `count` games of a batch, one after the other, in plain code.
fn play_plainly(board: &Board, start: &Start<'_>, batch: &mut Batch<'_, Move>, count: usize) {
    let tables = Tables::of(board.variant());
    let mut position = Position::new();
    let mut game = [0; GAME];
    for _ in 0..count {
        if batch.is_over() {
            return;
        }
        position.begin(start);
        let first = batch.first_move(batch.played()).map(|first| board.entry(first));
        let mut rng = batch.stream(batch.played()).rng();
        let choose = |list: &List, rng: &mut Rng| rng.below(list.len);
        match position.play_out::<Portable>(tables, first, &mut rng, &mut game, choose) {
            Some(length) => tables.record(board, &game[..length], batch),
            None => board.play_one(batch),
        }
    }
}
