//! What every technique offers, and the plain scan of the board that the slow ones are made of.

use super::BaselineError;
use super::code::{self, MARGIN};
use super::squares::Squares;

/// A position of the game with its list of possible moves, kept up to date by one of the paper's techniques.
///
/// A game is begun again by `clone_from` of a position kept for the purpose, and a search keeps its states the same
/// way: copying a board is what the paper does.
pub trait TrackedPosition: Clone {
    /// The side of the board.
    const SIDE: usize;

    /// The start of a game.
    fn new() -> Self;

    /// Plays a move of the list. `Err`, with the position unchanged, when its dot would be too close to the border.
    ///
    /// A code that is not in the list breaks the position or panics.
    fn play(&mut self, played: u16) -> Result<(), BaselineError>;

    /// The codes of the possible moves, each once, in the technique's order.
    fn legal(&self) -> &[u16];

    /// Which square of a possible line, counted from its start, has no dot yet.
    fn hole(&self, code: u16) -> usize;
}

/// Names the code of every move of a position, looking at the whole board.
#[inline(always)]
pub(crate) fn all_moves<const SIDE: usize, const TOUCHING: bool>(
    squares: &Squares<SIDE, TOUCHING>,
    mut found: impl FnMut(u16),
) {
    for y in 0..SIDE {
        for x in 0..SIDE {
            moves_from(squares, x, y, &mut found);
        }
    }
}

/// Names the code of every move whose line starts at (x, y).
#[inline(always)]
pub(crate) fn moves_from<const SIDE: usize, const TOUCHING: bool>(
    squares: &Squares<SIDE, TOUCHING>,
    x: usize,
    y: usize,
    found: &mut impl FnMut(u16),
) {
    let (left, right, up) = (x >= MARGIN, x < SIDE - MARGIN, y < SIDE - MARGIN);
    for (direction, fits) in [up && left, up, up && right, right].into_iter().enumerate() {
        if fits && squares.can_draw(direction, x, y) {
            found(code::code(SIDE, direction, x, y));
        }
    }
}
