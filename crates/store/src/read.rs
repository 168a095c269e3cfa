//! Rows coming out. What does not match its seal is named and never used, and so is a row that is missing.

use std::collections::BTreeMap;
use std::time::Duration;

use nestling::{Counts, Goal, Spent};
use rusqlite::{Connection, Params};

use crate::clock::Moment;
use crate::error::StoreFault;
use crate::inventory::{Collection, Inventory, RunStanding, Total};
use crate::lease::{Holder, LegRow, Liveness};
use crate::machine::Process;
use crate::record::StoredRow;
use crate::run::{Finished, Leg, RunInfo, State, StoredCheckpoint, StoredImprovement};
use crate::table::{CHECKPOINTS, IMPROVEMENTS, LEGS, OUTCOMES, RUNS, STANDINGS, StoreTable};
use crate::{Store, StoreError};
use nestling_registry::RunSpec;

impl Store {
    /// All runs, the newest first.
    pub fn runs(&self) -> Result<Vec<RunInfo>, StoreError> {
        self.listed("ORDER BY id DESC", [])
    }

    /// The newest runs, at most so many, the newest first.
    pub fn newest(&self, limit: usize) -> Result<Vec<RunInfo>, StoreError> {
        self.listed("ORDER BY id DESC LIMIT ?", [i64::try_from(limit).unwrap_or(i64::MAX)])
    }

    /// One run.
    pub fn run(&self, run: i64) -> Result<RunInfo, StoreError> {
        let found = self.listed("WHERE id = ?", [run])?.pop();
        found.ok_or_else(|| StoreError::NoRun { path: self.path.clone(), run })
    }

    /// The best score of every search that was run on a problem from its start, and the run that had it first, best first.
    pub fn best_of_searches(&self, problem: &str) -> Result<Vec<(String, f64, i64)>, StoreError> {
        let runs = self.read(|look| {
            self.check_counts(look)?;
            let orders = RUNS.all(look, "WHERE problem = ? ORDER BY id", [problem])?;
            orders.iter().map(|order| Ok((order.id, specification(order)?, standing_of(look, order)?))).collect()
        })?;
        let runs: Vec<(i64, RunSpec, RunStanding)> = runs;
        let mut best: BTreeMap<String, (f64, i64, Goal)> = BTreeMap::new();
        for (run, spec, standing) in runs.into_iter().filter(|(_, spec, _)| spec.from.is_empty()) {
            let (goal, Some(score)) = (spec.goal(), standing.best_improvement) else { continue };
            let known = best.entry(spec.search.unwrap_or_default()).or_insert((score, run, goal));
            if goal.better(score, known.0) {
                *known = (score, run, goal);
            }
        }
        let mut best: Vec<_> = best.into_iter().collect();
        let worth = |(score, _, goal): &(f64, i64, Goal)| goal.value(*score);
        best.sort_by(|(_, one), (_, other)| worth(other).total_cmp(&worth(one)).then(one.1.cmp(&other.1)));
        Ok(best.into_iter().map(|(search, (score, run, _))| (search, score, run)).collect())
    }

