//! The small changes of a tour around one position.

use super::route::{Change, TimedTour};

/// So many places in a row are moved at most.
const MOST_MOVED: usize = 3;

/// Calls `consider` with every small change around a position, and by how much the tour becomes longer. If `pruned`, changes of which
/// windows alone say that they make a place late are left out.
///
/// All changes are met when all positions from 0 to the last visit are looked at; most of them are then met twice, since a place is looked
/// at as one that moves, and as one that another place moves to.
pub(super) fn neighbours(route: &TimedTour<'_>, position: usize, pruned: bool, mut consider: impl FnMut(Change, f64)) {
    if position > 0 {
        for end in position + 1..=(position + MOST_MOVED).min(route.len() + 1) {
            moves_later(route, (position, end), pruned, &mut consider);
            moves_earlier(route, (position, end), pruned, &mut consider);
        }
        turns_after(route, position, pruned, &mut consider);
        turns_before(route, position, pruned, &mut consider);
    }
    for count in 1..=MOST_MOVED {
        comes_from_behind(route, position, count, pruned, &mut consider);
        comes_from_before(route, position, count, pruned, &mut consider);
    }
}

/// By how much the inside of a block becomes longer when it is turned around.
fn turned(route: &TimedTour<'_>, from: usize, end: usize) -> f64 {
    (from + 1..end).map(|position| route.way(position, position - 1) - route.way(position - 1, position)).sum()
}

/// The length that the tour loses without a block.
fn saved(route: &TimedTour<'_>, from: usize, end: usize) -> f64 {
    route.way(from - 1, from) + route.way(end - 1, end) - route.way(from - 1, end)
}

/// The cost of putting the block `from..end` between two neighbours, as it is and turned around.
#[inline]
fn inserted(route: &TimedTour<'_>, (from, end): (usize, usize), before: usize) -> (f64, f64) {
    let gap = route.way(before, before + 1);
    let plain = route.way(before, from) + route.way(end - 1, before + 1) - gap;
    let around = route.way(before, end - 1) + route.way(from, before + 1) - gap;
    (plain, around)
}

/// Moving the block `from..end` behind `last`, with the change for both directions.
#[inline]
fn later(
    route: &TimedTour<'_>,
    (from, end): (usize, usize),
    last: usize,
    (saved, turned): (f64, f64),
    consider: &mut impl FnMut(Change, f64),
) {
    let (plain, around) = inserted(route, (from, end), last);
    let change = Change { from, middle: end, to: last + 1, left_turned: false, right_turned: false };
    consider(change, plain - saved);
    if end - from > 1 {
        consider(Change { left_turned: true, ..change }, around + turned - saved);
    }
}

/// Moving the block `from..end` before `first`.
#[inline]
fn earlier(
    route: &TimedTour<'_>,
    (from, end): (usize, usize),
    first: usize,
    (saved, turned): (f64, f64),
    consider: &mut impl FnMut(Change, f64),
) {
    let (plain, around) = inserted(route, (from, end), first - 1);
    let change = Change { from: first, middle: from, to: end, left_turned: false, right_turned: false };
    consider(change, plain - saved);
    if end - from > 1 {
        consider(Change { right_turned: true, ..change }, around + turned - saved);
    }
}

fn moves_later(route: &TimedTour<'_>, block: (usize, usize), pruned: bool, consider: &mut impl FnMut(Change, f64)) {
    let (from, end) = block;
    let costs = (saved(route, from, end), turned(route, from, end));
    let deadline = (from..end).map(|position| route.deadline(position)).fold(f64::INFINITY, f64::min);
    for last in end..=route.len() {
        if pruned && route.opens(last) > deadline {
            break;
        }
        later(route, block, last, costs, consider);
    }
}

fn moves_earlier(route: &TimedTour<'_>, block: (usize, usize), pruned: bool, consider: &mut impl FnMut(Change, f64)) {
    let (from, end) = block;
    let costs = (saved(route, from, end), turned(route, from, end));
    let opens = (from..end).map(|position| route.opens(position)).fold(0.0, f64::max);
    for first in (1..from).rev() {
        if pruned && opens > route.deadline(first) {
            break;
        }
        earlier(route, block, first, costs, consider);
    }
}

/// Blocks of `count` places from behind come directly after the position.
fn comes_from_behind(
    route: &TimedTour<'_>,
    position: usize,
    count: usize,
    pruned: bool,
    consider: &mut impl FnMut(Change, f64),
) {
    let mut deadline = f64::INFINITY;
    for from in position + 2..(route.len() + 2).saturating_sub(count) {
        deadline = deadline.min(route.deadline(from - 1));
        if pruned && route.opens(from) > deadline {
            break;
        }
        let block = (from, from + count);
        earlier(
            route,
            block,
            position + 1,
            (saved(route, from, from + count), turned(route, from, from + count)),
            consider,
        );
    }
}

/// Blocks of `count` places from before the position come directly after it.
fn comes_from_before(
    route: &TimedTour<'_>,
    position: usize,
    count: usize,
    pruned: bool,
    consider: &mut impl FnMut(Change, f64),
) {
    let mut opens = 0.0_f64;
    for end in (count + 1..=position).rev() {
        opens = opens.max(route.opens(end));
        if pruned && opens > route.deadline(end - 1) {
            break;
        }
        let block = (end - count, end);
        later(route, block, position, (saved(route, block.0, end), turned(route, block.0, end)), consider);
    }
}

/// The part from the position to a later one is turned around.
fn turns_after(route: &TimedTour<'_>, from: usize, pruned: bool, consider: &mut impl FnMut(Change, f64)) {
    let (mut inside, mut deadline) = (0.0, f64::INFINITY);
    for last in from + 1..=route.len() {
        deadline = deadline.min(route.deadline(last - 1));
        if pruned && route.opens(last) > deadline {
            break;
        }
        inside += route.way(last, last - 1) - route.way(last - 1, last);
        let ends = route.way(from - 1, last) + route.way(from, last + 1);
        let longer = ends - route.way(from - 1, from) - route.way(last, last + 1) + inside;
        let change = Change { from, middle: last + 1, to: last + 1, left_turned: true, right_turned: false };
        consider(change, longer);
    }
}

/// The part from an earlier position to this one is turned around.
fn turns_before(route: &TimedTour<'_>, last: usize, pruned: bool, consider: &mut impl FnMut(Change, f64)) {
    let (mut inside, mut opens) = (0.0, 0.0_f64);
    for from in (1..last).rev() {
        opens = opens.max(route.opens(from + 1));
        if pruned && opens > route.deadline(from) {
            break;
        }
        inside += route.way(from + 1, from) - route.way(from, from + 1);
        let ends = route.way(from - 1, last) + route.way(from, last + 1);
        let longer = ends - route.way(from - 1, from) - route.way(last, last + 1) + inside;
        let change = Change { from, middle: last + 1, to: last + 1, left_turned: true, right_turned: false };
        consider(change, longer);
    }
}
