//! Saves what can still be read of a damaged store.

use std::path::{Path, PathBuf};

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use crate::seal::seal;
use crate::write::checkpoint_seal;
use crate::{State, Store, StoreError, readings};

/// What became of a damaged store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salvage {
    /// Where the damaged file is now; none if nothing was wrong, and nothing was touched.
    pub damaged: Option<PathBuf>,
    /// What became of each table.
    pub tables: Vec<Rows>,
}

/// What became of the rows of one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The table.
    pub table: &'static str,
    /// Rows that were kept.
    pub kept: u64,
    /// Rows that were seen and could not be.
    pub lost: u64,
    /// Whether there are places that could not be read; nobody knows how many more rows were there.
    pub unread: bool,
}

/// Parents before their children.
const TABLES: [&str; 7] = ["runs", "legs", "improvements", "checkpoints", "outcomes", "games", "readings"];

/// Copies every row that can be read, and matches its checksum, into a new file, which takes the place of the damaged one;
/// that is kept beside it. Refused while a process works on one of the runs, and where not one row can be kept: then the file
/// stays where it is.
pub fn salvage(path: &Path) -> Result<Salvage, StoreError> {
    let open = |error: std::io::Error| StoreError::Open { path: path.to_path_buf(), reason: error.to_string() };
    if !path.is_file() {
        return Err(open(std::io::ErrorKind::NotFound.into()));
    }
    // A store of another program or version is whole for those who can read it.
    match Store::open(path) {
        Ok(store) => {
            for run in store.runs().unwrap_or_default() {
                if let State::Running { process, host } = run.state {
                    return Err(StoreError::Leased { run: run.id, process, host });
                }
            }
        }
        Err(StoreError::Damaged { .. }) => {}
        Err(error) => return Err(error),
    }
    let fresh = beside(path, "salvaged");
    remove(&fresh).map_err(open)?;
    let (tables, whole) = copy(path, &fresh)?;
    if whole {
        remove(&fresh).map_err(open)?;
        return Ok(Salvage { damaged: None, tables });
    }
    if tables.iter().all(|rows| rows.kept == 0) {
        remove(&fresh).map_err(open)?;
        return Err(StoreError::Unreadable { path: path.to_path_buf() });
    }
    let damaged = beside(path, "damaged");
    for suffix in ["", "-wal", "-shm"] {
        let from = with(path, suffix);
        if from.exists() {
            std::fs::rename(from, with(&damaged, suffix)).map_err(open)?;
        }
    }
    std::fs::rename(&fresh, path).map_err(open)?;
    Ok(Salvage { damaged: Some(damaged), tables })
}

