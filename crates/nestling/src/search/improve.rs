//! `improve`: iterated local search. A game is changed at random in a few places and improved by small changes, again and again.
//!
//! Mladenović and Hansen, *Variable neighborhood search*, 1997, with more random changes after each failure; for tours with time windows da
//! Silva and Urrutia, *A General VNS heuristic for the traveling salesman problem with time windows*, 2010. The problem defines the small
//! changes: [`Problem::improver`].

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::{
    Algorithm, Argument, Form, Frame, FrameCheck, ILLEGAL, Plan, PlanError, Planned, Planner, Profile, Reason,
    ScoredMoves, SearchProgress, SearchReport, Task, Type, require,
};
use crate::estimate::Estimate;
use crate::expression::{Search, Value};
use crate::playout::{Batch, PlayoutPolicy};
use crate::problem::{Move, Problem, is_game, is_over};
use crate::run::RunError;
use crate::stream::Stream;

/// `improve(n, s)` or `improve(s)`: the game of `s`, changed and improved n times or as long as that helps.
pub struct Improve;

impl Algorithm for Improve {
    const FORM: Form = Form {
        name: "improve",
        example: "improve(nrpa(1))",
        about: "runs s and improves its game by small changes; then, n times, changes the best game at random in a few places and improves it again; for problems that define such changes",
        arguments: &[
            Argument::integer("count", 0, u64::MAX).symbol("n").optional().about(
                "how many times the game is changed at random; if not given, until that has not helped for a while",
            ),
            Argument::of("search", Type::Search { game: true, ends: true })
                .symbol("s")
                .about("the search that finds the game to start with"),
        ],
        options: &[
            Argument::integer("strength", 1, 1_000)
                .default_integer(16)
                .about("how many random changes are made at once: from one up to this number"),
            Argument::integer("patience", 1, u64::MAX)
                .default_integer(1_000)
                .about("if n is not given, the search ends after this many random changes without a better game"),
        ],
        menu: None,
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        if planner.problem().improver().is_none() {
            return Err(PlanError::NoImprover);
        }
        let plan = Improving {
            count: search.optional_integer("count"),
            strength: search.integer("strength"),
            patience: search.integer("patience"),
            first: planner.plan_only(search)?,
            policy: planner.policy(search)?,
        };
        planner.ready(search, plan)
    }
}

/// Games that are improved.
///
/// ```
/// use nestling::Search;
/// assert_eq!(Search::nrpa(1).improve().forever().to_string(), "repeat(improve(nrpa(1)))");
/// ```
impl Search {
    /// The game of this search, improved by small changes until that has not helped for a while.
    #[must_use]
    pub fn improve(self) -> Search {
        Search::of::<Improve>().with("count", Value::Absent).around([self])
    }
}

struct Improving<'a, P: Problem> {
    count: Option<u64>,
    strength: u64,
    patience: u64,
    first: Planned<'a, P>,
    policy: PlayoutPolicy,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct ImproveState<M> {
    tally: SearchProgress<M>,
    /// The frame of the search for the first game, if that was cut.
    first: Option<Frame<M>>,
    /// The best game.
    kept: Option<ScoredMoves<M>>,
    /// How often it was improved: first unchanged, then after random changes.
    tried: u64,
    /// How many of these in a row have found no better game.
    failed: u64,
}

impl<P: Problem> Plan<P> for Improving<'_, P> {
    type Frame = ImproveState<P::Move>;

    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let mut this = frame.unwrap_or_else(ImproveState::new);
        if is_over(state) {
            return this.tally.clone().ended(task, ScoredMoves::new(state.score(), Vec::new()), |_| this);
        }
        let reason = match self.start(task, state, stream, &mut this) {
            Ok(()) => self.go_on(task, state, stream, &mut this),
            Err(reason) => Some(reason),
        };
        match reason {
            Some(reason) => this.tally.clone().cut(reason, this),
            None => {
                let best = this.kept.clone().expect("there is a game to start with");
                this.tally.clone().ended(task, best, |_| this)
            }
        }
    }

    fn check_frame(&self, state: &P, frame: &Self::Frame) -> FrameCheck {
        let ImproveState { tally, kept, tried, failed, .. } = frame;
        require(kept.as_ref().is_none_or(|kept| is_game(state, &kept.moves)), ILLEGAL)?;
        require(kept.is_some() || *tried == 0, "it has improved a game that it does not have")?;
        require(failed <= tried && *tried <= tally.counts.playouts, "its games do not match its count")
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        let Some(count) = self.count else { return profile.unknown() };
        let times = count as f64 + 1.0;
        let each = profile.playouts(times, self.seconds_per_move(profile));
        self.first.cost(profile).into_iter().zip(each).map(|(first, rest)| first.plus(rest)).collect()
    }

    fn plays(&self, state: &P) -> bool {
        !is_over(state)
    }

    fn goes_along(&self) -> bool {
        self.first.goes_along()
    }
}

