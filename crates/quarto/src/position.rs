//! Positions and the moves between them: the rules.

use nestling::{Ending, Player, Rng};
use serde::{Deserialize, Serialize};

use crate::lines::{HAVING, LINES, Lines, Variant};
use crate::piece::{Cell, Cells, Member, Piece, Pieces, Trait};

/// A move: give a piece to the opponent, or place the piece that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Move {
    /// Give this piece to the opponent.
    Give(Piece),
    /// Put the piece in hand on this cell.
    Place(Cell),
}

/// A position: the board, and the piece in hand where one has been given and not placed.
///
/// The first player gives a piece, the second places it and gives one back, and so on.
///
/// ```
/// use nestling_quarto::{Cell, Piece, Position, Variant};
/// let mut position = Position::new(Variant::Lines);
/// for (piece, cell) in [(0, 0), (2, 1), (4, 2)] {
///     position.give(Piece::new(piece).unwrap());
///     position.place(Cell::new(cell).unwrap());
/// }
/// position.give(Piece::new(6).unwrap());
/// assert_eq!(position.winning_cells().iter().collect::<Vec<_>>(), Cell::new(3).as_slice());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    variant: Variant,
    hand: Option<Piece>,
    /// The pieces neither on the board nor in hand.
    left: u16,
    occupied: u16,
    /// A board of sixteen bits for each attribute: where the pieces are that have it.
    boards: u64,
    lines: Lines<3>,
}

impl Position {
    /// The empty board.
    pub const fn new(variant: Variant) -> Position {
        Position { variant, hand: None, left: 0xFFFF, occupied: 0, boards: 0, lines: Lines::new(variant) }
    }

    /// A position without a win that random moves lead to, with so many pieces placed and, if wanted, one in hand. Every time the
    /// moves win, they begin again.
    ///
    /// # Panics
    ///
    /// If there are not that many pieces.
    ///
    /// ```
    /// use nestling_quarto::{Position, Variant};
    /// let position = Position::random(Variant::Squares, 5, true, &mut nestling::Stream::new(1).rng());
    /// assert_eq!((position.placed(), position.hand().is_some(), position.is_won()), (5, true, false));
    /// ```
    pub fn random(variant: Variant, placed: usize, with_hand: bool, rng: &mut Rng) -> Position {
        let give_any = |position: &mut Position, rng: &mut Rng| {
            let left = position.left();
            position.give(left.pick(rng.below(left.len())));
        };
        loop {
            let mut position = Position::new(variant);
            while position.placed() < placed && !position.is_won() {
                give_any(&mut position, rng);
                let empty = position.empty();
                position.place(empty.pick(rng.below(empty.len())));
            }
            if !position.is_won() {
                if with_hand {
                    give_any(&mut position, rng);
                }
                return position;
            }
        }
    }

    /// The variant: which lines win.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The piece that has been given and is to be placed.
    #[inline]
    pub const fn hand(&self) -> Option<Piece> {
        self.hand
    }

    /// The pieces that can be given: neither on the board nor in hand.
    #[inline]
    pub const fn left(&self) -> Pieces {
        Pieces::from_bits(self.left)
    }

    /// The empty cells.
    #[inline]
    pub const fn empty(&self) -> Cells {
        Cells::from_bits(!self.occupied)
    }

