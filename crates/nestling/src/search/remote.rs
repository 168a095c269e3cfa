//! Tasks that other processes carry out: a worker makes one of them ([`RemoteTask`]), a driver hands them out ([`Dispatcher`]).

use std::sync::{Mutex, MutexGuard};

use super::frame::Frame;
use super::order::{Order, Split, Turn, Turns};
use super::report::SearchReport;
use super::split::AHEAD;
use super::task::{Counts, Task};
use crate::watch::Reason;

/// The role of a task in the run.
pub(crate) enum TaskRole<'a, M> {
    /// It is the whole run.
    Root,
    /// It is the whole run, but only one part of it is to be made.
    Part(&'a RemoteTask<M>),
    /// It is the whole run, whose parts other processes make.
    Dispatcher(&'a Dispatcher<M>),
    /// It is a part of another task.
    Inside,
}

impl<M> Clone for TaskRole<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for TaskRole<'_, M> {}

/// One task of a search, made separately.
pub(crate) struct RemoteTask<M> {
    index: u64,
    frame: Mutex<Option<Frame<M>>>,
    report: Mutex<Option<SearchReport<M>>>,
}

impl<M: Copy> RemoteTask<M> {
    /// The task with this index, from its beginning or from a frame.
    pub fn new(index: u64, frame: Option<Frame<M>>) -> Self {
        RemoteTask { index, frame: Mutex::new(frame), report: Mutex::new(None) }
    }

    /// Makes the task, if the search has so many.
    pub(super) fn make(
        &self,
        task: &Task<'_, M>,
        count: u64,
        run: &impl Fn(u64, &Task<'_, M>, Option<Frame<M>>) -> SearchReport<M>,
    ) -> Reason {
        if self.index < count {
            let frame = self.frame.lock().expect(ALONE).take();
            let report = run(self.index, &task.with(task.watch, task.limit), frame);
            *self.report.lock().expect(ALONE) = Some(report);
        }
        Reason::Pause
    }

    /// Its report; `None` if the search has no such task.
    pub fn report(&self) -> Option<SearchReport<M>> {
        self.report.lock().expect(ALONE).take()
    }
}

/// A search with more tasks than this counts as endless: only its budget ends it.
const ENDLESS: u64 = u64::MAX >> 10;

const ALONE: &str = "one thread has it at a time";

/// The place where the driver of a ledger hands out tasks and takes reports. Whenever the search is run, it processes the reports that are due,
/// hands out a task if one was asked for, and pauses.
pub(crate) struct Dispatcher<M>(Mutex<DispatcherState<M>>);

struct DispatcherState<M> {
    turns: Turns,
    /// Whether the games of the tasks are games of the problem itself.
    is_real: bool,
    /// How many tasks may be made ahead of the first unfinished one.
    width: u64,
    back: Vec<ArrivedReport<M>>,
    is_asked: bool,
    turn: Option<Turn<M>>,
    first: u64,
    done: u64,
    count: u64,
    /// The counts of the task of the last report that were known before it arrived; none if the report was not new.
    known: Option<Counts>,
}

/// A report that has arrived.
pub(crate) struct ArrivedReport<M> {
    pub index: u64,
    pub report: SearchReport<M>,
    /// How many playouts it was allowed; none if it is only put back, so that another worker continues it.
    pub limit: Option<u64>,
}

impl<M: Copy + Send + Sync> Dispatcher<M> {
    /// For so many workers.
    pub fn new(workers: usize, is_real: bool) -> Self {
        let (turns, back) = (Turns::default(), Vec::new());
        let width = AHEAD.saturating_mul(workers as u64);
        Dispatcher(Mutex::new(DispatcherState {
            turns,
            is_real,
            width,
            back,
            is_asked: false,
            turn: None,
            first: 0,
            done: 0,
            count: u64::MAX,
            known: None,
        }))
    }

    fn lock(&self) -> MutexGuard<'_, DispatcherState<M>> {
        self.0.lock().expect(ALONE)
    }

    /// Asks for a task.
    pub fn ask(&self) {
        self.lock().is_asked = true;
    }

    /// The task that was asked for.
    pub fn turn(&self) -> Option<Turn<M>> {
        self.lock().turn.take()
    }

    /// Adds a report, which the search processes when it is run next.
    pub fn bring(&self, back: ArrivedReport<M>) {
        self.lock().back.push(back);
    }

    /// Whether there are reports that the search has not processed.
    pub fn has_reports(&self) -> bool {
        !self.lock().back.is_empty()
    }

    /// The counts of the task of the last report that were known before it arrived; none if the report was not new.
    pub fn known_before(&self) -> Option<Counts> {
        self.lock().known
    }

    /// Whether there is such a task, and whether its result has been counted already.
    pub fn knows(&self, index: u64) -> (bool, bool) {
        let state = self.lock();
        (index < state.count, index < state.first)
    }

    /// How many tasks are done, and how many there are, if that is known.
    pub fn done(&self) -> (u64, Option<u64>) {
        let state = self.lock();
        (state.done, Some(state.count).filter(|&count| count < ENDLESS))
    }

    /// Reads or changes the state of the tasks that are handed out.
    pub fn turns<T>(&self, look: impl FnOnce(&mut Turns) -> T) -> T {
        look(&mut self.lock().turns)
    }

    /// Processes the reports that have arrived, commits those that are due, and hands a task out if one was asked for. Returns why the
    /// tasks end, or that they pause; nothing once the last is done.
    pub(super) fn serve(
        &self,
        split: &mut Split<M>,
        task: &Task<'_, M>,
        count: u64,
        spent: u64,
        mut commit: impl FnMut(u64, SearchReport<M>),
    ) -> Option<Reason> {
        let mut state = self.lock();
        let DispatcherState { turns, is_real, width, back, is_asked, turn, first, done, count: whole, known } =
            &mut *state;
        let mut order = Order::new(split, turns, count, [task.limit, spent], *width);
        for ArrivedReport { index, report, limit } in back.drain(..) {
            if *is_real {
                task.announce_early(&report);
            }
            *known = order.bring(index, report, limit);
        }
        while let Some((index, report)) = order.due() {
            commit(index, report);
        }
        (*first, *done, *whole) = (order.first(), order.done(), count);
        if order.is_done() {
            return None;
        }
        let stop = task.watch.reason();
        if std::mem::take(is_asked) || stop.is_some() {
            *turn = order.next(stop);
        }
        Some(order.end().unwrap_or(Reason::Pause))
    }
}
