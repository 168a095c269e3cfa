//! Coordinates and codes of moves, sections II.D and II.E.
//!
//! A square is (x, y) on a board of `side` × `side`; a line starts at the square where its local coordinate u is
//! smallest. The paper's y grows upwards and the lattice's downwards, so the paper's board is the lattice in a mirror:
//! the same game.

use nestling_morpion::{Cell, Direction, Line, Move, Variant};

/// Every code is below this number: two bits of direction, seven of v, six of u.
pub const CODES: usize = 1 << 15;

/// The length of a line; the paper knows no other.
pub(crate) const LENGTH: usize = 5;

/// A line ends so many squares after its start, and squares so close to the border are no place for a dot: all squares
/// that playing a move looks at are then on the board (III.D).
pub(crate) const MARGIN: usize = LENGTH - 1;

/// The paper's numbers for the directions (II.D).
const UP_LEFT: usize = 0;
const UPWARDS: usize = 1;
const UP_RIGHT: usize = 2;

/// How the directions of the lattice are numbered.
const NUMBERS: [(Direction, usize); 4] = [
    (Direction::Rising, UP_LEFT),
    (Direction::Vertical, UPWARDS),
    (Direction::Falling, UP_RIGHT),
    (Direction::Horizontal, 3),
];

/// `d << 13 | v << 6 | u`: consecutive lines of a strip have consecutive codes (II.E).
#[inline(always)]
const fn pack(direction: usize, u: usize, v: usize) -> u16 {
    (direction << 13 | v << 6 | u) as u16
}

/// The code of the line of this direction that starts at (x, y).
#[inline(always)]
pub(crate) const fn code(side: usize, direction: usize, x: usize, y: usize) -> u16 {
    match direction {
        UP_LEFT => pack(direction, y, x + y),
        UPWARDS => pack(direction, y, x),
        UP_RIGHT => pack(direction, y, x + side - 1 - y),
        _ => pack(direction, x, y),
    }
}

/// The number of a code's direction.
#[inline(always)]
pub(crate) const fn direction(code: u16) -> usize {
    code as usize >> 13
}

/// The index of the square where the line of a code starts, rows of `side` squares one after the other.
#[inline(always)]
pub(crate) const fn start(side: usize, direction: usize, code: u16) -> usize {
    let (u, v) = (code as usize & 63, code as usize >> 6 & 127);
    match direction {
        UP_LEFT => u * side + v - u,
        UPWARDS => u * side + v,
        UP_RIGHT => u * side + v + u + 1 - side,
        _ => v * side + u,
    }
}

/// The distance between the indices of two consecutive squares of a direction.
#[inline(always)]
pub(crate) const fn stride(side: usize, direction: usize) -> usize {
    match direction {
        UP_LEFT => side - 1,
        UPWARDS => side,
        UP_RIGHT => side + 1,
        _ => 1,
    }
}

/// The x and y of the square of the lattice's corner (0,0): the cross is in the middle of the board.
pub(crate) fn origin(side: usize) -> i16 {
    ((side - Variant::FiveD.box_side()) / 2) as i16
}

/// The code of a move's line, where all of the line is on the board.
pub(crate) fn code_of(side: usize, line: Line) -> Option<u16> {
    let (_, number) = NUMBERS.into_iter().find(|(direction, _)| *direction == line.direction)?;
    // A rising line starts at its left end, which is its upper end in the mirror.
    let first = if number == UP_LEFT { line.start.along(line.direction, MARGIN as i16) } else { line.start };
    let square = |cell: Cell| {
        let index = |coordinate: i16| usize::try_from(i32::from(coordinate) + i32::from(origin(side))).ok();
        Some((index(cell.x)?, index(cell.y)?)).filter(|&(x, y)| x < side && y < side)
    };
    line.cells(LENGTH).all(|cell| square(cell).is_some()).then_some(())?;
    square(first).map(|(x, y)| code(side, number, x, y))
}

/// The move of a code whose dot is number `hole` of the squares from the line's start.
pub(crate) fn move_of(side: usize, code: u16, hole: usize) -> Move {
    let number = direction(code);
    let (direction, _) = NUMBERS[number];
    let index = start(side, number, code);
    let first = Cell { x: (index % side) as i16 - origin(side), y: (index / side) as i16 - origin(side) };
    if number == UP_LEFT {
        let start = first.along(direction, -(MARGIN as i16));
        Move { line: Line { start, direction }, hole: (MARGIN - hole) as u8 }
    } else {
        Move { line: Line { start: first, direction }, hole: hole as u8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_moves_are_one_to_one() {
        for side in [32, 64] {
            for (_, number) in NUMBERS {
                for (x, y) in [(4, 4), (11, 20), (27, 9), (20, 23)] {
                    for hole in 0..LENGTH {
                        let code = code(side, number, x, y);
                        assert_eq!((direction(code), start(side, number, code)), (number, y * side + x));
                        assert_eq!(code_of(side, move_of(side, code, hole).line), Some(code));
                    }
                }
            }
        }
        let far = Line { start: Cell { x: 50, y: 0 }, direction: Direction::Vertical };
        assert_eq!(code_of(32, far), None);
    }
}
