//! A damaged store is noticed, never misread, and left as it is; salvage saves what is whole and names what is missing.

use std::path::Path;

use crate::common::contents::{Contents, FileSet, load, save};
use crate::common::killed::{Kind, make};
use crate::common::{alone, eager, folder, problem, spec, work};
use nestling::{Answer, Certified, Outcome, Spent};
use nestling_registry::RunSpec;
use nestling_store::{Recorder, State, Store, StoreError, salvage};
use rusqlite::Connection;

fn damage(path: &Path) -> String {
    match Contents::read(path) {
        Err(StoreError::Damaged { what, .. }) => what,
        Err(error) => panic!("{error}"),
        Ok(contents) => panic!("nothing was noticed: {contents:?}"),
    }
}

fn changed(files: &FileSet, suffix: &'static str, change: impl FnOnce(&mut Vec<u8>)) -> FileSet {
    let mut files = files.clone();
    change(files.get_mut(suffix).unwrap());
    files
}

/// All that a first run has is in the log when it is killed early. Whichever frame is hit, SQLite drops it and all after it
/// and says nothing; we do, and nothing is lost but what the bit was in.
#[test]
fn a_bit_of_the_log_is_noticed() {
    let (files, before) = make(Kind::Early);
    let frames = (files["-wal"].len() - 32) / (24 + 4096);
    let mut saved_all = 0;
    for frame in 0..frames {
        let hit = changed(&files, "-wal", |log| log[32 + frame * (24 + 4096) + 3] ^= 1);
        let (_kept, path) = folder();
        save(&path, &hit);
        if let Ok(Some(contents)) = Contents::read(&path) {
            assert!(contents == before, "frame {frame}");
            continue;
        }
        assert!(damage(&path).contains("missing"), "frame {frame}");
        assert!(load(&path) == hit, "frame {frame}: it has been changed");
        let saved = salvage(&path).unwrap();
        let after = Contents::read(&path).unwrap().unwrap();
        // The number of a frame is needed where a long row continues there.
        if saved.missing.is_empty() {
            saved_all += 1;
            assert!(after == before, "frame {frame}");
        } else {
            let what: Vec<&str> = saved.missing.iter().map(|piece| piece.what.as_str()).collect();
            // A writer that was slow had the time for a second checkpoint; the bit costs one all the same.
            assert!(matches!(what[..], ["1 of 1 checkpoint" | "1 of 2 checkpoints"]), "frame {frame}: {what:?}");
            assert_eq!(after.runs[&1].steps, before.runs[&1].steps, "frame {frame}");
        }
    }
    println!("{saved_all} of {frames} frames cost nothing");
    assert!(2 * saved_all > frames, "{saved_all} of {frames}");
}

/// The same where the witness is gone or cannot be read either: the log itself tells that there were commits.
#[test]
fn a_damaged_log_is_noticed_without_the_witness() {
    let (files, before) = make(Kind::Early);
    for witness in [None, Some(vec![b'x'; 600])] {
        for offset in [8, 20, 2_000] {
            let mut hit = changed(&files, "-wal", |log| log[offset] ^= 1);
            hit.remove("-seen");
            hit.extend(witness.clone().map(|bytes| ("-seen", bytes)));
            let (_kept, path) = folder();
            save(&path, &hit);
            assert!(damage(&path).contains("its log has writes that SQLite cannot read"), "byte {offset}");
            salvage(&path).unwrap();
            let after = Contents::read(&path).unwrap().unwrap();
            assert_eq!(after.runs[&1].steps, before.runs[&1].steps, "byte {offset}");
        }
    }
}

/// One bit in each byte of the header: the pages are all there, and so are the rows.
#[test]
fn the_header_is_not_needed() {
    let (files, before) = make(Kind::Closed);
    let mut noticed = 0;
    for byte in 0..100 {
        let (_kept, path) = folder();
        save(&path, &changed(&files, "", |bytes| bytes[byte] ^= 1 << (byte % 8)));
        match Contents::read(&path) {
            Ok(contents) => {
                assert!(contents.unwrap() == before, "byte {byte}");
                // The header may say that it must not be written to.
                if let Err(error) = Store::open(&path) {
                    assert!(matches!(error, StoreError::Damaged { .. }), "byte {byte}: {error}");
                    assert_eq!(salvage(&path).unwrap().missing, [], "byte {byte}");
                    drop(Store::open(&path).unwrap_or_else(|error| panic!("byte {byte}: {error}")));
                }
                assert!(Contents::read(&path).unwrap().unwrap() == before, "byte {byte}");
            }
            Err(StoreError::Damaged { .. }) => {
                noticed += 1;
                assert_eq!(salvage(&path).unwrap().missing, [], "byte {byte}");
                assert!(Contents::read(&path).unwrap().unwrap() == before, "byte {byte}");
                assert_eq!(salvage(&path).unwrap().damage, None, "byte {byte}: once is enough");
            }
            Err(error) => panic!("byte {byte}: {error}"),
        }
    }
    assert!(noticed > 40, "{noticed}");
}

