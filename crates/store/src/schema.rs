//! The tables as SQLite has them, and what a file turns out to be when it is looked at.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::StoreError;
use crate::error::StoreFault;
use crate::files::StoreFiles;
use crate::inventory::{Inventory, Total};
use crate::old;
use crate::table::INVENTORY;
use crate::witness::Seen;
use crate::writing::Writing;

/// "nstl": tells our files from other databases.
pub(crate) const APPLICATION: i64 = 0x6e73_746c;

/// The newest schema; `user_version` has that of a file. Schemas 1 to 3 are in [`old`].
pub(crate) const KNOWN: i64 = 4;

/// Schema 4. What has been released never changes: a later schema is a step from this one.
pub(crate) const LAYOUT: &str = "
CREATE TABLE inventory(
    id INTEGER PRIMARY KEY, seal INTEGER NOT NULL, written INTEGER NOT NULL, schema INTEGER NOT NULL,
    identity INTEGER NOT NULL, next_id INTEGER NOT NULL, last_run INTEGER NOT NULL,
    standings_rows INTEGER NOT NULL, standings_seals INTEGER NOT NULL,
    collections_rows INTEGER NOT NULL, collections_seals INTEGER NOT NULL,
    deleted_rows INTEGER NOT NULL, deleted_seals INTEGER NOT NULL) STRICT;
CREATE TABLE runs(
    id INTEGER PRIMARY KEY, seal INTEGER NOT NULL, written INTEGER NOT NULL, problem TEXT NOT NULL,
    version TEXT NOT NULL, machine TEXT NOT NULL, started INTEGER NOT NULL, spec TEXT NOT NULL) STRICT;
CREATE TABLE standings(
    id INTEGER PRIMARY KEY, seal INTEGER NOT NULL, written INTEGER NOT NULL, order_seal INTEGER NOT NULL,
    done INTEGER NOT NULL, best_improvement REAL, best_outcome REAL, legs_rows INTEGER NOT NULL,
    legs_seals INTEGER NOT NULL, improvements_rows INTEGER NOT NULL, improvements_seals INTEGER NOT NULL,
    checkpoints_rows INTEGER NOT NULL, checkpoints_seals INTEGER NOT NULL, outcomes_rows INTEGER NOT NULL,
    outcomes_seals INTEGER NOT NULL) STRICT;
CREATE TABLE legs(
    id INTEGER PRIMARY KEY, seal INTEGER NOT NULL, written INTEGER NOT NULL, run INTEGER NOT NULL,
    process INTEGER NOT NULL, born INTEGER NOT NULL, host TEXT NOT NULL, machine TEXT NOT NULL, boot TEXT NOT NULL,
    space TEXT NOT NULL, started INTEGER NOT NULL, beats INTEGER NOT NULL, beat INTEGER NOT NULL,
    uptime INTEGER NOT NULL, seconds_before REAL NOT NULL, playouts_before INTEGER NOT NULL, seconds REAL NOT NULL,
    playouts INTEGER NOT NULL, ended INTEGER) STRICT;
CREATE TABLE improvements(
    id INTEGER PRIMARY KEY, seal INTEGER NOT NULL, written INTEGER NOT NULL, run INTEGER NOT NULL,
    number INTEGER NOT NULL, score REAL NOT NULL, moves TEXT NOT NULL, playouts INTEGER NOT NULL,
    seconds REAL NOT NULL, found INTEGER NOT NULL) STRICT;
CREATE TABLE checkpoints(
    id INTEGER PRIMARY KEY, seal INTEGER NOT NULL, written INTEGER NOT NULL, run INTEGER NOT NULL,
    number INTEGER NOT NULL, seconds REAL NOT NULL, playouts INTEGER NOT NULL, moves INTEGER NOT NULL,
    stored INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE TABLE outcomes(
    id INTEGER PRIMARY KEY, seal INTEGER NOT NULL, written INTEGER NOT NULL, run INTEGER NOT NULL,
    number INTEGER NOT NULL, score REAL NOT NULL, solved TEXT NOT NULL, finished INTEGER NOT NULL) STRICT;
CREATE TABLE games(
    id INTEGER PRIMARY KEY, seal INTEGER NOT NULL, written INTEGER NOT NULL, problem TEXT NOT NULL,
    identity BLOB NOT NULL, worth REAL NOT NULL, score REAL NOT NULL, moves TEXT NOT NULL, search TEXT NOT NULL,
    seed INTEGER NOT NULL, run INTEGER NOT NULL, found INTEGER NOT NULL) STRICT;
CREATE TABLE readings(
    id INTEGER PRIMARY KEY, seal INTEGER NOT NULL, written INTEGER NOT NULL, definition TEXT NOT NULL,
    seed INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, data TEXT NOT NULL,
    machine TEXT NOT NULL, version TEXT NOT NULL, taken INTEGER NOT NULL) STRICT;
CREATE TABLE collections(
    id INTEGER PRIMARY KEY, seal INTEGER NOT NULL, written INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    rows INTEGER NOT NULL, seals INTEGER NOT NULL) STRICT;
CREATE TABLE deleted(
    id INTEGER PRIMARY KEY, seal INTEGER NOT NULL, written INTEGER NOT NULL, moment INTEGER NOT NULL) STRICT;
";

/// The indexes of [`LAYOUT`]; a salvaged store gets them when its rows are chosen.
pub(crate) const INDEXES: &str = "
CREATE INDEX legs_of ON legs(run);
CREATE INDEX improvements_of ON improvements(run);
CREATE INDEX checkpoints_of ON checkpoints(run, number);
CREATE UNIQUE INDEX outcomes_of ON outcomes(run, number);
CREATE UNIQUE INDEX games_of ON games(problem, identity);
CREATE INDEX games_best ON games(problem, worth);
CREATE INDEX readings_of ON readings(definition, seed);
CREATE UNIQUE INDEX collections_of ON collections(kind, name);
";

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// Nothing yet.
    Empty,
    /// A store of an older schema.
    Old(i64),
    /// A store of this schema.
    Current(Inventory),
}

