//! Playouts: games played to the end by a policy, and the batches in which searches request them.

use std::sync::Arc;

use crate::choice::Choice;
use crate::learner::LARGEST_CHANGE;
use crate::math::exp;
use crate::network::Evaluation;
use crate::problem::{Goal, Problem};
use crate::scores::Scores;
use crate::search::Task;
use crate::search::Ties;
use crate::stream::{Rng, Stream};
use crate::watch::{Reason, Watch};
use crate::weights::Weights;

/// How a playout picks its moves, with every name resolved.
#[derive(Clone, Debug)]
pub struct PlayoutPolicy {
    /// Which of the legal moves are considered.
    pub rule: Rule,
    /// Weights for the codes of the moves: p ∝ exp(weight + bias). With `None` the rule alone decides.
    pub weights: Option<Arc<Weights>>,
}

/// Which of the legal moves a playout considers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// All of them.
    Uniform,
    /// Those that lead to the most legal moves (the mobility heuristic of *Reflexive Monte-Carlo Search*, 2.3).
    Mobility,
    /// The problem's own policy of this number.
    Own(usize),
}

impl PlayoutPolicy {
    /// All legal moves, equally likely.
    pub const UNIFORM: PlayoutPolicy = PlayoutPolicy { rule: Rule::Uniform, weights: None };

    /// Whether this is plain uniform play, which every engine supports.
    pub fn is_uniform(&self) -> bool {
        self.rule == Rule::Uniform && self.weights.is_none()
    }
}

/// The buffers of a playout, allocated once for many games.
pub(crate) struct Scratch<P: Problem> {
    pub moves: Vec<P::Move>,
    /// One weight per move, or empty if the choice is uniform.
    pub weights: Vec<f64>,
    probe: Option<(P, Vec<P::Move>)>,
    evaluation: Evaluation,
}

impl<P: Problem> Scratch<P> {
    pub fn new() -> Self {
        Scratch { moves: Vec::new(), weights: Vec::new(), probe: None, evaluation: Evaluation::default() }
    }

    /// Fills `moves` and `weights` with the moves that the rule considers in this state.
    pub fn consider(&mut self, state: &P, rule: Rule) {
        state.legal_moves(&mut self.moves);
        self.weights.clear();
        match rule {
            Rule::Uniform => {}
            Rule::Mobility => self.keep_most_mobile(state),
            Rule::Own(policy) => state.prefer(policy, &mut self.moves, &mut self.weights),
        }
    }

