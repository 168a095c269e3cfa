//! The signals that tell a running search to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

/// Why a search ended before it was complete. Checkpoints store these by their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Reason {
    /// The playouts are spent.
    Playouts,
    /// The target, or the problem's bound, is reached.
    Target,
    /// A checkpoint is due; the search continues afterwards.
    Pause,
    /// The time is over.
    Time,
    /// The run was cancelled.
    Cancel,
    /// The device that ran the search has failed, or a checkpoint cannot be resumed.
    Failed,
    /// The result is no longer needed: an earlier task, in order, ended the search.
    Dropped,
    /// Another task has reached the target or the problem's bound, and the run does not wait for the order of tasks.
    Found,
}

/// Stops a run from outside: clone it, give one to [`Run::cancel`](crate::Run::cancel), keep the other.
///
/// ```
/// use nestling::Cancel;
/// let cancel = Cancel::new();
/// let for_the_signal_handler = cancel.clone();
/// for_the_signal_handler.cancel();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A switch that is not set yet.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// Asks the run to stop; it returns the best seen within a playout or so.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the run was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

const RUNNING: u8 = 0;
const PAUSE: u8 = 1;
const FOUND: u8 = 2;
const TIME: u8 = 3;
const FAILED: u8 = 4;

/// The driver's signals to all tasks of its run, in addition to the user's.
#[derive(Debug)]
pub(crate) struct Signal {
    word: AtomicU8,
    cancel: Cancel,
}

impl Signal {
    pub fn new(cancel: Cancel) -> Self {
        Signal { word: AtomicU8::new(RUNNING), cancel }
    }

    pub fn time_is_over(&self) {
        self.word.fetch_max(TIME, Ordering::Relaxed);
    }

    pub fn pause(&self) {
        self.word.fetch_max(PAUSE, Ordering::Relaxed);
    }

    fn found(&self) {
        self.word.fetch_max(FOUND, Ordering::Relaxed);
    }

    fn fail(&self) {
        self.word.fetch_max(FAILED, Ordering::Relaxed);
    }

    /// Ends a pause; a time-out that occurred meanwhile remains. A task that reached the target during the pause continues from before that
    /// game, and so reaches it again.
    pub fn go_on(&self) {
        let go_on = |word| (word < TIME).then_some(RUNNING);
        let _ = self.word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, go_on);
    }

    fn reason(&self) -> Option<Reason> {
        if self.cancel.is_cancelled() {
            return Some(Reason::Cancel);
        }
        match self.word.load(Ordering::Relaxed) {
            RUNNING => None,
            PAUSE => Some(Reason::Pause),
            FOUND => Some(Reason::Found),
            TIME => Some(Reason::Time),
            _ => Some(Reason::Failed),
        }
    }
}

/// The state that the tasks of one split share.
#[derive(Debug)]
pub(crate) struct Siblings {
    /// The first that is not done.
    pub first: AtomicU64,
    /// The last that is still needed.
    pub last: AtomicU64,
}

/// What a task checks between playouts: the run's signal, and whether an earlier task has made it superfluous.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch<'a> {
    signal: &'a Signal,
    /// The state shared with this task's siblings, its own index, and its parent's watch.
    siblings: Option<(&'a Siblings, u64, &'a Watch<'a>)>,
}

impl<'a> Watch<'a> {
    pub fn new(signal: &'a Signal) -> Self {
        Watch { signal, siblings: None }
    }

    /// The watch of sub-task `index`.
    pub fn sub_task(parent: &'a Watch<'a>, siblings: &'a Siblings, index: u64) -> Self {
        Watch { signal: parent.signal, siblings: Some((siblings, index, parent)) }
    }

    /// Whether all earlier tasks in the order of the whole run are done, so that this task's result is certain to count.
    pub fn is_first(&self) -> bool {
        self.siblings.is_none_or(|(siblings, index, parent)| {
            index == siblings.first.load(Ordering::Relaxed) && parent.is_first()
        })
    }

    pub fn reason(&self) -> Option<Reason> {
        if self.is_dropped() { Some(Reason::Dropped) } else { self.signal.reason() }
    }

    /// The reason to abandon even a game that has begun. A pause is not such a reason: if games take longer than the time between
    /// checkpoints, none would ever end.
    pub fn reason_to_give_up(&self) -> Option<Reason> {
        self.reason().filter(|&reason| reason != Reason::Pause)
    }

    /// Tells all tasks of the run that it has failed.
    pub fn fail(&self) {
        self.signal.fail();
    }

    /// Tells all tasks of the run that the target is reached.
    pub fn found(&self) {
        self.signal.found();
    }

    fn is_dropped(&self) -> bool {
        self.siblings.is_some_and(|(siblings, index, parent)| {
            index > siblings.last.load(Ordering::Relaxed) || parent.is_dropped()
        })
    }
}