/// Whatever the header says of the schema and the program, list and salvage agree.
#[test]
fn list_and_salvage_agree() {
    let (files, before) = make(Kind::Closed);
    for lie in ["user_version = 1", "user_version = 3", "user_version = 7", "application_id = 7"] {
        let (_kept, path) = folder();
        save(&path, &files);
        Connection::open(&path).unwrap().execute_batch(&format!("PRAGMA {lie}")).unwrap();
        assert!(damage(&path).contains("header"), "{lie}");
        assert!(matches!(Store::open(&path), Err(StoreError::Damaged { .. })), "{lie}");
        assert_eq!(salvage(&path).unwrap().missing, [], "{lie}");
        assert!(Contents::read(&path).unwrap().unwrap() == before, "{lie}");
    }
}

/// A column of a table, a row of which is changed.
fn columns(path: &Path) -> Vec<(String, String, String)> {
    let database = Connection::open(path).unwrap();
    let query =
        "SELECT m.name, c.name, c.type FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'";
    let mut query = database.prepare(query).unwrap();
    let columns = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    columns.map(Result::unwrap).collect()
}

/// Every column of every table: one UPDATE is noticed, and salvage does not call the store whole. Nor does it if a row is
/// deleted, or given to another run.
#[test]
fn every_column_is_sealed() {
    let (files, before) = make(Kind::Closed);
    let (_kept, path) = folder();
    save(&path, &files);
    let mut statements: Vec<String> = columns(&path)
        .into_iter()
        .map(|(table, column, kind)| {
            let change = match kind.as_str() {
                "TEXT" => format!("{column} || ' '"),
                "BLOB" => format!("zeroblob(length({column}))"),
                // The number of a run, or the best score, may be one of several that are there.
                _ => format!("coalesce({column}, 0) + 1000"),
            };
            format!("UPDATE {table} SET {column} = {change} WHERE id = (SELECT max(id) FROM {table})")
        })
        .collect();
    assert!(statements.len() > 90, "{}", statements.len());
    for table in ["runs", "standings", "legs", "improvements", "checkpoints", "outcomes", "games", "readings"] {
        statements.push(format!("DELETE FROM {table} WHERE id = (SELECT min(id) FROM {table})"));
    }
    for part in ["legs", "improvements", "checkpoints"] {
        statements.push(format!("UPDATE {part} SET run = 1 WHERE run = 4"));
    }
    statements
        .push("UPDATE improvements SET score = 999, moves = '' WHERE id = (SELECT max(id) FROM improvements)".into());
    for statement in statements {
        let (_kept, path) = folder();
        save(&path, &files);
        assert!(Connection::open(&path).unwrap().execute(&statement, []).unwrap() > 0, "{statement}");
        damage(&path);
        let saved = salvage(&path).unwrap_or_else(|error| panic!("{statement}: {error}"));
        let after = Contents::read(&path).unwrap().unwrap();
        assert!(saved.damage.is_some(), "{statement}");
        assert!(!saved.missing.is_empty() || after == before, "{statement}: nothing is said to be missing");
        let scores = after.runs.values().flat_map(|run| &run.steps).all(|step| step.score < 900.0);
        assert!(scores, "{statement}: a score that nobody has reached");
    }
}

/// A list has its scores from rows that are sealed, and does not look at the others.
#[test]
fn lists_do_not_believe_improvements() {
    let (_kept, path) = folder();
    let (run, outcome) = work(&path, None, None);
    let database = Connection::open(&path).unwrap();
    database.execute("UPDATE improvements SET score = 999", []).unwrap();
    let store = Store::look(&path).unwrap().unwrap();
    assert_eq!(store.run(run).unwrap().best, outcome.score());
    assert!(matches!(store.improvements(run), Err(StoreError::Damaged { .. })));
    database.execute("UPDATE standings SET best_improvement = 999", []).unwrap();
    assert!(matches!(Store::look(&path).unwrap().unwrap().runs(), Err(StoreError::Damaged { .. })));
}

