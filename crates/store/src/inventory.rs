//! The expected content of a store, written into the store itself. The rows of a run are counted in its standing, games and readings
//! in collections, and those in the inventory: each count is a number of rows and the sum of their seals. So a row that
//! vanishes, comes back, or is an older version of itself is detected wherever rows of its kind are read, without reading all others.

use rusqlite::Connection;
use rusqlite::types::Value;

use crate::error::StoreFault;
use crate::record::{StoredRow, values};
use crate::table::{COLLECTIONS, DELETED, INVENTORY, PARTS, RUNS, STANDINGS, StoreTable};

/// How many rows there are, and the sum of their seals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Total {
    pub rows: i64,
    pub seals: i64,
}

impl Total {
    pub fn add(&mut self, seal: i64) {
        *self = Total { rows: self.rows.wrapping_add(1), seals: self.seals.wrapping_add(seal) };
    }

    pub fn remove(&mut self, seal: i64) {
        *self = Total { rows: self.rows.wrapping_sub(1), seals: self.seals.wrapping_sub(seal) };
    }

    /// The damage if `found` should be equal to this.
    pub fn compare(self, found: Total, what: &str) -> Result<(), StoreFault> {
        let missing = self.rows.wrapping_sub(found.rows);
        Err(StoreFault::Damage(match missing {
            0 if self == found => return Ok(()),
            0 => format!("{what}: differ from what was last written"),
            1.. => format!("{what}: {missing} of {} missing", self.rows),
            _ => format!("{what}: {} more than were written", missing.unsigned_abs()),
        }))
    }

    fn values(self) -> [Value; 2] {
        [Value::Integer(self.rows), Value::Integer(self.seals)]
    }
}

/// The store as a whole. There is one; its row has the number 1 and is written with every commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inventory {
    /// How many commits there have been.
    pub commits: i64,
    pub schema: i64,
    /// A random number that tells stores apart.
    pub identity: i64,
    /// The number of the next row that is not a run's.
    pub next_id: i64,
    /// The highest number that a run has had.
    pub last_run: i64,
    pub standings: Total,
    pub collections: Total,
    pub deleted: Total,
}

impl Inventory {
    /// The number of its row.
    pub const ID: i64 = 1;

    pub fn read(connection: &Connection) -> Result<Self, StoreFault> {
        let record = INVENTORY.one(connection, Inventory::ID)?;
        Inventory::of(&record.ok_or_else(|| StoreFault::Damage("its inventory is missing".to_owned()))?)
    }

    pub fn of(record: &StoredRow) -> Result<Self, StoreFault> {
        let numbers: Vec<i64> = {
            let mut fields = record.fields();
            INVENTORY.columns.iter().map(|_| fields.take()).collect::<Result<_, _>>()?
        };
        Ok(Inventory::from_numbers(record.written, &numbers))
    }

    /// From the commits and the columns.
    pub fn from_numbers(commits: i64, numbers: &[i64]) -> Self {
        let total = |index: usize| Total { rows: numbers[index], seals: numbers[index + 1] };
        Inventory {
            commits,
            schema: numbers[0],
            identity: numbers[1],
            next_id: numbers[2],
            last_run: numbers[3],
            standings: total(4),
            collections: total(6),
            deleted: total(8),
        }
    }

    /// The columns.
    pub fn numbers(&self) -> [i64; 10] {
        let Inventory { schema, identity, next_id, last_run, standings, collections, deleted, .. } = *self;
        [
            schema,
            identity,
            next_id,
            last_run,
            standings.rows,
            standings.seals,
            collections.rows,
            collections.seals,
            deleted.rows,
            deleted.seals,
        ]
    }

    pub fn record(&self) -> StoredRow {
        let values = self.numbers().map(Value::Integer).to_vec();
        StoredRow::sealed(&INVENTORY, Inventory::ID, self.commits, values)
    }

    /// Compares its counts with the rows that exist, and the orders with the standings that list them.
    pub fn check(&self, connection: &Connection) -> Result<(), StoreFault> {
        let mut orders = Total::default();
        let mut known = connection.prepare_cached("SELECT order_seal FROM standings")?;
        let mut rows = known.query([])?;
        while let Some(row) = rows.next()? {
            orders.add(row.get(0)?);
        }
        orders.compare(RUNS.total(connection, "", [])?, "descriptions of runs")?;
        let counted = [(self.standings, &STANDINGS, "runs"), (self.collections, &COLLECTIONS, "collections")];
        for (total, table, what) in counted.into_iter().chain([(self.deleted, &DELETED, "deleted runs")]) {
            total.compare(table.total(connection, "", [])?, what)?;
        }
        Ok(())
    }
}

/// The progress of a run, and the counts of its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RunStanding {
    /// The seal of the row that has the run's order.
    pub order_seal: i64,
    /// Whether it is at its end, or its budget's.
    pub done: bool,
    /// The best score among the improvements.
    pub best_improvement: Option<f64>,
    /// The best score among the outcomes.
    pub best_outcome: Option<f64>,
    /// The totals of each of [`PARTS`].
    pub parts: [Total; 4],
}

impl RunStanding {
    pub fn of(record: &StoredRow) -> Result<Self, StoreFault> {
        let mut fields = record.fields();
        let mut standing = RunStanding {
            order_seal: fields.take()?,
            done: fields.take::<i64>()? != 0,
            best_improvement: fields.take()?,
            best_outcome: fields.take()?,
            parts: [Total::default(); 4],
        };
        for part in &mut standing.parts {
            *part = Total { rows: fields.take()?, seals: fields.take()? };
        }
        Ok(standing)
    }

    pub fn values(&self) -> Vec<Value> {
        let mut values = values![self.order_seal, i64::from(self.done), self.best_improvement, self.best_outcome];
        values.extend(self.parts.into_iter().flat_map(Total::values));
        values
    }

    /// The total of one of [`PARTS`].
    pub fn part(&self, table: &StoreTable) -> Total {
        self.parts[part_index(table)]
    }

    pub fn part_mut(&mut self, table: &StoreTable) -> &mut Total {
        &mut self.parts[part_index(table)]
    }
}

fn part_index(table: &StoreTable) -> usize {
    PARTS.iter().position(|part| part.name == table.name).expect("only parts of runs are asked for")
}

/// The games of a problem, or the bundles of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Collection {
    pub kind: String,
    pub name: String,
    pub total: Total,
}

impl Collection {
    pub fn of(record: &StoredRow) -> Result<Self, StoreFault> {
        let mut fields = record.fields();
        let (kind, name) = (fields.take()?, fields.take()?);
        Ok(Collection { kind, name, total: Total { rows: fields.take()?, seals: fields.take()? } })
    }

    pub fn values(&self) -> Vec<Value> {
        values![self.kind.clone(), self.name.clone(), self.total.rows, self.total.seals]
    }

    /// The row of a collection, if it has ever had anything.
    pub fn find(connection: &Connection, kind: &StoreTable, name: &str) -> Result<Option<StoredRow>, StoreFault> {
        Ok(COLLECTIONS.all(connection, "WHERE kind = ? AND name = ?", [kind.name, name])?.pop())
    }
}
