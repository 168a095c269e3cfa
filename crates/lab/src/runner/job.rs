//! A row in the schedule: its sizes, its part of the budget, and how far it is.

use std::collections::{BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use nestling::Cancel;
use nestling_registry::Device;

use super::allot::{Allotment, Demand, SizeDemand};

/// A row with what is known about its cost.
pub(super) struct Job {
    /// The experiment that wants it, to take turns with the others of its group.
    pub group: usize,
    pub device: Device,
    pub runs: u64,
    pub least: u64,
    pub share: f64,
    /// Whether a run that takes too long can be stopped. One that cannot would continue beside the next, and falsify its time.
    pub can_be_stopped: bool,
    /// Nothing in it where the row cannot be run.
    pub sizes: Vec<JobSize>,
    pub state: JobState,
}

pub(super) struct JobSize {
    /// Which definition it runs; a smaller size of one job may be what another job is.
    pub definition: usize,
    pub cost: Option<f64>,
    /// The numbers of the readings that are there, or that another job has begun.
    pub have: BTreeSet<u64>,
}

/// The progress of a job.
#[derive(Default)]
pub(super) struct JobState {
    pub allotment: Option<Allotment>,
    /// Numbers to be run.
    pub waiting: VecDeque<u64>,
    pub started: Vec<Flight>,
    /// Runs of this process, and the seconds they took.
    pub finished: u64,
    pub spent: f64,
    /// Set when a run had to be stopped, which the next one would have to be as well.
    pub stopped: Option<Duration>,
    /// Why a smaller size is run than the one that the job was given time for.
    pub fell_back: Option<String>,
}

/// A run that is going on.
pub(super) struct Flight {
    pub size: usize,
    pub number: u64,
    pub began: Instant,
    pub cancel: Cancel,
}

impl Job {
    /// Seconds a run of a size: as measured here, or else as expected.
    pub fn cost(&self, size: usize) -> Option<f64> {
        let measured = (self.state.finished > 0).then(|| self.state.spent / self.state.finished as f64);
        measured.or(self.sizes[size].cost)
    }

    /// The size that it runs, where it was given time for one.
    pub fn size(&self) -> Option<usize> {
        match self.state.allotment {
            Some(Allotment::Run { size, .. }) => Some(size),
            _ => None,
        }
    }

    pub fn has_smaller(&self) -> bool {
        self.size().is_some_and(|size| size + 1 < self.sizes.len())
    }

    /// Whether the fewest runs that make sense are there.
    pub fn has_least(&self) -> bool {
        self.size().is_some_and(|size| self.sizes[size].have.len() as u64 + self.state.finished >= self.least)
    }

    /// Goes on with the next smaller size, in as much time as it was given, or as is left.
    pub fn fall_back(&mut self, why: String, left: f64) {
        let Some(Allotment::Run { size, seconds }) = self.state.allotment else { return };
        let size = size + 1;
        let have = &self.sizes[size].have;
        self.state.waiting = (0..self.runs).filter(|number| !have.contains(number)).collect();
        (self.state.finished, self.state.spent) = (0, 0.0);
        self.state.allotment = Some(Allotment::Run { size, seconds: seconds.min(left) });
        self.state.fell_back.get_or_insert(why);
    }

    /// How many seconds its runs may take of those that it was given. A smaller size, if there is one, needs some of them too.
    pub fn longest(&self, seconds: f64) -> f64 {
        if !self.has_smaller() || self.has_least() {
            return 3.0 * seconds + 2.0;
        }
        let expected = self.size().and_then(|size| self.cost(size)).map_or(0.0, |cost| 1.5 * cost * self.least as f64);
        (seconds / 2.0).max(expected).min(seconds)
    }

    /// Leaves out the next numbers as far as others have begun them.
    pub fn skip(&mut self) {
        let Some(Allotment::Run { size, .. }) = self.state.allotment else { return };
        while self.state.waiting.front().is_some_and(|number| self.sizes[size].have.contains(number)) {
            self.state.waiting.pop_front();
        }
    }

    pub fn demand(&self) -> Demand {
        let size = |size: &JobSize| SizeDemand { cost: size.cost, have: size.have.len() as u64 };
        let sizes = self.sizes.iter().map(size).collect();
        Demand { sizes, runs: self.runs, least: self.least, share: self.share }
    }

    /// Seconds that runs which have not begun, or are going on, may still take of what the job was given.
    pub fn promised(&self) -> f64 {
        let Some(Allotment::Run { size, seconds }) = self.state.allotment else { return 0.0 };
        let left = (seconds - self.state.spent).max(0.0);
        let runs = self.state.waiting.len() + self.state.started.len();
        let wanted = self.cost(size).map_or(f64::INFINITY, |cost| cost * runs as f64);
        if runs == 0 || self.state.stopped.is_some() { 0.0 } else { left.min(wanted) }
    }

    /// Seconds that all its runs still need.
    pub fn outstanding(&self) -> Option<f64> {
        let cost = self.sizes.first().and_then(|_| self.cost(0))?;
        let runs = self.runs.saturating_sub(self.sizes[0].have.len() as u64 + self.state.finished);
        Some(cost * runs as f64)
    }
}
