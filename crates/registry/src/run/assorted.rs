//! Runs of many kinds, of different problems and searches, on workers elsewhere.

use std::time::Instant;

use nestling::{Find, Improvement, Outcome, RunError};

use super::Ready;
use super::elsewhere::Driver;
use super::runs::{Begun, Runs};
use super::tasks::Tasks;
use super::workers::Workers;

/// A run that is one task.
#[derive(Clone, Copy)]
pub struct AssortedRun<'p> {
    /// A number that no other has.
    pub number: u64,
    /// Runs of one kind take about as long as each other.
    pub kind: u64,
    /// The prepared run.
    pub ready: &'p Ready,
    /// With this seed.
    pub seed: u64,
}

/// Supplies the runs, and receives their results.
pub trait Assorted<'p> {
    /// The next run to make; none for now, or none at all.
    fn next(&mut self) -> Option<AssortedRun<'p>>;
    /// Whether there will be another.
    fn has_more(&self) -> bool;
    /// Whether this run is no longer needed. Then it counts as done.
    fn is_unwanted(&self, run: u64) -> bool;
    /// Something went wrong that costs only time.
    fn trouble(&mut self, reason: &str);
    /// The result of a run, or why it cannot be made.
    fn done(&mut self, run: u64, outcome: Result<Outcome, String>);
    /// Whether runs may be handed out that have to wait for a worker.
    fn may_wait(&self) -> bool;
    /// Whether the runs should stop.
    fn is_cancelled(&self) -> bool;
}

/// Makes runs, each a task, by others.
///
/// # Errors
///
/// When the workers fail. A run that cannot be made is not an error here: it is reported to the supplier.
pub fn start_assorted_on<'p>(workers: &mut dyn Workers, runs: &mut dyn Assorted<'p>) -> Result<(), RunError> {
    Driver::new(workers, &mut Each(runs))?.run()
}

struct Each<'r, 'p>(&'r mut dyn Assorted<'p>);

impl<'p> Runs<'p> for Each<'_, 'p> {
    fn next(&mut self) -> Result<Option<Begun<'p>>, RunError> {
        while let Some(AssortedRun { number, kind, ready, seed }) = self.0.next() {
            match ready.problem().tasks(&ready.whole(number, seed), None) {
                Ok(tasks) => return Ok(Some(Begun { run: number, kind, tasks })),
                Err(error) => self.0.done(number, Err(error.to_string())),
            }
        }
        Ok(None)
    }

    fn has_more(&self) -> bool {
        self.0.has_more()
    }

    fn improvement(&mut self, _: u64, _: Improvement) {}

    fn find(&mut self, _: Find) {}

    fn trouble(&mut self, reason: String) {
        self.0.trouble(&reason);
    }

    fn tick(&mut self, _: u64, _: &mut (dyn Tasks + 'p)) -> Result<(), RunError> {
        Ok(())
    }

    fn keep(&mut self, _: u64, _: &mut (dyn Tasks + 'p)) -> Result<(), RunError> {
        Ok(())
    }

    fn done(&mut self, run: u64, outcome: Outcome) {
        self.0.done(run, Ok(outcome));
    }

    fn is_unwanted(&self, run: u64) -> bool {
        self.0.is_unwanted(run)
    }

    fn failed(&mut self, run: u64, reason: String) -> Result<(), RunError> {
        self.0.done(run, Err(reason));
        Ok(())
    }

    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn has_clock(&self) -> bool {
        !self.0.may_wait()
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}
