//! A search that a device beside the processor runs.

use serde::{Deserialize, Serialize};

use super::{Found, Frame, Reason, ScoredMoves, SearchProgress, SearchReport, Task};
use crate::accelerator::Accelerator;
use crate::problem::Move;

/// The tag of its frames.
pub(crate) const TAG: &str = "accelerated";

/// The state of an interrupted search: its counts, and the state that the device saved.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(crate) struct Accelerated<M> {
    pub tally: SearchProgress<M>,
    pub state: Vec<u8>,
}

/// Lets the device play round by round, counting on from `tally`. If the device fails, the report is cut and its frame is empty. The
/// frame is also empty if checkpoints are not stored, because a device may take seconds to save its state.
pub(crate) fn accelerated<M: Move>(
    machine: &mut dyn Accelerator<M>,
    task: &Task<'_, M>,
    mut tally: SearchProgress<M>,
    is_kept: bool,
) -> (SearchReport<M>, Option<String>) {
    let reason = loop {
        let left = tally.left(task.limit);
        let reached = tally.seen.as_ref().is_some_and(|seen| task.reached(seen.score));
        let reason = if reached {
            Some(Reason::Target)
        } else if left == 0 {
            Some(Reason::Playouts)
        } else {
            task.watch.reason()
        };
        if let Some(reason) = reason {
            break reason;
        }
        let round = match machine.round(left) {
            Ok(round) => round,
            Err(failure) => return failed(tally, failure),
        };
        if let Some(least) = task.keep() {
            match machine.finds(least) {
                Ok(finds) => finds.iter().for_each(|found| task.find(found.search, found.score, &found.moves)),
                Err(failure) => return failed(tally, failure),
            }
        }
        let best = round.best.as_ref().map(|(score, game)| (*score, game.as_slice()));
        tally.count(task, round.playouts, round.moves, best);
        let seen = tally.seen.as_ref();
        if let Some(ScoredMoves { score, moves }) = seen.filter(|seen| round.finished && !task.reached(seen.score)) {
            let (score, moves) = match machine.result() {
                Ok(result) => result.unwrap_or_else(|| (*score, moves.clone())),
                Err(failure) => return failed(tally, failure),
            };
            return (tally.finished(Found::Game(ScoredMoves::new(score, moves))), None);
        }
    };
    if !is_kept {
        return (tally.clone().cut(reason, frame_of(tally, Vec::new())), None);
    }
    match machine.save() {
        Ok(state) => (tally.clone().cut(reason, frame_of(tally, state)), None),
        Err(failure) => failed(tally, failure),
    }
}

fn failed<M: Move>(tally: SearchProgress<M>, failure: String) -> (SearchReport<M>, Option<String>) {
    (tally.clone().cut(Reason::Failed, frame_of(tally, Vec::new())), Some(failure))
}

fn frame_of<M: Move>(tally: SearchProgress<M>, state: Vec<u8>) -> Frame<M> {
    Frame::new(TAG, 1, Accelerated { tally, state })
}
