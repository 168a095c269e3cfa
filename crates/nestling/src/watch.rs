//! How a running search learns that it should stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

/// Why a search ended before its definition did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Reason {
    /// The playouts are spent.
    Playouts,
    /// The target, or the problem's bound, is reached.
    Target,
    /// A checkpoint is due; the search goes on afterwards.
    Pause,
    /// The time is over.
    Time,
    /// Somebody asked for it.
    Cancel,
    /// The result is no longer needed: a task before this one, in order, ended the search.
    Dropped,
}

const RUNNING: u8 = 0;
const PAUSE: u8 = 1;
const TIME: u8 = 2;
const CANCEL: u8 = 3;

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
pub struct Cancel(Arc<AtomicU8>);

impl Cancel {
    /// A switch that nobody has pressed yet.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// Asks the run to stop; it returns the best seen within a playout or so.
    pub fn cancel(&self) {
        self.0.fetch_max(CANCEL, Ordering::Relaxed);
    }

    /// Whether somebody has asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) == CANCEL
    }

    pub(crate) fn time_is_over(&self) {
        self.0.fetch_max(TIME, Ordering::Relaxed);
    }

    pub(crate) fn pause(&self) {
        self.0.fetch_max(PAUSE, Ordering::Relaxed);
    }

    /// Ends a pause; a request to stop that came meanwhile stays.
    pub(crate) fn go_on(&self) {
        let _ = self.0.compare_exchange(PAUSE, RUNNING, Ordering::Relaxed, Ordering::Relaxed);
    }

    fn reason(&self) -> Option<Reason> {
        match self.0.load(Ordering::Relaxed) {
            RUNNING => None,
            PAUSE => Some(Reason::Pause),
            TIME => Some(Reason::Time),
            _ => Some(Reason::Cancel),
        }
    }
}

/// What a task looks at between playouts: the run's switch, and whether a task before it has made it superfluous.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch<'a> {
    switch: &'a Cancel,
    /// The highest index still wanted among this task's siblings, its own index, and its parent's watch.
    siblings: Option<(&'a AtomicU64, u64, &'a Watch<'a>)>,
}

impl<'a> Watch<'a> {
    pub fn new(switch: &'a Cancel) -> Self {
        Watch { switch, siblings: None }
    }

    /// The watch of sub-task `index`, which is dropped when `ceiling` falls below it.
    pub fn sub_task(parent: &'a Watch<'a>, ceiling: &'a AtomicU64, index: u64) -> Self {
        Watch { switch: parent.switch, siblings: Some((ceiling, index, parent)) }
    }

    pub fn reason(&self) -> Option<Reason> {
        if self.is_dropped() { Some(Reason::Dropped) } else { self.switch.reason() }
    }

    fn is_dropped(&self) -> bool {
        self.siblings
            .is_some_and(|(ceiling, index, parent)| index > ceiling.load(Ordering::Relaxed) || parent.is_dropped())
    }
}
