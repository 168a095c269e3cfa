//! Rows coming out; what does not match its seal is named, never used.

use std::time::Duration;

use nestling::{Counts, Spent};
use nestling_registry::Solved;
use rusqlite::{OptionalExtension, Row, params};

use crate::clock::Moment;
use crate::lease::{Holder, Pulse};
use crate::machine::Process;
use crate::seal::seal;
use crate::spec::Spec;
use crate::write::checkpoint_seal;
use crate::{Store, StoreError};

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// A process works on it.
    Running {
        /// Its number.
        process: u32,
        /// Its host.
        host: String,
    },
    /// Nobody works on it, and it is not at its end.
    Interrupted,
    /// It has come to its end, or its budget's.
    Done,
}

/// A run, summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct RunInfo {
    /// Its number in the store.
    pub id: i64,
    /// What it was asked to do.
    pub spec: Spec,
    /// The version that began it.
    pub version: String,
    /// The machine it began on.
    pub machine: String,
    /// When it began.
    pub started: Moment,
    /// Where it stands.
    pub state: State,
    /// The best score so far.
    pub best: Option<f64>,
    /// How many of its numbers are finished: for a single run 0 or 1.
    pub finished: u64,
    /// When anybody last worked on it.
    pub worked: Moment,
    /// What all its processes spent, work that was lost with them included.
    pub spent: Spent,
    /// How far the last of them was: what an uninterrupted run would have spent. For a batch, what that process spent.
    pub reached: Spent,
}

/// A process's work on a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// Its number.
    pub process: u32,
    /// Its host.
    pub host: String,
    /// When it began.
    pub started: Moment,
    /// Its last heartbeat.
    pub beat: Moment,
    /// How long it had worked at its last heartbeat.
    pub time: Duration,
    /// How much it had played by then.
    pub playouts: u64,
    /// Whether it gave the run back, or lost it.
    pub ended: bool,
}

/// An improvement on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Which run of the batch.
    pub number: u64,
    /// The score.
    pub score: f64,
    /// The moves.
    pub moves: Vec<String>,
    /// Playouts played until then.
    pub playouts: u64,
    /// Time taken until then.
    pub time: Duration,
    /// When.
    pub found: Moment,
}

/// The end of one number of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Which run of the batch.
    pub number: u64,
    /// What it came to. In a batch only the best keep their moves; the seed finds the others again.
    pub solved: Solved,
    /// When.
    pub finished: Moment,
}

/// A checkpoint to go on from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// What [`Run::resume`](nestling::Run::resume) takes.
    pub bytes: Vec<u8>,
    /// What had been spent.
    pub spent: Spent,
    /// Set when a newer one is damaged and this is its predecessor.
    pub instead: bool,
}

const RUNS: &str = "
SELECT r.id, r.spec, r.version, r.machine, r.started, r.done, r.seal,
    (SELECT CASE WHEN json_extract(r.spec, '$.minimise') THEN min(score) ELSE max(score) END
     FROM (SELECT score FROM improvements WHERE run = r.id UNION ALL SELECT score FROM outcomes WHERE run = r.id)),
    (SELECT count(*) FROM outcomes WHERE run = r.id),
    coalesce((SELECT max(beat) FROM legs WHERE run = r.id), r.started),
    (SELECT total(seconds) FROM legs WHERE run = r.id),
    coalesce((SELECT sum(playouts) FROM legs WHERE run = r.id), 0),
    coalesce((SELECT seconds_before + seconds FROM legs WHERE run = r.id ORDER BY id DESC LIMIT 1), 0.0),
    coalesce((SELECT playouts_before + playouts FROM legs WHERE run = r.id ORDER BY id DESC LIMIT 1), 0)
FROM runs r";

impl Store {
    /// All runs, the newest first.
    pub fn runs(&self) -> Result<Vec<RunInfo>, StoreError> {
        self.query(&format!("{RUNS} ORDER BY r.id DESC"), None)
    }

    /// One run.
    pub fn run(&self, run: i64) -> Result<RunInfo, StoreError> {
        let found = self.query(&format!("{RUNS} WHERE r.id = ?"), Some(run))?.pop();
        found.ok_or_else(|| StoreError::NoRun { path: self.path.clone(), run })
    }

