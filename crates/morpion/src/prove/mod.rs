//! The longest proven tail of a game: its last moves, from a position that no longer game continues.
//!
//! If no continuation of the position before the last `k` moves is longer than `k` moves, the *tail* of `k` moves is proven.
//! The proof grows by one move at a time. For the tail of `k + 1` moves, continuations that play the game's own next move
//! have at most `1 + k` moves, because that move may be played first. What is left to search are the continuations that never
//! draw its line, for one of at least `k + 2` moves.
//!
//! ```
//! use nestling_morpion::{ProofStep, Prover, published};
//! let record = published().into_iter().find(|record| record.id == "hyyroporanen35").unwrap();
//! let mut prover = Prover::new(&record.reading.game).unwrap();
//! while prover.proven() < 5 {
//!     assert_eq!(prover.step(&mut |_| true), ProofStep::Proven);
//! }
//! ```

mod grid;
mod reach;
mod search;

use nestling::{Illegal, Problem};

use crate::board::Board;
use crate::geometry::Move;
use crate::notation::Game;
use crate::rules::Rules;
use crate::variant::Variant;
use grid::Grid;
use search::{Halt, Search};

/// How far the first window reaches beyond the dots of the game; it grows when a search comes near its edge.
const MARGIN: i16 = 16;

/// Proves the tail of a game, one move more with every step.
///
/// The search keeps no table of positions: it needs hardly any memory, and the proof does not depend on hash values.
#[derive(Clone, Debug)]
pub struct Prover {
    variant: Variant,
    moves: Vec<Move>,
    proven: usize,
    is_complete: bool,
    positions: u64,
    margin: i16,
}

/// The result of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum ProofStep {
    /// The proven tail has become longer by one move.
    Proven,
    /// The whole game is proven already: no game of the variant is longer.
    Whole,
    /// A longer game with the same beginning, verified by the plain rules. The tail cannot be proven any further.
    Longer(Vec<Move>),
    /// The caller wanted to stop. The next step begins with the same tail again.
    Stopped,
}

impl Prover {
    /// Starts with a game. Nothing of it is proven yet.
    ///
    /// # Errors
    ///
    /// When the game is illegal.
    pub fn new(game: &Game) -> Result<Self, Illegal> {
        let certificate = Rules::new(game.variant).certify(&game.moves)?;
        let Game { variant, ref moves } = *game;
        let moves = moves.clone();
        Ok(Prover { variant, moves, proven: 0, is_complete: certificate.terminal, positions: 0, margin: MARGIN })
    }

    /// The number of moves of the proven tail: no longer game continues the moves before it.
    pub fn proven(&self) -> usize {
        self.proven
    }

    /// The number of positions that were searched.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Takes a tail for proven, and so many positions for searched, as an earlier prover of the same game reported them.
    pub fn resume(&mut self, proven: usize, positions: u64) {
        self.proven = proven.min(self.moves.len());
        self.positions = positions;
    }

    /// Tries to prove one move more. `go_on` is told the number of positions searched, at every one of them, and answers
    /// whether to go on.
    pub fn step(&mut self, go_on: &mut dyn FnMut(u64) -> bool) -> ProofStep {
        let kept = self.moves.len() - self.proven;
        if !self.is_complete {
            return self.longer(self.moves.len(), Vec::new());
        }
        if kept == 0 {
            return ProofStep::Whole;
        }
        loop {
            let grid = Grid::new(self.variant, &self.moves[..kept - 1], self.margin);
            let own = grid.id(self.moves[kept - 1].line);
            let positions = &mut self.positions;
            let mut watch = || {
                *positions += 1;
                go_on(*positions)
            };
            let mut search = Search::new(grid, &mut watch);
            match search.find(Some(own), self.proven + 2) {
                Ok(false) => {
                    self.proven += 1;
                    return ProofStep::Proven;
                }
                Ok(true) => {
                    let played = std::mem::take(&mut search.played);
                    let tail = played.into_iter().map(|(line, dot)| search.grid().as_move(line, dot)).collect();
                    return self.longer(kept - 1, tail);
                }
                Err(Halt::Stopped) => return ProofStep::Stopped,
                Err(Halt::Edge) => self.margin *= 2,
            }
        }
    }

    /// The beginning of the game with another tail, played to its end and verified.
    fn longer(&self, kept: usize, tail: Vec<Move>) -> ProofStep {
        let moves = [&self.moves[..kept], &tail].concat();
        let mut board = Board::after(self.variant, &moves).expect("the search plays legal moves");
        let mut legal = Vec::new();
        loop {
            board.legal_moves(&mut legal);
            let Some(&next) = legal.first() else { break };
            board.play(next);
        }
        let moves = board.moves_played().to_vec();
        let certificate = Rules::new(self.variant).certify(&moves).expect("the search plays legal moves");
        assert!(certificate.terminal && moves.len() > self.moves.len(), "a search found what it did not look for");
        ProofStep::Longer(moves)
    }
}
