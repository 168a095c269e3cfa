//! The games that NRPA learns from, and the seam where a fast engine plays them.

use serde::{Deserialize, Serialize};

use crate::stream::Rng;

/// Plays NRPA's games: **the seam where a fast engine takes over its playouts.**
///
/// An engine knows some of the problem's codes and numbers them from 0; a policy keeps the exponential of the weight
/// of code number k in place k, and may go on behind those the engine knows. Each move is drawn by the policy's values for the
/// legal moves, in their order, with [`draw`](crate::playout::draw): the game is the one that the problem's own methods would
/// give.
pub trait Learner<M> {
    /// The codes that the engine numbers, in the order of their numbers.
    fn codes(&self) -> Vec<u64>;

    /// Plays a game into an empty trace. False if this game is beyond the engine: the problem's own methods then play it
    /// again.
    fn play(&mut self, policy: &[f64], rng: &mut Rng, trace: &mut Trace<M>) -> bool;
}

/// A game with what adapting to it needs: for every step the codes of the moves considered and which was played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trace<M> {
    pub(crate) score: f64,
    pub(crate) moves: Vec<M>,
    /// The numbers of the codes of all moves considered, step after step.
    pub(crate) considered: Vec<u32>,
    /// Beside `considered`: what the rule's weight and the bias multiply the policy with. Empty if always 1.
    pub(crate) factors: Vec<f64>,
    /// For every step, where its moves begin in `considered` and which of them was played.
    pub(crate) steps: Vec<(u32, u32)>,
}

impl<M> Default for Trace<M> {
    fn default() -> Self {
        Trace { score: 0.0, moves: Vec::new(), considered: Vec::new(), factors: Vec::new(), steps: Vec::new() }
    }
}

impl<M> Trace<M> {
    /// Forgets the game, for the next.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.considered.clear();
        self.factors.clear();
        self.steps.clear();
    }

    /// A move with this code's number is considered; `factor` multiplies its policy.
    pub(crate) fn consider(&mut self, number: u32, factor: f64) {
        if factor != 1.0 && self.factors.is_empty() {
            self.factors.resize(self.considered.len(), 1.0);
        }
        if factor != 1.0 || !self.factors.is_empty() {
            self.factors.push(factor);
        }
        self.considered.push(number);
    }

    /// Move number `chosen` of the last `considered` ones is played.
    pub(crate) fn play(&mut self, played: M, chosen: usize, considered: usize) {
        self.steps.push(((self.considered.len() - considered) as u32, chosen as u32));
        self.moves.push(played);
    }

    /// A step of the game: the numbers of the codes of all legal moves in their order, which of them was chosen, and the
    /// move.
    #[inline]
    pub fn step(&mut self, considered: impl IntoIterator<Item = u32>, chosen: usize, played: M) {
        self.steps.push((self.considered.len() as u32, chosen as u32));
        self.considered.extend(considered);
        self.moves.push(played);
    }

    /// How many moves the game has so far.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether no move has been played.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The end of the game.
    pub fn end(&mut self, score: f64) {
        self.score = score;
    }
}
