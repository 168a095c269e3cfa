//! So many cells that share as many values: pairs, triples, quadruples.

use super::sums::required;
use super::{Deduction, Position};
use crate::domains::{only, values};

/// `count` cells of a unit that have no more than `count` values between them: the other cells cannot have these.
pub(super) fn naked(position: &Position, count: usize) -> Option<Deduction> {
    for (index, unit) in position.units.iter().enumerate() {
        let free: Vec<usize> = position.free_cells(unit).collect();
        if free.len() <= count {
            continue;
        }
        let small: Vec<usize> = free
            .iter()
            .copied()
            .filter(|&cell| (2..=count).contains(&(position.sets[cell].count_ones() as usize)))
            .collect();
        let found = choices(&small, count, &mut |cells| {
            let union = cells.iter().fold(0, |all, &cell| all | position.sets[cell]);
            if union.count_ones() as usize != count {
                return None;
            }
            let others = free.iter().copied().filter(|cell| !cells.contains(cell));
            let excluded = position.exclusions(others, union);
            (!excluded.is_empty()).then(|| Deduction {
                cells: cells.to_vec(),
                values: union,
                units: vec![index],
                excluded,
                relies_on: position.missing(cells),
                ..Deduction::default()
            })
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// `count` values that must be in a unit, and have no more than `count` cells there: these cells cannot have other values.
pub(super) fn hidden(position: &Position, count: usize) -> Option<Deduction> {
    for (index, unit) in position.units.iter().enumerate() {
        let free: Vec<usize> = position.free_cells(unit).collect();
        if free.len() <= count {
            continue;
        }
        let few: Vec<u8> = values(required(position, unit))
            .filter(|&value| (2..=count).contains(&position.places(unit, value).count()))
            .collect();
        let found = choices(&few, count, &mut |chosen| {
            let set = chosen.iter().fold(0, |set, &value| set | only(value));
            let cells: Vec<usize> = free.iter().copied().filter(|&cell| position.sets[cell] & set != 0).collect();
            if cells.len() != count {
                return None;
            }
            let excluded = position.exclusions(cells.iter().copied(), !set);
            let relies_on = match unit.sum {
                None => free.iter().filter(|cell| !cells.contains(cell)).map(|&cell| (cell, set)).collect(),
                Some(_) => position.missing(&free),
            };
            (!excluded.is_empty()).then(|| Deduction {
                relies_on,
                cells,
                values: set,
                units: vec![index],
                excluded,
                ..Deduction::default()
            })
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The first result for `count` of the elements of a list.
pub(super) fn choices<T: Copy, R>(list: &[T], count: usize, try_one: &mut dyn FnMut(&[T]) -> Option<R>) -> Option<R> {
    fn extend<T: Copy, R>(
        rest: &[T],
        count: usize,
        chosen: &mut Vec<T>,
        try_one: &mut dyn FnMut(&[T]) -> Option<R>,
    ) -> Option<R> {
        if count == 0 {
            return try_one(chosen);
        }
        for at in 0..(rest.len() + 1).saturating_sub(count) {
            chosen.push(rest[at]);
            let found = extend(&rest[at + 1..], count - 1, chosen, try_one);
            chosen.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }
    extend(list, count, &mut Vec::with_capacity(count), try_one)
}