    fn keep_most_mobile(&mut self, state: &P) {
        let (probe, replies) = self.probe.get_or_insert_with(|| (state.clone(), Vec::new()));
        let (mut most, mut kept) = (0, 0);
        for index in 0..self.moves.len() {
            let candidate = self.moves[index];
            probe.clone_from(state);
            probe.play(candidate);
            probe.legal_moves(replies);
            if replies.len() > most {
                (most, kept) = (replies.len(), 0);
            }
            if replies.len() == most {
                self.moves[kept] = candidate;
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }

    /// Evaluates all moves with the network of some weights, if they have one.
    pub fn evaluate(&mut self, state: &P, weights: &Weights) {
        match weights.network() {
            Some(network) => {
                self.evaluation.of(network, state, &self.moves);
            }
            None => self.evaluation.clear(),
        }
    }

    /// The network's value of a move; 0 without a network.
    pub fn value_of(&self, index: usize) -> f64 {
        self.evaluation.values().get(index).copied().unwrap_or(0.0)
    }

    pub fn weigh(&mut self, state: &P, weights: &Weights) {
        if self.weights.is_empty() {
            self.weights.resize(self.moves.len(), 1.0);
        }
        self.evaluate(state, weights);
        for (index, &played) in self.moves.iter().enumerate() {
            let (code, bias) = (state.code(played), bounded_bias(state, played) + self.value_of(index));
            self.weights[index] *= if bias == 0.0 { weights.exponential(code) } else { exp(weights.get(code) + bias) };
        }
    }
}

/// The bias of a move, limited so that its exponential stays in the range of a double.
pub(crate) fn bounded_bias<P: Problem>(state: &P, played: P::Move) -> f64 {
    state.bias(played).clamp(-LARGEST_CHANGE, LARGEST_CHANGE)
}

/// An index drawn with probability proportional to its weight. The weights are replaced by their running sums, in their order; the draw is
/// the first index whose sum exceeds a random share of the last. (Counting the smaller sums needs no branch.)
pub(crate) fn draw(weights: &mut [f64], rng: &mut Rng) -> usize {
    let mut total = 0.0;
    for weight in weights.iter_mut() {
        total += *weight;
        *weight = total;
    }
    let point = rng.unit() * total;
    let passed = weights.iter().filter(|&&sum| sum <= point).count();
    // Rounding may make the random point equal to the last sum.
    passed.min(weights.len() - 1)
}

/// How many moves of a playout are played between two checks of the [`Watch`]: a check costs a few nanoseconds, a move of a problem's own
/// methods at least about ten.
const MOVES_BETWEEN_LOOKS: usize = 8;

/// The reason to stop a playout at this move, if there is one; checked every few moves.
pub(crate) fn reason_to_give_up(watch: Option<&Watch<'_>>, moves: usize) -> Option<Reason> {
    watch.filter(|_| moves % MOVES_BETWEEN_LOOKS == MOVES_BETWEEN_LOOKS - 1).and_then(Watch::reason_to_give_up)
}

/// Plays `state` to its end by the policy, appending the moves to `game`; an error if the run is told to stop meanwhile.
pub(crate) fn play_out<P: Problem>(
    state: &mut P,
    policy: &PlayoutPolicy,
    watch: Option<&Watch<'_>>,
    rng: &mut Rng,
    scratch: &mut Scratch<P>,
    game: &mut Vec<P::Move>,
) -> Result<(), Reason> {
    loop {
        if let Some(reason) = reason_to_give_up(watch, game.len()) {
            return Err(reason);
        }
        scratch.consider(state, policy.rule);
        if scratch.moves.is_empty() {
            return Ok(());
        }
        if let Some(weights) = &policy.weights {
            scratch.weigh(state, weights);
        }
        let index =
            if scratch.weights.is_empty() { rng.below(scratch.moves.len()) } else { draw(&mut scratch.weights, rng) };
        let played = scratch.moves[index];
        state.play(played);
        game.push(played);
    }
}

/// Games that a search requests from one state, each with its own stream; the batch keeps the best.
///
/// An engine plays the games `batch.played()..batch.len()` in this order: it starts game `k` with [`first_move(k)`](Batch::first_move), if
/// there is one, continues with the moves that [`stream(k)`](Batch::stream) draws, and calls [`record`](Batch::record). It stops when
/// [`is_over`](Batch::is_over) returns true.
pub struct Batch<'a, M> {
    policy: &'a PlayoutPolicy,
    stream: Stream,
    /// Whether the only game draws from the stream itself rather than from a child of it.
    alone: bool,
    first_index: u64,
    first_moves: Option<&'a [M]>,
    len: usize,
    goal: Goal,
    ties: Ties,
    target: Option<f64>,
    watch: Option<&'a Watch<'a>>,
    scores: Option<&'a Scores>,
    played: usize,
    reached: bool,
    moves_played: u64,
    sum: f64,
    choice: Choice,
    best: Vec<M>,
    /// The index of the first of the best games, and its moves if the rule for ties may choose another.
    first_index_of_best: u64,
    first_best: Vec<M>,
}

impl<'a, M: Copy> Batch<'a, M> {
    /// Games number `first..first + count` of `stream`, all from the state itself.
    pub fn repeated(policy: &'a PlayoutPolicy, goal: Goal, stream: Stream, first: u64, count: usize) -> Self {
        Batch {
            policy,
            stream,
            alone: false,
            first_index: first,
            first_moves: None,
            len: count,
            goal,
            ties: Ties::First,
            target: None,
            watch: None,
            scores: None,
            played: 0,
            reached: false,
            moves_played: 0,
            sum: 0.0,
            choice: Choice::default(),
            best: Vec::new(),
            first_index_of_best: 0,
            first_best: Vec::new(),
        }
    }

    /// One game after each of `moves`: a lookahead.
    pub fn after_each(policy: &'a PlayoutPolicy, goal: Goal, stream: Stream, moves: &'a [M], ties: Ties) -> Self {
        Batch { first_moves: Some(moves), ties, ..Batch::repeated(policy, goal, stream, 0, moves.len()) }
    }

