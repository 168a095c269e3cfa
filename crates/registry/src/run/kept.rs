//! Batches that are kept while others make their runs.

use std::collections::BTreeMap;

use nestling::{Improvement, Journal, Outcome, Spent};

use super::start_on::RunBatch;
use super::{Ready, Resume};
use crate::instance::Instance;

/// Keeps the runs of a batch, and knows what earlier processes have made of them.
pub trait BatchKeeper {
    /// The result of a finished run.
    fn outcome(&self, run: u64) -> Option<&Outcome>;
    /// The state in which a run was left.
    fn left(&self, run: u64) -> Option<Resume>;
    /// Keeps a run from now on, of which so much was spent before.
    fn journal<'a>(
        &'a self,
        problem: &'a dyn Instance,
        run: u64,
        seed: u64,
        spent: Spent,
    ) -> Box<dyn OutcomeJournal + 'a>;
}

/// A journal that also stores the result of a run.
pub trait OutcomeJournal: Journal {
    /// Keeps it.
    ///
    /// # Errors
    ///
    /// When it cannot be kept, and why.
    fn outcome(self: Box<Self>, outcome: &Outcome) -> Result<(), String>;
}

/// Receives the events of a batch that may be stored.
pub trait BatchListener {
    /// Whether a run may begin now; the driver asks again when something has come back.
    fn may_begin(&self, _run: u64) -> bool {
        true
    }
    /// A better game of a run.
    fn improvement(&mut self, run: u64, improvement: &Improvement);
    /// Something went wrong that costs only time, or could not be kept.
    fn trouble(&mut self, reason: &str);
    /// The result of a run, now or in an earlier process.
    fn done(&mut self, run: u64, outcome: Outcome);
    /// Whether the batch should stop.
    fn is_cancelled(&self) -> bool;
}

/// The runs of a batch in order, except those that are finished.
pub struct KeptBatch<'a> {
    ready: &'a Ready,
    keeper: Option<&'a dyn BatchKeeper>,
    listener: &'a mut dyn BatchListener,
    next: u64,
    /// The stored state of the runs that are being made.
    journals: BTreeMap<u64, Box<dyn OutcomeJournal + 'a>>,
}

impl<'a> KeptBatch<'a> {
    /// The runs of a batch, stored by a keeper if there is one.
    pub fn new(ready: &'a Ready, keeper: Option<&'a dyn BatchKeeper>, listener: &'a mut dyn BatchListener) -> Self {
        KeptBatch { ready, keeper, listener, next: 0, journals: BTreeMap::new() }
    }

    fn told(&mut self, kept: Result<(), String>) {
        if let Err(reason) = kept {
            self.listener.trouble(&reason);
        }
    }
}

impl RunBatch for KeptBatch<'_> {
    fn next(&mut self) -> Option<(u64, Option<Resume>)> {
        while self.has_more() && self.listener.may_begin(self.next) {
            let number = self.next;
            self.next += 1;
            let Some(keeper) = self.keeper else { return Some((number, None)) };
            if let Some(outcome) = keeper.outcome(number) {
                self.listener.done(number, outcome.clone());
                continue;
            }
            let left = keeper.left(number);
            let spent = left.as_ref().map_or_else(Spent::default, |(_, spent)| *spent);
            let seed = self.ready.spec().seed_of(number);
            self.journals.insert(number, keeper.journal(self.ready.problem(), number, seed, spent));
            return Some((number, left));
        }
        None
    }

    fn has_more(&self) -> bool {
        self.next < self.ready.spec().runs
    }

    fn improvement(&mut self, run: u64, improvement: &Improvement) {
        let kept = self.journals.get_mut(&run).map_or(Ok(()), |journal| journal.improvement(improvement));
        self.told(kept);
        self.listener.improvement(run, improvement);
    }

    fn trouble(&mut self, reason: &str) {
        self.listener.trouble(reason);
    }

    fn checkpoint(&mut self, run: u64, bytes: &[u8], spent: Spent) {
        let kept = self.journals.get_mut(&run).map_or(Ok(()), |journal| journal.checkpoint(bytes, spent));
        self.told(kept);
    }

    fn done(&mut self, run: u64, outcome: Outcome) {
        let kept = self.journals.remove(&run).map_or(Ok(()), |journal| journal.outcome(&outcome));
        self.told(kept);
        self.listener.done(run, outcome);
    }

    fn is_cancelled(&self) -> bool {
        self.listener.is_cancelled()
    }
}
