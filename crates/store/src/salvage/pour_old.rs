//! The rows of a store of schema 1 to 3, into tables of the same schema, to be brought to the newest one from there. Their seals
//! do not tell tables, versions and what was deleted apart, so that only the newest version of each page counts, where SQLite's
//! pointers lead, and no page that is free.

use std::collections::{BTreeSet, HashMap};

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::cell::{PAGE, PageCell};
use super::image::{Image, PagePlace};
use super::pour::as_real;
use crate::error::StoreFault;
use crate::old::{OLD_TABLES, OldTable};

/// How many rows were poured, and how many more were seen and could not be.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub kept: u64,
    pub lost: u64,
}

pub(super) fn pour_old(image: &Image, fresh: &Connection) -> Result<Counts, StoreFault> {
    let free = free_pages(image);
    let mut counts = Counts::default();
    for (number, place) in image.newest().filter(|(number, _)| !free.contains(number)) {
        let page = image.read(place);
        for cell in row_offsets(&page, number).into_iter().filter_map(|offset| PageCell::at(&page, offset)) {
            let fitting: Vec<&OldTable> = OLD_TABLES.iter().filter(|table| table.width() == cell.width()).collect();
            match identify(image, place, &cell, &fitting) {
                _ if fitting.is_empty() => {}
                Some((table, row)) => counts.kept += insert(fresh, table, cell.id, row)?,
                None => counts.lost += 1,
            }
        }
    }
    for part in ["legs", "improvements", "checkpoints", "outcomes"] {
        let orphans = fresh.execute(&format!("DELETE FROM {part} WHERE run NOT IN (SELECT id FROM runs)"), [])? as u64;
        (counts.kept, counts.lost) = (counts.kept - orphans, counts.lost + orphans);
    }
    Ok(counts)
}

/// The table that a row is from, and the row, if its seal matches.
fn identify<'a>(
    image: &Image,
    place: PagePlace,
    cell: &PageCell<'_>,
    fitting: &[&'a OldTable],
) -> Option<(&'a OldTable, Vec<Value>)> {
    for bytes in image.records(place, cell) {
        let Some(values) = cell.values(&bytes) else { continue };
        for table in fitting {
            let columns = table.columns().zip(&values);
            let row: Vec<Value> =
                columns.map(|(name, value)| if is_real(name) { as_real(value) } else { value.clone() }).collect();
            if table.is_sealed(&row) {
                return Some((table, row));
            }
        }
    }
    None
}

fn is_real(column: &str) -> bool {
    ["score", "worth", "seconds", "seconds_before"].contains(&column)
}

fn insert(fresh: &Connection, table: &OldTable, id: i64, row: Vec<Value>) -> Result<u64, StoreFault> {
    let marks = vec!["?"; table.width()].join(", ");
    let insert = format!("INSERT OR IGNORE INTO {} VALUES ({marks})", table.name);
    let row = std::iter::once(Value::Integer(id)).chain(row);
    Ok(fresh.prepare_cached(&insert)?.execute(params_from_iter(row))? as u64)
}

/// Where rows begin on a page of a table, as the page says; none on other pages.
fn row_offsets(page: &[u8], number: u32) -> Vec<usize> {
    let start = if number == 1 { 100 } else { 0 };
    let short = |at: usize| page.get(at..at + 2).map_or(0, |two| usize::from(u16::from_be_bytes([two[0], two[1]])));
    // A leaf of a table.
    if page[start] != 13 {
        return Vec::new();
    }
    (0..short(start + 3)).map(|index| short(start + 8 + 2 * index)).filter(|offset| *offset > start + 8).collect()
}

/// The pages that SQLite has no use for at the moment: the header names a page which names others, and so on. None if this does
/// not add up to the number in the header.
fn free_pages(image: &Image) -> BTreeSet<u32> {
    let newest: HashMap<u32, PagePlace> = image.newest().collect();
    let read = |number: u32| newest.get(&number).map(|place| image.read(*place));
    let number = |page: &[u8], at: usize| u32::from_be_bytes(*page[at..].first_chunk().expect("four bytes are there"));
    let Some(first) = read(1) else { return BTreeSet::new() };
    let mut free = BTreeSet::new();
    let mut next = number(&first, 32);
    while let Some(page) = read(next).filter(|_| free.insert(next)) {
        let count = number(&page, 4).min(PAGE as u32 / 4 - 2);
        free.extend((0..count as usize).map(|index| number(&page, 8 + 4 * index)));
        next = number(&page, 0);
    }
    if free.len() == number(&first, 36) as usize { free } else { BTreeSet::new() }
}
