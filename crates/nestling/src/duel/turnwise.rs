//! A player that searches in whole turns and plays move by move.

use super::joined::ends_turn;
use super::uct::UctAgent;
use super::{Agent, Assessment, Decision, Joined, WholeTurn};
use crate::game::{Ending, Game, Player};
use crate::problem::Move;
use crate::stream::Stream;

/// UCT on the [`Joined`] game.
pub(super) struct Turnwise<G: Game> {
    state: G,
    inner: UctAgent<Joined<G>>,
    /// The first move of the current turn.
    begun: Option<G::Move>,
    /// The turn that was chosen, and its assessments.
    decided: Option<Decision<WholeTurn<G::Move>>>,
}

impl<G: Game> Turnwise<G> {
    pub fn new(state: G, inner: UctAgent<Joined<G>>) -> Self {
        Turnwise { state, inner, begun: None, decided: None }
    }
}

impl<G: Game> Agent<G> for Turnwise<G> {
    fn observe(&mut self, played: G::Move) {
        let player = self.state.turn();
        self.state.play(played);
        let turn = match self.begun.take() {
            Some(first) => WholeTurn { first, second: Some(played) },
            None if ends_turn(&self.state, player) => WholeTurn { first: played, second: None },
            None => {
                self.begun = Some(played);
                return;
            }
        };
        self.decided = None;
        self.inner.observe(turn);
    }

    fn choose(&mut self, stream: Stream) -> Decision<G::Move> {
        if let Some(begun) = self.begun {
            if let Some(second) = self.decided.as_ref().and_then(|decided| second_half(decided, begun)) {
                return second;
            }
            // Another agent made the first move of this turn, so the chosen turn no longer applies.
            self.begun = None;
            self.inner.restart(Joined::new(self.state.clone()));
        }
        let decision = self.inner.choose(stream);
        let first = first_half(&decision, self.state.turn());
        self.decided = Some(decision);
        first
    }
}

/// The first moves of turns; the value of each is that of all turns that begin with it together. A first move is a proven win if one of its
/// turns is; nothing else is proven about it.
fn first_half<M: Move>(decision: &Decision<WholeTurn<M>>, mover: Player) -> Decision<M> {
    let mut firsts: Vec<Assessment<M>> = Vec::new();
    for turn in &decision.assessments {
        let same = firsts.iter().position(|first| first.played == turn.played.first);
        let index = same.unwrap_or_else(|| {
            firsts.push(Assessment::unknown(turn.played.first));
            firsts.len() - 1
        });
        let first = &mut firsts[index];
        first.visits += turn.visits;
        first.tally.merge(turn.tally);
        first.proof = first.proof.or(turn.proof.filter(|solved| solved.ending == Ending::Win(mover)));
    }
    Decision { played: decision.played.first, assessments: firsts }
}

/// The second move of the chosen turn, if its first move was this one.
fn second_half<M: Move>(decision: &Decision<WholeTurn<M>>, first: M) -> Option<Decision<M>> {
    let played = decision.played.second.filter(|_| decision.played.first == first)?;
    let turns = decision.assessments.iter().filter(|turn| turn.played.first == first);
    let second = |turn: &Assessment<WholeTurn<M>>| {
        let Assessment { played, visits, tally, proof } = *turn;
        Some(Assessment { played: played.second?, visits, tally, proof })
    };
    Some(Decision { played, assessments: turns.filter_map(second).collect() })
}
