//! The solutions of a Sudoku as a formula.

use nestling::engine::Formula;

use super::{Sudoku, rules};
use crate::domains::Candidates;

/// Every cell has one value, and every row, column and box has every value once.
pub(super) fn formula(sudoku: &Sudoku) -> Formula<crate::Assignment> {
    let (values, side) = (sudoku.values(), sudoku.side());
    let candidates = Candidates::new(&sudoku.domains, side);
    let mut formula = Formula::new(candidates.moves());
    let free = |cell: &usize| sudoku.domains.is_free(*cell);
    for cell in (0..values.len()).filter(free) {
        formula.exactly_one(&candidates.of_cell(cell));
    }
    for unit in rules::units(sudoku.order()) {
        for value in (1..=side as u8).filter(|&value| unit.iter().all(|&cell| values[cell] != value)) {
            formula.exactly_one(&candidates.of_value(unit.iter().copied(), value));
        }
    }
    formula
}
