//! A run that its caller drives, a number of playouts at a time: for an event loop, an iterator, or a browser tab. It starts no thread and
//! reads no clock.

use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use super::work::{RunPart, Work};
use super::{Run, RunError};
use crate::checkpoint;
use crate::journal::{Improvement, Spent};
use crate::outcome::{Outcome, Stop};
use crate::problem::{Problem, state_after};
use crate::search::SearchReport;
use crate::search::plan::Planned;
use crate::search::task::{Counts, News, Shared};
use crate::search::{Frame, Reason};
use crate::stream::Stream;
use crate::watch::Signal;

/// A run that continues for a given number of playouts at each call, and stands still in between.
///
/// ```
/// use nestling::{Problem, Run};
/// # #[derive(Clone)] struct LeftMove { depth: u32, lefts: u32 }
/// # impl Problem for LeftMove {
/// #     type Move = bool;
/// #     fn legal_moves(&self, moves: &mut Vec<bool>) { moves.clear(); if self.depth > 0 { moves.extend([true, false]) } }
/// #     fn play(&mut self, left: bool) { self.depth -= 1; self.lefts += u32::from(left); }
/// #     fn score(&self) -> f64 { self.lefts.into() }
/// # }
/// let problem = LeftMove { depth: 10, lefts: 0 };
/// let mut stepper = Run::new(&problem, "nrpa(2)".parse()?).seed(7).stepper()?;
/// while !stepper.is_over() {
///     for improvement in stepper.step(100)? {
///         println!("{} after {} playouts", improvement.score(), improvement.playouts);
///     }
/// }
/// let driven = Run::new(&problem, "nrpa(2)".parse()?).seed(7).start()?;
/// assert_eq!(stepper.outcome()?.answer, driven.answer);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Stepper<'a, P: Problem> {
    run: Run<'a, P>,
    plan: Planned<'a, P>,
    state: P,
    /// The state of the search before the first step, if it was resumed.
    resumed: Option<Frame<P::Move>>,
    /// The report of the last step.
    last: Option<SearchReport<P::Move>>,
    best: Option<f64>,
    work: Counts,
}

impl<'a, P: Problem> Run<'a, P> {
    /// The run as one that its caller drives. Outcome and checkpoints are the same as those of [`start`](Run::start), and a run may change
    /// from one to the other. It needs no budget: the caller may stop at any time. Threads, listeners and journals are ignored.
    ///
    /// # Errors
    ///
    /// When it cannot be started: as for [`start`](Run::start), or because a budget in time or an accelerator was given.
    pub fn stepper(mut self) -> Result<Stepper<'a, P>, RunError> {
        if self.time.is_some() {
            return Err(RunError::NoSteps("a budget in time: there is no clock; give playouts or a target"));
        }
        if self.accelerator.is_some() {
            return Err(RunError::NoSteps("an accelerator: start the run instead"));
        }
        let plan = self.planned()?;
        let resumed = match self.resume.take() {
            Some(bytes) => Some(checkpoint::decode(&bytes, &self.identity(), Some(plan.tag()))?),
            None => None,
        };
        let (resumed, best) = resumed.unzip();
        let (state, work) = (state_after(self.problem, &self.from), self.spent.work);
        Ok(Stepper { run: self, plan, state, resumed, last: None, best: best.flatten(), work })
    }
}

/// The part of a run that a stepper makes: the whole run, or one of its tasks.
pub(super) struct SteppedPart<M> {
    /// The task.
    pub index: Option<u64>,
    /// The state at which it was interrupted.
    pub frame: Option<Frame<M>>,
    /// The best score that was announced before.
    pub best: Option<f64>,
    /// How many playouts it may have played at the end.
    pub limit: u64,
    /// Whether the run may stop at the first game that reaches the target, whichever task finds it.
    pub eager: bool,
}

/// The result of a leg.
pub(super) struct Walked<M> {
    pub report: SearchReport<M>,
    /// The best score so far.
    pub best: Option<f64>,
    pub played: Counts,
    pub news: Receiver<News<M>>,
}

