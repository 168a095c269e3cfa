//! The runs of a driver for clusters: their data, and their listeners.

use std::time::Instant;

use nestling::{Find, Improvement, Outcome, RunError};

use super::tasks::Tasks;

/// A run that begins.
pub(super) struct Begun<'p> {
    /// Its number.
    pub run: u64,
    /// Tasks of one kind take about as long as each other, and only these are bundled.
    pub kind: u64,
    pub tasks: Box<dyn Tasks + 'p>,
}

/// The runs whose tasks a driver distributes, and the receiver of their events.
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
    /// Stores the state of a run that stops.
    fn keep(&mut self, run: u64, tasks: &mut (dyn Tasks + 'p)) -> Result<(), RunError>;
    /// A run is finished, or was stopped.
    fn done(&mut self, run: u64, outcome: Outcome);
    /// Whether this run is no longer needed.
    fn is_unwanted(&self, _: u64) -> bool {
        false
    }
    /// A task of a run has gone wrong too often. An error ends all runs, otherwise only this one ends.
    fn failed(&mut self, _: u64, reason: String) -> Result<(), RunError> {
        Err(RunError::Workers(reason))
    }
    /// When the time of the runs is over.
    fn deadline(&self) -> Option<Instant>;
    /// Whether there is a clock: then no bundle is handed out that would wait for a worker, and stop too late.
    fn has_clock(&self) -> bool {
        self.deadline().is_some()
    }
    /// Whether the runs should stop.
    fn is_cancelled(&self) -> bool;
}
