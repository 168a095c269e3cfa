//! `repeat`: iterative sampling, and the iterated form of any search.
//!
//! Cazenave, *Reflexive Monte-Carlo Search*, 2007, 3.1 (`findBestMove`); *Nested Monte-Carlo Search*, 2009
//! (`iterativeNested`).

use serde::{Deserialize, Serialize};

use super::playout::{self, BATCH, Playing};
use super::{Algorithm, Argument, Form, Found, Frame, Parts, Plan, PlanError, Planned, Planner, Profile, TaskSlot};
use super::{FrameCheck, SearchProgress, SearchReport, Split, Task, require};
use crate::estimate::Estimate;
use crate::expression::{Search, Value};
use crate::problem::{Move, Problem, is_over};
use crate::stream::Stream;

/// `repeat(n, s)` or `repeat(s)`: `s`, n times or until the budget ends; the best.
pub struct Repeat;

impl Algorithm for Repeat {
    const FORM: Form = Form {
        name: "repeat",
        example: "repeat(100, playout)",
        about: "makes n runs of s from the same state and takes the best result; repeat(s) runs s until --time, --playouts or --target ends the run",
        arguments: &[
            Argument::integer("count", 1, u64::MAX)
                .symbol("n")
                .optional()
                .about("how many times the search is run; if not given, until the budget ends"),
            Argument::search("search").about("the search to repeat"),
        ],
        ..Form::EMPTY
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        let (times, child) = (search.optional_integer("count"), planner.plan_only(search)?);
        planner.ready(search, Repetition { times, child })
    }

    fn is_endless(search: &Search) -> bool {
        search.optional_integer("count").is_none() || search.inner().iter().any(Search::is_endless)
    }

    fn is_estimate(search: &Search) -> bool {
        search.inner().iter().any(Search::is_estimate)
    }
}

impl Search {
    /// This search, `times` times; the best.
    ///
    /// ```
    /// use nestling::Search;
    /// assert_eq!(Search::playout().lookahead().step().repeat(100).to_string(), "repeat(100, step(lookahead(playout)))");
    /// ```
    #[must_use]
    pub fn repeat(self, times: u64) -> Search {
        Search::of::<Repeat>().with("count", times).around([self])
    }

    /// This search, until the budget ends; the best.
    #[must_use]
    pub fn forever(self) -> Search {
        Search::of::<Repeat>().with("count", Value::Absent).around([self])
    }
}

struct Repetition<'a, P: Problem> {
    times: Option<u64>,
    child: Planned<'a, P>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Repeating<M> {
    tally: SearchProgress<M>,
    best: Option<Found<M>>,
    split: Split<M>,
}

impl<P: Problem> Repetition<'_, P> {
    /// How often to search from a state: once from the end of a game, where repeating finds nothing new and might never spend a budget.
    fn times(&self, state: &P) -> u64 {
        match self.times {
            Some(times) if self.child.plays(state) => times,
            None if self.child.plays(state) && !is_over(state) => u64::MAX,
            _ => 1,
        }
    }

    /// Playouts are too small for tasks: a task is a batch of them, and game k still draws from child k.
    fn tasks(&self, state: &P) -> u64 {
        let times = self.times(state);
        if self.child.as_playout().is_some() { times.div_ceil(BATCH) } else { times }
    }
}

impl<P: Problem> Plan<P> for Repetition<'_, P> {
    type Frame = Repeating<P::Move>;

    /// `child`, `times` times (or until the budget ends) from the same state; the first of the best.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let new = || Repeating { tally: SearchProgress::default(), best: None, split: Split::default() };
        let mut this = frame.unwrap_or_else(new);
        let (times, tasks, child) = (self.times(state), self.tasks(state), &self.child);
        let policy = child.as_playout();
        let spread = tasks > 1 && (policy.is_some() || !child.is_light());
        let goal = task.goal();
        let (tally, best) = (&mut this.tally, &mut this.best);
        let spent = tally.counts.playouts;
        let cut = this.split.in_order(
            task,
            tasks,
            spent,
            spread,
            |index, task, frame| match policy {
                Some(policy) => {
                    let first = index * BATCH;
                    let games = match Frame::open(frame, playout::TAG, 1, task, |games| Playing::check(games, first)) {
                        Ok(games) => games.unwrap_or_else(|| Playing::new(first)),
                        Err(failed) => return *failed,
                    };
                    let end = times.min((index + 1).saturating_mul(BATCH));
                    games.play(end, policy, child.search(), task, state, stream).0
                }
                None => child.run(task, state, stream.child(index), frame),
            },
            |_, report| {
                tally.absorb(task, &[], &report.tally);
                let found = report.into_found();
                if best.as_ref().is_none_or(|best| goal.better(found.score(), best.score())) {
                    *best = Some(found);
                }
            },
        );
        let Some(cut) = cut else {
            let best = this.best.expect("at least one repetition was asked for");
            return this.tally.finished(best);
        };
        let tally = cut.added_to(this.tally.clone(), task, |index| TaskSlot {
            path: &[],
            alone: policy.is_none().then(|| (child.search(), stream.child(index))),
        });
        // Games are announced one by one; the best estimate is known only here.
        let estimate = this.best.clone().filter(|best| !best.is_game());
        SearchReport { result: estimate, ..tally.cut(cut.reason, this) }
    }

    fn check_frame(&self, state: &P, frame: &Self::Frame) -> FrameCheck {
        frame.split.check(self.tasks(state), |_| true)?;
        require(frame.best.is_some() == (frame.split.next > 0), "its best result is impossible")
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        profile.scaled(&self.child, self.times.map_or(f64::INFINITY, |times| times as f64))
    }

    fn plays(&self, state: &P) -> bool {
        self.child.plays(state)
    }

    fn parts(&self) -> Parts {
        Parts::Games
    }

    fn is_light(&self) -> bool {
        self.times.is_some_and(|times| times <= 16) && self.child.is_light()
    }

    fn goes_along(&self) -> bool {
        self.child.goes_along()
    }
}
