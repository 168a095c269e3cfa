//! One process works on a run, and many share a store.
#![cfg(target_os = "linux")]

use crate::common::{eager, folder, spec};
use nestling_store::{Recorder, Store, StoreError};

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

/// Many threads of several stores write at once; nothing is lost and no write is refused.
#[test]
fn many_write_at_once() {
    let (_kept, path) = folder();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..3).for_each(|_| drop(crate::common::work(&path, None, Some(300)))));
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
