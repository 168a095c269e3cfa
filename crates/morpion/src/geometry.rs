//! Cells, directions, lines and moves on the infinite lattice.
//!
//! The box around the starting cross has its top-left corner at (0,0); x grows to the right and y downwards.
//!
//! Coordinates are `i16`. That is enough: a new dot is at most four cells away from dots that are already there, and no
//! game has more than 705 moves (Demaine, Demaine, Langerman and Langerman 2006), so no dot of a legal game is further
//! than 2,830 cells from the box's corner. Moves that come from outside may hold any number, so arithmetic wraps around:
//! a line that did so would need dots at the end of the `i16` world, where there are none, and is refused like any other.

use nestling::Stream;
use serde::{Deserialize, Serialize};

/// A crossing of the lattice, with or without a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cell {
    /// The column; 0 is the leftmost of the starting cross.
    pub x: i16,
    /// The row; 0 is the topmost of the starting cross.
    pub y: i16,
}

impl Cell {
    /// The cell `steps` steps away in a direction; a negative number goes backwards.
    ///
    /// ```
    /// use nestling_morpion::{Cell, Direction};
    /// assert_eq!(Cell { x: 3, y: 3 }.along(Direction::Rising, 2), Cell { x: 5, y: 1 });
    /// ```
    #[inline]
    #[must_use]
    pub const fn along(self, direction: Direction, steps: i16) -> Cell {
        let (dx, dy) = direction.step();
        Cell { x: self.x.wrapping_add(dx.wrapping_mul(steps)), y: self.y.wrapping_add(dy.wrapping_mul(steps)) }
    }
}

impl Cell {
    /// A random 64-bit number for the cell: the exclusive or of several identifies a set of cells.
    #[inline]
    pub(crate) fn random_word(self) -> u64 {
        Stream::new(0x5e7).child(u64::from(self.x as u16) << 16 | u64::from(self.y as u16)).seed()
    }
}

/// The direction of a line. The order of the variants is the order in which new moves are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Direction {
    /// `-`, from left to right.
    Horizontal,
    /// `|`, from the top down.
    Vertical,
    /// `\`, from the top left down to the right.
    Falling,
    /// `/`, from the bottom left up to the right.
    Rising,
}

impl Direction {
    /// The four directions in their order.
    pub const ALL: [Direction; 4] = [Direction::Horizontal, Direction::Vertical, Direction::Falling, Direction::Rising];

    /// One step: how x and y change.
    #[inline]
    pub const fn step(self) -> (i16, i16) {
        const STEPS: [(i16, i16); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
        STEPS[self as usize]
    }

    /// The sign people write for it: `-`, `|`, `\` or `/`.
    pub const fn symbol(self) -> char {
        match self {
            Direction::Horizontal => '-',
            Direction::Vertical => '|',
            Direction::Falling => '\\',
            Direction::Rising => '/',
        }
    }
}

/// A line: its first cell (the leftmost, or the topmost of a vertical line) and its direction. The variant says how long
/// it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Line {
    /// The end with the smallest x; of a vertical line, with the smallest y.
    pub start: Cell,
    /// Where it goes from there.
    pub direction: Direction,
}

impl Line {
    /// Codes below this number are dense: see [`Line::code`].
    pub const DENSE_CODES: usize = 4 * 64 * 64;

    /// A number of its own for every line, under which a policy keeps what it has learnt. The lines that start in a
    /// square of 64 × 64 cells around the cross, and so nearly all that are ever played, have small numbers.
    ///
    /// ```
    /// use nestling_morpion::{Cell, Direction, Line};
    /// let line = Line { start: Cell { x: 3, y: -1 }, direction: Direction::Vertical };
    /// assert_eq!(line.code(), 4096 + 26 * 64 + 30);
    /// ```
    #[inline]
    pub const fn code(self) -> u64 {
        let direction = self.direction as u64;
        let (column, row) = (self.start.x.wrapping_add(27) as u16 as u64, self.start.y.wrapping_add(27) as u16 as u64);
        if column < 64 && row < 64 {
            direction << 12 | row << 6 | column
        } else {
            1 << 63 | direction << 32 | row << 16 | column
        }
    }

    /// The cells of the line, the first one first.
    pub fn cells(self, length: usize) -> impl Iterator<Item = Cell> {
        (0..length as i16).map(move |steps| self.start.along(self.direction, steps))
    }
}

/// A move: a line and which of its cells gets the new dot.
///
/// ```
/// use nestling_morpion::{Cell, Direction, Line, Move};
/// let line = Line { start: Cell { x: 3, y: -1 }, direction: Direction::Vertical };
/// assert_eq!(Move { line, hole: 0 }.dot(), Cell { x: 3, y: -1 });
/// assert_eq!(Move { line, hole: 4 }.dot(), Cell { x: 3, y: 3 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Move {
    /// The line that is drawn.
    pub line: Line,
    /// The index, from 0, of the new dot among the line's cells.
    pub hole: u8,
}

impl Move {
    /// The cell of the new dot.
    #[inline]
    pub const fn dot(self) -> Cell {
        self.line.start.along(self.line.direction, self.hole as i16)
    }
}
