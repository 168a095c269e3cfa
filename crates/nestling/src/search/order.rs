//! The order of a search's tasks: which may be made now, which are finished, and which count.
//!
//! **The result is defined by the order of the tasks.** Some are made ahead of their turn; their reports wait until all earlier ones have
//! arrived. A budget in playouts cuts at the first point in that order, and so does a target together with such a budget; tasks after the
//! cut are dropped, and a task that was made ahead with more playouts than are left at its turn is made again with fewer. Time, a person,
//! or a target without such a budget stop all tasks where they are.
//!
//! This file does not depend on who makes the tasks: threads ([`Split`]) or other processes ([`Ledger`](crate::Ledger)).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize, Serializer};

use super::frame::{FrameCheck, require};
use super::report::{SearchProgress, SearchReport};
use super::task::Counts;
use crate::problem::Move;
use crate::watch::Reason;

/// The tasks of a search that are made one after the other, or several at once: all before `next` are done, and some after it. It is part
/// of the search's frame.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub struct Split<M> {
    pub(super) next: u64,
    ahead: Waiting<M>,
}

impl<M> Default for Split<M> {
    fn default() -> Self {
        Split { next: 0, ahead: Waiting { reports: BTreeMap::new(), finished: 0, playouts: 0 } }
    }
}

/// The reports of tasks after the first that is not done, with their cached sums.
#[derive(Debug, Deserialize)]
#[serde(from = "BTreeMap<u64, Ahead<M>>", bound = "M: Move")]
struct Waiting<M> {
    reports: BTreeMap<u64, Ahead<M>>,
    finished: u64,
    playouts: u64,
}

impl<M> From<BTreeMap<u64, Ahead<M>>> for Waiting<M> {
    fn from(reports: BTreeMap<u64, Ahead<M>>) -> Self {
        let finished = reports.values().filter(|ahead| ahead.is_finished()).count() as u64;
        let playouts = reports.values().map(Ahead::playouts).fold(0, u64::saturating_add);
        Waiting { reports, finished, playouts }
    }
}

impl<M: Move> Serialize for Waiting<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.reports.serialize(serializer)
    }
}

impl<M> Waiting<M> {
    fn get(&self, index: u64) -> Option<&Ahead<M>> {
        self.reports.get(&index)
    }

    fn insert(&mut self, index: u64, ahead: Ahead<M>) {
        self.remove(index);
        self.finished += u64::from(ahead.is_finished());
        self.playouts += ahead.playouts();
        self.reports.insert(index, ahead);
    }

