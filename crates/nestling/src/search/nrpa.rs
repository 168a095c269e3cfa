//! Nested rollout policy adaptation: learn the playout policy towards the best sequence, level upon level.
//!
//! Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, 2011. Policies hold e = exp(weight), as in Buzer
//! and Cazenave, *Playout Optimization for Monte-Carlo Search Algorithms*, 2022, IV.C: a playout then needs no
//! exponential, and an adapt one per code instead of one per legal move.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{Found, Frame, Report, Tally, Task};
use crate::learner::{Learner, Trace};
use crate::math::{exp, exp_all, ln};
use crate::plan::NrpaPlan;
use crate::playout::{Scratch, bounded_bias, draw};
use crate::problem::Problem;
use crate::stream::{Rng, Stream};
use crate::watch::Reason;
use crate::weights::Weights;

/// A policy stays between these, far beyond where any sensible learning rate takes it, so that sums of it stay finite.
const SMALLEST: f64 = 1e-130;
const LARGEST: f64 = 1e130;

/// All that a search knows: `levels[l - 1]` is where level l stands.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Nrpa<M> {
    tally: Tally<M>,
    levels: Vec<Level<M>>,
    /// The codes met so far; a policy keeps the exponential of number k's weight in place k.
    codes: Vec<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Level<M> {
    /// Whether the level is in the middle of its iterations.
    active: bool,
    iteration: u64,
    policy: Vec<f64>,
    best: Trace<M>,
}

impl<M> Default for Level<M> {
    fn default() -> Self {
        Level { active: false, iteration: 0, policy: Vec::new(), best: Trace::default() }
    }
}

/// Runs NRPA at the plan's level from its start policy.
pub(crate) fn nrpa<P: Problem>(
    plan: &NrpaPlan,
    task: &Task<'_, P::Move>,
    state: &P,
    stream: Stream,
    frame: Option<Frame<P::Move>>,
) -> Report<P::Move> {
    let Nrpa { tally, mut levels, codes } = match frame {
        Some(Frame::Nrpa(frame)) => *frame,
        _ => Nrpa { tally: Tally::default(), levels: Vec::new(), codes: Vec::new() },
    };
    levels.resize_with(plan.level as usize, Level::default);
    // An engine plays by the learned weights alone.
    let learner = if plan.policy.is_uniform() { state.learner() } else { None };
    let known = learner.as_ref().map(|learner| learner.codes()).filter(|_| codes.is_empty());
    let codes = known.unwrap_or(codes);
    let mut search = Searching {
        plan,
        learner,
        task,
        start: state,
        state: state.clone(),
        tally,
        codes: Codes::new(state.dense_codes(), plan.warm.clone(), codes),
        scratch: Scratch::new(),
        weights: Vec::new(),
        game: Trace::default(),
        adapting: Adapting::default(),
    };
    let start_policy = search.codes.start.clone();
    let ended = search.level(&mut levels, &start_policy, stream);
    let Searching { mut tally, codes, game, .. } = search;
    let learned = task.is_root.then(|| learned(&codes, &levels));
    let report = match ended {
        Ok(()) => {
            let best = levels.pop().map_or(game, |level| level.best);
            tally.finished(Found { score: best.score, moves: best.moves, complete: true })
        }
        Err(reason) => {
            let frame = Nrpa { tally: tally.clone(), levels, codes: codes.codes };
            if reason == Reason::Target {
                // The frame stands before this game, so that the search can go on to another target.
                tally.count(task, 1, game.moves.len() as u64, Some((game.score, &game.moves)));
            }
            tally.cut(reason, Frame::Nrpa(Box::new(frame)))
        }
    };
    Report { learned, ..report }
}

/// The policy of the highest level, as weights.
fn learned<M>(codes: &Codes, levels: &[Level<M>]) -> Weights {
    let policy = levels.last().map_or(&[][..], |level| &level.policy);
    codes.codes.iter().zip(policy).map(|(&code, &e)| (code, ln(e))).filter(|(_, weight)| *weight != 0.0).collect()
}

