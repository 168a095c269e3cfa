//! `promising`: judge every legal move by a few playouts, follow only the promising ones with a search. A step of lazy nested search.
//!
//! Roucairol, Arjonilla, Saffidine and Cazenave, *Lazy Nested Monte Carlo Search for Coalition Structure Generation*, 2024. In the paper
//! the mean and the best of the estimates are taken over all moves at the same depth, in the whole search so far. Here they are taken over
//! the moves of one state: so the searches after different moves do not depend on each other, and can run on different threads.

use serde::{Deserialize, Serialize};

use super::playout::{BATCH, sample};
use super::{
    Algorithm, Argument, Form, Found, Plan, PlanError, Planned, Planner, Profile, Reason, ScoredMoves, TaskSlot, Ties,
};
use super::{FrameCheck, SearchProgress, SearchReport, Split, Task, require};
use crate::choice::Choice;
use crate::estimate::Estimate;
use crate::expression::Search;
use crate::playout::PlayoutPolicy;
use crate::problem::{Goal, Move, Problem, is_over, state_after};
use crate::stream::Stream;

/// `promising(s)`: some playouts after each legal move, then `s` after the moves with the best means; the best.
pub struct Promising;

impl Promising {
    /// `samples=`.
    pub(super) const SAMPLES: Argument =
        Argument::integer("samples", 1, u64::MAX).default_integer(4).about("playouts that a move is judged by");

    /// `ratio=`.
    pub(super) const RATIO: Argument = Argument::share("ratio")
        .default_number(0.0)
        .about("how promising a move must be: from 0, the mean of all moves, to 1, the best of them");
}

impl Algorithm for Promising {
    const FORM: Form = Form {
        name: "promising",
        example: "promising(nested(1))",
        about: "makes a few playouts after each legal move, then runs s after the moves with the best means, and takes the best result",
        arguments: &[Argument::search("search").about("the search that is run after each promising move")],
        options: &[Promising::SAMPLES, Promising::RATIO, Ties::OPTION],
        ..Form::EMPTY
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        let trials = SelectedTrials {
            samples: search.integer("samples"),
            ratio: search.number("ratio"),
            ties: Ties::of(search),
            policy: planner.policy(search)?,
            playout: Search::playout().played_by(search.games.clone()),
            child: planner.plan_only(search)?,
        };
        planner.ready(search, trials)
    }
}

impl Search {
    /// A few playouts after each legal move, then this search after the promising ones; the best.
    #[must_use]
    pub fn promising(self) -> Search {
        Search::of::<Promising>().around([self])
    }

    /// `ratio=`, of `promising` and `lazy`.
    ///
    /// # Panics
    ///
    /// Like all options, when the search has none of this name.
    #[must_use]
    pub fn ratio(self, value: f64) -> Search {
        self.with("ratio", value)
    }
}

struct SelectedTrials<'a, P: Problem> {
    samples: u64,
    ratio: f64,
    ties: Ties,
    policy: PlayoutPolicy,
    /// The expression of one of its games.
    playout: Search,
    child: Planned<'a, P>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Selecting<M> {
    tally: SearchProgress<M>,
    /// The means of the playouts after the moves that were judged.
    means: Vec<f64>,
    /// The best result after each of them so far.
    results: Vec<Option<Found<M>>>,
    /// With n legal moves, task k judges move k, and task n + k searches after the k-th of the promising ones.
    split: Split<M>,
}

impl<M> Selecting<M> {
    fn new() -> Self {
        Selecting { tally: SearchProgress::default(), means: Vec::new(), results: Vec::new(), split: Split::default() }
    }
}

