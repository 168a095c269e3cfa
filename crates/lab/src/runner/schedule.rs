//! Which run comes next.

use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use nestling::Cancel;
use nestling_registry::Device;

use super::Effort;
use super::allot::{Allotment, Demand, SizeDemand, allot};

/// A row with what is known about its cost.
pub(super) struct Job {
    /// The experiment that wants it, to take turns with the others of its group.
    pub group: usize,
    pub device: Device,
    pub runs: u64,
    pub least: u64,
    pub share: f64,
    /// Whether a run that takes too long can be stopped. One that cannot would go on beside the next, and falsify its time.
    pub can_be_stopped: bool,
    /// Nothing in it where the row cannot be run.
    pub sizes: Vec<JobSize>,
    pub state: State,
}

pub(super) struct JobSize {
    /// Which definition it runs; a smaller size of one job may be what another job is.
    pub definition: usize,
    pub cost: Option<f64>,
    /// The numbers of the readings that are there, or that another job has begun.
    pub have: BTreeSet<u64>,
}

/// How far a job is.
#[derive(Default)]
pub(super) struct State {
    pub allotment: Option<Allotment>,
    /// Numbers to be run.
    waiting: VecDeque<u64>,
    started: Vec<Flight>,
    /// Runs of this process, and the seconds they took.
    pub finished: u64,
    pub spent: f64,
    /// Set when a run had to be stopped, which the next one would have to be as well.
    pub stopped: Option<Duration>,
}

/// A run that is going on.
struct Flight {
    number: u64,
    began: Instant,
    cancel: Cancel,
}

/// A run to be made.
pub(super) struct Ticket {
    pub job: usize,
    pub size: usize,
    pub number: u64,
    pub cancel: Cancel,
}

/// All jobs, in order.
pub(super) struct Schedule {
    pub jobs: Vec<Job>,
    pub effort: Effort,
    deadline: Option<Instant>,
    workers: usize,
    /// Whether runs are begun that wait for a worker.
    is_queue: bool,
    cancel: Cancel,
    /// The jobs before this one have been given their part.
    entered: usize,
}

impl Schedule {
    pub fn new(jobs: Vec<Job>, effort: Effort, began: Instant, workers: usize, cancel: Cancel) -> Self {
        let deadline = match effort {
            Effort::Full => None,
            // What no clock can tell is no limit.
            Effort::Budget(time) => began.checked_add(time),
        };
        Schedule { jobs, effort, deadline, workers, is_queue: false, cancel, entered: 0 }
    }

    /// The same for workers who take as many runs at once as they want.
    pub fn queued(self) -> Self {
        Schedule { is_queue: true, ..self }
    }

    /// Whether somebody wants to stop, or there is no time left.
    pub fn is_over(&self, now: Instant) -> bool {
        self.cancel.is_cancelled() || self.deadline.is_some_and(|deadline| now >= deadline)
    }

    /// The next run; nothing when there is none left, or no time.
    pub fn next(&mut self, now: Instant) -> Option<Ticket> {
        if self.is_over(now) {
            return None;
        }
        loop {
            // A job that was waiting for its first run to know what it costs may want more.
            if let Some(job) = self.wanting() {
                return Some(self.start(job, now));
            }
            if self.entered == self.jobs.len() {
                return None;
            }
            self.enter(now);
        }
    }

    /// Whether anything is going on, or may be.
    pub fn is_idle(&self) -> bool {
        self.jobs.iter().all(|job| job.state.started.is_empty())
    }

    /// The first job that wants a run; of a group that takes turns, the one that has had the fewest.
    fn wanting(&self) -> Option<usize> {
        let [cpu, cuda] = [Device::Cpu, Device::Cuda].map(|device| self.has_room(device));
        let wants = |job: &usize| {
            let job = &self.jobs[*job];
            (if job.device == Device::Cuda { cuda } else { cpu }) && self.wants(job)
        };
        let first = (0..self.entered).find(wants)?;
        let group = self.jobs[first].group;
        let turns = |job: &usize| self.jobs[*job].state.finished + self.jobs[*job].state.started.len() as u64;
        (first..self.entered).take_while(|&job| self.jobs[job].group == group).filter(wants).min_by_key(turns)
    }

    /// Whether another run can go on.
    fn has_room(&self, device: Device) -> bool {
        let jobs = self.jobs[..self.entered].iter().filter(|job| job.device == device);
        self.is_queue || jobs.map(|job| job.state.started.len()).sum::<usize>() < self.lanes(device)
    }

    /// How many runs can go on at once; one fills the GPUs.
    fn lanes(&self, device: Device) -> usize {
        if device == Device::Cuda { 1 } else { self.workers }
    }

