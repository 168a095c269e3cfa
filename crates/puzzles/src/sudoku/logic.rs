//! Sudokus as people solve them.

use std::sync::Arc;

use super::{Sudoku, rules};
use crate::logic::{Grading, Level, Position, SUDOKU, Unit, UnitKind, grade};

/// The rows, columns and boxes of an order.
pub(super) fn units(order: usize) -> Vec<Unit> {
    let side = order * order;
    let unit = |(index, cells): (usize, Vec<usize>)| {
        let (kind, word) = [(UnitKind::Row, "row"), (UnitKind::Column, "column"), (UnitKind::Box, "box")][index / side];
        Unit { kind, name: format!("{word} {}", index % side + 1), cells, sum: None }
    };
    rules::units(order).into_iter().enumerate().map(unit).collect()
}

/// The values so far, and what is possible beside them.
pub(super) fn position(values: &[u8], side: usize, units: Arc<Vec<Unit>>) -> Position {
    Position::new((side, 1), values, |_| true, side, units)
}

impl Sudoku {
    pub(super) fn position(&self) -> Position {
        position(self.values(), self.side(), Arc::new(units(self.order())))
    }

    /// The level of the Sudoku, and the techniques that it needs.
    ///
    /// ```
    /// use nestling_puzzles::{logic::Level, sudoku::Sudoku};
    /// let sudoku = Sudoku::read("1... ..3. .4.. ...2").unwrap().remove(0);
    /// assert_eq!(sudoku.grading().level, Level::Easy);
    /// ```
    pub fn grading(&self) -> Grading {
        grade(self.position(), SUDOKU, Level::Extreme)
    }
}
