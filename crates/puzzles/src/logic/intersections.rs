//! A value whose cells in one unit are all in another one too.

use super::{Deduction, Position, UnitKind};
use crate::domains::{only, values};

/// In a box, a value is possible in one row or column alone: it is nowhere else in that row or column.
pub(super) fn pointing(position: &Position) -> Option<Deduction> {
    confined(position, |kind| kind == UnitKind::Box)
}

/// In a row or column, a value is possible in one box alone: it is nowhere else in that box.
pub(super) fn claiming(position: &Position) -> Option<Deduction> {
    confined(position, |kind| kind != UnitKind::Box)
}

fn confined(position: &Position, is_from: impl Fn(UnitKind) -> bool) -> Option<Deduction> {
    for (from, unit) in position.units.iter().enumerate().filter(|(_, unit)| is_from(unit.kind)) {
        for value in values(position.possible_in(unit)) {
            let cells: Vec<usize> = position.places(unit, value).collect();
            for &other in position.units_of[cells[0]].iter() {
                let crosses = !is_from(position.units[other].kind);
                if !crosses || !cells.iter().all(|&cell| position.units_of[cell].contains(&other)) {
                    continue;
                }
                let rest = position.units[other].cells.iter().copied().filter(|cell| !cells.contains(cell));
                let excluded = position.exclusions(rest, only(value));
                if !excluded.is_empty() {
                    let elsewhere = position.free_cells(unit).filter(|cell| !cells.contains(cell));
                    let relies_on = elsewhere.map(|cell| (cell, only(value))).collect();
                    let units = vec![from, other];
                    return Some(Deduction {
                        cells,
                        values: only(value),
                        units,
                        excluded,
                        relies_on,
                        ..Deduction::default()
                    });
                }
            }
        }
    }
    None
}
