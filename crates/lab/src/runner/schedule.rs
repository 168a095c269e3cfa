//! Which run comes next.

use std::time::{Duration, Instant};

use nestling::Cancel;
use nestling_registry::Device;

use super::LabEffort;
use super::allot::{Allotment, Demand, allot};
use super::job::{Flight, Job};
use crate::words::lasting;

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
    pub effort: LabEffort,
    deadline: Option<Instant>,
    workers: usize,
    /// Whether runs are begun that wait for a worker.
    is_queue: bool,
    cancel: Cancel,
    /// The jobs before this one have been given their part.
    entered: usize,
}

impl Schedule {
    pub fn new(jobs: Vec<Job>, effort: LabEffort, began: Instant, workers: usize, cancel: Cancel) -> Self {
        let deadline = match effort {
            LabEffort::Full => None,
            // What no clock can tell is no limit.
            LabEffort::Budget(time) | LabEffort::UntilDecided(time) => began.checked_add(time),
        };
        Schedule { jobs, effort, deadline, workers, is_queue: false, cancel, entered: 0 }
    }

    /// The same for workers who take as many runs at once as they want.
    pub fn queued(self) -> Self {
        Schedule { is_queue: true, ..self }
    }

    /// Whether the user wants to stop, or there is no time left.
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
            if self.settle_for_less(now) {
                continue;
            }
            if self.entered == self.jobs.len() {
                return None;
            }
            self.enter(now);
        }
    }

    /// How much of the budget is left.
    fn seconds_left(&self, now: Instant) -> f64 {
        self.deadline.map_or(f64::INFINITY, |deadline| deadline.saturating_duration_since(now).as_secs_f64())
    }

    /// Gives a smaller size to a job whose runs take so long that its part of the budget does not allow the fewest that make sense.
    fn settle_for_less(&mut self, now: Instant) -> bool {
        let is_stuck = |job: &Job| match job.state.allotment {
            Some(Allotment::Run { size, .. }) => {
                let there = job.sizes[size].have.len() as u64 + job.state.finished;
                let is_waiting = !job.state.waiting.is_empty() && job.state.started.is_empty();
                is_waiting && job.state.stopped.is_none() && there < job.least && size + 1 < job.sizes.len()
            }
            _ => false,
        };
        let Some(index) = (0..self.entered).find(|&job| is_stuck(&self.jobs[job])) else { return false };
        let left = self.seconds_left(now);
        let job = &mut self.jobs[index];
        let each = job.state.spent / job.state.finished.max(1) as f64;
        job.fall_back(format!("a run of the full size took {}", lasting(each)), left);
        true
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

    /// Whether another run can be started.
    fn has_room(&self, device: Device) -> bool {
        let jobs = self.jobs[..self.entered].iter().filter(|job| job.device == device);
        self.is_queue || jobs.map(|job| job.state.started.len()).sum::<usize>() < self.lanes(device)
    }

    /// How many runs can be made at the same time; one fills the GPUs.
    fn lanes(&self, device: Device) -> usize {
        if device == Device::Cuda { 1 } else { self.workers }
    }

    fn wants(&self, job: &Job) -> bool {
        let Some(Allotment::Run { size, seconds }) = job.state.allotment else { return false };
        let (state, flying) = (&job.state, job.state.started.len());
        if state.waiting.is_empty() || state.stopped.is_some() {
            return false;
        }
        if matches!(self.effort, LabEffort::Full) {
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
        job.state.started.push(Flight { size, number, began: now, cancel: cancel.clone() });
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

    /// The share of each job that has not entered yet in so many seconds; the time of each device is divided separately.
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

    /// A run has ended; what it took of one thread, unless it was stopped. A job whose run was stopped continues with its next
    /// smaller size, if it has one and there is time.
    pub fn finished(&mut self, ticket: &Ticket, spent: Option<Duration>, now: Instant) {
        let left = self.seconds_left(now);
        let is_over = self.is_over(now);
        let job = &mut self.jobs[ticket.job];
        let is_this = |flight: &Flight| (flight.size, flight.number) == (ticket.size, ticket.number);
        let Some(index) = job.state.started.iter().position(is_this) else { return };
        let flight = job.state.started.swap_remove(index);
        // A run of a size that the job has given up says nothing about the cost of the next.
        if !matches!(job.state.allotment, Some(Allotment::Run { size, .. }) if size == ticket.size) {
            return;
        }
        let running = now.saturating_duration_since(flight.began);
        job.state.spent += spent.unwrap_or(running).as_secs_f64();
        match spent {
            Some(_) => job.state.finished += 1,
            None if !is_over && job.has_smaller() && !job.has_least() => {
                job.fall_back(
                    format!("a run of the full size was stopped after {}", lasting(running.as_secs_f64())),
                    left,
                );
            }
            None => job.state.stopped = Some(running),
        }
    }

    /// Stops what takes far longer than it was given, and everything when the time is over.
    pub fn supervise(&self, now: Instant) {
        let over = self.is_over(now);
        for job in &self.jobs[..self.entered] {
            let Some(Allotment::Run { size, seconds }) = job.state.allotment else { continue };
            let most = job.longest(seconds);
            for flight in &job.state.started {
                let running = now.saturating_duration_since(flight.began).as_secs_f64();
                let is_given_up = flight.size != size;
                if over || is_given_up || job.can_be_stopped && job.state.spent + running > most {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::job::{JobSize, JobState};
    use super::*;

    fn job(group: usize, runs: u64, cost: f64) -> Job {
        let sizes = vec![JobSize { definition: 0, cost: Some(cost), have: BTreeSet::new() }];
        let state = JobState::default();
        Job { group, device: Device::Cpu, runs, least: 1, share: 1.0, can_be_stopped: true, sizes, state }
    }

    fn schedule(cost: f64, effort: LabEffort) -> Schedule {
        Schedule::new(vec![job(0, 2, cost)], effort, Instant::now(), 1, Cancel::new())
    }

    /// Jobs of one definition, whether they take turns or not.
    #[test]
    fn nothing_is_run_twice() {
        for groups in [[0, 0], [0, 1]] {
            let jobs = groups.iter().zip([3, 5]).map(|(&group, runs)| job(group, runs, 1.0)).collect();
            let mut schedule = Schedule::new(jobs, LabEffort::Full, Instant::now(), 5, Cancel::new());
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
        let (now, effort) = (Instant::now(), LabEffort::Budget(Duration::from_secs(10)));
        let mut schedule = Schedule::new(jobs.collect(), effort, now, 2, Cancel::new());
        let run = |seconds| Allotment::Run { size: 0, seconds };
        assert_eq!(schedule.divide(10.0), [run(4.75), run(19.0), run(4.75)], "two share one lane, one has two");
        let first = schedule.next(now).unwrap();
        let others: Vec<usize> = std::iter::from_fn(|| schedule.next(now)).map(|ticket| ticket.job).collect();
        assert_eq!((first.job, &others[..]), (0, &[1, 1][..]));
        schedule.finished(&first, Some(Duration::from_secs(1)), now);
        assert_eq!(schedule.next(now).map(|ticket| ticket.job), Some(0));
    }

    /// The first run takes longer than the job's part of the budget: it is stopped, and the smaller size has its turn.
    #[test]
    fn what_takes_too_long_is_run_at_a_smaller_size() {
        let mut large = Job { least: 2, ..job(0, 5, 1.0) };
        large.sizes.push(JobSize { definition: 1, cost: Some(0.1), have: BTreeSet::new() });
        let (began, effort) = (Instant::now(), LabEffort::Budget(Duration::from_secs(20)));
        let mut schedule = Schedule::new(vec![large], effort, began, 1, Cancel::new());
        let ticket = schedule.next(began).unwrap();
        assert_eq!((ticket.size, ticket.number), (0, 0));
        schedule.supervise(began + Duration::from_secs(9));
        assert!(!ticket.cancel.is_cancelled(), "it has half of 19 s");
        let later = began + Duration::from_secs(10);
        schedule.supervise(later);
        assert!(ticket.cancel.is_cancelled());
        schedule.finished(&ticket, None, later);
        let next = schedule.next(later).unwrap();
        assert_eq!((next.size, next.number), (1, 0));
        assert_eq!(schedule.jobs[0].state.fell_back.as_deref(), Some("a run of the full size was stopped after 10 s"));
        schedule.finished(&next, None, later + Duration::from_secs(4));
        assert!(schedule.jobs[0].state.stopped.is_some(), "there is nothing smaller");
    }

    #[test]
    fn times_beyond_all_clocks_are_no_limit() {
        let now = Instant::now();
        assert_eq!(schedule(1e300, LabEffort::Full).left(now), None, "longer than can be said");
        assert_eq!(schedule(3.0, LabEffort::Full).left(now), Some(Duration::from_secs(6)));
        let mut endless = schedule(3.0, LabEffort::Budget(Duration::MAX));
        assert!(endless.next(now).is_some());
        assert_eq!(endless.left(now), Some(Duration::from_secs(6)));
    }
}
