//! The tasks of a run that others carry out: another process, a cluster, a job array.

mod reports;

use std::collections::BTreeMap;
use std::sync::mpsc;

use super::task::{Beginning, TaskError, TaskHeader, TaskSpec};
use super::{Run, RunError};
use crate::checkpoint::{self, Identity};
use crate::journal::{Find, Improvement, Spent};
use crate::outcome::Outcome;
use crate::problem::{Problem, state_after};
use crate::search::plan::{Parts, Planned};
use crate::search::remote::{ArrivedReport, Dispatcher, TaskRole};
use crate::search::task::Shared;
use crate::search::{Frame, Reason, SearchProgress, SearchReport, Task};
use crate::stream::Stream;
use crate::watch::{Cancel, Signal, Watch};

/// The tasks of a run: which are still to be made, which are done, and their combined result.
///
/// The outermost `repeat`, `mean` or `uct` is divided into tasks; any other search is one task. Tasks may be made in any order, by anyone,
/// and again if they were lost: the outcome is that of [`start`](Run::start). Reports are not trusted: every game in them is verified with
/// the plain rules. (That a search found nothing better, or the value of a mean, can only be checked by making the task again.)
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
/// let run = || Run::new(&problem, "repeat(5, nested(1))".parse().unwrap()).seed(7);
/// let mut ledger = run().ledger()?;
/// while let Some(task) = ledger.next_task()? {
///     // These bytes may go to another machine, and the report comes back as bytes.
///     let report = run().run_task(&task.bytes, "this machine")?;
///     ledger.take(task.index, &report)?;
/// }
/// assert_eq!(ledger.outcome()?.answer, run().start()?.answer);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Ledger<'a, P: Problem> {
    run: Run<'a, P>,
    plan: Planned<'a, P>,
    state: P,
    description: String,
    identity: Identity,
    /// Its checksum.
    run_sum: u64,
    signal: Signal,
    work: Division<P>,
    /// The result of the search so far.
    last: Option<SearchReport<P::Move>>,
    /// The best score that was announced.
    best: Option<f64>,
    /// Improvements that were not returned yet.
    improvements: Vec<Improvement>,
    /// Games to be kept that were not returned yet.
    finds: Vec<Find>,
    spent: Spent,
    /// The part of it that was spent on unfinished tasks.
    unfinished: BTreeMap<u64, Spent>,
    /// Whether reports are made by this program.
    is_trusting: bool,
}

/// How the run is divided.
enum Division<P: Problem> {
    /// The whole run is one task, with its last checkpoint and its last interim report.
    One { number: u64, is_out: bool, checkpoint: Option<Vec<u8>>, interim: Option<SearchReport<P::Move>> },
    /// The tasks of its search, which is at this frame.
    Many { dispatcher: Dispatcher<P::Move>, frame: Option<Frame<P::Move>>, is_real: bool },
}

impl<'a, P: Problem> Run<'a, P> {
    /// The run as tasks for others. Its [threads](Run::threads) are the number of workers: not many more tasks are handed out ahead of the
    /// first that is not done. It needs no budget; a budget in time is not watched, see [`Ledger::time_is_over`]. [`resume`](Run::resume)
    /// continues from a checkpoint, also of a run that was [started](Run::start). Listeners and journals are ignored.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn ledger(self) -> Result<Ledger<'a, P>, RunError> {
        let plan = self.planned()?;
        let is_real = match plan.parts() {
            _ if self.accelerator.is_some() => return self.ledger_of_one(0),
            Parts::Dependent => return self.ledger_of_one(0),
            Parts::Games => true,
            Parts::Numbers => false,
        };
        let (identity, workers) = (self.identity(), self.threads);
        let resumed = self.resume.as_ref().map(|bytes| checkpoint::decode(bytes, &identity, Some(plan.tag())));
        let (frame, best) = resumed.transpose()?.unzip();
        let work = Division::Many { dispatcher: Dispatcher::new(workers, is_real), frame, is_real };
        let mut ledger = Ledger::new(self, plan, identity, work, best.flatten());
        // After that it is known how many tasks there are, and which are done.
        ledger.look_in(false)?;
        Ok(ledger)
    }

    /// The run as a single task with this number, as for one run of a batch.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn ledger_of_one(mut self, number: u64) -> Result<Ledger<'a, P>, RunError> {
        let (plan, identity, resume) = (self.planned()?, self.identity(), self.resume.take());
        // The kind of frame depends on who makes the task.
        let resumed = resume.as_ref().map(|bytes| checkpoint::decode_any::<P::Move>(bytes, &identity));
        let best = resumed.transpose()?.and_then(|(_, best)| best);
        let work = Division::One { number, is_out: false, checkpoint: resume, interim: None };
        Ok(Ledger::new(self, plan, identity, work, best))
    }
}

