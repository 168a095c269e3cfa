//! Tasks that leave the process: the one that a worker makes ([`Part`]), and where a driver hands them out ([`Desk`]).

use std::sync::{Mutex, MutexGuard};

use super::frame::Frame;
use super::order::{Order, Split, Turn, Turns};
use super::split::AHEAD;
use super::task::{Counts, SearchReport, Task};
use crate::watch::Reason;

/// Where a task stands in the run.
pub(crate) enum Place<'a, M> {
    /// It is the whole run.
    Root,
    /// It is the whole run, of which only one part is to be made.
    Part(&'a Part<M>),
    /// It is the whole run, whose tasks are made elsewhere.
    Desk(&'a Desk<M>),
    /// It is a part of another task.
    Inside,
}

impl<M> Clone for Place<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Place<'_, M> {}

/// One task of a search, made by itself.
pub(crate) struct Part<M> {
    index: u64,
    frame: Mutex<Option<Frame<M>>>,
    report: Mutex<Option<SearchReport<M>>>,
}

impl<M: Copy> Part<M> {
    /// The task of this index, from its beginning or from a frame.
    pub fn new(index: u64, frame: Option<Frame<M>>) -> Self {
        Part { index, frame: Mutex::new(frame), report: Mutex::new(None) }
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

    /// What it came to; nothing where the search has no such task.
    pub fn report(&self) -> Option<SearchReport<M>> {
        self.report.lock().expect(ALONE).take()
    }
}

/// A search with more tasks than this goes on until its budget ends.
const ENDLESS: u64 = u64::MAX >> 10;

const ALONE: &str = "one thread has it at a time";

/// Where the driver of a ledger hands tasks out and takes reports back. The search looks in whenever it is run: it commits what is due,
/// hands out a task if one is asked for, and pauses.
pub(crate) struct Desk<M>(Mutex<State<M>>);

struct State<M> {
    turns: Turns,
    /// Whether the games of the tasks are the problem's.
    is_real: bool,
    /// How many tasks may be made ahead of the first unfinished one.
    width: u64,
    back: Vec<Back<M>>,
    is_asked: bool,
    turn: Option<Turn<M>>,
    first: u64,
    done: u64,
    count: u64,
    /// What was known of the task whose report came last, before it came; none if the report was no news.
    known: Option<Counts>,
}

/// A report that has come back.
pub(crate) struct Back<M> {
    pub index: u64,
    pub report: SearchReport<M>,
    /// How many playouts it was allowed; none if it is only put back, for somebody else to go on with.
    pub limit: Option<u64>,
}

impl<M: Copy + Send + Sync> Desk<M> {
    /// For so many workers.
    pub fn new(workers: usize, is_real: bool) -> Self {
        let (turns, back) = (Turns::default(), Vec::new());
        let width = AHEAD.saturating_mul(workers as u64);
        Desk(Mutex::new(State {
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

    fn lock(&self) -> MutexGuard<'_, State<M>> {
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

    /// Brings a report back, for the search to see when it is run next.
    pub fn bring(&self, back: Back<M>) {
        self.lock().back.push(back);
    }

    /// Whether reports wait for the search to see them.
    pub fn has_post(&self) -> bool {
        !self.lock().back.is_empty()
    }

    /// What was known of the task whose report came last, before it came; none if the report was no news.
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

    /// What is known of the tasks that are out.
    pub fn turns<T>(&self, look: impl FnOnce(&mut Turns) -> T) -> T {
        look(&mut self.lock().turns)
    }

    /// Takes what has come back, commits what is due, and hands a task out if one is asked for. Returns why the tasks end, or that they
    /// pause; nothing once the last is done.
    pub(super) fn serve(
        &self,
        split: &mut Split<M>,
        task: &Task<'_, M>,
        count: u64,
        spent: u64,
        mut commit: impl FnMut(u64, SearchReport<M>),
    ) -> Option<Reason> {
        let mut state = self.lock();
        let State { turns, is_real, width, back, is_asked, turn, first, done, count: whole, known } = &mut *state;
        let mut order = Order::new(split, turns, count, [task.limit, spent], *width);
        for Back { index, report, limit } in back.drain(..) {
            if *is_real {
                task.overhear(&report);
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
