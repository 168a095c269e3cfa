//! `mean`: the average over newly drawn hidden randomness, for decisions whose future is unknown.

use serde::{Deserialize, Serialize};

use super::split::Split;
use super::{Found, Frame, Report, Tally, Task, search};
use crate::plan::Plan;
use crate::problem::Problem;
use crate::stream::Stream;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Mean<M> {
    tally: Tally<M>,
    sum: f64,
    split: Split<M>,
}

/// `search`, `times` times, each after the state has redrawn what the player cannot know. An estimate: it has no moves.
pub(crate) fn mean<P: Problem>(
    times: u64,
    child: &Plan,
    task: &Task<'_, P::Move>,
    state: &P,
    stream: Stream,
    frame: Option<Frame<P::Move>>,
) -> Report<P::Move> {
    let mut this = match frame {
        Some(Frame::Mean(frame)) => frame,
        _ => Mean { tally: Tally::default(), sum: 0.0, split: Split::default() },
    };
    let (tally, sum) = (&mut this.tally, &mut this.sum);
    let spent = tally.counts.playouts;
    let cut = this.split.in_order(
        task,
        times,
        spent,
        !child.is_light(),
        |index, task, frame| {
            let stream = stream.child(index);
            let mut redrawn = state.clone();
            redrawn.redraw(&mut stream.own().rng());
            search(child, &task.imagined(), &redrawn, stream, frame)
        },
        |_, report| {
            tally.add_counts(&report.tally);
            *sum += report.result.expect("a finished search has a result").score;
        },
    );
    let Some(cut) = cut else {
        let score = this.sum / times as f64;
        return this.tally.finished(Found { score, moves: Vec::new(), complete: false });
    };
    let mut tally = this.tally.clone();
    if let Some((_, partial)) = cut.partial {
        tally.add_counts(&partial.tally);
    }
    tally.cut(cut.reason, Frame::Mean(this))
}