struct Searching<'a, P: Problem> {
    plan: &'a NrpaPlan,
    task: &'a Task<'a, P::Move>,
    learner: Option<Box<dyn Learner<P::Move> + 'a>>,
    start: &'a P,
    state: P,
    tally: Tally<P::Move>,
    codes: Codes,
    scratch: Scratch<P>,
    weights: Vec<f64>,
    /// The game just played.
    game: Trace<P::Move>,
    adapting: Adapting,
}

impl<P: Problem> Searching<'_, P> {
    /// Runs the level that `levels` has room for, starting from a copy of `policy`; its best is in its last place
    /// afterwards, or in `game` for level 0.
    fn level(&mut self, levels: &mut [Level<P::Move>], policy: &[f64], stream: Stream) -> Result<(), Reason> {
        let Some((level, below)) = levels.split_last_mut() else { return self.playout(policy, stream) };
        if !level.active {
            level.active = true;
            level.iteration = 0;
            level.policy.clear();
            level.policy.extend_from_slice(policy);
        }
        while level.iteration < self.plan.iterations {
            self.level(below, &level.policy, stream.child(level.iteration))?;
            let result = below.last_mut().map_or(&mut self.game, |level| &mut level.best);
            if level.iteration == 0 || !self.task.goal().better(level.best.score, result.score) {
                std::mem::swap(&mut level.best, result);
            }
            self.adapting.adapt(&mut level.policy, &level.best, self.plan.alpha, &self.codes);
            level.iteration += 1;
        }
        level.active = false;
        Ok(())
    }

    /// Level 0: a playout with moves drawn by the policy.
    fn playout(&mut self, policy: &[f64], stream: Stream) -> Result<(), Reason> {
        if let Some(reason) = self.task.watch.reason() {
            return Err(reason);
        }
        if self.tally.left(self.task.limit) == 0 {
            return Err(Reason::Playouts);
        }
        self.game.clear();
        let taken =
            self.learner.as_mut().is_some_and(|learner| learner.play(policy, &mut stream.rng(), &mut self.game));
        if !taken {
            self.play_here(policy, &mut stream.rng());
        }
        let (score, moves) = (self.game.score, self.game.moves.as_slice());
        if self.task.reached(score) {
            return Err(Reason::Target);
        }
        self.tally.count(self.task, 1, moves.len() as u64, Some((score, moves)));
        Ok(())
    }

    /// A playout by the problem's own methods.
    fn play_here(&mut self, policy: &[f64], rng: &mut Rng) {
        self.state.clone_from(self.start);
        self.game.clear();
        while self.weigh(policy) {
            let chosen = draw(&mut self.weights, rng);
            let played = self.scratch.moves[chosen];
            self.game.play(played, chosen, self.scratch.moves.len());
            self.state.play(played);
        }
        self.game.end(self.state.score());
    }

    /// Considers the moves of the current state and weighs them; false at the end of the game.
    fn weigh(&mut self, policy: &[f64]) -> bool {
        self.scratch.consider(&self.state, self.plan.policy.rule);
        self.weights.clear();
        for (index, &candidate) in self.scratch.moves.iter().enumerate() {
            let code = self.state.code(candidate);
            let number = self.codes.number(code);
            let mut factor = self.scratch.weights.get(index).copied().unwrap_or(1.0);
            let bias =
                bounded_bias(&self.state, candidate) + self.plan.policy.weights.as_ref().map_or(0.0, |w| w.get(code));
            if bias != 0.0 {
                factor *= exp(bias);
            }
            let learned = policy.get(number as usize).copied().unwrap_or_else(|| self.codes.start[number as usize]);
            self.weights.push(learned * factor);
            self.game.consider(number, factor);
        }
        !self.scratch.moves.is_empty()
    }
}