    fn wants(&self, job: &Job) -> bool {
        let Some(Allotment::Run { size, seconds }) = job.state.allotment else { return false };
        let (state, flying) = (&job.state, job.state.started.len());
        if state.waiting.is_empty() || state.stopped.is_some() {
            return false;
        }
        if matches!(self.effort, Effort::Full) {
            return true;
        }
        let Some(cost) = job.cost(size) else { return flying < self.workers };
        let after = state.spent + (flying as f64 + 1.0) * cost;
        let there = job.sizes[size].have.len() as u64 + state.finished + flying as u64;
        after <= seconds || there < job.least && after <= 2.0 * seconds
    }

    fn start(&mut self, index: usize, now: Instant) -> Ticket {
        let job = &mut self.jobs[index];
        let Some(Allotment::Run { size, .. }) = job.state.allotment else { unreachable!("it wants a run") };
        let number = job.state.waiting.pop_front().expect("it wants a run");
        let cancel = Cancel::new();
        job.state.started.push(Flight { number, began: now, cancel: cancel.clone() });
        job.skip();
        let definition = job.sizes[size].definition;
        for (other, job) in self.jobs.iter_mut().enumerate() {
            if other != index && number < job.runs {
                for size in job.sizes.iter_mut().filter(|size| size.definition == definition) {
                    size.have.insert(number);
                }
                job.skip();
            }
        }
        Ticket { job: index, size, number, cancel }
    }

    /// Gives the next group its part of what is left.
    fn enter(&mut self, now: Instant) {
        let group = self.jobs[self.entered].group;
        let end = (self.entered..self.jobs.len()).find(|&job| self.jobs[job].group != group).unwrap_or(self.jobs.len());
        let allotments = match self.deadline {
            None => self.jobs[self.entered..end]
                .iter()
                .map(|job| match job.sizes.is_empty() {
                    false => Allotment::Run { size: 0, seconds: f64::INFINITY },
                    true => Allotment::Nothing { needed: 0.0, offered: 0.0 },
                })
                .collect(),
            Some(deadline) => self.divide(deadline.saturating_duration_since(now).as_secs_f64()),
        };
        for (job, allotment) in self.jobs[self.entered..end].iter_mut().zip(allotments) {
            if let Allotment::Run { size, .. } = allotment {
                let have = &job.sizes[size].have;
                job.state.waiting = (0..job.runs).filter(|number| !have.contains(number)).collect();
            }
            job.state.allotment = Some(allotment);
        }
        self.entered = end;
    }

    /// What each job that has not entered yet gets of so many seconds; the devices' times are divided apart.
    fn divide(&self, left: f64) -> Vec<Allotment> {
        let mut allotments = vec![Allotment::Nothing { needed: 0.0, offered: 0.0 }; self.jobs.len() - self.entered];
        for device in [Device::Cpu, Device::Cuda] {
            let ours = |job: &Job| job.device == device;
            let (entered, waiting) = self.jobs.split_at(self.entered);
            let promised: f64 = entered.iter().filter(|job| ours(job)).map(Job::promised).sum();
            let demands: Vec<Demand> = waiting.iter().filter(|job| ours(job)).map(Job::demand).collect();
            // What is going on when the time is over is lost, so a little is kept back.
            let shares = allot(&demands, (0.95 * left * self.lanes(device) as f64 - promised).max(0.0));
            let places = waiting.iter().zip(&mut allotments).filter(|(job, _)| ours(job));
            places.zip(shares).for_each(|((_, place), share)| *place = share);
        }
        allotments
    }

    /// A run has come to its end; what it took of one thread, unless it was stopped.
    pub fn finished(&mut self, ticket: &Ticket, spent: Option<Duration>, now: Instant) {
        let state = &mut self.jobs[ticket.job].state;
        let Some(index) = state.started.iter().position(|flight| flight.number == ticket.number) else { return };
        let flight = state.started.swap_remove(index);
        let running = now.saturating_duration_since(flight.began);
        state.spent += spent.unwrap_or(running).as_secs_f64();
        match spent {
            Some(_) => state.finished += 1,
            None => state.stopped = Some(running),
        }
    }

    /// Stops what takes far longer than it was given, and everything when the time is over.
    pub fn supervise(&self, now: Instant) {
        let over = self.is_over(now);
        for job in &self.jobs[..self.entered] {
            let Some(Allotment::Run { seconds, .. }) = job.state.allotment else { continue };
            for flight in &job.state.started {
                let running = now.saturating_duration_since(flight.began).as_secs_f64();
                if over || job.can_be_stopped && job.state.spent + running > 3.0 * seconds + 2.0 {
                    flight.cancel.cancel();
                }
            }
        }
    }

