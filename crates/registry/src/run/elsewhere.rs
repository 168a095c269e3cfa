//! The driver of runs whose tasks are made elsewhere: it hands out bundles of tasks, certifies what comes back, and keeps the order.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use nestling::{ReportHeader, RunError};

use super::runs::{Begun, Runs};
use super::tasks::Tasks;
use super::workers::{Bundle, Delivery, Workers};

/// How often progress is reported.
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

/// A task by its run and its index there.
type TaskName = (u64, u64);

/// The tasks of a bundle that is out.
#[derive(Default)]
struct OutTasks {
    waiting: BTreeSet<TaskName>,
    /// Those whose reports say that they are finished. Whether they are is for the ledger to say.
    reported: BTreeSet<TaskName>,
}

struct Lane<'p> {
    kind: u64,
    tasks: Box<dyn Tasks + 'p>,
}

/// Drives runs to their end.
pub(super) struct Driver<'w, 'r, 'p> {
    workers: &'w mut dyn Workers,
    runs: &'r mut dyn Runs<'p>,
    lanes: BTreeMap<u64, Lane<'p>>,
    /// The runs that may have a task to hand out.
    ready: BTreeSet<u64>,
    /// The tasks that are out, by bundle.
    out: BTreeMap<u64, OutTasks>,
    /// The bundle of every task that is being made.
    bundle_of: BTreeMap<TaskName, u64>,
    next_bundle: u64,
    places: usize,
    /// How long a task of each kind takes, on average of the last ones.
    task_time: HashMap<u64, Duration>,
    tries: HashMap<TaskName, u32>,
    lost_in_a_row: usize,
}

impl<'w, 'r, 'p> Driver<'w, 'r, 'p> {
    pub fn new(workers: &'w mut dyn Workers, runs: &'r mut dyn Runs<'p>) -> Result<Self, RunError> {
        let places = workers.places().map_err(RunError::Workers)?;
        let (lanes, ready, out, bundle_of, task_time, tries) = Default::default();
        let (next_bundle, lost_in_a_row) = Default::default();
        Ok(Driver { workers, runs, lanes, ready, out, bundle_of, next_bundle, places, task_time, tries, lost_in_a_row })
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
        let most = if self.runs.has_clock() { self.places } else { 2 * self.places };
        while self.out.len() < most {
            let tasks = self.fill()?;
            if tasks.is_empty() {
                return Ok(());
            }
            let (names, tasks): (BTreeSet<_>, Vec<_>) = tasks.into_iter().unzip();
            let number = self.next_bundle;
            self.next_bundle += 1;
            self.bundle_of.extend(names.iter().map(|&name| (name, number)));
            self.out.insert(number, OutTasks { waiting: names, ..OutTasks::default() });
            let places = u32::try_from(self.places).unwrap_or(u32::MAX);
            let report_every = REPORT_EVERY.max(REPORT_EVERY_BY_PLACE.saturating_mul(places));
            let bundle = Bundle { number, tasks, stop_after: left, report_every };
            self.workers.hand_out(bundle).map_err(RunError::Workers)?;
        }
        Ok(())
    }

    /// How many tasks of a kind make a worthwhile bundle; one until their time is known.
    fn bundle_size(&self, kind: u64) -> usize {
        self.task_time
            .get(&kind)
            .map_or(1, |time| (BUNDLE_TIME.as_secs_f64() / time.as_secs_f64().max(1e-6)) as usize)
            .clamp(1, LARGEST)
    }

    /// The next tasks, all of one kind and not too many for a bundle.
    fn fill(&mut self) -> Result<Vec<(TaskName, Vec<u8>)>, RunError> {
        let (mut filled, mut kind) = (Vec::new(), None);
        while let Some(&run) = self.ready.first() {
            if self.add(run, &mut filled, &mut kind)? {
                return Ok(filled);
            }
        }
        while let Some(begun) = self.runs.next()? {
            let run = begun.run;
            self.begin(begun)?;
            if self.add(run, &mut filled, &mut kind)? {
                break;
            }
        }
        Ok(filled)
    }

    /// Adds the tasks of a run to a bundle. Whether that is full then, or the run is of another kind; otherwise the run has no more.
    fn add(
        &mut self,
        run: u64,
        filled: &mut Vec<(TaskName, Vec<u8>)>,
        kind: &mut Option<u64>,
    ) -> Result<bool, RunError> {
        while let Some(lane) = self.lanes.get_mut(&run)
            && kind.is_none_or(|kind| kind == lane.kind)
        {
            let own = lane.kind;
            let Some(task) = lane.tasks.next_task()? else {
                self.ready.remove(&run);
                return Ok(false);
            };
            *kind = Some(own);
            filled.push(((run, task.index), task.bytes));
            if filled.len() >= self.bundle_size(own) {
                return Ok(true);
            }
        }
        Ok(self.lanes.contains_key(&run))
    }

    fn begin(&mut self, begun: Begun<'p>) -> Result<(), RunError> {
        let Begun { run, kind, tasks } = begun;
        self.lanes.insert(run, Lane { kind, tasks });
        self.ready.insert(run);
        self.end_if_over(run)
    }

