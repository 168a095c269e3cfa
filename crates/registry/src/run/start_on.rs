//! Runs and batches on workers elsewhere.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nestling::{Cancel, Event, Find, Improvement, Journal, Outcome, RunError, Spent};

use super::elsewhere::Driver;
use super::runs::{Begun, Runs};
use super::tasks::Tasks;
use super::workers::Workers;
use super::{Controls, Ready, Resume};
use crate::instance::Instance;

impl Ready {
    /// Makes the run, its tasks by others.
    pub(super) fn start_on(&self, workers: &mut dyn Workers, controls: Controls<'_>) -> Result<Outcome, RunError> {
        let before = controls.resume.as_ref().map_or(Spent::default(), |(_, spent)| *spent);
        let (tasks, problem) = (self.spread(workers)?, self.instance());
        let tasks = problem.tasks(&tasks, controls.resume)?;
        let began = controls.began.unwrap_or_else(Instant::now);
        // A run that is one task has its own clock.
        let time = self.spec().time.filter(|_| tasks.is_divided());
        let mut one = One {
            tasks: Some(tasks),
            cancel: controls.cancel,
            listener: controls.listener,
            journal: controls.journal,
            interval: self.spec().checkpoint,
            due: Instant::now() + self.spec().checkpoint,
            deadline: time.and_then(|time| began.checked_add(time.saturating_sub(before.time))),
            began: Instant::now(),
            before: before.time,
            best: None,
            outcome: None,
        };
        Driver::new(workers, &mut one)?.run()?;
        let elapsed = one.elapsed();
        let outcome = one.outcome.expect("a driver that returns has ended its runs");
        Ok(Outcome { elapsed, ..outcome })
    }

    /// Makes the runs of a batch, each a task, by others.
    ///
    /// # Errors
    ///
    /// When one cannot be started, or the workers fail.
    pub fn start_batch_on(&self, workers: &mut dyn Workers, batch: &mut dyn RunBatch) -> Result<(), RunError> {
        let (ready, problem) = (self.spread(workers)?, self.instance());
        let mut many = Many { ready, problem: problem.as_ref(), batch, kept: HashMap::new() };
        Driver::new(workers, &mut many)?.run()
    }

    /// The same run for so many workers as there are.
    fn spread(&self, workers: &mut dyn Workers) -> Result<Ready, RunError> {
        Ok(self.with(self.seed(), workers.places().map_err(RunError::Workers)?.max(1)))
    }

    fn instance(&self) -> Arc<dyn Instance> {
        Arc::clone(&self.problem)
    }
}

/// Receives the events of a batch's runs.
pub trait RunBatch {
    /// The next run to make, and the checkpoint to resume it from; none for now, or none at all.
    fn next(&mut self) -> Option<(u64, Option<Resume>)>;
    /// Whether there will be another.
    fn has_more(&self) -> bool;
    /// A better game of a run.
    fn improvement(&mut self, run: u64, improvement: &Improvement);
    /// Something went wrong that costs only time.
    fn trouble(&mut self, reason: &str);
    /// The progress of a run.
    fn checkpoint(&mut self, run: u64, bytes: &[u8], spent: Spent);
    /// The result of a run.
    fn done(&mut self, run: u64, outcome: Outcome);
    /// Whether the batch should stop.
    fn is_cancelled(&self) -> bool;
}

/// A checkpoint must be smaller: a database takes no larger value.
const LARGEST: usize = 900_000_000;

/// The driver continues this many times as long as the last checkpoint took before it makes the next.
const SHARE: u32 = 100;

/// A single run.
struct One<'p, 'c> {
    tasks: Option<Box<dyn Tasks + 'p>>,
    cancel: Cancel,
    listener: Option<&'c mut dyn FnMut(&Event)>,
    journal: Option<&'c mut dyn Journal>,
    interval: Duration,
    /// When the next checkpoint is due.
    due: Instant,
    deadline: Option<Instant>,
    began: Instant,
    /// The time that was spent before.
    before: Duration,
    best: Option<f64>,
    outcome: Option<Outcome>,
}

impl One<'_, '_> {
    /// The time of the run is that of the clock on the wall, not that of all workers together.
    fn elapsed(&self) -> Duration {
        self.before.saturating_add(self.began.elapsed())
    }

    fn tell(&mut self, event: &Event) {
        if let Some(listener) = &mut self.listener {
            listener(event);
        }
    }

