//! SameGame: remove groups of cells of one colour until none is left.
//!
//! A move takes away a group of n ≥ 2 cells of one colour that hang together by their sides, for (n − 2)² points; the cells
//! above fall down, empty columns close to the left, and an empty board is worth 1000 points more.

mod board;
mod column;
mod draw;
mod features;
mod game;
mod learner;
mod playouts;
mod presentation;
mod rules;

pub use board::{BoardError, MAX_COLOURS, MAX_SIDE, SameGameBoard};
pub use draw::{draw, svg};
pub use game::SameGame;
pub use rules::Rules;

use serde::{Deserialize, Serialize};

/// The points for an empty board.
pub(crate) const CLEARED: i64 = 1000;

/// How many moves are the opening, in which some playout policies take no groups of two.
pub(crate) const OPENING: u32 = 10;

/// A cell: column and row from 0, the lower left corner first. As a move it stands for its whole group, of which it is the
/// first cell: the lowest of the leftmost column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// The column, from the left.
    pub column: u8,
    /// The row, from below.
    pub row: u8,
}

impl std::fmt::Display for Cell {
    /// Column and row as people count: `1,1` is the lower left corner.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", u32::from(self.column) + 1, u32::from(self.row) + 1)
    }
}

impl std::str::FromStr for Cell {
    type Err = String;

    fn from_str(text: &str) -> Result<Cell, String> {
        let number = |text: &str| text.trim().parse::<u8>().ok()?.checked_sub(1);
        let cell = text.split_once(',').and_then(|(column, row)| Some((number(column)?, number(row)?)));
        let (column, row) =
            cell.ok_or("a move is a cell such as 3,1: its column from the left and its row from below")?;
        Ok(Cell { column, row })
    }
}

/// The value (n − 2)² of a group, or of the cells of a colour that are left over.
pub(crate) fn square(cells: usize) -> i64 {
    let beyond = cells.saturating_sub(2) as i64;
    beyond * beyond
}
