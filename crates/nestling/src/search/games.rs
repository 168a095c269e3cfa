//! Plain playouts: the bottom of every search, played in batches through the problem's engine.
//!
//! Cazenave, *Reflexive Monte-Carlo Search*, 2007, 3.1 (`playGame`).

use serde::{Deserialize, Serialize};

use super::task::Beyond;
use super::{Found, Frame, Report, Tally, Task};
use crate::expression::Search;
use crate::playout::{Batch, PlayoutPolicy};
use crate::problem::Problem;
use crate::stream::Stream;
use crate::watch::Reason;

/// Games are asked for in batches of this many: enough for an engine to interleave, few enough to hear of a stop soon.
pub(crate) const BATCH: u64 = 64;

/// The games `next..` of a stream, all from one state; the first of the best is kept.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Games<M> {
    tally: Tally<M>,
    next: u64,
    /// The sum of the scores, for those who want the mean.
    pub sum: f64,
}

/// One game.
pub(crate) fn playout<P: Problem>(
    policy: &PlayoutPolicy,
    task: &Task<'_, P::Move>,
    state: &P,
    stream: Stream,
) -> Report<P::Move> {
    // A playout draws from the task's own stream, so that `repeat(n, playout)` and n runs of `playout` agree.
    let mut tally = Tally::default();
    if let Some(reason) = task.watch.reason().or((task.limit == 0).then_some(Reason::Playouts)) {
        return tally.cut(reason, Frame::Games(Games::new(0)));
    }
    let mut batch = Batch::alone(policy, task.goal(), stream);
    state.playouts(&mut batch);
    let (score, moves) = batch.best().expect("an unbounded batch plays all its games");
    let found = Found { score, moves: moves.to_vec(), complete: true };
    task.shared.show(score);
    tally.count(task, 1, batch.moves_played(), batch.best());
    if task.reached(score) { tally.cut(Reason::Target, Frame::Games(Games::new(1))) } else { tally.finished(found) }
}

impl<M: Copy> Games<M> {
    pub fn new(first: u64) -> Self {
        Games { tally: Tally::default(), next: first, sum: 0.0 }
    }

    /// Plays on until game `end`; the sum of all scores comes back with the report. `search` is the expression of one
    /// game, which with the stream of the best one finds it again.
    pub fn play<P: Problem<Move = M>>(
        mut self,
        end: u64,
        policy: &PlayoutPolicy,
        search: &Search,
        task: &Task<'_, M>,
        state: &P,
        stream: Stream,
    ) -> (Report<M>, f64) {
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
                && self.tally.beyond.as_ref().is_none_or(|best| task.goal().better(score, best.found.score))
            {
                let found = Found { score, moves: moves.to_vec(), complete: true };
                let (search, seed) = (search.to_string(), stream.child(index).seed());
                self.tally.beyond = Some(Beyond { found, from: 0, search, seed, playouts: 1 });
            }
            self.next += batch.played() as u64;
            self.sum += batch.sum();
            self.tally.count(task, batch.played() as u64, batch.moves_played(), batch.best());
        };
        let sum = self.sum;
        let report = match (reason, self.tally.seen.clone()) {
            (None, Some(best)) => self.tally.finished(best),
            (reason, _) => {
                let tally = self.tally.clone();
                tally.cut(reason.unwrap_or(Reason::Playouts), Frame::Games(self))
            }
        };
        (report, sum)
    }
}
