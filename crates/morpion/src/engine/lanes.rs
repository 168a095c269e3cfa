//! Uniform playouts, two games at a time: while one waits for its memory and its multiplications, the other continues.

use std::cell::Cell;

use nestling::Rng;
use nestling::engine::Batch;

use super::slots::{Position, SlotInstructions, Slots, StartingMoves};
use super::tables::Tables;
use super::{GAME, Start, play_plainly};
use crate::board::Board;
use crate::geometry::Move;

/// How many games may be begun and not recorded. A game that ends early waits for those before it, while its lane continues with the
/// next one.
const OPEN: usize = 8;

/// Memory for two positions and the games that are open. Every thread keeps its own: clearing it would take longer than the few short
/// games that a lookahead near the end of a game asks for.
struct Scratch {
    positions: [Position; 2],
    moves: [[u32; GAME]; OPEN],
}

thread_local! {
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// Where all games of a batch start.
struct Origin<'a> {
    board: &'a Board,
    tables: &'a Tables,
    start: &'a Start<'a>,
    moves: &'a StartingMoves,
}

/// The player of one game.
struct Lane<'a> {
    position: &'a mut Position,
    now: Now,
    /// The number of the game in the batch.
    game: Option<usize>,
}

/// The part of a game that changes with every move and is kept in registers.
#[derive(Clone)]
struct Now {
    slots: Slots,
    rng: Rng,
    length: usize,
    fits: bool,
}

/// The games that are begun and not recorded, by their number modulo [`OPEN`].
struct Games<'a> {
    moves: &'a mut [[u32; GAME]; OPEN],
    ended: [Option<End>; OPEN],
}

#[derive(Clone, Copy)]
enum End {
    After(usize),
    /// The game has outgrown its place here.
    Outgrown,
}

/// Plays the games of a batch.
#[inline(always)]
pub(super) fn play_batch<K: SlotInstructions>(
    board: &Board,
    start: &Start<'_>,
    moves: &StartingMoves,
    batch: &mut Batch<'_, Move>,
) {
    let mut scratch = SCRATCH
        .take()
        .unwrap_or_else(|| Box::new(Scratch { positions: [const { Position::new() }; 2], moves: [[0; GAME]; OPEN] }));
    let Scratch { positions: [a, b], moves: open } = &mut *scratch;
    let tables = Tables::of(board.variant());
    let origin = Origin { board, tables, start, moves };
    let now = Now { slots: moves.slots, rng: batch.stream(0).rng(), length: 0, fits: true };
    let [mut first, mut second] = [a, b].map(|position| Lane { position, now: now.clone(), game: None });
    let mut games = Games { moves: open, ended: [None; OPEN] };
    let mut begun = 0;
    while !batch.is_over() {
        for lane in [&mut first, &mut second] {
            while lane.game.is_none() && begun < batch.len().min(batch.played() + OPEN) {
                lane.begin::<K>(&origin, batch, begun, &mut games);
                begun += 1;
            }
        }
        match (first.game, second.game) {
            (Some(a), Some(b)) => {
                let [moves_a, moves_b] = games.moves.get_disjoint_mut([a % OPEN, b % OPEN]).expect("different games");
                let (mut now_a, mut now_b) = (first.now.clone(), second.now.clone());
                loop {
                    let a_goes_on = first.position.step::<K>(tables, &mut now_a, moves_a);
                    let b_goes_on = second.position.step::<K>(tables, &mut now_b, moves_b);
                    if !(a_goes_on & b_goes_on) {
                        break;
                    }
                }
                (first.now, second.now) = (now_a, now_b);
            }
            (Some(game), None) => first.finish::<K>(tables, &mut games.moves[game % OPEN]),
            (None, Some(game)) => second.finish::<K>(tables, &mut games.moves[game % OPEN]),
            (None, None) => {}
        }
        for lane in [&mut first, &mut second] {
            lane.note_end(&mut games);
        }
        games.record(board, tables, start, batch);
    }
    SCRATCH.set(Some(scratch));
}

impl Lane<'_> {
    /// Begins a game, with its first move if it has one.
    #[inline(always)]
    fn begin<K: SlotInstructions>(
        &mut self,
        origin: &Origin<'_>,
        batch: &Batch<'_, Move>,
        game: usize,
        games: &mut Games<'_>,
    ) {
        let Origin { board, tables, start, moves } = *origin;
        let slots = self.position.begin(start, moves);
        self.now = Now { slots, rng: batch.stream(game).rng(), length: 0, fits: true };
        self.game = Some(game);
        if let Some(first) = batch.first_move(game) {
            let entry = board.entry(first);
            let now = &mut self.now;
            games.moves[game % OPEN][0] = entry;
            now.length = 1;
            now.fits = self.position.play::<K>(tables, &mut now.slots, entry as u16, (entry >> 16) as u16);
        }
        self.note_end(games);
    }

    /// Plays the game to its end.
    #[inline(always)]
    fn finish<K: SlotInstructions>(&mut self, tables: &Tables, moves: &mut [u32; GAME]) {
        let mut now = self.now.clone();
        while self.position.step::<K>(tables, &mut now, moves) {}
        self.now = now;
    }

    /// Lets go of the game if it has ended.
    fn note_end(&mut self, games: &mut Games<'_>) {
        let Some(game) = self.game else { return };
        let end = match &self.now {
            Now { fits: false, .. } => End::Outgrown,
            Now { slots: Slots { alive: 0, .. }, length, .. } => End::After(*length),
            _ => return,
        };
        games.ended[game % OPEN] = Some(end);
        self.game = None;
    }
}

impl Games<'_> {
    /// Records the games that have ended and whose turn it is.
    fn record(&mut self, board: &Board, tables: &Tables, start: &Start<'_>, batch: &mut Batch<'_, Move>) {
        while let Some(end) = self.ended[batch.played() % OPEN].filter(|_| !batch.is_over()) {
            let place = batch.played() % OPEN;
            self.ended[place] = None;
            match end {
                End::After(length) => tables.record(board, &self.moves[place][..length], batch),
                End::Outgrown => play_plainly(board, start, batch, 1),
            }
        }
    }
}

impl Position {
    /// Plays a random move; false if the game ends with it, or has outgrown its place.
    #[inline(always)]
    fn step<K: SlotInstructions>(&mut self, tables: &Tables, now: &mut Now, moves: &mut [u32; GAME]) -> bool {
        let alive = now.slots.alive;
        let index = now.rng.below(alive.count_ones() as usize);
        let (line, dot) = self.move_in(K::slot_number(alive, index));
        let Some(place) = moves.get_mut(now.length) else {
            now.fits = false;
            return false;
        };
        *place = u32::from(line) | u32::from(dot) << 16;
        now.length += 1;
        if !self.play::<K>(tables, &mut now.slots, line, dot) {
            now.fits = false;
            return false;
        }
        now.slots.alive != 0
    }
}
