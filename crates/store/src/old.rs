//! Stores of schemas 1 to 3, and their conversion to schema 4. Their seals left columns out, and nothing counted their rows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use nestling::{Goal, Outcome};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use crate::StoreError;
use crate::audit::check_pages;
use crate::error::StoreFault;
use crate::inventory::Inventory;
use crate::lease::{Holder, Liveness};
use crate::machine::Process;
use crate::schema::{self, INDEXES, KNOWN, LAYOUT};
use crate::seal::seal;
use crate::table::{CHECKPOINTS, GAMES, IMPROVEMENTS, LEGS, OUTCOMES, READINGS, StoreTable};
use crate::writing::Writing;
use nestling_registry::RunSpec;

/// The steps from one schema to the next, in order. A step that has been released never changes.
const STEPS: [&str; 3] = [FIRST, WITH_READINGS, WITH_DEVICES];

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

const WITH_READINGS: &str = "
CREATE TABLE readings(
    id INTEGER PRIMARY KEY AUTOINCREMENT, definition TEXT NOT NULL, seed INTEGER NOT NULL, first INTEGER NOT NULL,
    count INTEGER NOT NULL, data TEXT NOT NULL, machine TEXT NOT NULL, version TEXT NOT NULL, taken INTEGER NOT NULL,
    seal INTEGER NOT NULL) STRICT;
CREATE INDEX readings_of ON readings(definition, seed);
";

/// A run may ask for a GPU, in its specification; the tables are the same.
const WITH_DEVICES: &str = "";

/// A table of schema 3.
pub(crate) struct OldTable {
    pub name: &'static str,
    /// The names of its columns, in order, as its rows have them.
    columns: &'static str,
    /// How a row becomes one of the new table, without the seal; none for runs, which become two rows.
    new: Option<&'static StoreTable>,
}

const fn old_table(name: &'static str, new: Option<&'static StoreTable>, columns: &'static str) -> OldTable {
    OldTable { name, columns, new }
}

/// Parents before their children.
pub(crate) const OLD_TABLES: [OldTable; 7] = [
    old_table("runs", None, "problem spec version machine started done seal"),
    old_table(
        "legs",
        Some(&LEGS),
        "run process born host machine boot space started beats beat uptime seconds_before playouts_before seconds playouts ended",
    ),
    old_table("improvements", Some(&IMPROVEMENTS), "run number score moves playouts seconds found seal"),
    old_table("checkpoints", Some(&CHECKPOINTS), "run number seconds playouts moves written seal bytes"),
    old_table("outcomes", Some(&OUTCOMES), "run number score solved finished seal"),
    old_table("games", Some(&GAMES), "problem identity worth score moves search seed run found seal"),
    old_table("readings", Some(&READINGS), "definition seed first count data machine version taken seal"),
];

impl OldTable {
    pub fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.columns.split(' ')
    }

    /// How many columns a row has, with its number.
    pub fn width(&self) -> usize {
        self.columns().count() + 1
    }

    /// Whether a row, without its number, says what was written, as far as its seal covers it.
    pub fn is_sealed(&self, row: &[Value]) -> bool {
        use Value::{Blob, Integer, Real, Text};
        let scored = |score: f64, text: &str| seal(&[&score.to_le_bytes(), text.as_bytes()]);
        match (self.name, row) {
            ("runs", [Text(_), Text(spec), Text(_), Text(_), Integer(_), Integer(_), Integer(sum)]) => {
                seal(&[spec.as_bytes()]) == *sum
            }
            ("improvements", [_, _, Real(score), Text(text), _, _, _, Integer(sum)])
            | ("outcomes", [_, _, Real(score), Text(text), _, Integer(sum)])
            | ("games", [_, _, _, Real(score), Text(text), _, _, _, _, Integer(sum)]) => {
                scored(*score, text) == *sum || (*score == 0.0 && scored(-0.0, text) == *sum)
            }
            ("checkpoints", [_, _, Real(seconds), Integer(playouts), Integer(moves), _, Integer(sum), Blob(bytes)]) => {
                seal(&[bytes, &seconds.to_le_bytes(), &playouts.to_le_bytes(), &moves.to_le_bytes()]) == *sum
            }
            (
                "readings",
                [Text(definition), Integer(seed), Integer(first), Integer(count), Text(data), _, _, _, Integer(sum)],
            ) => {
                let numbers = [*seed, *first, *count].map(i64::to_le_bytes).concat();
                seal(&[definition.as_bytes(), &numbers, data.as_bytes()]) == *sum
            }
            // Nothing protected them.
            ("legs", [Integer(_), Integer(_), Integer(_), Text(_), ..]) => true,
            _ => false,
        }
    }
}

