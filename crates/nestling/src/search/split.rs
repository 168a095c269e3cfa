//! Tasks in order, on one thread or many: the same result either way.
//!
//! **The result is defined by the order of the tasks.** Other threads run later tasks ahead of their turn; their reports
//! wait until all earlier ones are in. A budget in playouts cuts at the first point in that order, and so does a target beside such a
//! budget; what lies beyond is dropped, and a task that ran ahead with more playouts than its turn leaves it is run again with fewer.
//! Time, a person, or a target without such a budget stop all tasks where they are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::Scope;
use serde::{Deserialize, Serialize};

use super::frame::Frame;
use super::task::{SearchProgress, SearchReport, Task};
use crate::expression::Search;
use crate::problem::Move;
use crate::stream::Stream;
use crate::watch::{Reason, Siblings, Watch};

/// How many tasks may be run ahead of the first unfinished one, per thread.
const AHEAD: u64 = 64;

/// The tasks of a search that are made one after the other, or on several threads at once: which are done, all before `next`
/// and some ahead of it. It is part of the search's frame.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub struct Split<M> {
    pub(crate) next: u64,
    ahead: BTreeMap<u64, Ahead<M>>,
}

impl<M> Default for Split<M> {
    fn default() -> Self {
        Split { next: 0, ahead: BTreeMap::new() }
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
enum Ahead<M> {
    Finished(SearchReport<M>),
    Paused(SearchReport<M>),
}

impl<M> Ahead<M> {
    fn report(&self) -> &SearchReport<M> {
        match self {
            Ahead::Finished(report) | Ahead::Paused(report) => report,
        }
    }
}

/// Why the tasks ended before the last one, and what the task at the cut and those beyond it had come to.
pub struct CutShort<'s, M> {
    /// Why.
    pub reason: Reason,
    /// The index and report of the task at the cut, if it had begun.
    pub partial: Option<(u64, &'s SearchReport<M>)>,
    /// The tasks beyond the cut, by index; empty where the order of tasks made the cut.
    pub(crate) beyond: Vec<(u64, &'s SearchProgress<M>)>,
}

/// Which sub-search a task is: the moves it starts after, and the expression and stream that repeat it by itself (none
/// for plain playouts, which tell that themselves).
pub struct TaskSlot<'p, M> {
    /// The moves it starts after.
    pub path: &'p [M],
    /// What repeats it by itself.
    pub alone: Option<(&'p Search, Stream)>,
}

impl<M: Copy> CutShort<'_, M> {
    /// What a search has come to, with what the tasks at the cut and beyond it add to `tally`.
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
            tally.absorb_beyond(task.goal(), place(index).path, None, &partial.tally);
        }
        for &(index, beyond) in &self.beyond {
            let TaskSlot { path, alone } = place(index);
            tally.absorb_beyond(task.goal(), path, alone, beyond);
        }
        tally
    }
}

impl<M: Copy + Send + Sync> Split<M> {
    /// Runs all tasks below `count` that are not done yet; `run` runs one, `commit` sees the reports of the finished ones in order.
    ///
    /// `spent` is what the search has already played of its limit; `spread` whether threads are worth it. Returns what stands at the
    /// cut, if not all could be run.
    pub fn in_order<'s>(
        &'s mut self,
        task: &Task<'_, M>,
        count: u64,
        spent: u64,
        spread: bool,
        run: impl Fn(u64, &Task<'_, M>, Option<Frame<M>>) -> SearchReport<M> + Sync,
        commit: impl FnMut(u64, SearchReport<M>) + Send,
    ) -> Option<CutShort<'s, M>> {
        let reason = if spread && task.shared.threads > 1 {
            self.on_many_threads(task, count, spent, &run, commit)
        } else {
            self.on_this_thread(task, count, spent, &run, commit)
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
            let (finished, frame) = self.take_up(self.next, left);
            let report = finished.unwrap_or_else(|| run(self.next, &task.with(task.watch, left), frame));
            if let Some((reason, _)) = &report.cut {
                let reason = *reason;
                self.ahead.insert(self.next, Ahead::Paused(report));
                return Some(reason);
            }
            spent += report.tally.counts.playouts;
            commit(self.next, report);
            self.next += 1;
        }
        None
    }

    /// What is known of a task that is to run with `left` playouts: its report, or the frame to go on from. A task that
    /// ran ahead and played more than that is forgotten, to be run again.
    fn take_up(&mut self, index: u64, left: u64) -> (Option<SearchReport<M>>, Option<Frame<M>>) {
        match self.ahead.remove(&index) {
            Some(Ahead::Finished(report)) if report.tally.counts.playouts <= left => (Some(report), None),
            Some(Ahead::Paused(report)) if report.tally.counts.playouts <= left => {
                (None, report.cut.map(|(_, frame)| frame))
            }
            _ => (None, None),
        }
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
        let split = std::mem::take(self);
        let (running, cut_here) = (BTreeSet::new(), BTreeSet::new());
        let state = State { split, running, cut_here, spent, ended: None, commit };
        let crew = Workers { task, count, run, siblings: &siblings, state: Mutex::new(state) };
        // An earlier life may have left finished tasks at the front.
        crew.commit_what_is_due(&mut crew.lock());
        rayon::scope(|scope| crew.fill(scope));
        let state = crew.state.into_inner().expect("a panic has already left the scope");
        *self = state.split;
        let left = task.limit.saturating_sub(state.spent);
        // Only now is it known that it ran ahead with more playouts than its turn leaves it.
        if self.ahead.get(&self.next).is_some_and(|front| front.report().tally.counts.playouts > left) {
            self.ahead.remove(&self.next);
        }
        debug_assert!(state.ended.is_some() || self.next == count, "tasks are left, and nobody works on them");
        state.ended
    }

    fn cut_short(&self, reason: Reason) -> CutShort<'_, M> {
        let partial = self.ahead.get(&self.next).map(|ahead| (self.next, ahead.report()));
        let beyond = match reason {
            Reason::Time | Reason::Cancel | Reason::Found => {
                self.ahead.range(self.next + 1..).map(|(&index, ahead)| (index, &ahead.report().tally)).collect()
            }
            _ => Vec::new(),
        };
        CutShort { reason, partial, beyond }
    }
}

