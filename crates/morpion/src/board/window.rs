//! The window: where on the board a cell of the lattice is, and where in memory a line.
//!
//! The address of a line is direction · side² + track · side + position on the track:
//!
//! | direction | track | position |
//! |---|---|---|
//! | horizontal | y | x |
//! | vertical | x | y |
//! | falling | (x − y) mod side | x |
//! | rising | (x + y) mod side | x |
//!
//! Each diagonal track is shared by two diagonals, because a square has nearly twice as many diagonals as rows. That is
//! sound: a position on the track still belongs to one cell only, and where one diagonal leaves the window at an edge
//! and the other begins, both margins are without dots. Together they are as long as a line, so that no line has dots of both
//! diagonals, and every byte is changed by the dots of one of them only.

use super::Key;
use crate::geometry::{Cell, Direction, Line, Move};
use crate::variant::Variant;

/// How many cells at the high edges have no dots.
const HIGH_MARGIN: i16 = 1;

/// A square window of side 2^bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    bits: u32,
    /// Where in the window the lattice's (0,0) is, in both coordinates.
    origin: i16,
    /// How many cells at the low edges have no dots: as many as a line has before its last. Then the address of every
    /// line through a dot, and of every line that conflicts with a drawn one, is on the track where it belongs. At the
    /// high edges, where no line through a dot starts beyond it, one cell is enough.
    margin: i16,
}

impl Window {
    /// A window with the cross in its middle.
    pub(crate) fn around_cross(variant: Variant, bits: u32) -> Window {
        let margin = variant.line_length() as i16 - 1;
        let room = (1 << bits) - HIGH_MARGIN - margin - variant.box_side() as i16;
        Window { bits, origin: margin + room / 2, margin }
    }

    /// A window of twice the side.
    pub(crate) fn grown(self, variant: Variant) -> Window {
        Window::around_cross(variant, self.bits + 1)
    }

    /// A window with the cross as far to the top left as it can be, so that the next move up or left outgrows it.
    #[cfg(test)]
    pub(crate) fn cramped(variant: Variant, bits: u32) -> Window {
        let margin = variant.line_length() as i16 - 1;
        Window { bits, origin: margin, margin }
    }

    #[cfg(test)]
    pub(crate) fn bits(self) -> u32 {
        self.bits
    }

    /// The cell of the lattice at a column and row of the window.
    pub(crate) fn cell(self, x: i16, y: i16) -> Cell {
        Cell { x: x - self.origin, y: y - self.origin }
    }

    fn side(self) -> i16 {
        1 << self.bits
    }

    /// The number of addresses, one for each cell and direction.
    pub(crate) fn addresses(self) -> usize {
        4 << (2 * self.bits)
    }

    /// All cells of the window, row by row.
    pub(crate) fn cells(self) -> impl Iterator<Item = Cell> {
        let range = -self.origin..self.side() - self.origin;
        range.clone().flat_map(move |y| range.clone().map(move |x| Cell { x, y }))
    }

    /// Is the cell far enough from the edge to hold a dot?
    #[inline]
    pub(crate) fn has_room_at(self, cell: Cell) -> bool {
        let inside = |coordinate: i16| {
            let from_margin = coordinate.wrapping_add(self.origin - self.margin) as u16;
            from_margin < (self.side() - HIGH_MARGIN - self.margin) as u16
        };
        inside(cell.x) & inside(cell.y)
    }

    /// The column and row in the window.
    #[inline]
    pub(crate) fn locate(self, cell: Cell) -> (usize, usize) {
        let inside = |coordinate: i16| usize::from(coordinate.wrapping_add(self.origin) as u16);
        (inside(cell.x), inside(cell.y))
    }

    /// The number of a cell, row by row.
    #[inline]
    pub(crate) fn number(self, x: usize, y: usize) -> u32 {
        (y << self.bits | x) as u32
    }

    /// How the number of a cell changes with a step in a direction.
    #[inline]
    pub(crate) fn stride(self, direction: Direction) -> i32 {
        let (dx, dy) = direction.step();
        i32::from(dx) + (i32::from(dy) << self.bits)
    }

    /// The addresses of the four lines that start at a cell.
    #[inline]
    pub(crate) fn addresses_of(self, x: usize, y: usize) -> [usize; 4] {
        let bits = self.bits;
        let wrapped = (1 << bits) - 1;
        let directions = [0, 1 << (2 * bits), 2 << (2 * bits), 3 << (2 * bits)];
        [
            directions[0] | y << bits | x,
            directions[1] | x << bits | y,
            directions[2] | (x.wrapping_sub(y) & wrapped) << bits | x,
            directions[3] | ((x + y) & wrapped) << bits | x,
        ]
    }

    /// The address of a line; one of some line if this one is not in the window.
    #[inline(always)]
    pub(crate) fn address(self, line: Line) -> usize {
        let (x, y) = self.locate(line.start);
        let wrapped = (1 << self.bits) - 1;
        let direction = line.direction as usize;
        let track = [y, x, x.wrapping_sub(y), x.wrapping_add(y)][direction] & wrapped;
        let position = if direction == 1 { y } else { x } & wrapped;
        direction << (2 * self.bits) | track << self.bits | position
    }

    /// The line's address and the dot's number of a move whose cells are all in the window.
    pub(crate) fn key(self, of: Move) -> Key {
        let (x, y) = self.locate(of.dot());
        Key { line: self.address(of.line) as u32, dot: self.number(x, y) }
    }
}