    /// Seconds until everything is done, as far as that is known.
    pub fn left(&self, now: Instant) -> Option<Duration> {
        if let Some(deadline) = self.deadline {
            return Some(deadline.saturating_duration_since(now));
        }
        let seconds: f64 = self.jobs.iter().map(|job| job.outstanding().unwrap_or(0.0)).sum();
        Duration::try_from_secs_f64(seconds / self.workers as f64).ok()
    }
}

impl Job {
    /// Seconds a run of a size: as measured here, or else as expected.
    pub fn cost(&self, size: usize) -> Option<f64> {
        let measured = (self.state.finished > 0).then(|| self.state.spent / self.state.finished as f64);
        measured.or(self.sizes[size].cost)
    }

    /// Leaves out the next numbers as far as others have begun them.
    fn skip(&mut self) {
        let Some(Allotment::Run { size, .. }) = self.state.allotment else { return };
        while self.state.waiting.front().is_some_and(|number| self.sizes[size].have.contains(number)) {
            self.state.waiting.pop_front();
        }
    }

    fn demand(&self) -> Demand {
        let size = |size: &JobSize| SizeDemand { cost: size.cost, have: size.have.len() as u64 };
        let sizes = self.sizes.iter().map(size).collect();
        Demand { sizes, runs: self.runs, least: self.least, share: self.share }
    }

    /// Seconds that runs which have not begun, or are going on, may still take of what the job was given.
    fn promised(&self) -> f64 {
        let Some(Allotment::Run { size, seconds }) = self.state.allotment else { return 0.0 };
        let left = (seconds - self.state.spent).max(0.0);
        let runs = self.state.waiting.len() + self.state.started.len();
        let wanted = self.cost(size).map_or(f64::INFINITY, |cost| cost * runs as f64);
        if runs == 0 || self.state.stopped.is_some() { 0.0 } else { left.min(wanted) }
    }

    /// Seconds that all its runs still need.
    fn outstanding(&self) -> Option<f64> {
        let cost = self.sizes.first().and_then(|_| self.cost(0))?;
        let runs = self.runs.saturating_sub(self.sizes[0].have.len() as u64 + self.state.finished);
        Some(cost * runs as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(group: usize, runs: u64, cost: f64) -> Job {
        let sizes = vec![JobSize { definition: 0, cost: Some(cost), have: BTreeSet::new() }];
        let state = State::default();
        Job { group, device: Device::Cpu, runs, least: 1, share: 1.0, can_be_stopped: true, sizes, state }
    }

    fn schedule(cost: f64, effort: Effort) -> Schedule {
        Schedule::new(vec![job(0, 2, cost)], effort, Instant::now(), 1, Cancel::new())
    }

    /// Jobs of one definition, whether they take turns or not.
    #[test]
    fn nothing_is_run_twice() {
        for groups in [[0, 0], [0, 1]] {
            let jobs = groups.iter().zip([3, 5]).map(|(&group, runs)| job(group, runs, 1.0)).collect();
            let mut schedule = Schedule::new(jobs, Effort::Full, Instant::now(), 5, Cancel::new());
            let tickets = std::iter::from_fn(|| schedule.next(Instant::now()));
            let mut numbers: Vec<u64> = tickets.map(|ticket| ticket.number).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn gpus_have_one_run_at_a_time_and_a_time_of_their_own() {
        let devices = [Device::Cuda, Device::Cpu, Device::Cuda];
        let jobs = devices.into_iter().enumerate().map(|(group, device)| {
            let mut job = Job { device, ..job(group, 5, 1.0) };
            job.sizes[0].definition = group;
            job
        });
        let (now, effort) = (Instant::now(), Effort::Budget(Duration::from_secs(10)));
        let mut schedule = Schedule::new(jobs.collect(), effort, now, 2, Cancel::new());
        let run = |seconds| Allotment::Run { size: 0, seconds };
        assert_eq!(schedule.divide(10.0), [run(4.75), run(19.0), run(4.75)], "two share one lane, one has two");
        let first = schedule.next(now).unwrap();
        let others: Vec<usize> = std::iter::from_fn(|| schedule.next(now)).map(|ticket| ticket.job).collect();
        assert_eq!((first.job, &others[..]), (0, &[1, 1][..]));
        schedule.finished(&first, Some(Duration::from_secs(1)), now);
        assert_eq!(schedule.next(now).map(|ticket| ticket.job), Some(0));
    }

    #[test]
    fn times_beyond_all_clocks_are_no_limit() {
        let now = Instant::now();
        assert_eq!(schedule(1e300, Effort::Full).left(now), None, "longer than can be said");
        assert_eq!(schedule(3.0, Effort::Full).left(now), Some(Duration::from_secs(6)));
        let mut endless = schedule(3.0, Effort::Budget(Duration::MAX));
        assert!(endless.next(now).is_some());
        assert_eq!(endless.left(now), Some(Duration::from_secs(6)));
    }
}
