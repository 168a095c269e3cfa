//! A damaged store is noticed, never misread; what is whole in it is saved.

mod common;

use std::path::Path;

use common::{PROBLEM, folder, work};
use nestling_store::{Bundle, Fame, Outcome, RunInfo, Step, Store, StoreError, Taken, salvage};

const DEFINITION: &str = "playout on left-move";

/// Everything a store says.
#[derive(Debug, PartialEq)]
struct Contents {
    runs: Vec<RunInfo>,
    steps: Vec<Vec<Step>>,
    outcomes: Vec<Vec<Outcome>>,
    checkpoints: Vec<Option<Taken>>,
    fame: Vec<Fame>,
    readings: Vec<Bundle>,
}

fn read(path: &Path) -> Result<Contents, StoreError> {
    let store = Store::open(path)?;
    store.check()?;
    let runs = store.runs()?;
    let of = |run: &RunInfo| (store.improvements(run.id), store.outcomes(run.id), store.checkpoint(run.id, 0));
    let mut contents = Contents {
        runs: Vec::new(),
        steps: Vec::new(),
        outcomes: Vec::new(),
        checkpoints: Vec::new(),
        fame: Vec::new(),
        readings: store.readings(DEFINITION)?,
    };
    for run in &runs {
        let (steps, outcomes, checkpoint) = of(run);
        contents.steps.push(steps?);
        contents.outcomes.push(outcomes?);
        contents.checkpoints.push(checkpoint?);
    }
    contents.fame = store.hall_of_fame(PROBLEM, 1000)?;
    contents.runs = runs;
    Ok(contents)
}

/// A store with a finished run and an interrupted one, all in one file.
fn filled(path: &Path) -> Vec<u8> {
    for _ in 0..3 {
        work(path, None, None);
    }
    work(path, None, Some(300));
    let mut store = Store::open(path).unwrap();
    for first in 0..20 {
        assert!(store.add_readings(DEFINITION, 1, 100 * first, 100, &format!("[{first}]").repeat(100)).unwrap());
    }
    drop(store);
    let database = rusqlite::Connection::open(path).unwrap();
    database.pragma_update(None, "journal_mode", "delete").unwrap();
    drop(database);
    std::fs::read(path).unwrap()
}

/// What the wall clock, the machine's name and heartbeats say is shown to people and carries no checksum; all that a result
/// stands on does.
fn essence(contents: &Contents) -> (Vec<String>, Vec<String>) {
    let runs = contents.runs.iter().map(|run| format!("{:?}", run.spec)).collect();
    let steps = contents.steps.iter().flatten().map(|step| format!("{} {:?}", step.score, step.moves));
    let outcomes = contents.outcomes.iter().flatten().map(|outcome| format!("{:?}", outcome.solved));
    let checkpoints = contents.checkpoints.iter().flatten().map(|taken| format!("{:?}", taken.bytes));
    let fame = contents.fame.iter().map(|fame| format!("{} {:?}", fame.score, fame.moves));
    let readings = contents.readings.iter().map(|bundle| format!("{} {} {}", bundle.seed, bundle.first, bundle.data));
    (runs, steps.chain(outcomes).chain(checkpoints).chain(fame).chain(readings).collect())
}

/// The same, with the checkpoints that would stand in for the newest.
fn whole(path: &Path) -> (Vec<String>, Vec<String>) {
    let mut whole = essence(&read(path).unwrap());
    let database = rusqlite::Connection::open(path).unwrap();
    let mut checkpoints = database.prepare("SELECT bytes FROM checkpoints").unwrap();
    let rows = checkpoints.query_map([], |row| Ok(format!("{:?}", row.get::<_, Vec<u8>>(0)?))).unwrap();
    whole.1.extend(rows.map(Result::unwrap));
    whole
}

/// Each of many single bytes is changed in turn: the store says it is damaged, or says nothing wrong. Afterwards salvage
/// leaves a store that can be read, and has nothing in it that was not there before.
#[test]
fn changed_bytes_are_noticed() {
    let (_kept, path) = folder();
    let bytes = filled(&path);
    let whole = whole(&path);
    let mut noticed = 0;
    let mut rng = nestling::Stream::new(5).rng();
    for trial in 0..200 {
        let (_kept, path) = folder();
        let mut changed = bytes.clone();
        // The whole file, and with some stress the pages that say where everything is.
        let index = if trial % 3 == 0 { rng.below(4096) } else { rng.below(bytes.len()) };
        changed[index] ^= 1 << rng.below(8);
        std::fs::write(&path, &changed).unwrap();
        match read(&path) {
            Err(StoreError::Damaged { what, .. }) => {
                noticed += 1;
                assert!(!what.is_empty());
                assert_saved(&path, &whole, index);
            }
            // Bits of the header that say whose file this is.
            Err(StoreError::Foreign { .. } | StoreError::Newer { .. } | StoreError::Failed { .. }) if index < 100 => {
                noticed += 1
            }
            Err(error) => panic!("byte {index}: {error}"),
            Ok(contents) => assert_part(&essence(&contents), &whole, index),
        }
    }
    println!("{noticed} of 200 changed bytes noticed; the others lie in free pages or in what only people read");
    assert!(noticed > 50, "{noticed}");
}

