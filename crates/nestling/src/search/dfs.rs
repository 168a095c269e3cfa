//! `dfs`: depth first in the problem's own order. With a problem that prunes its own moves this is forward checking.
//!
//! Cazenave, *Nested Monte-Carlo Search*, 2009 (`FC`).

use serde::{Deserialize, Serialize};

use super::{Algorithm, Form, Found, Plan, PlanError, Planned, Planner, Reason, SearchProgress, SearchReport, Task};
use crate::expression::Search;
use crate::problem::{Move, Problem};
use crate::stream::Stream;

/// `dfs`: depth first in the problem's own order.
pub struct Dfs;

impl Algorithm for Dfs {
    const FORM: Form = Form {
        name: "dfs",
        example: "dfs",
        about: "depth-first search: tries every game, in the problem's own order of moves",
        ..Form::EMPTY
    };

    const IS_EXHAUSTIVE: bool = true;

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        planner.ready(search, DepthFirst)
    }
}

impl Search {
    /// Depth first in the problem's own order.
    pub fn dfs() -> Search {
        Search::of::<Dfs>()
    }
}

struct DepthFirst;

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Walk<M> {
    tally: SearchProgress<M>,
    /// For every depth of the current path, which of the legal moves it takes.
    path: Vec<u32>,
}

impl<P: Problem> Plan<P> for DepthFirst {
    type Frame = Walk<P::Move>;

    /// Looks at every game in order; each end of a game counts as a playout. If it is not cut, its best is the best there is.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        start: &P,
        _: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let mut this = frame.unwrap_or_else(|| Walk { tally: SearchProgress::default(), path: Vec::new() });
        let mut nodes = vec![Depth::new(start.clone())];
        let mut game = Vec::new();
        for &index in &this.path {
            descend(&mut nodes, &mut game, index);
        }
        loop {
            if let Some(reason) = task.watch.reason() {
                return this.tally.clone().cut(reason, this);
            }
            let depth = nodes.last().expect("the start is never removed");
            if !depth.legal.is_empty() {
                this.path.push(0);
                descend(&mut nodes, &mut game, 0);
                continue;
            }
            if this.tally.left(task.limit()) == 0 {
                return this.tally.clone().cut(Reason::Playouts, this);
            }
            let score = depth.state.score();
            task.shared.show(score);
            if task.reached(score) {
                // The frame stands before this game, so that the search can go on to another target.
                let mut tally = this.tally.clone();
                tally.count(task, 1, game.len() as u64, Some((score, &game)));
                return tally.cut(Reason::Target, this);
            }
            this.tally.count(task, 1, game.len() as u64, Some((score, &game)));
            if !advance(&mut nodes, &mut game, &mut this.path) {
                let best = this.tally.seen.clone().expect("at least one game was looked at");
                return SearchReport { exhaustive: true, ..this.tally.finished(Found::Game(best)) };
            }
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
