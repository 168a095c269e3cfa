//! The games of NRPA, and how policies are adapted to them.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::level::LevelNotes;
use super::{Adaptation, Level};
use crate::codes::Codes;
use crate::exponential::{Exponential, first_to_ring};
use crate::learner::{Adapting, Learner, Trace, TraceRecorder, bias_factor, weighted_sum};
use crate::math::exp;
use crate::playout::{Scratch, bounded_bias, reason_to_give_up};
use crate::problem::Problem;
use crate::search::{Found, FrameCheck, Reason, ScoredMoves, SearchProgress, SearchReport, Task, require};
use crate::stream::{Rng, Stream};

/// Whether the problem has a bias for a move of this state.
fn is_biased<P: Problem>(state: &P) -> bool {
    let mut moves = Vec::new();
    state.legal_moves(&mut moves);
    moves.into_iter().any(|played| state.bias(played) != 0.0)
}

/// The engine that plays the games of a search from this state, if there is one.
fn learner_of<'a, P: Problem>(plan: &Adaptation, state: &'a P) -> Option<Box<dyn Learner<P::Move> + 'a>> {
    // An engine supports the rule, the weights of the problem's own codes, and perhaps its biases.
    let for_engine = !plan.learns_biases && !plan.symmetric && plan.policy.weights.is_none() && !is_biased(state);
    let learner = if for_engine { state.learner(plan.policy.rule) } else { None };
    if plan.biases.is_empty() {
        return learner;
    }
    learner.and_then(|mut learner| learner.use_biases(&plan.biases).then_some(learner))
}

/// The codes that are numbered before all others.
fn first_codes<M>(plan: &Adaptation, learner: Option<&(dyn Learner<M> + '_)>) -> Vec<u64> {
    let known = learner.map(Learner::codes).unwrap_or_default();
    if known.is_empty() { plan.bias_codes().collect() } else { known }
}

/// What the levels of a frame must fit to: the codes with the start policy, how many of them every policy has, and how many biases are
/// learned.
pub(super) struct FrameCodes {
    codes: Codes,
    first: usize,
    biases: usize,
}

impl FrameCodes {
    /// Those of a frame of a search from this state, whose levels have met these codes.
    pub fn of<P: Problem>(plan: &Adaptation, state: &P, codes: &[u64]) -> Result<Self, &'static str> {
        let first = first_codes(plan, learner_of(plan, state).as_deref());
        require(codes.is_empty() || codes.starts_with(&first), "its codes are not those of the problem")?;
        let distinct: BTreeSet<u64> = codes.iter().copied().collect();
        require(distinct.len() == codes.len(), "it has a code twice")?;
        let (count, met) = (first.len(), if codes.is_empty() { first } else { codes.to_vec() });
        let codes = Codes::new(state.dense_codes(), plan.warm.clone(), met);
        Ok(FrameCodes { codes, first: count, biases: plan.learned_biases() })
    }

    /// Whether a level can have such a policy.
    pub fn check_policy(&self, policy: &[f64]) -> FrameCheck {
        let start = self.codes.start();
        require((self.first..=start.len()).contains(&policy.len()), "a policy has codes that it cannot know")?;
        let is_possible = |(value, start): (&f64, &f64)| value == start || Adapting::RANGE.contains(value);
        require(policy.iter().zip(start).all(is_possible), "a policy has an impossible value")
    }

    /// Whether a level can have kept such a game.
    pub fn check_game<M>(&self, game: &Trace<M>) -> FrameCheck {
        require(game.is_possible(self.codes.start().len(), self.biases), "a game does not fit its codes")
    }
}

