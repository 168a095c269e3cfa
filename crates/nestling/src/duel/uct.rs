//! UCT for two players: a tree grown by simulations, each move worth its mean and a bonus for being little known.
//!
//! *Playing Quarto with Monte Carlo Tree Search* (the paper's formula: w/v + sqrt(ln V / (5 v))), after Kocsis and
//! Szepesvári, *Bandit based Monte-Carlo Planning*, 2006. Proofs after Winands, Björnsson and Saito, *Monte-Carlo Tree Search
//! Solver*, 2008; transpositions with counts on edges and values on nodes after Childs, Brodeur and Kocsis,
//! *Transpositions and Move Groups in Monte Carlo Tree Search*, 2008 (their UCT2).

use std::cmp::Ordering;
use std::time::Instant;

use super::screen::Screen;
use super::strategy::{Budget, Final, Uct, Walk};
use super::tree::{Tree, class_after};
use super::{Agent, Assessment, Decision, Past, Setting};
use crate::game::{Ending, Game, Player};
use crate::stream::Stream;
use crate::watch::Cancel;

/// What a tree has to know of a [`Uct`].
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub policy: Option<usize>,
    pub draw: f64,
    /// What the formula has beside √ln t / √s: 1/√c.
    pub exploration: f32,
    pub epsilon: Option<f64>,
    pub transpositions: bool,
    pub symmetry: bool,
    pub proof: bool,
    pub exact: Option<u32>,
    pub memory: usize,
}

impl Plan {
    pub fn new(uct: &Uct, policy: Option<usize>) -> Self {
        let (exploration, epsilon) = match uct.walk {
            Walk::Bound { c } => ((1.0 / c).sqrt() as f32, None),
            Walk::Greedy { epsilon } => (0.0, Some(epsilon)),
        };
        Plan {
            policy,
            draw: uct.draw,
            exploration,
            epsilon,
            transpositions: uct.transpositions,
            symmetry: uct.symmetry,
            proof: uct.proof,
            exact: uct.exact,
            memory: usize::try_from((uct.memory << 20) / u64::from(uct.trees)).unwrap_or(usize::MAX),
        }
    }
}

/// A player that grows trees before every move and keeps what they know for the next.
pub(super) struct UctAgent<G: Game> {
    pub(super) plan: Plan,
    pub(super) budget: Budget,
    last: Final,
    pub(super) trees: Vec<Tree<G>>,
    pub(super) state: G,
    threads: usize,
    cancel: Cancel,
}

/// Simulations between two looks at the clock.
const SLICE: u64 = 64;

impl<G: Game> UctAgent<G> {
    pub fn new<M>(uct: &Uct, policy: Option<usize>, start: &G, setting: &Setting<M>) -> Self {
        let plan = Plan::new(uct, policy);
        let trees = (0..uct.trees).map(|_| Tree::new(start, &plan)).collect();
        let (threads, cancel) = (setting.threads, setting.cancel.clone());
        UctAgent {
            plan,
            budget: uct.budget,
            last: uct.last,
            trees,
            state: start.clone(),
            threads: threads.max(1),
            cancel,
        }
    }

    /// Begins with games that were played before from the same start.
    pub fn remember(&mut self, games: &[Past<G::Move>], weight: f64) {
        for tree in &mut self.trees {
            tree.remember(&self.state, games, weight, &self.plan);
        }
    }

    /// Grows all trees. Each has its own stream, so that the threads make no difference.
    fn grow(&mut self, stream: Stream, began: Instant) {
        self.trees.iter_mut().for_each(Tree::open);
        let count = self.trees.len();
        let (plan, budget, cancel) = (self.plan.clone(), self.budget, self.cancel.clone());
        let stream_of = |tree: usize| if count == 1 { stream } else { stream.child(tree as u64) };
        self.in_groups(|trees| {
            let mut trees: Vec<_> = trees.map(|(index, tree)| (tree, stream_of(index).rng())).collect();
            let mut done = 0;
            loop {
                let slice = match budget {
                    Budget::Simulations(count) => SLICE.min(count - done),
                    Budget::Time(time) if done == 0 || began.elapsed() < time => SLICE,
                    Budget::Time(_) => 0,
                };
                trees.retain(|(tree, _)| !tree.is_done());
                if slice == 0 || trees.is_empty() || cancel.is_cancelled() {
                    return;
                }
                for (tree, rng) in &mut trees {
                    (0..slice).for_each(|_| tree.simulate(&plan, rng));
                }
                done += slice;
            }
        });
    }

