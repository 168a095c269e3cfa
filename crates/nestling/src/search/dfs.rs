//! `dfs`: depth first in the problem's own order. With a problem that prunes its own moves this is forward checking.
//!
//! Cazenave, *Nested Monte-Carlo Search*, 2009 (`FC`).

use serde::{Deserialize, Serialize};

use super::{Frame, Report, Tally, Task};
use crate::problem::Problem;
use crate::watch::Reason;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Dfs<M> {
    tally: Tally<M>,
    /// For every depth of the current path, which of the legal moves it takes.
    path: Vec<u32>,
}

/// Looks at every game in order; each end of a game counts as a playout. If it is not cut, its best is the best there is.
pub(crate) fn dfs<P: Problem>(task: &Task<'_, P::Move>, start: &P, frame: Option<Frame<P::Move>>) -> Report<P::Move> {
    let mut this = match frame {
        Some(Frame::Dfs(frame)) => frame,
        _ => Dfs { tally: Tally::default(), path: Vec::new() },
    };
    let mut nodes = vec![Depth::new(start.clone())];
    let mut game = Vec::new();
    for &index in &this.path {
        descend(&mut nodes, &mut game, index);
    }
    loop {
        let depth = nodes.last().expect("the start is never removed");
        if depth.legal.is_empty() {
            let left = this.tally.left(task.limit);
            if let Some(reason) = task.watch.reason().or((left == 0).then_some(Reason::Playouts)) {
                return this.tally.clone().cut(reason, Frame::Dfs(this));
            }
            let score = depth.state.score();
            task.shared.show(score);
            if task.reached(score) {
                // The frame stands before this game, so that the search can go on to another target.
                let mut tally = this.tally.clone();
                tally.count(task, 1, game.len() as u64, Some((score, &game)));
                return tally.cut(Reason::Target, Frame::Dfs(this));
            }
            this.tally.count(task, 1, game.len() as u64, Some((score, &game)));
            if !advance(&mut nodes, &mut game, &mut this.path) {
                let best = this.tally.seen.clone().expect("at least one game was looked at");
                return Report { exhaustive: true, ..this.tally.finished(best) };
            }
        } else {
            this.path.push(0);
            descend(&mut nodes, &mut game, 0);
        }
    }
}

struct Depth<P: Problem> {
    state: P,
    legal: Vec<P::Move>,
}

impl<P: Problem> Depth<P> {
    fn new(state: P) -> Self {
        let mut legal = Vec::new();
        state.legal_moves(&mut legal);
        Depth { state, legal }
    }
}

fn descend<P: Problem>(nodes: &mut Vec<Depth<P>>, game: &mut Vec<P::Move>, index: u32) {
    let above = nodes.last().expect("the start is never removed");
    let played = above.legal[index as usize];
    let mut state = above.state.clone();
    state.play(played);
    nodes.push(Depth::new(state));
    game.push(played);
}

/// Goes to the next path in order; false if there is none.
fn advance<P: Problem>(nodes: &mut Vec<Depth<P>>, game: &mut Vec<P::Move>, path: &mut Vec<u32>) -> bool {
    while let Some(index) = path.pop() {
        nodes.pop();
        game.pop();
        let above = nodes.last().expect("the start is never removed");
        if index as usize + 1 < above.legal.len() {
            path.push(index + 1);
            descend(nodes, game, index + 1);
            return true;
        }
    }
    false
}
