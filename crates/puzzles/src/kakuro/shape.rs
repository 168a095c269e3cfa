//! Grids for Kakuros: which cells are black.

use nestling::Stream;

use crate::domains::shuffle;

/// The least and the most cells of a line.
const LINES: std::ops::RangeInclusive<usize> = 2..=9;

/// A random grid of `size` × `size` cells, by cell whether it is to be filled: the same upside down, in one piece, with lines of two to nine
/// cells. `None` if the attempt has failed.
pub(super) fn shape(size: usize, stream: Stream) -> Option<Vec<bool>> {
    let mut white = vec![true; size * size];
    let mut order: Vec<usize> = (0..white.len()).collect();
    shuffle(&mut order, stream.child(0));
    // From 28 % to 40 % are black.
    let wanted = white.len() * (28 + stream.child(1).rng().below(13)) / 100;
    let mut black = 0;
    for cell in order {
        let opposite = white.len() - 1 - cell;
        if black >= wanted {
            break;
        }
        if !white[cell] {
            continue;
        }
        (white[cell], white[opposite]) = (false, false);
        if lines(&white, size).all(|length| length >= *LINES.start()) && is_connected(&white, size) {
            black += 1 + usize::from(cell != opposite);
        } else {
            (white[cell], white[opposite]) = (true, true);
        }
    }
    let is_good = black * 10 >= wanted * 8 && lines(&white, size).all(|length| LINES.contains(&length));
    is_good.then_some(white)
}

/// The lengths of all lines.
fn lines(white: &[bool], size: usize) -> impl Iterator<Item = usize> {
    let row = move |row: usize| (0..size).map(move |column| row * size + column);
    let column = move |column: usize| (0..size).map(move |row| row * size + column);
    let lengths = |cells: &mut dyn Iterator<Item = usize>| {
        let mut found = vec![0];
        for cell in cells {
            match (white[cell], found.last_mut()) {
                (true, Some(length)) => *length += 1,
                _ => found.push(0),
            }
        }
        found
    };
    let all: Vec<usize> =
        (0..size).flat_map(|index| [lengths(&mut row(index)), lengths(&mut column(index))].concat()).collect();
    all.into_iter().filter(|&length| length > 0)
}

/// Whether all cells hang together.
fn is_connected(white: &[bool], size: usize) -> bool {
    let Some(start) = white.iter().position(|&white| white) else { return false };
    let (mut seen, mut open) = (vec![false; white.len()], vec![start]);
    seen[start] = true;
    while let Some(cell) = open.pop() {
        let (row, column) = (cell / size, cell % size);
        let neighbours = [
            (row > 0).then(|| cell - size),
            (row + 1 < size).then_some(cell + size),
            (column > 0).then(|| cell - 1),
            (column + 1 < size).then_some(cell + 1),
        ];
        for next in neighbours.into_iter().flatten().filter(|&next| white[next]) {
            if !std::mem::replace(&mut seen[next], true) {
                open.push(next);
            }
        }
    }
    (0..white.len()).all(|cell| seen[cell] == white[cell])
}
