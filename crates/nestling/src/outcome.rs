//! What a run comes to.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::search::Found;
pub use crate::search::task::Counts;
use crate::weights::Weights;

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// The search came to the end its definition gives it.
    Finished,
    /// The playouts were spent.
    Playouts,
    /// The time was over.
    Time,
    /// The target was reached.
    Target,
    /// The problem's bound was reached: nothing better exists.
    Bound,
    /// Somebody cancelled the run.
    Cancelled,
    /// The machine that searched has failed; see [`Event::Failed`](crate::Event::Failed).
    Failed,
}

impl Stop {
    /// One lower-case word, as JSON output has it.
    pub fn word(self) -> &'static str {
        match self {
            Stop::Finished => "finished",
            Stop::Playouts => "playouts",
            Stop::Time => "time",
            Stop::Target => "target",
            Stop::Bound => "bound",
            Stop::Cancelled => "cancelled",
            Stop::Failed => "failed",
        }
    }

    /// Whether the run was broken off: it has come to nothing yet, and can be gone on with from its last checkpoint.
    ///
    /// ```
    /// use nestling::Stop;
    /// assert!(Stop::Cancelled.is_interruption());
    /// assert!(!Stop::Time.is_interruption());
    /// ```
    pub fn is_interruption(self) -> bool {
        matches!(self, Stop::Cancelled | Stop::Failed)
    }
}

/// The result of a run.
///
/// With the same problem, search, seed and a budget in playouts every field but `elapsed` and `work` is the same, at any
/// number of threads.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<M> {
    /// The result: what the search's definition returns, or the best seen if the run was cut. Its moves start where the
    /// problem starts, moves given with [`Run::from`](crate::Run::from) included.
    pub result: Found<M>,
    /// The best game seen, where it is better than the result (without memory the two may differ).
    pub best_seen: Option<Found<M>>,
    /// Whether the run was cut before any game was finished or any estimate made. The result is then only the state that it
    /// began with, and its score is worth nothing.
    pub nothing: bool,
    /// Why the run stopped.
    pub stop: Stop,
    /// Whether nothing better exists: the bound is reached, or every game was looked at.
    pub proven: bool,
    /// What was played, in the order of the tasks up to the cut: `--playouts` with this number repeats the run.
    pub counts: Counts,
    /// All that was really played, with what other threads had run ahead of the cut, and in the legs before this one that
    /// [`Run::spent`](crate::Run::spent) tells of.
    pub work: Counts,
    /// Set when time, or a person, cut the run and the result was found by a task whose place in the order lies beyond
    /// the cut: the sub-search that finds it again.
    pub recipe: Option<Recipe>,
    /// The policy that was learned, if the search is an `nrpa`: that of its highest level, or before its first adapt that of a level
    /// below.
    pub learned: Option<Weights>,
    /// How long the run took.
    pub elapsed: Duration,
}

/// A run that finds one game again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// The search expression.
    pub search: String,
    /// The seed.
    pub seed: u64,
    /// After how many of the game's moves the search starts.
    pub from: usize,
    /// The budget in playouts.
    pub playouts: u64,
}
