//! Games as text: one file per notation.

use crate::geometry::Move;
use crate::variant::Variant;

pub mod pentasol;
mod scan;

/// A game: the variant and the moves from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The variant that is played.
    pub variant: Variant,
    /// The moves, the first one first.
    pub moves: Vec<Move>,
}
