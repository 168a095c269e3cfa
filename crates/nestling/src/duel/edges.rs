//! The edges of a tree, and the numbers that a walk compares.

use std::ops::Range;
use std::sync::LazyLock;

use crate::bounded::make_room;
use crate::math::ln;

/// No node: the root is no node's child.
pub(super) const NONE: u32 = 0;

/// The edges of all nodes. The numbers that a walk compares are in separate arrays, so that a row of edges takes few cache lines and the
/// comparison compiles to vector code.
#[derive(Debug)]
pub(super) struct Edges<M> {
    /// The value of the child to the player who moves there.
    pub means: Vec<f32>,
    /// 1/√visits.
    pub spreads: Vec<f32>,
    pub rows: Vec<Edge<M>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<M> {
    pub played: M,
    pub visits: u32,
    pub child: u32,
}

impl<M: Copy> Edges<M> {
    /// The memory that an edge takes.
    pub const BYTES: usize = 2 * size_of::<f32>() + size_of::<Edge<M>>();

    pub fn new() -> Self {
        Edges { means: Vec::new(), spreads: Vec::new(), rows: Vec::new() }
    }

    pub fn clear(&mut self) {
        self.means.clear();
        self.spreads.clear();
        self.rows.clear();
    }

    /// Adds a row of edges, none of which has been tried.
    pub fn add(&mut self, moves: &[M]) {
        let length = self.rows.len() + moves.len();
        make_room(&mut self.means, moves.len());
        make_room(&mut self.spreads, moves.len());
        make_room(&mut self.rows, moves.len());
        self.means.resize(length, 0.0);
        self.spreads.resize(length, 0.0);
        self.rows.extend(moves.iter().map(|&played| Edge { played, visits: 0, child: NONE }));
    }

    /// Moves a row of edges to an earlier index, and returns it.
    pub fn move_row(&mut self, row: Range<usize>, place: usize) -> &mut [Edge<M>] {
        let length = row.len();
        self.means.copy_within(row.clone(), place);
        self.spreads.copy_within(row.clone(), place);
        self.rows.copy_within(row, place);
        &mut self.rows[place..place + length]
    }

    /// Forgets all but the first edges.
    pub fn truncate(&mut self, length: usize) {
        self.means.truncate(length);
        self.spreads.truncate(length);
        self.rows.truncate(length);
    }

    /// The edge of a row with the greatest mean + breadth · spread; the first of equal ones.
    pub fn greatest(&self, row: Range<usize>, breadth: f32) -> usize {
        row.start + greatest(&self.means[row.clone()], &self.spreads[row], breadth)
    }
}

/// √ln of small numbers, which covers most nodes' visits: a logarithm takes longer than all the rest of a choice.
static ROOTS_OF_LOGS: LazyLock<[f32; 4096]> =
    LazyLock::new(|| std::array::from_fn(|number| if number == 0 { 0.0 } else { ln(number as f64).sqrt() as f32 }));

/// √ln of a number of visits.
#[inline]
pub(super) fn root_of_log(visits: u32) -> f32 {
    let known = ROOTS_OF_LOGS.get(visits as usize).copied();
    known.unwrap_or_else(|| ln(f64::from(visits)).sqrt() as f32)
}

/// Edges that are compared at once.
const LANES: usize = 8;

/// The index of the greatest mean + breadth · spread, the first of equal ones. Each lane is compared first, so that this compiles to vector
/// code.
fn greatest(means: &[f32], spreads: &[f32], breadth: f32) -> usize {
    let (mut best, mut places) = ([f32::NEG_INFINITY; LANES], [u32::MAX; LANES]);
    let (mean_rows, mean_rest) = means.as_chunks::<LANES>();
    let (spread_rows, spread_rest) = spreads.as_chunks::<LANES>();
    let mut place = 0;
    for (mean, spread) in mean_rows.iter().zip(spread_rows) {
        for lane in 0..LANES {
            let worth = mean[lane] + breadth * spread[lane];
            let leads = worth > best[lane];
            best[lane] = if leads { worth } else { best[lane] };
            places[lane] = if leads { place } else { places[lane] };
        }
        place += LANES as u32;
    }
    for (lane, (mean, spread)) in mean_rest.iter().zip(spread_rest).enumerate() {
        let worth = mean + breadth * spread;
        if worth > best[lane] {
            (best[lane], places[lane]) = (worth, place);
        }
    }
    let mut winner = (f32::NEG_INFINITY, 0);
    for (lane, (&worth, &place)) in best.iter().zip(&places).enumerate() {
        let index = place as usize + lane;
        if worth > winner.0 || worth == winner.0 && worth > f32::NEG_INFINITY && index < winner.1 {
            winner = (worth, index);
        }
    }
    winner.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Stream;

    #[test]
    fn the_greatest_is_the_first_of_the_greatest() {
        let mut rng = Stream::new(1).rng();
        for length in (1..70).cycle().take(5000) {
            let numbers = [f32::NEG_INFINITY, 0.0, 0.25, 0.5, f32::INFINITY];
            let kinds = 1 + rng.below(5);
            let means: Vec<f32> = (0..length).map(|_| numbers[rng.below(kinds)]).collect();
            let spreads: Vec<f32> = (0..length).map(|_| 1.0 / (1.0 + rng.below(3) as f32)).collect();
            let worths: Vec<f32> = means.iter().zip(&spreads).map(|(mean, spread)| mean + 0.7 * spread).collect();
            let first = (1..length).fold(0, |best, index| if worths[index] > worths[best] { index } else { best });
            assert_eq!(greatest(&means, &spreads, 0.7), first, "{worths:?}");
        }
    }
}