    /// How many pieces are on the board.
    #[inline]
    pub const fn placed(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// The piece on a cell.
    pub fn at(&self, cell: Cell) -> Option<Piece> {
        (!self.empty().contains(cell)).then(|| piece_at(self.boards, cell))
    }

    /// Gives a piece, which must be [left](Position::left), to the opponent, who must have none in hand.
    #[inline]
    pub fn give(&mut self, piece: Piece) {
        debug_assert!(self.hand.is_none() && self.left().contains(piece), "{piece} cannot be given");
        self.left ^= 1 << piece.index();
        self.hand = Some(piece);
    }

    /// Places the piece in hand on a cell, which must be [empty](Position::empty).
    ///
    /// # Panics
    ///
    /// Without a piece in hand.
    #[inline]
    pub fn place(&mut self, cell: Cell) {
        debug_assert!(self.empty().contains(cell), "{cell} is taken");
        let piece = self.hand.take().expect("a piece is in hand");
        self.occupied |= 1 << cell.index();
        self.boards |= SPREAD[piece.index()] << cell.index();
        self.lines.place(cell.index(), piece.code());
    }

    /// The legal moves, in the order of their numbers; none when the game is over.
    pub fn moves(&self) -> impl Iterator<Item = Move> + use<> {
        let (pieces, cells) = match self.hand {
            _ if self.ending().is_some() => (0, 0),
            Some(_) => (0, !self.occupied),
            None => (self.left, 0),
        };
        Pieces::from_bits(pieces).iter().map(Move::Give).chain(Cells::from_bits(cells).iter().map(Move::Place))
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, played: Move) {
        match played {
            Move::Give(piece) => self.give(piece),
            Move::Place(cell) => self.place(cell),
        }
    }

    /// Whether the last piece has completed a line of pieces that share a trait.
    #[inline]
    pub fn is_won(&self) -> bool {
        self.lines.won()
    }

    /// The lines that are complete and share a trait, each as its cells and these traits.
    pub fn won_lines(&self) -> Vec<(Cells, Vec<Trait>)> {
        let full = |&line: &usize| LINES[line] & !self.occupied == 0 && self.lines.shared(line) != 0;
        let traits = |line| Trait::all().filter(|value| self.lines.shared(line) >> value.index() & 1 == 1).collect();
        (0..LINES.len()).filter(full).map(|line| (Cells::from_bits(LINES[line]), traits(line))).collect()
    }

    /// The cells where the piece in hand wins at once.
    #[inline]
    pub fn winning_cells(&self) -> Cells {
        Cells::from_bits(self.hand.map_or(0, |piece| self.lines.winning(self.occupied, piece.code())))
    }

    /// The pieces left that win nowhere at once.
    #[inline]
    pub fn safe_pieces(&self) -> Pieces {
        Pieces::from_bits(self.left & !HAVING[usize::from(self.lines.hot())])
    }

    /// The player who has to choose next, a cell or a piece.
    ///
    /// ```
    /// use nestling::Player;
    /// use nestling_quarto::{Cell, Piece, Position, Variant};
    /// let mut position = Position::new(Variant::Lines);
    /// assert_eq!(position.turn(), Player::First);
    /// position.give(Piece::new(3).unwrap());
    /// assert_eq!(position.turn(), Player::Second);
    /// position.place(Cell::new(3).unwrap());
    /// assert_eq!(position.turn(), Player::Second);
    /// ```
    #[inline]
    pub const fn turn(&self) -> Player {
        let is_first = (self.placed() + self.hand.is_some() as usize).is_multiple_of(2);
        if is_first { Player::First } else { Player::Second }
    }

    /// How the game has ended, if it has.
    #[inline]
    pub fn ending(&self) -> Option<Ending> {
        // Whoever placed the winning piece would have to give the next.
        if self.is_won() { Some(Ending::Win(self.turn())) } else { (self.occupied == 0xFFFF).then_some(Ending::Draw) }
    }

    /// The position with these boards.
    pub(crate) fn from_boards(variant: Variant, boards: u64, occupied: u16, hand: Option<Piece>) -> Position {
        let mut lines = Lines::new(variant);
        let mut left = hand.map_or(0xFFFF, |piece| 0xFFFF ^ 1 << piece.index());
        for cell in Cells::from_bits(occupied) {
            let piece = piece_at(boards, cell);
            left &= !(1 << piece.index());
            lines.place(cell.index(), piece.code());
        }
        Position { variant, hand, left, occupied, boards, lines }
    }

    /// The lines, for the solver.
    #[inline(always)]
    pub(crate) const fn lines(&self) -> &Lines<3> {
        &self.lines
    }

    /// A board for each attribute, for the symmetries.
    #[inline(always)]
    pub(crate) const fn boards(&self) -> u64 {
        self.boards
    }
}

/// The piece that has the attributes of the boards that have the cell.
#[inline(always)]
fn piece_at(boards: u64, cell: Cell) -> Piece {
    let bits = boards >> cell.index() & 0x0001_0001_0001_0001;
    // Four bits that are sixteen apart fall side by side at the top.
    Piece::numbered((bits.wrapping_mul(0x1000_2000_4000_8000) >> 60) as u8)
}

/// A piece as a bit in each of the four boards of its attributes.
pub(crate) const SPREAD: [u64; 16] = {
    let mut spread = [0; 16];
    let mut piece = 0;
    while piece < 16 {
        let mut bit = 0;
        while bit < 4 {
            spread[piece] |= (piece as u64 >> bit & 1) << (16 * bit);
            bit += 1;
        }
        piece += 1;
    }
    spread
};
