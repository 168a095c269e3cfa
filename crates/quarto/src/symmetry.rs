//! Symmetries: which positions differ only in names.
//!
//! The attributes can be exchanged and each can be turned around: 4! · 2⁴ = 384 ways. The board has 32 symmetries that
//! take lines to lines, of which only the 8 turns and reflections take squares to squares. So up to 12,288 (3,072 with
//! squares) positions are one. [`Position::canonical`] finds the same representative for all of them without trying them:
//!
//! - A table says which symmetries of the board give the set of occupied cells its least image, mostly a single one.
//! - Turned around are those attributes that the piece in hand has, or without one the piece on the first cell.
//! - An attribute is a board of sixteen bits, and exchanging attributes is exchanging boards, so the four are sorted.

use std::sync::LazyLock;

use crate::lines::Variant;
use crate::piece::Piece;
use crate::position::Position;

/// How a symmetry moves the cells.
type Permutation = [u8; 16];

/// Where each of the 32 symmetries takes the cells; the first 8 are the turns and reflections.
///
/// All others are one of these after rows and columns have both been exchanged in one of four ways: not at all, the inner
/// with the outer ones (two ways), or the inner ones with each other.
pub(crate) const SYMMETRIES: [Permutation; 32] = {
    const EXCHANGES: [[usize; 4]; 4] = [[0, 1, 2, 3], [0, 2, 1, 3], [1, 0, 3, 2], [1, 3, 0, 2]];
    let mut all = [[0; 16]; 32];
    let mut index = 0;
    while index < 32 {
        let exchange = EXCHANGES[index / 8];
        let mut cell = 0;
        while cell < 16 {
            let (mut row, mut column) = (exchange[cell / 4], exchange[cell % 4]);
            if index & 1 != 0 {
                row = 3 - row;
            }
            if index & 2 != 0 {
                column = 3 - column;
            }
            if index & 4 != 0 {
                (row, column) = (column, row);
            }
            all[index][cell] = (4 * row + column) as u8;
            cell += 1;
        }
        index += 1;
    }
    all
};

/// The image of a set of cells under each symmetry, in two halves.
static IMAGES: [[[u16; 256]; 2]; 32] = {
    let mut images = [[[0; 256]; 2]; 32];
    let mut index = 0;
    while index < 32 {
        let mut half = 0;
        while half < 2 {
            let mut bits = 1;
            while bits < 256_usize {
                let cell = bits.trailing_zeros() as usize + 8 * half;
                images[index][half][bits] = images[index][half][bits & (bits - 1)] | 1 << SYMMETRIES[index][cell];
                bits += 1;
            }
            half += 1;
        }
        index += 1;
    }
    images
};

/// The image of a set of cells.
#[inline(always)]
fn image(symmetry: usize, cells: u16) -> u16 {
    IMAGES[symmetry][0][usize::from(cells & 0xFF)] | IMAGES[symmetry][1][usize::from(cells >> 8)]
}

/// For every set of cells, as bits, the symmetries under which its image is the least.
struct Least(Vec<u32>);

impl Least {
    /// The table for a group of so many symmetries.
    fn new(order: usize) -> Least {
        let least = |cells: u16| {
            let images = (0..order).map(|symmetry| image(symmetry, cells));
            let lowest = images.clone().min();
            images.enumerate().fold(0, |bits, (symmetry, image)| bits | u32::from(Some(image) == lowest) << symmetry)
        };
        Least((0..=u16::MAX).map(least).collect())
    }
}

static LEAST_LINES: LazyLock<Least> = LazyLock::new(|| Least::new(32));
static LEAST_SQUARES: LazyLock<Least> = LazyLock::new(|| Least::new(8));

impl Variant {
    fn least(self, cells: u16) -> u32 {
        let table = match self {
            Variant::Lines => &LEAST_LINES,
            Variant::Squares => &LEAST_SQUARES,
        };
        table.0[usize::from(cells)]
    }
}

impl Position {
    /// The representative of all positions that are this one up to symmetry. Its piece in hand, if any, is number 0.
    ///
    /// ```
    /// use nestling_quarto::{Cell, Piece, Position, Variant};
    /// let after = |piece, cell| {
    ///     let mut position = Position::new(Variant::Lines);
    ///     position.give(Piece::new(piece).unwrap());
    ///     position.place(Cell::new(cell).unwrap());
    ///     position.canonical()
    /// };
    /// assert_eq!(after(3, 0), after(8, 10));
    /// assert_ne!(after(3, 0), after(3, 1));
    /// ```
    #[must_use]
    pub fn canonical(&self) -> Position {
        let occupied = !self.empty().bits();
        let (boards, occupied) = canonical_boards(self.variant(), self.boards(), occupied, self.hand());
        Position::from_boards(self.variant(), boards, occupied, self.hand().and(Piece::new(0)))
    }
}

/// The boards of the attributes and the occupied cells of the representative of a position.
#[inline]
pub(crate) fn canonical_boards(variant: Variant, boards: u64, cells: u16, hand: Option<Piece>) -> (u64, u16) {
    let mut boards = [0, 16, 32, 48].map(|shift| (boards >> shift) as u16);
    if let Some(hand) = hand {
        for (bit, board) in boards.iter_mut().enumerate() {
            *board ^= if hand.index() >> bit & 1 == 1 { cells } else { 0 };
        }
    }
    let mut symmetries = variant.least(cells);
    let occupied = image(symmetries.trailing_zeros() as usize, cells);
    let first = if hand.is_some() { 0 } else { occupied & occupied.wrapping_neg() };
    let mut least = u64::MAX;
    while symmetries != 0 {
        let symmetry = symmetries.trailing_zeros() as usize;
        symmetries &= symmetries - 1;
        let images = boards.map(|board| {
            let image = image(symmetry, board);
            if image & first != 0 { image ^ occupied } else { image }
        });
        least = least.min(sorted(images));
    }
    (least, occupied)
}

/// Four boards in one number, the largest first.
#[inline(always)]
fn sorted([a, b, c, d]: [u16; 4]) -> u64 {
    let (a, b) = (a.max(b), a.min(b));
    let (c, d) = (c.max(d), c.min(d));
    let (a, c) = (a.max(c), a.min(c));
    let (b, d) = (b.max(d), b.min(d));
    let (b, c) = (b.max(c), b.min(c));
    u64::from(a) << 48 | u64::from(b) << 32 | u64::from(c) << 16 | u64::from(d)
}