/// Looks at a database without changing it. Everything that the header says is compared with the inventory, which has a seal;
/// the number of commits with what the witness has seen.
pub(crate) fn judge(connection: &Connection, seen: &Seen, path: &Path) -> Result<Condition, StoreError> {
    if let Some(found) = seen.newer {
        return Err(StoreError::Newer { path: path.to_path_buf(), found, known: KNOWN });
    }
    let judged = || -> Result<Condition, StoreFault> {
        // One look: another process may be making the store right now.
        let look = connection.unchecked_transaction()?;
        let header = Header::read(&look)?;
        let names = table_names(&look)?;
        let ours = header.application == APPLICATION || seen.is_any() || old::has_tables(&names);
        if !ours && (header.application, header.version, names.len()) != (0, 0, 0) {
            return Err(StoreFault::Refused(StoreError::Foreign { path: path.to_path_buf() }));
        }
        if names.is_empty() {
            return match seen.newest(None) {
                Some(known) => Err(StoreFault::Damage(format!("all of its {} writes are missing", known.commits))),
                None if header == Header::default() => Ok(Condition::Empty),
                None => Err(StoreFault::Damage("its tables are missing".to_owned())),
            };
        }
        if names.contains(INVENTORY.name) {
            return current(&look, header, seen, path);
        }
        if seen.is_any() {
            return Err(StoreFault::Damage("its inventory is missing".to_owned()));
        }
        header.is_ours()?;
        old::judge(&look, header.version, path).map(Condition::Old)
    };
    // An empty store has no commits in its log, unless another process has made it since. Having had the lock for writing, a second
    // look sees all that was in the log before.
    let looked_again = match judged() {
        Ok(Condition::Empty) if StoreFiles::of(path).log_has_commits().unwrap_or(true) => {
            let had_lock = connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK");
            match (had_lock.map_err(|error| StoreError::new(path, &error)), judged()) {
                (Err(busy @ StoreError::Busy { .. }), _) => return Err(busy),
                (_, Ok(Condition::Empty)) => {
                    Err(StoreFault::Damage("its log has writes that SQLite cannot read".to_owned()))
                }
                (_, other) => other,
            }
        }
        other => other,
    };
    looked_again.map_err(|fault| fault.of(path))
}

fn current(look: &Connection, header: Header, seen: &Seen, path: &Path) -> Result<Condition, StoreFault> {
    let newer =
        || StoreFault::Refused(StoreError::Newer { path: path.to_path_buf(), found: header.version, known: KNOWN });
    let inventory = match Inventory::read(look) {
        Ok(inventory) if inventory.schema == header.version && header.version > KNOWN => return Err(newer()),
        Ok(inventory) => inventory,
        // Its inventory may have other columns.
        Err(StoreFault::Sqlite(_)) if header.version > KNOWN => return Err(newer()),
        Err(fault) => return Err(fault),
    };
    header.is_ours()?;
    if header.version != inventory.schema {
        let (header, schema) = (header.version, inventory.schema);
        return Err(StoreFault::Damage(format!("its header says schema {header}, but its inventory says {schema}")));
    }
    let known = seen.newest(Some(inventory.identity)).map_or(0, |known| known.commits);
    match known - inventory.commits {
        ..=0 => Ok(Condition::Current(inventory)),
        1 => Err(StoreFault::Damage("its last write is missing".to_owned())),
        missing => Err(StoreFault::Damage(format!("its last {missing} writes are missing"))),
    }
}

