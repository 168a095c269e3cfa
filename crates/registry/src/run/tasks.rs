//! The tasks of a run, made by workers elsewhere that know only the task.

use std::fs;
use std::time::Duration;

use nestling::{Counts, Find, Improvement, Ledger, Outcome, Problem, RunError, Scores, Spent, TaskSpec, TaskStepper};

use super::{Controls, Ready, Resume, RunSpec};

/// The tasks of a run, the problem's type forgotten; see [`Ledger`].
pub trait Tasks {
    /// The next task to be made.
    fn next_task(&mut self) -> Result<Option<TaskSpec>, RunError>;
    /// Takes a report, and returns the improvements that it makes sure of.
    fn take(&mut self, index: u64, report: &[u8]) -> Result<Vec<Improvement>, RunError>;
    /// Reports come from this very program.
    fn trust(&mut self);
    /// Nobody makes this task any more: it is to be handed out again.
    fn lost(&mut self, index: u64);
    /// The tasks that are out, although their results will not count.
    fn no_longer_wanted(&self) -> Vec<u64>;
    /// Ends the run because its time is over; returns the improvements that are known now.
    fn time_is_over(&mut self) -> Result<Vec<Improvement>, RunError>;
    /// The games that are to be kept besides the best, in the reports taken since the last call.
    fn finds(&mut self) -> Vec<Find>;
    /// Whether the run is taken apart; otherwise it is one task.
    fn is_divided(&self) -> bool;
    /// How many tasks are done, and how many there are, if that is known.
    fn done(&self) -> (u64, Option<u64>);
    /// Whether the run is over.
    fn is_over(&self) -> bool;
    /// The time and work spent on the tasks.
    fn spent(&self) -> Spent;
    /// The state of the run.
    fn checkpoint(&mut self) -> Result<Option<Vec<u8>>, RunError>;
    /// The combined result of the tasks.
    fn outcome(self: Box<Self>) -> Result<Outcome, RunError>;
}

impl<P: Problem> Tasks for Ledger<'_, P> {
    fn next_task(&mut self) -> Result<Option<TaskSpec>, RunError> {
        Ledger::next_task(self)
    }

    fn take(&mut self, index: u64, report: &[u8]) -> Result<Vec<Improvement>, RunError> {
        Ledger::take(self, index, report)
    }

    fn trust(&mut self) {
        Ledger::trust(self);
    }

    fn lost(&mut self, index: u64) {
        Ledger::lost(self, index);
    }

    fn no_longer_wanted(&self) -> Vec<u64> {
        Ledger::no_longer_wanted(self)
    }

    fn time_is_over(&mut self) -> Result<Vec<Improvement>, RunError> {
        Ledger::time_is_over(self)
    }

    fn finds(&mut self) -> Vec<Find> {
        Ledger::finds(self)
    }

    fn is_divided(&self) -> bool {
        Ledger::is_divided(self)
    }

    fn done(&self) -> (u64, Option<u64>) {
        Ledger::done(self)
    }

    fn is_over(&self) -> bool {
        Ledger::is_over(self)
    }

    fn spent(&self) -> Spent {
        Ledger::spent(self)
    }

    fn checkpoint(&mut self) -> Result<Option<Vec<u8>>, RunError> {
        Ledger::checkpoint(self)
    }

    fn outcome(self: Box<Self>) -> Result<Outcome, RunError> {
        Ledger::outcome(*self).map(Outcome::erase)
    }
}

/// One task that its caller drives, the problem's type forgotten; see [`TaskStepper`].
pub trait SteppedTask {
    /// Goes on with another task of the same run.
    fn go_on_with(&mut self, task: &[u8]) -> Result<(), RunError>;
    /// Plays so many playouts, or fewer where the task ends.
    fn step(&mut self, playouts: u64) -> Result<(), RunError>;
    /// Whether another step would do nothing.
    fn is_over(&self) -> bool;
    /// How much has been played.
    fn work(&self) -> Counts;
    /// The best score so far.
    fn best(&self) -> Option<f64>;
    /// The report; an interim one if the task is not over.
    fn report(&mut self, by: &str, time: Duration) -> Result<Vec<u8>, RunError>;
}

