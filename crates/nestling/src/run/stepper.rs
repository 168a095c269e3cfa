//! A run that its caller drives, a number of playouts at a time: for an event loop, an iterator, or a browser tab. It starts no thread and
//! reads no clock.

use std::sync::mpsc;
use std::time::Duration;

use super::{Run, RunError};
use crate::checkpoint;
use crate::journal::{Improvement, Spent};
use crate::outcome::{Outcome, Stop};
use crate::problem::{Problem, state_after};
use crate::search::away::Place;
use crate::search::plan::Planned;
use crate::search::task::{Counts, SearchReport, Shared, Task};
use crate::search::{Frame, Reason};
use crate::stream::Stream;
use crate::watch::{Signal, Watch};

/// A run that goes on for as many playouts as it is told to, and stands still in between.
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
    /// Where the search stands before the first step, if it was resumed.
    resumed: Option<Frame<P::Move>>,
    /// What the last step came to.
    last: Option<SearchReport<P::Move>>,
    best: Option<f64>,
    work: Counts,
}

impl<'a, P: Problem> Run<'a, P> {
    /// The run as one that its caller drives. The outcome is that of [`start`](Run::start), checkpoints are the same, and a run may change
    /// from one to the other. It needs no budget: the caller may stop at any time. Threads, listeners and journals are of no use to it.
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

impl<P: Problem> Stepper<'_, P> {
    /// Plays so many playouts, or fewer where the search ends or reaches its budget or target; what it found on the way, each better than
    /// all before.
    ///
    /// # Errors
    ///
    /// When the search is faulty, or the rules refuse a game that it found.
    pub fn step(&mut self, playouts: u64) -> Result<Vec<Improvement>, RunError> {
        if self.is_over() {
            return Ok(Vec::new());
        }
        // Of a run that was resumed only the driver knows how far it was.
        let counted = self.last.as_ref().map_or(self.run.spent.work.playouts, |last| last.tally.counts.playouts);
        let limit = counted.saturating_add(playouts).min(self.run.playouts.unwrap_or(u64::MAX));
        let frame = match self.last.take() {
            Some(last) => last.cut.map(|(_, frame)| frame),
            None => self.resumed.take(),
        };
        let (news, improvements) = mpsc::channel();
        let (goal, target) = (self.run.problem.goal(), self.run.stopping_score());
        let shared = Shared::new(goal, target, 1, self.run.playouts.is_none(), self.best, news).untimed();
        let signal = Signal::new(self.run.cancel.clone());
        let watch = Watch::new(&signal);
        let task = Task::root(&shared, &watch, limit, Place::Root);
        let report = self.plan.run(&task, &self.state, Stream::new(self.run.seed), frame);
        if let Some(error) = shared.failure() {
            return Err(error);
        }
        self.last = Some(report);
        self.best = shared.best();
        let before = self.work.playouts;
        let played = shared.played.total();
        self.work.playouts += played.playouts;
        self.work.moves += played.moves;
        self.run.improvements(&improvements, before, Duration::ZERO)
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

    /// Where the search stands, for [`Run::resume`]; nothing if it has not begun or has come to its end. What it has
    /// [spent](Run::spent) is to be kept beside it: [`work`](Stepper::work), with no time.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn checkpoint(&self) -> Result<Option<(Vec<u8>, Spent)>, String> {
        let Some((_, frame)) = self.last.as_ref().and_then(|last| last.cut.as_ref()) else { return Ok(None) };
        let bytes = checkpoint::encode(&self.run.identity(), self.best, frame)?;
        Ok(Some((bytes, Spent { time: Duration::ZERO, work: self.work })))
    }

    /// What the search has come to. If it is not over, it is as if its budget had been what it has played.
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
