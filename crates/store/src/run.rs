//! The stored facts about a run.

use std::time::Duration;

use nestling::{Outcome, Spent};

use crate::clock::Moment;
use nestling_registry::RunSpec;

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// A process works on it.
    Running {
        /// Its number.
        process: u32,
        /// Its host.
        host: String,
    },
    /// Nobody works on it, and it is not at its end.
    Interrupted,
    /// It is complete, or its budget is spent.
    Done,
}

/// A run, summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct RunInfo {
    /// Its number in the store.
    pub id: i64,
    /// The specification.
    pub spec: RunSpec,
    /// The version that began it.
    pub version: String,
    /// The machine it began on.
    pub machine: String,
    /// When it began.
    pub started: Moment,
    /// Its state.
    pub state: State,
    /// The best score so far.
    pub best: Option<f64>,
    /// The best score of those of its numbers that are finished.
    pub best_outcome: Option<f64>,
    /// How many of its numbers are finished: for a single run 0 or 1.
    pub finished: u64,
    /// When a process last worked on it.
    pub worked: Moment,
    /// The time and work of all its processes, including work that was lost.
    pub spent: Spent,
    /// How far the last of them was: what an uninterrupted run would have spent, and what its outcome says once there is one. For a
    /// batch, what that process spent.
    pub reached: Spent,
}

/// A process's work on a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// Its number.
    pub process: u32,
    /// Its host.
    pub host: String,
    /// When it began.
    pub started: Moment,
    /// Its last heartbeat.
    pub beat: Moment,
    /// How long it had worked at its last heartbeat.
    pub time: Duration,
    /// How much it had played by then.
    pub playouts: u64,
    /// Whether it gave the run back, or lost it.
    pub ended: bool,
}

/// An improvement on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredImprovement {
    /// Which run of the batch.
    pub number: u64,
    /// The score.
    pub score: f64,
    /// The moves.
    pub moves: Vec<String>,
    /// Playouts played until then, in a batch by all its runs.
    pub playouts: u64,
    /// Time taken until then, in a batch by the whole of it.
    pub time: Duration,
    /// When.
    pub found: Moment,
}

/// The end of one number of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Which run of the batch.
    pub number: u64,
    /// Its result. In a batch only the best keep their moves; the seed finds the others again.
    pub outcome: Outcome,
    /// When.
    pub finished: Moment,
}

/// A checkpoint to resume from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCheckpoint {
    /// The bytes for [`Run::resume`](nestling::Run::resume).
    pub bytes: Vec<u8>,
    /// The time and work spent until then.
    pub spent: Spent,
    /// Set when a newer one is damaged and this is its predecessor.
    pub instead: bool,
}

impl StoredCheckpoint {
    /// The state from which a run continues.
    pub fn into_resume(self) -> (Vec<u8>, Spent) {
        (self.bytes, self.spent)
    }
}
