//! The thread that writes: what has come in since the last time, in one transaction, with a heartbeat.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Transaction, TransactionBehavior};

use crate::lease::{Lease, beat, begin_leg, end_leg};
use crate::machine::Process;
use crate::recorder::{Entry, Settings, Shared};
use crate::spec::Spec;
use crate::write::{self, Candidate};
use crate::{Store, StoreError};

/// How often the end of a run is tried to be written where the disk is full or the store busy.
const TRIES: u32 = 3;

pub(crate) struct Writer {
    store: Store,
    spec: Spec,
    settings: Settings,
    shared: Arc<Shared>,
    lease: Option<Lease>,
    began: Instant,
    /// What is not written yet.
    pending: Vec<Entry>,
    best: Best,
    /// Whether the last attempt failed; people are told once.
    failing: bool,
}

/// The best scores that are written.
#[derive(Clone, Copy, Default)]
pub(crate) struct Best {
    pub improvement: Option<f64>,
    pub outcome: Option<f64>,
}

impl Writer {
    pub fn new(
        store: Store,
        spec: Spec,
        lease: Option<Lease>,
        best: Best,
        settings: Settings,
        shared: Arc<Shared>,
    ) -> Self {
        Writer {
            store,
            spec,
            settings,
            shared,
            lease,
            began: Instant::now(),
            pending: Vec::new(),
            best,
            failing: false,
        }
    }

    /// Writes until the run ends; an error if its end could not be kept.
    pub fn write(mut self, entries: &Receiver<Entry>) -> Result<(), StoreError> {
        loop {
            let over = self.gather(entries);
            if self.lease.is_none() && self.began.elapsed() < self.settings.moment {
                if over {
                    return Ok(());
                }
                continue;
            }
            match self.flush() {
                Ok(()) => self.failing = false,
                Err(error @ StoreError::TakenOver { .. }) => {
                    self.settings.cancel.cancel();
                    self.shared.fail(error.to_string());
                    return Err(error);
                }
                Err(error) if over => return self.insist(error),
                Err(error) => {
                    if !std::mem::replace(&mut self.failing, true) {
                        self.shared.fail(format!("the run cannot be stored for now: {error}"));
                    }
                }
            }
            if over {
                return Ok(());
            }
        }
    }

    /// Tries a few times more to write the end of the run.
    fn insist(&mut self, mut error: StoreError) -> Result<(), StoreError> {
        for _ in 1..TRIES {
            std::thread::sleep(Duration::from_millis(200));
            match self.flush() {
                Ok(()) => return Ok(()),
                Err(again) => error = again,
            }
        }
        Err(error)
    }

    /// Waits for what comes until the next heartbeat; whether the run is over.
    fn gather(&mut self, entries: &Receiver<Entry>) -> bool {
        let due = Instant::now() + self.settings.pulse;
        loop {
            match entries.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(entry) => {
                    let (urgent, over) = (self.is_urgent(&entry), matches!(entry, Entry::End { .. }));
                    self.push(entry);
                    if urgent || over {
                        return over || self.drain(entries);
                    }
                }
                Err(RecvTimeoutError::Timeout) => return false,
                Err(RecvTimeoutError::Disconnected) => {
                    self.push(Entry::End { done: false });
                    return true;
                }
            }
        }
    }

    /// Takes what is there already; whether the run is over.
    fn drain(&mut self, entries: &Receiver<Entry>) -> bool {
        entries.try_iter().for_each(|entry| self.push(entry));
        matches!(self.pending.last(), Some(Entry::End { .. }))
    }

    /// What is worth a write of its own. The outcomes of a batch may come by the thousand, and wait for the next heartbeat.
    fn is_urgent(&self, entry: &Entry) -> bool {
        let worth_it = match entry {
            Entry::Checkpoint { .. } => true,
            Entry::Improvement { improvement, .. } => {
                self.best.improvement.is_none_or(|best| self.spec.goal().better(improvement.score, best))
            }
            Entry::Outcome { .. } | Entry::End { .. } => false,
        };
        worth_it && self.lease.is_some() && !self.failing
    }

    /// Of the checkpoints of a number that wait only the newest is of use.
    fn push(&mut self, entry: Entry) {
        if let Entry::Checkpoint { number: newer, .. } = entry {
            self.pending.retain(|entry| !matches!(entry, Entry::Checkpoint { number, .. } if *number == newer));
        }
        self.pending.push(entry);
    }

    /// Writes all that is pending, or nothing.
    fn flush(&mut self) -> Result<(), StoreError> {
        let written = self.transact();
        let (lease, best) = written.map_err(|error| self.store.failed(&error))?;
        let Some(lease) = lease else { return Err(StoreError::TakenOver { run: self.lease.map_or(0, Lease::run) }) };
        self.lease = Some(lease);
        let _ = self.shared.run.set(lease.run);
        self.best = best;
        self.pending.clear();
        Ok(())
    }

    /// The lease, if it is still ours, and the best scores, once everything is written.
    fn transact(&mut self) -> rusqlite::Result<(Option<Lease>, Best)> {
        let writing = self.store.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let lease = match self.lease {
            Some(lease) => lease,
            None => {
                let run = write::add_run(&writing, &self.spec)?;
                begin_leg(&writing, run, &Process::here())?
            }
        };
        let (played, heard) = *self.shared.played.lock().unwrap_or_else(PoisonError::into_inner);
        let time = heard.unwrap_or(self.began).saturating_duration_since(self.began);
        if !beat(&writing, lease, time, played)? {
            return Ok((None, self.best));
        }
        let mut best = self.best;
        for entry in &self.pending {
            apply(&writing, &self.spec, lease, entry, &mut best)?;
        }
        writing.commit()?;
        Ok((Some(lease), best))
    }
}

