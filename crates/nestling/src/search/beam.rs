//! `beam`: the best few states of every depth, by the mean of a few playouts. The baseline a sceptic asks for.

mod outlook;

use serde::{Deserialize, Serialize};

use super::found::joined;
use super::playout::sample;
use super::{
    Algorithm, Argument, Form, Frame, Menu, Plan, PlanError, Planned, Planner, Profile, ScoredMoves, TaskSlot,
};
use super::{FrameCheck, ILLEGAL, Reason, SearchProgress, SearchReport, Split, Task, require};
use crate::estimate::Estimate;
use crate::expression::Search;
use crate::playout::PlayoutPolicy;
use crate::problem::{Move, Problem, is_over, state_after, state_after_legal};
use crate::stream::Stream;
use outlook::BestOutlooks;

/// `beam(w)`: the w best states per depth, by the mean of a few playouts, or by their outlook.
pub struct Beam;

/// The usual number of playouts per state.
const SAMPLES: u64 = 4;

/// About the bytes that a state takes that is kept, with those that come after it.
const STATE_BYTES: u64 = 16 << 10;

impl Algorithm for Beam {
    const FORM: Form = Form {
        name: "beam",
        example: "beam(100)",
        about: "keeps, at every depth, the w states with the best mean score in a few playouts",
        arguments: &[Argument::integer("width", 1, 1_000_000).symbol("w").about("states kept per depth")],
        options: &[
            Argument::integer("samples", 1, u64::MAX).default_integer(SAMPLES).about("playouts per state"),
            Argument::word("by", &["playouts", "outlook"]).about(
                "what judges a state: the mean of playouts, or an estimate by the problem itself, for snakes and coils and problems that define one (Problem::outlook)",
            ),
        ],
        menu: Some(Menu {
            title: "Beam search",
            about: "Keeps the most promising positions after each move.",
            choice: "Width",
            choices: &["10", "100", "1000"],
            usual: "100",
        }),
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        let (width, samples) = (search.integer("width") as usize, search.integer("samples"));
        let policy = planner.policy(search)?;
        if is_by_outlook(search) {
            if samples != SAMPLES {
                return Err(PlanError::Excluded { search: "beam", one: "by", other: "samples" });
            }
            if planner.problem().outlook().is_none() {
                return Err(PlanError::NoOutlook);
            }
            return planner.ready(search, BestOutlooks { width, policy });
        }
        let beam = StatesKept { width, samples, policy, playout: Search::playout().played_by(search.games.clone()) };
        planner.ready(search, beam)
    }

    fn memory(search: &Search) -> u64 {
        let bytes = if is_by_outlook(search) { outlook::STATE_BYTES } else { STATE_BYTES };
        search.integer("width").saturating_mul(bytes)
    }
}

fn is_by_outlook(search: &Search) -> bool {
    search.word("by") == "outlook"
}

impl Search {
    /// Beam search that keeps the `width` best states per depth.
    pub fn beam(width: u64) -> Search {
        Search::of::<Beam>().with("width", width)
    }

    /// `samples=`, of `beam`, `promising` and `lazy`.
    ///
    /// # Panics
    ///
    /// Like all options, when the search has none of this name.
    #[must_use]
    pub fn samples(self, value: u64) -> Search {
        self.with("samples", value)
    }
}

struct StatesKept {
    width: usize,
    samples: u64,
    policy: PlayoutPolicy,
    /// The expression of one of its games.
    playout: Search,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Beaming<M> {
    tally: SearchProgress<M>,
    depth: u64,
    /// The states kept, as the moves that lead to them.
    kept: Vec<Vec<M>>,
    /// The means of the candidates of this depth that are done.
    means: Vec<f64>,
    split: Split<M>,
}

impl<M> Beaming<M> {
    fn new() -> Self {
        let (tally, split) = (SearchProgress::default(), Split::default());
        Beaming { tally, depth: 0, kept: vec![Vec::new()], means: Vec::new(), split }
    }
}

impl<P: Problem> Plan<P> for StatesKept {
    type Frame = Beaming<P::Move>;

