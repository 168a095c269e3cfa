//! Stores whose writers were killed. A test binary starts itself again to be the writer: it has a test `writer`, which does
//! nothing unless it is told to write.

use std::path::Path;
use std::process::Command;

use nestling::{Journal, Spent};
use nestling_registry::{Controls, RunSpec};
use nestling_store::{Recorder, Store};

use super::contents::{Contents, DEFINITION, FileSet, load};
use super::{alone, eager, folder, problem, ready, spec, work};

const TOLD: &str = "NESTLING_TEST_WRITER";

/// How a store came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A first run that was killed early: everything is in the log.
    Early,
    /// Several runs, a batch, games and readings, closed in good order.
    Closed,
    /// The same, partly in the log.
    Killed,
    /// The same, in a log that was begun again and still has older pages behind the new ones.
    Restarted,
    /// The same with a copy from earlier.
    Copied,
}

pub const KINDS: [Kind; 5] = [Kind::Early, Kind::Closed, Kind::Killed, Kind::Restarted, Kind::Copied];

/// The files that a killed writer leaves, and what they say.
pub fn make(kind: Kind) -> (FileSet, Contents) {
    let (_kept, path) = folder();
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "common::killed::writer", "--nocapture"])
        .env(TOLD, format!("{kind:?}"))
        .env("NESTLING_TEST_STORE", &path)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.code().is_none(), "{kind:?}: the writer was to be killed: {status}");
    let files = load(&path);
    assert_eq!(files.contains_key("-copy"), kind == Kind::Copied);
    assert_eq!(files.get("-wal").is_some_and(|log| !log.is_empty()), kind != Kind::Closed, "{kind:?}");
    let contents = Contents::read(&path).unwrap().unwrap();
    assert!(!contents.runs.is_empty());
    assert!(Contents::read(&path).unwrap().unwrap() == contents, "looking changes nothing");
    (files, contents)
}

/// Not a test: what the program does that `make` starts. Without being told, it does nothing.
#[test]
fn writer() {
    let Ok(told) = std::env::var(TOLD) else { return };
    let path = std::path::PathBuf::from(std::env::var_os("NESTLING_TEST_STORE").unwrap());
    let kind = KINDS.into_iter().find(|kind| format!("{kind:?}") == told).unwrap();
    // Whoever has the store open keeps the log from being emptied.
    let open = Store::open(&path).unwrap();
    if kind == Kind::Early {
        begin_and_die(&path);
    }
    fill(&path);
    match kind {
        Kind::Copied => std::fs::copy(&path, path.with_file_name("runs.db-copy")).map(drop).unwrap(),
        Kind::Closed => {
            drop(open);
            drop(Store::open(&path).unwrap());
            std::process::abort();
        }
        _ => {}
    }
    if kind == Kind::Restarted {
        let database = rusqlite::Connection::open(&path).unwrap();
        let _: i64 = database.query_row("PRAGMA wal_checkpoint(RESTART)", [], |row| row.get(0)).unwrap();
        drop(database);
    }
    begin_and_die(&path);
}

/// A deleted run, finished ones, one that was cut, a batch, readings.
fn fill(path: &Path) {
    for _ in 0..3 {
        work(path, None, None);
    }
    work(path, None, Some(300));
    let mut store = Store::open(path).unwrap();
    for first in 0..10 {
        assert!(store.add_readings(DEFINITION, 1, 100 * first, 100, &format!("[{first}]").repeat(100)).unwrap());
    }
    let problem = problem();
    let recorder = Recorder::begin(Store::open(path).unwrap(), RunSpec { runs: 8, ..spec() }, eager());
    for number in 0..5 {
        let seed = 100 + number;
        let mut journal = recorder.journal(problem.as_ref(), number, seed, Spent::default());
        journal.checkpoint(&[number as u8; 6_000], Spent::default()).unwrap();
        if number < 4 {
            journal.outcome(&alone(RunSpec { seed: Some(seed), ..spec() })).unwrap();
        }
    }
    recorder.finish(false).unwrap();
    store.delete(2).unwrap();
    let database = rusqlite::Connection::open(path).unwrap();
    let _: i64 = database.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get(0)).unwrap();
}

/// A run that has found something and has a checkpoint when its process ends.
fn begin_and_die(path: &Path) -> ! {
    let spec = RunSpec { seed: Some(9), ..spec() };
    let recorder = Recorder::begin(Store::open(path).unwrap(), spec.clone(), eager());
    let ready = ready(RunSpec { playouts: Some(500), ..spec });
    let mut journal = recorder.journal(ready.problem(), 0, 9, Spent::default());
    ready.start(Controls { journal: Some(&mut journal), ..Controls::default() }).unwrap();
    let seen = || {
        let store = Store::look(path).unwrap()?;
        let run = recorder.run()?;
        let found = store.improvements(run).unwrap().len();
        store.checkpoint(run, 0).unwrap().filter(|taken| found > 0 && taken.spent.work.playouts >= 500)
    };
    while seen().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::process::abort()
}
