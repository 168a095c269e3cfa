//! The driver of runs whose tasks are made elsewhere: it hands out bundles of tasks, certifies what comes back, and keeps the order.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use nestling::{Find, Improvement, Outcome, ReportHeader, RunError};

use super::tasks::Tasks;
use super::workers::{Bundle, Delivery, Workers};

/// How often progress is told.
const TICK: Duration = Duration::from_millis(100);

/// How long a bundle should take: much longer than it takes to hand it out.
const BUNDLE_TIME: Duration = Duration::from_millis(250);

/// No bundle has more tasks.
const LARGEST: usize = 64;

/// The time between interim reports of a worker; longer where there would be more than a hundred a second from all workers together.
const REPORT_EVERY: Duration = Duration::from_secs(2);
const REPORT_EVERY_BY_PLACE: Duration = Duration::from_millis(10);

/// How long the driver waits for another report of workers whose time is over.
const GRACE: Duration = Duration::from_secs(3);

/// A task that was refused or failed so often is not tried again.
const TRIES: u32 = 3;

/// When so many bundles in a row were lost, or this many times as many as there are places, something is wrong that trying again does not
/// mend.
const LOST: usize = 200;
const LOST_BY_PLACE: usize = 20;

/// A run that begins: its number and its tasks.
pub(super) type Begun<'p> = (u64, Box<dyn Tasks + 'p>);

/// A task by its run and its index there.
type TaskName = (u64, u64);

