//! The plain rules, which know nothing but values in cells.

use nestling::{Certificate, Illegal};

use super::GridError;
use crate::domains::{Assignment, name, only, score, up_to};

/// The cells of the same row, column or box, without the cell itself.
pub(super) fn peers(order: usize, cell: usize) -> impl Iterator<Item = usize> {
    let side = order * order;
    let (row, column) = (cell / side, cell % side);
    let (top, left) = (row / order * order, column / order * order);
    let in_row = (0..side).map(move |other| row * side + other);
    let in_column = (0..side).map(move |other| other * side + column);
    let in_box = (top..top + order).flat_map(move |y| (left..left + order).map(move |x| (y, x)));
    let elsewhere = in_box.filter(move |&(y, x)| y != row && x != column).map(move |(y, x)| y * side + x);
    in_row.chain(in_column).filter(move |&other| other != cell).chain(elsewhere)
}

/// The cells of all rows, then of all columns, then of all boxes.
pub(super) fn units(order: usize) -> Vec<Vec<usize>> {
    let side = order * order;
    let row = |row: usize| (0..side).map(|column| row * side + column).collect();
    let column = |column: usize| (0..side).map(|row| row * side + column).collect();
    let in_box = |number: usize| {
        let (top, left) = (number / order * order, number % order * order);
        (0..side).map(|index| (top + index / order) * side + left + index % order).collect()
    };
    (0..side).map(row).chain((0..side).map(column)).chain((0..side).map(in_box)).collect()
}

/// Looks for two equal values in a row, column or box.
pub(super) fn no_value_twice(order: usize, values: &[u8]) -> Result<(), GridError> {
    let side = order * order;
    for (cell, &value) in values.iter().enumerate().filter(|&(_, &value)| value > 0) {
        if let Some(other) = peers(order, cell).find(|&other| other > cell && values[other] == value) {
            let unit = if cell / side == other / side {
                format!("row {}", cell / side + 1)
            } else if cell % side == other % side {
                format!("column {}", cell % side + 1)
            } else {
                format!("box {}", cell / side / order * order + cell % side / order + 1)
            };
            return Err(GridError::Twice { value, unit, first: name(cell, side, 1), second: name(other, side, 1) });
        }
    }
    Ok(())
}

/// The values that are possible in a cell.
fn possible(order: usize, values: &[u8], cell: usize) -> u64 {
    let taken = peers(order, cell).filter(|&peer| values[peer] > 0).map(|peer| only(values[peer]));
    up_to(order * order) & !taken.fold(0, |taken, value| taken | value)
}

/// Whether some empty cell cannot have a value.
fn is_stuck(order: usize, values: &[u8]) -> bool {
    (0..values.len()).any(|cell| values[cell] == 0 && possible(order, values, cell) == 0)
}

/// Replays assignments from a grid that contradicts nothing. Once a cell is stuck the game is over.
pub(super) fn certify(order: usize, start: &[u8], moves: &[Assignment]) -> Result<Certificate, Illegal> {
    let mut values = start.to_vec();
    let mut stuck = is_stuck(order, &values);
    for (index, &played) in moves.iter().enumerate() {
        let text = played.text(order * order, 1);
        let refused = |reason: String| Err(Illegal { index, reason });
        let cell = usize::from(played.cell);
        if stuck {
            return refused(format!("{text} comes after the end of the game: a cell has no value left"));
        }
        if cell >= values.len() || !(1..=order * order).contains(&usize::from(played.value)) {
            return refused(format!("{text} is not on the grid"));
        }
        if values[cell] > 0 {
            return refused(format!("{text}: the cell already has the value {}", values[cell]));
        }
        if possible(order, &values, cell) & only(played.value) == 0 {
            return refused(format!("{text}: the value is already in the same row, column or box"));
        }
        values[cell] = played.value;
        stuck = peers(order, cell).any(|peer| values[peer] == 0 && possible(order, &values, peer) == 0);
    }
    let free = values.iter().filter(|&&value| value == 0).count();
    Ok(Certificate { score: score(stuck, free), terminal: stuck || free == 0 })
}
