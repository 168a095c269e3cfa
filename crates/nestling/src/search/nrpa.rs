//! Nested rollout policy adaptation: learn the playout policy towards the best sequence, level upon level.
//!
//! Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, 2011. Policies hold e = exp(weight), as in Buzer
//! and Cazenave, *Playout Optimization for Monte-Carlo Search Algorithms*, 2022, IV.C: a playout then needs no
//! exponential, and an adapt one per code instead of one per legal move.

use serde::{Deserialize, Serialize};

use super::{Found, Frame, Report, Tally, Task};
use crate::codes::Codes;
use crate::exponential::{Exponential, first_to_ring};
use crate::learner::{Adapting, Learner, Recorder, Trace};
use crate::math::{exp, ln};
use crate::plan::NrpaPlan;
use crate::playout::{Scratch, bounded_bias};
use crate::problem::Problem;
use crate::stream::{Rng, Stream};
use crate::watch::Reason;
use crate::weights::Weights;

/// All that a search knows: `levels[l - 1]` is where level l stands.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Nrpa<M> {
    tally: Tally<M>,
    levels: Vec<Level<M>>,
    /// The codes by number.
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
    // An engine plays by the rule and the learned weights alone.
    let learner = if plan.policy.weights.is_none() { state.learner(plan.policy.rule) } else { None };
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
        game: Trace::default(),
        played: Played::default(),
        best_is_recorded: false,
        recorder: Recorder::default(),
        adapting: Adapting::default(),
    };
    let start_policy = search.codes.start().to_vec();
    let ended = search.level(&mut levels, &start_policy, stream);
    if levels.is_empty() || matches!(ended, Err(Reason::Target)) {
        search.record();
    }
    let Searching { mut tally, codes, game, .. } = search;
    let learned = task.is_root.then(|| learned(&codes, &levels));
    let report = match ended {
        Ok(()) => {
            let best = levels.pop().map_or(game, |level| level.best);
            tally.finished(Found { score: best.score, moves: best.moves, complete: true })
        }
        Err(reason) => {
            let frame = Nrpa { tally: tally.clone(), levels, codes: codes.into_met() };
            if reason == Reason::Target {
                // The frame stands before this game, so that the search can go on to another target.
                tally.count(task, 1, game.moves.len() as u64, Some((game.score, &game.moves)));
            }
            tally.cut(reason, Frame::Nrpa(Box::new(frame)))
        }
    };
    Report { learned, ..report }
}

/// The policy of the highest level that has learned anything, as weights.
fn learned<M>(codes: &Codes, levels: &[Level<M>]) -> Weights {
    let weights = |level: &Level<M>| -> Weights {
        let policy = codes.met().iter().zip(&level.policy).map(|(&code, &e)| (code, ln(e)));
        policy.filter(|(_, weight)| *weight != 0.0).collect()
    };
    levels.iter().rev().map(weights).find(|weights| !weights.is_empty()).unwrap_or_default()
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
    /// The game just played, unless it is still with the engine.
    game: Trace<P::Move>,
    played: Played,
    /// Whether the best game of level 1 is the one that the engine recorded last.
    best_is_recorded: bool,
    recorder: Recorder,
    adapting: Adapting,
}

