//! `dfs`: depth first in the problem's own order. With a problem that prunes its own moves this is forward checking.
//!
//! Cazenave, *Nested Monte-Carlo Search*, 2009 (`FC`).

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::{
    Algorithm, Argument, Form, Found, FrameCheck, ILLEGAL, Plan, PlanError, Planned, Planner, Reason, SearchProgress,
    SearchReport, Task,
};
use crate::bounded;
use crate::checkpoint::CheckpointError;
use crate::expression::Search;
use crate::problem::{Move, Problem};
use crate::stream::Stream;

/// `dfs`: depth first in the problem's own order.
pub struct Dfs;

/// About the bytes that a position takes in the table.
const POSITION_BYTES: usize = 32;

impl Algorithm for Dfs {
    const FORM: Form = Form {
        name: "dfs",
        example: "dfs",
        about: "depth-first search: tries every game, in the problem's own order of moves",
        options: &[
            Argument::switch("merge", false).about(
                "search a position only once, even if several orders of moves lead to it; for Morpion Solitaire and SameGame",
            ),
            Argument::integer("memory", 1, bounded::MOST_MEMORY)
                .default_integer(bounded::DEFAULT_MEMORY)
                .about("MiB for the table of positions of merge=on; positions that do not fit are not remembered"),
        ],
        ..Form::EMPTY
    };

    const IS_EXHAUSTIVE: bool = true;

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        if !search.is_on("merge") {
            return planner.ready(search, DepthFirst);
        }
        if planner.problem().position().is_none() {
            return Err(PlanError::NoPositions);
        }
        planner.ready(search, Merging { most: bounded::bytes(search.integer("memory")) / POSITION_BYTES })
    }

    fn memory(search: &Search) -> u64 {
        if search.is_on("merge") { bounded::bytes(search.integer("memory")) as u64 } else { 0 }
    }
}

/// Exhaustive search.
///
/// ```
/// use nestling::Search;
/// assert_eq!(Search::dfs().merge(true).to_string(), "dfs(merge=on)");
/// ```
impl Search {
    /// Depth first in the problem's own order.
    pub fn dfs() -> Search {
        Search::of::<Dfs>()
    }

    /// `merge=on`, of `dfs`: a [position](Problem::position) is searched only once.
    ///
    /// # Panics
    ///
    /// Like all options, when the search has none of this name.
    #[must_use]
    pub fn merge(self, on: bool) -> Search {
        self.with("merge", on)
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

impl<M: Move> Walk<M> {
    fn new() -> Self {
        Walk { tally: SearchProgress::default(), path: Vec::new() }
    }
}

/// Whether a path takes legal moves only.
fn check_path<P: Problem>(start: &P, path: &[u32]) -> FrameCheck {
    let (mut state, mut legal) = (start.clone(), Vec::new());
    for &index in path {
        state.legal_moves(&mut legal);
        state.play(*legal.get(index as usize).ok_or(ILLEGAL)?);
    }
    Ok(())
}

impl<P: Problem> Plan<P> for DepthFirst {
    type Frame = Walk<P::Move>;

    /// Visits every game in order; each end of a game counts as a playout. If it is not cut, its result is optimal.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        start: &P,
        _: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let mut this = frame.unwrap_or_else(Walk::new);
        let cut = walk(task, start, &mut this, |_| true, &mut true);
        report(task, cut, this, |walk| walk)
    }

    fn check_frame(&self, start: &P, frame: &Self::Frame) -> FrameCheck {
        check_path(start, &frame.path)
    }
}

/// The same, without positions that have been searched.
struct Merging {
    /// How many positions are remembered.
    most: usize,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct MergingWalk<M> {
    walk: Walk<M>,
    /// Whether the position at the end of the path is new.
    is_new: bool,
    /// The positions that have been searched, or are being searched.
    seen: Vec<[u8; 16]>,
}

impl<P: Problem> Plan<P> for Merging {
    type Frame = MergingWalk<P::Move>;

    const FRAME_VERSION: u32 = 2;

