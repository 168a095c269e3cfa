//! One value for a cell, or one cell for a value.

use super::sums::required;
use super::{Deduction, Position};
use crate::domains::{only, values};

/// A cell with one possible value.
pub(super) fn naked(position: &Position) -> Option<Deduction> {
    let cell = position.sets.iter().position(|set| set.count_ones() == 1)?;
    let set = position.sets[cell];
    let value = set.trailing_zeros() as u8 + 1;
    Some(Deduction {
        cells: vec![cell],
        values: set,
        assigned: Some((cell, value)),
        relies_on: vec![(cell, !set)],
        ..Deduction::default()
    })
}

/// A value that must be in a unit, and has one cell there.
pub(super) fn hidden(position: &Position) -> Option<Deduction> {
    // Boxes are the easiest to see.
    let order = (0..position.units.len()).rev();
    for index in order {
        let unit = &position.units[index];
        let (mut once, mut twice) = (0, 0);
        for &cell in &unit.cells {
            twice |= once & position.sets[cell];
            once |= position.sets[cell];
        }
        let alone = once & !twice;
        if alone == 0 {
            continue;
        }
        if let Some(value) = values(alone & required(position, unit)).next() {
            let cell = position.places(unit, value).next()?;
            let others: Vec<usize> = position.free_cells(unit).filter(|&other| other != cell).collect();
            let mut relies_on: Vec<(usize, u64)> = others.iter().map(|&other| (other, only(value))).collect();
            if unit.sum.is_some() {
                relies_on.extend(position.missing(&others));
                relies_on.push((cell, !position.sets[cell]));
            }
            return Some(Deduction {
                cells: vec![cell],
                values: only(value),
                units: vec![index],
                assigned: Some((cell, value)),
                relies_on,
                ..Deduction::default()
            });
        }
    }
    None
}
