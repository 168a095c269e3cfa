//! Tasks in order, on one thread or many, or in other processes by a [ledger](crate::Ledger): the result is the same.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rayon::Scope;

use super::frame::Frame;
use super::order::{CutShort, Order, Split, Turn, Turns};
use super::remote::TaskRole;
use super::report::{SearchProgress, SearchReport};
use super::task::Task;
use crate::expression::Search;
use crate::stream::Stream;
use crate::watch::{Reason, Siblings, Watch};

/// How many tasks may be made ahead of the first unfinished one, per thread or worker.
pub(super) const AHEAD: u64 = 64;

/// How long a thread without a task stays awake: many times the time of waking one.
const LINGERING: Duration = Duration::from_millis(1);

/// Identifies the sub-search of a task: the moves it starts after, and the expression and stream that repeat it separately (none for plain
/// playouts, which report that themselves).
pub struct TaskSlot<'p, M> {
    /// The moves it starts after.
    pub path: &'p [M],
    /// The search and the seed that repeat it separately.
    pub alone: Option<(&'p Search, Stream)>,
}

impl<M: Copy> CutShort<'_, M> {
    /// The progress of a search: `tally` plus the counts of the tasks at the cut and after it.
    pub fn added_to<'p>(
        &self,
        mut tally: SearchProgress<M>,
        task: &Task<'_, M>,
        place: impl Fn(u64) -> TaskSlot<'p, M>,
    ) -> SearchProgress<M>
    where
        M: 'p,
    {
        if let Some((index, partial)) = self.partial {
            tally.absorb(task, place(index).path, &partial.tally);
            tally.absorb_speculative(task.goal(), place(index).path, None, &partial.tally);
        }
        for &(index, after_cut) in &self.after_cut {
            let TaskSlot { path, alone } = place(index);
            tally.absorb_speculative(task.goal(), path, alone, after_cut);
        }
        tally
    }
}