    /// One game that draws from the stream itself.
    pub fn alone(policy: &'a PlayoutPolicy, goal: Goal, stream: Stream) -> Self {
        Batch { alone: true, ..Batch::repeated(policy, goal, stream, 0, 1) }
    }

    /// The same batch as part of a task: it ends after `limit` games, at the first game that reaches the target, or when the run is told to
    /// stop.
    pub(crate) fn bounded(mut self, limit: u64, task: &Task<'a, M>) -> Self {
        self.len = self.len.min(usize::try_from(limit).unwrap_or(usize::MAX));
        self.target = task.target();
        self.watch = Some(task.watch);
        self.scores = task.shared.scores.as_ref();
        self
    }

    /// The policy of the games.
    pub fn policy(&self) -> &'a PlayoutPolicy {
        self.policy
    }

    /// How many games are requested.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no game is requested.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many games have been recorded.
    pub fn played(&self) -> usize {
        self.played
    }

    /// The move game `game` starts with, before the policy takes over.
    pub fn first_move(&self, game: usize) -> Option<M> {
        self.first_moves.map(|moves| moves[game])
    }

    /// The stream game `game` draws from.
    pub fn stream(&self, game: usize) -> Stream {
        if self.alone { self.stream } else { self.stream.child(self.first_index + game as u64) }
    }

    /// Whether to stop: all games are played, the target is reached, or the run has been told to stop.
    pub fn is_over(&self) -> bool {
        self.reached || self.played >= self.len || self.watch.is_some_and(|watch| watch.reason().is_some())
    }

    /// Records the next game: its score, how many moves the engine played for it, and a function that appends its moves (first move
    /// included) to a buffer; the function is called only if the batch keeps the game.
    pub fn record(&mut self, score: f64, moves_played: usize, moves: impl FnOnce(&mut Vec<M>)) {
        if self.reached || self.played >= self.len {
            return;
        }
        let index = self.first_index + self.played as u64;
        self.played += 1;
        self.moves_played += moves_played as u64;
        self.sum += score;
        if let Some(scores) = self.scores {
            scores.add(score);
        }
        let leader = self.choice.score();
        if self.choice.offer(index, score, self.goal, self.ties, self.stream) {
            self.best.clear();
            moves(&mut self.best);
            if leader.is_none_or(|leader| self.goal.better(score, leader)) {
                self.first_index_of_best = index;
                if self.ties != Ties::First {
                    self.first_best.clone_from(&self.best);
                }
            }
        }
        self.reached = self.target.is_some_and(|target| self.goal.reaches(score, target));
    }

    /// The best game so far and its score.
    pub fn best(&self) -> Option<(f64, &[M])> {
        self.choice.score().map(|score| (score, self.best.as_slice()))
    }

    /// The index, score and moves of the first of the best games, whatever the rule for ties.
    pub(crate) fn first_best(&self) -> Option<(u64, f64, &[M])> {
        let moves = if self.ties == Ties::First { &self.best } else { &self.first_best };
        self.choice.score().map(|score| (self.first_index_of_best, score, moves.as_slice()))
    }

    /// How many moves were played in the games recorded.
    pub fn moves_played(&self) -> u64 {
        self.moves_played
    }

    pub(crate) fn sum(&self) -> f64 {
        self.sum
    }

    pub(crate) fn reached(&self) -> bool {
        self.reached
    }
}

/// Plays a batch one game after the other with the problem's own methods only.
pub fn play_batch<P: Problem>(start: &P, batch: &mut Batch<'_, P::Move>) {
    let mut scratch = Scratch::new();
    let mut state = start.clone();
    let mut game = Vec::new();
    while !batch.is_over() {
        let index = batch.played();
        state.clone_from(start);
        game.clear();
        if let Some(first) = batch.first_move(index) {
            state.play(first);
            game.push(first);
        }
        let mut rng = batch.stream(index).rng();
        if play_out(&mut state, batch.policy(), batch.watch, &mut rng, &mut scratch, &mut game).is_err() {
            return;
        }
        batch.record(state.score(), game.len(), |moves| moves.extend_from_slice(&game));
    }
}
