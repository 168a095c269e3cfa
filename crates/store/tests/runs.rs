//! What goes into a store comes out of it.

use std::time::Duration;

use crate::common::{PROBLEM, SEARCH, alone, eager, folder, problem, spec, steady, work};
use nestling::{Cancel, Journal, Spent, Stop};
use nestling_registry::RunSpec;
use nestling_store::{FamousGame, Recorder, RecorderSettings, State, Store, StoreError};

/// A run in three legs has the outcome of an uninterrupted one, and the store knows all of it.
#[test]
fn legs_make_a_run() {
    let (_kept, path) = folder();
    let alone = alone(spec());
    let (run, cut) = work(&path, None, Some(300));
    assert_eq!(cut.stop, Stop::Playouts);
    assert_eq!(Store::open(&path).unwrap().run(run).unwrap().state, State::Interrupted);
    work(&path, Some(run), Some(600));
    let (_, outcome) = work(&path, Some(run), None);
    assert_eq!(steady(&outcome), steady(&alone));

    let store = Store::open(&path).unwrap();
    let info = store.run(run).unwrap();
    assert_eq!((info.state, info.finished, info.spec), (State::Done, 1, spec()));
    assert_eq!(info.spent.work.playouts, alone.counts.playouts, "nothing was played twice");
    assert_eq!(info.reached.work.playouts, alone.counts.playouts);
    assert_eq!(store.legs(run).unwrap().len(), 3);
    assert_eq!(steady(&store.outcomes(run).unwrap()[0].outcome), steady(&alone));
    let steps = store.improvements(run).unwrap();
    assert!(steps.windows(2).all(|pair| pair[0].score < pair[1].score && pair[0].time <= pair[1].time), "{steps:?}");
    assert_eq!(Some(steps[steps.len() - 1].score), info.best);
    assert_eq!(store.checkpoint(run, 0).unwrap(), None, "a finished search has nothing to go on from");
}

/// A lost checkpoint costs its own interval: the one before it is still there, and leads to the same end.
#[test]
fn the_predecessor_of_a_checkpoint_is_kept() {
    let (_kept, path) = folder();
    let (run, _) = work(&path, None, Some(300));
    work(&path, Some(run), Some(600));
    let database = rusqlite::Connection::open(&path).unwrap();
    let count: i64 = database.query_row("SELECT count(*) FROM checkpoints", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 2);
    let newest = "UPDATE checkpoints SET bytes = zeroblob(length(bytes)) WHERE id = (SELECT max(id) FROM checkpoints)";
    database.execute(newest, []).unwrap();
    assert!(Store::open(&path).unwrap().checkpoint(run, 0).unwrap().unwrap().instead);
    let (_, outcome) = work(&path, Some(run), None);
    assert_eq!(steady(&outcome), steady(&alone(spec())));

    let (run, _) = work(&path, None, Some(300));
    database.execute("UPDATE checkpoints SET bytes = zeroblob(length(bytes))", []).unwrap();
    let error = Store::open(&path).unwrap().checkpoint(run, 0).unwrap_err().to_string();
    assert!(error.contains("all its checkpoints are damaged") && error.contains("salvage"), "{error}");
}

/// A run of a moment leaves no trace; one that lasts longer is there from then on.
#[test]
fn moments_are_not_kept() {
    let (_kept, path) = folder();
    let settings = RecorderSettings::new(Duration::from_secs(10), Cancel::new());
    let recorder = Recorder::begin(Store::open(&path).unwrap(), spec(), settings);
    assert_eq!(recorder.finish(true).unwrap(), None);
    assert_eq!(Store::open(&path).unwrap().runs().unwrap(), []);
    let settings = RecorderSettings::new(Duration::from_millis(100), Cancel::new());
    let recorder = Recorder::begin(Store::open(&path).unwrap(), spec(), settings);
    std::thread::sleep(Duration::from_millis(400));
    assert!(matches!(Store::open(&path).unwrap().runs().unwrap()[0].state, State::Running { .. }));
    drop(recorder);
    assert_eq!(Store::open(&path).unwrap().runs().unwrap()[0].state, State::Interrupted);
}