/// Copies all tables; whether there was nothing wrong.
fn copy(path: &Path, fresh: &Path) -> Result<(Vec<Rows>, bool), StoreError> {
    let failed = |error: rusqlite::Error| StoreError::new(fresh, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let old = Connection::open_with_flags(path, flags).map_err(|error| StoreError::new(path, &error))?;
    let checked = old.query_row("PRAGMA integrity_check(1)", [], |row| row.get::<_, String>(0));
    let mut whole = checked.is_ok_and(|said| said == "ok");
    // Without this SQLite reads nothing of a file that was cut off.
    old.pragma_update(None, "writable_schema", true).map_err(|error| StoreError::new(path, &error))?;
    let mut store = Store::open(fresh)?;
    whole &= definitions(&old).is_some_and(|old| Some(old) == definitions(&store.connection));
    let mut tables = Vec::new();
    for table in TABLES {
        let (rows, unread) = rows(&old, table);
        let copying = store.connection.transaction().map_err(failed)?;
        let (mut kept, mut lost) = (0, 0);
        for row in rows {
            let marks = vec!["?"; row.len()].join(", ");
            let insert = format!("INSERT INTO {table} VALUES ({marks})");
            // What belongs to a run that is lost has no place any more.
            let is_kept = matches_seal(table, &row) && copying.execute(&insert, params_from_iter(&row)).is_ok();
            *(if is_kept { &mut kept } else { &mut lost }) += 1;
        }
        copying.commit().map_err(failed)?;
        whole &= lost == 0 && !unread;
        tables.push(Rows { table, kept, lost, unread });
    }
    // Everything into the one file that is renamed.
    store.connection.pragma_update(None, "wal_checkpoint", "truncate").map_err(failed)?;
    Ok((tables, whole))
}

/// What the tables are called and have; it is text, in which a byte may change like anywhere else.
fn definitions(connection: &Connection) -> Option<Vec<(String, Option<String>)>> {
    let mut query = connection.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").ok()?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).ok()?;
    rows.collect::<rusqlite::Result<_>>().ok()
}

/// The rows of a table that can be read, from both ends towards a broken place and then one by one inside it; and whether
/// there was such a place. How many rows were on it cannot be told: not every number has one.
fn rows(old: &Connection, table: &str) -> (Vec<Vec<Value>>, bool) {
    let (mut rows, broken) = scan(old, table, "ASC");
    let Some(after) = broken else { return (rows, false) };
    let (back, _) = scan(old, table, "DESC");
    let before = back.last().and_then(|row| identifier(row)).unwrap_or(after);
    // A broken page holds at most a few hundred rows.
    for id in (after + 1..before).take(100_000) {
        let one = format!("SELECT * FROM {table} WHERE id = ?");
        rows.extend(old.query_row(&one, [id], values).ok());
    }
    rows.extend(back.into_iter().rev().filter(|row| identifier(row).is_some_and(|id| id > after)));
    (rows, true)
}

/// Reads in one direction as far as possible; the last number read if that was not the end.
fn scan(old: &Connection, table: &str, direction: &str) -> (Vec<Vec<Value>>, Option<i64>) {
    let mut read = Vec::new();
    let mut scan = || -> rusqlite::Result<()> {
        let mut query = old.prepare(&format!("SELECT * FROM {table} ORDER BY id {direction}"))?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            read.push(values(row)?);
        }
        Ok(())
    };
    let broken = scan().is_err();
    let last = read.last().and_then(|row| identifier(row)).unwrap_or(0);
    (read, broken.then_some(last))
}

fn values(row: &rusqlite::Row<'_>) -> rusqlite::Result<Vec<Value>> {
    (0..row.as_ref().column_count()).map(|column| row.get(column)).collect()
}

fn identifier(row: &[Value]) -> Option<i64> {
    match row.first() {
        Some(Value::Integer(id)) => Some(*id),
        _ => None,
    }
}

/// Whether a row says what was written; the columns are those of the schema, in order.
fn matches_seal(table: &str, row: &[Value]) -> bool {
    use Value::{Blob, Integer, Real, Text};
    match (table, row) {
        ("runs", [_, _, Text(spec), _, _, _, _, Integer(sum)]) => seal(&[spec.as_bytes()]) == *sum,
        ("improvements", [_, _, _, Real(score), Text(moves), _, _, _, Integer(sum)])
        | ("games", [_, _, _, _, Real(score), Text(moves), _, _, _, _, Integer(sum)]) => {
            seal(&[&score.to_le_bytes(), moves.as_bytes()]) == *sum
        }
        ("checkpoints", [_, _, _, Real(seconds), Integer(playouts), Integer(moves), _, Integer(sum), Blob(bytes)]) => {
            checkpoint_seal(bytes, *seconds, *playouts, *moves) == *sum
        }
        ("outcomes", [_, _, _, Real(score), Text(solved), _, Integer(sum)]) => {
            seal(&[&score.to_le_bytes(), solved.as_bytes()]) == *sum
        }
        (
            "readings",
            [_, Text(definition), Integer(seed), Integer(first), Integer(count), Text(data), _, _, _, Integer(sum)],
        ) => readings::sum(definition, *seed, *first, *count, data) == *sum,
        ("legs", _) => true,
        _ => false,
    }
}

/// A name beside the file that is not taken, but for a half-made copy of our own.
fn beside(path: &Path, word: &str) -> PathBuf {
    let name = |count: u32| match count {
        0 => with(path, &format!(".{word}")),
        _ => with(path, &format!(".{word}-{count}")),
    };
    let free = (0..).map(name).find(|name| word == "salvaged" || !name.exists());
    free.expect("there are more names than files")
}

fn with(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn remove(path: &Path) -> std::io::Result<()> {
    for suffix in ["", "-wal", "-shm"] {
        match std::fs::remove_file(with(path, suffix)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