/// The content according to the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Header {
    application: i64,
    version: i64,
}

impl Header {
    fn read(connection: &Connection) -> Result<Self, StoreFault> {
        let number = |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
        Ok(Header { application: number("application_id")?, version: number("user_version")? })
    }

    fn is_ours(self) -> Result<(), StoreFault> {
        let damage = "its header says that it belongs to another program";
        if self.application == APPLICATION { Ok(()) } else { Err(StoreFault::Damage(damage.to_owned())) }
    }
}

fn table_names(connection: &Connection) -> rusqlite::Result<BTreeSet<String>> {
    let query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'";
    connection.prepare(query)?.query_map([], |row| row.get(0))?.collect()
}

/// Whether the tables and indexes are those of this schema: their definitions are text, in which a byte may change like
/// anywhere else.
pub(crate) fn check_definitions(connection: &Connection) -> Result<(), StoreFault> {
    let fresh = Connection::open_in_memory()?;
    fresh.execute_batch(LAYOUT)?;
    fresh.execute_batch(INDEXES)?;
    if definitions(connection)? == definitions(&fresh)? {
        return Ok(());
    }
    Err(StoreFault::Damage("the definitions of its tables have changed".to_owned()))
}

/// The definitions of tables and indexes.
pub(crate) fn definitions(connection: &Connection) -> rusqlite::Result<Vec<(String, Option<String>)>> {
    let query = "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name";
    connection.prepare(query)?.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// Makes the tables of a new store.
pub(crate) fn create(connection: &mut Connection) -> Result<(), StoreFault> {
    let making = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    if !table_names(&making)?.is_empty() {
        return Ok(());
    }
    making.execute_batch(LAYOUT)?;
    making.execute_batch(INDEXES)?;
    mark(&making)?;
    Writing::after(making, Inventory::new()).finish().map(drop)
}

/// Says in the header whose file it is.
pub(crate) fn mark(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", KNOWN)
}

impl Inventory {
    /// That of a store before its first commit.
    pub fn new() -> Self {
        let none = Total::default();
        let identity = RandomState::new().build_hasher().finish().cast_signed();
        Inventory {
            commits: 0,
            schema: KNOWN,
            identity,
            next_id: 1,
            last_run: 0,
            standings: none,
            collections: none,
            deleted: none,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{ColumnKind, StoreTable, TABLES};

    /// The tables in the code are those in SQLite, column by column.
    #[test]
    fn tables_are_as_they_are_described() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(LAYOUT).unwrap();
        connection.execute_batch(INDEXES).unwrap();
        assert_eq!(table_names(&connection).unwrap().len(), TABLES.len());
        for StoreTable { name, columns, .. } in TABLES {
            let mut query = connection.prepare("SELECT name, type, \"notnull\" FROM pragma_table_info(?)").unwrap();
            let found = query.query_map([name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
            let found: Vec<(String, String, bool)> = found.map(Result::unwrap).collect();
            let described = columns.iter().map(|(name, kind)| {
                let (kind, needed) = match kind {
                    ColumnKind::Integer => ("INTEGER", true),
                    ColumnKind::Real => ("REAL", true),
                    ColumnKind::Text => ("TEXT", true),
                    ColumnKind::Blob => ("BLOB", true),
                    ColumnKind::OptionalInteger => ("INTEGER", false),
                    ColumnKind::OptionalReal => ("REAL", false),
                };
                ((*name).to_owned(), kind.to_owned(), needed)
            });
            assert_eq!(found[3..], described.collect::<Vec<_>>(), "{name}");
            let first: Vec<&str> = found[..3].iter().map(|(name, ..)| name.as_str()).collect();
            assert_eq!(first, ["id", "seal", "written"], "{name}");
        }
    }

    /// A store of a later version is refused as such, and left alone: it is whole for those who can read it.
    #[test]
    fn a_later_version_is_no_damage() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.db");
        let later = |change: &dyn Fn(&Connection)| {
            let store = crate::Store::open(&path).unwrap();
            let inventory = store.read(Inventory::read).unwrap();
            let raised = Inventory { schema: 99, commits: inventory.commits + 1, ..inventory };
            raised.record().put(&store.connection, &INVENTORY).unwrap();
            store.connection.pragma_update(None, "user_version", 99).unwrap();
            change(&store.connection);
            drop(store);
            for error in [crate::Store::open(&path).err().unwrap(), crate::salvage(&path).err().unwrap()] {
                assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error}");
                assert!(error.to_string().contains("schema 99"), "{error}");
            }
            std::fs::remove_file(&path).unwrap();
            std::fs::remove_file(path.with_file_name("runs.db-seen")).unwrap();
        };
        later(&|_| {});
        later(&|connection| connection.execute_batch("ALTER TABLE inventory RENAME COLUMN schema TO other").unwrap());
    }
}