impl<'a, P: Problem> Run<'a, P> {
    /// Searches on this thread, without a clock, until the leg has played its playouts.
    pub(super) fn walk(
        &self,
        plan: &Planned<'a, P>,
        state: &P,
        leg: SteppedPart<P::Move>,
    ) -> Result<Walked<P::Move>, RunError> {
        let (sender, news) = mpsc::channel();
        let (goal, target) = (self.problem.goal(), self.stopping_score());
        let SteppedPart { index, frame, best, limit, eager } = leg;
        let shared =
            Shared::new(goal, target, 1, eager, best, sender).untimed().keeping(self.keep).watched(self.scores.clone());
        let signal = Signal::new(self.cancel.clone());
        let piece = RunPart { index, frame: None, best, limit, eager, write: &|_, _, _| Ok(None) };
        let stream = Stream::new(self.seed);
        let mut work =
            Work { plan, accelerator: None, shared: &shared, state, stream, piece, signal: &signal, journal: None };
        let (report, _) = work.search(frame);
        match shared.failure() {
            Some(error) => Err(error),
            None => Ok(Walked { report, best: shared.best(), played: shared.played.total(), news }),
        }
    }
}

impl<P: Problem> Stepper<'_, P> {
    /// Plays so many playouts, or fewer if the search ends or reaches its budget or target. Returns the improvements, each better than all
    /// before.
    ///
    /// # Errors
    ///
    /// When the search is faulty, or the rules refuse a game that it found.
    pub fn step(&mut self, playouts: u64) -> Result<Vec<Improvement>, RunError> {
        if self.is_over() {
            return Ok(Vec::new());
        }
        // For a resumed run only the driver knows how much was played before.
        let counted = self.last.as_ref().map_or(self.run.spent.work.playouts, |last| last.tally.counts.playouts);
        let limit = counted.saturating_add(playouts).min(self.run.playouts.unwrap_or(u64::MAX));
        let frame = match self.last.take() {
            Some(last) => last.cut.map(|(_, frame)| frame),
            None => self.resumed.take(),
        };
        let leg = SteppedPart { index: None, frame, best: self.best, limit, eager: self.run.playouts.is_none() };
        let Walked { report, best, played, news } = self.run.walk(&self.plan, &self.state, leg)?;
        self.last = Some(report);
        self.best = best;
        let before = self.work.playouts;
        self.work.playouts += played.playouts;
        self.work.moves += played.moves;
        self.run.improvements(&news, before, Duration::ZERO)
    }

    /// Whether another step would do nothing: the search has ended, or its budget or target is reached, or it was cancelled.
    pub fn is_over(&self) -> bool {
        self.last.as_ref().is_some_and(|last| match last.cut {
            Some((Reason::Playouts, _)) => Some(last.tally.counts.playouts) == self.run.playouts,
            _ => true,
        })
    }

    /// How much has been played.
    pub fn work(&self) -> Counts {
        self.work
    }

    /// The state of the search, for [`Run::resume`]; nothing if it has not begun or is over. Store it with what was [spent](Run::spent):
    /// [`work`](Stepper::work), with no time.
    ///
    /// # Errors
    ///
    /// When it cannot be serialized.
    pub fn checkpoint(&self) -> Result<Option<(Vec<u8>, Spent)>, String> {
        let Some((_, frame)) = self.last.as_ref().and_then(|last| last.cut.as_ref()) else { return Ok(None) };
        let bytes = checkpoint::encode(&self.run.identity(), self.best, frame)?;
        Ok(Some((bytes, Spent { time: Duration::ZERO, work: self.work })))
    }

    /// The result of the search. If it is not over, the result is as if its budget were the playouts made so far.
    ///
    /// # Errors
    ///
    /// When the rules refuse the game that it reports.
    pub fn outcome(mut self) -> Result<Outcome<P::Move>, RunError> {
        if self.last.is_none() {
            self.step(0)?;
        }
        let report = self.last.take().expect("a step was made");
        let spent = Spent { time: Duration::ZERO, work: self.work };
        let outcome = self.run.conclude(spent, report)?;
        debug_assert!(outcome.stop != Stop::Time, "there is no clock");
        Ok(outcome)
    }
}
