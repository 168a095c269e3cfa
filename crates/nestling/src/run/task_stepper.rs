//! One task of a ledger, driven by its caller a number of playouts at a time: for workers that have neither threads nor a clock, such as those
//! of a browser tab.

use std::sync::Arc;
use std::time::Duration;

use super::stepper::{SteppedPart, Walked};
use super::task::{Finds, TakenUp, TaskHeader};
use super::{Run, RunError};
use crate::journal::Spent;
use crate::outcome::Counts;
use crate::problem::{Problem, state_after};
use crate::search::plan::Planned;
use crate::search::{Frame, Reason, SearchReport};

/// A task that plays as many playouts as it is told to, and waits in between. Its report is that of
/// [`run_task`](Run::run_task), and so are its interim reports.
///
/// ```
/// use std::time::Duration;
/// use nestling::{Problem, Run};
/// # #[derive(Clone)] struct LeftMove { depth: u32, lefts: u32 }
/// # impl Problem for LeftMove {
/// #     type Move = bool;
/// #     fn legal_moves(&self, moves: &mut Vec<bool>) { moves.clear(); if self.depth > 0 { moves.extend([true, false]) } }
/// #     fn play(&mut self, left: bool) { self.depth -= 1; self.lefts += u32::from(left); }
/// #     fn score(&self) -> f64 { self.lefts.into() }
/// # }
/// let problem = LeftMove { depth: 10, lefts: 0 };
/// let run = || Run::new(&problem, "repeat(3, nrpa(2))".parse().unwrap()).seed(7);
/// let mut ledger = run().ledger()?;
/// while let Some(task) = ledger.next_task()? {
///     let mut stepper = run().task_stepper(&task.bytes)?; // or, after the first, `go_on_with`
///     while !stepper.is_over() {
///         stepper.step(1000)?;
///     }
///     ledger.take(task.index, &stepper.report("this tab", Duration::ZERO)?)?;
/// }
/// assert_eq!(ledger.outcome()?.answer, run().start()?.answer);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TaskStepper<'a, P: Problem> {
    run: Run<'a, P>,
    plan: Planned<'a, P>,
    state: P,
    header: TaskHeader,
    /// The state of the task before the first step.
    beginning: Option<Frame<P::Move>>,
    best: Option<f64>,
    finds: Arc<Finds<P::Move>>,
    /// The report, if the task had been made already.
    finished: Option<Vec<u8>>,
    last: Option<SearchReport<P::Move>>,
    spent: Spent,
}

impl<'a, P: Problem> Run<'a, P> {
    /// A task of a [ledger](crate::Ledger) of this run as one that its caller drives; from an interim report, if the run was told to
    /// [`resume`](Run::resume) from it. A budget in time is the driver's to watch.
    ///
    /// # Errors
    ///
    /// When the task is of another run or another version, or an accelerator was given.
    pub fn task_stepper(mut self, task: &[u8]) -> Result<TaskStepper<'a, P>, RunError> {
        if self.accelerator.is_some() {
            return Err(RunError::NoSteps("an accelerator: start the run instead"));
        }
        let (plan, state) = (self.planned()?, state_after(self.problem, &self.from));
        let identity = self.identity();
        let TakenUp { header, frame, best, finds, finished } = self.take_up(task, &identity, &plan, &state)?;
        let spent = self.spent;
        Ok(TaskStepper { run: self, plan, state, header, beginning: frame, best, finds, finished, last: None, spent })
    }
}

impl<P: Problem> TaskStepper<'_, P> {
    /// Goes on with another task of the same run, which takes less time than to begin with that one.
    ///
    /// # Errors
    ///
    /// When the task is of another run or another version.
    pub fn go_on_with(&mut self, task: &[u8]) -> Result<(), RunError> {
        let TakenUp { header, frame, best, finds, finished } =
            self.run.take_up(task, &self.header.run, &self.plan, &self.state)?;
        (self.header, self.beginning, self.best, self.finds, self.finished) = (header, frame, best, finds, finished);
        (self.last, self.spent) = (None, self.run.spent);
        Ok(())
    }

    /// Plays so many playouts, or fewer where the task ends.
    ///
    /// # Errors
    ///
    /// When the search is faulty.
    pub fn step(&mut self, playouts: u64) -> Result<(), RunError> {
        if self.is_over() {
            return Ok(());
        }
        // Of a task that was begun elsewhere only its driver knows how far it was.
        let counted = self.last.as_ref().map_or(self.spent.work.playouts, |last| last.tally.counts.playouts);
        let limit = counted.saturating_add(playouts).min(self.header.limit);
        let frame = match self.last.take() {
            Some(last) => last.cut.map(|(_, frame)| frame),
            None => self.beginning.take(),
        };
        let index = self.header.is_part.then_some(self.header.index);
        let leg = SteppedPart { index, frame, best: self.best, limit, eager: self.header.eager };
        let Walked { mut report, best, played, news } = self.run.walk(&self.plan, &self.state, leg)?;
        if let Some((reason @ Reason::Playouts, _)) = &mut report.cut
            && report.tally.counts.playouts < self.header.limit
        {
            *reason = Reason::Pause;
        }
        self.last = Some(report);
        self.best = best;
        self.spent.work.playouts += played.playouts;
        self.spent.work.moves += played.moves;
        self.finds.add(self.run.problem.goal(), news.try_iter().filter(|news| news.kept.is_some()).collect());
        Ok(())
    }

    /// Whether another step would do nothing.
    pub fn is_over(&self) -> bool {
        let has_ended = |last: &SearchReport<P::Move>| !matches!(last.cut, Some((Reason::Pause, _)));
        self.finished.is_some() || self.last.as_ref().is_some_and(has_ended)
    }

    /// How much has been played, before the task came here too.
    pub fn work(&self) -> Counts {
        self.spent.work
    }

    /// The best score so far, if there is one.
    pub fn best(&self) -> Option<f64> {
        self.best
    }

    /// The report, for [`Ledger::take`](crate::Ledger::take); an interim one if the task is not over. `by` says who made it, `time` how long
    /// that took here.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn report(&mut self, by: &str, time: Duration) -> Result<Vec<u8>, RunError> {
        if let Some(finished) = &self.finished {
            return Ok(finished.clone());
        }
        if self.last.is_none() {
            self.step(0)?;
        }
        let report = self.last.as_ref().expect("a step was made");
        let spent = Spent { time: self.spent.time + time, ..self.spent };
        self.header.finished_report(by, spent, report, &self.finds)
    }
}
