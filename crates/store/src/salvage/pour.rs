//! Every row that can be found, into the tables of a fresh store. Of several versions of a row the newest stays, so that it does
//! not matter where and in which order they are found.

use std::collections::BTreeSet;

use rusqlite::Connection;
use rusqlite::types::Value;

use super::cell::{PAGE, PageCell};
use super::image::{Image, PagePlace};
use crate::error::StoreFault;
use crate::inventory::Inventory;
use crate::record::StoredRow;
use crate::table::{ColumnKind, INVENTORY, StoreTable, TABLES};

/// The copied rows: the table and the number of each row that was new or newer.
pub(super) type PouredRows = BTreeSet<(&'static str, i64)>;

/// Pours the rows of a database and its log: at every place of every page a row may begin, and its seal says whether one does.
/// So neither the head of the file nor those of its pages, neither pointers nor the log's checksums, are needed.
pub(super) fn pour(image: &Image, fresh: &Connection) -> Result<PouredRows, StoreFault> {
    let mut poured = PouredRows::new();
    find(image, &TABLES, |table, record| {
        if record.put_if_newer(fresh, table)? {
            poured.insert((table.name, record.id));
        }
        Ok(())
    })?;
    Ok(poured)
}

/// The identity of the store that the rows of a database and its log are from; none if no inventory can be found.
pub(super) fn identity(image: &Image) -> Result<Option<i64>, StoreFault> {
    let mut newest: Option<Inventory> = None;
    find(image, &[&INVENTORY], |_, record| {
        let inventory = Inventory::of(&record)?;
        if newest.is_none_or(|newest| inventory.commits > newest.commits) {
            newest = Some(inventory);
        }
        Ok(())
    })?;
    Ok(newest.map(|inventory| inventory.identity))
}

/// Calls a function with every row of some tables that there is.
fn find(
    image: &Image,
    tables: &[&'static StoreTable],
    mut take: impl FnMut(&'static StoreTable, StoredRow) -> Result<(), StoreFault>,
) -> Result<(), StoreFault> {
    for place in image.places() {
        let page = image.read(place);
        for cell in (0..PAGE).filter_map(|offset| PageCell::at(&page, offset)) {
            if let Some((table, record)) = identify(image, tables, place, &cell) {
                take(table, record)?;
            }
        }
    }
    Ok(())
}

/// The table that a row is from, and the row, if its seal matches.
fn identify(
    image: &Image,
    tables: &[&'static StoreTable],
    place: PagePlace,
    cell: &PageCell<'_>,
) -> Option<(&'static StoreTable, StoredRow)> {
    let fits = |table: &&&'static StoreTable| table.columns.len() + 3 == cell.width();
    let fitting: Vec<&'static StoreTable> = tables.iter().filter(fits).copied().collect();
    if fitting.is_empty() {
        return None;
    }
    for bytes in image.records(place, cell) {
        let Some(values) = cell.values(&bytes) else { continue };
        for table in &fitting {
            if let Some(record) = record(table, cell.id, &values) {
                return Some((table, record));
            }
        }
    }
    None
}

fn record(table: &StoreTable, id: i64, values: &[Value]) -> Option<StoredRow> {
    let (Value::Integer(seal), Value::Integer(written)) = (values.first()?, values.get(1)?) else { return None };
    let columns = table.columns.iter().zip(&values[2..]);
    let values = columns.map(|((_, kind), value)| match (kind, value) {
        (ColumnKind::Real | ColumnKind::OptionalReal, value) => as_real(value),
        _ => value.clone(),
    });
    let record = StoredRow { id, seal: *seal, written: *written, values: values.collect() };
    record.is_sealed(table).then_some(record)
}

/// SQLite keeps numbers without a fraction as integers.
pub(super) fn as_real(value: &Value) -> Value {
    match value {
        Value::Integer(number) => Value::Real(*number as f64),
        value => value.clone(),
    }
}
