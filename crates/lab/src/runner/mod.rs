//! Running experiments: what is missing in the store is run, on all cores, and kept as it comes.

mod allot;
mod schedule;
mod wanted;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use nestling::Cancel;
use nestling_registry::{Device, Registry};
use nestling_store::{Store, StoreError};

use crate::experiment::{Experiment, Row};
use crate::instrument::{Instrument, Taken, Trouble, seed_of};
use crate::reading::{Columns, better, first_samples};
use crate::words::lasting;
use allot::Allotment;
use schedule::{Job, JobSize, Schedule, State, Ticket};
use wanted::{Wanted, collect};

/// How often readings are written, and progress is told.
const TICK: Duration = Duration::from_millis(100);

/// How long a reading may wait to be written.
const PATIENCE: Duration = Duration::from_secs(2);

/// How much work is put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Every row at its whole size, as often as its experiment says.
    Full,
    /// So much time for all: fewer runs, smaller sizes, or nothing at all for what does not fit.
    Budget(Duration),
}

/// What a runner needs besides the experiments.
pub struct Runner<'a> {
    /// The problems.
    pub registry: &'a Registry,
    /// Where readings are kept.
    pub store: &'a mut Store,
    /// The seed that all runs' seeds derive from.
    pub seed: u64,
    /// How many runs go on at once on the processor.
    pub workers: usize,
    /// What makes the rows that it can; the processor makes the others. On GPUs there is one run at a time.
    pub device: Device,
    /// How much work is put in.
    pub effort: Effort,
    /// Stops it; what is finished is kept.
    pub cancel: Cancel,
}

/// How far it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Since the beginning.
    pub elapsed: Duration,
    /// Until the end, as far as that is known.
    pub left: Option<Duration>,
    /// Readings taken.
    pub readings: u64,
    /// What is being run.
    pub doing: String,
}

/// What became of one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// The experiment, and the row's name in it.
    pub experiment: String,
    /// The row.
    pub row: String,
    /// What was less than in the paper.
    pub instead: Option<String>,
    /// What made its runs.
    pub device: Device,
    /// How many runs there are now, and how many there should be.
    pub runs: (u64, u64),
    /// Why there are not more.
    pub remark: Option<String>,
}

