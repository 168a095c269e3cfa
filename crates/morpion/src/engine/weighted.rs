//! Playouts by given weights: a move is drawn in proportion to the exponential of its line's weight.

use nestling::engine::{Batch, play_batch};
use nestling::{Rng, Weights};

use super::tables::{LINES, Tables};
use super::{GAME, InstructionSet, Instructions, LIST, List, Position, Start, portable};
use crate::board::Board;
use crate::geometry::Move;

/// Plays a batch of games by weights; false if the board is not for this engine.
pub(crate) fn playouts(
    board: &Board,
    batch: &mut Batch<'_, Move>,
    weights: &Weights,
    instructions: Instructions,
) -> bool {
    let Some(start) = Start::of(board) else { return false };
    match instructions {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => super::avx2::weigh(board, &start, batch, weights),
        _ => play_all::<portable::Portable>(board, &start, batch, weights),
    }
    true
}

#[inline(always)]
pub(super) fn play_all<K: InstructionSet>(
    board: &Board,
    start: &Start<'_>,
    batch: &mut Batch<'_, Move>,
    weights: &Weights,
) {
    let tables = Tables::of(board.variant());
    let (mut position, mut game, mut sums) = (Position::new(), [0; GAME], [0.0; LIST]);
    while !batch.is_over() {
        position.begin(start);
        let first = batch.first_move(batch.played()).map(|first| board.entry(first));
        let mut rng = batch.stream(batch.played()).rng();
        let choose = |list: &List, rng: &mut Rng| draw(tables, list, weights, &mut sums, rng);
        match position.play_out::<K>(tables, first, &mut rng, &mut game, choose) {
            Some(length) => tables.record(board, &game[..length], batch),
            // It outgrows its place here, which is rare.
            None => return play_batch(board, batch),
        }
    }
}

/// The index of a move, as [`play_batch`] draws it: the first whose running sum of weights exceeds a random share of the last.
#[inline(always)]
fn draw(tables: &Tables, list: &List, weights: &Weights, sums: &mut [f64; LIST], rng: &mut Rng) -> usize {
    let mut total = 0.0;
    for (sum, &entry) in sums.iter_mut().zip(&list.entries[..list.len]) {
        total += weights.exponential(tables.codes[entry as usize % LINES].into());
        *sum = total;
    }
    let point = rng.unit() * total;
    let passed = sums[..list.len].iter().filter(|&&sum| sum <= point).count();
    passed.min(list.len - 1)
}
