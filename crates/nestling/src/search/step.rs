//! `step`: play a whole game, running a search before each move. The other half of nested and of reflexive search.
//!
//! Cazenave, *Nested Monte-Carlo Search*, 2009 (`nested`, lines 7 to 11); *Reflexive Monte-Carlo Search*, 2007, 3.2
//! (`playMetaGame`, and the shift of `bestVariation`).

use serde::{Deserialize, Serialize};

use super::{Found, Frame, Report, Tally, Task, search};
use crate::plan::Plan;
use crate::problem::Problem;
use crate::stream::Stream;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Step<M> {
    tally: Tally<M>,
    played: Vec<M>,
    /// The best sequence so far, from the current state on, with the score it leads to.
    memory: Option<Found<M>>,
    inner: Option<Frame<M>>,
}

/// Before each move runs `search` from the current state and follows the best sequence so far, which only a strictly
/// better one replaces. Without memory every step follows its own.
pub(crate) fn step<P: Problem>(
    memory: bool,
    child: &Plan,
    task: &Task<'_, P::Move>,
    start: &P,
    stream: Stream,
    frame: Option<Frame<P::Move>>,
) -> Report<P::Move> {
    let mut this = match frame {
        Some(Frame::Step(frame)) => *frame,
        _ => Step { tally: Tally::default(), played: Vec::new(), memory: None, inner: None },
    };
    let goal = task.goal();
    let mut state = start.clone();
    for &played in &this.played {
        state.play(played);
    }
    let mut legal = Vec::new();
    loop {
        state.legal_moves(&mut legal);
        if legal.is_empty() {
            let found = Found { score: state.score(), moves: this.played.clone(), complete: true };
            return this.tally.clone().ended(task, found, |_| Frame::Step(Box::new(this)));
        }
        let index = this.played.len() as u64;
        let here = task.after(&this.played, this.tally.left(task.limit));
        let report = search(child, &here, &state, stream.child(index), this.inner.take());
        if let Some((reason, frame)) = report.cut {
            let mut tally = this.tally.clone();
            tally.absorb(task, &this.played, &report.tally);
            tally.absorb_beyond(goal, &this.played, None, &report.tally);
            this.inner = Some(frame);
            return tally.cut(reason, Frame::Step(Box::new(this)));
        }
        this.tally.absorb(task, &this.played, &report.tally);
        let found = report.result.expect("a finished search has a result");
        let followed = this.memory.take().filter(|best| memory && !best.moves.is_empty());
        let mut best = match followed {
            Some(best) if !goal.better(found.score, best.score) => best,
            _ => found,
        };
        let next = best.moves.remove(0);
        state.play(next);
        this.played.push(next);
        this.memory = Some(best);
    }
}
