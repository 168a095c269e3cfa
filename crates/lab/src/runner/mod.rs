//! Running experiments: what is missing in the store is run, on all cores, and kept as it comes.

mod allot;
mod decide;
mod elsewhere;
mod job;
mod keep;
mod schedule;
mod wanted;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use nestling::Cancel;
use nestling_registry::{Device, Registry, Workers};
use nestling_store::{Store, StoreError};

use crate::experiment::{Experiment, Row};
use crate::instrument::{Instrument, Taken, Trouble, seed_of};
use job::{Job, JobSize, JobState};
use keep::Waiting;
use schedule::{Schedule, Ticket};
use wanted::{Wanted, collect};

/// How often readings are written, and progress is told.
const TICK: Duration = Duration::from_millis(100);

/// How long a reading may wait to be written.
const PATIENCE: Duration = Duration::from_secs(2);

/// How much work is put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabEffort {
    /// Every row at its whole size, as often as its experiment says.
    Full,
    /// So much time for all: fewer runs, smaller sizes, or nothing at all for what does not fit.
    Budget(Duration),
    /// So much time for the rows of claims that have no verdict yet, at the papers' sizes, the claims that cost least first.
    UntilDecided(Duration),
}

/// What a runner needs besides the experiments.
pub struct Runner<'a> {
    /// The problems.
    pub registry: &'a Registry,
    /// Where readings are kept.
    pub store: &'a mut Store,
    /// The seed that all runs' seeds derive from.
    pub seed: u64,
    /// How many runs the processor makes at the same time.
    pub workers: usize,
    /// What makes the rows that it can; the processor makes the others. On GPUs there is one run at a time.
    pub device: Device,
    /// Makes the searches whose times do not count; this machine makes the other rows after that, for the workers may be on it.
    pub cluster: Option<Cluster<'a>>,
    /// How much work is put in.
    pub effort: LabEffort,
    /// Stops it; what is finished is kept.
    pub cancel: Cancel,
}

/// Workers elsewhere.
pub struct Cluster<'a> {
    /// What readings name instead of a machine.
    pub name: String,
    /// The workers.
    pub workers: &'a mut dyn Workers,
}

