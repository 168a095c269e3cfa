//! An agent plays one side of a game.

use std::sync::Arc;

use super::{EndingCounts, Memories};
use crate::game::{Game, Player, PlayerResult, Proof};
use crate::stream::Stream;
use crate::watch::Cancel;

/// Plays one side of one game. It is told every move, its own included, and so knows the state.
pub trait Agent<G: Game>: Send {
    /// A move was played, by either side.
    fn observe(&mut self, played: G::Move);

    /// The move to play now; each move has its own stream. The game must not be over.
    fn choose(&mut self, stream: Stream) -> Decision<G::Move>;
}

/// Resources and settings of an agent.
#[derive(Clone, Debug)]
pub struct Setting<M> {
    /// At most so many threads. They change the moves only if the budget is a time.
    pub threads: usize,
    /// When this is cancelled, a search plays the best move it has found so far.
    pub cancel: Cancel,
    /// The games that strategies mention.
    pub memories: Arc<Memories<M>>,
}

impl<M> Default for Setting<M> {
    /// One thread, and no games.
    fn default() -> Self {
        Setting { threads: 1, cancel: Cancel::new(), memories: Arc::default() }
    }
}

/// A move, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision<M> {
    /// The move to play.
    pub played: M,
    /// The assessments of the moves, in the game's order; empty if the player does not compare moves. Of symmetric moves only one may be
    /// listed.
    pub assessments: Vec<Assessment<M>>,
}

impl<M> Decision<M> {
    /// A move without reasons.
    pub fn plain(played: M) -> Self {
        Decision { played, assessments: Vec::new() }
    }
}

/// A search's assessment of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assessment<M> {
    /// The move.
    pub played: M,
    /// How many simulations played this move.
    pub visits: u64,
    /// How simulations through the position after it ended. With transpositions these are more than the visits.
    pub tally: EndingCounts,
    /// Its proven result, if there is one; the number of moves counts from the position after it.
    pub proof: Option<Proof>,
}

impl<M> Assessment<M> {
    /// A move about which nothing is known.
    pub(super) fn unknown(played: M) -> Self {
        Assessment { played, visits: 0, tally: EndingCounts::default(), proof: None }
    }

    /// The value of the move to a player, from 0 to 1, with `draw` for a draw. A proven draw has the value of its simulations, because some
    /// draws are more difficult for the opponent than others.
    pub fn value(&self, player: Player, draw: f64) -> f64 {
        match self.proof.map(|solved| solved.ending.seen_by(player)) {
            Some(PlayerResult::Win) => 1.0,
            Some(PlayerResult::Loss) => 0.0,
            Some(PlayerResult::Draw) if self.tally.visits() == 0 => draw,
            _ => self.tally.value(player, draw),
        }
    }
}

/// Plays like one agent until the game reaches a stage, then like another.
pub(super) struct Staged<G> {
    pub state: G,
    pub from: u32,
    pub before: Box<dyn Agent<G>>,
    pub then: Box<dyn Agent<G>>,
}

impl<G: Game> Agent<G> for Staged<G> {
    fn observe(&mut self, played: G::Move) {
        self.state.play(played);
        self.before.observe(played);
        self.then.observe(played);
    }

    fn choose(&mut self, stream: Stream) -> Decision<G::Move> {
        let agent = if self.state.stage() < self.from { &mut self.before } else { &mut self.then };
        agent.choose(stream)
    }
}