/// The threads at work on one split.
struct Workers<'c, M, R, C> {
    task: &'c Task<'c, M>,
    count: u64,
    run: &'c R,
    siblings: &'c Siblings,
    state: Mutex<State<M, C>>,
}

struct State<M, C> {
    split: Split<M>,
    running: BTreeSet<u64>,
    /// Tasks that were cut since these threads are at work. Others were cut in an earlier life, and go on.
    cut_here: BTreeSet<u64>,
    spent: u64,
    ended: Option<Reason>,
    commit: C,
}

impl<M, R, C> Workers<'_, M, R, C>
where
    M: Copy + Send + Sync,
    R: Fn(u64, &Task<'_, M>, Option<Frame<M>>) -> SearchReport<M> + Sync,
    C: FnMut(u64, SearchReport<M>) + Send,
{
    /// Starts as many tasks as there are threads. Each starts its successor when it ends, rather than a worker looping:
    /// a thread that waits for a sub-task may run any task meanwhile, and must be back soon.
    fn fill<'s>(&'s self, scope: &Scope<'s>) {
        let mut state = self.lock();
        while state.running.len() < self.task.shared.threads {
            let Some((index, limit, frame)) = self.pick(&mut state) else { break };
            state.running.insert(index);
            scope.spawn(move |scope| {
                let watch = Watch::sub_task(self.task.watch, self.siblings, index);
                let report = (self.run)(index, &self.task.with(&watch, limit), frame);
                self.take(index, report);
                self.fill(scope);
            });
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State<M, C>> {
        self.state.lock().expect("a panic in a task ends the whole scope")
    }

    /// The first task that nobody works on and that is still wanted.
    fn pick(&self, state: &mut State<M, C>) -> Option<(u64, u64, Option<Frame<M>>)> {
        if state.ended.is_some() {
            return None;
        }
        if let Some(reason) = self.task.watch.reason() {
            state.ended = Some(reason);
            return None;
        }
        let left = self.task.limit.saturating_sub(state.spent);
        let next = state.split.next;
        let end = self.count.min(next.saturating_add(AHEAD * self.task.shared.threads as u64));
        let last = self.siblings.last.load(Ordering::Relaxed);
        // What has run ahead may already be more than the budget will ever let count.
        let ahead: u64 = state.split.ahead.values().map(|ahead| ahead.report().tally.counts.playouts).sum();
        let end = if ahead < left { end } else { end.min(next + 1) };
        let index = (next..end).take_while(|&index| index <= last).find(|index| {
            !state.running.contains(index)
                && !state.cut_here.contains(index)
                && match state.split.ahead.get(index) {
                    None => true,
                    Some(Ahead::Finished(_)) => false,
                    Some(Ahead::Paused(report)) => *index == next || report.tally.counts.playouts < left,
                }
        })?;
        let (_, frame) = state.split.take_up(index, left);
        Some((index, left, frame))
    }

    fn take(&self, index: u64, report: SearchReport<M>) {
        let mut state = self.lock();
        state.running.remove(&index);
        match &report.cut {
            // Not wanted any more: as if it had never run.
            Some((Reason::Dropped, _)) if index > self.siblings.last.load(Ordering::Relaxed) => {}
            Some((reason, _)) => {
                if *reason == Reason::Target {
                    self.siblings.last.fetch_min(index, Ordering::Relaxed);
                }
                state.cut_here.insert(index);
                state.split.ahead.insert(index, Ahead::Paused(report));
            }
            None => {
                state.split.ahead.insert(index, Ahead::Finished(report));
            }
        }
        self.commit_what_is_due(&mut state);
    }

    fn commit_what_is_due(&self, state: &mut State<M, C>) {
        while state.ended.is_none() {
            let next = state.split.next;
            let left = self.task.limit.saturating_sub(state.spent);
            match state.split.ahead.remove(&next) {
                Some(Ahead::Finished(report)) if report.tally.counts.playouts <= left => {
                    state.spent += report.tally.counts.playouts;
                    state.split.next += 1;
                    self.siblings.first.store(state.split.next, Ordering::Relaxed);
                    (state.commit)(next, report);
                }
                Some(Ahead::Paused(report)) if report.tally.counts.playouts <= left => {
                    if state.cut_here.contains(&next) {
                        state.ended = report.cut.as_ref().map(|(reason, _)| *reason);
                        // Time does not make the others superfluous: they hear of it themselves, and may have found more.
                        if matches!(state.ended, Some(Reason::Playouts | Reason::Target)) {
                            self.siblings.last.fetch_min(next, Ordering::Relaxed);
                        }
                    }
                    state.split.ahead.insert(next, Ahead::Paused(report));
                    return;
                }
                // It ran ahead with more playouts than its turn leaves it: again, from the beginning.
                Some(_) | None => {
                    state.cut_here.remove(&next);
                    return;
                }
            }
        }
    }
}
