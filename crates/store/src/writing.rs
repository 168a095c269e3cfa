//! Every change of a store is made here: in one transaction, with seals, and with the counts that say what should be there.

use std::collections::BTreeMap;

use rusqlite::types::Value;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::clock::Moment;
use crate::error::StoreFault;
use crate::inventory::{Collection, Inventory, RunStanding, Total};
use crate::record::StoredRow;
use crate::table::{COLLECTIONS, DELETED, INVENTORY, PARTS, RUNS, STANDINGS, StoreTable};
use crate::{Store, StoreError};

impl Store {
    /// Makes a change, whole or not at all, and lets the witness know.
    pub(crate) fn write<T>(
        &mut self,
        change: impl FnOnce(&mut Writing<'_>) -> Result<T, StoreFault>,
    ) -> Result<T, StoreError> {
        self.check_still_there()?;
        let write = || -> Result<(T, Inventory), StoreFault> {
            let mut writing = Writing::begin(&mut self.connection)?;
            let value = change(&mut writing)?;
            Ok((value, writing.finish()?))
        };
        let (value, inventory) = write().map_err(|fault| self.failed(fault))?;
        // Written, but to a file that was replaced.
        self.check_still_there()?;
        if let Some(witness) = &self.witness {
            // A witness that lags is harmless.
            let _ = witness.write(&inventory);
        }
        self.copy_if_due(&inventory);
        Ok(value)
    }
}

/// A transaction that writes.
pub(crate) struct Writing<'a> {
    pub transaction: Transaction<'a>,
    inventory: Inventory,
    standings: BTreeMap<i64, Counted<RunStanding>>,
    collections: BTreeMap<(&'static str, String), Counted<Collection>>,
}

/// A row that counts others, while it changes.
struct Counted<T> {
    /// As it is in the store, if it is.
    record: Option<StoredRow>,
    now: T,
}

impl<'a> Writing<'a> {
    pub fn begin(connection: &'a mut Connection) -> Result<Self, StoreFault> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let inventory = Inventory::read(&transaction)?;
        Ok(Writing::after(transaction, inventory))
    }

    /// Goes on with a transaction in which tables are filled; the commit is the one after those of the inventory.
    pub fn after(transaction: Transaction<'a>, inventory: Inventory) -> Self {
        let inventory = Inventory { commits: inventory.commits + 1, ..inventory };
        Writing { transaction, inventory, standings: BTreeMap::new(), collections: BTreeMap::new() }
    }

    /// Writes the counts and commits; the store as it is now.
    pub fn finish(mut self) -> Result<Inventory, StoreFault> {
        let written = self.inventory.commits;
        for (run, counted) in std::mem::take(&mut self.standings) {
            let record = StoredRow::sealed(&STANDINGS, run, written, counted.now.values());
            recount(&mut self.inventory.standings, counted.record.as_ref(), Some(&record));
            record.put(&self.transaction, &STANDINGS)?;
        }
        for counted in std::mem::take(&mut self.collections).into_values() {
            let id = counted.record.as_ref().map_or_else(|| self.next_id(), |record| record.id);
            let record = StoredRow::sealed(&COLLECTIONS, id, written, counted.now.values());
            recount(&mut self.inventory.collections, counted.record.as_ref(), Some(&record));
            record.put(&self.transaction, &COLLECTIONS)?;
        }
        self.inventory.record().put(&self.transaction, &INVENTORY)?;
        self.transaction.commit()?;
        Ok(self.inventory)
    }

    fn next_id(&mut self) -> i64 {
        self.inventory.next_id += 1;
        self.inventory.next_id - 1
    }

    /// Adds a row to one of the tables that are counted by their first column.
    pub fn insert(&mut self, table: &StoreTable, values: Vec<Value>) -> Result<i64, StoreFault> {
        let id = self.next_id();
        self.insert_as(table, id, values)?;
        Ok(id)
    }

    /// The same with a number that it has already.
    pub fn insert_as(&mut self, table: &StoreTable, id: i64, values: Vec<Value>) -> Result<(), StoreFault> {
        let record = StoredRow::sealed(table, id, self.inventory.commits, values);
        recount(self.total(table, &record)?, None, Some(&record));
        record.put(&self.transaction, table)
    }