    fn note(&mut self, write: impl FnOnce(&mut dyn Journal) -> Result<(), String>) {
        let kept = match &mut self.journal {
            Some(journal) => write(*journal),
            None => Ok(()),
        };
        if let Err(reason) = kept {
            self.tell(&Event::JournalFailed(reason));
        }
    }

    fn spent(&self, tasks: &dyn Tasks) -> Spent {
        Spent { time: self.elapsed(), ..tasks.spent() }
    }

    fn checkpoint(&mut self, tasks: &mut dyn Tasks) -> Result<(), RunError> {
        let (spent, began) = (self.spent(tasks), Instant::now());
        if self.journal.is_some()
            && let Some(bytes) = tasks.checkpoint()?
        {
            self.note(|journal| match bytes.len() {
                ..LARGEST => journal.checkpoint(&bytes, spent),
                size => Err(format!("a checkpoint of {} MB is too large to be stored", size / 1_000_000)),
            });
        }
        self.due = Instant::now() + self.interval.max(began.elapsed().saturating_mul(SHARE));
        Ok(())
    }
}

impl<'p> Runs<'p> for One<'p, '_> {
    fn next(&mut self) -> Result<Option<Begun<'p>>, RunError> {
        Ok(self.tasks.take().map(|tasks| Begun { run: 0, kind: 0, tasks }))
    }

    fn has_more(&self) -> bool {
        self.tasks.is_some()
    }

    fn improvement(&mut self, _: u64, improvement: Improvement) {
        let improvement = Improvement { elapsed: self.elapsed(), ..improvement };
        self.best = Some(improvement.score());
        self.note(|journal| journal.improvement(&improvement));
        self.tell(&Event::Improvement(improvement));
    }

    fn find(&mut self, find: Find) {
        self.note(|journal| journal.find(&find));
        self.tell(&Event::Find(find));
    }

    fn trouble(&mut self, reason: String) {
        self.tell(&Event::Trouble(reason));
    }

    fn tick(&mut self, _: u64, tasks: &mut (dyn Tasks + 'p)) -> Result<(), RunError> {
        let spent = self.spent(tasks);
        self.note(|journal| journal.progress(spent));
        self.tell(&Event::Progress { elapsed: spent.time, playouts: spent.work.playouts, best: self.best });
        if self.due <= Instant::now() {
            self.checkpoint(tasks)?;
        }
        Ok(())
    }

    fn keep(&mut self, _: u64, tasks: &mut (dyn Tasks + 'p)) -> Result<(), RunError> {
        self.checkpoint(tasks)
    }

    fn done(&mut self, _: u64, outcome: Outcome) {
        self.outcome = Some(outcome);
    }

    fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

/// The runs of a batch.
struct Many<'p, 'b> {
    ready: Ready,
    problem: &'p dyn Instance,
    batch: &'b mut dyn RunBatch,
    /// When a checkpoint of each run was kept, or it began.
    kept: HashMap<u64, Instant>,
}

impl<'p> Runs<'p> for Many<'p, '_> {
    fn next(&mut self) -> Result<Option<Begun<'p>>, RunError> {
        let Some((number, resume)) = self.batch.next() else { return Ok(None) };
        let tasks = self.problem.tasks(&self.ready.number(number, 1), resume)?;
        Ok(Some(Begun { run: number, kind: 0, tasks }))
    }

    fn has_more(&self) -> bool {
        self.batch.has_more()
    }

    fn improvement(&mut self, run: u64, improvement: Improvement) {
        self.batch.improvement(run, &improvement);
    }

    /// Only a single run keeps games beside the best.
    fn find(&mut self, _: Find) {}

    fn trouble(&mut self, reason: String) {
        self.batch.trouble(&reason);
    }

    fn tick(&mut self, run: u64, tasks: &mut (dyn Tasks + 'p)) -> Result<(), RunError> {
        let kept = self.kept.entry(run).or_insert_with(Instant::now);
        if kept.elapsed() >= self.ready.spec().checkpoint {
            *kept = Instant::now();
            self.keep(run, tasks)?;
        }
        Ok(())
    }

    fn keep(&mut self, run: u64, tasks: &mut (dyn Tasks + 'p)) -> Result<(), RunError> {
        if let Some(bytes) = tasks.checkpoint()? {
            self.batch.checkpoint(run, &bytes, tasks.spent());
        }
        Ok(())
    }

    fn done(&mut self, run: u64, outcome: Outcome) {
        self.kept.remove(&run);
        self.batch.done(run, outcome);
    }

    /// Every run has its own clock.
    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn is_cancelled(&self) -> bool {
        self.batch.is_cancelled()
    }
}