/// The buffers of an adapt, by code number; zero between two adapts.
#[derive(Default)]
struct Adapting {
    /// How often the code was played.
    played: Vec<u32>,
    /// The sum of factor/z over the steps in which the code was considered.
    share: Vec<f64>,
    touched: Vec<u32>,
    /// For every code touched the exponential of the change of its weight.
    changes: Vec<f64>,
}

impl Adapting {
    /// Moves the policy towards the game: for every step weight[played] += α and weight[m] −= α·p(m) for all moves m
    /// considered, all probabilities by the policy before the adapt. Since p(m) = e·factor/z with the same e for all steps,
    /// a code's whole change is α·(times played) − α·e·Σ factor/z, and its policy is multiplied by the exponential of it.
    fn adapt<M>(&mut self, policy: &mut Vec<f64>, game: &Trace<M>, alpha: f64, codes: &Codes) {
        policy.extend_from_slice(&codes.start[policy.len()..]);
        self.played.resize(policy.len(), 0);
        self.share.resize(policy.len(), 0.0);
        for (step, &(begin, chosen)) in game.steps.iter().enumerate() {
            let end = game.steps.get(step + 1).map_or(game.considered.len(), |&(next, _)| next as usize);
            let range = begin as usize..end;
            let numbers = &game.considered[range.clone()];
            match game.factors.get(range) {
                Some(factors) => self.share(policy, numbers, |index| factors[index]),
                None => self.share(policy, numbers, |_| 1.0),
            }
            self.played[numbers[chosen as usize] as usize] += 1;
        }
        self.changes.clear();
        self.changes.extend(self.touched.iter().map(|&number| number as usize).map(|number| {
            let played = f64::from(std::mem::take(&mut self.played[number]));
            let share = std::mem::take(&mut self.share[number]);
            alpha * (played - policy[number] * share)
        }));
        exp_all(&mut self.changes);
        for (number, change) in self.touched.drain(..).zip(&self.changes) {
            let e = &mut policy[number as usize];
            *e = (*e * change).clamp(SMALLEST, LARGEST);
        }
    }

    /// Adds factor/z of one step to the share of every code that it considered.
    #[inline(always)]
    fn share(&mut self, policy: &[f64], numbers: &[u32], factor: impl Fn(usize) -> f64) {
        let weight = |(index, &number): (usize, &u32)| policy[number as usize] * factor(index);
        let z: f64 = numbers.iter().enumerate().map(weight).sum();
        let inverse = 1.0 / z;
        for (index, &number) in numbers.iter().enumerate() {
            let share = &mut self.share[number as usize];
            if *share == 0.0 {
                self.touched.push(number);
            }
            *share += factor(index) * inverse;
        }
    }
}

/// Numbers the codes in the order they are met, so that a policy is a short array whatever the codes look like.
struct Codes {
    /// Number + 1 of a dense code; 0 if not met yet.
    dense: Vec<u32>,
    sparse: FxHashMap<u64, u32>,
    codes: Vec<u64>,
    /// The start policy by number.
    start: Vec<f64>,
    warm: Option<Arc<Weights>>,
}

impl Codes {
    fn new(dense: usize, warm: Option<Arc<Weights>>, met: Vec<u64>) -> Self {
        let (codes, start) = (Vec::new(), Vec::new());
        let mut this = Codes { dense: vec![0; dense], sparse: FxHashMap::default(), codes, start, warm };
        for code in met {
            this.number(code);
        }
        this
    }

    #[inline]
    fn number(&mut self, code: u64) -> u32 {
        let known = match self.dense.get(code as usize) {
            Some(&number) => number.checked_sub(1),
            None => self.sparse.get(&code).copied(),
        };
        known.unwrap_or_else(|| self.meet(code))
    }

    #[cold]
    fn meet(&mut self, code: u64) -> u32 {
        let number = self.codes.len() as u32;
        match self.dense.get_mut(code as usize) {
            Some(place) => *place = number + 1,
            None => drop(self.sparse.insert(code, number)),
        }
        self.codes.push(code);
        self.start.push(self.warm.as_ref().map_or(1.0, |warm| exp(warm.get(code))));
        number
    }
}