/// The same game with another score.
fn worth(outcome: Outcome, score: f64) -> Outcome {
    let game = Certified::kept(score, true, outcome.texts().to_vec());
    Outcome { answer: Answer::Game(game), ..outcome }
}

/// A score of −0 is kept as 0, and is not damage.
#[test]
fn zero_has_one_sign() {
    let (_kept, path) = folder();
    let problem = problem();
    let recorder = Recorder::begin(Store::open(&path).unwrap(), spec(), eager());
    let outcome = worth(alone(spec()), -0.0);
    recorder.journal(problem.as_ref(), 0, 3, Spent::default()).outcome(&outcome).unwrap();
    let run = recorder.finish(true).unwrap().unwrap();
    let store = Store::look(&path).unwrap().unwrap();
    store.check().unwrap();
    assert_eq!(store.outcomes(run).unwrap()[0].outcome.score(), Some(0.0));
}

/// After salvage dropped an outcome, a batch is not done any more, and its number can be computed again.
#[test]
fn a_batch_that_lost_an_outcome_is_not_done() {
    let (_kept, path) = folder();
    let problem = problem();
    let recorder = Recorder::begin(Store::open(&path).unwrap(), RunSpec { runs: 3, ..spec() }, eager());
    for number in 0..3 {
        let seed = 100 + number;
        let outcome = alone(RunSpec { seed: Some(seed), ..spec() });
        recorder.journal(problem.as_ref(), number, seed, Spent::default()).outcome(&outcome).unwrap();
    }
    let run = recorder.finish(true).unwrap().unwrap();
    let (single, _) = work(&path, None, None);
    let database = Connection::open(&path).unwrap();
    database.execute("UPDATE outcomes SET score = score + 1 WHERE number = 1", []).unwrap();
    database.execute("UPDATE outcomes SET score = score + 1 WHERE run = ?", [single]).unwrap();
    drop(database);
    damage(&path);
    let saved = salvage(&path).unwrap();
    let lost = |run: i64| saved.missing.iter().find(|piece| piece.run == Some(run)).map(|piece| piece.what.clone());
    assert_eq!(lost(run).as_deref(), Some("1 of 3 outcomes"));
    assert_eq!(lost(single).as_deref(), Some("1 of 1 outcome"));
    let store = Store::look(&path).unwrap().unwrap();
    for run in [run, single] {
        assert_eq!(store.run(run).unwrap().state, State::Interrupted);
    }
    assert_eq!(store.outcomes(run).unwrap().iter().map(|outcome| outcome.number).collect::<Vec<_>>(), [0, 2]);
}

/// Rows that the damaged store has lost are restored from the copy, which is reported, and deleted rows do not return.
#[test]
fn the_copy_stands_in() {
    let (files, before) = make(Kind::Copied);
    let (_kept, path) = folder();
    save(&path, &changed(&files, "", |bytes| bytes.truncate(4096)));
    std::fs::remove_file(path.with_file_name("runs.db-wal")).unwrap();
    damage(&path);
    let saved = salvage(&path).unwrap();
    let after = Contents::read(&path).unwrap().unwrap();
    let from_copy = |run: i64| saved.from_copy.iter().any(|piece| piece.run == Some(run));
    for run in [1, 3, 4, 5] {
        assert!(from_copy(run), "{run}: {saved:?}");
        assert_eq!(after.runs[&run].info.spec, before.runs[&run].info.spec);
    }
    let last = before.runs.keys().max().unwrap();
    assert!(!after.runs.contains_key(&2), "it was deleted");
    assert!(!after.runs.contains_key(last), "it came after the copy");
    assert!(saved.missing.iter().any(|piece| piece.what.contains("1 run with a number up to")), "{:?}", saved.missing);
    assert!(saved.missing.iter().any(|piece| piece.what.contains("last") && piece.what.contains("write")));
}

/// A person may put another store in the place of one: its copy is not mixed with it.
#[test]
fn the_copy_of_another_store_is_not_used() {
    let (files, before) = make(Kind::Copied);
    let (_kept, path) = folder();
    save(&path, &files);
    std::fs::remove_file(path.with_file_name("runs.db-wal")).unwrap();
    let (_other_kept, other) = folder();
    for seed in 50..60 {
        Store::open(&other).unwrap().add(&RunSpec { seed: Some(seed), ..spec() }).unwrap();
    }
    std::fs::copy(&other, &path).unwrap();
    assert_eq!(Contents::read(&path).unwrap().unwrap().runs.len(), 10);
    Connection::open(&path).unwrap().execute("UPDATE runs SET started = 0 WHERE id = 5", []).unwrap();
    damage(&path);
    let saved = salvage(&path).unwrap();
    assert_eq!(saved.from_copy, []);
    assert!(saved.missing.iter().any(|piece| piece.run == Some(5)), "{:?}", saved.missing);
    let after = Contents::read(&path).unwrap().unwrap();
    assert!(after.runs.values().all(|run| run.info.spec.seed >= Some(50)), "{after:?}");
    assert!(after.runs.len() == 9 && after.fame.is_empty() && !before.fame.is_empty());
}

