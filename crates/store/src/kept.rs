//! A run that is being kept, with what earlier processes have left of it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use nestling::{Outcome, Spent};
use nestling_registry::{BatchKeeper, Instance, OutcomeJournal, Resume, RunSpec};

use crate::lease::Lease;
use crate::recorder::{Recorder, RecorderSettings, RunJournal};
use crate::run::StoredCheckpoint;
use crate::{Store, StoreError};

/// A run that is being kept: its recorder, what is finished of a batch, and where the rest was left.
pub struct KeptRun {
    recorder: Recorder,
    outcomes: BTreeMap<u64, Outcome>,
    left: Mutex<BTreeMap<u64, StoredCheckpoint>>,
}

impl KeptRun {
    /// Keeps a new run as soon as it has lasted long enough to be stored.
    pub fn begin(store: Store, spec: RunSpec, settings: RecorderSettings) -> Self {
        let (outcomes, left) = Default::default();
        KeptRun { recorder: Recorder::begin(store, spec, settings), outcomes, left }
    }

    /// Goes on keeping a run that this process has [taken](Store::take), and that is to do this now.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn go_on(
        mut store: Store,
        lease: Lease,
        spec: &RunSpec,
        settings: RecorderSettings,
    ) -> Result<Self, StoreError> {
        let run = lease.run();
        if *spec != store.run(run)?.spec {
            store.change(lease, spec)?;
        }
        let (mut outcomes, mut left) = (BTreeMap::new(), BTreeMap::new());
        if spec.runs > 1 {
            outcomes.extend(store.outcomes(run)?.into_iter().map(|finished| (finished.number, finished.outcome)));
        }
        for number in store.checkpointed(run)? {
            left.extend(store.checkpoint(run, number)?.map(|taken| (number, taken)));
        }
        Ok(KeptRun { recorder: Recorder::go_on(store, lease, settings)?, outcomes, left: Mutex::new(left) })
    }

    /// Writes it down.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// The last checkpoint of one number of the run; taken by the first call.
    pub fn taken(&self, number: u64) -> Option<StoredCheckpoint> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).remove(&number)
    }

    /// Whether a last checkpoint is damaged, and the one before is there instead.
    pub fn is_damaged(&self) -> bool {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).values().any(|taken| taken.instead)
    }
}

impl BatchKeeper for KeptRun {
    fn outcome(&self, number: u64) -> Option<&Outcome> {
        self.outcomes.get(&number)
    }

    fn left(&self, number: u64) -> Option<Resume> {
        self.taken(number).map(StoredCheckpoint::into_resume)
    }

    fn journal<'a>(
        &'a self,
        problem: &'a dyn Instance,
        number: u64,
        seed: u64,
        spent: Spent,
    ) -> Box<dyn OutcomeJournal + 'a> {
        Box::new(self.recorder.journal(problem, number, seed, spent))
    }
}

impl OutcomeJournal for RunJournal<'_> {
    fn outcome(self: Box<Self>, outcome: &Outcome) -> Result<(), String> {
        RunJournal::outcome(*self, outcome)
    }
}