    fn remove(&mut self, index: u64) -> Option<Ahead<M>> {
        let ahead = self.reports.remove(&index)?;
        self.finished -= u64::from(ahead.is_finished());
        self.playouts -= ahead.playouts();
        Some(ahead)
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
enum Ahead<M> {
    Finished(SearchReport<M>),
    Paused(SearchReport<M>),
}

impl<M> Ahead<M> {
    fn of(report: SearchReport<M>) -> Self {
        if report.cut.is_some() { Ahead::Paused(report) } else { Ahead::Finished(report) }
    }

    fn is_finished(&self) -> bool {
        matches!(self, Ahead::Finished(_))
    }

    fn report(&self) -> &SearchReport<M> {
        match self {
            Ahead::Finished(report) | Ahead::Paused(report) => report,
        }
    }

    fn playouts(&self) -> u64 {
        self.report().tally.counts.playouts
    }
}

/// Why the tasks ended before the last one, and the results of the task at the cut and of those after it.
pub struct CutShort<'s, M> {
    /// Why.
    pub reason: Reason,
    /// The index and report of the task at the cut, if it had begun.
    pub partial: Option<(u64, &'s SearchReport<M>)>,
    /// The tasks after the cut, by index; empty if the order of tasks made the cut.
    pub(crate) after_cut: Vec<(u64, &'s SearchProgress<M>)>,
}

impl<M> Split<M> {
    /// Whether it can be the state of `count` tasks, of which the unfinished ones have such reports.
    pub(super) fn check(&self, count: u64, is_possible: impl Fn(&SearchReport<M>) -> bool) -> FrameCheck {
        let reports = &self.ahead.reports;
        require(self.next <= count, "it has more tasks than the search")?;
        let are_left = reports.keys().all(|index| (self.next..count).contains(index));
        require(are_left, "it has reports of tasks that are not left")?;
        let fit = |ahead: &Ahead<M>| match ahead {
            Ahead::Finished(report) => report.cut.is_none() && report.result.is_some() && is_possible(report),
            Ahead::Paused(report) => report.cut.is_some(),
        };
        require(reports.values().all(fit), "the report of a task is impossible")?;
        let playouts = reports.values().try_fold(0_u64, |sum, ahead| sum.checked_add(ahead.playouts()));
        require(playouts.is_some(), "its tasks have more playouts than can be counted")
    }

    /// What is known of a task that is to be made with `left` playouts: its report, or its interim report. A task that was made ahead and
    /// played more than `left` is dropped, to be made again.
    pub(super) fn take_up(&mut self, index: u64, left: u64) -> Option<SearchReport<M>> {
        match self.ahead.remove(index) {
            Some(Ahead::Finished(report) | Ahead::Paused(report)) if report.tally.counts.playouts <= left => {
                Some(report)
            }
            _ => None,
        }
    }

    /// Whether nothing is known of any task that is not done.
    #[inline]
    pub(super) fn is_in_order(&self) -> bool {
        self.ahead.reports.is_empty()
    }

    /// Keeps the report of a task that was cut.
    pub(super) fn pause(&mut self, index: u64, report: SearchReport<M>) {
        self.ahead.insert(index, Ahead::Paused(report));
    }

    pub(super) fn cut_short(&self, reason: Reason) -> CutShort<'_, M> {
        let partial = self.ahead.get(self.next).map(|ahead| (self.next, ahead.report()));
        let after_cut = match reason {
            Reason::Time | Reason::Cancel | Reason::Found => self
                .ahead
                .reports
                .range(self.next + 1..)
                .map(|(&index, ahead)| (index, &ahead.report().tally))
                .collect(),
            _ => Vec::new(),
        };
        CutShort { reason, partial, after_cut }
    }
}

/// The state of the tasks while they are made; it is not part of a frame.
#[derive(Debug)]
pub(crate) struct Turns {
    running: BTreeSet<u64>,
    /// Tasks that were cut in this process. Those that were cut before are continued.
    cut_here: BTreeSet<u64>,
    /// The last that is still needed.
    last: u64,
    /// Except for the first that is not done, no task below this one is free.
    free_from: u64,
}

impl Default for Turns {
    fn default() -> Self {
        Turns { running: BTreeSet::new(), cut_here: BTreeSet::new(), last: u64::MAX, free_from: 0 }
    }
}

impl Turns {
    /// Whether a task's result may still count.
    pub fn wants(&self, index: u64) -> bool {
        index <= self.last
    }

    /// The tasks that are being made.
    pub fn running(&self) -> &BTreeSet<u64> {
        &self.running
    }

    /// The tasks whose results cannot count any more.
    pub fn superfluous(&self) -> impl Iterator<Item = u64> {
        self.running.range(self.last.saturating_add(1)..).copied().filter(|&index| !self.wants(index))
    }

    /// This task is no longer being made.
    pub fn give_up(&mut self, index: u64) {
        self.running.remove(&index);
        self.free_from = self.free_from.min(index);
    }
}

/// A task that may be made now: its index, how many playouts it may play, and its frame if it was cut.
#[derive(Debug)]
pub(crate) struct Turn<M> {
    pub index: u64,
    pub limit: u64,
    pub paused: Option<SearchReport<M>>,
}

/// The tasks of one search while they are made.
pub(super) struct Order<'s, M> {
    split: &'s mut Split<M>,
    turns: &'s mut Turns,
    count: u64,
    /// How many playouts the search may play, and has played.
    limit: u64,
    spent: u64,
    /// How many tasks may be made ahead of the first unfinished one.
    width: u64,
    ended: Option<Reason>,
}

impl<'s, M> Order<'s, M> {
    pub fn new(
        split: &'s mut Split<M>,
        turns: &'s mut Turns,
        count: u64,
        [limit, spent]: [u64; 2],
        width: u64,
    ) -> Self {
        Order { split, turns, count, limit, spent, width, ended: None }
    }

    /// The first task that is not done.
    pub fn first(&self) -> u64 {
        self.split.next
    }

    /// How many tasks are done, including those that wait for their turn.
    pub fn done(&self) -> u64 {
        self.split.next + self.split.ahead.finished
    }

    /// The last task that is still needed.
    pub fn last(&self) -> u64 {
        self.turns.last
    }

    /// How many tasks are being made.
    pub fn running(&self) -> usize {
        self.turns.running.len()
    }

    /// Playouts that are left for the first task that is not done.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.spent)
    }

