//! Sudokus for people: one solution, a level, and givens in a symmetric pattern.

use std::sync::Arc;

use nestling::Stream;
use nestling_presentation::Solutions;

use super::{Sudoku, logic};
use crate::domains::{fill, shuffle, solve};
use crate::logic::{Level, SUDOKU, Unit, advance};

/// One attempt to make a Sudoku of a level: a random solution from which values are taken away in pairs, opposite to each other, as
/// long as the techniques up to the level solve what is left. `None` if the result is easier than the level, or, of the level
/// extreme, not harder than the others.
pub(crate) fn attempt(order: usize, level: Level, units: &Arc<Vec<Unit>>, stream: Stream) -> Option<Sudoku> {
    let mut givens = fill(&Sudoku::empty(order), stream.child(0).seed()).values().to_vec();
    let mut firsts: Vec<usize> = (0..givens.len().div_ceil(2)).collect();
    shuffle(&mut firsts, stream.child(1));
    for first in firsts {
        let second = givens.len() - 1 - first;
        let old = [givens[first], givens[second]];
        (givens[first], givens[second]) = (0, 0);
        if !fits(&givens, order, level, units) {
            [givens[first], givens[second]] = old;
        }
    }
    let sudoku = Sudoku::new(order, givens).ok()?;
    (sudoku.grading().level == level && has_one_solution(&sudoku)).then_some(sudoku)
}

/// Whether the techniques up to a level solve a Sudoku; of the level extreme, whether it has one solution.
fn fits(givens: &[u8], order: usize, level: Level, units: &Arc<Vec<Unit>>) -> bool {
    if level == Level::Extreme {
        return Sudoku::new(order, givens.to_vec()).is_ok_and(|sudoku| has_one_solution(&sudoku));
    }
    let mut position = logic::position(givens, order * order, units.clone());
    advance(&mut position, SUDOKU, level);
    position.free() == 0
}

fn has_one_solution(sudoku: &Sudoku) -> bool {
    solve(sudoku).is_some_and(|solved| solved.count == Solutions::One)
}

/// The units of an order.
pub(crate) fn units(order: usize) -> Arc<Vec<Unit>> {
    Arc::new(logic::units(order))
}
