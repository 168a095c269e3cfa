//! `lookahead`: try every legal move, follow each with a search, keep the best. Half of nested Monte-Carlo search.
//!
//! Cazenave, *Nested Monte-Carlo Search*, 2009 (lines 4 and 6 of `nested`).

use serde::{Deserialize, Serialize};

use super::split::{Place, Split};
use super::task::joined;
use super::{Found, Frame, Report, Tally, Task, search};
use crate::choice::Choice;
use crate::expression::Ties;
use crate::plan::{Plan, PlanKind};
use crate::playout::{Batch, PlayoutPolicy};
use crate::problem::Problem;
use crate::stream::Stream;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Lookahead<M> {
    tally: Tally<M>,
    choice: Choice,
    best: Option<Found<M>>,
    split: Split<M>,
}

impl<M> Lookahead<M> {
    fn new() -> Self {
        Lookahead { tally: Tally::default(), choice: Choice::default(), best: None, split: Split::default() }
    }
}

/// For every legal move: play it, then `search`; the best, ties by the rule.
pub(crate) fn lookahead<P: Problem>(
    ties: Ties,
    child: &Plan,
    task: &Task<'_, P::Move>,
    state: &P,
    stream: Stream,
    frame: Option<Frame<P::Move>>,
) -> Report<P::Move> {
    let mut moves = Vec::new();
    state.legal_moves(&mut moves);
    if moves.is_empty() {
        return Tally::default().ended(task, Found { score: state.score(), moves, complete: true }, |this| {
            Frame::Lookahead(Box::new(Lookahead { tally: this, ..Lookahead::new() }))
        });
    }
    let mut this = match frame {
        Some(Frame::Lookahead(frame)) => *frame,
        _ => Lookahead::new(),
    };
    if let PlanKind::Playout(policy) = &child.kind
        && this.split.next == 0
        && task.limit >= moves.len() as u64
        && let Some(report) = at_once(ties, policy, task, state, stream, &moves)
    {
        return report;
    }
    let goal = task.goal();
    let (tally, choice, best) = (&mut this.tally, &mut this.choice, &mut this.best);
    let spent = tally.counts.playouts;
    let cut = this.split.in_order(
        task,
        moves.len() as u64,
        spent,
        !child.is_light(),
        |index, task, frame| {
            let path = [moves[index as usize]];
            let mut after = state.clone();
            after.play(path[0]);
            search(child, &task.after(&path, task.limit), &after, stream.child(index), frame)
        },
        |index, report| {
            let path = [moves[index as usize]];
            tally.absorb(task, &path, &report.tally);
            let found = report.result.expect("a finished search has a result");
            if choice.offer(index, found.score, goal, ties, stream) {
                *best = Some(Found { moves: joined(&path, &found.moves), ..found });
            }
        },
    );
    let Some(cut) = cut else {
        let best = this.best.expect("there is at least one legal move");
        return this.tally.finished(best);
    };
    let tally = cut.added_to(this.tally.clone(), task, |index| Place {
        path: &moves[index as usize..][..1],
        alone: Some((&child.search, stream.child(index))),
    });
    tally.cut(cut.reason, Frame::Lookahead(Box::new(this)))
}

/// All playouts of a lookahead as one batch: the inside of a level 1 search, and most of the time of any. `None` when
/// it was interrupted; the batch is so short that it is played again.
fn at_once<P: Problem>(
    ties: Ties,
    policy: &PlayoutPolicy,
    task: &Task<'_, P::Move>,
    state: &P,
    stream: Stream,
    moves: &[P::Move],
) -> Option<Report<P::Move>> {
    let mut batch = Batch::after_each(policy, task.goal(), stream, moves, ties).bounded(u64::MAX, task);
    state.playouts(&mut batch);
    if batch.reached() || batch.played() < batch.len() {
        return None;
    }
    let (score, best) = batch.best()?;
    let mut tally = Tally::default();
    // The first move of each game is the lookahead's, not the playout's.
    let moves_played = batch.moves_played() - moves.len() as u64;
    tally.count(task, batch.played() as u64, moves_played, batch.first_best().map(|(_, score, moves)| (score, moves)));
    Some(tally.finished(Found { score, moves: best.to_vec(), complete: true }))
}
