//! Stores of earlier versions are brought up to date, and lose nothing.

use std::path::Path;
use std::time::Duration;

use crate::common::{PROBLEM, alone, folder, spec};
use nestling_registry::RunSpec;
use nestling_store::{State, Store, StoreError, salvage};
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

/// The tables of schema 3, and of the schemas before it.
const SCHEMA: [&str; 2] = [
    "
CREATE TABLE runs(
    id INTEGER PRIMARY KEY AUTOINCREMENT, problem TEXT NOT NULL, spec TEXT NOT NULL, version TEXT NOT NULL,
    machine TEXT NOT NULL, started INTEGER NOT NULL, done INTEGER NOT NULL DEFAULT 0, seal INTEGER NOT NULL) STRICT;
CREATE TABLE legs(
    id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    process INTEGER NOT NULL, born INTEGER NOT NULL, host TEXT NOT NULL, machine TEXT NOT NULL, boot TEXT NOT NULL,
    space TEXT NOT NULL, started INTEGER NOT NULL, beats INTEGER NOT NULL, beat INTEGER NOT NULL, uptime INTEGER NOT NULL,
    seconds_before REAL NOT NULL, playouts_before INTEGER NOT NULL, seconds REAL NOT NULL, playouts INTEGER NOT NULL,
    ended INTEGER) STRICT;
CREATE INDEX legs_of ON legs(run);
CREATE TABLE improvements(
    id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, number INTEGER NOT NULL,
    score REAL NOT NULL, moves TEXT NOT NULL, playouts INTEGER NOT NULL, seconds REAL NOT NULL, found INTEGER NOT NULL,
    seal INTEGER NOT NULL) STRICT;
CREATE INDEX improvements_of ON improvements(run, number);
CREATE TABLE checkpoints(
    id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, number INTEGER NOT NULL,
    seconds REAL NOT NULL, playouts INTEGER NOT NULL, moves INTEGER NOT NULL, written INTEGER NOT NULL,
    seal INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE INDEX checkpoints_of ON checkpoints(run, number);
CREATE TABLE outcomes(
    id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, number INTEGER NOT NULL,
    score REAL NOT NULL, solved TEXT NOT NULL, finished INTEGER NOT NULL, seal INTEGER NOT NULL,
    UNIQUE(run, number)) STRICT;
CREATE TABLE games(
    id INTEGER PRIMARY KEY AUTOINCREMENT, problem TEXT NOT NULL, identity BLOB NOT NULL, worth REAL NOT NULL,
    score REAL NOT NULL, moves TEXT NOT NULL, search TEXT NOT NULL, seed INTEGER NOT NULL, run INTEGER NOT NULL,
    found INTEGER NOT NULL, seal INTEGER NOT NULL, UNIQUE(problem, identity)) STRICT;
CREATE INDEX games_best ON games(problem, worth DESC, id);
",
    "
CREATE TABLE readings(
    id INTEGER PRIMARY KEY AUTOINCREMENT, definition TEXT NOT NULL, seed INTEGER NOT NULL, first INTEGER NOT NULL,
    count INTEGER NOT NULL, data TEXT NOT NULL, machine TEXT NOT NULL, version TEXT NOT NULL, taken INTEGER NOT NULL,
    seal INTEGER NOT NULL) STRICT;
CREATE INDEX readings_of ON readings(definition, seed);
",
];

/// The seals of those schemas.
fn seal(parts: &[&[u8]]) -> i64 {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    i64::from_le_bytes(*hash.finalize().first_chunk().unwrap())
}

fn scored(score: f64, text: &str) -> i64 {
    seal(&[&score.to_le_bytes(), text.as_bytes()])
}

/// A store as an earlier version left it: a deleted run, a finished one, a batch of three that is called done and has two, and an
/// interrupted one with a checkpoint too long for a page.
fn make(path: &Path, schema: usize) {
    let database = Connection::open(path).unwrap();
    database.pragma_update(None, "journal_mode", "wal").unwrap();
    SCHEMA[..schema.min(2)].iter().for_each(|step| database.execute_batch(step).unwrap());
    let found = alone(spec());
    let game = found.game().unwrap();
    let run = |spec: &RunSpec, done: bool| {
        let text = serde_json::to_string(spec).unwrap();
        let insert =
            "INSERT INTO runs(problem, spec, version, machine, started, done, seal) VALUES (?,?,'0.0','old',77,?,?)";
        database.execute(insert, params![spec.problem, text, done, seal(&[text.as_bytes()])]).unwrap();
        let run = database.last_insert_rowid();
        let leg = "INSERT INTO legs(run, process, born, host, machine, boot, space, started, beats, beat, uptime,
                   seconds_before, playouts_before, seconds, playouts, ended) VALUES (?,1,2,'h','','','',5,6,7,8,0,0,1.5,300,9)";
        database.execute(leg, [run]).unwrap();
        let moves = game.texts().join("\n");
        for score in [game.score() - 1.0, game.score()] {
            let insert = "INSERT INTO improvements(run, number, score, moves, playouts, seconds, found, seal)
                          VALUES (?,0,?,?,12,0.5,99,?)";
            database.execute(insert, params![run, score, moves, scored(score, &moves)]).unwrap();
        }
        run
    };
    let outcome = |run: i64, number: i64| {
        let text = serde_json::to_string(&found).unwrap();
        let insert = "INSERT INTO outcomes(run, number, score, solved, finished, seal) VALUES (?,?,?,?,55,?)";
        database.execute(insert, params![run, number, game.score(), text, scored(game.score(), &text)]).unwrap();
    };
    let deleted = run(&spec(), true);
    outcome(run(&spec(), true), 0);
    let batch = run(&RunSpec { runs: 3, ..spec() }, true);
    outcome(batch, 0);
    outcome(batch, 2);
    let interrupted = run(&spec(), false);
    let (bytes, seconds) = (vec![7u8; 20_000], 2.0f64);
    let sum = seal(&[&bytes, &seconds.to_le_bytes(), &300i64.to_le_bytes(), &9_000i64.to_le_bytes()]);
    let insert = "INSERT INTO checkpoints(run, number, seconds, playouts, moves, written, seal, bytes) VALUES (?,0,?,300,9000,1,?,?)";
    database.execute(insert, params![interrupted, seconds, sum, bytes]).unwrap();
    let moves = game.texts().join("\n");
    let insert = "INSERT INTO games(problem, identity, worth, score, moves, search, seed, run, found, seal)
                  VALUES (?,x'01',?,?,?,'nested(1)',5,?,44,?)";
    let fame = params![PROBLEM, game.score(), game.score(), moves, deleted, scored(game.score(), &moves)];
    database.execute(insert, fame).unwrap();
    if schema > 1 {
        let numbers = [1i64, 0, 3].map(i64::to_le_bytes).concat();
        let insert = "INSERT INTO readings(definition, seed, first, count, data, machine, version, taken, seal)
                      VALUES ('d',1,0,3,'[1,2,3]','m','v',66,?)";
        database.execute(insert, [seal(&[b"d", &numbers, b"[1,2,3]"])]).unwrap();
    }
    database.pragma_update(None, "foreign_keys", true).unwrap();
    database.execute("DELETE FROM runs WHERE id = ?", [deleted]).unwrap();
    database.pragma_update(None, "application_id", 0x6e73_746c).unwrap();
    database.pragma_update(None, "user_version", schema as i64).unwrap();
}

