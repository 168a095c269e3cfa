//! A player that uses the game's solver.

use super::screen::classes;
use super::seat::refused;
use super::{Agent, Assessment, Decision, PlayerKind, Seat, Strategy, StrategyError};
use crate::expression::form::Form;
use crate::game::{Game, PlayerResult, Proof, Solver};
use crate::stream::Stream;
use crate::watch::Cancel;

/// `exact`: the game's solver.
pub struct ExactPlayer;

impl PlayerKind for ExactPlayer {
    const FORM: Form =
        Form { name: "exact", example: "exact", about: "plays the moves of the game's exact solver", ..Form::EMPTY };

    fn agent<G: Game>(_strategy: &Strategy, seat: &Seat<'_, G>) -> Result<Box<dyn Agent<G>>, StrategyError> {
        let cancel = seat.setting.cancel.clone();
        match seat.start.solver(&cancel) {
            Some(solver) => Ok(Box::new(ExactAgent { state: seat.start.clone(), solver, cancel })),
            None => refused("exact: this game has no exact solver; use uct(1000)"),
        }
    }
}

impl Strategy {
    /// `exact`: the game's solver.
    pub fn exact() -> Self {
        Strategy::of::<ExactPlayer>()
    }
}

/// Plays any of the best moves: wins as soon as possible, loses as late as possible.
struct ExactAgent<G> {
    state: G,
    solver: Box<dyn Solver<G>>,
    /// When this is cancelled, no more moves are solved; unsolved moves count as draws.
    cancel: Cancel,
}

impl<G: Game> Agent<G> for ExactAgent<G> {
    fn observe(&mut self, played: G::Move) {
        self.state.play(played);
    }

    fn choose(&mut self, stream: Stream) -> Decision<G::Move> {
        let mut moves = Vec::new();
        self.state.legal_moves(&mut moves);
        let mover = self.state.turn();
        let mut assessments: Vec<_> = moves.iter().map(|&played| Assessment::unknown(played)).collect();
        for (played, members) in classes(&self.state, &moves) {
            if self.cancel.is_cancelled() {
                break;
            }
            let mut after = self.state.clone();
            after.play(played);
            let over = after.ending().map(|ending| Proof { ending, moves: 0 });
            let solved = over.or_else(|| self.solver.solve(&after, u64::MAX));
            assert!(solved.is_some() || self.cancel.is_cancelled(), "without a limit a solver finds the answer");
            members.into_iter().for_each(|member| assessments[member].proof = solved);
        }
        let rank = |assessment: &Assessment<G::Move>| {
            assessment.proof.map_or((PlayerResult::Draw, 0), |solved| solved.rank(mover))
        };
        let best = assessments.iter().map(rank).max();
        let equal: Vec<_> = assessments.iter().filter(|&assessment| Some(rank(assessment)) == best).collect();
        Decision { played: equal[stream.rng().below(equal.len())].played, assessments: assessments.clone() }
    }
}