/// Why experiments are not run to the end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunnerError {
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The workers fail. What they have made is kept.
    #[error("{name}: {reason}; the same command continues, with or without the cluster")]
    Workers {
        /// The cluster.
        name: String,
        /// Why.
        reason: String,
    },
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
    /// Something that has gone wrong, and costs only time.
    pub trouble: Option<String>,
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
    /// The cluster that made them.
    pub cluster: Option<String>,
    /// Why they were made here although there is a cluster.
    pub stayed: Option<&'static str>,
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
    /// When the store fails, or the cluster.
    pub fn run(
        &mut self,
        experiments: &[&Experiment],
        listener: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Done>, RunnerError> {
        let began = Instant::now();
        if let LabEffort::UntilDecided(time) = self.effort {
            return self.decide(experiments, time, began, listener);
        }
        let wanted = collect(experiments, self.registry, self.device);
        self.run_wanted(wanted, self.effort, began, listener)
    }

    /// Runs what is missing of these rows, on the cluster as far as there is one.
    fn run_wanted(
        &mut self,
        wanted: Vec<Wanted<'_>>,
        effort: LabEffort,
        began: Instant,
        listener: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Done>, RunnerError> {
        let Some(mut cluster) = self.cluster.take() else {
            return self.phase(&wanted, effort, began, None, listener);
        };
        let done = self.run_on(&mut cluster, wanted, effort, began, listener);
        self.cluster = Some(cluster);
        done
    }

    /// Lets a cluster run what it can, then runs the rest here.
    fn run_on(
        &mut self,
        cluster: &mut Cluster<'_>,
        wanted: Vec<Wanted<'_>>,
        whole: LabEffort,
        began: Instant,
        listener: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Done>, RunnerError> {
        let (sent, here): (Vec<_>, Vec<_>) = wanted.into_iter().enumerate().partition(|(_, row)| row.stays().is_none());
        let (sent_order, sent): (Vec<usize>, Vec<_>) = sent.into_iter().unzip();
        let (here_order, here): (Vec<usize>, Vec<_>) = here.into_iter().unzip();
        let effort = match whole {
            LabEffort::Full => LabEffort::Full,
            LabEffort::Budget(time) | LabEffort::UntilDecided(time) => {
                let (theirs, ours) = (self.lacking(&sent)?, self.lacking(&here)?);
                let part = if theirs > 0.0 { theirs / (theirs + ours) } else { 1.0 };
                LabEffort::Budget(Duration::try_from_secs_f64(time.as_secs_f64() * part).unwrap_or(time))
            }
        };
        let mut done: Vec<(usize, Done)> = Vec::new();
        if !sent.is_empty() {
            done.extend(sent_order.into_iter().zip(self.phase(&sent, effort, began, Some(cluster), listener)?));
        }
        let made = self.phase(&here, whole, began, None, listener)?;
        let made = made.into_iter().zip(&here).map(|(done, row)| Done { stayed: row.stays(), ..done });
        done.extend(here_order.into_iter().zip(made));
        done.sort_by_key(|(index, _)| *index);
        Ok(done.into_iter().map(|(_, done)| done).collect())
    }

    /// The shares of the rows that lack runs.
    fn lacking(&self, wanted: &[Wanted<'_>]) -> Result<f64, StoreError> {
        let mut shares = 0.0;
        for row in wanted {
            if let Some(key) = row.keys.first()
                && (self.numbers(key, row)?.len() as u64) < row.row.runs
            {
                shares += row.row.share;
            }
        }
        Ok(shares)
    }

    /// Runs what is missing of these rows, on a cluster or here.
    fn phase(
        &mut self,
        wanted: &[Wanted<'_>],
        effort: LabEffort,
        began: Instant,
        cluster: Option<&mut Cluster<'_>>,
        listener: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Done>, RunnerError> {
        let (mut jobs, mut definitions) = (Vec::new(), HashMap::new());
        let before = began.elapsed();
        for (index, row) in wanted.iter().enumerate() {
            let doing = format!("{}: {}: how long will it take?", row.experiment.id, row.label);
            let elapsed = began.elapsed();
            listener(&Progress { elapsed, left: None, readings: 0, doing, trouble: None });
            let group = if row.experiment.rounds { group(wanted, index) } else { index };
            // Of a short budget not all goes into finding out what it could be spent on.
            let estimated = match effort {
                LabEffort::Full => true,
                LabEffort::Budget(time) | LabEffort::UntilDecided(time) => {
                    elapsed - before < time.saturating_sub(before) / 3
                }
            };
            jobs.push(self.job(row, group, estimated, &mut definitions)?);
            if self.cancel.is_cancelled() {
                break;
            }
        }
        let wanted = &wanted[..jobs.len()];
        let (name, workers) = cluster.map(|cluster| (&*cluster.name, &mut *cluster.workers)).unzip();
        let failure = |reason| RunnerError::Workers { name: name.unwrap_or_default().to_owned(), reason };
        let (places, workers) = match workers {
            None => (self.workers.max(1), None),
            Some(workers) => (workers.places().map_err(failure)?.max(1), Some(workers)),
        };
        self.expect(wanted, &jobs)?;
        let schedule = Schedule::new(jobs, effort, began, places, self.cancel.clone());
        let schedule = Mutex::new(if workers.is_some() { schedule.queued() } else { schedule });
        let failed = Mutex::new(BTreeMap::new());
        let (sender, receiver) = mpsc::channel();
        let seed = self.seed;
        let problems = elsewhere::problems(if workers.is_some() { wanted } else { &[] });
        let (heard, made) = std::thread::scope(|scope| {
            let desk = Desk { wanted, seed, schedule: &schedule, failed: &failed, sender };
            let driver = match workers {
                Some(workers) => {
                    let problems = &problems;
                    Some(scope.spawn(move || elsewhere::drive(workers, desk, problems)))
                }
                None => {
                    // The one that waits for GPUs is no worker of the processor's.
                    let waiting = usize::from(wanted.iter().any(|row| !row.device().is_cpu()));
                    for _ in 0..places + waiting {
                        let desk = desk.clone();
                        scope.spawn(move || work(&desk));
                    }
                    drop(desk);
                    None
                }
            };
            let heard = self.listen(wanted, &schedule, &receiver, (began, name), listener);
            if heard.is_err() {
                self.cancel.cancel();
                locked(&schedule).supervise(Instant::now());
            }
            (heard, driver.map_or(Ok(()), |driver| driver.join().expect("the driver does not panic")))
        });
        heard?;
        made.map_err(failure)?;
        Ok(self.conclude(wanted, &locked(&schedule), &locked(&failed), name)?)
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
            let (have, measured) = self.made(key, wanted)?;
            let enough = have.len() as u64 >= wanted.row.runs;
            let expected = || size.expect.or_else(|| if estimated { instrument.estimate() } else { None });
            let cost = measured.or_else(|| if enough { Some(0.0) } else { expected() });
            let next = definitions.len();
            sizes.push(JobSize { definition: *definitions.entry(key).or_insert(next), cost, have });
        }
        let Row { runs, least, share, .. } = wanted.row;
        let can_be_stopped = wanted.instruments.iter().all(Instrument::can_be_stopped);
        let (device, state) = (wanted.device(), JobState::default());
        Ok(Job { group, device, runs, least, share, can_be_stopped, sizes, state })
    }

    /// Keeps what the workers find, and watches the time.
    fn listen(
        &mut self,
        wanted: &[Wanted<'_>],
        schedule: &Mutex<Schedule>,
        receiver: &mpsc::Receiver<News>,
        (began, cluster): (Instant, Option<&str>),
        listener: &mut dyn FnMut(&Progress),
    ) -> Result<(), StoreError> {
        let (mut waiting, mut readings, mut written) = (Waiting::default(), 0, Instant::now());
        let mut doing = String::new();
        loop {
            let mut trouble = None;
            match receiver.recv_timeout(TICK) {
                Ok(News::Trouble(reason)) => trouble = Some(reason),
                Ok(News::Taken(ticket, taken)) => {
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
            listener(&Progress { elapsed: began.elapsed(), left, readings, doing: doing.clone(), trouble });
            if written.elapsed() >= PATIENCE {
                self.write(wanted, &mut waiting, cluster)?;
                written = Instant::now();
            }
        }
        self.write(wanted, &mut waiting, cluster)
    }
}

/// The first row of the same experiment.
fn group(wanted: &[Wanted<'_>], index: usize) -> usize {
    let same = |row: &Wanted<'_>| row.experiment.id == wanted[index].experiment.id;
    wanted.iter().position(same).unwrap_or(index)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What comes from those who make runs.
enum News {
    /// A reading.
    Taken(Ticket, Taken),
    /// Something went wrong that costs only time.
    Trouble(String),
}

/// Where runs are handed out and taken back.
#[derive(Clone)]
struct Desk<'a> {
    wanted: &'a [Wanted<'a>],
    seed: u64,
    schedule: &'a Mutex<Schedule>,
    failed: &'a Mutex<BTreeMap<usize, String>>,
    sender: mpsc::Sender<News>,
}

impl Desk<'_> {
    /// The seed of a run.
    fn seed(&self, ticket: &Ticket) -> u64 {
        seed_of(self.seed, &self.wanted[ticket.job].keys[ticket.size], ticket.number)
    }

    /// Takes the result of a run, which took so much of one thread's time.
    fn finished(&self, ticket: Ticket, taken: Result<Taken, Trouble>, spent: Duration) {
        locked(self.schedule).finished(&ticket, taken.is_ok().then_some(spent), Instant::now());
        match taken {
            Ok(taken) => drop(self.sender.send(News::Taken(ticket, taken))),
            Err(Trouble::Cancelled) => {}
            Err(Trouble::Failed(reason)) => drop(locked(self.failed).insert(ticket.job, reason)),
        }
    }
}

/// Makes runs until there are none left.
fn work(desk: &Desk<'_>) {
    loop {
        let next = locked(desk.schedule).next(Instant::now());
        let Some(ticket) = next else {
            // A run that is going on may make its job want more.
            if locked(desk.schedule).is_idle() {
                return;
            }
            std::thread::sleep(TICK / 4);
            continue;
        };
        let (row, began) = (&desk.wanted[ticket.job], Instant::now());
        let taken = row.instruments[ticket.size].take(ticket.number, desk.seed(&ticket), &ticket.cancel);
        desk.finished(ticket, taken, began.elapsed());
    }
}
