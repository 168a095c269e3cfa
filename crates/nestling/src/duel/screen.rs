//! Solves the moves before a search: a winning move is played, losing moves are left out.
//!
//! The remaining moves are proven draws, or could not be solved in time. Simulations compare them, because some draws are more difficult
//! for the opponent than others.

use std::sync::Mutex;
use std::time::Duration;

use super::tree::class_after;
use super::uct::{Budget, UctAgent};
use super::{Assessment, Decision};
use crate::game::{Ending, Game, Player, Proof};
use crate::problem::Move;
use crate::stream::Stream;

/// The nodes for solving the moves, if the budget is in simulations.
const NODES: u64 = 20_000_000;

/// If the budget is a time: nodes per second, chosen so that solving takes about half of the time.
const NODES_A_SECOND: f64 = 4e6;

/// The legal moves, and the solver's answer for each.
pub(super) struct Screen<M> {
    mover: Player,
    moves: Vec<(M, Option<Proof>)>,
}

impl<M: Move> Screen<M> {
    /// Solves the moves with the solvers of the trees; each solves its share.
    pub fn new<G: Game<Move = M>>(agent: &mut UctAgent<G>, legal: &[M]) -> Self {
        let mover = agent.state.turn();
        let classes = classes(&agent.state, legal);
        let (state, count, cancel) = (agent.state.clone(), agent.trees.len(), agent.cancel.clone());
        // Most positions take less than the mean, so that this uses about half of the total.
        let nodes = 2 * nodes(agent.budget) * count as u64 / classes.len() as u64;
        let found = Mutex::new(vec![None; classes.len()]);
        agent.in_groups(|trees| {
            for (number, tree) in trees {
                let Some(solver) = &mut tree.solver else { continue };
                for (class, &(played, _)) in classes.iter().enumerate().skip(number).step_by(count) {
                    if cancel.is_cancelled() {
                        return;
                    }
                    let mut after = state.clone();
                    after.play(played);
                    let ending = after.ending().or_else(|| solver.ending(&after, nodes));
                    found.lock().expect("no solver panics")[class] = ending;
                }
            }
        });
        let found = found.into_inner().expect("no solver panics");
        let mut this = Screen { mover, moves: legal.iter().map(|&played| (played, None)).collect() };
        for ((_, members), ending) in classes.iter().zip(found) {
            for &member in members {
                this.moves[member].1 = ending.map(|ending| Proof { ending, moves: 0 });
            }
        }
        this.measure(agent, &classes);
        this
    }

    /// Finds the distances that decide: those of wins, or those of losses if every move loses.
    fn measure<G: Game<Move = M>>(&mut self, agent: &mut UctAgent<G>, classes: &[(M, Vec<usize>)]) {
        let wanted = Ending::Win(self.mover);
        let wins = self.moves.iter().any(|(_, solved)| solved.is_some_and(|solved| solved.ending == wanted));
        if !wins && !self.is_lost() {
            return;
        }
        let Some(solver) = agent.trees.first_mut().and_then(|tree| tree.solver.as_mut()) else { return };
        for (played, members) in classes {
            let ending = self.moves[members[0]].1.map(|solved| solved.ending);
            if agent.cancel.is_cancelled() || wins && ending != Some(wanted) {
                continue;
            }
            let mut after = agent.state.clone();
            after.play(*played);
            if after.ending().is_none()
                && let Some(solved) = solver.solve(&after, NODES)
            {
                members.iter().for_each(|&member| self.moves[member].1 = Some(solved));
            }
        }
    }

    /// Whether every move loses.
    fn is_lost(&self) -> bool {
        let lost = Ending::Win(self.mover.other());
        self.moves.iter().all(|(_, solved)| solved.is_some_and(|solved| solved.ending == lost))
    }

    /// The move to play if the solver has decided: the soonest win, or the latest loss.
    pub fn decision(&self, stream: Stream) -> Option<Decision<M>> {
        let rank = |solved: &Option<Proof>| solved.map(|solved| solved.rank(self.mover));
        let best = self.moves.iter().filter_map(|(_, solved)| *solved).max_by_key(|solved| solved.rank(self.mover))?;
        if best.ending != Ending::Win(self.mover) && !self.is_lost() {
            return None;
        }
        let equal: Vec<_> = self.moves.iter().filter(|(_, solved)| rank(solved) == rank(&Some(best))).collect();
        let played = equal[stream.own().rng().below(equal.len())].0;
        let assess = |&(played, proof): &(M, Option<Proof>)| Assessment { proof, ..Assessment::unknown(played) };
        Some(Decision { played, assessments: self.moves.iter().map(assess).collect() })
    }

    /// Whether a move may be searched: it is not known to lose.
    pub fn keeps(&self, played: M) -> bool {
        let lost = Ending::Win(self.mover.other());
        let found = self.moves.iter().find(|(other, _)| *other == played);
        found.is_some_and(|(_, solved)| solved.is_none_or(|solved| solved.ending != lost))
    }

    /// Adds the solver's answers to the assessments of a search.
    pub fn annotate(&self, assessments: &mut [Assessment<M>]) {
        for assessment in assessments {
            let known = self.moves.iter().find(|(played, _)| *played == assessment.played);
            assessment.proof = assessment.proof.or(known.and_then(|(_, solved)| *solved));
        }
    }
}

impl<G: Game> UctAgent<G> {
    /// Restricts the trees to the moves that a screen keeps.
    pub(super) fn keep(&mut self, screen: &Screen<G::Move>) {
        let (plan, state) = (&self.plan, &self.state);
        let kept: Vec<_> =
            screen.moves.iter().map(|&(played, _)| played).filter(|&played| screen.keeps(played)).collect();
        let kept_classes: Vec<_> = kept.iter().map(|&played| class_after(state, played)).collect();
        for tree in &mut self.trees {
            tree.restrict(
                |start, played| match plan.symmetry {
                    true => kept_classes.contains(&class_after(start, played)),
                    false => kept.contains(&played),
                },
                plan,
            );
        }
    }
}

/// The moves, grouped by the symmetry class of the state after them: one move of each class, and the indices of all its moves.
pub(super) fn classes<G: Game>(state: &G, legal: &[G::Move]) -> Vec<(G::Move, Vec<usize>)> {
    let mut classes: Vec<(Option<u128>, G::Move, Vec<usize>)> = Vec::new();
    for (index, &played) in legal.iter().enumerate() {
        let key = class_after(state, played);
        match classes.iter_mut().find(|(other, ..)| key.is_some() && *other == key) {
            Some((_, _, members)) => members.push(index),
            None => classes.push((key, played, vec![index])),
        }
    }
    classes.into_iter().map(|(_, played, members)| (played, members)).collect()
}

fn nodes(budget: Budget) -> u64 {
    match budget {
        Budget::Simulations(_) => NODES,
        Budget::Time(time) => (Duration::as_secs_f64(&time) * NODES_A_SECOND) as u64,
    }
}