/// Whether there is everything that the first schema had.
pub(crate) fn has_tables(names: &BTreeSet<String>) -> bool {
    OLD_TABLES[..6].iter().all(|table| names.contains(table.name))
}

/// The schema of a database without an inventory, if its tables are what its header says.
pub(crate) fn judge(look: &Connection, version: i64, path: &Path) -> Result<i64, StoreFault> {
    let found = schema::definitions(look)?;
    let known = (1..=STEPS.len()).find_map(|schema| {
        let fresh = made(schema).and_then(|fresh| schema::definitions(&fresh));
        fresh.is_ok_and(|fresh| fresh == found).then_some(schema as i64)
    });
    match known {
        // The third schema has the tables of the second.
        Some(known) if version == known || (known, version) == (2, 3) => Ok(version),
        None if version > KNOWN => {
            Err(StoreFault::Refused(StoreError::Newer { path: path.to_path_buf(), found: version, known: KNOWN }))
        }
        _ => Err(StoreFault::Damage(format!("its header says schema {version}, but its tables have another"))),
    }
}

/// An empty database of an old schema.
fn made(schema: usize) -> rusqlite::Result<Connection> {
    let fresh = Connection::open_in_memory()?;
    STEPS[..schema].iter().try_for_each(|step| fresh.execute_batch(step))?;
    Ok(fresh)
}

/// Makes an empty database one of the last old schema.
pub(crate) fn make(connection: &Connection) -> rusqlite::Result<()> {
    STEPS.iter().try_for_each(|step| connection.execute_batch(step))?;
    connection.pragma_update(None, "user_version", STEPS.len() as i64)
}

/// Brings an old store to the newest schema, in one transaction. A row that does not match its seal stops this, and everything
/// stays as it was: salvage is for that.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), StoreFault> {
    check_pages(connection, "quick_check")?;
    let migrating = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version = migrating.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))?;
    if version >= KNOWN {
        // Another process was faster.
        return Ok(());
    }
    for step in STEPS.iter().skip(usize::try_from(version).unwrap_or(0)) {
        migrating.execute_batch(step)?;
    }
    refuse_while_in_use(&migrating)?;
    for table in &OLD_TABLES {
        migrating.execute_batch(&format!("ALTER TABLE {0} RENAME TO old_{0}", table.name))?;
    }
    for index in ["legs_of", "improvements_of", "checkpoints_of", "games_best", "readings_of"] {
        migrating.execute_batch(&format!("DROP INDEX {index}"))?;
    }
    migrating.execute_batch(LAYOUT)?;
    migrating.execute_batch(INDEXES)?;
    let mut inventory = Inventory::new();
    for table in OLD_TABLES.iter().filter(|table| table.new.is_some()) {
        let last = format!("SELECT coalesce(max(id), 0) FROM old_{}", table.name);
        inventory.next_id = inventory.next_id.max(1 + migrating.query_row(&last, [], |row| row.get::<_, i64>(0))?);
    }
    let last_run = "SELECT seq FROM sqlite_sequence WHERE name = 'old_runs'";
    inventory.last_run = migrating.query_row(last_run, [], |row| row.get(0)).optional()?.unwrap_or(0);
    let mut writing = Writing::after(migrating, inventory);
    let mut goals = BTreeMap::new();
    for table in &OLD_TABLES {
        copy(&mut writing, table, &mut goals)?;
    }
    // Children before their parents.
    for table in OLD_TABLES.iter().rev() {
        writing.transaction.execute_batch(&format!("DROP TABLE old_{}", table.name))?;
    }
    schema::mark(&writing.transaction)?;
    writing.finish().map(drop)
}

