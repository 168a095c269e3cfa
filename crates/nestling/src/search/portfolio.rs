//! `portfolio`: several searches in turn, each turn longer than the last. The search that suits the problem is soon found, and the total
//! cost is little more than if it had been known from the start.
//!
//! In Huberman, Lukose and Hogg, *An Economics Approach to Hard Computational Problems*, 1997, several algorithms share a processor; here
//! they take turns of equally many playouts, doubled from round to round.

use serde::{Deserialize, Serialize};

use super::Type;
use super::{
    Algorithm, Argument, Form, Found, Frame, FrameCheck, Plan, PlanError, Planned, Planner, Reason, SearchProgress,
    SearchReport, Task, require,
};
use crate::expression::Search;
use crate::problem::{Goal, Move, Problem};
use crate::stream::Stream;

/// `portfolio(s1, s2, …)`: several searches in turn, with more playouts from turn to turn; the best.
pub struct Portfolio;

impl Algorithm for Portfolio {
    const FORM: Form = Form {
        name: "portfolio",
        example: "portfolio(dfs, repeat(nested(1)))",
        about: "runs the searches in rounds, each round with more playouts than the last, and takes the best result",
        // It compares games.
        arguments: &[Argument::of("searches", Type::Searches { least: 2, most: 16 })
            .symbol("s")
            .about("the searches to run")],
        ..Form::EMPTY
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        planner.ready(search, PortfolioPlan(planner.plan_inner(search)?))
    }

    /// A search that has visited every game ends it, whatever the others are.
    fn is_endless(search: &Search) -> bool {
        let inner = search.inner();
        !inner.iter().any(Search::is_exhaustive) && inner.iter().any(Search::is_endless)
    }
}

impl Search {
    /// Several searches in turn, with more playouts from turn to turn; the best.
    pub fn portfolio(searches: impl Into<Vec<Search>>) -> Search {
        Search::of::<Portfolio>().around(searches)
    }
}

struct PortfolioPlan<'a, P: Problem>(Vec<Planned<'a, P>>);

/// The total playouts of each search by the end of the first round.
const FIRST_ROUND: u64 = 1_000;

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Turns<M> {
    /// The total playouts of each search by the end of this round.
    allowed: u64,
    /// The index of the search whose turn it is.
    next: usize,
    members: Vec<MemberState<M>>,
}

/// One of the searches, and its state.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
struct MemberState<M> {
    tally: SearchProgress<M>,
    frame: Option<Frame<M>>,
    /// Set when it is complete.
    result: Option<Found<M>>,
}

impl<P: Problem> Plan<P> for PortfolioPlan<'_, P> {
    type Frame = Turns<P::Move>;

    /// Runs the searches in turn until one has visited every game, or all are complete; the first of the best.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let PortfolioPlan(children) = self;
        let mut this = frame.unwrap_or_else(|| Turns::new(children.len()));
        loop {
            let (index, others) = (this.next, this.played_by_others());
            let member = &mut this.members[index];
            if member.result.is_none() {
                let limit = this.allowed.min(task.limit().saturating_sub(others));
                let turn = task.limited(limit);
                let report = children[index].run(&turn, state, stream.child(index as u64), member.frame.take());
                member.tally = report.tally;
                match report.cut {
                    Some((reason, frame)) => {
                        member.frame = Some(frame);
                        let is_turn_over = reason == Reason::Playouts && limit == this.allowed;
                        if !is_turn_over {
                            return this.tally(task.goal()).cut(reason, this);
                        }
                    }
                    None => {
                        member.result = report.result;
                        if report.exhaustive || this.members.iter().all(|member| member.result.is_some()) {
                            let best = this.best(task.goal()).expect("a finished search has a result");
                            let finished = this.tally(task.goal()).finished(best);
                            return SearchReport { exhaustive: report.exhaustive, ..finished };
                        }
                    }
                }
            }
            this.pass_the_turn();
        }
    }

    fn check_frame(&self, _: &P, frame: &Self::Frame) -> FrameCheck {
        let Turns { allowed, next, members } = frame;
        require(members.len() == self.0.len(), "it has another number of searches")?;
        require(*next < members.len() && *allowed >= FIRST_ROUND, "its turns are impossible")?;
        require(members.iter().any(|member| member.result.is_none()), "all its searches are complete")
    }

    fn plays(&self, state: &P) -> bool {
        self.0.iter().any(|child| child.plays(state))
    }

    fn goes_along(&self) -> bool {
        self.0.iter().any(Planned::goes_along)
    }
}

impl<M: Move> Turns<M> {
    fn new(searches: usize) -> Self {
        let member = || MemberState { tally: SearchProgress::default(), frame: None, result: None };
        Turns { allowed: FIRST_ROUND, next: 0, members: std::iter::repeat_with(member).take(searches).collect() }
    }

    fn played_by_others(&self) -> u64 {
        let others = self.members.iter().enumerate().filter(|(index, _)| *index != self.next);
        others.map(|(_, member)| member.tally.counts.playouts).sum()
    }

    fn pass_the_turn(&mut self) {
        self.next += 1;
        if self.next == self.members.len() {
            self.next = 0;
            self.allowed = self.allowed.saturating_mul(2);
        }
    }

    /// The first of the best results of the complete searches.
    fn best(&self, goal: Goal) -> Option<Found<M>> {
        let results = self.members.iter().filter_map(|member| member.result.as_ref());
        results.reduce(|best, other| if goal.better(other.score(), best.score()) { other } else { best }).cloned()
    }

    /// The sum of the counts, and the best game seen.
    fn tally(&self, goal: Goal) -> SearchProgress<M> {
        let mut sum = SearchProgress::default();
        for MemberState { tally, .. } in &self.members {
            sum.add_counts(tally);
            if let Some(seen) = tally.seen.as_ref().filter(|seen| sum.is_news(goal, seen.score)) {
                sum.seen = Some(seen.clone());
            }
            sum.absorb_speculative(goal, &[], None, tally);
        }
        sum
    }
}
