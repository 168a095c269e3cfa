//! The searches. Each is a pure function of a state and a stream: it can run anywhere, and be run again.
//!
//! Every search keeps all it knows in one serialisable struct. When it is told to stop, that struct is its frame; given
//! the frame back it goes on as if nothing had happened. A checkpoint is no more than this.

pub(crate) mod accelerated;
pub(crate) mod beam;
pub(crate) mod dfs;
pub(crate) mod games;
pub(crate) mod lookahead;
pub(crate) mod mean;
pub(crate) mod nrpa;
pub(crate) mod repeat;
pub(crate) mod split;
pub(crate) mod step;
pub(crate) mod task;
pub(crate) mod uct;

use serde::{Deserialize, Serialize};

use crate::plan::{Plan, PlanKind};
use crate::problem::Problem;
use crate::stream::Stream;
pub(crate) use task::{Report, Tally, Task};

/// A game and what it is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found<M> {
    /// The score of the game's last state; for an estimate, the estimate.
    pub score: f64,
    /// The moves from the state the search started in.
    pub moves: Vec<M>,
    /// Whether the moves lead to the end of a game that has this score. `mean` only estimates.
    pub complete: bool,
}

/// Where a search was interrupted: the search's own state.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Frame<M> {
    Games(games::Games<M>),
    Repeat(repeat::Repeat<M>),
    Mean(mean::Mean<M>),
    Step(Box<step::Step<M>>),
    Lookahead(Box<lookahead::Lookahead<M>>),
    Nrpa(Box<nrpa::Nrpa<M>>),
    Uct(uct::Uct<M>),
    Tree(uct::Tree<M>),
    Dfs(dfs::Dfs<M>),
    Beam(Box<beam::Beam<M>>),
    Accelerated(accelerated::Accelerated<M>),
}

/// Runs a plan from a state, or goes on from the frame where it was interrupted.
pub(crate) fn search<P: Problem>(
    plan: &Plan,
    task: &Task<'_, P::Move>,
    state: &P,
    stream: Stream,
    frame: Option<Frame<P::Move>>,
) -> Report<P::Move> {
    match &plan.kind {
        PlanKind::Playout(policy) => games::playout(policy, task, state, stream),
        PlanKind::Repeat { times, child } => repeat::repeat(*times, child, task, state, stream, frame),
        PlanKind::Mean { times, child } => mean::mean(*times, child, task, state, stream, frame),
        PlanKind::Step { memory, child } => step::step(*memory, child, task, state, stream, frame),
        PlanKind::Lookahead { ties, child } => lookahead::lookahead(*ties, child, task, state, stream, frame),
        PlanKind::Nrpa(plan) => nrpa::nrpa(plan, task, state, stream, frame),
        PlanKind::Uct(uct) => uct::uct(uct, &plan.search, task, state, stream, frame),
        PlanKind::Dfs => dfs::dfs(task, state, frame),
        PlanKind::Beam(beam) => beam::beam(beam, &plan.search, task, state, stream, frame),
    }
}