/// A process of an older version could not write any more.
fn refuse_while_in_use(connection: &Connection) -> Result<(), StoreFault> {
    let here = Process::here();
    let query =
        "SELECT run, id, process, born, host, machine, boot, space, beats, uptime FROM legs WHERE ended IS NULL";
    let mut statement = connection.prepare(query)?;
    let holders = statement.query_map([], |row| {
        let process = Process {
            number: row.get(2)?,
            born: row.get(3)?,
            host: row.get(4)?,
            machine: row.get(5)?,
            boot: row.get(6)?,
            space: row.get(7)?,
        };
        let uptime = Duration::from_millis(row.get::<_, i64>(9)?.unsigned_abs());
        Ok((row.get(0)?, Holder { leg: row.get(1)?, process, beats: row.get(8)?, uptime }))
    })?;
    for holder in holders {
        let (run, holder): (i64, Holder) = holder?;
        if holder.liveness(&here) == Liveness::Alive {
            return Err(StoreFault::Refused(holder.refusal(run)));
        }
    }
    Ok(())
}

/// Copies the rows of a table that was renamed; `goals` are those of the runs.
fn copy(writing: &mut Writing<'_>, table: &OldTable, goals: &mut BTreeMap<i64, Goal>) -> Result<(), StoreFault> {
    // Rows are written to the same database meanwhile, so each is queried separately.
    let ids: Vec<i64> = {
        let mut statement = writing.transaction.prepare(&format!("SELECT id FROM old_{} ORDER BY id", table.name))?;
        statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?
    };
    let query = format!("SELECT {} FROM old_{} WHERE id = ?", table.columns.replace(' ', ", "), table.name);
    for id in ids {
        let row: Vec<Value> = writing
            .transaction
            .prepare_cached(&query)?
            .query_row([id], |row| (0..row.as_ref().column_count()).map(|column| row.get(column)).collect())?;
        if !table.is_sealed(&row) {
            return Err(StoreFault::Damage(format!("{} {id}: its checksum does not match", table.name)));
        }
        match table.new {
            None => adopt_run(writing, id, row, goals)?,
            Some(new) => {
                let values = table.columns().zip(row).filter(|(name, _)| *name != "seal");
                adopt(writing, new, id, values.map(|(_, value)| value).collect(), goals)?;
            }
        }
    }
    Ok(())
}

fn adopt_run(
    writing: &mut Writing<'_>,
    id: i64,
    row: Vec<Value>,
    goals: &mut BTreeMap<i64, Goal>,
) -> Result<(), StoreFault> {
    let [problem, spec, version, machine, started, done, _] = <[Value; 7]>::try_from(row).expect("runs have 7 columns");
    let Value::Text(text) = &spec else { unreachable!("its seal was checked") };
    let known: RunSpec =
        serde_json::from_str(text).map_err(|error| StoreFault::Damage(format!("run {id}: {error}")))?;
    goals.insert(id, known.goal());
    writing.add_run_as(id, vec![problem, version, machine, started, spec])?;
    // A batch that lost an outcome is not done: the seed finds it again.
    let query = "SELECT count(*) FROM old_outcomes WHERE run = ?";
    let finished: i64 = writing.transaction.query_row(query, [id], |row| row.get(0))?;
    let complete = known.runs == 1 || finished.cast_unsigned() >= known.runs;
    writing.standing(id)?.done = done != Value::Integer(0) && complete;
    Ok(())
}

/// Enters a row of another table, and remembers the best scores.
fn adopt(
    writing: &mut Writing<'_>,
    table: &StoreTable,
    id: i64,
    values: Vec<Value>,
    goals: &BTreeMap<i64, Goal>,
) -> Result<(), StoreFault> {
    let scored = match (table.name, values.as_slice()) {
        ("improvements", [Value::Integer(run), _, Value::Real(score), ..]) => Some((*run, Some(*score))),
        ("outcomes", [Value::Integer(run), _, _, Value::Text(solved), _]) => {
            let outcome: Outcome = serde_json::from_str(solved)
                .map_err(|error| StoreFault::Damage(format!("run {run}, outcome {id}: {error}")))?;
            Some((*run, outcome.score()))
        }
        _ => None,
    };
    writing.insert_as(table, id, values)?;
    if let Some((run, Some(score))) = scored {
        let goal = goals.get(&run).ok_or_else(|| StoreFault::Damage(format!("run {run} is missing")))?;
        let standing = writing.standing(run)?;
        let outcome = table.name == OUTCOMES.name;
        let best = if outcome { &mut standing.best_outcome } else { &mut standing.best_improvement };
        *best = Some(best.map_or(score, |best| goal.best(best, score)));
    }
    Ok(())
}