    /// From every state kept tries every move, estimates the result by the mean of `samples` playouts and keeps the `width`
    /// best, until all games are over. Returns the best game of all playouts.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        start: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let mut this = frame.unwrap_or_else(Beaming::new);
        loop {
            let candidates = match candidates(task, start, &this.kept) {
                Ok(candidates) => candidates,
                Err(reason) => return this.tally.clone().cut(reason, this),
            };
            if candidates.is_empty() {
                let best = this.tally.seen.clone().unwrap_or_else(|| ScoredMoves::new(start.score(), Vec::new()));
                return this.tally.clone().ended(task, best, |_| this);
            }
            let stream = stream.child(this.depth);
            let (tally, means) = (&mut this.tally, &mut this.means);
            let spent = tally.counts.playouts;
            let cut = this.split.in_order(
                task,
                candidates.len() as u64,
                spent,
                true,
                |index, task, frame| self.judge(task, start, &candidates[index as usize], stream.child(index), frame),
                |index, report| {
                    tally.absorb(task, &candidates[index as usize], &report.tally);
                    means.push(report.into_found().score());
                },
            );
            if let Some(cut) = cut {
                let place = |index| TaskSlot { path: &candidates[index as usize][..], alone: None };
                let tally = cut.added_to(this.tally.clone(), task, place);
                return tally.cut(cut.reason, this);
            }
            let goal = task.goal();
            let mut order: Vec<usize> = (0..candidates.len()).collect();
            // The sort is stable: of equal means the first stays in front.
            order.sort_by(|&a, &b| goal.value(this.means[b]).total_cmp(&goal.value(this.means[a])));
            order.truncate(self.width);
            this.kept = order.iter().map(|&index| candidates[index].clone()).collect();
            this.depth += 1;
            this.means.clear();
            this.split = Split::default();
        }
    }

    fn check_frame(&self, start: &P, frame: &Self::Frame) -> FrameCheck {
        let Beaming { depth, kept, means, split, .. } = frame;
        require((1..=self.width).contains(&kept.len()), "its beam has another width")?;
        let (mut count, mut legal) = (0, Vec::new());
        for path in kept {
            require(path.len() as u64 == *depth, "its states have different depths")?;
            let state = state_after_legal(start, path).ok_or(ILLEGAL)?;
            state.legal_moves(&mut legal);
            count += legal.len() as u64;
        }
        require(means.len() as u64 == split.next, "its means do not match its tasks")?;
        split.check(count, |_| true)
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        let one = profile.playouts(1.0, profile.seconds_per_move(&self.policy));
        let (mut sum, mut kept) = (Estimate::NOTHING, 1.0_f64);
        for (cost, branches) in one.iter().zip(profile.widths()) {
            let candidates = kept * branches;
            sum = sum.plus(cost.times(candidates * self.samples as f64));
            kept = candidates.min(self.width as f64);
        }
        vec![sum; one.len()]
    }

    fn plays(&self, state: &P) -> bool {
        !is_over(state)
    }

    fn goes_along(&self) -> bool {
        true
    }
}

impl StatesKept {
    /// Some playouts after a path; the result is their mean.
    fn judge<P: Problem>(
        &self,
        task: &Task<'_, P::Move>,
        start: &P,
        path: &[P::Move],
        stream: Stream,
        frame: Option<Frame<P::Move>>,
    ) -> SearchReport<P::Move> {
        let (task, after) = (task.after(path, task.limit()), state_after(start, path));
        sample(self.samples, &self.policy, &self.playout, &task, &after, stream, frame)
    }
}

/// Every state one move after the ones kept.
fn candidates<P: Problem>(
    task: &Task<'_, P::Move>,
    start: &P,
    kept: &[Vec<P::Move>],
) -> Result<Vec<Vec<P::Move>>, Reason> {
    let mut legal = Vec::new();
    let mut candidates = Vec::new();
    for path in kept {
        // A wide beam has so many that a run that is told to stop would be late.
        task.watch.reason().map_or(Ok(()), Err)?;
        state_after(start, path).legal_moves(&mut legal);
        candidates.extend(legal.iter().map(|&played| joined(path, &[played])));
    }
    Ok(candidates)
}
