//! `step`: play a whole game, running a search before each move. The other half of nested and of reflexive search.
//!
//! Cazenave, *Nested Monte-Carlo Search*, 2009 (`nested`, lines 7 to 11); *Reflexive Monte-Carlo Search*, 2007, 3.2
//! (`playMetaGame`, and the shift of `bestVariation`).

use serde::{Deserialize, Serialize};

use super::{
    Algorithm, Argument, Form, Found, Frame, Plan, PlanError, Planned, Planner, Profile, ScoredMoves, SearchReport,
};
use super::{FrameCheck, ILLEGAL, SearchProgress, Task, Type, require};
use crate::estimate::Estimate;
use crate::expression::Search;
use crate::problem::{Move, Problem, is_over, state_after, state_after_legal};
use crate::run::RunError;
use crate::stream::Stream;

/// `step(s)`: a whole game; before each move run `s`, follow the best sequence so far.
pub struct Step;

impl Algorithm for Step {
    const FORM: Form = Form {
        name: "step",
        example: "step(lookahead(playout))",
        about: "plays a whole game: before each move, runs s, then plays the next move of the best game so far",
        // A step follows the moves of the search inside it.
        arguments: &[Argument::of("search", Type::Search { game: true, ends: false })
            .symbol("s")
            .about("the search that is run before each move")],
        options: &[Argument::switch("memory", true).about("whether the best sequence is remembered from move to move")],
        ..Form::EMPTY
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        planner.ready(search, Steps { memory: search.is_on("memory"), child: planner.plan_only(search)? })
    }
}

impl Search {
    /// A whole game: this search before each move.
    #[must_use]
    pub fn step(self) -> Search {
        Search::of::<Step>().around([self])
    }

    /// `memory=on` or `off`, of `step`, `nested` and `lazy`: whether the best sequence is remembered from move to move.
    ///
    /// # Panics
    ///
    /// Like all options, when the search has none of this name.
    #[must_use]
    pub fn memory(self, value: bool) -> Search {
        self.with("memory", value)
    }
}

struct Steps<'a, P: Problem> {
    memory: bool,
    child: Planned<'a, P>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Stepping<M> {
    tally: SearchProgress<M>,
    played: Vec<M>,
    /// The best sequence so far, from the current state on, with the score it leads to.
    memory: Option<Found<M>>,
    inner: Option<Frame<M>>,
}

impl<P: Problem> Plan<P> for Steps<'_, P> {
    type Frame = Stepping<P::Move>;

    /// Before each move runs the child from the current state and follows the best sequence so far, which only a strictly
    /// better one replaces. Without memory every step follows its own.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        start: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let new = || Stepping { tally: SearchProgress::default(), played: Vec::new(), memory: None, inner: None };
        let mut this = frame.unwrap_or_else(new);
        let goal = task.goal();
        let mut state = state_after(start, &this.played);
        let mut legal = Vec::new();
        loop {
            state.legal_moves(&mut legal);
            if legal.is_empty() {
                let game = ScoredMoves::new(state.score(), this.played.clone());
                return this.tally.clone().ended(task, game, |_| this);
            }
            let index = this.played.len() as u64;
            let here = task.after(&this.played, this.tally.left(task.limit()));
            let report = self.child.run(&here, &state, stream.child(index), this.inner.take());
            if let Some((reason, frame)) = report.cut {
                let mut tally = this.tally.clone();
                tally.absorb(task, &this.played, &report.tally);
                tally.absorb_speculative(goal, &this.played, None, &report.tally);
                this.inner = Some(frame);
                return tally.cut(reason, this);
            }
            this.tally.absorb(task, &this.played, &report.tally);
            let found = report.into_found();
            let followed = this.memory.take().filter(|best| self.memory && !best.line().moves.is_empty());
            let mut best = match followed {
                Some(best) if !goal.better(found.score(), best.score()) => best,
                _ => found,
            };
            if let Some(reason) = fault(best.line().moves.first(), &legal) {
                let search = self.child.search().to_string();
                return task.fail(RunError::Faulty { search, reason }).map_frame(|_| this);
            }
            let next = best.line_mut().moves.remove(0);
            state.play(next);
            this.played.push(next);
            this.memory = Some(best);
        }
    }

    fn check_frame(&self, state: &P, frame: &Self::Frame) -> FrameCheck {
        require(state_after_legal(state, &frame.played).is_some(), ILLEGAL)
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        let mut sum = Estimate::NOTHING;
        let mut costs = self.child.cost(profile);
        for (cost, &width) in costs.iter_mut().zip(profile.widths()).rev() {
            sum = if width == 0.0 { Estimate::NOTHING } else { sum.plus(*cost) };
            *cost = sum;
        }
        let stretch = profile.stretch(costs[0].playouts);
        costs.into_iter().map(|cost| cost.times(stretch)).collect()
    }

    fn plays(&self, state: &P) -> bool {
        !is_over(state) && self.child.plays(state)
    }

    fn goes_along(&self) -> bool {
        true
    }
}

/// Why a step cannot follow a result with this first move, if it cannot.
fn fault<M: Move>(next: Option<&M>, legal: &[M]) -> Option<&'static str> {
    match next {
        None => Some("it returned no moves, and step has none to follow"),
        Some(next) if !legal.contains(next) => Some("it returned a move that is not legal"),
        Some(_) => None,
    }
}
