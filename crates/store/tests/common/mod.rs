//! What the test files share: a store in a folder of its own, and a run in it.
#![allow(dead_code, reason = "every test file uses its own part of this")]

pub mod contents;
pub mod killed;

use std::path::{Path, PathBuf};
use std::time::Duration;

use nestling::{Cancel, Outcome, Spent};
use nestling_registry::{Controls, Instance, Ready, Registry, RunSpec};
use nestling_store::{Recorder, RecorderSettings, Store};
use tempfile::TempDir;

pub const PROBLEM: &str = "morpion-4d";
pub const SEARCH: &str = "nrpa(2, iterations=30)";

pub fn problem() -> Box<dyn Instance> {
    Registry::standard().open(PROBLEM).unwrap()
}

pub fn spec() -> RunSpec {
    RunSpec {
        seed: Some(3),
        threads: Some(1),
        checkpoint: Duration::from_millis(1),
        ..RunSpec::new(PROBLEM).search(SEARCH)
    }
}

pub fn ready(spec: RunSpec) -> Ready {
    Registry::standard().ready(spec).unwrap()
}

/// The result of a run without a store and without interruptions.
pub fn alone(spec: RunSpec) -> Outcome {
    ready(spec).start(Controls::default()).unwrap()
}

pub fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    (folder, path)
}

/// At once, and often.
pub fn eager() -> RecorderSettings {
    RecorderSettings { min_duration: Duration::ZERO, heartbeat: Duration::from_millis(10), cancel: Cancel::new() }
}

/// Makes a run from its start, or from its last checkpoint, with this budget in playouts; keeps it open if it was cut.
pub fn work(path: &Path, run: Option<i64>, playouts: Option<u64>) -> (i64, Outcome) {
    let mut store = Store::open(path).unwrap();
    let (recorder, resume) = match run {
        None => (Recorder::begin(store, spec(), eager()), None),
        Some(run) => {
            let lease = store.take(run).unwrap();
            let taken = store.checkpoint(run, 0).unwrap();
            let resume = taken.map(|taken| (taken.bytes, taken.spent));
            (Recorder::go_on(store, lease, eager()).unwrap(), resume)
        }
    };
    let spent = resume.as_ref().map_or(Spent::default(), |(_, spent)| *spent);
    let ready = ready(RunSpec { playouts, ..spec() });
    let mut journal = recorder.journal(ready.problem(), 0, ready.seed(), spent);
    let outcome = ready.start(Controls { resume, journal: Some(&mut journal), ..Controls::default() }).unwrap();
    let done = outcome.stop == nestling::Stop::Finished;
    if done {
        journal.outcome(&outcome).unwrap();
    }
    let run = recorder.finish(done).unwrap().unwrap();
    (run, outcome)
}

/// Every field but times and what was played twice.
pub fn steady(outcome: &Outcome) -> Outcome {
    Outcome { elapsed: Duration::ZERO, work: nestling::Counts::default(), learned: None, ..outcome.clone() }
}
