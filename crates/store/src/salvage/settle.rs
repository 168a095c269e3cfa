//! Which of the rows that were found belong to the store, and which are missing.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension};

use super::StorePart;
use super::pour::PouredRows;
use crate::audit::{Key, totals};
use crate::error::StoreFault;
use crate::inventory::{Collection, Inventory, RunStanding, Total};
use crate::read::{outcome, specification};
use crate::record::StoredRow;
use crate::schema::INDEXES;
use crate::table::{
    COLLECTED, COLLECTIONS, DELETED, IMPROVEMENTS, INVENTORY, OUTCOMES, PARTS, RUNS, STANDINGS, StoreTable, TABLES,
};
use crate::witness::Seen;
use crate::write::{FAME, ends_checkpoints};
use nestling_registry::RunSpec;

/// The content that was found in a store.
pub(super) struct Settled {
    pub inventory: Inventory,
    /// The store's identity, if anything knows it.
    pub identity: Option<i64>,
    pub missing: Vec<StorePart>,
}

/// Chooses among the rows of a fresh store, counts them, and says what is missing. `seen` is what the witness knows.
pub(super) fn settle(fresh: &Connection, seen: &Seen) -> Result<Settled, StoreFault> {
    let found = INVENTORY.one(fresh, Inventory::ID)?.as_ref().map(Inventory::of).transpose()?;
    let known = seen.newest(found.map(|found| found.identity));
    let expected = found.into_iter().chain(known).max_by_key(|inventory| inventory.commits);
    let newest = newest_commit(fresh)?;
    let commits = newest.max(expected.map_or(0, |expected| expected.commits));
    let mut settling = Settling { fresh, commits, missing: Vec::new() };
    settling.drop_deleted()?;
    settling.drop_superseded()?;
    fresh.execute_batch(INDEXES)?;
    let counted = Counted::now(fresh)?;
    let lost = settling.drop_lost_runs()?;
    settling.runs()?;
    settling.collections()?;
    match expected {
        Some(expected) => settling.compare(expected, newest, counted, &lost)?,
        None => settling.miss(None, "the count of all rows, and perhaps more"),
    }
    let inventory = settling.inventory(expected, &lost)?;
    let identity = expected.map(|expected| expected.identity);
    Ok(Settled { inventory, identity, missing: settling.missing })
}

/// The counts of an inventory.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Counted {
    standings: Total,
    collections: Total,
    deleted: Total,
}

impl Counted {
    fn now(fresh: &Connection) -> Result<Self, StoreFault> {
        let total = |table: &StoreTable| table.total(fresh, "", []);
        Ok(Counted { standings: total(&STANDINGS)?, collections: total(&COLLECTIONS)?, deleted: total(&DELETED)? })
    }
}

/// The highest commit that a row is from.
fn newest_commit(fresh: &Connection) -> Result<i64, StoreFault> {
    let newest = |table: &&StoreTable| {
        let query = format!("SELECT coalesce(max(written), 0) FROM {}", table.name);
        fresh.query_row(&query, [], |row| row.get(0))
    };
    Ok(TABLES.iter().map(newest).collect::<Result<Vec<i64>, _>>()?.into_iter().max().unwrap_or(0))
}

/// The next number that no row has, beside those of runs.
fn next_id(fresh: &Connection) -> Result<i64, StoreFault> {
    let mut next = 1;
    for table in PARTS.into_iter().chain(COLLECTED).chain([&COLLECTIONS]) {
        let query = format!("SELECT coalesce(max(id), 0) FROM {}", table.name);
        next = next.max(1 + fresh.query_row(&query, [], |row| row.get::<_, i64>(0))?);
    }
    Ok(next)
}

/// The missing ones of rows that were counted.
fn missing(table: &StoreTable, expected: Total, found: Total) -> Option<String> {
    match expected.rows - found.rows {
        0 if expected == found => None,
        less @ 1.. => Some(format!("{less} of {}", table.counted(expected.rows))),
        _ => Some(format!("the newest {}", table.nouns)),
    }
}