/// A search while it runs: the games it plays from its start, and the codes it has met.
pub(super) struct Searching<'a, P: Problem> {
    plan: &'a Adaptation,
    pub task: &'a Task<'a, P::Move>,
    learner: Option<Box<dyn Learner<P::Move> + 'a>>,
    start: &'a P,
    state: P,
    pub tally: SearchProgress<P::Move>,
    pub codes: Codes,
    scratch: Scratch<P>,
    /// The game just played, unless the engine still has it.
    pub game: Trace<P::Move>,
    pub played: LastGame,
    /// Whether the best game of level 1 is the one that the engine recorded last.
    best_is_recorded: bool,
    recorder: TraceRecorder,
    adapting: Adapting,
    /// The weights of the biases in the policy of the current game.
    bias_weights: Vec<f64>,
    /// The biases of the move being considered.
    biases: Vec<f64>,
}

/// Score, length and state of the game just played.
#[derive(Default)]
pub(super) struct LastGame {
    pub score: f64,
    moves: usize,
    /// Whether the engine has it and its moves have not been fetched yet.
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
        let learner = learner_of(plan, state);
        let codes = if codes.is_empty() { first_codes(plan, learner.as_deref()) } else { codes };
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
            played: LastGame::default(),
            best_is_recorded: false,
            recorder: TraceRecorder::default(),
            adapting: Adapting::default(),
            bias_weights: Vec::new(),
            biases: Vec::new(),
        }
    }

    /// Runs the highest of `levels`, starting from a copy of `policy`. Afterwards its best game is in the last of `levels`, or in `game`
    /// for level 0.
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
        // On level 1 an iteration is a playout, and only some are followed by an adapt.
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
                // Other codes that the level below has met are dropped: no higher policy has a place for them.
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

    /// The report of a search that has ended: `best`, or the game just played if there is no level. If it was cut, with its frame.
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
                    // The frame is from before this game, so that the search can continue to another target.
                    tally.count(task, 1, game.moves.len() as u64, Some((game.score, &game.moves)));
                }
                tally.cut(reason, frame)
            }
        }
    }

    /// Compares a result with the best of its level so far; the first result is better than none.
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

    /// A playout that avoids the final states that were `seen`: if a game leads to one of them, another move is played at a random point,
    /// and the game continues from there by the policy. Returns the key of its final state.
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
            Some((score, moves)) => LastGame { score, moves, with_engine: true },
            None => self.play_here(policy, &mut stream.rng(), &[])?,
        };
        Ok(())
    }

    /// Counts the game just played, unless it reaches the target: then the search stops before it.
    fn count(&mut self) -> Result<(), Reason> {
        let LastGame { score, moves, .. } = self.played;
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

    /// Makes the game just played the best of level 1. If the engine played it, this level's best is what the engine recorded last.
    fn keep(&mut self, level: &mut Level<P::Move>) {
        let from_engine = self.played.with_engine;
        let repeated = self.best_is_recorded && level.iteration > 0;
        if from_engine && repeated && self.learner.as_ref().is_some_and(|learner| learner.is_recorded()) {
            return;
        }
        std::mem::swap(&mut level.best, self.record());
        self.best_is_recorded = from_engine;
    }

    /// The game just played, fetched from the engine if necessary.
    pub fn record(&mut self) -> &mut Trace<P::Move> {
        if std::mem::take(&mut self.played.with_engine)
            && let Some(learner) = &mut self.learner
        {
            learner.record(&mut self.codes, self.recorder.start(&mut self.game));
        }
        &mut self.game
    }

    /// Makes room for all codes met so far.
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

    /// A playout by the problem's own methods. Every move considered has a clock, and the one that rings first is played; see
    /// [`Exponential`]. It begins with the moves of the `detour`, but in place of the last of them another move is played if there is one;
    /// clocks stand still meanwhile.
    fn play_here(&mut self, policy: &[f64], rng: &mut Rng, detour: &[P::Move]) -> Result<LastGame, Reason> {
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
        Ok(LastGame { score, moves: self.game.moves.len(), with_engine: false })
    }

    /// The index of the move that the detour requires now: its next move, or at its end a different one.
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

    /// Considers the moves of the current state. Those that were also considered in the last step keep their clocks, which have advanced by
    /// `past`; the others get new ones.
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