    /// Waits for deliveries and processes them.
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
                    // It is unknown which task failed; the first is blamed, and then each is made separately.
                    if let Some(&first) = self.out.get(&bundle).and_then(|tasks| tasks.waiting.first()) {
                        self.lanes.get(&first.0).map(|lane| self.task_time.insert(lane.kind, BUNDLE_TIME));
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
        // It is not known any more which run a bundle that was given up belonged to; another worker makes its tasks.
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
                let kind = lane.kind;
                self.ready.insert(run);
                self.tries.remove(&(run, index));
                let finds = lane.tasks.finds();
                improvements.into_iter().for_each(|improvement| self.runs.improvement(run, improvement));
                finds.into_iter().for_each(|find| self.runs.find(find));
                self.lost_in_a_row = 0;
                if header.is_finished {
                    let time = header.spent.time;
                    let mean = self.task_time.entry(kind).or_insert(time);
                    *mean = mean.saturating_mul(7).saturating_add(time) / 8;
                    self.bundle_of.remove(&(run, index));
                    if let Some(tasks) = self.out.get_mut(&bundle) {
                        tasks.waiting.remove(&(run, index));
                        tasks.reported.insert((run, index));
                    }
                }
                self.end_if_over(run)
            }
        }
    }

    /// Reports that a task failed; too many failures end the run.
    fn refuse(&mut self, task: TaskName, reason: &str) -> Result<(), RunError> {
        let tries = self.tries.entry(task).or_default();
        *tries += 1;
        if *tries == TRIES {
            self.runs.failed(task.0, format!("task {} went wrong {TRIES} times: {reason}", task.1))?;
            self.tries.remove(&task);
            self.drop_run(task.0);
            return Ok(());
        }
        self.runs.trouble(format!("{reason}; the task is made again"));
        Ok(())
    }

    /// A bundle was lost: other workers make its unfinished tasks.
    fn give_up(&mut self, bundle: u64) {
        let OutTasks { waiting, reported } = self.out.remove(&bundle).unwrap_or_default();
        self.forget(&waiting);
        // What is finished is not made again by being called lost.
        for (run, index) in waiting.into_iter().chain(reported) {
            if let Some(lane) = self.lanes.get_mut(&run) {
                lane.tasks.lost(index);
                self.ready.insert(run);
            }
        }
    }

    /// Ends a run that is over, and withdraws the tasks that are no longer needed.
    fn end_if_over(&mut self, run: u64) -> Result<(), RunError> {
        let Some(lane) = self.lanes.get(&run) else { return Ok(()) };
        let (unwanted, is_over) = (lane.tasks.no_longer_wanted(), lane.tasks.is_over());
        self.withdraw(&unwanted.into_iter().map(|index| (run, index)).collect());
        if is_over && let Some(lane) = self.drop_run(run) {
            self.runs.done(run, lane.tasks.outcome()?);
        }
        Ok(())
    }

    /// Withdraws the bundles of which every task that is not finished is among these.
    fn withdraw(&mut self, unwanted: &BTreeSet<TaskName>) {
        let bundles: BTreeSet<u64> = unwanted.iter().filter_map(|name| self.bundle_of.get(name).copied()).collect();
        for bundle in bundles {
            if self.out.get(&bundle).is_some_and(|tasks| tasks.waiting.is_subset(unwanted)) {
                self.workers.withdraw(bundle);
                let tasks = self.out.remove(&bundle).unwrap_or_default();
                self.forget(&tasks.waiting);
            }
        }
    }

    /// Nobody waits for these tasks any more.
    fn forget(&mut self, names: &BTreeSet<TaskName>) {
        for name in names {
            self.bundle_of.remove(name);
        }
    }

    /// Forgets a run that is no longer needed. A worker that makes one of its tasks among others continues.
    fn drop_run(&mut self, run: u64) -> Option<Lane<'p>> {
        let out: BTreeSet<TaskName> = self.bundle_of.range((run, 0)..=(run, u64::MAX)).map(|(&name, _)| name).collect();
        self.withdraw(&out);
        for name in out {
            let tasks = self.bundle_of.remove(&name).and_then(|bundle| self.out.get_mut(&bundle));
            tasks.map(|tasks| tasks.waiting.remove(&name));
        }
        self.ready.remove(&run);
        self.lanes.remove(&run)
    }

    fn tick(&mut self) -> Result<(), RunError> {
        self.places = self.workers.places().map_err(RunError::Workers)?;
        for (&run, lane) in &mut self.lanes {
            self.runs.tick(run, lane.tasks.as_mut())?;
        }
        let unwanted: Vec<u64> = self.lanes.keys().copied().filter(|&run| self.runs.is_unwanted(run)).collect();
        for run in unwanted {
            if let Some(lane) = self.drop_run(run) {
                self.runs.done(run, lane.tasks.outcome()?);
            }
        }
        Ok(())
    }

    /// Takes the last reports of workers who have stopped by the clock; what is known then is all that counts.
    fn time_is_over(&mut self) -> Result<(), RunError> {
        let (mut heard, mut out) = (Instant::now(), self.out.len());
        while out > 0 && heard.elapsed() < GRACE && !self.runs.is_cancelled() {
            // An error now loses only that report, not the result.
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

    /// Stops the runs and stores their states.
    fn stop(&mut self) -> Result<(), RunError> {
        for (run, mut lane) in std::mem::take(&mut self.lanes) {
            self.runs.keep(run, lane.tasks.as_mut())?;
            self.runs.done(run, lane.tasks.outcome()?);
        }
        Ok(())
    }
}
