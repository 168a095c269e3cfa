//! Records a run in the store while it runs.

use std::collections::HashSet;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nestling::{Cancel, Certified, Counts, Event, Find, Improvement, Journal, Outcome, RunError, Spent};
use nestling_registry::{Controls, Instance, Ready, RunSpec};

use crate::clock::Moment;
use crate::lease::Lease;
use crate::run::StoredCheckpoint;
use crate::writer::Writer;
use crate::{Store, StoreError};

/// How a recorder works.
#[derive(Clone, Debug)]
pub struct RecorderSettings {
    /// A new run shorter than this leaves no trace, unless it is a batch of thousands: it is sooner made again than looked up.
    pub min_duration: Duration,
    /// The time between heartbeats.
    pub heartbeat: Duration,
    /// Stops the run should another process take it over.
    pub cancel: Cancel,
}

impl RecorderSettings {
    /// For a run with checkpoints this far apart: the heartbeat is a second or the interval, the shortest run a little less, because a run of a
    /// second is over a little before.
    pub fn new(checkpoint: Duration, cancel: Cancel) -> Self {
        let short = checkpoint.clamp(Duration::from_millis(50), Duration::from_secs(1));
        RecorderSettings { min_duration: short.mul_f64(0.9), heartbeat: short, cancel }
    }
}

/// A job for the writing thread.
pub(crate) enum Entry {
    Improvement {
        number: u64,
        improvement: Improvement,
        identity: Option<Vec<u8>>,
        seed: u64,
        found: Moment,
    },
    Find {
        game: Improvement,
        identity: Vec<u8>,
        seed: u64,
        found: Moment,
    },
    Checkpoint {
        number: u64,
        bytes: Vec<u8>,
        spent: Spent,
    },
    Outcome {
        number: u64,
        outcome: Box<Outcome>,
        identity: Option<Vec<u8>>,
        seed: u64,
        found: Moment,
        keeps_game: bool,
    },
    End {
        done: bool,
    },
}

/// The best scores of a run.
#[derive(Clone, Copy, Default)]
pub(crate) struct Best {
    pub improvement: Option<f64>,
    pub outcome: Option<f64>,
}

/// The data that the writing thread shares with the others.
#[derive(Default)]
pub(crate) struct Shared {
    /// The run's number, once it has one.
    pub run: OnceLock<i64>,
    /// Playouts that this process has played, and when it was last heard how many.
    pub played: Mutex<(u64, Option<Instant>)>,
    /// Errors that were not reported yet.
    pub failure: Mutex<Option<String>>,
    /// The best scores that were sent to the writing thread, or were in the store before.
    pub best: Mutex<Best>,
    /// A game must be better than this to enter the hall of fame; none if the hall is not full.
    pub least_famous: Mutex<Option<f64>>,
    /// The families of which a game is known, as far as games are kept that are not the best.
    pub families: Mutex<HashSet<Vec<u8>>>,
}

impl Shared {
    pub fn fail(&self, reason: String) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
    }
}

/// Keeps a run in a store. Everything goes to a thread of its own, in order: a disk that is slow, busy or full never holds the
/// search up, and what could not be written is tried again with the next heartbeat.
pub struct Recorder {
    entries: Sender<Entry>,
    shared: Arc<Shared>,
    writer: Mutex<Option<JoinHandle<Result<(), StoreError>>>>,
    /// For a batch, whose runs have clocks of their own: when this leg began, and what was spent before it.
    batch: Option<(Instant, Spent)>,
}

impl Recorder {
    /// Records a new run as soon as it has lasted long enough to be stored.
    pub fn begin(store: Store, spec: RunSpec, settings: RecorderSettings) -> Self {
        Recorder::start(store, spec, None, Best::default(), Spent::default(), settings)
    }

    /// Records a run that this process has [taken](Store::take).
    pub fn go_on(store: Store, lease: Lease, settings: RecorderSettings) -> Result<Self, StoreError> {
        let info = store.run(lease.run)?;
        let best = Best { improvement: info.best, outcome: info.best_outcome };
        Ok(Recorder::start(store, info.spec, Some(lease), best, info.spent, settings))
    }

