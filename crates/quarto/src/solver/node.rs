//! A position as the search sees it: small, and without the piece in hand, which goes beside it.

use crate::lines::{HAVING, Lines, Variant};
use crate::piece::Piece;
use crate::position::{Position, SPREAD};
use crate::symmetry::canonical_boards;

use super::table::Key;

/// The lines, the occupied cells and the pieces left, in as few words as the variant needs.
#[derive(Clone, Copy)]
pub(super) struct Node<const WORDS: usize> {
    pub lines: Lines<WORDS>,
    boards: u64,
    pub occupied: u16,
    pub left: u16,
}

impl<const WORDS: usize> Node<WORDS> {
    const VARIANT: Variant = if WORDS == 2 { Variant::Lines } else { Variant::Squares };

    pub fn new(position: &Position) -> Self {
        debug_assert_eq!(position.variant(), Self::VARIANT);
        Node {
            lines: position.lines().first(),
            boards: position.boards(),
            occupied: !position.empty().bits(),
            left: position.left().bits(),
        }
    }

    #[inline(always)]
    pub fn place(&self, piece: Piece, cell: usize) -> Self {
        let mut lines = self.lines;
        lines.place(cell, piece.code());
        let boards = self.boards | SPREAD[piece.index()] << cell;
        Node { lines, boards, occupied: self.occupied | 1 << cell, left: self.left }
    }

    #[inline(always)]
    pub fn give(&self, piece: Piece) -> Self {
        Node { left: self.left ^ 1 << piece.index(), ..*self }
    }

    /// The pieces left that win nowhere at once.
    #[inline(always)]
    pub fn safe(&self) -> u16 {
        self.left & !HAVING[usize::from(self.lines.hot())]
    }

    /// The attributes that can still matter, as bits of a piece. Pieces that differ only in others are interchangeable.
    #[inline(always)]
    pub fn relevant(&self) -> usize {
        let live = self.lines.live();
        usize::from((live | live >> 4) & 15)
    }

    /// The key of all positions that are the same up to symmetry. `floor` keeps questions of different horizons apart.
    #[inline(always)]
    pub fn key(&self, hand: Piece, floor: u32) -> Key {
        let (boards, occupied) = canonical_boards(Self::VARIANT, self.boards, self.occupied, Some(hand));
        Key::new(boards, u64::from(occupied) | u64::from(floor) << 16 | (Self::VARIANT as u64) << 32)
    }
}