    /// Changes a row; its first column stays.
    pub fn update(&mut self, table: &StoreTable, old: &StoredRow, values: Vec<Value>) -> Result<(), StoreFault> {
        let record = StoredRow::sealed(table, old.id, self.inventory.commits, values);
        recount(self.total(table, &record)?, Some(old), Some(&record));
        record.put(&self.transaction, table)
    }

    pub fn remove(&mut self, table: &StoreTable, old: &StoredRow) -> Result<(), StoreFault> {
        recount(self.total(table, old)?, Some(old), None);
        table.delete(&self.transaction, old.id)
    }

    /// The count that a row of a table belongs to.
    fn total(&mut self, table: &StoreTable, record: &StoredRow) -> Result<&mut Total, StoreFault> {
        match record.values.first() {
            Some(Value::Integer(run)) => Ok(self.standing(*run)?.part_mut(table)),
            Some(Value::Text(name)) => Ok(&mut self.collection(table, name)?.total),
            _ => unreachable!("{}: rows are counted by a run or a name", table.name),
        }
    }

    /// The state of a run; changes are written at the end.
    pub fn standing(&mut self, run: i64) -> Result<&mut RunStanding, StoreFault> {
        if !self.standings.contains_key(&run) {
            let record = STANDINGS.one(&self.transaction, run)?;
            let record = record.ok_or_else(|| StoreFault::Damage(format!("run {run}: its summary is missing")))?;
            let now = RunStanding::of(&record)?;
            self.standings.insert(run, Counted { record: Some(record), now });
        }
        Ok(&mut self.standings.get_mut(&run).expect("it is there now").now)
    }

    /// The collection of a name, with what it has so far.
    pub fn collection(&mut self, kind: &StoreTable, name: &str) -> Result<&mut Collection, StoreFault> {
        let key = (kind.name, name.to_owned());
        if !self.collections.contains_key(&key) {
            let record = Collection::find(&self.transaction, kind, name)?;
            let empty = || Collection { kind: key.0.to_owned(), name: key.1.clone(), total: Total::default() };
            let now = record.as_ref().map_or_else(|| Ok(empty()), Collection::of)?;
            self.collections.insert(key.clone(), Counted { record, now });
        }
        Ok(&mut self.collections.get_mut(&key).expect("it is there now").now)
    }

    /// Adds a run with an order; its number.
    pub fn add_run(&mut self, order: Vec<Value>) -> Result<i64, StoreFault> {
        let run = self.inventory.last_run + 1;
        self.add_run_as(run, order)?;
        Ok(run)
    }

    /// The same with a number that it has already.
    pub fn add_run_as(&mut self, run: i64, order: Vec<Value>) -> Result<(), StoreFault> {
        let record = StoredRow::sealed(&RUNS, run, self.inventory.commits, order);
        let now = RunStanding { order_seal: record.seal, ..RunStanding::default() };
        self.standings.insert(run, Counted { record: None, now });
        self.inventory.last_run = self.inventory.last_run.max(run);
        record.put(&self.transaction, &RUNS)
    }

    /// Gives a run another order.
    pub fn change_run(&mut self, run: i64, order: Vec<Value>) -> Result<(), StoreFault> {
        let record = StoredRow::sealed(&RUNS, run, self.inventory.commits, order);
        self.standing(run)?.order_seal = record.seal;
        record.put(&self.transaction, &RUNS)
    }

    /// Removes a run with all its parts.
    pub fn delete_run(&mut self, run: i64) -> Result<(), StoreFault> {
        self.standing(run)?;
        let counted = self.standings.remove(&run).expect("it has just been looked up");
        recount(&mut self.inventory.standings, counted.record.as_ref(), None);
        for part in PARTS {
            self.transaction.execute(&format!("DELETE FROM {} WHERE run = ?", part.name), [run])?;
        }
        RUNS.delete(&self.transaction, run)?;
        STANDINGS.delete(&self.transaction, run)?;
        let moment = vec![Value::Integer(Moment::now().0)];
        let deletion = StoredRow::sealed(&DELETED, run, self.inventory.commits, moment);
        recount(&mut self.inventory.deleted, None, Some(&deletion));
        deletion.put(&self.transaction, &DELETED)
    }
}

fn recount(total: &mut Total, old: Option<&StoredRow>, new: Option<&StoredRow>) {
    old.into_iter().for_each(|record| total.remove(record.seal));
    new.into_iter().for_each(|record| total.add(record.seal));
}
