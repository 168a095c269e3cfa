//! The games of NRPA, and how policies are adapted to them.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::level::LevelNotes;
use super::{Adaptation, Level};
use crate::codes::Codes;
use crate::exponential::{Exponential, first_to_ring};
use crate::learner::{Adapting, Learner, Recorder, Trace, bias_factor, weighted_sum};
use crate::math::exp;
use crate::playout::{Scratch, bounded_bias, reason_to_give_up};
use crate::problem::Problem;
use crate::search::{Found, Reason, ScoredMoves, SearchProgress, SearchReport, Task};
use crate::stream::{Rng, Stream};

/// Whether the problem has a bias for a move of this state.
fn is_biased<P: Problem>(state: &P) -> bool {
    let mut moves = Vec::new();
    state.legal_moves(&mut moves);
    moves.into_iter().any(|played| state.bias(played) != 0.0)
}

/// A search at work: the games it plays from its start, and what it has met.
pub(super) struct Searching<'a, P: Problem> {
    plan: &'a Adaptation,
    pub task: &'a Task<'a, P::Move>,
    learner: Option<Box<dyn Learner<P::Move> + 'a>>,
    start: &'a P,
    state: P,
    pub tally: SearchProgress<P::Move>,
    pub codes: Codes,
    scratch: Scratch<P>,
    /// The game just played, unless it is still with the engine.
    pub game: Trace<P::Move>,
    pub played: Played,
    /// Whether the best game of level 1 is the one that the engine recorded last.
    best_is_recorded: bool,
    recorder: Recorder,
    adapting: Adapting,
    /// The weights of the biases by the policy of the game being played.
    bias_weights: Vec<f64>,
    /// The biases of the move being considered.
    biases: Vec<f64>,
}

/// What is known of the game just played.
#[derive(Default)]
pub(super) struct Played {
    pub score: f64,
    moves: usize,
    /// Whether the engine has it and nobody has asked for its moves yet.
    with_engine: bool,
}

