//! The check of a whole store: SQLite's own, every seal, every count.

use std::collections::BTreeMap;

use rusqlite::Connection;
use rusqlite::types::Value;

use crate::error::StoreFault;
use crate::inventory::{Collection, Inventory, RunStanding, Total};
use crate::schema::check_definitions;
use crate::table::{COLLECTED, COLLECTIONS, DELETED, PARTS, RUNS, STANDINGS, StoreTable};
use crate::{Store, StoreError, files};

/// A store too large to be checked whenever it is opened: up to this it takes a third of a second.
pub(crate) const LARGE: u64 = 64 << 20;

impl Store {
    /// Looks at everything: the pages, the tables, every seal and every count. A store of more than 64 MiB is taken as it is,
    /// because this would take too long: there, only what is read is checked, and
    /// [`salvage`](crate::salvage()) always looks.
    pub fn check(&self) -> Result<(), StoreError> {
        if files::size(&self.files.store).is_ok_and(|size| size.is_some_and(|size| size > LARGE)) {
            return Ok(());
        }
        self.read(|look| {
            sound(look, "quick_check")?;
            audit(look)
        })
    }

    /// The same at any size, with indexes compared to their tables.
    pub(crate) fn check_all(&self) -> Result<(), StoreError> {
        self.read(|look| {
            sound(look, "integrity_check")?;
            audit(look)
        })
    }
}

/// Asks SQLite whether its pages are in order.
pub(crate) fn check_pages(look: &Connection, pragma: &str) -> Result<(), StoreFault> {
    let checked: String = look.query_row(&format!("PRAGMA {pragma}(1)"), [], |row| row.get(0))?;
    if checked == "ok" {
        return Ok(());
    }
    // It says first which of several databases it means.
    let what = checked.rsplit("***").next().unwrap_or_default();
    let what: Vec<&str> = what.split_whitespace().collect();
    Err(StoreFault::Damage(format!("its pages are inconsistent ({})", what.join(" "))))
}

/// Asks SQLite about its pages, and looks at what its header says about them.
fn sound(look: &Connection, pragma: &str) -> Result<(), StoreFault> {
    check_pages(look, pragma)?;
    let text = |pragma: &str| look.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, Value>(0));
    let expected = [("encoding", Value::Text("UTF-8".to_owned())), ("auto_vacuum", Value::Integer(0))];
    for (pragma, value) in expected {
        if text(pragma)? != value {
            return Err(StoreFault::Damage(format!("its header has the wrong {pragma}")));
        }
    }
    check_definitions(look)
}

/// Checks every seal and every count.
pub(crate) fn audit(look: &Connection) -> Result<(), StoreFault> {
    let inventory = Inventory::read(look)?;
    inventory.check(look)?;
    RUNS.each(look, "", [], |_| Ok(()))?;
    DELETED.each(look, "", [], |_| Ok(()))?;
    let mut expected = BTreeMap::new();
    STANDINGS.each(look, "", [], |record| {
        let standing = RunStanding::of(&record)?;
        expected.insert(record.id, standing);
        Ok(())
    })?;
    for part in PARTS {
        let found = totals(look, part)?;
        let count = |run: i64| found.get(&Key::Run(run)).copied().unwrap_or_default();
        for (run, standing) in &expected {
            standing.part(part).compare(count(*run), &format!("run {run}, {}", part.nouns))?;
        }
        let orphan = found.keys().find(|key| matches!(key, Key::Run(run) if !expected.contains_key(run)));
        if let Some(Key::Run(run)) = orphan {
            return Err(StoreFault::Damage(format!("{} of run {run}, which does not exist", part.nouns)));
        }
    }
    let mut collections = BTreeMap::new();
    COLLECTIONS.each(look, "", [], |record| {
        let collection = Collection::of(&record)?;
        collections.insert((collection.kind, collection.name), collection.total);
        Ok(())
    })?;
    for table in COLLECTED {
        for (key, found) in totals(look, table)? {
            let Key::Name(name) = key else { continue };
            let key = (table.name.to_owned(), name);
            let total = collections.remove(&key).unwrap_or_default();
            total.compare(found, &format!("{}, {}", table.nouns, key.1))?;
        }
    }
    for ((kind, name), total) in collections {
        total.compare(Total::default(), &format!("{kind}, {name}"))?;
    }
    Ok(())
}

/// The key by which rows are counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Run(i64),
    Name(String),
}

/// The totals of a table, by its first column; every seal is checked.
pub(crate) fn totals(look: &Connection, table: &StoreTable) -> Result<BTreeMap<Key, Total>, StoreFault> {
    let mut totals: BTreeMap<Key, Total> = BTreeMap::new();
    table.each(look, "", [], |record| {
        let key = match &record.values[0] {
            Value::Integer(run) => Key::Run(*run),
            Value::Text(name) => Key::Name(name.clone()),
            _ => return Err(StoreFault::Damage(format!("{}: a row belongs to no run and no name", table.name))),
        };
        totals.entry(key).or_default().add(record.seal);
        Ok(())
    })?;
    Ok(totals)
}
