//! Plain playouts: the lowest level of every search, played in batches through the problem's engine.
//!
//! Cazenave, *Reflexive Monte-Carlo Search*, 2007, 3.1 (`playGame`).

use serde::{Deserialize, Serialize};

use super::report::SpeculativeBest;
use super::{
    Algorithm, Argument, Form, Found, Frame, Menu, Plan, PlanError, Planned, Planner, Profile, Reason, ScoredMoves,
};
use super::{FrameCheck, SearchProgress, SearchReport, Task, Type, require};
use crate::estimate::Estimate;
use crate::expression::Search;
use crate::playout::{Batch, PlayoutPolicy};
use crate::problem::{Move, Problem};
use crate::stream::Stream;

/// `playout`: one game to the end.
pub struct Playout;

impl Algorithm for Playout {
    const FORM: Form = Form {
        name: "playout",
        example: "playout",
        about: "plays one random game to the end; playout(mobility) prefers moves that leave many legal moves",
        arguments: &[Argument::of("policy", Type::Policy).optional().about("the policy that chooses the moves")],
        menu: Some(Menu {
            title: "Random games",
            about: "Plays random games to the end, again and again.",
            choice: "Moves are",
            choices: &["uniform", "mobility"],
            usual: "uniform",
        }),
        ..Form::EMPTY
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        planner.ready(search, OneGame { policy: planner.policy(search)? })
    }
}

impl Search {
    /// One game to the end.
    pub fn playout() -> Search {
        Search::of::<Playout>()
    }
}

struct OneGame {
    policy: PlayoutPolicy,
}

impl<P: Problem> Plan<P> for OneGame {
    type Frame = Playing<P::Move>;

    /// A playout draws from the task's own stream, so that `repeat(n, playout)` and n runs of `playout` agree.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        _: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        one_game(task, &self.policy, state, &[], stream, Playing::new)
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        profile.playouts(1.0, profile.seconds_per_move(&self.policy))
    }

    fn is_light(&self) -> bool {
        true
    }

    fn as_playout(&self) -> Option<&PlayoutPolicy> {
        Some(&self.policy)
    }
}

/// One game that begins with some moves; the frame is computed from the number of games that were played.
pub(super) fn one_game<P: Problem, F>(
    task: &Task<'_, P::Move>,
    policy: &PlayoutPolicy,
    state: &P,
    moves: &[P::Move],
    stream: Stream,
    frame: impl FnOnce(u64) -> F,
) -> SearchReport<P::Move, F> {
    let mut tally = SearchProgress::default();
    let game = match task.stop(&tally) {
        Some(reason) => Err(reason),
        None => task.playout(policy, state, moves, stream),
    };
    let ScoredMoves { score, moves } = match game {
        Ok(game) => game,
        Err(reason) => return tally.cut(reason, frame(0)),
    };
    tally.count(task, 1, moves.len() as u64, Some((score, &moves)));
    if task.reached(score) {
        tally.cut(Reason::Target, frame(1))
    } else {
        tally.finished(Found::Game(ScoredMoves { score, moves }))
    }
}

/// Plays some games from a state; the result is the mean of their scores, and the best game is the best seen. `search` is the expression of
/// one game.
pub(super) fn sample<P: Problem>(
    games: u64,
    policy: &PlayoutPolicy,
    search: &Search,
    task: &Task<'_, P::Move>,
    state: &P,
    stream: Stream,
    frame: Option<Frame<P::Move>>,
) -> SearchReport<P::Move> {
    let playing = match Frame::open(frame, TAG, 1, task, |playing| Playing::check(playing, 0)) {
        Ok(playing) => playing.unwrap_or_else(|| Playing::new(0)),
        Err(failed) => return *failed,
    };
    let (mut report, sum) = playing.play(games, policy, search, task, state, stream);
    report.result = report.result.map(|_| Found::Estimate(ScoredMoves::new(sum / games as f64, Vec::new())));
    report
}

/// The size of batches: enough for an engine to interleave, few enough to stop soon.
pub(super) const BATCH: u64 = 64;

/// The tag of the frames of playouts, including those that other searches play in batches.
pub(super) const TAG: &str = Playout::FORM.name;

/// The games `next..` of a stream, all from one state; the first of the best is kept.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Playing<M> {
    tally: SearchProgress<M>,
    next: u64,
    /// The sum of the scores, for the mean.
    sum: f64,
}

impl<M: Move> Playing<M> {
    pub fn new(first: u64) -> Self {
        Playing { tally: SearchProgress::default(), next: first, sum: 0.0 }
    }

    /// Whether these can be games from number `first` on.
    pub fn check(&self, first: u64) -> FrameCheck {
        let played = self.next.checked_sub(first);
        require(played == Some(self.tally.counts.playouts), "its games do not match its count")
    }

    /// Plays until game `end`; returns the sum of all scores with the report. `search` is the expression of one game; with the stream of
    /// the best game it finds that game again.
    pub fn play<P: Problem<Move = M>>(
        mut self,
        end: u64,
        policy: &PlayoutPolicy,
        search: &Search,
        task: &Task<'_, M>,
        state: &P,
        stream: Stream,
    ) -> (SearchReport<M>, f64) {
        let reason = loop {
            if self.tally.seen.as_ref().is_some_and(|seen| task.reached(seen.score)) {
                break Some(Reason::Target);
            }
            if self.next >= end {
                break None;
            }
            let left = self.tally.left(task.limit);
            let stop = task.watch.reason().or((left == 0).then_some(Reason::Playouts));
            if stop.is_some() {
                break stop;
            }
            let count = (end - self.next).min(BATCH) as usize;
            let mut batch = Batch::repeated(policy, task.goal(), stream, self.next, count).bounded(left, task);
            state.playouts(&mut batch);
            if let Some((index, score, moves)) = batch.first_best()
                && self.tally.speculative.as_ref().is_none_or(|best| task.goal().better(score, best.found.score()))
            {
                let found = Found::Game(ScoredMoves::new(score, moves.to_vec()));
                let (search, seed) = (search.to_string(), stream.child(index).seed());
                self.tally.speculative = Some(SpeculativeBest { found, from: 0, search, seed, playouts: 1 });
            }
            self.next += batch.played() as u64;
            self.sum += batch.sum();
            self.tally.count(task, batch.played() as u64, batch.moves_played(), batch.best());
        };
        let sum = self.sum;
        let report = match (reason, self.tally.seen.clone()) {
            (None, Some(best)) => self.tally.finished(Found::Game(best)),
            (reason, _) => {
                let tally = self.tally.clone();
                tally.cut(reason.unwrap_or(Reason::Playouts), Frame::new(TAG, 1, self))
            }
        };
        (report, sum)
    }
}