fn apply(writing: &Transaction<'_>, spec: &Spec, lease: Lease, entry: &Entry, best: &mut Best) -> rusqlite::Result<()> {
    let (run, goal, batch) = (lease.run, spec.goal(), spec.runs > 1);
    match entry {
        // A run that goes on from a checkpoint finds again what was found after it. A batch has one best, too.
        Entry::Improvement { improvement, .. }
            if best.improvement.is_some_and(|best| !goal.better(improvement.score, best)) => {}
        Entry::Improvement { number, improvement, identity, seed, found } => {
            best.improvement = Some(improvement.score);
            write::improvement(writing, run, *number, improvement, *found)?;
            let (score, moves) = (improvement.score, &improvement.moves);
            write::fame(writing, spec, &Candidate { identity, score, moves, seed: *seed, run, found: *found })?;
        }
        Entry::Checkpoint { number, bytes, spent } => write::checkpoint(writing, run, *number, bytes, *spent)?,
        Entry::Outcome { number, solved, identity, seed, found } => {
            if solved.complete {
                let (score, moves) = (solved.score, &solved.moves);
                write::fame(writing, spec, &Candidate { identity, score, moves, seed: *seed, run, found: *found })?;
            }
            let mut solved = solved.clone();
            if batch && best.outcome.is_some_and(|best| goal.better(best, solved.score)) {
                solved.moves.clear();
            } else if !solved.nothing {
                best.outcome = Some(solved.score);
            }
            write::outcome(writing, run, *number, &solved, batch)?;
        }
        Entry::End { done } => {
            if *done {
                writing.execute("UPDATE runs SET done = 1 WHERE id = ?", [run])?;
            }
            end_leg(writing, lease)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use nestling::{Cancel, Counts, Spent};

    use super::*;

    fn writer(folder: &tempfile::TempDir) -> Writer {
        let store = Store::open(&folder.path().join("runs.db")).unwrap();
        let spec = Spec::new("morpion-5d", "nested(2)");
        let pulse = Duration::from_millis(5);
        let settings = Settings { moment: Duration::ZERO, pulse, cancel: Cancel::new() };
        Writer::new(store, spec, None, Best::default(), settings, Arc::default())
    }

    fn checkpoint(byte: u8, playouts: u64) -> Entry {
        let spent = Spent { time: Duration::from_secs(playouts), work: Counts { playouts, moves: 0 } };
        Entry::Checkpoint { number: 0, bytes: vec![byte; 200_000], spent }
    }

    /// While the disk is full the last good checkpoint stays and people are told once; when there is room again the newest
    /// is written.
    #[test]
    fn a_full_disk_costs_no_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = writer(&folder);
        writer.push(checkpoint(1, 10));
        writer.flush().unwrap();
        let pages = writer.store.connection.pragma_query_value(None, "page_count", |row| row.get::<_, i64>(0)).unwrap();
        writer.store.connection.pragma_update(None, "max_page_count", pages).unwrap();
        for playouts in [20, 30] {
            writer.push(checkpoint(2, playouts));
            let error = writer.flush().unwrap_err().to_string();
            assert!(error.contains("the disk is full"), "{error}");
        }
        let kept = writer.store.checkpoint(1, 0).unwrap().unwrap();
        assert_eq!((kept.bytes, kept.spent.work.playouts), (vec![1; 200_000], 10));
        writer.store.connection.pragma_update(None, "max_page_count", pages + 1000).unwrap();
        writer.flush().unwrap();
        let kept = writer.store.checkpoint(1, 0).unwrap().unwrap();
        assert_eq!((kept.bytes, kept.spent.work.playouts), (vec![2; 200_000], 30));
    }

    /// The thread goes on through it all, and says what it could not keep.
    #[test]
    fn a_full_disk_is_told_of_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = writer(&folder);
        writer.flush().unwrap();
        let pages = writer.store.connection.pragma_query_value(None, "page_count", |row| row.get::<_, i64>(0)).unwrap();
        writer.store.connection.pragma_update(None, "max_page_count", pages).unwrap();
        let shared = Arc::clone(&writer.shared);
        let (sender, entries) = channel();
        let written = std::thread::spawn(move || writer.write(&entries));
        sender.send(checkpoint(1, 10)).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        let told = shared.failure.lock().unwrap().take();
        assert!(told.is_some_and(|told| told.contains("the disk is full")));
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(shared.failure.lock().unwrap().take(), None, "once is enough");
        sender.send(Entry::End { done: true }).unwrap();
        assert!(written.join().unwrap().is_err(), "the end of the run could not be kept either");
    }
}
