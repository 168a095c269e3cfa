//! Nested rollout policy adaptation: learn the playout policy towards the best sequence, level upon level.
//!
//! Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, 2011. Policies hold e = exp(weight), as in Buzer
//! and Cazenave, *Playout Optimization for Monte-Carlo Search Algorithms*, 2022, IV.C: a playout then needs no
//! exponential, and an adapt one per code instead of one per legal move.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Algorithm, Argument, Form, Found, Menu, Plan, PlanError, Planned, Planner, Profile, Reason, ScoredMoves,
    SearchReport,
};
use super::{SearchProgress, Task};
use crate::codes::Codes;
use crate::estimate::{Estimate, PATIENCE};
use crate::exponential::{Exponential, first_to_ring};
use crate::expression::Search;
use crate::learner::{Adapting, Learner, Recorder, Trace};
use crate::math::exp;
use crate::playout::{PlayoutPolicy, Scratch, bounded_bias, reason_to_give_up};
use crate::problem::{Move, Problem, is_over};
use crate::run::Run;
use crate::stream::{Rng, Stream};
use crate::weights::Weights;

/// `nrpa(l)`: nested rollout policy adaptation.
pub struct Nrpa;

impl Algorithm for Nrpa {
    const FORM: Form = Form {
        name: "nrpa",
        example: "nrpa(3)",
        about: "nested rollout policy adaptation: each level learns a playout policy from its best game",
        arguments: &[Argument::integer("level", 0, 32).symbol("l").about("0 is a playout")],
        options: &[
            Argument::integer("iterations", 1, u64::MAX).default_integer(100).about("iterations per level"),
            Argument::positive("alpha").default_number(1.0).about("the step size of the gradient"),
            Argument::integer("tries", 1, 1_000_000)
                .default_integer(1)
                .about("playouts before each adaptation at level 1"),
            Argument::file("warm").about("weights or games to start from; if not given, all moves are equally likely"),
        ],
        menu: Some(Menu {
            title: "Policy adaptation (NRPA)",
            about: "Learns from its best game which moves to prefer.",
            choice: "Level",
            choices: &["1", "2", "3", "4", "5"],
            usual: "3",
        }),
    };

    const LEARNS: bool = true;

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        let adaptation = Adaptation {
            level: search.integer("level") as u32,
            iterations: search.integer("iterations"),
            alpha: search.number("alpha"),
            tries: search.integer("tries"),
            warm: search.file("warm").map(|file| planner.weights(file)).transpose()?,
            policy: planner.policy(search)?,
        };
        planner.ready(search, adaptation)
    }
}

/// Nested rollout policy adaptation.
///
/// ```
/// use nestling::Search;
/// assert_eq!(Search::nrpa(3).iterations(50).policy("mobility").to_string(), "nrpa(3, iterations=50, playout=mobility)");
/// ```
///
/// # Panics
///
/// The options panic when the search has none of their name.
impl Search {
    /// Nested rollout policy adaptation.
    pub fn nrpa(level: u32) -> Search {
        Search::of::<Nrpa>().with("level", level)
    }

    /// `iterations=`, of `nrpa`.
    #[must_use]
    pub fn iterations(self, value: u64) -> Search {
        self.with("iterations", value)
    }

    /// `alpha=`, of `nrpa`.
    #[must_use]
    pub fn alpha(self, value: f64) -> Search {
        self.with("alpha", value)
    }

    /// `tries=`, of `nrpa`.
    #[must_use]
    pub fn tries(self, value: u64) -> Search {
        self.with("tries", value)
    }

    /// `warm=FILE`, of `nrpa`.
    #[must_use]
    pub fn warm(self, file: impl Into<String>) -> Search {
        self.with("warm", file.into())
    }
}

struct Adaptation {
    level: u32,
    iterations: u64,
    alpha: f64,
    tries: u64,
    warm: Option<Arc<Weights>>,
    policy: PlayoutPolicy,
}

/// All that a search knows: `levels[l - 1]` is where level l stands.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Learning<M> {
    tally: SearchProgress<M>,
    levels: Vec<Level<M>>,
    /// The codes by number.
    codes: Vec<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
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

impl<P: Problem> Plan<P> for Adaptation {
    type Frame = Learning<P::Move>;