impl Runner<'_> {
    /// Runs what is missing of the experiments.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn run(
        &mut self,
        experiments: &[&Experiment],
        listener: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Done>, StoreError> {
        let began = Instant::now();
        let registry = self.registry;
        let wanted = collect(experiments, registry, self.device);
        let (mut jobs, mut definitions) = (Vec::new(), HashMap::new());
        for (index, row) in wanted.iter().enumerate() {
            let doing = format!("{}: {}: how long will it take?", row.experiment.id, row.label);
            let elapsed = began.elapsed();
            listener(&Progress { elapsed, left: None, readings: 0, doing });
            let group = if row.experiment.rounds { group(&wanted, index) } else { index };
            // Of a short budget not all goes into finding out what it could be spent on.
            let estimated = match self.effort {
                Effort::Full => true,
                Effort::Budget(time) => elapsed < time / 3,
            };
            jobs.push(self.job(row, group, estimated, &mut definitions)?);
            if self.cancel.is_cancelled() {
                break;
            }
        }
        let wanted = &wanted[..jobs.len()];
        let schedule = Mutex::new(Schedule::new(jobs, self.effort, began, self.workers.max(1), self.cancel.clone()));
        let failed = Mutex::new(BTreeMap::new());
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            // The one that waits for GPUs is no worker of the processor's.
            let waiting = usize::from(wanted.iter().any(|row| !row.device().is_cpu()));
            for _ in 0..self.workers.max(1) + waiting {
                let (sender, schedule, failed) = (sender.clone(), &schedule, &failed);
                let seed = self.seed;
                scope.spawn(move || work(wanted, seed, schedule, failed, &sender));
            }
            drop(sender);
            let heard = self.listen(wanted, &schedule, &receiver, began, listener);
            if heard.is_err() {
                self.cancel.cancel();
                locked(&schedule).supervise(Instant::now());
            }
            heard
        })?;
        self.conclude(wanted, &locked(&schedule), &locked(&failed))
    }

    /// What the schedule has to know about a row, its cost too if that is to be estimated.
    fn job<'w>(
        &self,
        wanted: &'w Wanted<'_>,
        group: usize,
        estimated: bool,
        definitions: &mut HashMap<&'w str, usize>,
    ) -> Result<Job, StoreError> {
        let mut sizes = Vec::new();
        for ((key, instrument), size) in wanted.keys.iter().zip(&wanted.instruments).zip(&wanted.row.sizes) {
            let (samples, _) = first_samples(self.store, key, wanted.row.runs)?;
            let own = samples.into_iter().find(|sample| {
                (sample.seed, sample.machine.as_str(), sample.version.as_str())
                    == (self.seed, Store::machine().as_str(), env!("CARGO_PKG_VERSION"))
            });
            let have: BTreeSet<u64> = own.iter().flat_map(|sample| sample.readings.keys().copied()).collect();
            let measured = own.filter(|sample| sample.count() >= 5).map(|sample| {
                sample.readings.values().map(|reading| reading.seconds).sum::<f64>() / sample.count() as f64
            });
            let enough = have.len() as u64 >= wanted.row.runs;
            let expected = || size.expect.or_else(|| if estimated { instrument.estimate() } else { None });
            let cost = measured.or_else(|| if enough { Some(0.0) } else { expected() });
            let next = definitions.len();
            sizes.push(JobSize { definition: *definitions.entry(key).or_insert(next), cost, have });
        }
        let Row { runs, least, share, .. } = wanted.row;
        let can_be_stopped = wanted.instruments.iter().all(Instrument::can_be_stopped);
        let (device, state) = (wanted.device(), State::default());
        Ok(Job { group, device, runs, least, share, can_be_stopped, sizes, state })
    }

    /// Keeps what the workers find, and watches the time.
    fn listen(
        &mut self,
        wanted: &[Wanted<'_>],
        schedule: &Mutex<Schedule>,
        receiver: &mpsc::Receiver<(Ticket, Taken)>,
        began: Instant,
        listener: &mut dyn FnMut(&Progress),
    ) -> Result<(), StoreError> {
        let (mut waiting, mut readings, mut written) = (Waiting::default(), 0, Instant::now());
        let mut doing = String::new();
        loop {
            match receiver.recv_timeout(TICK) {
                Ok((ticket, taken)) => {
                    readings += 1;
                    let row = &wanted[ticket.job];
                    doing = format!("{}: {}", row.experiment.id, row.label);
                    waiting.entry((ticket.job, ticket.size)).or_default().insert(ticket.number, taken);
                    if written.elapsed() < TICK {
                        continue;
                    }
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            let now = Instant::now();
            let left = {
                let schedule = locked(schedule);
                schedule.supervise(now);
                schedule.left(now)
            };
            listener(&Progress { elapsed: began.elapsed(), left, readings, doing: doing.clone() });
            if written.elapsed() >= PATIENCE {
                self.write(wanted, &mut waiting)?;
                written = Instant::now();
            }
        }
        self.write(wanted, &mut waiting)
    }

    /// Keeps readings in bundles of consecutive numbers.
    fn write(&mut self, wanted: &[Wanted<'_>], waiting: &mut Waiting) -> Result<(), StoreError> {
        for ((job, size), mut taken) in std::mem::take(waiting) {
            let key = &wanted[job].keys[size];
            while let Some((&first, _)) = taken.first_key_value() {
                let (columns, count) = stretch(first, &taken);
                if self.store.add_readings(key, self.seed, first, count, &columns.text())? {
                    taken = taken.split_off(&(first + count));
                } else {
                    // Another row, or another process, was faster with some of them; its readings are as good, and the
                    // others are still missing.
                    let there = self.numbers(key)?;
                    taken.retain(|number, _| !there.contains(number));
                }
            }
        }
        Ok(())
    }

    /// The numbers of the readings that the store has of a definition, taken here by this version from this seed.
    fn numbers(&self, key: &str) -> Result<BTreeSet<u64>, StoreError> {
        let (seed, machine, version) = (self.seed, Store::machine(), env!("CARGO_PKG_VERSION"));
        let mut bundles = self.store.readings(key)?;
        bundles.retain(|bundle| (bundle.seed, &*bundle.machine, &*bundle.version) == (seed, &*machine, version));
        Ok(bundles.iter().flat_map(|bundle| bundle.first..bundle.first + bundle.count).collect())
    }

    /// Says what became of every row, and leaves a remark in the store where there is nothing else to be found.
    fn conclude(
        &mut self,
        wanted: &[Wanted<'_>],
        schedule: &Schedule,
        failed: &BTreeMap<usize, String>,
    ) -> Result<Vec<Done>, StoreError> {
        let mut all = Vec::new();
        for (index, (row, job)) in wanted.iter().zip(&schedule.jobs).enumerate() {
            let (size, remark) = outcome(row, job, failed.get(&index));
            // Of what is there now, not of what was done: others may have been at work on the same.
            let have = match row.keys.get(size) {
                Some(key) => self.numbers(key)?.range(..row.row.runs).count() as u64,
                None => 0,
            };
            let done = Done {
                experiment: row.experiment.id.clone(),
                row: row.label.clone(),
                instead: row.row.sizes.get(size).and_then(|size| size.instead.clone()),
                device: row.device(),
                runs: (have, row.row.runs),
                remark,
            };
            all.push(done);
        }
        if !self.cancel.is_cancelled() {
            let remarks =
                wanted.iter().zip(&all).filter_map(|(row, done)| Some((row.keys.first()?, done.remark.as_ref()?)));
            let remarks: Vec<(&str, &str)> = remarks.map(|(key, remark)| (key.as_str(), remark.as_str())).collect();
            self.store.add_remarks(self.seed, &remarks)?;
        }
        Ok(all)
    }
}

/// Readings that wait to be written, by job and size, and by number.
type Waiting = BTreeMap<(usize, usize), BTreeMap<u64, Taken>>;

/// The readings from the first number on, as far as none is missing between them, and how many they are.
fn stretch(first: u64, taken: &BTreeMap<u64, Taken>) -> (Columns, u64) {
    let (mut columns, mut count) = (Columns::default(), 0);
    for (_, taken) in
        taken.range(first..).zip(first..).take_while(|((number, _), due)| *number == due).map(|(at, _)| at)
    {
        columns.push(&taken.reading);
        columns.distribution = taken.distribution.clone().or(columns.distribution);
        if let Some(game) = taken.game.as_ref().filter(|game| better(game, columns.best.as_ref())) {
            columns.best = Some(game.clone());
        }
        count += 1;
    }
    (columns, count)
}

/// The first row of the same experiment.
fn group(wanted: &[Wanted<'_>], index: usize) -> usize {
    let same = |row: &Wanted<'_>| row.experiment.id == wanted[index].experiment.id;
    wanted.iter().position(same).unwrap_or(index)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes runs until there are none left.
fn work(
    wanted: &[Wanted<'_>],
    seed: u64,
    schedule: &Mutex<Schedule>,
    failed: &Mutex<BTreeMap<usize, String>>,
    sender: &mpsc::Sender<(Ticket, Taken)>,
) {
    loop {
        let next = locked(schedule).next(Instant::now());
        let Some(ticket) = next else {
            // A run that is going on may make its job want more.
            if locked(schedule).is_idle() {
                return;
            }
            std::thread::sleep(TICK / 4);
            continue;
        };
        let row = &wanted[ticket.job];
        let seed = seed_of(seed, &row.keys[ticket.size], ticket.number);
        let taken = row.instruments[ticket.size].take(ticket.number, seed, &ticket.cancel);
        let seconds = taken.as_ref().ok().map(|taken| taken.reading.seconds);
        locked(schedule).finished(&ticket, seconds, Instant::now());
        match taken {
            Ok(taken) => drop(sender.send((ticket, taken))),
            Err(Trouble::Cancelled) => {}
            Err(Trouble::Failed(reason)) => drop(locked(failed).insert(ticket.job, reason)),
        }
    }
}

/// The size that a row was run at, and why there are not more runs of it.
fn outcome(row: &Wanted<'_>, job: &Job, failure: Option<&String>) -> (usize, Option<String>) {
    match job.state.allotment {
        Some(Allotment::Run { size, .. }) => {
            let stopped =
                job.state.stopped.map(|after| format!("a run was stopped after {}", lasting(after.as_secs_f64())));
            (size, failure.cloned().or(stopped))
        }
        Some(Allotment::Nothing { needed, offered }) if row.failure.is_none() => {
            let each = lasting(needed / job.least.max(1) as f64);
            let (needed, offered) = (lasting(needed), lasting(offered));
            (0, Some(format!("{} runs of about {each} need {needed}, but the budget allowed {offered}", job.least)))
        }
        Some(Allotment::Nothing { .. }) => (0, row.failure.clone()),
        None => (0, row.failure.clone().or_else(|| Some("the budget was used up before its turn".to_owned()))),
    }
}
