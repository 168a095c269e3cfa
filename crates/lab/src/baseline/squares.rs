//! The board as bytes (III.D), and the table that knows a playable group of five squares (II.G).

use nestling_morpion::Variant;

use super::BaselineError;
use super::code::{self, LENGTH, MARGIN};

/// The bit D in its four places.
const DOT: u8 = 0b0101_0101;

/// Group of five squares, two bits each, the leftmost in the highest bits → 1 if a line can be drawn there.
///
/// For touching lines the bit L of a square says that a line covers the step *from* this square to the next, so that a
/// line sets four of them and does not care for the one of its last square. The paper leaves 5T as "similar".
pub(crate) static PLAYABLE: [[u8; 1024]; 2] = [playable(false), playable(true)];

const fn playable(touching: bool) -> [u8; 1024] {
    let lines = if touching { 0b10_10_10_10_00 } else { 0b10_10_10_10_10 };
    let mut table = [0; 1024];
    let mut group = 0;
    while group < table.len() {
        let dots = (group & 0b01_01_01_01_01).count_ones();
        table[group] = (dots as usize == LENGTH - 1 && group & lines == 0) as u8;
        group += 1;
    }
    table
}

/// A board of `SIDE` × `SIDE` squares `L0 D L1 D L2 D L3 D`: is there a dot, and is there a line of this direction.
#[derive(Clone)]
pub(crate) struct Squares<const SIDE: usize, const TOUCHING: bool> {
    rows: [[u8; SIDE]; SIDE],
}

impl<const SIDE: usize, const TOUCHING: bool> Squares<SIDE, TOUCHING> {
    /// The table for the variant played here.
    pub(crate) const PLAYABLE: &'static [u8; 1024] = &PLAYABLE[TOUCHING as usize];

    /// The first and the last code of the lines that overlap a line.
    #[inline(always)]
    pub(crate) const fn overlapping(line: u16) -> (u16, u16) {
        let distance = if TOUCHING { 3 } else { 4 };
        (line - distance, line + distance)
    }

    /// The cross in the middle of the board.
    pub(crate) fn new() -> Self {
        let mut rows = [[0; SIDE]; SIDE];
        let origin = code::origin(SIDE);
        for cell in Variant::FiveD.cross() {
            rows[(origin + cell.y) as usize][(origin + cell.x) as usize] |= DOT;
        }
        Squares { rows }
    }

    /// Which square of the line gets the new dot, counted from its start.
    #[inline(always)]
    pub(crate) fn hole(&self, direction: usize, start: usize) -> usize {
        let stride = code::stride(SIDE, direction);
        let line = &self.rows.as_flattened()[start..start + MARGIN * stride + 1];
        let mut dots = 0u32;
        for step in 0..LENGTH {
            dots |= u32::from(line[step * stride] & 1) << step;
        }
        dots.trailing_ones() as usize
    }

    /// Is the square with this index, which has dots next to it, off the margin?
    #[inline(always)]
    pub(crate) fn is_inside(&self, dot: usize) -> bool {
        let inner = SIDE - 2 * MARGIN;
        (dot % SIDE).wrapping_sub(MARGIN) < inner && (dot / SIDE).wrapping_sub(MARGIN) < inner
    }

    /// Puts a dot on the square with index `dot` and draws the line of `direction` from `start` through it. `Err`, and
    /// nothing changed, when the dot would be on the margin.
    #[inline(always)]
    pub(crate) fn draw(&mut self, direction: usize, start: usize, dot: usize) -> Result<(), BaselineError> {
        if !self.is_inside(dot) {
            return Err(BaselineError::OffBoard);
        }
        let stride = code::stride(SIDE, direction);
        let squares = self.rows.as_flattened_mut();
        squares[dot] |= DOT;
        let line = &mut squares[start..start + MARGIN * stride + 1];
        for step in 0..if TOUCHING { LENGTH - 1 } else { LENGTH } {
            line[step * stride] |= 2 << Self::shift(direction);
        }
        Ok(())
    }

    /// How far the two bits of a direction are from the byte's lowest.
    #[inline(always)]
    const fn shift(direction: usize) -> usize {
        6 - 2 * direction
    }

    /// `2·COUNT` bits: the state of `COUNT` consecutive squares from the one with index `first`, which has the highest.
    #[inline(always)]
    pub(crate) fn group<const COUNT: usize>(&self, direction: usize, first: usize) -> usize {
        let stride = code::stride(SIDE, direction);
        let squares = &self.rows.as_flattened()[first..first + (COUNT - 1) * stride + 1];
        let mut bits = 0u32;
        for step in 0..COUNT {
            bits = bits << 2 | u32::from(squares[step * stride] >> Self::shift(direction)) & 3;
        }
        bits as usize
    }

    /// Touching lines, after a move that put its dot at an end of its line: the one line of the same direction that
    /// this can have made playable, and 1 if it did.
    #[inline(always)]
    pub(crate) fn touching(&self, direction: usize, played: u16, start: usize, hole: usize) -> (u16, u8) {
        let distance = MARGIN * code::stride(SIDE, direction);
        let before = hole == 0;
        let group = self.group::<LENGTH>(direction, if before { start - distance } else { start + distance });
        (if before { played - MARGIN as u16 } else { played + MARGIN as u16 }, Self::PLAYABLE[group])
    }

    /// Can the line of this direction be drawn that starts at (x, y)?
    #[inline(always)]
    pub(crate) fn can_draw(&self, direction: usize, x: usize, y: usize) -> bool {
        Self::PLAYABLE[self.group::<LENGTH>(direction, y * SIDE + x)] == 1
    }
}
