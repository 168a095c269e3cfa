//! `lookahead`: try every legal move, follow each with a search, keep the best. Half of nested Monte-Carlo search.
//!
//! Cazenave, *Nested Monte-Carlo Search*, 2009 (lines 4 and 6 of `nested`).

use serde::{Deserialize, Serialize};

use super::{
    Algorithm, Argument, Form, Found, FrameCheck, Plan, PlanError, Planned, Planner, Profile, ScoredMoves,
    SearchReport, TaskSlot, require,
};
use super::{SearchProgress, Split, Task};
use crate::choice::Choice;
use crate::estimate::Estimate;
use crate::expression::Search;
use crate::playout::{Batch, PlayoutPolicy};
use crate::problem::{Move, Problem};
use crate::stream::Stream;

/// `lookahead(s)`: play each legal move, then `s`; the best.
pub struct Lookahead;

/// Which of several equally good moves a lookahead takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The first in the problem's order.
    #[default]
    First,
    /// Each with the same probability.
    Random,
    /// The last in the problem's order.
    Last,
}

impl Ties {
    /// The word the choice is written with.
    pub fn name(self) -> &'static str {
        match self {
            Ties::First => "first",
            Ties::Random => "random",
            Ties::Last => "last",
        }
    }

    /// The value of a search's `ties=`.
    ///
    /// # Panics
    ///
    /// When it has no such option.
    pub fn of(search: &Search) -> Self {
        match search.word("ties") {
            "random" => Ties::Random,
            "last" => Ties::Last,
            _ => Ties::First,
        }
    }

    /// The option itself.
    pub(super) const OPTION: Argument =
        Argument::word("ties", &["first", "random", "last"]).about("which of equally good moves is taken");
}

impl Algorithm for Lookahead {
    const FORM: Form = Form {
        name: "lookahead",
        example: "lookahead(playout)",
        about: "tries each legal move, runs s after it, and takes the best result",
        arguments: &[Argument::search("search").about("the search that is run after each move")],
        options: &[Ties::OPTION],
        ..Form::EMPTY
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        planner.ready(search, Trials { ties: Ties::of(search), child: planner.plan_only(search)? })
    }
}

impl Search {
    /// Each legal move, then this search; the best.
    #[must_use]
    pub fn lookahead(self) -> Search {
        Search::of::<Lookahead>().around([self])
    }

    /// `ties=`, of `lookahead`, `nested`, `promising` and `lazy`.
    ///
    /// # Panics
    ///
    /// Like all options, when the search has none of this name.
    #[must_use]
    pub fn ties(self, value: Ties) -> Search {
        self.with("ties", value.name())
    }
}

struct Trials<'a, P: Problem> {
    ties: Ties,
    child: Planned<'a, P>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Looking<M> {
    tally: SearchProgress<M>,
    choice: Choice,
    best: Option<Found<M>>,
    split: Split<M>,
}

impl<M> Looking<M> {
    fn new() -> Self {
        Looking { tally: SearchProgress::default(), choice: Choice::default(), best: None, split: Split::default() }
    }
}

impl<P: Problem> Plan<P> for Trials<'_, P> {
    type Frame = Looking<P::Move>;

    /// For every legal move: play it, then the child; the best, ties by the rule.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let Trials { ties, child } = self;
        let mut moves = Vec::new();
        state.legal_moves(&mut moves);
        if moves.is_empty() {
            return SearchProgress::default()
                .ended(task, ScoredMoves::new(state.score(), moves), |tally| Looking { tally, ..Looking::new() });
        }
        let mut this = frame.unwrap_or_else(Looking::new);
        if let Some(policy) = child.as_playout()
            && this.split.next == 0
            && task.limit() >= moves.len() as u64
            && let Some(report) = at_once(*ties, policy, task, state, stream, &moves)
        {
            return report;
        }
        let goal = task.goal();
        let (tally, choice, best) = (&mut this.tally, &mut this.choice, &mut this.best);
        let spent = tally.counts.playouts;
        let cut = this.split.in_order(
            task,
            moves.len() as u64,
            spent,
            !child.is_light(),
            |index, task, frame| {
                let path = [moves[index as usize]];
                let mut after = state.clone();
                after.play(path[0]);
                child.run(&task.after(&path, task.limit()), &after, stream.child(index), frame)
            },
            |index, report| {
                let path = [moves[index as usize]];
                tally.absorb(task, &path, &report.tally);
                let found = report.into_found();
                if choice.offer(index, found.score(), goal, *ties, stream) {
                    *best = Some(found.after(&path));
                }
            },
        );
        let Some(cut) = cut else {
            let best = this.best.expect("there is at least one legal move");
            return this.tally.finished(best);
        };
        let tally = cut.added_to(this.tally.clone(), task, |index| TaskSlot {
            path: &moves[index as usize..][..1],
            alone: Some((child.search(), stream.child(index))),
        });
        tally.cut(cut.reason, this)
    }

    fn check_frame(&self, state: &P, frame: &Self::Frame) -> FrameCheck {
        let mut moves = Vec::new();
        state.legal_moves(&mut moves);
        let Looking { choice, best, split, .. } = frame;
        split.check(moves.len() as u64, |_| true)?;
        require(choice.is_possible(split.next) && best.is_some() == (split.next > 0), "its best move is impossible")
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        let (child, widths) = (self.child.cost(profile), profile.widths());
        let after = |depth: usize| child[(depth + 1).min(widths.len() - 1)];
        (0..widths.len()).map(|depth| after(depth).times(widths[depth])).collect()
    }

    fn plays(&self, state: &P) -> bool {
        let mut moves = Vec::new();
        state.legal_moves(&mut moves);
        moves.into_iter().any(|played| {
            let mut after = state.clone();
            after.play(played);
            self.child.plays(&after)
        })
    }

    fn goes_along(&self) -> bool {
        true
    }
}

/// All playouts of a lookahead as one batch: the inner loop of a level 1 search, and most of the time of any level. `None` if it was
/// interrupted; the batch is so short that it is played again.
fn at_once<P: Problem, F>(
    ties: Ties,
    policy: &PlayoutPolicy,
    task: &Task<'_, P::Move>,
    state: &P,
    stream: Stream,
    moves: &[P::Move],
) -> Option<SearchReport<P::Move, F>> {
    let mut batch = Batch::after_each(policy, task.goal(), stream, moves, ties).bounded(u64::MAX, task);
    state.playouts(&mut batch);
    if batch.reached() || batch.played() < batch.len() {
        return None;
    }
    let (score, best) = batch.best()?;
    let mut tally = SearchProgress::default();
    // The first move of each game is the lookahead's, not the playout's.
    let moves_played = batch.moves_played() - moves.len() as u64;
    tally.count(task, batch.played() as u64, moves_played, batch.first_best().map(|(_, score, moves)| (score, moves)));
    Some(tally.finished(Found::Game(ScoredMoves::new(score, best.to_vec()))))
}
