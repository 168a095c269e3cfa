//! What is known of a run.

use std::time::Duration;

use nestling::{Outcome, Spent};

use crate::clock::Moment;
use nestling_registry::RunSpec;

/// Where a run stands.
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
    /// It has come to its end, or its budget's.
    Done,
}

/// A run, summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct RunInfo {
    /// Its number in the store.
    pub id: i64,
    /// What it was asked to do.
    pub spec: RunSpec,
    /// The version that began it.
    pub version: String,
    /// The machine it began on.
    pub machine: String,
    /// When it began.
    pub started: Moment,
    /// Where it stands.
    pub state: State,
    /// The best score so far.
    pub best: Option<f64>,
    /// The best score of those of its numbers that are finished.
    pub best_outcome: Option<f64>,
    /// How many of its numbers are finished: for a single run 0 or 1.
    pub finished: u64,
    /// When anybody last worked on it.
    pub worked: Moment,
    /// What all its processes spent, work that was lost with them included.
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
    /// What it came to. In a batch only the best keep their moves; the seed finds the others again.
    pub outcome: Outcome,
    /// When.
    pub finished: Moment,
}

/// A checkpoint to go on from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// What [`Run::resume`](nestling::Run::resume) takes.
    pub bytes: Vec<u8>,
    /// What had been spent.
    pub spent: Spent,
    /// Set when a newer one is damaged and this is its predecessor.
    pub instead: bool,
}

impl Taken {
    /// What a run goes on from.
    pub fn into_resume(self) -> (Vec<u8>, Spent) {
        (self.bytes, self.spent)
    }
}
