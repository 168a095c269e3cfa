//! A value whose cells in some rows are all in as many columns: X-wing (two), swordfish (three).

use super::subsets::choices;
use super::{Deduction, Position, UnitKind};
use crate::domains::only;

/// In `count` rows a value is possible in no more than `count` columns: it is in no other row of these columns; and the other way round.
pub(super) fn fish(position: &Position, count: usize) -> Option<Deduction> {
    let largest = position.units.first().map_or(0, |unit| unit.cells.len()) as u8;
    [UnitKind::Row, UnitKind::Column].into_iter().find_map(|from| {
        let across = if from == UnitKind::Row { UnitKind::Column } else { UnitKind::Row };
        (1..=largest).find_map(|value| one_value(position, count, value, from, across))
    })
}

fn one_value(position: &Position, count: usize, value: u8, from: UnitKind, across: UnitKind) -> Option<Deduction> {
    let lines = |kind: UnitKind| (0..position.units.len()).filter(move |&unit| position.units[unit].kind == kind);
    let places = |unit: usize| position.places(&position.units[unit], value);
    let few: Vec<usize> = lines(from).filter(|&unit| (2..=count).contains(&places(unit).count())).collect();
    choices(&few, count, &mut |chosen| {
        let cells: Vec<usize> = chosen.iter().flat_map(|&unit| places(unit)).collect();
        let is_covered = |&unit: &usize| cells.iter().any(|cell| position.units[unit].cells.contains(cell));
        let covering: Vec<usize> = lines(across).filter(is_covered).collect();
        if covering.len() != count {
            return None;
        }
        let rest = covering.iter().flat_map(|&unit| places(unit)).filter(|cell| !cells.contains(cell));
        let excluded = position.exclusions(rest, only(value));
        let elsewhere = chosen.iter().flat_map(|&unit| position.free_cells(&position.units[unit]));
        let relies_on = elsewhere.filter(|cell| !cells.contains(cell)).map(|cell| (cell, only(value)));
        (!excluded.is_empty()).then(|| Deduction {
            relies_on: relies_on.collect(),
            values: only(value),
            units: [chosen, &covering[..]].concat(),
            excluded,
            cells: cells.clone(),
            ..Deduction::default()
        })
    })
}
