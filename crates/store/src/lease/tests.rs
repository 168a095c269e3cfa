//! The dead, the silent and those of another boot lose their lease, whatever the clock says.

use std::path::{Path, PathBuf};
use std::process::Command;

use nestling::Cancel;

use super::*;
use crate::{Recorder, RecorderSettings, State};
use nestling_registry::RunSpec;

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    (folder, path)
}

/// A store with a run that this process has taken.
fn taken(path: &Path) -> (Store, i64, Lease) {
    let mut store = Store::open(path).unwrap();
    let run = store.add(&RunSpec::new("morpion-4d").search("nested(1)")).unwrap();
    let lease = store.take(run).unwrap();
    (store, run, lease)
}

fn settings(heartbeat: u64) -> RecorderSettings {
    RecorderSettings {
        min_duration: Duration::ZERO,
        heartbeat: Duration::from_millis(heartbeat),
        cancel: Cancel::new(),
    }
}

/// Changes all legs, as if another process had written them so.
fn rewrite(path: &Path, change: impl Fn(&mut LegRow)) {
    let mut store = Store::open(path).unwrap();
    let rewritten = store.write(|writing| {
        for record in LEGS.all(&writing.transaction, "", [])? {
            let mut leg = LegRow::of(&record)?;
            change(&mut leg);
            writing.update(&LEGS, &record, leg.values())?;
        }
        Ok(())
    });
    rewritten.unwrap();
}

/// Waits for something that comes soon.
fn wait_for(what: &str, mut there: impl FnMut() -> bool) {
    for _ in 0..6_000 {
        if there() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{what}: not within a minute");
}

fn refused(store: &mut Store, run: i64) {
    match store.take(run) {
        Err(StoreError::Leased { process, .. }) => assert_eq!(process, std::process::id()),
        other => panic!("{other:?}"),
    }
}

/// A clock that is set back or forward an hour neither frees a lease nor holds one.
#[test]
fn the_clock_decides_nothing() {
    let (_kept, path) = folder();
    let (mut store, run, _) = taken(&path);
    for shift in [3_600_000, -7_200_000] {
        rewrite(&path, |leg| (leg.beat.0, leg.started.0) = (leg.beat.0 + shift, leg.started.0 + shift));
        refused(&mut store, run);
        assert!(matches!(store.run(run).unwrap().state, State::Running { .. }));
        assert!(store.run(run).unwrap().worked.age() < Duration::from_secs(7300), "an age is never negative");
    }
    // As it looks after the clock was set back: a dead process, its last heartbeat in the future.
    let dead = dead_process();
    rewrite(&path, |leg| (leg.process.number, leg.beat.0) = (dead, leg.beat.0 + 3_600_000));
    assert_eq!(store.run(run).unwrap().state, State::Interrupted);
    store.take(run).unwrap();
}

/// A process that dies before it has played anything loses none of the run's earlier results.
#[test]
fn a_run_that_is_taken_stands_at_its_checkpoint() {
    let (_kept, path) = folder();
    let (mut store, run, lease) = taken(&path);
    let work = nestling::Counts { playouts: 300, moves: 9_000 };
    let spent = Spent { time: Duration::from_secs(3), work };
    store.write(|writing| crate::write::checkpoint(writing, run, 0, b"frames", spent)).unwrap();
    store.write(|writing| end_leg(writing, lease)).unwrap();
    store.take(run).unwrap();
    let reached = store.run(run).unwrap().reached;
    assert_eq!((reached.time, reached.work.playouts), (spent.time, 300));
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
    let run = store.add(&RunSpec::new("morpion-4d").search("nested(1)")).unwrap();
    let dead = dead_process();
    type Death<'a> = (&'a str, &'a dyn Fn(&mut LegRow));
    let deaths: [Death<'_>; 3] = [
        ("gone", &|leg| leg.process.number = dead),
        ("another has its number", &|leg| leg.process.born -= 1),
        ("another boot", &|leg| leg.process.boot = "before".to_owned()),
    ];
    for (name, death) in deaths {
        if name == "another boot" && Process::here().machine.is_empty() {
            nestling_testing::skip(nestling_testing::Need::System, "this machine has no identity");
            continue;
        }
        store.take(run).unwrap();
        rewrite(&path, death);
        let holder = store.holder(run).unwrap().unwrap();
        assert_eq!(holder.liveness(&Process::here()), Liveness::Dead, "{name}: nobody waits for a heartbeat");
        store.take(run).unwrap_or_else(|error| panic!("{name}: {error}"));
        rewrite(&path, |leg| leg.ended = Some(1));
    }
}

/// A process that lives and is silent for a minute loses its run; it finds out at its next write, and stops.
#[test]
fn the_silent_are_taken_over() {
    let (_kept, path) = folder();
    let settings = settings(300);
    let cancel = settings.cancel.clone();
    let recorder =
        Recorder::begin(Store::open(&path).unwrap(), RunSpec::new("morpion-4d").search("nested(1)"), settings);
    wait_for("a number", || recorder.run().is_some());
    let (run, mut store) = (recorder.run().unwrap(), Store::open(&path).unwrap());
    // Until the next heartbeat comes, this looks like a long silence.
    wait_for("a lease", || {
        rewrite(&path, |leg| leg.uptime -= 61_000);
        store.take(run).is_ok()
    });
    wait_for("the end", || cancel.is_cancelled());
    assert!(matches!(recorder.finish(true), Err(StoreError::TakenOver { .. })));
    assert!(!matches!(store.run(run).unwrap().state, State::Done), "what is not ours is not touched");
}

/// A process elsewhere cannot be seen, only heard: with a heartbeat it keeps its run, without one it loses it.
#[test]
fn those_elsewhere_are_listened_for() {
    let (_kept, path) = folder();
    let (mut store, run, lease) = taken(&path);
    let recorder = Recorder::go_on(Store::open(&path).unwrap(), lease, settings(10)).unwrap();
    rewrite(&path, |leg| {
        (leg.process.machine, leg.process.boot) = ("other".to_owned(), "other".to_owned());
        leg.process.host = "elsewhere".to_owned();
    });
    match store.take(run) {
        Err(StoreError::Leased { host, .. }) => assert_eq!(host, "elsewhere"),
        other => panic!("{other:?}"),
    }
    recorder.finish(false).unwrap();
    rewrite(&path, |leg| leg.ended = None);
    store.take(run).unwrap();
}
