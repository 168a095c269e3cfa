//! `repeat`: iterative sampling, and the iterated form of any search.
//!
//! Cazenave, *Reflexive Monte-Carlo Search*, 2007, 3.1 (`findBestMove`); *Nested Monte-Carlo Search*, 2009
//! (`iterativeNested`).

use serde::{Deserialize, Serialize};

use super::games::{BATCH, Games};
use super::split::{Place, Split};
use super::{Found, Frame, Report, Tally, Task, search};
use crate::plan::{Plan, PlanKind};
use crate::problem::{Problem, is_over};
use crate::stream::Stream;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Repeat<M> {
    tally: Tally<M>,
    best: Option<Found<M>>,
    split: Split<M>,
}

/// `search`, `times` times (or until the budget ends) from the same state; the first of the best.
pub(crate) fn repeat<P: Problem>(
    times: Option<u64>,
    child: &Plan,
    task: &Task<'_, P::Move>,
    state: &P,
    stream: Stream,
    frame: Option<Frame<P::Move>>,
) -> Report<P::Move> {
    let mut this = match frame {
        Some(Frame::Repeat(frame)) => frame,
        _ => Repeat { tally: Tally::default(), best: None, split: Split::default() },
    };
    // From the end of a game there is nothing to find by trying again, and often nothing to use up a budget.
    let times = match times {
        Some(times) if child.plays(state) => times,
        None if child.plays(state) && !is_over(state) => u64::MAX,
        _ => 1,
    };
    // Playouts are too small to be tasks by themselves: a task is a batch of them, and game k still draws from child k.
    let policy = match &child.kind {
        PlanKind::Playout(policy) => Some(policy),
        _ => None,
    };
    let tasks = if policy.is_some() { times.div_ceil(BATCH) } else { times };
    let spread = tasks > 1 && (policy.is_some() || !child.is_light());
    let goal = task.goal();
    let (tally, best) = (&mut this.tally, &mut this.best);
    let spent = tally.counts.playouts;
    let cut = this.split.in_order(
        task,
        tasks,
        spent,
        spread,
        |index, task, frame| match policy {
            Some(policy) => {
                let games = match frame {
                    Some(Frame::Games(games)) => games,
                    _ => Games::new(index * BATCH),
                };
                let end = times.min((index + 1).saturating_mul(BATCH));
                games.play(end, policy, &child.search, task, state, stream).0
            }
            None => search(child, task, state, stream.child(index), frame),
        },
        |_, report| {
            tally.absorb(task, &[], &report.tally);
            let found = report.result.expect("a finished search has a result");
            if best.as_ref().is_none_or(|best| goal.better(found.score, best.score)) {
                *best = Some(found);
            }
        },
    );
    let Some(cut) = cut else {
        let best = this.best.expect("at least one repetition was asked for");
        return this.tally.finished(best);
    };
    let tally = cut.added_to(this.tally.clone(), task, |index| Place {
        path: &[],
        alone: policy.is_none().then(|| (&child.search, stream.child(index))),
    });
    // Games are seen one by one; of estimates this is the only place that knows the best.
    let estimate = this.best.clone().filter(|best| !best.complete);
    Report { result: estimate, ..tally.cut(cut.reason, Frame::Repeat(this)) }
}