    /// The first task that is needed and not being made; none as soon as there is a reason to stop.
    pub fn next(&mut self, stop: Option<Reason>) -> Option<Turn<M>> {
        self.ended = self.ended.or(stop);
        if self.ended.is_some() {
            return None;
        }
        let (left, next) = (self.left(), self.split.next);
        let end = self.count.min(next.saturating_add(self.width));
        // The tasks made ahead may already exceed the budget.
        let end = if self.split.ahead.playouts < left { end } else { end.min(next + 1) };
        let is_free = |index: u64| {
            !self.turns.running.contains(&index)
                && !self.turns.cut_here.contains(&index)
                && match self.split.ahead.get(index) {
                    None => true,
                    Some(Ahead::Finished(_)) => false,
                    Some(paused) => index == next || paused.playouts() < left,
                }
        };
        let later = self.turns.free_from.max(next + 1)..end;
        let mut wanted = (next..end.min(next + 1)).chain(later).take_while(|&index| self.turns.wants(index));
        let found = wanted.find(|&index| is_free(index));
        self.turns.free_from = found.map_or(self.turns.free_from.max(end), |index| self.turns.free_from.max(index));
        let index = found?;
        let paused = self.split.take_up(index, left);
        self.turns.running.insert(index);
        Some(Turn { index, limit: left, paused })
    }

    /// Takes the report of a task.
    pub fn take(&mut self, index: u64, report: SearchReport<M>) {
        self.turns.running.remove(&index);
        match &report.cut {
            // No longer needed: as if it had never been made.
            Some((Reason::Dropped, _)) if !self.turns.wants(index) => return,
            Some((Reason::Target, _)) => {
                self.turns.last = self.turns.last.min(index);
                self.turns.cut_here.insert(index);
            }
            Some(_) => drop(self.turns.cut_here.insert(index)),
            None => {}
        }
        self.split.ahead.insert(index, Ahead::of(report));
    }

    /// Takes a report that may be late or repeated, of a task that was allowed so many playouts. Of two reports of one task the more
    /// advanced counts. An interim report is kept, so that the task can be continued. Returns the counts of the task that were known
    /// before; nothing if the report is not new.
    pub fn bring(&mut self, index: u64, report: SearchReport<M>, limit: Option<u64>) -> Option<Counts> {
        let is_final = match report.cut.as_ref().map(|(reason, _)| *reason) {
            None | Some(Reason::Target | Reason::Found) => limit.is_some(),
            // The run may have received more playouts since.
            Some(Reason::Playouts) => limit.is_some_and(|limit| limit >= self.left()),
            Some(_) => false,
        };
        let playouts = report.tally.counts.playouts;
        let known = self.split.ahead.get(index);
        // It cannot count at its turn, and will be made again with fewer playouts.
        let is_too_long = index == self.split.next && playouts > self.left();
        let is_known = index < self.split.next
            || is_too_long
            || known.is_some_and(|known| match known {
                Ahead::Finished(_) => true,
                Ahead::Paused(_) if report.cut.is_none() => false,
                paused if paused.playouts() == playouts => !is_final || self.turns.cut_here.contains(&index),
                paused => paused.playouts() > playouts,
            });
        let before = known.map_or(Counts::default(), |known| known.report().tally.counts);
        match is_known {
            true if is_final => self.turns.give_up(index),
            true => {}
            false if is_final => self.take(index, report),
            false => self.split.ahead.insert(index, Ahead::of(report)),
        }
        (!is_known).then_some(before)
    }

    /// The report of the next task in order, once it has arrived. At the cut it returns none and stores why the tasks end.
    pub fn due(&mut self) -> Option<(u64, SearchReport<M>)> {
        if self.ended.is_some() {
            return None;
        }
        let (next, left) = (self.split.next, self.left());
        match self.split.ahead.remove(next) {
            Some(Ahead::Finished(report)) if report.tally.counts.playouts <= left => {
                self.spent += report.tally.counts.playouts;
                self.split.next += 1;
                return Some((next, report));
            }
            Some(Ahead::Paused(report)) if report.tally.counts.playouts <= left => {
                if self.turns.cut_here.contains(&next) {
                    self.ended = report.cut.as_ref().map(|(reason, _)| *reason);
                    // Time does not make the others superfluous: they notice it themselves, and may have found more.
                    if matches!(self.ended, Some(Reason::Playouts | Reason::Target)) {
                        self.turns.last = self.turns.last.min(next);
                    }
                }
                self.split.pause(next, report);
            }
            // It was made ahead with more playouts than are left at its turn: it starts again.
            Some(_) | None => drop(self.turns.cut_here.remove(&next)),
        }
        None
    }

    /// Why the tasks ended before the last one, if they did.
    pub fn end(self) -> Option<Reason> {
        let left = self.left();
        // Only now is it known that it was made ahead with more playouts than are left at its turn.
        if self.split.ahead.get(self.split.next).is_some_and(|front| front.playouts() > left) {
            self.split.ahead.remove(self.split.next);
        }
        self.ended
    }

    /// Whether the last task is done.
    pub fn is_done(&self) -> bool {
        self.split.next == self.count
    }
}
