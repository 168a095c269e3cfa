//! `beam`: the best few states of every depth, by the mean of a few playouts. The baseline a sceptic asks for.

use serde::{Deserialize, Serialize};

use super::games::Games;
use super::split::{Place, Split};
use super::task::joined;
use super::{Found, Frame, Report, Tally, Task};
use crate::expression::{Kind, Search};
use crate::plan::BeamPlan;
use crate::problem::{Problem, state_after};
use crate::stream::Stream;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Beam<M> {
    tally: Tally<M>,
    depth: u64,
    /// The states kept, as the moves that lead to them.
    kept: Vec<Vec<M>>,
    /// The means of the candidates of this depth that are done.
    means: Vec<f64>,
    split: Split<M>,
}

/// From every state kept tries every move, estimates the result by the mean of `samples` playouts and keeps the `width`
/// best, until all games are over. Returns the best game of all playouts.
pub(crate) fn beam<P: Problem>(
    plan: &BeamPlan,
    search: &Search,
    task: &Task<'_, P::Move>,
    start: &P,
    stream: Stream,
    frame: Option<Frame<P::Move>>,
) -> Report<P::Move> {
    let mut this = match frame {
        Some(Frame::Beam(frame)) => *frame,
        _ => {
            let (tally, split) = (Tally::default(), Split::default());
            Beam { tally, depth: 0, kept: vec![Vec::new()], means: Vec::new(), split }
        }
    };
    let goal = task.goal();
    let playout = Search { kind: Kind::Playout, games: search.games.clone() };
    loop {
        let candidates = candidates(start, &this.kept);
        if candidates.is_empty() {
            let best = this.tally.seen.clone();
            let found = best.unwrap_or_else(|| Found { score: start.score(), moves: Vec::new(), complete: true });
            return this.tally.clone().ended(task, found, |_| Frame::Beam(Box::new(this)));
        }
        let stream = stream.child(this.depth);
        let (tally, means) = (&mut this.tally, &mut this.means);
        let spent = tally.counts.playouts;
        let cut = this.split.in_order(
            task,
            candidates.len() as u64,
            spent,
            true,
            |index, task, frame| {
                let path = &candidates[index as usize];
                let games = match frame {
                    Some(Frame::Games(games)) => games,
                    _ => Games::new(0),
                };
                let after = task.after(path, task.limit);
                let (mut report, sum) = games.play(
                    plan.samples,
                    &plan.policy,
                    &playout,
                    &after,
                    &state_after(start, path),
                    stream.child(index),
                );
                if let Some(result) = &mut report.result {
                    result.score = sum / plan.samples as f64;
                }
                report
            },
            |index, report| {
                tally.absorb(task, &candidates[index as usize], &report.tally);
                means.push(report.result.expect("a finished search has a result").score);
            },
        );
        if let Some(cut) = cut {
            let tally = cut
                .added_to(this.tally.clone(), task, |index| Place { path: &candidates[index as usize], alone: None });
            return tally.cut(cut.reason, Frame::Beam(Box::new(this)));
        }
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        // The sort is stable: of equal means the first stays in front.
        order.sort_by(|&a, &b| goal.value(this.means[b]).total_cmp(&goal.value(this.means[a])));
        order.truncate(plan.width);
        this.kept = order.iter().map(|&index| candidates[index].clone()).collect();
        this.depth += 1;
        this.means.clear();
        this.split = Split::default();
    }
}

/// Every state one move after the ones kept.
fn candidates<P: Problem>(start: &P, kept: &[Vec<P::Move>]) -> Vec<Vec<P::Move>> {
    let mut legal = Vec::new();
    let mut candidates = Vec::new();
    for path in kept {
        state_after(start, path).legal_moves(&mut legal);
        candidates.extend(legal.iter().map(|&played| joined(path, &[played])));
    }
    candidates
}