    fn start(
        store: Store,
        spec: RunSpec,
        lease: Option<Lease>,
        best: Best,
        spent: Spent,
        settings: RecorderSettings,
    ) -> Self {
        let batch = (spec.runs > 1).then(|| (Instant::now(), spent));
        let shared = Arc::new(Shared { best: Mutex::new(best), ..Shared::default() });
        if let Some(lease) = lease {
            shared.run.set(lease.run).expect("nobody has set it yet");
        }
        let (sender, entries) = mpsc::channel();
        let writer = Writer::new(store, spec, lease, settings, Arc::clone(&shared));
        let writer = std::thread::spawn(move || writer.write(&entries));
        Recorder { entries: sender, shared, writer: Mutex::new(Some(writer)), batch }
    }

    /// Of these families games are known already: of other games that are worth keeping those of new families are.
    pub fn know(&self, families: impl IntoIterator<Item = Vec<u8>>) {
        self.shared.families.lock().unwrap_or_else(PoisonError::into_inner).extend(families);
    }

    /// The run's number in the store, once it has one.
    pub fn run(&self) -> Option<i64> {
        self.shared.run.get().copied()
    }

    /// The journal of one number of the run, with its seed and what earlier legs of it have spent.
    pub fn journal<'a>(&'a self, problem: &'a dyn Instance, number: u64, seed: u64, spent: Spent) -> RunJournal<'a> {
        let before = self.batch.map(|(began, before)| Spent {
            time: (before.time + began.elapsed()).saturating_sub(spent.time),
            work: Counts {
                playouts: (before.work.playouts + self.played()).saturating_sub(spent.work.playouts),
                moves: 0,
            },
        });
        RunJournal { recorder: self, problem, number, seed, counted: spent.work.playouts, before }
    }

    /// Carries out one number of the run, from its last checkpoint if there is one, and stores its result.
    pub fn solve(
        &self,
        ready: &Ready,
        number: u64,
        left: Option<StoredCheckpoint>,
        mut controls: Controls<'_>,
    ) -> Result<Outcome, RunError> {
        let spent = left.as_ref().map_or(Spent::default(), |taken| taken.spent);
        let mut journal = self.journal(ready.problem(), number, ready.seed(), spent);
        let mut listener = controls.listener.take();
        let mut hear = |event: &Event| {
            if let Some(listener) = &mut listener {
                listener(event);
            }
        };
        let kept = controls.kept_by(&mut journal, left.map(StoredCheckpoint::into_resume));
        let outcome = ready.start(Controls { listener: Some(&mut hear), ..kept })?;
        if let Err(reason) = journal.outcome(&outcome) {
            hear(&Event::JournalFailed(reason));
        }
        Ok(outcome)
    }

    /// Writes all that is left, gives the run back, and says what its number is; none if it was too short to be kept.
    pub fn finish(&self, done: bool) -> Result<Option<i64>, StoreError> {
        self.send(Entry::End { done });
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        match writer.map(JoinHandle::join) {
            None => Ok(self.run()),
            Some(Ok(written)) => written.map(|()| self.run()),
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        }
    }

    fn send(&self, entry: Entry) {
        // The writer leaves early only when the run is not ours any more.
        let _ = self.entries.send(entry);
    }

    /// Playouts that this process has played, as far as has been heard.
    fn played(&self) -> u64 {
        self.shared.played.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    /// The errors since the last call.
    fn failure(&self) -> Result<(), String> {
        let failure = self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(Ok(()), Err)
    }
}

impl Drop for Recorder {
    /// A run that is stopped is released, so that it can be resumed.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = self.finish(false);
        }
    }
}

/// The [`Journal`] of one number of a run.
pub struct RunJournal<'a> {
    recorder: &'a Recorder,
    problem: &'a dyn Instance,
    number: u64,
    seed: u64,
    /// Playouts that are in the recorder's count already, or were played by other processes.
    counted: u64,
    /// The time and work that the whole batch had spent when this number of it began.
    before: Option<Spent>,
}

