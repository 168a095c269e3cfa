//! The thread that writes: all entries since the last transaction go into one transaction, with a heartbeat.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use nestling::Spent;

use crate::error::StoreFault;
use crate::lease::{Lease, beat, begin_leg, end_leg};
use crate::machine::Process;
use crate::recorder::{Entry, RecorderSettings, Shared};
use crate::write::{self, Candidate};
use crate::writing::Writing;
use crate::{Store, StoreError};
use nestling_registry::RunSpec;

/// So many entries are written at once, rather than with the next heartbeat or not at all.
const MANY: usize = 2_000;

/// How often the end of a run is tried to be written where the disk is full or the store busy.
const TRIES: u32 = 3;

pub(crate) struct Writer {
    store: Store,
    spec: RunSpec,
    settings: RecorderSettings,
    shared: Arc<Shared>,
    lease: Option<Lease>,
    began: Instant,
    /// The entries that are not written yet.
    pending: Vec<Entry>,
    /// Whether the last attempt failed; people are told once.
    failing: bool,
}

impl Writer {
    pub fn new(
        store: Store,
        spec: RunSpec,
        lease: Option<Lease>,
        settings: RecorderSettings,
        shared: Arc<Shared>,
    ) -> Self {
        let (began, pending) = (Instant::now(), Vec::new());
        Writer { store, spec, settings, shared, lease, began, pending, failing: false }
    }

    /// Writes until the run ends; an error if its end could not be kept.
    pub fn write(mut self, entries: &Receiver<Entry>) -> Result<(), StoreError> {
        loop {
            let over = self.gather(entries);
            if self.lease.is_none() && self.began.elapsed() < self.settings.min_duration && self.pending.len() < MANY {
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
        let due = Instant::now() + self.settings.heartbeat;
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

    /// What is worth a write of its own. The outcomes of a batch may come by the thousand, and wait for the next heartbeat, unless there
    /// are so many of them that they would fill the memory.
    fn is_urgent(&self, entry: &Entry) -> bool {
        let worth_it = match entry {
            Entry::Checkpoint { .. } | Entry::Improvement { .. } => self.lease.is_some(),
            Entry::Outcome { .. } | Entry::Find { .. } => self.pending.len() >= MANY,
            Entry::End { .. } => false,
        };
        worth_it && !self.failing
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
        let (spec, pending) = (&self.spec, &self.pending);
        let (played, heard) = *self.shared.played.lock().unwrap_or_else(PoisonError::into_inner);
        let time = heard.unwrap_or(self.began).saturating_duration_since(self.began);
        let lease = self.lease;
        let (lease, least_famous) = self.store.write(|writing| {
            let lease = match lease {
                Some(lease) => lease,
                None => {
                    let run = write::add_run(writing, spec)?;
                    begin_leg(writing, run, &Process::here(), Spent::default())?
                }
            };
            if !beat(writing, lease, time, played)? {
                return Err(StoreFault::Refused(StoreError::TakenOver { run: lease.run }));
            }
            for entry in pending {
                apply(writing, spec, lease, entry)?;
            }
            Ok((lease, write::least_famous(writing, &spec.problem)?))
        })?;
        self.lease = Some(lease);
        let _ = self.shared.run.set(lease.run);
        *self.shared.least_famous.lock().unwrap_or_else(PoisonError::into_inner) = least_famous;
        self.pending.clear();
        self.store.copy_failure.take().into_iter().for_each(|reason| self.shared.fail(reason));
        Ok(())
    }
}

fn apply(writing: &mut Writing<'_>, spec: &RunSpec, lease: Lease, entry: &Entry) -> Result<(), StoreFault> {
    let run = lease.run;
    match entry {
        Entry::Improvement { number, improvement, identity, seed, found } => {
            write::improvement(writing, spec, run, *number, improvement, *found)?;
            if let Some(identity) = identity {
                let (score, moves) = (improvement.score(), improvement.texts());
                write::fame(writing, spec, &Candidate { identity, score, moves, seed: *seed, run, found: *found })?;
            }
        }
        Entry::Find { game, identity, seed, found } => {
            let (score, moves) = (game.score(), game.texts());
            write::fame(writing, spec, &Candidate { identity, score, moves, seed: *seed, run, found: *found })?;
        }
        Entry::Checkpoint { number, bytes, spent } => write::checkpoint(writing, run, *number, bytes, *spent)?,
        Entry::Outcome { number, outcome, identity, seed, found, keeps_game } => {
            if let (Some(identity), Some(game)) = (identity, outcome.game()) {
                let (score, moves) = (game.score(), game.texts());
                write::fame(writing, spec, &Candidate { identity, score, moves, seed: *seed, run, found: *found })?;
            }
            match keeps_game {
                true => write::outcome(writing, spec, run, *number, outcome)?,
                false => write::outcome(writing, spec, run, *number, &outcome.bare())?,
            }
        }
        Entry::End { done } => {
            writing.standing(run)?.done |= *done;
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
        let spec = RunSpec::new("morpion-5d").search("nested(2)");
        let heartbeat = Duration::from_millis(5);
        let settings = RecorderSettings { min_duration: Duration::ZERO, heartbeat, cancel: Cancel::new() };
        Writer::new(store, spec, None, settings, Arc::default())
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

    /// The thread continues through all of this, and reports what it could not store.
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
        let told = loop {
            match shared.failure.lock().unwrap().take() {
                Some(told) => break told,
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        assert!(told.contains("the disk is full"), "{told}");
        sender.send(checkpoint(2, 20)).unwrap();
        sender.send(Entry::End { done: true }).unwrap();
        assert!(written.join().unwrap().is_err(), "the end of the run could not be kept either");
        assert_eq!(shared.failure.lock().unwrap().take(), None, "once is enough");
    }
}