fn assert_all_is_there(path: &Path, schema: usize) {
    let mut store = Store::look(path).unwrap().unwrap();
    store.check().unwrap();
    let found = alone(spec());
    let game = found.game().unwrap();
    let runs = store.runs().unwrap();
    assert_eq!(runs.iter().map(|run| run.id).collect::<Vec<_>>(), [4, 3, 2], "{schema}");
    let states: Vec<&State> = runs.iter().map(|run| &run.state).collect();
    // A batch that has lost an outcome is not done.
    assert_eq!(states, [&State::Interrupted, &State::Interrupted, &State::Done]);
    for run in &runs {
        assert_eq!((run.spec.seed, run.best, run.version.as_str()), (Some(3), Some(game.score()), "0.0"));
        assert_eq!((run.spent.work.playouts, run.spent.time), (300, Duration::from_millis(1_500)));
        let steps = store.improvements(run.id).unwrap();
        assert_eq!(steps.iter().map(|step| step.score).collect::<Vec<_>>(), [game.score() - 1.0, game.score()]);
        assert_eq!(steps[1].moves, game.texts());
    }
    let numbers = |run| store.outcomes(run).unwrap().iter().map(|outcome| outcome.number).collect::<Vec<_>>();
    assert_eq!((numbers(2), numbers(3), numbers(4)), (vec![0], vec![0, 2], vec![]));
    let taken = store.checkpoint(4, 0).unwrap().unwrap();
    assert_eq!((taken.bytes, taken.spent.work.playouts, taken.instead), (vec![7; 20_000], 300, false));
    let fame = store.hall_of_fame(PROBLEM, 10).unwrap();
    assert_eq!((fame.len(), fame[0].run, fame[0].score), (1, 1, game.score()));
    assert_eq!(store.readings("d").unwrap().len(), usize::from(schema > 1));
    assert_eq!(store.add(&spec()).unwrap(), 5, "no number is given twice");
    assert!(store.add_readings("d", 1, 3, 1, "[4]").unwrap());
}

