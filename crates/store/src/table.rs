//! The tables and their columns.

use ColumnKind::{Blob, Integer, OptionalInteger, OptionalReal, Real, Text};

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    Integer,
    Real,
    Text,
    Blob,
    OptionalInteger,
    OptionalReal,
}

/// A table. Besides its own columns it has `id`, `seal` and `written`, in this order and before them.
pub(crate) struct StoreTable {
    pub name: &'static str,
    /// The word for one row, for people.
    pub noun: &'static str,
    /// The word for several rows.
    pub nouns: &'static str,
    pub columns: &'static [(&'static str, ColumnKind)],
}

/// A table: its name, what one row and several are called, and its columns.
macro_rules! table {
    ($name:literal, $noun:literal, $nouns:literal, $($column:ident: $kind:ident),*) => {
        StoreTable { name: $name, noun: $noun, nouns: $nouns, columns: &[$((stringify!($column), $kind)),*] }
    };
}

/// The totals of the whole store; one row.
pub(crate) const INVENTORY: StoreTable = table!("inventory", "inventory", "inventories",
    schema: Integer, identity: Integer, next_id: Integer, last_run: Integer, standings_rows: Integer,
    standings_seals: Integer, collections_rows: Integer, collections_seals: Integer, deleted_rows: Integer,
    deleted_seals: Integer
);

/// The specification of a run.
pub(crate) const RUNS: StoreTable = table!("runs", "run", "runs",
    problem: Text, version: Text, machine: Text, started: Integer, spec: Text
);

/// How far a run is, and what it has; its number is the run's. Apart from the order, which may be long: this row changes with
/// every heartbeat.
pub(crate) const STANDINGS: StoreTable = table!("standings", "summary", "summaries",
    order_seal: Integer, done: Integer, best_improvement: OptionalReal, best_outcome: OptionalReal,
    legs_rows: Integer, legs_seals: Integer, improvements_rows: Integer, improvements_seals: Integer,
    checkpoints_rows: Integer, checkpoints_seals: Integer, outcomes_rows: Integer, outcomes_seals: Integer
);

/// The work of one process on a run, and while it is not over, that process's lease.
pub(crate) const LEGS: StoreTable = table!("legs", "work record", "work records",
    run: Integer, process: Integer, born: Integer, host: Text, machine: Text, boot: Text, space: Text,
    started: Integer, beats: Integer, beat: Integer, uptime: Integer, seconds_before: Real, playouts_before: Integer,
    seconds: Real, playouts: Integer, ended: OptionalInteger
);

pub(crate) const IMPROVEMENTS: StoreTable = table!("improvements", "improvement", "improvements",
    run: Integer, number: Integer, score: Real, moves: Text, playouts: Integer, seconds: Real, found: Integer
);

pub(crate) const CHECKPOINTS: StoreTable = table!("checkpoints", "checkpoint", "checkpoints",
    run: Integer, number: Integer, seconds: Real, playouts: Integer, moves: Integer, stored: Integer, bytes: Blob
);

pub(crate) const OUTCOMES: StoreTable = table!("outcomes", "outcome", "outcomes",
    run: Integer, number: Integer, score: Real, solved: Text, finished: Integer
);

/// The hall of fame; games outlive their runs.
pub(crate) const GAMES: StoreTable = table!("games", "game", "games",
    problem: Text, identity: Blob, worth: Real, score: Real, moves: Text, search: Text, seed: Integer, run: Integer,
    found: Integer
);

/// The readings of experiments; see [`ReadingRange`](crate::ReadingRange).
pub(crate) const READINGS: StoreTable = table!("readings", "bundle of readings", "bundles of readings",
    definition: Text, seed: Integer, first: Integer, count: Integer, data: Text, machine: Text, version: Text,
    taken: Integer
);

/// How many games a problem has and how many bundles a definition: `kind` is the table, `name` its first column.
pub(crate) const COLLECTIONS: StoreTable = table!("collections", "collection", "collections",
    kind: Text, name: Text, rows: Integer, seals: Integer
);

/// The numbers of runs that were deleted, so that nothing brings them back.
pub(crate) const DELETED: StoreTable = table!("deleted", "deletion", "deletions", moment: Integer);

/// What belongs to one run; the first column is the run's number. A [`RunStanding`](crate::inventory::RunStanding) counts them in
/// this order.
pub(crate) const PARTS: [&StoreTable; 4] = [&LEGS, &IMPROVEMENTS, &CHECKPOINTS, &OUTCOMES];

/// The tables that are counted in [`COLLECTIONS`], by the first column.
pub(crate) const COLLECTED: [&StoreTable; 2] = [&GAMES, &READINGS];

/// All of them.
pub(crate) const TABLES: [&StoreTable; 11] = [
    &INVENTORY,
    &RUNS,
    &STANDINGS,
    &LEGS,
    &IMPROVEMENTS,
    &CHECKPOINTS,
    &OUTCOMES,
    &GAMES,
    &READINGS,
    &COLLECTIONS,
    &DELETED,
];

impl StoreTable {
    /// So many rows, in words.
    pub fn counted(&self, rows: i64) -> String {
        format!("{rows} {}", if rows == 1 { self.noun } else { self.nouns })
    }
}