struct Settling<'a> {
    fresh: &'a Connection,
    /// The last commit of the damaged store.
    commits: i64,
    missing: Vec<StorePart>,
}

impl Settling<'_> {
    fn miss(&mut self, run: Option<i64>, what: impl Into<String>) {
        self.missing.push(StorePart { run, what: what.into() });
    }

    /// Older versions of pages may still have what was deleted since.
    fn drop_deleted(&self) -> Result<(), StoreFault> {
        for (table, column) in PARTS.iter().map(|part| (part.name, "run")).chain([("runs", "id"), ("standings", "id")])
        {
            let deleted = format!("DELETE FROM {table} WHERE {column} IN (SELECT id FROM deleted)");
            self.fresh.execute(&deleted, [])?;
        }
        Ok(())
    }

    /// Of rows that take each other's place the newest stays.
    fn drop_superseded(&self) -> Result<(), StoreFault> {
        let rules = [
            ("outcomes", "run, number", "written DESC, id DESC", 1),
            ("games", "problem, identity", "written DESC, id DESC", 1),
            ("collections", "kind, name", "written DESC, id DESC", 1),
            ("games", "problem", "worth DESC, id", FAME),
            ("checkpoints", "run, number", "id DESC", 2),
        ];
        for (table, same, order, most) in rules {
            self.fresh.execute(
                &format!(
                    "DELETE FROM {table} WHERE id IN (SELECT id FROM
                     (SELECT id, row_number() OVER (PARTITION BY {same} ORDER BY {order}) AS place FROM {table})
                     WHERE place > ?)"
                ),
                [most],
            )?;
        }
        Ok(())
    }

    /// Without its order a run is of no use; its number is known from what else is there.
    fn drop_lost_runs(&mut self) -> Result<BTreeSet<i64>, StoreFault> {
        let mut lost = BTreeSet::new();
        for (table, column) in PARTS.iter().map(|part| (part.name, "run")).chain([("standings", "id")]) {
            let orphans = format!("{table} WHERE {column} NOT IN (SELECT id FROM runs)");
            let mut query = self.fresh.prepare(&format!("SELECT DISTINCT {column} FROM {orphans}"))?;
            for run in query.query_map([], |row| row.get::<_, i64>(0))? {
                lost.insert(run?);
            }
            self.fresh.execute(&format!("DELETE FROM {orphans}"), [])?;
        }
        for run in &lost {
            self.miss(Some(*run), "the whole run: its description cannot be read");
        }
        Ok(lost)
    }

    /// Compares every run with its standing, and writes the standing anew where it has changed.
    fn runs(&mut self) -> Result<(), StoreFault> {
        let orders = RUNS.all(self.fresh, "ORDER BY id", [])?;
        for order in &orders {
            let spec = specification(order)?;
            let record = STANDINGS.one(self.fresh, order.id)?;
            if let Some(record) = record.as_ref().filter(|_| spec.runs == 1) {
                self.drop_stale_outcome(record)?;
            }
            self.drop_checkpoints(order.id, &spec)?;
            let standing = record.as_ref().map(RunStanding::of).transpose()?;
            let now = self.standing(order, &spec, standing)?;
            if standing != Some(now) {
                StoredRow::sealed(&STANDINGS, order.id, self.commits + 1, now.values()).put(self.fresh, &STANDINGS)?;
            }
        }
        Ok(())
    }

    /// A single run has one outcome at a time. One that its standing does not know, and that is not newer than the standing, has
    /// been replaced by one that is lost.
    fn drop_stale_outcome(&self, standing: &StoredRow) -> Result<(), StoreFault> {
        let known = RunStanding::of(standing)?.part(&OUTCOMES);
        if known != OUTCOMES.total(self.fresh, "WHERE run = ?", [standing.id])? {
            let stale = "DELETE FROM outcomes WHERE run = ? AND written <= ?";
            self.fresh.execute(stale, [standing.id, standing.written])?;
        }
        Ok(())
    }

    /// Numbers that are finished keep no checkpoint.
    fn drop_checkpoints(&self, run: i64, spec: &RunSpec) -> Result<(), StoreFault> {
        let mut finished = Vec::new();
        OUTCOMES.each(self.fresh, "WHERE run = ?", [run], |record| {
            let outcome = outcome(&record)?;
            finished.extend(ends_checkpoints(spec, &outcome.outcome).then_some(outcome.number.cast_signed()));
            Ok(())
        })?;
        for number in finished {
            self.fresh.execute("DELETE FROM checkpoints WHERE run = ? AND number = ?", [run, number])?;
        }
        Ok(())
    }

    /// Where a run stands, from what there is of it, beside what its standing says.
    fn standing(
        &mut self,
        order: &StoredRow,
        spec: &RunSpec,
        before: Option<RunStanding>,
    ) -> Result<RunStanding, StoreFault> {
        let (run, goal) = (order.id, spec.goal());
        let better = |known: Option<f64>, score: f64| Some(known.map_or(score, |known| goal.best(known, score)));
        let mut now = RunStanding { order_seal: order.seal, ..RunStanding::default() };
        IMPROVEMENTS.each(self.fresh, "WHERE run = ?", [run], |record| {
            if let Some(Value::Real(score)) = record.values.get(2) {
                now.best_improvement = better(now.best_improvement, *score);
            }
            Ok(())
        })?;
        OUTCOMES.each(self.fresh, "WHERE run = ?", [run], |record| {
            if let Some(score) = outcome(&record)?.outcome.score() {
                now.best_outcome = better(now.best_outcome, score);
            }
            Ok(())
        })?;
        for part in PARTS {
            *now.part_mut(part) = part.total(self.fresh, "WHERE run = ?", [run])?;
        }
        let finished = now.part(&OUTCOMES).rows.cast_unsigned() >= spec.runs;
        let Some(before) = before else {
            self.miss(Some(run), "its progress, and perhaps more");
            now.done = finished;
            return Ok(now);
        };
        let all_outcomes = before.part(&OUTCOMES) == now.part(&OUTCOMES);
        now.done = before.done && all_outcomes && (finished || spec.runs == 1);
        if before.order_seal != order.seal {
            self.miss(Some(run), "its newest description; an earlier one is used");
        }
        let missing: Vec<String> =
            PARTS.iter().filter_map(|part| missing(part, before.part(part), now.part(part))).collect();
        if !missing.is_empty() {
            self.miss(Some(run), missing.join(", "));
        }
        Ok(now)
    }

    /// Compares games and readings with their collections, and writes those anew that have changed.
    fn collections(&mut self) -> Result<(), StoreFault> {
        let mut before = BTreeMap::new();
        for record in COLLECTIONS.all(self.fresh, "", [])? {
            let collection = Collection::of(&record)?;
            before.insert((collection.kind.clone(), collection.name.clone()), (record.id, collection.total));
        }
        let mut next = next_id(self.fresh)?;
        for table in COLLECTED {
            let mut found = totals(self.fresh, table)?;
            // Those that have lost everything are compared too.
            let empty = before.keys().filter(|(kind, _)| kind == table.name).map(|(_, name)| Key::Name(name.clone()));
            for key in empty {
                found.entry(key).or_default();
            }
            for (key, total) in found {
                let Key::Name(name) = key else { continue };
                let known = before.get(&(table.name.to_owned(), name.clone()));
                let what = match known {
                    Some((_, known)) => missing(table, *known, total),
                    None => Some(format!("the count of {}, and perhaps some of them", table.name)),
                };
                if let Some(what) = what {
                    self.miss(None, format!("{name}: {what}"));
                }
                if known.is_none_or(|(_, known)| *known != total) {
                    let id = known.map_or(next, |(id, _)| *id);
                    next += i64::from(known.is_none());
                    let now = Collection { kind: table.name.to_owned(), name, total };
                    let record = StoredRow::sealed(&COLLECTIONS, id, self.commits + 1, now.values());
                    record.put(self.fresh, &COLLECTIONS)?;
                }
            }
        }
        Ok(())
    }

    /// Compares what was found with what the inventory counts.
    fn compare(
        &mut self,
        expected: Inventory,
        newest: i64,
        counted: Counted,
        lost: &BTreeSet<i64>,
    ) -> Result<(), StoreFault> {
        match expected.commits - newest {
            0 => {}
            1 => self.miss(None, "the last write"),
            later @ 2.. => self.miss(None, format!("the last {later} writes")),
            // The rows are newer than the newest inventory that can be read.
            _ => {
                self.miss(None, "the newest count of all rows, and perhaps more");
                return Ok(());
            }
        }
        let runs = RUNS.total(self.fresh, "", [])?.rows + lost.len() as i64;
        match expected.standings.rows - runs {
            ..=0 => {}
            1 => self.miss(None, format!("1 run with a number up to {}", expected.last_run)),
            nameless => self.miss(None, format!("{nameless} runs with numbers up to {}", expected.last_run)),
        }
        let differs = |one: Total, other: Total, named: bool| one != other && !named;
        if differs(expected.standings, counted.standings, self.missing.iter().any(|piece| piece.run.is_some())) {
            self.miss(None, "the newest state of the runs");
        }
        if differs(expected.collections, counted.collections, self.missing.iter().any(|piece| piece.run.is_none())) {
            self.miss(None, "the newest counts of games and readings");
        }
        if expected.deleted != counted.deleted {
            self.miss(None, "the newest list of deleted runs; some of them may be back");
        }
        Ok(())
    }

    /// Writes the inventory of what is there now.
    fn inventory(&self, expected: Option<Inventory>, lost: &BTreeSet<i64>) -> Result<Inventory, StoreFault> {
        let base = expected.unwrap_or_else(Inventory::new);
        let query = "SELECT max(coalesce((SELECT max(id) FROM runs), 0), coalesce((SELECT max(id) FROM deleted), 0))";
        let last: i64 = self.fresh.query_row(query, [], |row| row.get(0))?;
        let Counted { standings, collections, deleted } = Counted::now(self.fresh)?;
        let inventory = Inventory {
            commits: self.commits + 1,
            next_id: base.next_id.max(next_id(self.fresh)?),
            last_run: base.last_run.max(last).max(lost.last().copied().unwrap_or(0)),
            standings,
            collections,
            deleted,
            ..base
        };
        inventory.record().put(self.fresh, &INVENTORY)?;
        Ok(inventory)
    }
}