impl<M: Copy + Send + Sync> Split<M> {
    /// Runs all tasks below `count` that are not done yet; `run` runs one, `commit` gets the reports of the finished ones in order.
    ///
    /// `spent` is what the search has already played of its limit; `spread` tells whether threads are worthwhile. Returns the state at the
    /// cut, if not all tasks could be run.
    pub fn in_order<'s>(
        &'s mut self,
        task: &Task<'_, M>,
        count: u64,
        spent: u64,
        spread: bool,
        run: impl Fn(u64, &Task<'_, M>, Option<Frame<M>>) -> SearchReport<M> + Sync,
        commit: impl FnMut(u64, SearchReport<M>) + Send,
    ) -> Option<CutShort<'s, M>> {
        let reason = match task.role {
            TaskRole::Part(part) => Some(part.make(task, count, &run)),
            TaskRole::Dispatcher(dispatcher) => dispatcher.serve(self, task, count, spent, commit),
            _ if spread && task.shared.threads > 1 => self.on_many_threads(task, count, spent, &run, commit),
            _ => self.on_this_thread(task, count, spent, &run, commit),
        };
        reason.map(|reason| self.cut_short(reason))
    }

    fn on_this_thread(
        &mut self,
        task: &Task<'_, M>,
        count: u64,
        mut spent: u64,
        run: &impl Fn(u64, &Task<'_, M>, Option<Frame<M>>) -> SearchReport<M>,
        mut commit: impl FnMut(u64, SearchReport<M>),
    ) -> Option<Reason> {
        while self.next < count {
            if let Some(reason) = task.watch.reason() {
                return Some(reason);
            }
            let left = task.limit.saturating_sub(spent);
            let known = if self.is_in_order() { None } else { self.take_up(self.next, left) };
            let report = match known {
                Some(finished) if finished.cut.is_none() => finished,
                paused => run(self.next, &task.with(task.watch, left), paused.and_then(frame_of)),
            };
            if let Some((reason, _)) = &report.cut {
                let reason = *reason;
                self.pause(self.next, report);
                return Some(reason);
            }
            spent += report.tally.counts.playouts;
            commit(self.next, report);
            self.next += 1;
        }
        None
    }

    fn on_many_threads(
        &mut self,
        task: &Task<'_, M>,
        count: u64,
        spent: u64,
        run: &(impl Fn(u64, &Task<'_, M>, Option<Frame<M>>) -> SearchReport<M> + Sync),
        commit: impl FnMut(u64, SearchReport<M>) + Send,
    ) -> Option<Reason> {
        let siblings = Siblings { first: AtomicU64::new(self.next), last: AtomicU64::new(u64::MAX) };
        let (mut turns, width) = (Turns::default(), AHEAD * task.shared.threads as u64);
        let order = Order::new(self, &mut turns, count, [task.limit, spent], width);
        let running = AtomicUsize::new(0);
        let workers = SplitWorkers { task, run, siblings: &siblings, running, state: Mutex::new((order, commit)) };
        // Before an interruption, tasks may have been finished ahead of their turn.
        workers.commit_what_is_due(&mut workers.lock());
        rayon::scope(|scope| {
            workers.fill(scope);
        });
        let (order, _) = workers.state.into_inner().expect("a panic has already left the scope");
        let is_done = order.is_done();
        let ended = order.end();
        debug_assert!(ended.is_some() || is_done, "tasks are left, and nobody works on them");
        ended
    }
}

/// The frame of a task that was cut and continues.
fn frame_of<M>(paused: SearchReport<M>) -> Option<Frame<M>> {
    paused.cut.map(|(_, frame)| frame)
}

/// The threads that run one split.
struct SplitWorkers<'c, M, R, C> {
    task: &'c Task<'c, M>,
    run: &'c R,
    siblings: &'c Siblings,
    /// How many tasks have been started and not ended.
    running: AtomicUsize,
    state: Mutex<(Order<'c, M>, C)>,
}

impl<'c, M, R, C> SplitWorkers<'c, M, R, C>
where
    M: Copy + Send + Sync,
    R: Fn(u64, &Task<'_, M>, Option<Frame<M>>) -> SearchReport<M> + Sync,
    C: FnMut(u64, SearchReport<M>) + Send,
{
    /// Starts as many tasks as there are threads. Each task starts its successor when it ends, instead of a worker loop: a thread that
    /// waits for a sub-task may run any task meanwhile, and must be back soon. Returns whether there was a task to start.
    fn fill<'s>(&'s self, scope: &Scope<'s>) -> bool {
        let mut state = self.lock();
        let mut has_started = false;
        while state.0.running() < self.task.shared.threads {
            let Some(Turn { index, limit, paused }) = state.0.next(self.task.watch.reason()) else { break };
            has_started = true;
            self.running.fetch_add(1, Ordering::Relaxed);
            self.task.shared.queued.fetch_add(1, Ordering::Relaxed);
            scope.spawn(move |scope| {
                self.task.shared.queued.fetch_sub(1, Ordering::Relaxed);
                let watch = Watch::sub_task(self.task.watch, self.siblings, index);
                let report = (self.run)(index, &self.task.with(&watch, limit), paused.and_then(frame_of));
                self.take(index, report);
                self.running.fetch_sub(1, Ordering::Relaxed);
                if !self.fill(scope) {
                    self.linger();
                }
            });
        }
        has_started
    }

    /// Keeps this thread awake while the last tasks of the split run on other threads, for a short time and while no task of the run waits
    /// for a thread. A sleeping thread must be woken for the tasks of the next split, which takes as long as a short task.
    fn linger(&self) {
        let is_idle = || self.task.shared.queued.load(Ordering::Relaxed) == 0;
        let began = Instant::now();
        while self.running.load(Ordering::Relaxed) > 0 && is_idle() && began.elapsed() < LINGERING {
            thread::yield_now();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, (Order<'c, M>, C)> {
        self.state.lock().expect("a panic in a task ends the whole scope")
    }

    fn take(&self, index: u64, report: SearchReport<M>) {
        let mut state = self.lock();
        state.0.take(index, report);
        self.commit_what_is_due(&mut state);
    }

    fn commit_what_is_due(&self, (order, commit): &mut (Order<'c, M>, C)) {
        while let Some((index, report)) = order.due() {
            self.siblings.first.store(order.first(), Ordering::Relaxed);
            commit(index, report);
        }
        self.siblings.last.store(order.last(), Ordering::Relaxed);
    }
}