#[test]
fn older_stores_are_brought_up_to_date() {
    for schema in 1..=3 {
        let (_kept, path) = folder();
        make(&path, schema);
        assert_all_is_there(&path, schema);
        assert_eq!(salvage(&path).unwrap().damage, None);
    }
}

/// What an older seal protected is checked on the way; the store stays as it was.
#[test]
fn a_damaged_older_store_is_not_changed() {
    let (_kept, path) = folder();
    make(&path, 3);
    let database = Connection::open(&path).unwrap();
    database.execute("UPDATE improvements SET score = score + 1 WHERE id = 5", []).unwrap();
    drop(database);
    let before = std::fs::read(&path).unwrap();
    for _ in 0..2 {
        let error = Store::open(&path).err().unwrap();
        assert!(matches!(&error, StoreError::Damaged { what, .. } if what.contains("improvements 5")), "{error}");
    }
    assert!(std::fs::read(&path).unwrap() == before);
    let saved = salvage(&path).unwrap();
    assert!(saved.missing.iter().any(|piece| piece.what.contains("1 rows that do not match")), "{saved:?}");
    let store = Store::look(&path).unwrap().unwrap();
    assert_eq!((store.runs().unwrap().len(), store.improvements(3).unwrap().len()), (3, 1));
}

/// Neither the header nor the log of an older store is needed to save its rows.
#[test]
fn headers_of_older_stores_are_not_needed() {
    for schema in 1..=3 {
        for damage in ["PRAGMA user_version = 1", "PRAGMA user_version = 7", "PRAGMA application_id = 7"] {
            let (_kept, path) = folder();
            make(&path, schema);
            Connection::open(&path).unwrap().execute_batch(damage).unwrap();
            if schema == 1 && damage.ends_with("= 1") {
                continue;
            }
            let error = Store::open(&path).err().unwrap();
            assert!(matches!(error, StoreError::Damaged { .. }), "{schema}, {damage}: {error}");
            let saved = salvage(&path).unwrap();
            assert!(saved.damage.is_some() && saved.missing.len() == 1, "{saved:?}");
            assert_all_is_there(&path, schema.max(1));
        }
        let (_kept, path) = folder();
        make(&path, schema);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[..100].fill(0xff);
        std::fs::write(&path, bytes).unwrap();
        assert!(salvage(&path).unwrap().damage.is_some());
        assert_all_is_there(&path, schema);
    }
}

/// A process of an earlier version that is at work could not write any more.
#[test]
#[cfg(target_os = "linux")]
fn a_store_that_is_worked_on_is_not_changed() {
    let (_kept, path) = folder();
    make(&path, 3);
    let line = |file: &str| std::fs::read_to_string(file).unwrap_or_default().trim().to_owned();
    let stat = line("/proc/self/stat");
    let born: i64 = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(19).unwrap().parse().unwrap();
    let uptime: f64 = line("/proc/uptime").split(' ').next().unwrap().parse().unwrap();
    let space = std::fs::read_link("/proc/self/ns/pid").unwrap().to_string_lossy().into_owned();
    let database = Connection::open(&path).unwrap();
    let leg = "UPDATE legs SET process = ?, born = ?, machine = ?, boot = ?, space = ?, uptime = ?, ended = NULL WHERE run = 4";
    let boot = line("/proc/sys/kernel/random/boot_id");
    let row = params![std::process::id(), born, line("/etc/machine-id"), boot, space, (uptime * 1e3) as i64];
    assert_eq!(database.execute(leg, row).unwrap(), 1);
    drop(database);
    assert!(matches!(Store::open(&path), Err(StoreError::Leased { run: 4, .. })));
    assert!(matches!(salvage(&path), Err(StoreError::Leased { run: 4, .. })));
    Connection::open(&path).unwrap().execute("UPDATE legs SET ended = 1", []).unwrap();
    assert_all_is_there(&path, 3);
}