/// The hall of fame has the best games first, each once, even if several runs find it, and survives its runs.
#[test]
fn fame_is_distinct_and_lasts() {
    let (_kept, path) = folder();
    let (run, outcome) = work(&path, None, None);
    let mut store = Store::open(&path).unwrap();
    let before = store.hall_of_fame(PROBLEM, 1000).unwrap();
    assert_eq!((Some(before[0].score), before[0].run, before[0].search.as_str()), (outcome.score(), run, SEARCH));
    assert!(before.windows(2).all(|pair| pair[0].score >= pair[1].score));
    work(&path, None, None);
    assert_eq!(store.hall_of_fame(PROBLEM, 1000).unwrap(), before, "the same games again");
    assert_eq!(store.hall_of_fame(PROBLEM, 2).unwrap(), before[..2]);
    assert_eq!(store.hall_of_fame("morpion-5d", 10).unwrap(), []);
    store.delete(run).unwrap();
    assert!(matches!(store.run(run), Err(StoreError::NoRun { .. })));
    assert_eq!((store.improvements(run).unwrap(), store.legs(run).unwrap()), (vec![], vec![]));
    assert_eq!(store.hall_of_fame(PROBLEM, 1000).unwrap(), before);
    let problem = problem();
    let is_legal = |fame: &FamousGame| problem.certify(&fame.moves).is_ok_and(|game| problem.identity(&game).is_ok());
    assert!(before.iter().all(is_legal), "every game can be replayed");
}

/// In a batch every number has its own checkpoint, and all share one list of improvements.
#[test]
fn batches_keep_numbers_apart() {
    let (_kept, path) = folder();
    let problem = problem();
    let recorder = Recorder::begin(Store::open(&path).unwrap(), RunSpec { runs: 3, ..spec() }, eager());
    for number in 0..2 {
        let mut journal = recorder.journal(problem.as_ref(), number, 100 + number, Spent::default());
        journal.checkpoint(&[number as u8; 50], Spent::default()).unwrap();
    }
    recorder.journal(problem.as_ref(), 1, 101, Spent::default()).outcome(&alone(spec())).unwrap();
    let run = recorder.finish(false).unwrap().unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(store.checkpointed(run).unwrap(), [0], "a number that has come to its end needs none");
    assert_eq!(store.checkpoint(run, 0).unwrap().unwrap().bytes, [0; 50]);
    assert_eq!(store.outcomes(run).unwrap()[0].number, 1);
    assert_eq!((store.run(run).unwrap().finished, store.run(run).unwrap().state), (1, State::Interrupted));
}

/// Readings are kept once, the first of them; a remark takes no place.
#[test]
fn readings_do_not_overlap() {
    let (_kept, path) = folder();
    let (mut one, mut other) = (Store::open(&path).unwrap(), Store::open(&path).unwrap());
    assert!(one.add_readings("a", 1, 0, 10, "first").unwrap());
    for (first, count) in [(0, 10), (9, 1), (5, 100), (0, 1)] {
        assert!(!other.add_readings("a", 1, first, count, "late").unwrap(), "{first}, {count}");
    }
    assert!(other.add_readings("a", 1, 10, 5, "next").unwrap());
    assert!(other.add_readings("a", 1, 15, 0, "a remark").unwrap());
    assert!(other.add_readings("a", 1, 15, 1, "last").unwrap());
    assert!(
        other.add_readings("a", 2, 0, 10, "another seed").unwrap() && other.add_readings("b", 1, 0, 1, "").unwrap()
    );
    let kept: Vec<String> = one.readings("a").unwrap().into_iter().map(|bundle| bundle.data).collect();
    assert_eq!(kept, ["first", "next", "a remark", "last", "another seed"]);
}

/// A database of another program, and what is none, are refused and left alone.
#[test]
fn strange_stores_are_refused() {
    let (folder, other) = folder();
    rusqlite::Connection::open(&other).unwrap().execute_batch("CREATE TABLE birds(name TEXT)").unwrap();
    let before = std::fs::read(&other).unwrap();
    assert!(matches!(Store::open(&other), Err(StoreError::Foreign { .. })));
    assert!(matches!(Store::look(&other), Err(StoreError::Foreign { .. })));
    assert_eq!(std::fs::read(&other).unwrap(), before);
    std::fs::write(&other, "these are not the bytes of a database, not of any, however long one looks at them")
        .unwrap();
    assert!(matches!(Store::open(&other), Err(StoreError::Damaged { .. })));
    assert_eq!(folder.path().read_dir().unwrap().count(), 1, "nothing was put beside it");
}
