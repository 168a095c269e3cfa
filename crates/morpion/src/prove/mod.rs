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
mod tail;

use nestling::{Illegal, Problem};

use crate::board::Board;
use crate::geometry::{Cell, Move};
use crate::notation::MorpionGame;
use crate::rules::Rules;
use crate::variant::Variant;
use grid::Grid;
use search::{Halt, ProofSearch};

pub use tail::ProvenTail;

/// How far the first window reaches beyond the dots of the game; it grows when a search comes near its edge.
const MARGIN: i16 = 16;

/// How many positions every move is searched for at first, where the order of moves is free.
const FIRST_TRY: u64 = 64;

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
    pub fn new(game: &MorpionGame) -> Result<Self, Illegal> {
        let certificate = Rules::new(game.variant).certify(&game.moves)?;
        let MorpionGame { variant, ref moves } = *game;
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

    /// The moves of the game, the proven tail last. [`step_in_any_order`](Prover::step_in_any_order) changes their order.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Takes a tail for proven, and so many positions for searched, as an earlier prover of the same game reported them.
    pub fn resume(&mut self, proven: usize, positions: u64) {
        self.proven = proven.min(self.moves.len());
        self.positions = positions;
    }

    /// Tries to prove one move more. `go_on` is told the number of positions searched, at every one of them, and answers
    /// whether to continue.
    pub fn step(&mut self, go_on: &mut dyn FnMut(u64) -> bool) -> ProofStep {
        if !self.is_complete {
            return self.longer(self.moves.len(), Vec::new());
        }
        if self.proven == self.moves.len() {
            return ProofStep::Whole;
        }
        self.prove_last(go_on)
    }

    /// The same as [`step`](Prover::step) for a move that need not be the last one before the proven tail: any move that no other one
    /// before the tail depends on may come last. Of these the one is taken whose proof takes the fewest positions, and it becomes the first
    /// move of the tail: the game is the same in another order.
    pub fn step_in_any_order(&mut self, go_on: &mut dyn FnMut(u64) -> bool) -> ProofStep {
        if !self.is_complete || self.proven == self.moves.len() {
            return self.step(go_on);
        }
        let mut most = FIRST_TRY;
        loop {
            for place in self.possible_last() {
                let mut attempt = self.clone();
                attempt.put_last(place);
                let (began, mut stopped) = (self.positions, false);
                let step = attempt.step(&mut |positions| {
                    stopped = !go_on(positions);
                    !stopped && positions - began <= most
                });
                (self.positions, self.margin) = (attempt.positions, attempt.margin);
                match step {
                    ProofStep::Stopped if stopped => return ProofStep::Stopped,
                    ProofStep::Stopped => {}
                    other => {
                        *self = attempt;
                        return other;
                    }
                }
            }
            most *= 2;
        }
    }

    /// The same game in an order in which one of its moves, and all that depend on it, come last; and how many these are. If so many moves
    /// are proven, no longer game contains all the others.
    pub fn without(&self, place: usize) -> (Prover, usize) {
        let length = self.variant.line_length() as i16;
        let mut removed: Vec<Move> = vec![self.moves[place]];
        let mut kept = self.moves[..place].to_vec();
        for later in &self.moves[place + 1..] {
            let mut cells = (0..length).map(|at| later.line.start.along(later.line.direction, at));
            let depends = cells.any(|cell| cell != later.dot() && removed.iter().any(|gone| gone.dot() == cell));
            if depends { removed.push(*later) } else { kept.push(*later) }
        }
        let count = removed.len();
        kept.extend(removed);
        (Prover { moves: kept, proven: 0, positions: 0, ..self.clone() }, count)
    }

    /// The places, before the tail, of moves whose dots no other move before the tail needs, the last first.
    fn possible_last(&self) -> Vec<usize> {
        let kept = &self.moves[..self.moves.len() - self.proven];
        let length = self.variant.line_length() as i16;
        let needs = |later: &Move, dot: Cell| {
            (0..length).any(|place| later.line.start.along(later.line.direction, place) == dot)
        };
        let is_free = |&place: &usize| kept[place + 1..].iter().all(|later| !needs(later, kept[place].dot()));
        (0..kept.len()).rev().filter(is_free).collect()
    }

    /// Makes the move at a place the last one before the tail.
    fn put_last(&mut self, place: usize) {
        let kept = self.moves.len() - self.proven;
        self.moves[place..kept].rotate_left(1);
    }

    fn prove_last(&mut self, go_on: &mut dyn FnMut(u64) -> bool) -> ProofStep {
        let kept = self.moves.len() - self.proven;
        loop {
            let grid = Grid::new(self.variant, &self.moves[..kept - 1], self.margin);
            let own = grid.id(self.moves[kept - 1].line);
            let positions = &mut self.positions;
            let mut watch = || {
                *positions += 1;
                go_on(*positions)
            };
            let mut search = ProofSearch::new(grid, &mut watch);
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