impl<'a, P: Problem> Ledger<'a, P> {
    fn new(run: Run<'a, P>, plan: Planned<'a, P>, identity: Identity, work: Division<P>, best: Option<f64>) -> Self {
        let (state, run_sum) = (state_after(run.problem, &run.from), identity.checksum());
        let (signal, spent) = (Signal::new(run.cancel.clone()), run.spent);
        let (last, improvements, finds, unfinished, description) = Default::default();
        Ledger {
            run,
            plan,
            state,
            description,
            identity,
            run_sum,
            signal,
            work,
            last,
            best,
            improvements,
            finds,
            spent,
            unfinished,
            is_trusting: false,
        }
    }

    /// Adds a text to all tasks, from which a worker that knows nothing else can tell what to run; see [`TaskSpec::description`].
    #[must_use]
    pub fn described(mut self, description: String) -> Self {
        self.description = description;
        self
    }

    /// Reports come from this very program, such as the workers of a browser tab: only the games that it announces or returns are verified,
    /// and not those that are no better than what is known.
    pub fn trust(&mut self) {
        self.is_trusting = true;
    }

    /// The next task to be made; none if all are handed out, or no more are needed for now, or the run is over.
    ///
    /// # Errors
    ///
    /// When the search is faulty, or a task cannot be serialized.
    pub fn next_task(&mut self) -> Result<Option<TaskSpec>, RunError> {
        let limit = self.run.playouts.unwrap_or(u64::MAX);
        if self.is_over() {
            return Ok(None);
        }
        if let Division::One { number, is_out, checkpoint, .. } = &mut self.work {
            let number = *number;
            if std::mem::replace(is_out, true) {
                return Ok(None);
            }
            let beginning = checkpoint.clone().map_or(Beginning::Fresh, Beginning::Checkpoint);
            return self.spec(number, limit, &beginning, self.spent).map(Some);
        }
        self.look_in(true)?;
        let Division::Many { dispatcher, .. } = &self.work else { unreachable!("it has many tasks") };
        let Some(turn) = dispatcher.turn() else { return Ok(None) };
        let Some(mut paused) = turn.paused else {
            return self.spec(turn.index, turn.limit, &Beginning::Fresh, Spent::default()).map(Some);
        };
        let Some((reason, frame)) = paused.cut.take() else { unreachable!("what is finished is not handed out") };
        let beginning = Beginning::Frame(frame);
        let spent = self.spent_on(turn.index, paused.tally.counts);
        let spec = self.spec(turn.index, turn.limit, &beginning, spent);
        // If the task is lost, another worker continues from there.
        if let (Beginning::Frame(frame), Division::Many { dispatcher, .. }) = (beginning, &self.work) {
            paused.cut = Some((reason, frame));
            dispatcher.bring(ArrivedReport { index: turn.index, report: paused, limit: None });
        }
        spec.map(Some)
    }

    fn spec(&self, index: u64, limit: u64, beginning: &Beginning<P::Move>, spent: Spent) -> Result<TaskSpec, RunError> {
        let Run { playouts, time, target, keep, .. } = self.run;
        let is_part = matches!(self.work, Division::Many { .. });
        let header = TaskHeader {
            description: self.description.clone(),
            run: self.identity.clone(),
            index,
            is_part,
            limit,
            eager: playouts.is_none(),
            time: time.filter(|_| !is_part),
            target,
            keep,
            spent,
        };
        let bytes = header.seal(beginning).map_err(|reason| TaskError::Unwritten { what: "task", reason })?;
        Ok(TaskSpec { index, bytes })
    }

    /// Lets the search process the reports that have arrived, and hand out a task if one is `asked` for.
    fn look_in(&mut self, asked: bool) -> Result<(), RunError> {
        let Division::Many { dispatcher, frame, .. } = &mut self.work else { return Ok(()) };
        let frame = match self.last.take() {
            Some(last) => last.cut.map(|(_, frame)| frame),
            None => frame.take(),
        };
        if asked {
            dispatcher.ask();
        }
        let (news, improvements) = mpsc::channel();
        let (goal, target) = (self.run.problem.goal(), self.run.stopping_score());
        let (eager, limit) = (self.run.playouts.is_none(), self.run.playouts.unwrap_or(u64::MAX));
        let shared = Shared::new(goal, target, self.run.threads, eager, self.best, news).untimed();
        let watch = Watch::new(&self.signal);
        let task = Task::root(&shared, &watch, limit, TaskRole::Dispatcher(dispatcher));
        self.last = Some(self.plan.run(&task, &self.state, Stream::new(self.run.seed), frame));
        if let Some(error) = shared.failure() {
            return Err(error);
        }
        self.best = shared.best();
        let Spent { time, work } = self.spent;
        self.improvements.extend(self.run.improvements(&improvements, work.playouts, time)?);
        Ok(())
    }