impl<P: Problem> SteppedTask for TaskStepper<'_, P> {
    fn go_on_with(&mut self, task: &[u8]) -> Result<(), RunError> {
        TaskStepper::go_on_with(self, task)
    }

    fn step(&mut self, playouts: u64) -> Result<(), RunError> {
        TaskStepper::step(self, playouts)
    }

    fn is_over(&self) -> bool {
        TaskStepper::is_over(self)
    }

    fn work(&self) -> Counts {
        TaskStepper::work(self)
    }

    fn best(&self) -> Option<f64> {
        TaskStepper::best(self)
    }

    fn report(&mut self, by: &str, time: Duration) -> Result<Vec<u8>, RunError> {
        TaskStepper::report(self, by, time)
    }
}

impl Ready {
    /// The tasks of the run, from a checkpoint and what had been spent then. Each run of a batch is one task, and so is a run on a GPU.
    ///
    /// ```
    /// use nestling_registry::{Controls, Ready, Registry, RunSpec};
    /// let registry = Registry::standard();
    /// let asked = RunSpec { seed: Some(1), ..RunSpec::new("left-move:30").search("repeat(4, nrpa(1))") };
    /// let ready = registry.ready(asked)?;
    /// let mut tasks = ready.tasks(None)?;
    /// while let Some(task) = tasks.next_task()? {
    ///     // A worker needs nothing else.
    ///     let asked = Ready::described_by(&task.bytes)?;
    ///     let report = registry.ready(asked)?.make_task(&task.bytes, "this machine", Controls::default())?;
    ///     tasks.take(task.index, &report)?;
    /// }
    /// assert_eq!(tasks.outcome()?.score(), ready.start(Controls::default())?.score());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When it cannot be started, or the checkpoint is of another run.
    pub fn tasks(&self, resume: Option<Resume>) -> Result<Box<dyn Tasks + '_>, RunError> {
        self.problem().tasks(self, resume)
    }

    /// The same for workers that are part of this program: their reports are trusted, see [`Ledger::trust`].
    ///
    /// # Errors
    ///
    /// As for [`tasks`](Ready::tasks).
    pub fn own_tasks(&self, resume: Option<Resume>) -> Result<Box<dyn Tasks + '_>, RunError> {
        let mut tasks = self.tasks(resume)?;
        tasks.trust();
        Ok(tasks)
    }

    /// Makes a task of a run with this description, and returns its report; `by` says who made it. The journal gets interim reports, and
    /// the task is resumed from one if the controls have one.
    ///
    /// # Errors
    ///
    /// When the task is of another run or another version, or as for [`Ready::start`].
    pub fn make_task(&self, task: &[u8], by: &str, controls: Controls<'_>) -> Result<Vec<u8>, RunError> {
        self.problem().make_task(self, task, by, controls)
    }

    /// A task of a run with this description as one that its caller drives, without a thread or a clock; `scores` gets the scores of its
    /// playouts.
    ///
    /// # Errors
    ///
    /// When the task is of another run or another version, or the run is for a GPU.
    pub fn task_stepper(&self, task: &[u8], scores: Option<Scores>) -> Result<Box<dyn SteppedTask + '_>, RunError> {
        self.problem().task_stepper(self, task, Controls { scores, ..Controls::default() })
    }

    /// The run that a task is of.
    ///
    /// # Errors
    ///
    /// When the task is damaged, or another version has written it.
    pub fn described_by(task: &[u8]) -> Result<RunSpec, RunError> {
        let text = TaskSpec::description(task)?;
        let damaged =
            |error: serde_json::Error| nestling::TaskError::Damaged { what: "task", reason: error.to_string() };
        Ok(serde_json::from_str(&text).map_err(damaged)?)
    }

    /// All that a worker has to know, with the name that its problem has anywhere. Files to be written are left out: the driver writes them.
    pub(crate) fn description(&self, problem: String) -> String {
        let spec = self.spec().clone();
        let alone = RunSpec { problem, runs: 1, threads: None, from_file: None, output: None, learned: None, ..spec };
        serde_json::to_string(&alone).expect("a specification is plain data")
    }
}

/// The name of this machine, for people.
pub fn host() -> String {
    let kernel = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned();
    let named = [kernel, std::env::var("HOSTNAME").unwrap_or_default()];
    let mut named = named.into_iter().chain(std::env::var("COMPUTERNAME"));
    named.find(|name| !name.is_empty()).unwrap_or("this machine".into())
}