    fn query(&self, text: &str, run: Option<i64>) -> Result<Vec<RunInfo>, StoreError> {
        let read = || -> rusqlite::Result<Vec<Listed>> {
            let mut query = self.connection.prepare_cached(text)?;
            query.query_map(rusqlite::params_from_iter(run), Listed::read)?.collect()
        };
        let rows = read().map_err(|error| self.failed(&error))?;
        let here = Process::here();
        rows.into_iter().map(|row| self.listed(row, &here)).collect()
    }

    fn listed(&self, row: Listed, here: &Process) -> Result<RunInfo, StoreError> {
        let damaged = |what| self.damaged(format!("run {}: {what}", row.id));
        if seal(&[row.spec.as_bytes()]) != row.seal {
            return Err(damaged("its checksum does not match".to_owned()));
        }
        let spec = serde_json::from_str(&row.spec).map_err(|error| damaged(error.to_string()))?;
        let state = if row.done { State::Done } else { self.state(row.id, here)? };
        Ok(RunInfo {
            id: row.id,
            spec,
            version: row.version,
            machine: row.machine,
            started: row.started,
            state,
            best: row.best,
            finished: row.finished,
            worked: row.worked,
            spent: row.spent,
            reached: row.reached,
        })
    }

    fn state(&self, run: i64, here: &Process) -> Result<State, StoreError> {
        let holder = Holder::of(&self.connection, run).map_err(|error| self.failed(&error))?;
        Ok(match holder.filter(|holder| holder.pulse(here) != Pulse::Dead) {
            Some(Holder { process, .. }) => State::Running { process: process.number, host: process.host },
            None => State::Interrupted,
        })
    }