/// An outcome that a later one has replaced does not come back when that one is lost.
#[test]
fn an_outcome_that_was_replaced_stays_replaced() {
    let (_kept, path) = folder();
    let problem = problem();
    let cut = Outcome { stop: nestling::Stop::Time, ..alone(spec()) };
    let recorder = Recorder::begin(Store::open(&path).unwrap(), spec(), eager());
    recorder.journal(problem.as_ref(), 0, 3, Spent::default()).outcome(&cut).unwrap();
    let run = recorder.finish(true).unwrap().unwrap();
    std::fs::copy(&path, path.with_file_name("runs.db-copy")).unwrap();
    let mut store = Store::open(&path).unwrap();
    let lease = store.take(run).unwrap();
    let recorder = Recorder::go_on(store, lease, eager()).unwrap();
    let better = cut.score().unwrap() + 1.0;
    let later = worth(cut, better);
    recorder.journal(problem.as_ref(), 0, 3, Spent::default()).outcome(&later).unwrap();
    recorder.finish(true).unwrap();
    Connection::open(&path).unwrap().execute("UPDATE outcomes SET finished = 0", []).unwrap();
    damage(&path);
    let saved = salvage(&path).unwrap();
    assert!(saved.missing.iter().any(|piece| piece.what.contains("1 of 1 outcome")), "{:?}", saved.missing);
    let store = Store::look(&path).unwrap().unwrap();
    assert_eq!((store.outcomes(run).unwrap().len(), store.run(run).unwrap().state), (0, State::Interrupted));
}

/// Without its file, a store is restored from the copy; without anything, nothing is made up.
#[test]
fn a_deleted_store_is_restored_from_the_copy() {
    let (files, before) = make(Kind::Copied);
    let (_kept, path) = folder();
    save(&path, &files);
    for suffix in ["", "-wal"] {
        std::fs::remove_file(path.with_file_name(format!("runs.db{suffix}"))).unwrap();
    }
    let error = Contents::read(&path).unwrap_err().to_string();
    assert!(error.contains("runs.db-seen and runs.db-copy are there"), "{error}");
    assert!(matches!(Store::open(&path), Err(StoreError::Missing { .. })), "nothing takes its place silently");
    let saved = salvage(&path).unwrap();
    assert_eq!(saved.damaged, None);
    let after = Contents::read(&path).unwrap().unwrap();
    assert_eq!(after.runs.len() + 1, before.runs.len());

    for suffix in ["", "-copy"] {
        std::fs::remove_file(path.with_file_name(format!("runs.db{suffix}"))).unwrap();
    }
    let error = salvage(&path).unwrap_err().to_string();
    assert!(error.contains("nothing can be restored") && error.contains("runs.db-seen"), "{error}");
    std::fs::remove_file(path.with_file_name("runs.db-seen")).unwrap();
    assert!(Store::look(&path).unwrap().is_none());
}

/// A file that is not a database is left unchanged and is not replaced.
#[test]
fn what_is_no_store_is_left_alone() {
    let (kept, path) = folder();
    for contents in ["no database", &"no database, but as long as one ".repeat(1000)] {
        std::fs::write(&path, contents).unwrap();
        let error = salvage(&path).unwrap_err();
        assert!(matches!(error, StoreError::Unreadable { .. }), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), contents);
        assert_eq!(kept.path().read_dir().unwrap().count(), 1, "nothing was put beside it");
    }
}

/// A store that is whole is not touched, however it was left.
#[test]
fn the_whole_are_left_alone() {
    for kind in [Kind::Closed, Kind::Killed] {
        let (files, before) = make(kind);
        let (_kept, path) = folder();
        save(&path, &files);
        let saved = salvage(&path).unwrap();
        assert_eq!((saved.damage, saved.damaged), (None, None));
        assert!(Contents::read(&path).unwrap().unwrap() == before);
        assert!(salvage(&path.with_extension("nowhere")).is_err());
    }
}