impl<M: Move> ImproveState<M> {
    fn new() -> Self {
        ImproveState { tally: SearchProgress::default(), first: None, kept: None, tried: 0, failed: 0 }
    }
}

impl<P: Problem> Improving<'_, P> {
    /// Finds the first game.
    fn start(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        this: &mut ImproveState<P::Move>,
    ) -> Result<(), Reason> {
        if this.kept.is_some() {
            return Ok(());
        }
        let report = self.first.run(&task.limited(task.limit()), state, stream.child(0), this.first.take());
        if let Some((reason, frame)) = report.cut {
            (this.tally, this.first) = (report.tally, Some(frame));
            return Err(reason);
        }
        this.tally = SearchProgress::default();
        this.tally.absorb(task, &[], &report.tally);
        let first = report.into_found().into_line();
        if !is_game(state, &first.moves) {
            let (search, reason) = (self.first.search().to_string(), "it returned something else than a game");
            drop(task.fail(RunError::Faulty { search, reason }));
            return Err(Reason::Failed);
        }
        this.kept = Some(first);
        Ok(())
    }

    /// Improves the game until it must stop; returns the reason, or nothing if the search is complete.
    fn go_on(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        this: &mut ImproveState<P::Move>,
    ) -> Option<Reason> {
        let mut improver = state.improver()?;
        let kept = this.kept.as_mut().expect("it has been found");
        let (goal, give_up) = (task.goal(), || task.watch.reason_to_give_up().is_some());
        let mut game = Vec::new();
        while !self.is_over(this.tried, this.failed) {
            if let Some(reason) = task.stop(&this.tally) {
                return Some(reason);
            }
            game.clone_from(&kept.moves);
            let strength = self.strength_of(this.tried, this.failed);
            let rng = &mut stream.child(1).child(this.tried).rng();
            let Some(score) = improver.improve(&mut game, strength, rng, &give_up) else {
                return Some(task.watch.reason().expect("only a run that is told to stop gives a game up"));
            };
            task.shared.show(score);
            this.tally.count(task, 1, game.len() as u64, Some((score, &game)));
            this.failed = if goal.better(score, kept.score) { 0 } else { this.failed + 1 };
            if goal.reaches(score, kept.score) {
                kept.score = score;
                std::mem::swap(&mut kept.moves, &mut game);
            }
            this.tried += 1;
        }
        None
    }

    fn is_over(&self, tried: u64, failed: u64) -> bool {
        match self.count {
            Some(count) => tried > count,
            None => tried > 0 && failed >= self.patience,
        }
    }

    /// The number of random changes: 0 at first; then 1, 2, … up to the maximum, one more after each failure, then 1 again.
    fn strength_of(&self, tried: u64, failed: u64) -> u32 {
        if tried == 0 { 0 } else { (1 + failed % self.strength) as u32 }
    }

    /// The time of an attempt per move of the game. It is measured after a first improvement, which takes longer than all others.
    fn seconds_per_move(&self, profile: &Profile<'_, P>) -> f64 {
        let problem = profile.problem();
        let mut batch = Batch::alone(&self.policy, problem.goal(), Stream::new(1));
        problem.playouts(&mut batch);
        let (Some((_, game)), Some(mut improver)) = (batch.best(), problem.improver()) else { return 0.0 };
        let (mut began, mut game, mut attempts) = (Instant::now(), game.to_vec(), 0);
        let moves = game.len() as f64 + 1.0;
        while attempts == 0 || began.elapsed() < profile.patience() / 3 {
            let rng = &mut Stream::new(2).child(attempts).rng();
            let strength = self.strength_of(attempts, attempts);
            if improver.improve(&mut game, strength, rng, &|| began.elapsed() > profile.patience()).is_none() {
                break;
            }
            attempts += 1;
            if attempts == 1 {
                began = Instant::now();
            }
        }
        began.elapsed().as_secs_f64() / (attempts.saturating_sub(1).max(1) as f64 * moves)
    }
}
