//! Kakuro's techniques: which sets of values have the sum of a line, and how these can be placed in it.

use super::{Deduction, Position, Unit};
use crate::domains::{only, values};
use crate::kakuro::{combinations, greatest, least, only_combination};

/// Lines with more sets of values than this are not looked at.
const MOST_SETS: usize = 500;

/// Lines with more free cells than this are not arranged.
const MOST_ARRANGED: usize = 10;

/// The sum of the free cells of a line.
fn rest(position: &Position, unit: &Unit) -> Option<i32> {
    let assigned: u32 = unit.cells.iter().map(|&cell| u32::from(position.values[cell])).sum();
    Some(unit.sum? as i32 - assigned as i32)
}

/// The sets of values that the free cells of a line can have together: every cell has one of them, and every value has a cell.
fn sets(position: &Position, unit: &Unit, free: &[usize]) -> Option<Vec<u64>> {
    let possible = free.iter().fold(0, |all, &cell| all | position.sets[cell]);
    let mut sets = combinations(possible, free.len() as u32, rest(position, unit)?, MOST_SETS)?;
    sets.retain(|&set| free.iter().all(|&cell| position.sets[cell] & set != 0));
    Some(sets)
}

/// The values that must be in the free cells of a unit.
pub(super) fn required(position: &Position, unit: &Unit) -> u64 {
    if unit.sum.is_none() {
        return position.possible_in(unit);
    }
    let free: Vec<usize> = position.free_cells(unit).collect();
    let sets = sets(position, unit, &free).unwrap_or_default();
    sets.into_iter().reduce(|all, set| all & set).unwrap_or(0)
}

/// A line whose sum has one set of values alone, whatever is known of its cells: other values are impossible.
pub(super) fn forced_sum(position: &Position) -> Option<Deduction> {
    by_line(position, |unit, free| {
        let assigned = unit.cells.iter().fold(0, |all, &cell| match position.values[cell] {
            0 => all,
            value => all | only(value),
        });
        let all = crate::domains::up_to(position.largest()) & !assigned;
        let set = only_combination(all, free.len() as u32, rest(position, unit)?)?;
        Some((position.exclusions(free.iter().copied(), !set), set, false))
    })
}

/// Values that are in none of the sets which a line can have.
pub(super) fn sum_sets(position: &Position) -> Option<Deduction> {
    by_line(position, |unit, free| {
        let sets = sets(position, unit, free)?;
        let union = sets.iter().fold(0, |all, set| all | set);
        (!sets.is_empty()).then(|| (position.exclusions(free.iter().copied(), !union), union, true))
    })
}

/// Values that are too small or too large beside the least or greatest values of the other cells.
pub(super) fn sum_bounds(position: &Position) -> Option<Deduction> {
    by_line(position, |unit, free| {
        let rest = rest(position, unit)?;
        let (low, high): (i32, i32) = free.iter().fold((0, 0), |(low, high), &cell| {
            let set = position.sets[cell];
            (low + least(set, 1), high + greatest(set, 1))
        });
        let outside = |cell: usize| {
            let set = position.sets[cell];
            let (low, high) = (low - least(set, 1), high - greatest(set, 1));
            let fits = |value: u8| (rest - high..=rest - low).contains(&i32::from(value));
            values(set).filter(|&value| !fits(value)).fold(0, |out, value| out | only(value))
        };
        let excluded = free.iter().map(|&cell| (cell, outside(cell))).filter(|&(_, out)| out != 0).collect();
        Some((excluded, 0, true))
    })
}

/// Values that no arrangement of the whole line has in a cell.
pub(super) fn arrangement(position: &Position) -> Option<Deduction> {
    by_line(position, |unit, free| {
        if free.len() > MOST_ARRANGED {
            return None;
        }
        let mut used = vec![0; free.len()];
        for set in sets(position, unit, free)? {
            arrange(position, free, set, &mut used);
        }
        let excluded = free.iter().zip(&used).map(|(&cell, &used)| (cell, position.sets[cell] & !used));
        Some((excluded.filter(|&(_, out)| out != 0).collect(), 0, true))
    })
}

/// Adds to the values of each cell those that it has in some arrangement of a set.
fn arrange(position: &Position, free: &[usize], set: u64, used: &mut [u64]) {
    let members: Vec<u8> = values(set).collect();
    let states = 1 << members.len();
    // By the members that the first cells have, and so by how many these cells are: whether they can; and whether the others can have
    // the rest.
    let (mut before, mut after) = (vec![false; states], vec![false; states]);
    (before[0], after[states - 1]) = (true, true);
    let can = |cell: usize, member: usize| position.sets[free[cell]] & only(members[member]) != 0;
    let steps = |state: usize| (0..members.len()).filter(move |member| state >> member & 1 == 0);
    for state in 0..states - 1 {
        let cell = state.count_ones() as usize;
        if before[state] {
            steps(state).filter(|&member| can(cell, member)).for_each(|member| before[state | 1 << member] = true);
        }
    }
    for state in (0..states - 1).rev() {
        let cell = state.count_ones() as usize;
        after[state] = steps(state).any(|member| can(cell, member) && after[state | 1 << member]);
        if before[state] {
            let fits = |&member: &usize| can(cell, member) && after[state | 1 << member];
            steps(state).filter(fits).for_each(|member| used[cell] |= only(members[member]));
        }
    }
}

/// What a technique finds in a line: exclusions, the values that it is about, and whether it relies on what was excluded before.
type LineDeduction = (Vec<(usize, u64)>, u64, bool);

/// The first line where a technique excludes something.
fn by_line(position: &Position, find: impl Fn(&Unit, &[usize]) -> Option<LineDeduction>) -> Option<Deduction> {
    let mut free = Vec::new();
    for (index, unit) in position.units.iter().enumerate().filter(|(_, unit)| unit.sum.is_some()) {
        free.clear();
        free.extend(position.free_cells(unit));
        if free.is_empty() {
            continue;
        }
        if let Some((excluded, values, relies)) = find(unit, &free)
            && !excluded.is_empty()
        {
            let relies_on = if relies { position.missing(&free) } else { Vec::new() };
            return Some(Deduction {
                cells: free,
                values,
                units: vec![index],
                excluded,
                relies_on,
                ..Deduction::default()
            });
        }
    }
    None
}