impl RunJournal<'_> {
    fn count(&mut self, playouts: u64) {
        let more = playouts.saturating_sub(self.counted);
        self.counted += more;
        let mut played = self.recorder.shared.played.lock().unwrap_or_else(PoisonError::into_inner);
        *played = (played.0 + more, Some(Instant::now()));
    }

    /// What a game is known by in the hall of fame, if it may enter it. Finding that out takes longer than many a search.
    fn identity(&self, game: &Certified) -> Result<Option<Vec<u8>>, String> {
        let least = *self.recorder.shared.least_famous.lock().unwrap_or_else(PoisonError::into_inner);
        if least.is_some_and(|least| self.problem.goal().value(game.score()) <= least) {
            return Ok(None);
        }
        self.problem.identity(game).map(Some).map_err(|illegal| illegal.to_string())
    }

    /// Stores the result of this number. An interrupted number has no result yet, only its checkpoint. In a batch only
    /// the best keep their moves; the seed finds the others again.
    pub fn outcome(mut self, outcome: &Outcome) -> Result<(), String> {
        self.count(outcome.work.playouts);
        if !outcome.stop.is_interruption() {
            let identity = outcome.game().map(|game| self.identity(game)).transpose()?.flatten();
            let (number, seed, found) = (self.number, self.seed, Moment::now());
            let mut best = self.recorder.shared.best.lock().unwrap_or_else(PoisonError::into_inner);
            let goal = self.problem.goal();
            let is_worse =
                matches!((best.outcome, outcome.score()), (Some(best), Some(score)) if goal.better(best, score));
            let keeps_game = self.recorder.batch.is_none() || !is_worse;
            let is_needed = keeps_game || identity.is_some();
            let outcome = Box::new(if is_needed { outcome.clone() } else { outcome.bare() });
            if !is_worse {
                best.outcome = outcome.score().or(best.outcome);
            }
            self.recorder.send(Entry::Outcome { number, outcome, identity, seed, found, keeps_game });
        }
        self.recorder.failure()
    }
}

impl Journal for RunJournal<'_> {
    fn improvement(&mut self, improvement: &Improvement) -> Result<(), String> {
        let mut best = self.recorder.shared.best.lock().unwrap_or_else(PoisonError::into_inner);
        // A run that continues from a checkpoint finds again what was found after it. A batch has one best, too.
        if best.improvement.is_some_and(|best| !self.problem.goal().better(improvement.score(), best)) {
            return self.recorder.failure();
        }
        best.improvement = Some(improvement.score());
        let (identity, mut improvement) = (self.identity(&improvement.game)?, improvement.clone());
        if let Some(before) = self.before {
            improvement.elapsed += before.time;
            improvement.playouts += before.work.playouts;
        }
        let (number, seed, found) = (self.number, self.seed, Moment::now());
        self.recorder.send(Entry::Improvement { number, improvement, identity, seed, found });
        self.recorder.failure()
    }

    /// Keeps a game of a family that is new.
    fn find(&mut self, find: &Find) -> Result<(), String> {
        let game = &find.found.game;
        let family = self.problem.family(game).map_err(|illegal| illegal.to_string())?;
        let is_new = self.recorder.shared.families.lock().unwrap_or_else(PoisonError::into_inner).insert(family);
        if is_new && let Some(identity) = self.identity(game)? {
            let (game, seed, found) = (find.found.clone(), self.seed, Moment::now());
            self.recorder.send(Entry::Find { game, identity, seed, found });
        }
        self.recorder.failure()
    }

    fn checkpoint(&mut self, bytes: &[u8], spent: Spent) -> Result<(), String> {
        self.count(spent.work.playouts);
        self.recorder.send(Entry::Checkpoint { number: self.number, bytes: bytes.to_vec(), spent });
        self.recorder.failure()
    }

    fn progress(&mut self, spent: Spent) -> Result<(), String> {
        self.count(spent.work.playouts);
        self.recorder.failure()
    }
}