    /// Runs NRPA at the plan's level from its start policy.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let new = || Learning { tally: SearchProgress::default(), levels: Vec::new(), codes: Vec::new() };
        let Learning { tally, mut levels, codes } = frame.unwrap_or_else(new);
        // From the end of a game there is nothing to learn.
        let level = if is_over(state) { 0 } else { self.level };
        levels.resize_with(level as usize, Level::default);
        let mut search = Searching::new(self, task, state, tally, codes);
        let start_policy = search.codes.start().to_vec();
        let ended = search.level(&mut levels, &start_policy, stream);
        if levels.is_empty() || matches!(ended, Err(Reason::Target)) {
            search.record();
        }
        let Searching { mut tally, codes, game, .. } = search;
        let learned = task.is_root().then(|| learned(&codes, &levels));
        let report = match ended {
            Ok(()) => {
                let best = levels.pop().map_or(game, |level| level.best);
                tally.finished(Found::Game(ScoredMoves::new(best.score, best.moves)))
            }
            Err(reason) => {
                let frame = Learning { tally: tally.clone(), levels, codes: codes.into_met() };
                if reason == Reason::Target {
                    // The frame stands before this game, so that the search can go on to another target.
                    tally.count(task, 1, game.moves.len() as u64, Some((game.score, &game.moves)));
                }
                tally.cut(reason, frame)
            }
        };
        SearchReport { learned, ..report }
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        let tries = if self.level == 0 { 1.0 } else { self.tries as f64 };
        let games = (self.iterations as f64).powi(self.level as i32) * tries;
        let search = Search::nrpa(1).iterations(self.iterations.min(1_000)).tries(self.tries);
        let per_move = match Run::new(profile.problem(), search).time(PATIENCE).start() {
            Ok(outcome) => {
                outcome.elapsed.as_secs_f64() / (outcome.counts.moves + outcome.counts.playouts).max(1) as f64
            }
            Err(_) => profile.seconds_per_move(&self.policy),
        };
        profile.playouts(games, per_move)
    }
}

/// Whether the problem has a bias for a move of this state.
fn is_biased<P: Problem>(state: &P) -> bool {
    let mut moves = Vec::new();
    state.legal_moves(&mut moves);
    moves.into_iter().any(|played| state.bias(played) != 0.0)
}

/// The policy of the highest level that has learned anything, as weights; none where no level has.
fn learned<M>(codes: &Codes, levels: &[Level<M>]) -> Weights {
    let has_learned = |level: &&Level<M>| level.policy.iter().zip(codes.start()).any(|(now, start)| now != start);
    levels.iter().rev().find(has_learned).map_or_else(Weights::default, |level| codes.weights(&level.policy))
}

struct Searching<'a, P: Problem> {
    plan: &'a Adaptation,
    task: &'a Task<'a, P::Move>,
    learner: Option<Box<dyn Learner<P::Move> + 'a>>,
    start: &'a P,
    state: P,
    tally: SearchProgress<P::Move>,
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

impl<'a, P: Problem> Searching<'a, P> {
    fn new(
        plan: &'a Adaptation,
        task: &'a Task<'a, P::Move>,
        state: &'a P,
        tally: SearchProgress<P::Move>,
        codes: Vec<u64>,
    ) -> Self {
        // An engine plays by the rule and the learned weights alone.
        let for_engine = plan.policy.weights.is_none() && !is_biased(state);
        let learner = if for_engine { state.learner(plan.policy.rule) } else { None };
        let known = learner.as_ref().map(|learner| learner.codes()).filter(|_| codes.is_empty());
        let codes = known.unwrap_or(codes);
        Searching {
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
        }
    }

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
        if self.tally.left(self.task.limit()) == 0 {
            return Err(Reason::Playouts);
        }
        let taken = self.learner.as_mut().and_then(|learner| learner.play(&self.codes, policy, &mut stream.rng()));
        self.played = match taken {
            Some((score, moves)) => Played { score, moves, with_engine: true },
            None => self.play_here(policy, &mut stream.rng())?,
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
    fn play_here(&mut self, policy: &[f64], rng: &mut Rng) -> Result<Played, Reason> {
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
            if let Some(reason) = reason_to_give_up(Some(self.task.watch), self.game.moves.len()) {
                return Err(reason);
            }
        }
        let score = self.state.score();
        self.recorder.go_on(&mut self.game).end(score);
        Ok(Played { score, moves: self.game.moves.len(), with_engine: false })
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
