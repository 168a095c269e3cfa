//! One process works on a run; the dead, the silent and those of another boot lose it, whatever the clock says.
#![cfg(target_os = "linux")]

mod common;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use common::{eager, folder, spec};
use nestling_store::{Recorder, Settings, State, Store, StoreError};

fn change(path: &Path, assignment: &str) {
    let database = rusqlite::Connection::open(path).unwrap();
    database.busy_timeout(Duration::from_secs(5)).unwrap();
    database.execute(&format!("UPDATE legs SET {assignment}"), []).unwrap();
}

fn refused(store: &mut Store, run: i64) {
    match store.take(run) {
        Err(StoreError::Leased { process, .. }) => assert_eq!(process, std::process::id()),
        other => panic!("{other:?}"),
    }
}

/// While a process works on a run, the next is refused by name; afterwards it is not.
#[test]
fn a_run_has_one_master() {
    let (_kept, path) = folder();
    let mut store = Store::open(&path).unwrap();
    let run = store.add(&spec()).unwrap();
    let lease = store.take(run).unwrap();
    refused(&mut Store::open(&path).unwrap(), run);
    let error = Store::open(&path).unwrap().delete(run).unwrap_err().to_string();
    assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
    let recorder = Recorder::go_on(Store::open(&path).unwrap(), lease, eager()).unwrap();
    refused(&mut store, run);
    recorder.finish(false).unwrap();
    store.take(run).unwrap();
    assert!(matches!(store.take(99), Err(StoreError::NoRun { run: 99, .. })));
}

/// A clock that is set back or forward an hour neither frees a lease nor holds one.
#[test]
fn the_clock_decides_nothing() {
    let (_kept, path) = folder();
    let mut store = Store::open(&path).unwrap();
    let run = store.add(&spec()).unwrap();
    store.take(run).unwrap();
    for shift in ["+ 3600000", "- 7200000"] {
        change(&path, &format!("beat = beat {shift}, started = started {shift}"));
        refused(&mut store, run);
        assert!(matches!(store.run(run).unwrap().state, State::Running { .. }));
        assert!(store.run(run).unwrap().worked.age() < Duration::from_secs(7300), "an age is never negative");
    }
    // As it looks after the clock was set back: a dead process, its last heartbeat in the future.
    let dead = dead_process();
    change(&path, &format!("process = {dead}, beat = beat + 3600000"));
    assert_eq!(store.run(run).unwrap().state, State::Interrupted);
    store.take(run).unwrap();
}

fn dead_process() -> u32 {
    let mut child = Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    child.id()
}

/// The dead lose their lease at once: a process that is gone, a number that another process has now, another boot.
#[test]
fn the_dead_lose_their_lease() {
    let (_kept, path) = folder();
    let mut store = Store::open(&path).unwrap();
    let run = store.add(&spec()).unwrap();
    let deaths = [format!("process = {}", dead_process()), "born = born - 1".to_owned(), "boot = 'before'".to_owned()];
    for death in deaths {
        store.take(run).unwrap();
        change(&path, &death);
        if death.starts_with("boot") && std::fs::read_to_string("/etc/machine-id").is_ok_and(|id| id.trim().is_empty())
        {
            eprintln!("skipped: this machine has no identity");
            continue;
        }
        let began = Instant::now();
        store.take(run).unwrap_or_else(|error| panic!("{death}: {error}"));
        assert!(began.elapsed() < Duration::from_secs(3), "{death}: it was waited for");
        change(&path, "ended = 1");
    }
}

/// A process that lives and is silent for a minute loses its run; it finds out at its next write, and stops.
#[test]
fn the_silent_are_taken_over() {
    let (_kept, path) = folder();
    let settings = Settings { pulse: Duration::from_millis(300), ..eager() };
    let cancel = settings.cancel.clone();
    let recorder = Recorder::begin(Store::open(&path).unwrap(), spec(), settings);
    std::thread::sleep(Duration::from_millis(400));
    let run = recorder.run().unwrap();
    let mut store = Store::open(&path).unwrap();
    // Until the next heartbeat comes, this looks like a long silence.
    let taken = (0..50).find_map(|_| {
        change(&path, "uptime = uptime - 61000");
        store.take(run).ok()
    });
    assert!(taken.is_some());
    std::thread::sleep(Duration::from_millis(500));
    assert!(cancel.is_cancelled());
    assert!(matches!(recorder.finish(true), Err(StoreError::TakenOver { .. })));
    assert!(!matches!(store.run(run).unwrap().state, State::Done), "what is not ours is not touched");
}

/// A process elsewhere cannot be seen, only heard: with a heartbeat it keeps its run, without one it loses it.
#[test]
fn those_elsewhere_are_listened_for() {
    let (_kept, path) = folder();
    let mut store = Store::open(&path).unwrap();
    let run = store.add(&spec()).unwrap();
    let lease = store.take(run).unwrap();
    let recorder = Recorder::go_on(Store::open(&path).unwrap(), lease, eager()).unwrap();
    change(&path, "machine = 'other', boot = 'other', host = 'elsewhere'");
    match store.take(run) {
        Err(StoreError::Leased { host, .. }) => assert_eq!(host, "elsewhere"),
        other => panic!("{other:?}"),
    }
    recorder.finish(false).unwrap();
    change(&path, "ended = NULL");
    store.take(run).unwrap();
}

/// Many make the same store at once: all of them get it.
#[test]
fn many_open_at_once() {
    for _ in 0..30 {
        let (_kept, path) = folder();
        let open = || Store::open(&path).map(drop);
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            threads.into_iter().for_each(|thread| thread.join().unwrap().unwrap());
        });
    }
}

/// Many threads of several stores write at once; nothing is lost and nobody is turned away.
#[test]
fn many_write_at_once() {
    let (_kept, path) = folder();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..3).for_each(|_| drop(common::work(&path, None, Some(300)))));
        }
    });
    let store = Store::open(&path).unwrap();
    assert_eq!(store.runs().unwrap().len(), 12);
    for run in store.runs().unwrap() {
        assert!(store.checkpoint(run.id, 0).unwrap().is_some());
        assert_eq!(run.spent.work.playouts, 300);
    }
    store.check().unwrap();
}