    /// Reads one consistent state of the store, even while others write.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreFault>) -> Result<T, StoreError> {
        let look = || -> Result<T, StoreFault> {
            let look = self.connection.unchecked_transaction()?;
            read(&look)
        };
        look().map_err(|fault| self.failed(fault))
    }

    /// Compares the inventory with the rows it counts, once for each commit.
    pub(crate) fn check_counts(&self, look: &Connection) -> Result<(), StoreFault> {
        let inventory = Inventory::read(look)?;
        if self.counted.get() != inventory.commits {
            inventory.check(look)?;
            self.counted.set(inventory.commits);
        }
        Ok(())
    }

    fn listed(&self, condition: &str, parameters: impl Params) -> Result<Vec<RunInfo>, StoreError> {
        let here = Process::here();
        self.read(|look| {
            self.check_counts(look)?;
            let orders = RUNS.all(look, condition, parameters)?;
            orders.iter().map(|order| summary(look, order, &here)).collect()
        })
    }

    /// The processes that have worked on a run, in order.
    pub fn legs(&self, run: i64) -> Result<Vec<Leg>, StoreError> {
        let legs = self.parts(&LEGS, run, "ORDER BY id", |record| LegRow::of(&record))?;
        let leg = |leg: LegRow| Leg {
            process: leg.process.number,
            host: leg.process.host,
            started: leg.started,
            beat: leg.beat,
            time: seconds(leg.seconds),
            playouts: leg.playouts.cast_unsigned(),
            ended: leg.ended.is_some(),
        };
        Ok(legs.into_iter().map(leg).collect())
    }

    /// The improvements of a run, in the order they came.
    pub fn improvements(&self, run: i64) -> Result<Vec<StoredImprovement>, StoreError> {
        self.parts(&IMPROVEMENTS, run, "ORDER BY id", |record| {
            let mut fields = record.fields();
            Ok(StoredImprovement {
                number: fields.skip(1)?.take::<i64>()?.cast_unsigned(),
                score: fields.take()?,
                moves: fields.take::<String>()?.lines().map(str::to_owned).collect(),
                playouts: fields.take::<i64>()?.cast_unsigned(),
                time: seconds(fields.take()?),
                found: Moment(fields.take()?),
            })
        })
    }

    /// The outcomes of a run, in the order of its numbers.
    pub fn outcomes(&self, run: i64) -> Result<Vec<Finished>, StoreError> {
        self.parts(&OUTCOMES, run, "ORDER BY number", |record| outcome(&record))
    }

    /// All rows of a run in one table; a row that is missing is an error.
    fn parts<T>(
        &self,
        table: &StoreTable,
        run: i64,
        order: &str,
        read: impl Fn(StoredRow) -> Result<T, StoreFault>,
    ) -> Result<Vec<T>, StoreError> {
        self.read(|look| {
            self.check_counts(look)?;
            let Some(standing) = STANDINGS.one(look, run)? else { return Ok(Vec::new()) };
            let (parts, found) = gather(look, table, &format!("WHERE run = ? {order}"), [run], read)?;
            RunStanding::of(&standing)?.part(table).compare(found, &format!("run {run}, {}", table.nouns))?;
            Ok(parts)
        })
    }

    /// All rows of a collection, in the order they came; a row that is missing is an error.
    pub(crate) fn collected<T>(
        &self,
        table: &StoreTable,
        name: &str,
        read: impl Fn(StoredRow) -> Result<T, StoreFault>,
    ) -> Result<Vec<T>, StoreError> {
        self.read(|look| {
            self.check_counts(look)?;
            let Some(record) = Collection::find(look, table, name)? else { return Ok(Vec::new()) };
            let condition = format!("WHERE {} = ? ORDER BY id", table.columns[0].0);
            let (rows, found) = gather(look, table, &condition, [name], read)?;
            Collection::of(&record)?.total.compare(found, &format!("{}, {name}", table.nouns))?;
            Ok(rows)
        })
    }

    /// The newest checkpoint of one number of a run that is whole; none if there is none. An error if there are some and
    /// all are damaged, or one is missing.
    pub fn checkpoint(&self, run: i64, number: u64) -> Result<Option<StoredCheckpoint>, StoreError> {
        self.read(|look| {
            self.check_counts(look)?;
            newest_checkpoint(look, run, number)
        })
    }

    /// The checkpoints of one number of a run that are whole, the newest first: there are at most two.
    pub fn checkpoints(&self, run: i64, number: u64) -> Result<Vec<StoredCheckpoint>, StoreError> {
        let of_number = "WHERE run = ? AND number = ? ORDER BY id DESC";
        self.read(|look| {
            let records = CHECKPOINTS.all(look, of_number, [run, number.cast_signed()])?;
            records.iter().map(|record| taken(record, false)).collect()
        })
    }

    /// The numbers of a run that have a checkpoint.
    pub fn checkpointed(&self, run: i64) -> Result<Vec<u64>, StoreError> {
        self.read(|look| {
            let mut query = look.prepare("SELECT DISTINCT number FROM checkpoints WHERE run = ? ORDER BY number")?;
            let numbers = query.query_map([run], |row| Ok(row.get::<_, i64>(0)?.cast_unsigned()))?;
            Ok(numbers.collect::<Result<_, _>>()?)
        })
    }
}

/// The rows that a condition selects, and their total.
fn gather<T>(
    look: &Connection,
    table: &StoreTable,
    condition: &str,
    parameters: impl Params,
    read: impl Fn(StoredRow) -> Result<T, StoreFault>,
) -> Result<(Vec<T>, Total), StoreFault> {
    let (mut rows, mut total) = (Vec::new(), Total::default());
    table.each(look, condition, parameters, |record| {
        total.add(record.seal);
        rows.push(read(record)?);
        Ok(())
    })?;
    Ok((rows, total))
}

/// The standing of the run that an order belongs to.
fn standing_of(look: &Connection, order: &StoredRow) -> Result<RunStanding, StoreFault> {
    let run = order.id;
    let record = STANDINGS.one(look, run)?;
    let record = record.ok_or_else(|| StoreFault::Damage(format!("run {run}: its summary is missing")))?;
    let standing = RunStanding::of(&record)?;
    if standing.order_seal != order.seal {
        return Err(StoreFault::Damage(format!("run {run}: its description is not the one that was last written")));
    }
    Ok(standing)
}

/// The specification of a run.
pub(crate) fn specification(order: &StoredRow) -> Result<RunSpec, StoreFault> {
    let mut fields = order.fields();
    serde_json::from_str(&fields.skip(4)?.take::<String>()?)
        .map_err(|error| StoreFault::Damage(format!("run {}: {error}", order.id)))
}

