//! `mean`: the average over newly drawn hidden randomness, for decisions whose future is unknown.

use serde::{Deserialize, Serialize};

use super::{
    Algorithm, Argument, Form, Found, Parts, Plan, PlanError, Planned, Planner, Profile, ScoredMoves, SearchReport,
    Split,
};
use super::{FrameCheck, SearchProgress, Task, Type};
use crate::estimate::Estimate;
use crate::expression::Search;
use crate::problem::{Move, Problem};
use crate::stream::Stream;

/// `mean(n, s)`: `s`, n times, each on newly drawn hidden randomness; the average.
pub struct Mean;

impl Algorithm for Mean {
    const FORM: Form = Form {
        name: "mean",
        example: "mean(10, playout)",
        about: "makes n runs of s and takes the mean of their scores; if the problem has hidden information, each run draws new hidden information",
        arguments: &[
            Argument::integer("count", 1, u64::MAX).symbol("n").about("how many times the search is run"),
            // The average is over all its games, so each of them must end.
            Argument::of("search", Type::Search { game: false, ends: true })
                .symbol("s")
                .about("the search whose scores are averaged"),
        ],
        ..Form::EMPTY
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        planner.ready(search, Average { times: search.integer("count"), child: planner.plan_only(search)? })
    }

    fn is_estimate(_: &Search) -> bool {
        true
    }
}

impl Search {
    /// This search, `times` times, each on newly drawn hidden randomness; the average.
    #[must_use]
    pub fn mean(self, times: u64) -> Search {
        Search::of::<Mean>().with("count", times).around([self])
    }
}

struct Average<'a, P: Problem> {
    times: u64,
    child: Planned<'a, P>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Averaging<M> {
    tally: SearchProgress<M>,
    sum: f64,
    split: Split<M>,
}

impl<P: Problem> Plan<P> for Average<'_, P> {
    type Frame = Averaging<P::Move>;

    /// `child`, `times` times, each time after the state has redrawn what the player cannot know. An estimate: it has no moves.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let new = || Averaging { tally: SearchProgress::default(), sum: 0.0, split: Split::default() };
        let mut this = frame.unwrap_or_else(new);
        let (tally, sum) = (&mut this.tally, &mut this.sum);
        let spent = tally.counts.playouts;
        let cut = this.split.in_order(
            task,
            self.times,
            spent,
            !self.child.is_light(),
            |index, task, frame| {
                let stream = stream.child(index);
                let mut redrawn = state.clone();
                redrawn.redraw(&mut stream.own().rng());
                self.child.run(&task.imagined(), &redrawn, stream, frame)
            },
            |_, report| {
                tally.add_counts(&report.tally);
                *sum += report.into_found().score();
            },
        );
        let Some(cut) = cut else {
            let score = this.sum / self.times as f64;
            return this.tally.finished(Found::Estimate(ScoredMoves::new(score, Vec::new())));
        };
        let mut tally = this.tally.clone();
        if let Some((_, partial)) = cut.partial {
            tally.add_counts(&partial.tally);
        }
        tally.cut(cut.reason, this)
    }

    fn check_frame(&self, _: &P, frame: &Self::Frame) -> FrameCheck {
        frame.split.check(self.times, |_| true)
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        profile.scaled(&self.child, self.times as f64)
    }

    fn plays(&self, state: &P) -> bool {
        self.child.plays(state)
    }

    fn parts(&self) -> Parts {
        Parts::Numbers
    }

    fn goes_along(&self) -> bool {
        self.child.goes_along()
    }
}