/// Where a store was written in two places and one is gone, the other may stand in, but nothing new may appear.
fn assert_part(found: &(Vec<String>, Vec<String>), whole: &(Vec<String>, Vec<String>), index: usize) {
    for (part, all) in [(&found.0, &whole.0), (&found.1, &whole.1)] {
        assert!(part.iter().all(|line| all.contains(line)), "byte {index}: something was misread");
    }
}

fn assert_saved(path: &Path, whole: &(Vec<String>, Vec<String>), index: usize) {
    let before = std::fs::read(path).unwrap();
    match salvage(path) {
        Ok(salvage) => {
            let damaged = salvage.damaged.unwrap_or_else(|| panic!("byte {index}: nothing was wrong after all"));
            assert!(damaged.exists());
            assert!(salvage.tables.iter().any(|rows| rows.kept > 0), "byte {index}: there was nothing to keep");
            assert_part(&essence(&read(path).unwrap_or_else(|error| panic!("byte {index}: {error}"))), whole, index);
        }
        Err(StoreError::Foreign { .. } | StoreError::Newer { .. }) if index < 100 => {}
        // Then it is left as it is.
        Err(StoreError::Unreadable { .. }) => {
            assert!(std::fs::read(path).unwrap() == before, "byte {index}");
            assert!(!path.with_file_name("runs.db.damaged").exists(), "byte {index}");
            assert!(!path.with_file_name("runs.db.salvaged").exists(), "byte {index}");
        }
        Err(error) => panic!("byte {index}: {error}"),
    }
}

/// A store that was cut off anywhere is noticed and salvaged; what lay before the cut is kept.
#[test]
fn truncated_stores_are_salvaged() {
    let (_kept, path) = folder();
    let bytes = filled(&path);
    let whole = whole(&path);
    let mut kept = Vec::new();
    for length in (1..16).map(|sixteenth| bytes.len() * sixteenth / 16).chain([10, 100, 4096, bytes.len() - 1]) {
        let (_kept, path) = folder();
        std::fs::write(&path, &bytes[..length]).unwrap();
        assert!(matches!(read(&path), Err(StoreError::Damaged { .. })), "{length} bytes: {:?}", read(&path).err());
        assert_saved(&path, &whole, length);
        kept.push(read(&path).map_or(0, |contents| contents.runs.len()));
    }
    assert!(kept[8..15].iter().all(|&runs| runs == 4), "{kept:?}: the runs come early in the file");
}

/// One broken page in the middle costs what was on it; the runs, the games and the rest are saved.
#[test]
fn one_broken_page_costs_one_page() {
    let (_kept, path) = folder();
    let bytes = filled(&path);
    let whole = read(&path).unwrap();
    let database = rusqlite::Connection::open(&path).unwrap();
    let page: i64 =
        database.query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'outcomes'", [], |row| row.get(0)).unwrap();
    drop(database);
    let (mut broken, page) = (bytes, usize::try_from(page).unwrap());
    broken[(page - 1) * 4096..page * 4096].fill(0xa5);
    std::fs::write(&path, &broken).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("damaged") && error.contains("nestling runs salvage"), "{error}");
    let saved = salvage(&path).unwrap();
    let after = read(&path).unwrap();
    assert_eq!((after.runs.len(), &after.steps, &after.fame), (4, &whole.steps, &whole.fame));
    assert_eq!((after.checkpoints, after.readings), (whole.checkpoints, whole.readings));
    assert!(saved.tables.iter().any(|rows| rows.table == "outcomes" && rows.unread), "{saved:?}");
}

/// What is no database is left where it is, and nothing takes its place.
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

/// A store that is whole is not touched.
#[test]
fn the_whole_are_left_alone() {
    let (_kept, path) = folder();
    filled(&path);
    let before = read(&path).unwrap();
    assert_eq!(salvage(&path).unwrap().damaged, None);
    assert_eq!(read(&path).unwrap(), before);
    assert!(salvage(&path.with_extension("nowhere")).is_err());
}