pub(crate) fn outcome(record: &StoredRow) -> Result<Finished, StoreFault> {
    let mut fields = record.fields();
    let (run, number): (i64, u64) = (fields.take()?, fields.take::<i64>()?.cast_unsigned());
    let outcome = serde_json::from_str(&fields.skip(1)?.take::<String>()?)
        .map_err(|error| StoreFault::Damage(format!("run {run}, outcome {number}: {error}")))?;
    Ok(Finished { number, outcome, finished: Moment(fields.take()?) })
}

/// The newest checkpoint of one number of a run that is whole.
pub(crate) fn newest_checkpoint(
    look: &Connection,
    run: i64,
    number: u64,
) -> Result<Option<StoredCheckpoint>, StoreFault> {
    let Some(standing) = STANDINGS.one(look, run)? else { return Ok(None) };
    let found = CHECKPOINTS.total(look, "WHERE run = ?", [run])?;
    RunStanding::of(&standing)?.part(&CHECKPOINTS).compare(found, &format!("run {run}, checkpoints"))?;
    let newest = "WHERE run = ? AND number = ? ORDER BY id DESC";
    let keys = CHECKPOINTS.keys(look, newest, [run, number.cast_signed()])?;
    for (index, key) in keys.iter().enumerate() {
        // A page that cannot be read is as bad as one that reads wrong; the predecessor lies elsewhere.
        if let Ok(Some(record)) = CHECKPOINTS.one(look, key.id) {
            return taken(&record, index > 0).map(Some);
        }
    }
    let damage = StoreFault::Damage(format!("run {run}: all its checkpoints are damaged"));
    if keys.is_empty() { Ok(None) } else { Err(damage) }
}

fn taken(record: &StoredRow, instead: bool) -> Result<StoredCheckpoint, StoreFault> {
    let mut fields = record.fields();
    let time = seconds(fields.skip(2)?.take()?);
    let work = Counts { playouts: fields.take::<i64>()?.cast_unsigned(), moves: fields.take::<i64>()?.cast_unsigned() };
    Ok(StoredCheckpoint { bytes: fields.skip(1)?.take()?, spent: Spent { time, work }, instead })
}

/// A run, summed up from its order, its standing and its legs.
fn summary(look: &Connection, order: &StoredRow, here: &Process) -> Result<RunInfo, StoreFault> {
    let run = order.id;
    let standing = standing_of(look, order)?;
    let legs = LegRow::all_of(look, run)?;
    let mut total = Total::default();
    legs.iter().for_each(|(record, _)| total.add(record.seal));
    standing.part(&LEGS).compare(total, &format!("run {run}, {}", LEGS.nouns))?;
    let state = match Holder::of(&legs).filter(|holder| !standing.done && holder.liveness(here) != Liveness::Dead) {
        _ if standing.done => State::Done,
        Some(Holder { process, .. }) => State::Running { process: process.number, host: process.host },
        None => State::Interrupted,
    };
    let spec = specification(order)?;
    let goal = spec.goal();
    let best = match (standing.best_improvement, standing.best_outcome) {
        (Some(one), Some(other)) => Some(goal.best(one, other)),
        (one, other) => one.or(other),
    };
    let mut fields = order.fields();
    let (version, machine) = (fields.skip(1)?.take()?, fields.take()?);
    let started = Moment(fields.take()?);
    let reached = reached(look, &standing, &spec, &legs, run)?;
    Ok(RunInfo {
        id: run,
        spec,
        version,
        machine,
        started,
        state,
        best,
        best_outcome: standing.best_outcome,
        finished: standing.part(&OUTCOMES).rows.cast_unsigned(),
        worked: legs.iter().map(|(_, leg)| leg.beat).max().unwrap_or(started),
        spent: spent(
            legs.iter().map(|(_, leg)| leg.seconds).sum(),
            legs.iter().map(|(_, leg)| leg.playouts).fold(0, i64::wrapping_add),
        ),
        reached,
    })
}

/// The progress of the last process; for a single run that is done, the counts of its outcome.
fn reached(
    look: &Connection,
    standing: &RunStanding,
    spec: &RunSpec,
    legs: &[(StoredRow, LegRow)],
    run: i64,
) -> Result<Spent, StoreFault> {
    if standing.done
        && spec.runs == 1
        && let Some(record) = OUTCOMES.all(look, "WHERE run = ?", [run])?.first()
    {
        let outcome = outcome(record)?.outcome;
        return Ok(Spent { time: outcome.elapsed, work: outcome.played() });
    }
    let of_leg = |(_, leg): &(StoredRow, LegRow)| {
        spent(leg.seconds_before + leg.seconds, leg.playouts_before.wrapping_add(leg.playouts))
    };
    Ok(legs.last().map_or(Spent::default(), of_leg))
}

fn spent(time: f64, playouts: i64) -> Spent {
    Spent { time: seconds(time), work: Counts { playouts: playouts.cast_unsigned(), moves: 0 } }
}

/// A column that is a time; any value is accepted.
fn seconds(column: f64) -> Duration {
    Duration::try_from_secs_f64(column).unwrap_or_default()
}