/// What is known of the game just played.
#[derive(Default)]
struct Played {
    score: f64,
    moves: usize,
    /// Whether the engine has it and nobody has asked for its moves yet.
    with_engine: bool,
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
            self.extend(&mut level.policy);
        }
        // On level 1 an iteration is a playout, and some of them make an adapt.
        let tries = if below.is_empty() { self.plan.tries } else { 1 };
        while level.iteration < self.plan.iterations.saturating_mul(tries) {
            self.level(below, &level.policy, stream.child(level.iteration))?;
            let score = below.last().map_or(self.played.score, |level| level.best.score);
            if level.iteration == 0 || !self.task.goal().better(level.best.score, score) {
                match below.last_mut() {
                    Some(level_below) => std::mem::swap(&mut level.best, &mut level_below.best),
                    None => self.keep(level),
                }
            }
            if !below.is_empty() {
                // Whatever else the level below has met matters no longer: no policy above has a place for it.
                self.codes.forget_beyond(level.policy.len(), &mut level.best);
            }
            level.iteration += 1;
            if level.iteration.is_multiple_of(tries) {
                self.adapt(&mut level.policy, &level.best);
            }
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
        let taken = self.learner.as_mut().and_then(|learner| learner.play(&self.codes, policy, &mut stream.rng()));
        self.played = match taken {
            Some((score, moves)) => Played { score, moves, with_engine: true },
            None => self.play_here(policy, &mut stream.rng()),
        };
        let Played { score, moves, .. } = self.played;
        self.task.shared.show(score);
        if self.task.reached(score) {
            return Err(Reason::Target);
        }
        if self.tally.is_news(self.task.goal(), score) {
            self.record();
            self.tally.count(self.task, 1, moves as u64, Some((score, &self.game.moves)));
        } else {
            self.tally.count(self.task, 1, moves as u64, None);
        }
        Ok(())
    }

    /// The game just played becomes the best of level 1. What the engine recorded last is that level's best, if it played that.
    fn keep(&mut self, level: &mut Level<P::Move>) {
        let from_engine = self.played.with_engine;
        let repeated = self.best_is_recorded && level.iteration > 0;
        if from_engine && repeated && self.learner.as_ref().is_some_and(|learner| learner.is_recorded()) {
            return;
        }
        std::mem::swap(&mut level.best, self.record());
        self.best_is_recorded = from_engine;
    }

    /// The game just played, fetched from the engine where that has it.
    fn record(&mut self) -> &mut Trace<P::Move> {
        if std::mem::take(&mut self.played.with_engine)
            && let Some(learner) = &mut self.learner
        {
            learner.record(&mut self.codes, self.recorder.start(&mut self.game));
        }
        &mut self.game
    }

    /// Makes place for all codes met so far.
    fn extend(&self, policy: &mut Vec<f64>) {
        policy.extend_from_slice(&self.codes.start()[policy.len()..]);
    }

    fn adapt(&mut self, policy: &mut Vec<f64>, game: &Trace<P::Move>) {
        self.extend(policy);
        match &self.learner {
            Some(learner) => learner.adapt(&mut self.adapting, policy, game, self.plan.alpha),
            None => self.adapting.adapt(policy, game, self.plan.alpha),
        }
    }

    /// A playout by the problem's own methods. Every move considered has a clock, and the one that rings first is played;
    /// see [`Exponential`].
    fn play_here(&mut self, policy: &[f64], rng: &mut Rng) -> Played {
        self.state.clone_from(self.start);
        self.recorder.start(&mut self.game);
        let mut now = 0.0;
        loop {
            self.set_clocks(policy, now, rng);
            let clocks = self.recorder.clocks();
            let Some((chosen, time)) = first_to_ring(clocks) else { break };
            now = time;
            let played = self.scratch.moves[chosen];
            self.recorder.go_on(&mut self.game).play(chosen, played);
            self.state.play(played);
        }
        let score = self.state.score();
        self.recorder.go_on(&mut self.game).end(score);
        Played { score, moves: self.game.moves.len(), with_engine: false }
    }

    /// Considers the moves of the current state. Those that were considered in the last step too have their clocks, which
    /// have gone on for a time of `past`; the others get new ones.
    fn set_clocks(&mut self, policy: &[f64], past: f64, rng: &mut Rng) {
        self.scratch.consider(&self.state, self.plan.policy.rule);
        let mut recording = self.recorder.go_on(&mut self.game);
        recording.next_step(past);
        for (index, &candidate) in self.scratch.moves.iter().enumerate() {
            let code = self.state.code(candidate);
            let number = self.codes.number(code);
            let mut factor = self.scratch.weights.get(index).copied().unwrap_or(1.0);
            let bias =
                bounded_bias(&self.state, candidate) + self.plan.policy.weights.as_ref().map_or(0.0, |w| w.get(code));
            if bias != 0.0 {
                factor *= exp(bias);
            }
            let learned = self.codes.value_of(policy, number);
            recording.consider(number, factor, || Exponential::new().draw(rng) / (learned * factor));
        }
    }
}