    /// This task was lost: it is to be handed out again, from its last interim report if there is one.
    pub fn lost(&mut self, index: u64) {
        match &mut self.work {
            Division::One { is_out, .. } => *is_out = false,
            Division::Many { dispatcher, .. } => dispatcher.turns(|turns| turns.give_up(index)),
        }
    }

    /// The tasks that are handed out.
    pub fn out(&self) -> Vec<u64> {
        match &self.work {
            Division::One { number, is_out, .. } => is_out.then_some(*number).into_iter().collect(),
            Division::Many { dispatcher, .. } => dispatcher.turns(|turns| turns.running().iter().copied().collect()),
        }
    }

    /// The tasks that are handed out but whose results will not count: their workers may stop.
    pub fn no_longer_wanted(&self) -> Vec<u64> {
        match &self.work {
            _ if self.is_over() => self.out(),
            Division::One { .. } => Vec::new(),
            Division::Many { dispatcher, .. } => dispatcher.turns(|turns| turns.superfluous().collect()),
        }
    }

    /// Whether the run is divided; otherwise it is one task.
    pub fn is_divided(&self) -> bool {
        matches!(self.work, Division::Many { .. })
    }

    /// How many tasks are done, and how many there are; `None` if only a budget ends them.
    pub fn done(&self) -> (u64, Option<u64>) {
        match &self.work {
            Division::One { .. } => (u64::from(self.is_over()), Some(1)),
            Division::Many { dispatcher, .. } => dispatcher.done(),
        }
    }

    /// Ends the run because its time is over: only what is known now counts.
    ///
    /// # Errors
    ///
    /// When the rules refuse a game.
    pub fn time_is_over(&mut self) -> Result<Vec<Improvement>, RunError> {
        if self.is_over() {
            return Ok(Vec::new());
        }
        self.signal.time_is_over();
        self.look_in(false)?;
        if let Division::One { interim, .. } = &mut self.work {
            self.last = Some(cut_as(interim.take(), Reason::Time));
        }
        Ok(std::mem::take(&mut self.improvements))
    }

    /// Whether the run is over: the search has ended, or its budget or target is reached.
    pub fn is_over(&self) -> bool {
        self.last.as_ref().is_some_and(|last| !matches!(last.cut, Some((Reason::Pause, _))))
    }

    /// The time and work spent on all tasks together.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// The state of the run, for [`Run::resume`]: both a ledger and [`Run::start`] can continue from it. Nothing if the run is over, or is
    /// one task that has not begun.
    ///
    /// # Errors
    ///
    /// When it cannot be serialized.
    pub fn checkpoint(&mut self) -> Result<Option<Vec<u8>>, RunError> {
        let unwritten = |reason| TaskError::Unwritten { what: "checkpoint", reason }.into();
        if matches!(&self.work, Division::Many { dispatcher, .. } if dispatcher.has_reports()) && !self.is_over() {
            self.look_in(false)?;
        }
        match (&self.work, &self.last) {
            (Division::One { checkpoint, .. }, _) => Ok(checkpoint.clone()),
            (Division::Many { .. }, Some(SearchReport { cut: Some((_, frame)), .. })) => {
                checkpoint::encode(&self.identity, self.best, frame).map(Some).map_err(unwritten)
            }
            _ => Ok(None),
        }
    }

    /// The combined result of the tasks. If the run is not over it counts as interrupted.
    ///
    /// # Errors
    ///
    /// When the rules refuse the game that it reports.
    pub fn outcome(mut self) -> Result<Outcome<P::Move>, RunError> {
        if !self.is_over() {
            // Then what tasks have found ahead of their turn counts, as when a person stops a run.
            let stopped = Cancel::new();
            stopped.cancel();
            self.signal = Signal::new(stopped);
            self.look_in(false)?;
        }
        let interim = if let Division::One { interim, .. } = &mut self.work { interim.take() } else { None };
        let report = self.last.take().unwrap_or_else(|| cut_as(interim, Reason::Cancel));
        self.run.conclude(self.spent, report)
    }
}

/// The result of a task that is a whole run, cut for this reason.
fn cut_as<M: Copy>(interim: Option<SearchReport<M>>, reason: Reason) -> SearchReport<M> {
    match interim {
        Some(SearchReport { cut: Some((_, frame)), tally, result, exhaustive, learned }) => {
            SearchReport { cut: Some((reason, frame)), tally, result, exhaustive, learned }
        }
        _ => SearchProgress::default().cut(reason, Frame::new("nothing", 1, ())),
    }
}
