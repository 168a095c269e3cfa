//! Somebody who plays a game.

use std::sync::Arc;

use super::{EndingCounts, Memories};
use crate::game::{Game, Player, PlayerResult, Proof};
use crate::stream::Stream;
use crate::watch::Cancel;

/// Plays one side of one game. It is told of every move, its own included, and so knows the state.
pub trait Agent<G: Game>: Send {
    /// Somebody has played a move.
    fn observe(&mut self, played: G::Move);

    /// The move to play now, which has a stream of its own. The game must not be over.
    fn choose(&mut self, stream: Stream) -> Decision<G::Move>;
}

/// What an agent works with.
#[derive(Clone, Debug)]
pub struct Setting<M> {
    /// At most so many threads. Nothing but a budget in time makes moves depend on them.
    pub threads: usize,
    /// After this is pressed a search plays what seems best so far.
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
    /// What is thought of the moves, in the game's order; nothing where the player does not weigh moves against each other.
    /// Moves that are alike by symmetry may be listed once.
    pub assessments: Vec<Assessment<M>>,
}

impl<M> Decision<M> {
    /// A move without reasons.
    pub fn plain(played: M) -> Self {
        Decision { played, assessments: Vec::new() }
    }
}

/// What a search thinks of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assessment<M> {
    /// The move.
    pub played: M,
    /// How many simulations went this way.
    pub visits: u64,
    /// How simulations through the position after it ended. With transpositions there are more of them than visits.
    pub tally: EndingCounts,
    /// What it comes to, where that is proven; the number of moves counts from the position after it.
    pub proof: Option<Proof>,
}

impl<M> Assessment<M> {
    /// A move of which nothing is known.
    pub(super) fn unknown(played: M) -> Self {
        Assessment { played, visits: 0, tally: EndingCounts::default(), proof: None }
    }

    /// What the move is worth to a player, from 0 to 1, with `draw` for a draw. A proven draw counts as simulations went:
    /// against somebody who errs there are better and worse ones.
    pub fn value(&self, player: Player, draw: f64) -> f64 {
        match self.proof.map(|solved| solved.ending.seen_by(player)) {
            Some(PlayerResult::Win) => 1.0,
            Some(PlayerResult::Loss) => 0.0,
            Some(PlayerResult::Draw) if self.tally.visits() == 0 => draw,
            _ => self.tally.value(player, draw),
        }
    }
}

/// Plays like one agent until the game has come to a stage, then like another.
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
