//! The plain rules, which know nothing but values in cells.

use nestling::{Certificate, Illegal};

use super::SumBounds;
use super::layout::{Layout, Line, NONE, Square};
use crate::domains::{Assignment, score};

/// The values in a line.
fn present<'a>(line: &'a Line, values: &'a [u8]) -> impl Iterator<Item = u8> + 'a {
    line.cells.iter().map(|&cell| values[usize::from(cell)]).filter(|&value| value > 0)
}

/// Whether a line lets a free cell of it have a value.
fn admits(layout: &Layout, bounds: SumBounds, line: &Line, values: &[u8], value: u8) -> bool {
    if present(line, values).any(|other| other == value) {
        return false;
    }
    let Some(sum) = line.sum else { return true };
    let assigned: u32 = present(line, values).map(u32::from).sum();
    let others = line.cells.len() - present(line, values).count() - 1;
    let unused =
        || (1..=layout.values as u32).filter(|&value| present(line, values).all(|other| u32::from(other) != value));
    let least = || unused().take(others).sum::<u32>();
    let most = || unused().rev().take(others).sum::<u32>();
    let with = assigned + u32::from(value);
    match bounds {
        SumBounds::Weak => with <= sum,
        _ if unused().count() < others => false,
        SumBounds::Strong => with + least() <= sum,
        SumBounds::Both => with + least() <= sum && with + most() >= sum,
    }
}

fn lines_of(layout: &Layout, cell: usize) -> impl Iterator<Item = &Line> {
    layout.lines_of[cell].iter().filter(|&&line| line != NONE).map(|&line| &layout.lines[usize::from(line)])
}

fn is_possible(layout: &Layout, bounds: SumBounds, values: &[u8], cell: usize, value: u8) -> bool {
    usize::from(value) <= layout.values
        && lines_of(layout, cell).all(|line| admits(layout, bounds, line, values, value))
}

/// Whether some free cell of the lines cannot have a value, or one of them is full and has a wrong sum.
fn is_inconsistent<'a>(
    layout: &Layout,
    bounds: SumBounds,
    values: &[u8],
    mut lines: impl Iterator<Item = &'a Line>,
) -> bool {
    let is_wrong = |line: &Line| {
        let full = present(line, values).count() == line.cells.len();
        full && line.sum.is_some_and(|sum| present(line, values).map(u32::from).sum::<u32>() != sum)
    };
    let is_stuck = |&cell: &u16| {
        values[usize::from(cell)] == 0
            && (1..=layout.values as u8).all(|value| !is_possible(layout, bounds, values, cell.into(), value))
    };
    lines.any(|line| is_wrong(line) || line.cells.iter().any(is_stuck))
}

/// Replays assignments. Once they are inconsistent the game is over.
pub(super) fn certify(
    layout: &Layout,
    bounds: SumBounds,
    start: &[u8],
    moves: &[Assignment],
) -> Result<Certificate, Illegal> {
    let mut values = start.to_vec();
    let mut inconsistent = is_inconsistent(layout, bounds, &values, layout.lines.iter());
    for (index, &played) in moves.iter().enumerate() {
        let cell = usize::from(played.cell);
        let refused =
            |reason: &str| Err(Illegal { index, reason: format!("{}{reason}", played.text(layout.width, 0)) });
        if inconsistent {
            return refused(" comes after the end of the game");
        }
        if layout.places.get(cell) != Some(&Square::White) {
            return refused(": there is no cell to fill");
        }
        if values[cell] > 0 {
            return refused(&format!(": the cell already has the value {}", values[cell]));
        }
        if played.value == 0 || !is_possible(layout, bounds, &values, cell, played.value) {
            return refused(": the value is taken, too large or too small for its lines");
        }
        values[cell] = played.value;
        inconsistent = is_inconsistent(layout, bounds, &values, lines_of(layout, cell));
    }
    let white = layout.places.iter().zip(&values).filter(|&(place, &value)| *place == Square::White && value == 0);
    let free = white.count();
    Ok(Certificate { score: score(inconsistent, free), terminal: inconsistent || free == 0 })
}
