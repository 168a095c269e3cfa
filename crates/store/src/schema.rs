//! The tables, and how older stores come to have them.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, TransactionBehavior};

use crate::StoreError;

/// "nstl": tells our files from other databases.
const APPLICATION: i64 = 0x6e73_746c;

/// The steps from one schema to the next, in order; `user_version` counts those a store has gone through. A step that has
/// been released never changes.
const STEPS: [&str; 3] = [FIRST, READINGS, DEVICES];

/// The newest schema.
pub(crate) const KNOWN: i64 = STEPS.len() as i64;

/// How long to wait for other processes that are writing.
const PATIENCE: Duration = Duration::from_secs(10);

/// - A run is what one `solve` was asked for; with `--runs` it has many numbers, otherwise the number 0.
/// - A leg is the work of one process on a run, and while it is not over, that process's lease. It begins at a checkpoint, what
///   had been spent before.
/// - Games outlive their runs: they are the hall of fame.
const FIRST: &str = "
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
";

/// What experiments have measured; see [`Bundle`](crate::Bundle).
const READINGS: &str = "
CREATE TABLE readings(
    id INTEGER PRIMARY KEY AUTOINCREMENT, definition TEXT NOT NULL, seed INTEGER NOT NULL, first INTEGER NOT NULL,
    count INTEGER NOT NULL, data TEXT NOT NULL, machine TEXT NOT NULL, version TEXT NOT NULL, taken INTEGER NOT NULL,
    seal INTEGER NOT NULL) STRICT;
CREATE INDEX readings_of ON readings(definition, seed);
";

/// A run may ask for a GPU, in its specification. The tables are the same, but a version that does not know of this must not go on with
/// such a run on the processor.
const DEVICES: &str = "";

/// Makes a fresh connection ready: durable, patient, and with the newest tables.
pub(crate) fn prepare(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    connection.busy_timeout(PATIENCE).map_err(|error| StoreError::new(path, &error))?;
    let began = Instant::now();
    loop {
        match settle(connection, path) {
            // While another process turns the log on, SQLite does not wait by itself.
            Err(StoreError::Busy { .. }) if began.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(10)),
            settled => return settled,
        }
    }
}

fn settle(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |error: rusqlite::Error| StoreError::new(path, &error);
    let version = version(connection, path)?;
    connection.pragma_update(None, "journal_mode", "wal").map_err(failed)?;
    connection.pragma_update(None, "synchronous", "full").map_err(failed)?;
    connection.pragma_update(None, "foreign_keys", true).map_err(failed)?;
    // What a large checkpoint left of the log is given back.
    connection.pragma_update(None, "journal_size_limit", 4 << 20).map_err(failed)?;
    if version < KNOWN { migrate(connection).map_err(failed) } else { Ok(()) }
}

/// The schema of a store; 0 is an empty file.
fn version(connection: &mut Connection, path: &Path) -> Result<i64, StoreError> {
    // One look: another process may be making the store right now.
    let mut ask = || -> rusqlite::Result<[i64; 3]> {
        let look = connection.transaction()?;
        let number = |query| look.query_row(query, [], |row| row.get::<_, i64>(0));
        let tables = number("SELECT count(*) FROM sqlite_schema")?;
        Ok([number("PRAGMA application_id")?, number("PRAGMA user_version")?, tables])
    };
    let [application, version, tables] = ask().map_err(|error| StoreError::new(path, &error))?;
    if application != APPLICATION && (application, version, tables) != (0, 0, 0) {
        return Err(StoreError::Foreign { path: path.to_path_buf() });
    }
    if version > KNOWN {
        return Err(StoreError::Newer { path: path.to_path_buf(), found: version, known: KNOWN });
    }
    Ok(version)
}

fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    let steps = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    let version = steps.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))?;
    for step in STEPS.iter().skip(usize::try_from(version).unwrap_or(0)) {
        steps.execute_batch(step)?;
    }
    steps.pragma_update(None, "application_id", APPLICATION)?;
    steps.pragma_update(None, "user_version", KNOWN)?;
    steps.commit()
}