    fn run(
        &self,
        task: &Task<'_, P::Move>,
        start: &P,
        _: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let (mut this, mut is_new, seen) = match frame {
            Some(MergingWalk { walk, is_new, seen }) => (walk, is_new, seen),
            None => (Walk::new(), true, Vec::new()),
        };
        let mut seen: FxHashSet<u128> = seen.into_iter().map(u128::from_le_bytes).collect();
        let enter = |state: &P| {
            let position = state.position().unwrap_or_default();
            if seen.len() < self.most { seen.insert(position) } else { !seen.contains(&position) }
        };
        let cut = walk(task, start, &mut this, enter, &mut is_new);
        report(task, cut, this, |walk| {
            let mut seen: Vec<[u8; 16]> = seen.iter().map(|position| position.to_le_bytes()).collect();
            // Sorted, so that the same search has the same frame.
            seen.sort_unstable();
            MergingWalk { walk, is_new, seen }
        })
    }

    fn check_frame(&self, start: &P, frame: &Self::Frame) -> FrameCheck {
        check_path(start, &frame.walk.path)
    }
}

fn report<M: Move, F>(
    task: &Task<'_, M>,
    cut: Option<(Reason, SearchProgress<M>)>,
    walk: Walk<M>,
    frame: impl FnOnce(Walk<M>) -> F,
) -> SearchReport<M, F> {
    match cut {
        Some((reason, tally)) => tally.cut(reason, frame(walk)),
        None => match walk.tally.seen.clone() {
            Some(best) => SearchReport { exhaustive: true, ..walk.tally.finished(Found::Game(best)) },
            // That is only possible after a checkpoint that claims so.
            None => {
                let error = CheckpointError::Damaged("it has visited every game and seen none".to_owned());
                task.fail(error.into()).map_frame(|_| frame(walk))
            }
        },
    }
}

/// Visits all games in order, except below states that need not be entered. If it is cut: the reason, and the counts so far.
fn walk<P: Problem>(
    task: &Task<'_, P::Move>,
    start: &P,
    this: &mut Walk<P::Move>,
    mut enter: impl FnMut(&P) -> bool,
    is_new: &mut bool,
) -> Option<(Reason, SearchProgress<P::Move>)> {
    let mut nodes = vec![Depth::new(start.clone())];
    let mut game = Vec::new();
    for &index in &this.path {
        descend(&mut nodes, &mut game, index);
    }
    loop {
        if let Some(reason) = task.watch.reason() {
            return Some((reason, this.tally.clone()));
        }
        let depth = nodes.last().expect("the start is never removed");
        if *is_new && !depth.legal.is_empty() {
            this.path.push(0);
            *is_new = enter(descend(&mut nodes, &mut game, 0));
            continue;
        }
        if *is_new {
            if this.tally.left(task.limit()) == 0 {
                return Some((Reason::Playouts, this.tally.clone()));
            }
            let score = depth.state.score();
            task.shared.show(score);
            if task.reached(score) {
                // The frame is from before this game, so that the search can continue to another target.
                let mut tally = this.tally.clone();
                tally.count(task, 1, game.len() as u64, Some((score, &game)));
                return Some((Reason::Target, tally));
            }
            this.tally.count(task, 1, game.len() as u64, Some((score, &game)));
        }
        match advance(&mut nodes, &mut game, &mut this.path) {
            Some(state) => *is_new = enter(state),
            None => return None,
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

/// Plays one of the legal moves; returns the state after it.
fn descend<'a, P: Problem>(nodes: &'a mut Vec<Depth<P>>, game: &mut Vec<P::Move>, index: u32) -> &'a P {
    let above = nodes.last().expect("the start is never removed");
    let played = above.legal[index as usize];
    let mut state = above.state.clone();
    state.play(played);
    nodes.push(Depth::new(state));
    game.push(played);
    &nodes.last().expect("it was just pushed").state
}

/// Advances to the next path in order, and returns its state; `None` if there is none.
fn advance<'a, P: Problem>(
    nodes: &'a mut Vec<Depth<P>>,
    game: &mut Vec<P::Move>,
    path: &mut Vec<u32>,
) -> Option<&'a P> {
    while let Some(index) = path.pop() {
        nodes.pop();
        game.pop();
        let above = nodes.last().expect("the start is never removed");
        if index as usize + 1 < above.legal.len() {
            path.push(index + 1);
            return Some(descend(nodes, game, index + 1));
        }
    }
    None
}
