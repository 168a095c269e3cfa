//! The plain rules: the oracle that the fast positions are tested against, and the judge of games that are read.

use nestling::{Ending, Player};

use crate::lines::Variant;
use crate::piece::{Cell, Piece};
use crate::position::{Move, Position};

/// A game in progress by the plainest rules there are: sixteen cells and a hand.
///
/// ```
/// use nestling_quarto::{Fault, Move, Piece, Rules, Variant};
/// let mut rules = Rules::new(Variant::Lines);
/// let piece = Piece::new(5).unwrap();
/// rules.play(Move::Give(piece))?;
/// assert_eq!(rules.play(Move::Give(piece)), Err(Fault::HandFull { given: piece, hand: piece }));
/// # Ok::<(), Fault>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    variant: Variant,
    cells: [Option<Piece>; 16],
    hand: Option<Piece>,
}

/// A move that the rules do not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The game has been won.
    #[error("the game is over: it has been won")]
    Won,
    /// All sixteen pieces have been placed.
    #[error("the game is over: all sixteen pieces are on the board")]
    Full,
    /// A piece is given while another one is in hand.
    #[error("{given} cannot be given before {hand} is placed")]
    HandFull {
        /// The piece to be given.
        given: Piece,
        /// The piece in hand.
        hand: Piece,
    },
    /// A cell is named with no piece in hand.
    #[error("there is no piece to place on {0}: one has to be given first")]
    HandEmpty(Cell),
    /// The piece is on the board.
    #[error("piece {piece} is on {cell} already")]
    Used {
        /// The piece.
        piece: Piece,
        /// Its place.
        cell: Cell,
    },
    /// The cell is taken.
    #[error("{cell} is taken by {piece}")]
    Taken {
        /// The cell.
        cell: Cell,
        /// The piece in the cell.
        piece: Piece,
    },
}

impl Rules {
    /// The empty board.
    pub const fn new(variant: Variant) -> Rules {
        Rules { variant, cells: [None; 16], hand: None }
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// With the rule that the move breaks; nothing has changed then.
    pub fn play(&mut self, played: Move) -> Result<(), Fault> {
        match self.ending() {
            Some(Ending::Win(_)) => return Err(Fault::Won),
            Some(Ending::Draw) => return Err(Fault::Full),
            None => {}
        }
        match (played, self.hand) {
            (Move::Give(given), Some(hand)) => return Err(Fault::HandFull { given, hand }),
            (Move::Place(cell), None) => return Err(Fault::HandEmpty(cell)),
            (Move::Give(piece), None) => {
                if let Some(cell) = Cell::ALL.iter().find(|cell| self.cells[cell.index()] == Some(piece)) {
                    return Err(Fault::Used { piece, cell });
                }
                self.hand = Some(piece);
            }
            (Move::Place(cell), Some(hand)) => {
                if let Some(piece) = self.cells[cell.index()] {
                    return Err(Fault::Taken { cell, piece });
                }
                self.cells[cell.index()] = Some(hand);
                self.hand = None;
            }
        }
        Ok(())
    }

    /// How the game has ended, if it has. Who placed last has won.
    pub fn ending(&self) -> Option<Ending> {
        let placed = self.cells.iter().flatten().count();
        let last = if placed % 2 == 1 { Player::Second } else { Player::First };
        if self.groups().iter().any(|group| self.alike(group)) {
            return Some(Ending::Win(last));
        }
        (placed == 16).then_some(Ending::Draw)
    }

    /// The lines that can win: each as four pairs of row and column.
    fn groups(&self) -> Vec<[(usize, usize); 4]> {
        let along = |place: &dyn Fn(usize) -> (usize, usize)| [0, 1, 2, 3].map(place);
        let mut groups = vec![along(&|k| (k, k)), along(&|k| (k, 3 - k))];
        for line in 0..4 {
            groups.extend([along(&|k| (line, k)), along(&|k| (k, line))]);
        }
        if self.variant == Variant::Squares {
            let corners = (0..3).flat_map(|row| (0..3).map(move |column| (row, column)));
            groups.extend(corners.map(|(row, column)| along(&|k| (row + k / 2, column + k % 2))));
        }
        groups
    }

    /// Whether four pieces are there that agree in an attribute.
    fn alike(&self, group: &[(usize, usize); 4]) -> bool {
        let pieces = group.map(|(row, column)| self.cells[4 * row + column]);
        let [Some(first), others @ ..] = pieces else { return false };
        let agree = |bit: usize| {
            others.iter().all(|other| other.is_some_and(|other| (other.index() ^ first.index()) >> bit & 1 == 0))
        };
        (0..4).any(agree)
    }
}

impl From<&Position> for Rules {
    fn from(position: &Position) -> Rules {
        let mut cells = [None; 16];
        Cell::ALL.iter().for_each(|cell| cells[cell.index()] = position.at(cell));
        Rules { variant: position.variant(), cells, hand: position.hand() }
    }
}