    /// Hands the trees to the threads, each with its number; the work is for the trees of one thread.
    pub(super) fn in_groups(&mut self, work: impl Fn(&mut dyn Iterator<Item = (usize, &mut Tree<G>)>) + Sync) {
        let share = self.trees.len().div_ceil(self.threads);
        if share == self.trees.len() {
            return work(&mut self.trees.iter_mut().enumerate());
        }
        let work = &work;
        std::thread::scope(|scope| {
            for (group, trees) in self.trees.chunks_mut(share).enumerate() {
                scope.spawn(move || {
                    work(&mut trees.iter_mut().enumerate().map(|(index, tree)| (group * share + index, tree)))
                });
            }
        });
    }
}

impl<G: Game> UctAgent<G> {
    /// Begins anew at a state.
    pub fn restart(&mut self, state: G) {
        self.trees.iter_mut().for_each(|tree| tree.plant(&state, &self.plan));
        self.state = state;
    }

    /// What all trees together think of the legal moves that at least one of them has tried.
    fn assessments(&self, legal: &[G::Move]) -> Vec<Assessment<G::Move>> {
        let class_of = |state: &G, played| if self.plan.symmetry { class_after(state, played) } else { None };
        let classes: Vec<_> = legal.iter().map(|&played| class_of(&self.state, played)).collect();
        let mut sums: Vec<Option<Assessment<G::Move>>> = vec![None; legal.len()];
        for tree in &self.trees {
            for (way, node) in tree.tried() {
                let index = match class_of(&tree.start, way.played) {
                    None => legal.iter().position(|&played| played == way.played),
                    class => classes.iter().position(|&other| other == class),
                };
                let index = index.expect("what a tree has tried is legal");
                let played = legal[index];
                let sum = sums[index].get_or_insert(Assessment::unknown(played));
                sum.visits += u64::from(way.visits);
                sum.tally.merge(node.tally);
                if self.plan.proof {
                    sum.proof = sum.proof.or(node.proof.map(Into::into));
                }
            }
        }
        sums.into_iter().flatten().collect()
    }

    /// Which of two moves is the better one to play.
    fn compare(&self, one: &Assessment<G::Move>, other: &Assessment<G::Move>) -> Ordering {
        let mover = self.state.turn();
        let certainty = |assessment: &Assessment<G::Move>| certainty(assessment, mover);
        let value = |assessment: &Assessment<G::Move>| assessment.value(mover, self.plan.draw);
        let by_value = value(one).total_cmp(&value(other));
        let by_visits = one.visits.cmp(&other.visits);
        certainty(one).cmp(&certainty(other)).then(match self.last {
            Final::Visits => by_visits.then(by_value),
            Final::Value => by_value.then(by_visits),
        })
    }
}

/// A proven win is better, the sooner, and a proven loss worse, the sooner, than anything else.
fn certainty<M>(assessment: &Assessment<M>, mover: Player) -> i64 {
    let far = i64::from(u32::MAX);
    match assessment.proof {
        Some(solved) if solved.ending == Ending::Win(mover) => far - i64::from(solved.moves),
        Some(solved) if solved.ending == Ending::Win(mover.other()) => i64::from(solved.moves) - far,
        _ => 0,
    }
}

impl<G: Game> Agent<G> for UctAgent<G> {
    fn observe(&mut self, played: G::Move) {
        self.state.play(played);
        self.trees.iter_mut().for_each(|tree| tree.advance(played, &self.state, &self.plan));
    }

    fn choose(&mut self, stream: Stream) -> Decision<G::Move> {
        let mut legal = Vec::new();
        self.state.legal_moves(&mut legal);
        if let [only] = legal[..] {
            return Decision::plain(only);
        }
        let began = Instant::now();
        let mut screen = None;
        if self.plan.exact.is_some_and(|from| self.state.stage() >= from) {
            let screened = Screen::new(self, &legal);
            if let Some(decision) = screened.decision(stream) {
                return decision;
            }
            self.keep(&screened);
            screen = Some(screened);
        }
        self.grow(stream, began);
        let mut assessments = self.assessments(&legal);
        if let Some(screen) = &screen {
            screen.annotate(&mut assessments);
        }
        let best = assessments.iter().max_by(|one, other| self.compare(one, other));
        // Only a search that was cancelled before it began has tried nothing.
        let Some(best) = best else { return Decision::plain(legal[stream.own().rng().below(legal.len())]) };
        let equal = |other: &&Assessment<G::Move>| self.compare(best, other) == Ordering::Equal;
        let equal: Vec<_> = assessments.iter().filter(equal).collect();
        let played = equal[stream.own().rng().below(equal.len())].played;
        Decision { played, assessments }
    }
}
