//! Writes a run down while it goes on.

use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nestling::{Cancel, Counts, Event, Improvement, Journal, RunError, Spent};
use nestling_registry::{Instance, Order, Solved};

use crate::clock::Moment;
use crate::lease::{Lease, begin_at};
use crate::read::Taken;
use crate::spec::Spec;
use crate::writer::{Best, Writer};
use crate::{Store, StoreError};

/// How a recorder works.
#[derive(Clone, Debug)]
pub struct Settings {
    /// A new run shorter than this leaves no trace: it is sooner made again than looked up.
    pub moment: Duration,
    /// The time between heartbeats.
    pub pulse: Duration,
    /// Stops the run should another process take it over.
    pub cancel: Cancel,
}

impl Settings {
    /// For a run with checkpoints this far apart: the heartbeat is a second or the interval, and a moment a little less, because a run of a
    /// second is over a little before.
    pub fn new(checkpoint: Duration, cancel: Cancel) -> Self {
        let short = checkpoint.clamp(Duration::from_millis(50), Duration::from_secs(1));
        Settings { moment: short.mul_f64(0.9), pulse: short, cancel }
    }
}

/// What is written, by a thread of its own.
pub(crate) enum Entry {
    Improvement { number: u64, improvement: Improvement, identity: Vec<u8>, seed: u64, found: Moment },
    Checkpoint { number: u64, bytes: Vec<u8>, spent: Spent },
    Outcome { number: u64, solved: Box<Solved>, identity: Vec<u8>, seed: u64, found: Moment },
    End { done: bool },
}

/// What the writing thread and the others share.
#[derive(Default)]
pub(crate) struct Shared {
    /// The run's number, once it has one.
    pub run: OnceLock<i64>,
    /// Playouts that this process has played, and when it was last heard how many.
    pub played: Mutex<(u64, Option<Instant>)>,
    /// What went wrong and nobody has been told yet.
    pub failure: Mutex<Option<String>>,
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
    /// Records a new run, from the moment on that it is worth it.
    pub fn begin(store: Store, spec: Spec, settings: Settings) -> Self {
        Recorder::start(store, spec, None, Best::default(), Spent::default(), settings)
    }

    /// Records a run that this process has [taken](Store::take).
    pub fn go_on(store: Store, lease: Lease, settings: Settings) -> Result<Self, StoreError> {
        let info = store.run(lease.run)?;
        if let Some(taken) = store.checkpoint(lease.run, 0)?.filter(|_| info.spec.runs == 1) {
            begin_at(&store.connection, lease, taken.spent).map_err(|error| store.failed(&error))?;
        }
        let goal = info.spec.goal();
        let scores = store.outcomes(lease.run)?.into_iter().filter_map(|outcome| outcome.solved.scored());
        let outcome = scores.reduce(|best, score| if goal.better(score, best) { score } else { best });
        let best = Best { improvement: info.best, outcome };
        Ok(Recorder::start(store, info.spec, Some(lease), best, info.spent, settings))
    }

    fn start(store: Store, spec: Spec, lease: Option<Lease>, best: Best, spent: Spent, settings: Settings) -> Self {
        let batch = (spec.runs > 1).then(|| (Instant::now(), spent));
        let shared = Arc::new(Shared::default());
        if let Some(lease) = lease {
            shared.run.set(lease.run).expect("nobody has set it yet");
        }
        let (sender, entries) = mpsc::channel();
        let writer = Writer::new(store, spec, lease, best, settings, Arc::clone(&shared));
        let writer = std::thread::spawn(move || writer.write(&entries));
        Recorder { entries: sender, shared, writer: Mutex::new(Some(writer)), batch }
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

    /// Carries out one number of the run, from the checkpoint where it was left if there is one, and keeps what it comes to.
    pub fn solve(
        &self,
        problem: &dyn Instance,
        number: u64,
        order: &Order,
        left: Option<Taken>,
        interval: Duration,
        listener: &mut dyn FnMut(&Event),
    ) -> Result<Solved, RunError> {
        let spent = left.as_ref().map_or(Spent::default(), |taken| taken.spent);
        let order = Order { resume: left.map(|taken| (taken.bytes, taken.spent)), ..order.clone() };
        let mut journal = self.journal(problem, number, order.seed, spent);
        let kept: (&mut dyn Journal, _) = (&mut journal, interval);
        let solved = problem.solve(&order, listener, Some(kept))?;
        if let Err(reason) = journal.outcome(&solved) {
            listener(&Event::JournalFailed(reason));
        }
        Ok(solved)
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

    /// What went wrong since somebody asked last.
    fn failure(&self) -> Result<(), String> {
        let failure = self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(Ok(()), Err)
    }
}

impl Drop for Recorder {
    /// A run that is given up is given back, to be gone on with.
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
    /// What the whole batch had spent when this number of it began.
    before: Option<Spent>,
}

impl RunJournal<'_> {
    fn count(&mut self, playouts: u64) {
        let more = playouts.saturating_sub(self.counted);
        self.counted += more;
        let mut played = self.recorder.shared.played.lock().unwrap_or_else(PoisonError::into_inner);
        *played = (played.0 + more, Some(Instant::now()));
    }

    fn identity(&self, moves: &[String]) -> Result<Vec<u8>, String> {
        self.problem.identity(moves).map_err(|illegal| illegal.to_string())
    }

    /// Keeps what this number came to. One that was broken off has come to nothing yet: its checkpoint is all there is.
    pub fn outcome(mut self, solved: &Solved) -> Result<(), String> {
        self.count(solved.work.playouts);
        if !solved.stop.is_interruption() {
            let identity = if solved.complete { self.identity(&solved.moves)? } else { Vec::new() };
            let solved = Box::new(solved.clone());
            let (number, seed) = (self.number, self.seed);
            self.recorder.send(Entry::Outcome { number, solved, identity, seed, found: Moment::now() });
        }
        self.recorder.failure()
    }
}

impl Journal for RunJournal<'_> {
    fn improvement(&mut self, improvement: &Improvement) -> Result<(), String> {
        let (identity, mut improvement) = (self.identity(&improvement.moves)?, improvement.clone());
        if let Some(before) = self.before {
            improvement.elapsed += before.time;
            improvement.playouts += before.work.playouts;
        }
        let (number, seed, found) = (self.number, self.seed, Moment::now());
        self.recorder.send(Entry::Improvement { number, improvement, identity, seed, found });
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