impl<'a, P: Problem> Searching<'a, P> {
    pub fn new(
        plan: &'a Adaptation,
        task: &'a Task<'a, P::Move>,
        state: &'a P,
        tally: SearchProgress<P::Move>,
        codes: Vec<u64>,
    ) -> Self {
        // An engine plays by the rule, the weights of the problem's own codes, and perhaps its biases.
        let for_engine = !plan.learns_biases && !plan.symmetric && plan.policy.weights.is_none() && !is_biased(state);
        let mut learner = if for_engine { state.learner(plan.policy.rule) } else { None };
        if !plan.biases.is_empty() {
            learner = learner.and_then(|mut learner| learner.use_biases(&plan.biases).then_some(learner));
        }
        let known = learner.as_ref().map(|learner| learner.codes()).filter(|_| codes.is_empty());
        let mut codes = known.unwrap_or(codes);
        if codes.is_empty() {
            codes.extend(plan.bias_codes());
        }
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
            bias_weights: Vec::new(),
            biases: Vec::new(),
        }
    }

    /// Runs the level that `levels` has room for, starting from a copy of `policy`; its best is in its last place
    /// afterwards, or in `game` for level 0.
    pub fn level(
        &mut self,
        levels: &mut [Level<P::Move>],
        notes: &mut [LevelNotes],
        policy: &[f64],
        stream: Stream,
    ) -> Result<(), Reason> {
        let (Some((level, below)), Some((notes, notes_below))) = (levels.split_last_mut(), notes.split_last_mut())
        else {
            return self.playout(policy, stream);
        };
        if !level.active {
            level.active = true;
            level.iteration = 0;
            level.policy.clear();
            level.policy.extend_from_slice(policy);
            self.extend(&mut level.policy);
            *notes = LevelNotes::default();
        }
        // On level 1 an iteration is a playout, and some of them make an adapt.
        let rules = &self.plan.rules;
        let tries = if below.is_empty() { rules.tries } else { 1 };
        while !rules.is_over(notes, level.iteration, tries) {
            let child = stream.child(level.iteration);
            if below.is_empty() && self.plan.explore {
                notes.seen.insert(self.explore(&level.policy, child, &notes.seen)?);
            } else {
                self.level(below, notes_below, &level.policy, child)?;
            }
            let score = below.last().map_or(self.played.score, |level| level.best.score);
            let standing = self.standing(level, score);
            if standing.is_ge() {
                match below.last_mut() {
                    Some(level_below) => std::mem::swap(&mut level.best, &mut level_below.best),
                    None => self.keep(level),
                }
            }
            if !below.is_empty() {
                // Whatever else the level below has met matters no longer: no policy above has a place for it.
                self.codes.forget_beyond(level.policy.len(), [&mut level.best]);
            }
            level.iteration += 1;
            if notes.take(rules, self.task.goal(), (level.iteration, tries), score, standing) {
                self.adapt(&mut level.policy, &level.best);
            }
        }
        level.active = false;
        Ok(())
    }

    /// The report of a search that has ended: `best`, or the game just played where there is no level; or that it was cut, with its frame.
    pub fn report<F>(
        mut self,
        ended: Result<(), Reason>,
        best: Option<Trace<P::Move>>,
        frame: impl FnOnce(SearchProgress<P::Move>, Vec<u64>) -> F,
    ) -> SearchReport<P::Move, F> {
        if ended.is_ok() && best.is_none() || ended == Err(Reason::Target) {
            self.record();
        }
        let Searching { task, mut tally, codes, game, .. } = self;
        match ended {
            Ok(()) => {
                let best = best.unwrap_or(game);
                tally.finished(Found::Game(ScoredMoves::new(best.score, best.moves)))
            }
            Err(reason) => {
                let frame = frame(tally.clone(), codes.into_met());
                if reason == Reason::Target {
                    // The frame stands before this game, so that the search can go on to another target.
                    tally.count(task, 1, game.moves.len() as u64, Some((game.score, &game.moves)));
                }
                tally.cut(reason, frame)
            }
        }
    }

    /// How a result compares with the best of its level so far; the first is better than none.
    fn standing(&self, level: &Level<P::Move>, score: f64) -> Ordering {
        let goal = self.task.goal();
        match level.iteration > 0 && !goal.better(score, level.best.score) {
            false => Ordering::Greater,
            true if goal.better(level.best.score, score) => Ordering::Less,
            true => Ordering::Equal,
        }
    }

    /// Level 0: a playout with moves drawn by the policy.
    pub fn playout(&mut self, policy: &[f64], stream: Stream) -> Result<(), Reason> {
        self.play(policy, stream)?;
        self.count()
    }

    /// A playout that avoids the final states that were `seen`: a game that leads to one of them is cut at a random move, where another one is
    /// played, and goes on by the policy. Returns the key of its final state.
    fn explore(&mut self, policy: &[f64], stream: Stream, seen: &BTreeSet<u64>) -> Result<u64, Reason> {
        self.play(policy, stream)?;
        let mut key = self.start.key(&self.record().moves);
        if seen.contains(&key) && !self.game.moves.is_empty() {
            let mut rng = stream.own().rng();
            let mut detour = std::mem::take(&mut self.game.moves);
            detour.truncate(rng.below(detour.len()) + 1);
            self.played = self.play_here(policy, &mut rng, &detour)?;
            key = self.start.key(&self.game.moves);
        }
        self.count()?;
        Ok(key)
    }

    /// Plays a game, unless the search must stop. It is not counted yet.
    fn play(&mut self, policy: &[f64], stream: Stream) -> Result<(), Reason> {
        if let Some(reason) = self.task.watch.reason() {
            return Err(reason);
        }
        if self.tally.left(self.task.limit()) == 0 {
            return Err(Reason::Playouts);
        }
        let taken = self.learner.as_mut().and_then(|learner| learner.play(&self.codes, policy, &mut stream.rng()));
        self.played = match taken {
            Some((score, moves)) => Played { score, moves, with_engine: true },
            None => self.play_here(policy, &mut stream.rng(), &[])?,
        };
        Ok(())
    }

    /// Counts the game just played, unless it reaches the target: then the search stands before it.
    fn count(&mut self) -> Result<(), Reason> {
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
    pub fn record(&mut self) -> &mut Trace<P::Move> {
        if std::mem::take(&mut self.played.with_engine)
            && let Some(learner) = &mut self.learner
        {
            learner.record(&mut self.codes, self.recorder.start(&mut self.game));
        }
        &mut self.game
    }

    /// Makes place for all codes met so far.
    pub fn extend(&self, policy: &mut Vec<f64>) {
        policy.extend_from_slice(&self.codes.start()[policy.len()..]);
    }

    /// Adapts a policy to a game.
    pub fn adapt(&mut self, policy: &mut Vec<f64>, game: &Trace<P::Move>) {
        self.extend(policy);
        let Adaptation { alpha, bias_rate, clamp, .. } = self.plan;
        match &self.learner {
            Some(learner) => learner.adapt(&mut self.adapting, policy, game, *alpha),
            None if self.plan.learns_biases => {
                self.plan.read_bias_weights(policy, &mut self.bias_weights);
                self.adapting.adapt_with_biases(policy, game, *alpha, *bias_rate, &self.bias_weights);
            }
            None => self.adapting.adapt(policy, game, *alpha),
        }
        if let Some((least, most)) = clamp {
            game.codes().for_each(|code| policy[code] = policy[code].clamp(*least, *most));
        }
    }

    /// A playout by the problem's own methods. Every move considered has a clock, and the one that rings first is played;
    /// see [`Exponential`]. It begins with the moves of the `detour`, but instead of the last of them another one is played if there is
    /// another: no clock runs meanwhile.
    fn play_here(&mut self, policy: &[f64], rng: &mut Rng, detour: &[P::Move]) -> Result<Played, Reason> {
        self.state.clone_from(self.start);
        self.recorder.start(&mut self.game);
        if self.plan.learns_biases {
            self.plan.read_bias_weights(policy, &mut self.bias_weights);
        }
        let mut now = 0.0;
        loop {
            self.set_clocks(policy, now, rng);
            let clocks = self.recorder.clocks();
            let Some(first) = first_to_ring(clocks) else { break };
            let (chosen, time) = self.next_of(detour, rng).map_or(first, |chosen| (chosen, 0.0));
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

    /// Which of the moves considered the detour demands now: its own, and at its end another one.
    fn next_of(&self, detour: &[P::Move], rng: &mut Rng) -> Option<usize> {
        let step = self.game.moves.len();
        let moves = &self.scratch.moves;
        let wanted = detour.get(step)?;
        let own = moves.iter().position(|played| played == wanted)?;
        if step + 1 < detour.len() || moves.len() == 1 {
            return Some(own);
        }
        let other = rng.below(moves.len() - 1);
        Some(other + usize::from(other >= own))
    }

    /// Considers the moves of the current state. Those that were considered in the last step too have their clocks, which
    /// have gone on for a time of `past`; the others get new ones.
    fn set_clocks(&mut self, policy: &[f64], past: f64, rng: &mut Rng) {
        self.scratch.consider(&self.state, self.plan.policy.rule);
        let given = self.plan.policy.weights.as_deref();
        if let Some(weights) = given {
            self.scratch.evaluate(&self.state, weights);
        }
        let mut recording = self.recorder.go_on(&mut self.game);
        recording.next_step(past);
        for (index, &candidate) in self.scratch.moves.iter().enumerate() {
            let code = self.plan.code(&self.state, candidate);
            let number = self.codes.number(code);
            let mut factor = self.scratch.weights.get(index).copied().unwrap_or(1.0);
            let given = given.map_or(0.0, |weights| weights.get(code) + self.scratch.value_of(index));
            let fixed = [bounded_bias(&self.state, candidate), given].into_iter();
            let named = self.plan.biases.iter().map(|&number| self.state.named_bias(number, candidate));
            if self.plan.learns_biases {
                self.biases.clear();
                self.biases.extend(named);
                factor *= bias_factor(fixed);
            } else {
                factor *= bias_factor(fixed.chain(named));
            }
            let mut learned = self.codes.value_of(policy, number);
            if !self.biases.is_empty() {
                learned *= exp(weighted_sum(&self.bias_weights, &self.biases));
            }
            recording.consider(number, factor, &self.biases, || Exponential::new().draw(rng) / (learned * factor));
        }
    }
}