    /// The processes that have worked on a run, in order.
    pub fn legs(&self, run: i64) -> Result<Vec<Leg>, StoreError> {
        let read = || -> rusqlite::Result<Vec<Leg>> {
            let legs =
                "SELECT process, host, started, beat, seconds, playouts, ended FROM legs WHERE run = ? ORDER BY id";
            let leg = |row: &Row<'_>| {
                Ok(Leg {
                    process: row.get(0)?,
                    host: row.get(1)?,
                    started: Moment(row.get(2)?),
                    beat: Moment(row.get(3)?),
                    time: seconds(row.get(4)?),
                    playouts: row.get::<_, i64>(5)?.cast_unsigned(),
                    ended: row.get::<_, Option<i64>>(6)?.is_some(),
                })
            };
            self.connection.prepare_cached(legs)?.query_map([run], leg)?.collect()
        };
        read().map_err(|error| self.failed(&error))
    }

    /// The improvements of a run, in the order they came.
    pub fn improvements(&self, run: i64) -> Result<Vec<Step>, StoreError> {
        let read = || -> rusqlite::Result<Vec<(Step, String, i64)>> {
            let steps = "SELECT number, score, playouts, seconds, found, moves, seal FROM improvements
                         WHERE run = ? ORDER BY id";
            let step = |row: &Row<'_>| {
                let step = Step {
                    number: row.get::<_, i64>(0)?.cast_unsigned(),
                    score: row.get(1)?,
                    moves: Vec::new(),
                    playouts: row.get::<_, i64>(2)?.cast_unsigned(),
                    time: seconds(row.get(3)?),
                    found: Moment(row.get(4)?),
                };
                Ok((step, row.get(5)?, row.get(6)?))
            };
            self.connection.prepare_cached(steps)?.query_map([run], step)?.collect()
        };
        let rows = read().map_err(|error| self.failed(&error))?;
        rows.into_iter()
            .map(|(step, moves, sum)| {
                if sum != seal(&[&step.score.to_le_bytes(), moves.as_bytes()]) {
                    let what = format!("run {run}: the checksum of the game with {} does not match", step.score);
                    return Err(self.damaged(what));
                }
                Ok(Step { moves: moves.lines().map(str::to_owned).collect(), ..step })
            })
            .collect()
    }

    /// The outcomes of a run, in the order of its numbers.
    pub fn outcomes(&self, run: i64) -> Result<Vec<Outcome>, StoreError> {
        let read = || -> rusqlite::Result<Vec<(i64, f64, String, i64, i64)>> {
            let outcomes = "SELECT number, score, solved, finished, seal FROM outcomes WHERE run = ? ORDER BY number";
            let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?));
            self.connection.prepare_cached(outcomes)?.query_map([run], row)?.collect()
        };
        let rows = read().map_err(|error| self.failed(&error))?;
        rows.into_iter()
            .map(|(number, score, text, finished, sum)| {
                let damaged = |what: String| self.damaged(format!("run {run}, outcome {number}: {what}"));
                if sum != seal(&[&score.to_le_bytes(), text.as_bytes()]) {
                    return Err(damaged("its checksum does not match".to_owned()));
                }
                let solved = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
                Ok(Outcome { number: number.cast_unsigned(), solved, finished: Moment(finished) })
            })
            .collect()
    }

    /// The newest checkpoint of one number of a run that is whole; none if there is none. An error if there are some and
    /// all are damaged.
    pub fn checkpoint(&self, run: i64, number: u64) -> Result<Option<Taken>, StoreError> {
        let newest =
            "SELECT id, seconds, playouts, moves, seal FROM checkpoints WHERE run = ? AND number = ? ORDER BY id DESC";
        let read = || -> rusqlite::Result<Vec<(i64, f64, i64, i64, i64)>> {
            let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?));
            self.connection.prepare_cached(newest)?.query_map(params![run, number.cast_signed()], row)?.collect()
        };
        let rows = read().map_err(|error| self.failed(&error))?;
        for (index, &(id, time, playouts, moves, sum)) in rows.iter().enumerate() {
            let bytes = self.connection.query_row("SELECT bytes FROM checkpoints WHERE id = ?", [id], |row| row.get(0));
            // A page that cannot be read is as bad as one that reads wrong; the predecessor lies elsewhere.
            let Ok(Some(bytes)) = bytes.optional() else { continue };
            let bytes: Vec<u8> = bytes;
            if checkpoint_seal(&bytes, time, playouts, moves) == sum {
                let work = Counts { playouts: playouts.cast_unsigned(), moves: moves.cast_unsigned() };
                let spent = Spent { time: seconds(time), work };
                return Ok(Some(Taken { bytes, spent, instead: index > 0 }));
            }
        }
        if rows.is_empty() { Ok(None) } else { Err(self.damaged(format!("run {run}: no checkpoint of it is whole"))) }
    }

    /// The numbers of a run that have a checkpoint.
    pub fn checkpointed(&self, run: i64) -> Result<Vec<u64>, StoreError> {
        let read = || -> rusqlite::Result<Vec<i64>> {
            let numbers = "SELECT DISTINCT number FROM checkpoints WHERE run = ? ORDER BY number";
            self.connection.prepare_cached(numbers)?.query_map([run], |row| row.get(0))?.collect()
        };
        let numbers = read().map_err(|error| self.failed(&error))?;
        Ok(numbers.into_iter().map(i64::cast_unsigned).collect())
    }
}

struct Listed {
    id: i64,
    spec: String,
    version: String,
    machine: String,
    started: Moment,
    done: bool,
    seal: i64,
    best: Option<f64>,
    finished: u64,
    worked: Moment,
    spent: Spent,
    reached: Spent,
}

impl Listed {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let spent = |time, playouts: i64| {
            let work = Counts { playouts: playouts.cast_unsigned(), moves: 0 };
            Spent { time: seconds(time), work }
        };
        Ok(Listed {
            id: row.get(0)?,
            spec: row.get(1)?,
            version: row.get(2)?,
            machine: row.get(3)?,
            started: Moment(row.get(4)?),
            done: row.get(5)?,
            seal: row.get(6)?,
            best: row.get(7)?,
            finished: row.get::<_, i64>(8)?.cast_unsigned(),
            worked: Moment(row.get(9)?),
            spent: spent(row.get(10)?, row.get(11)?),
            reached: spent(row.get(12)?, row.get(13)?),
        })
    }
}

/// A column that is a time, whatever it says.
fn seconds(column: f64) -> Duration {
    Duration::try_from_secs_f64(column).unwrap_or_default()
}