/// The runs of which a driver makes the tasks, and who hears of them.
pub(super) trait Runs<'p> {
    /// The next run; none for now, or none at all.
    fn next(&mut self) -> Result<Option<Begun<'p>>, RunError>;
    /// Whether there will be another.
    fn has_more(&self) -> bool;
    /// A better game of a run.
    fn improvement(&mut self, run: u64, improvement: Improvement);
    /// A game to be kept beside the best.
    fn find(&mut self, find: Find);
    /// Something went wrong that costs only time.
    fn trouble(&mut self, reason: String);
    /// Called several times a second for every run that is not over.
    fn tick(&mut self, run: u64, tasks: &mut (dyn Tasks + 'p)) -> Result<(), RunError>;
    /// Keeps where a run stands that stops.
    fn keep(&mut self, run: u64, tasks: &mut (dyn Tasks + 'p)) -> Result<(), RunError>;
    /// A run has come to its end, or was stopped.
    fn done(&mut self, run: u64, outcome: Outcome);
    /// When the time of the runs is over.
    fn deadline(&self) -> Option<Instant>;
    /// Whether somebody wants to stop.
    fn is_cancelled(&self) -> bool;
}

/// The tasks of a bundle that is out.
#[derive(Default)]
struct OutTasks {
    waiting: BTreeSet<TaskName>,
    /// Those whose reports say that they are finished. Whether they are is for the ledger to say.
    reported: BTreeSet<TaskName>,
}

struct Lane<'p> {
    tasks: Box<dyn Tasks + 'p>,
    /// Whether it has no task to hand out for now.
    is_waiting: bool,
}

/// Drives runs to their end.
pub(super) struct Driver<'w, 'r, 'p> {
    workers: &'w mut dyn Workers,
    runs: &'r mut dyn Runs<'p>,
    lanes: BTreeMap<u64, Lane<'p>>,
    /// The tasks that are out, by bundle.
    out: BTreeMap<u64, OutTasks>,
    next_bundle: u64,
    places: usize,
    /// How long a task takes, on average of the last ones.
    task_time: Option<Duration>,
    tries: HashMap<TaskName, u32>,
    lost_in_a_row: usize,
}

impl<'w, 'r, 'p> Driver<'w, 'r, 'p> {
    pub fn new(workers: &'w mut dyn Workers, runs: &'r mut dyn Runs<'p>) -> Result<Self, RunError> {
        let places = workers.places().map_err(RunError::Workers)?;
        let (lanes, out, tries) = Default::default();
        Ok(Driver { workers, runs, lanes, out, next_bundle: 0, places, task_time: None, tries, lost_in_a_row: 0 })
    }

    pub fn run(mut self) -> Result<(), RunError> {
        let driven = self.drive();
        for (&run, lane) in &mut self.lanes {
            // Workers that have failed cost no work.
            let _ = self.runs.keep(run, lane.tasks.as_mut());
        }
        for &bundle in self.out.keys() {
            self.workers.withdraw(bundle);
        }
        driven
    }

    fn drive(&mut self) -> Result<(), RunError> {
        let mut ticked = Instant::now();
        // Even if it is stopped before it has begun, there is an outcome.
        if let Some(begun) = self.runs.next()? {
            self.begin(begun)?;
        }
        loop {
            let is_late = self.runs.deadline().is_some_and(|deadline| Instant::now() >= deadline);
            if self.runs.is_cancelled() {
                return self.stop();
            }
            if is_late {
                return self.time_is_over();
            }
            self.hand_out()?;
            if self.lanes.is_empty() && !self.runs.has_more() {
                return Ok(());
            }
            self.receive(TICK)?;
            if ticked.elapsed() >= TICK {
                self.tick()?;
                ticked = Instant::now();
            }
        }
    }

    /// Keeps all workers busy.
    fn hand_out(&mut self) -> Result<(), RunError> {
        let left = self.runs.deadline().map(|deadline| deadline.saturating_duration_since(Instant::now()));
        // What waits for a worker would stop too late, where there is a clock.
        let most = if left.is_some() { self.places } else { 2 * self.places };
        while self.out.len() < most {
            let tasks = self.fill(self.bundle_size())?;
            if tasks.is_empty() {
                return Ok(());
            }
            let (names, tasks): (BTreeSet<_>, Vec<_>) = tasks.into_iter().unzip();
            let number = self.next_bundle;
            self.next_bundle += 1;
            self.out.insert(number, OutTasks { waiting: names, ..OutTasks::default() });
            let places = u32::try_from(self.places).unwrap_or(u32::MAX);
            let report_every = REPORT_EVERY.max(REPORT_EVERY_BY_PLACE.saturating_mul(places));
            let bundle = Bundle { number, tasks, stop_after: left, report_every };
            self.workers.hand_out(bundle).map_err(RunError::Workers)?;
        }
        Ok(())
    }

    /// How many tasks make a bundle that is worth sending; one as long as nobody knows.
    fn bundle_size(&self) -> usize {
        self.task_time
            .map_or(1, |time| (BUNDLE_TIME.as_secs_f64() / time.as_secs_f64().max(1e-6)) as usize)
            .clamp(1, LARGEST)
    }

    /// The next tasks, at most so many.
    fn fill(&mut self, most: usize) -> Result<Vec<(TaskName, Vec<u8>)>, RunError> {
        let mut filled = Vec::new();
        for (&run, lane) in self.lanes.iter_mut().filter(|(_, lane)| !lane.is_waiting) {
            while filled.len() < most {
                match lane.tasks.next_task()? {
                    Some(task) => filled.push(((run, task.index), task.bytes)),
                    None => {
                        lane.is_waiting = true;
                        break;
                    }
                }
            }
        }
        while filled.len() < most
            && let Some((run, mut tasks)) = self.runs.next()?
        {
            while filled.len() < most
                && let Some(task) = tasks.next_task()?
            {
                filled.push(((run, task.index), task.bytes));
            }
            self.begin((run, tasks))?;
        }
        Ok(filled)
    }

    fn begin(&mut self, (run, tasks): Begun<'p>) -> Result<(), RunError> {
        self.lanes.insert(run, Lane { tasks, is_waiting: false });
        self.end_if_over(run)
    }

    /// Takes what has come back.
    fn receive(&mut self, longest: Duration) -> Result<(), RunError> {
        for (bundle, delivery) in self.workers.wait(longest).map_err(RunError::Workers)? {
            match delivery {
                Delivery::Report(report) => self.report(bundle, &report)?,
                Delivery::Done => match self.out.get(&bundle) {
                    Some(tasks) if !tasks.waiting.is_empty() => {
                        self.lose(bundle, "a worker has not finished its tasks, and does not say why")?;
                    }
                    _ => self.give_up(bundle),
                },
                Delivery::Lost(reason) => self.lose(bundle, &reason)?,
                Delivery::Failed(reason) => {
                    // Which of them went wrong nobody says; the first is as good as any.
                    if let Some(&first) = self.out.get(&bundle).and_then(|tasks| tasks.waiting.first()) {
                        self.refuse(first, &reason)?;
                    }
                    self.give_up(bundle);
                }
            }
        }
        Ok(())
    }

    /// A bundle will not be finished by the worker who has it.
    fn lose(&mut self, bundle: u64, reason: &str) -> Result<(), RunError> {
        if !self.out.contains_key(&bundle) {
            return Ok(());
        }
        self.lost_in_a_row += 1;
        let lost = self.lost_in_a_row;
        if lost >= LOST.max(LOST_BY_PLACE * self.places) {
            return Err(RunError::Workers(format!("{lost} bundles of tasks in a row were lost: {reason}")));
        }
        self.give_up(bundle);
        Ok(())
    }

    /// Certifies a report, and takes it.
    fn report(&mut self, bundle: u64, report: &[u8]) -> Result<(), RunError> {
        // Of a bundle that was given up nobody knows any more which run it was of; its tasks are made by somebody else.
        let Some(tasks) = self.out.get(&bundle) else { return Ok(()) };
        let header = match ReportHeader::read(report) {
            Ok(header) => header,
            Err(error) => {
                // Whose it is cannot be read; the first is as good as any.
                return match tasks.waiting.first() {
                    Some(&first) => self.refuse(first, &error.to_string()),
                    None => Ok(()),
                };
            }
        };
        let Some(&(run, index)) = tasks.waiting.iter().find(|&&(_, index)| index == header.index) else {
            return Ok(());
        };
        let Some(lane) = self.lanes.get_mut(&run) else { return Ok(()) };
        match lane.tasks.take(index, report) {
            Err(RunError::Task(refused)) => self.refuse((run, index), &refused.to_string()),
            Err(error) => Err(error),
            Ok(improvements) => {
                lane.is_waiting = false;
                self.tries.remove(&(run, index));
                let finds = lane.tasks.finds();
                improvements.into_iter().for_each(|improvement| self.runs.improvement(run, improvement));
                finds.into_iter().for_each(|find| self.runs.find(find));
                self.lost_in_a_row = 0;
                if header.is_finished {
                    let time = header.spent.time;
                    let mean = self.task_time.map_or(time, |mean| mean.saturating_mul(7).saturating_add(time) / 8);
                    self.task_time = Some(mean);
                    if let Some(tasks) = self.out.get_mut(&bundle) {
                        tasks.waiting.remove(&(run, index));
                        tasks.reported.insert((run, index));
                    }
                }
                self.end_if_over(run)
            }
        }
    }

    /// A task went wrong, which is told, and too often ends the run.
    fn refuse(&mut self, task: TaskName, reason: &str) -> Result<(), RunError> {
        let tries = self.tries.entry(task).or_default();
        *tries += 1;
        if *tries == TRIES {
            return Err(RunError::Workers(format!("task {} went wrong {TRIES} times: {reason}", task.1)));
        }
        self.runs.trouble(format!("{reason}; the task is made again"));
        Ok(())
    }

    /// Nobody works on a bundle any more; what is not finished of it is to be made by somebody else.
    fn give_up(&mut self, bundle: u64) {
        let OutTasks { waiting, reported } = self.out.remove(&bundle).unwrap_or_default();
        // What is finished is not made again by being called lost.
        for (run, index) in waiting.into_iter().chain(reported) {
            if let Some(lane) = self.lanes.get_mut(&run) {
                lane.tasks.lost(index);
                lane.is_waiting = false;
            }
        }
    }

    /// Ends a run that is over, and withdraws the tasks that nobody needs any more.
    fn end_if_over(&mut self, run: u64) -> Result<(), RunError> {
        let Some(lane) = self.lanes.get(&run) else { return Ok(()) };
        let unwanted: BTreeSet<TaskName> =
            lane.tasks.no_longer_wanted().into_iter().map(|index| (run, index)).collect();
        let is_vain = |tasks: &OutTasks| !tasks.waiting.is_empty() && tasks.waiting.is_subset(&unwanted);
        let vain: Vec<u64> = self.out.iter().filter(|(_, tasks)| is_vain(tasks)).map(|(&bundle, _)| bundle).collect();
        for bundle in vain {
            self.workers.withdraw(bundle);
            self.out.remove(&bundle);
        }
        if lane.tasks.is_over()
            && let Some(lane) = self.lanes.remove(&run)
        {
            self.runs.done(run, lane.tasks.outcome()?);
        }
        Ok(())
    }

    fn tick(&mut self) -> Result<(), RunError> {
        self.places = self.workers.places().map_err(RunError::Workers)?;
        for (&run, lane) in &mut self.lanes {
            self.runs.tick(run, lane.tasks.as_mut())?;
        }
        Ok(())
    }

    /// Takes the last reports of workers who have stopped by the clock; what is known then is all that counts.
    fn time_is_over(&mut self) -> Result<(), RunError> {
        let (mut heard, mut out) = (Instant::now(), self.out.len());
        while out > 0 && heard.elapsed() < GRACE && !self.runs.is_cancelled() {
            // What goes wrong now costs what it would have brought, not the result.
            if let Err(error) = self.receive(TICK) {
                self.runs.trouble(error.to_string());
                break;
            }
            if std::mem::replace(&mut out, self.out.len()) != out {
                heard = Instant::now();
            }
        }
        for (run, mut lane) in std::mem::take(&mut self.lanes) {
            for improvement in lane.tasks.time_is_over()? {
                self.runs.improvement(run, improvement);
            }
            self.runs.done(run, lane.tasks.outcome()?);
        }
        Ok(())
    }

    /// Somebody wants to stop: where the runs stand is kept.
    fn stop(&mut self) -> Result<(), RunError> {
        for (run, mut lane) in std::mem::take(&mut self.lanes) {
            self.runs.keep(run, lane.tasks.as_mut())?;
            self.runs.done(run, lane.tasks.outcome()?);
        }
        Ok(())
    }
}