/// Descriptions of the rows with these numbers that still exist, run by run.
pub(super) fn pieces(fresh: &Connection, rows: &PouredRows) -> Result<Vec<StorePart>, StoreFault> {
    let mut counts: BTreeMap<(Option<i64>, &str), i64> = BTreeMap::new();
    let shown = [&RUNS].into_iter().chain(PARTS).chain(COLLECTED);
    for table in shown {
        let is_part = PARTS.iter().any(|part| part.name == table.name);
        let is_collected = COLLECTED.iter().any(|collected| collected.name == table.name);
        let query = format!("SELECT {} FROM {} WHERE id = ?", if is_part { "run" } else { "id" }, table.name);
        let mut statement = fresh.prepare(&query)?;
        for (_, id) in rows.iter().filter(|(name, _)| *name == table.name) {
            if let Some(run) = statement.query_row([id], |row| row.get::<_, i64>(0)).optional()? {
                *counts.entry((Some(run).filter(|_| !is_collected), table.name)).or_default() += 1;
            }
        }
    }
    let mut pieces: BTreeMap<Option<i64>, Vec<String>> = BTreeMap::new();
    for ((run, name), count) in counts {
        let table = TABLES.into_iter().find(|table| table.name == name).expect("it is one of them");
        let what = if name == RUNS.name { "its description".to_owned() } else { table.counted(count) };
        pieces.entry(run).or_default().push(what);
    }
    Ok(pieces.into_iter().map(|(run, what)| StorePart { run, what: what.join(", ") }).collect())
}