impl<P: Problem> Plan<P> for SelectedTrials<'_, P> {
    type Frame = Selecting<P::Move>;

    /// Estimates every legal move by the mean of `samples` playouts after it, then runs the child after those with mean ≥ a + ratio·(b −
    /// a), where a is the average of all means and b the best of them. A move's result is the best of its games.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let mut moves = Vec::new();
        state.legal_moves(&mut moves);
        if moves.is_empty() {
            let result = ScoredMoves::new(state.score(), moves);
            return SearchProgress::default().ended(task, result, |tally| Selecting { tally, ..Selecting::new() });
        }
        let mut this = frame.unwrap_or_else(Selecting::new);
        let cut = self.judge(&mut this, task, state, stream, &moves);
        if let Some((tally, reason)) = cut.or_else(|| self.search(&mut this, task, state, stream, &moves)) {
            return tally.cut(reason, this);
        }
        let mut choice = Choice::default();
        let mut best = None;
        for (index, found) in this.results.into_iter().enumerate() {
            if let Some(found) = found
                && choice.offer(index as u64, found.score(), task.goal(), self.ties, stream)
            {
                best = Some(found);
            }
        }
        this.tally.finished(best.expect("the move with the best mean is promising"))
    }

    fn check_frame(&self, state: &P, frame: &Self::Frame) -> FrameCheck {
        let mut moves = Vec::new();
        state.legal_moves(&mut moves);
        let Selecting { means, results, split, .. } = frame;
        require(means.len() == results.len() && means.len() <= moves.len(), "its means do not match its moves")?;
        require(means.iter().all(|mean| !mean.is_nan()), "one of its means is not a number")?;
        let (judged, is_judged) = (moves.len() as u64, means.len() == moves.len());
        let fits = if is_judged { split.next >= judged } else { split.next == means.len() as u64 };
        require(fits, "its means do not match its tasks")?;
        let is_compared = !self.child.search().is_estimate();
        let searched = if is_judged { promising(means, self.ratio, state.goal()) } else { Vec::new() };
        let has_game = |report: &SearchReport<P::Move>| is_judged || !is_compared || report.tally.seen.is_some();
        split.check(judged + searched.len() as u64, has_game)?;
        let done = &searched[..split.next.saturating_sub(judged) as usize];
        let is_complete = if is_compared {
            results.iter().all(Option::is_some)
        } else {
            done.iter().all(|&place| results[place].is_some())
        };
        require(is_complete, "it has no result of a move that it has searched after")
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        let (child, widths) = (self.child.cost(profile), profile.widths());
        let games = profile.playouts(self.samples as f64, profile.seconds_per_move(&self.policy));
        let at = |depth: usize| {
            let (width, next) = (widths[depth], (depth + 1).min(widths.len() - 1));
            // About half of the moves are better than the average; the share above the threshold is a guess.
            let searched = width.min(1.0 + (width - 1.0).max(0.0) * (1.0 - self.ratio) / 2.0);
            games[next].times(width).plus(child[next].times(searched))
        };
        (0..widths.len()).map(at).collect()
    }

    fn plays(&self, state: &P) -> bool {
        !is_over(state)
    }

    fn goes_along(&self) -> bool {
        true
    }
}

/// The counts up to a cut, and why it was cut.
type Cut<M> = Option<(SearchProgress<M>, Reason)>;

impl<P: Problem> SelectedTrials<'_, P> {
    /// Some playouts after every move.
    fn judge(
        &self,
        this: &mut Selecting<P::Move>,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        moves: &[P::Move],
    ) -> Cut<P::Move> {
        if this.means.len() == moves.len() {
            return None;
        }
        let is_compared = !self.child.search().is_estimate();
        let Selecting { tally, means, results, split } = this;
        let spent = tally.counts.playouts;
        let cut = split.in_order(
            task,
            moves.len() as u64,
            spent,
            self.samples > BATCH,
            |index, task, frame| {
                let path = [moves[index as usize]];
                let (task, after) = (task.after(&path, task.limit()), state_after(state, &path));
                sample(self.samples, &self.policy, &self.playout, &task, &after, stream.child(index), frame)
            },
            |index, report| {
                let path = [moves[index as usize]];
                tally.absorb(task, &path, &report.tally);
                let best = report.tally.seen.clone().filter(|_| is_compared);
                results.push(best.map(|game| Found::Game(game).after(&path)));
                means.push(report.into_found().score());
            },
        )?;
        let place = |index: u64| TaskSlot { path: &moves[index as usize..][..1], alone: None };
        Some((cut.added_to(this.tally.clone(), task, place), cut.reason))
    }

    /// The child after the promising moves.
    fn search(
        &self,
        this: &mut Selecting<P::Move>,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        moves: &[P::Move],
    ) -> Cut<P::Move> {
        let (child, goal, judged) = (&self.child, task.goal(), moves.len() as u64);
        let Selecting { tally, means, results, split } = this;
        let promising = promising(means, self.ratio, goal);
        let place_of = |index: u64| promising[(index - judged) as usize];
        let spent = tally.counts.playouts;
        let cut = split.in_order(
            task,
            judged + promising.len() as u64,
            spent,
            !child.is_light(),
            |index, task, frame| {
                let path = [moves[place_of(index)]];
                child.run(&task.after(&path, task.limit()), &state_after(state, &path), stream.child(index), frame)
            },
            |index, report| {
                let place = place_of(index);
                tally.absorb(task, &moves[place..=place], &report.tally);
                let found = report.into_found();
                if results[place].as_ref().is_none_or(|best| goal.better(found.score(), best.score())) {
                    results[place] = Some(found.after(&moves[place..=place]));
                }
            },
        )?;
        let place = |index: u64| TaskSlot {
            path: &moves[place_of(index)..][..1],
            alone: Some((child.search(), stream.child(index))),
        };
        Some((cut.added_to(this.tally.clone(), task, place), cut.reason))
    }
}

/// The indices of the promising moves: mean ≥ a + ratio·(b − a), where a is the average and b the best of all means. The best one is always
/// included, however the average is rounded.
fn promising(means: &[f64], ratio: f64, goal: Goal) -> Vec<usize> {
    let values: Vec<f64> = means.iter().map(|&mean| goal.value(mean)).collect();
    let average = values.iter().sum::<f64>() / values.len() as f64;
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = (average + ratio * (best - average)).min(best);
    (0..values.len()).filter(|&place| values[place] >= least).collect()
}
