//! A player that asks the game's solver.

use super::screen::classes;
use super::{Agent, Assessment, Decision};
use crate::game::{Game, Solved, Solver};
use crate::stream::Stream;

/// Plays any of the best moves: wins as soon as possible, loses as late as possible.
pub(super) struct ExactAgent<G> {
    pub state: G,
    pub solver: Box<dyn Solver<G>>,
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
            let mut after = self.state.clone();
            after.play(played);
            let solved = match after.ending() {
                Some(ending) => Solved { ending, moves: 0 },
                None => self.solver.solve(&after, u64::MAX).expect("without a limit a solver finds the answer"),
            };
            members.into_iter().for_each(|member| assessments[member].proof = Some(solved));
        }
        let rank = |assessment: &Assessment<G::Move>| assessment.proof.map(|solved| solved.rank(mover));
        let best = assessments.iter().map(rank).max().flatten();
        let equal: Vec<_> = assessments.iter().filter(|assessment| rank(assessment) == best).collect();
        Decision { played: equal[stream.rng().below(equal.len())].played, assessments: assessments.clone() }
    }
}
