//! Rows coming out; what does not match its seal is named, never used.

use std::time::Duration;

use nestling::{Counts, Spent};
use nestling_registry::Solved;
use rusqlite::{Params, Row, params, params_from_iter};

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
    /// Playouts played until then, in a batch by all its runs.
    pub playouts: u64,
    /// Time taken until then, in a batch by the whole of it.
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
     FROM (SELECT score FROM improvements WHERE run = r.id UNION ALL
           SELECT score FROM outcomes WHERE run = r.id AND json_extract(solved, '$.nothing') IS NOT 1)),
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
        self.listed(&format!("{RUNS} ORDER BY r.id DESC"), &[])
    }

    /// The newest runs, at most so many, the newest first.
    pub fn newest(&self, limit: usize) -> Result<Vec<RunInfo>, StoreError> {
        self.listed(&format!("{RUNS} ORDER BY r.id DESC LIMIT ?"), &[i64::try_from(limit).unwrap_or(i64::MAX)])
    }

    /// The best score of every search that was run on a problem from its start, and the run that had it first, best first.
    pub fn best_of_searches(&self, problem: &str) -> Result<Vec<(String, f64, i64)>, StoreError> {
        let best = "SELECT json_extract(r.spec, '$.search'), i.score, min(r.id),
                        max(CASE WHEN json_extract(r.spec, '$.minimise') THEN -i.score ELSE i.score END) AS worth
                    FROM runs r JOIN improvements i ON i.run = r.id
                    WHERE r.problem = ? AND json_array_length(r.spec, '$.from') = 0
                    GROUP BY 1 ORDER BY worth DESC, 3";
        self.rows(best, [problem], |row| Ok(Ok((row.get(0)?, row.get(1)?, row.get(2)?))))
    }

    /// One run.
    pub fn run(&self, run: i64) -> Result<RunInfo, StoreError> {
        let found = self.listed(&format!("{RUNS} WHERE r.id = ?"), &[run])?.pop();
        found.ok_or_else(|| StoreError::NoRun { path: self.path.clone(), run })
    }

    /// The rows a query gives. What `read` finds wrong with one is the store's fault.
    pub(crate) fn rows<T>(
        &self,
        query: &str,
        parameters: impl Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<Result<T, String>>,
    ) -> Result<Vec<T>, StoreError> {
        let all = || -> rusqlite::Result<Vec<_>> {
            self.connection.prepare_cached(query)?.query_map(parameters, read)?.collect()
        };
        let rows = all().map_err(|error| self.failed(&error))?;
        rows.into_iter().map(|row| row.map_err(|what| self.damaged(what))).collect()
    }

    fn listed(&self, query: &str, number: &[i64]) -> Result<Vec<RunInfo>, StoreError> {
        let mut runs = self.rows(query, params_from_iter(number), listed)?;
        let here = Process::here();
        for run in runs.iter_mut().filter(|run| run.state != State::Done) {
            let holder = Holder::of(&self.connection, run.id).map_err(|error| self.failed(&error))?;
            if let Some(Holder { process, .. }) = holder.filter(|holder| holder.pulse(&here) != Pulse::Dead) {
                run.state = State::Running { process: process.number, host: process.host };
            }
        }
        Ok(runs)
    }

    /// The processes that have worked on a run, in order.
    pub fn legs(&self, run: i64) -> Result<Vec<Leg>, StoreError> {
        let legs = "SELECT process, host, started, beat, seconds, playouts, ended FROM legs WHERE run = ? ORDER BY id";
        self.rows(legs, [run], |row| {
            Ok(Ok(Leg {
                process: row.get(0)?,
                host: row.get(1)?,
                started: Moment(row.get(2)?),
                beat: Moment(row.get(3)?),
                time: seconds(row.get(4)?),
                playouts: row.get::<_, i64>(5)?.cast_unsigned(),
                ended: row.get::<_, Option<i64>>(6)?.is_some(),
            }))
        })
    }

    /// The improvements of a run, in the order they came.
    pub fn improvements(&self, run: i64) -> Result<Vec<Step>, StoreError> {
        let steps = "SELECT number, score, playouts, seconds, found, moves, seal FROM improvements
                     WHERE run = ? ORDER BY id";
        self.rows(steps, [run], |row| {
            let (score, moves): (f64, String) = (row.get(1)?, row.get(5)?);
            if row.get::<_, i64>(6)? != seal(&[&score.to_le_bytes(), moves.as_bytes()]) {
                return Ok(Err(format!("run {run}: the checksum of the game with {score} does not match")));
            }
            Ok(Ok(Step {
                number: row.get::<_, i64>(0)?.cast_unsigned(),
                score,
                moves: moves.lines().map(str::to_owned).collect(),
                playouts: row.get::<_, i64>(2)?.cast_unsigned(),
                time: seconds(row.get(3)?),
                found: Moment(row.get(4)?),
            }))
        })
    }

    /// The outcomes of a run, in the order of its numbers.
    pub fn outcomes(&self, run: i64) -> Result<Vec<Outcome>, StoreError> {
        let outcomes = "SELECT number, score, solved, finished, seal FROM outcomes WHERE run = ? ORDER BY number";
        self.rows(outcomes, [run], |row| {
            let number = row.get::<_, i64>(0)?.cast_unsigned();
            let (score, text): (f64, String) = (row.get(1)?, row.get(2)?);
            if row.get::<_, i64>(4)? != seal(&[&score.to_le_bytes(), text.as_bytes()]) {
                return Ok(Err(format!("run {run}, outcome {number}: its checksum does not match")));
            }
            let finished = Moment(row.get(3)?);
            Ok(match serde_json::from_str(&text) {
                Ok(solved) => Ok(Outcome { number, solved, finished }),
                Err(error) => Err(format!("run {run}, outcome {number}: {error}")),
            })
        })
    }

    /// The newest checkpoint of one number of a run that is whole; none if there is none. An error if there are some and
    /// all are damaged.
    pub fn checkpoint(&self, run: i64, number: u64) -> Result<Option<Taken>, StoreError> {
        let newest = "SELECT id FROM checkpoints WHERE run = ? AND number = ? ORDER BY id DESC";
        let ids: Vec<i64> = self.rows(newest, params![run, number.cast_signed()], |row| row.get(0).map(Ok))?;
        for (index, id) in ids.iter().enumerate() {
            let one = "SELECT seconds, playouts, moves, seal, bytes FROM checkpoints WHERE id = ?";
            // A page that cannot be read is as bad as one that reads wrong; the predecessor lies elsewhere.
            if let Ok(Some(taken)) = self.connection.query_row(one, [id], |row| taken(row, index > 0)) {
                return Ok(Some(taken));
            }
        }
        if ids.is_empty() { Ok(None) } else { Err(self.damaged(format!("run {run}: no checkpoint of it is whole"))) }
    }

    /// The numbers of a run that have a checkpoint.
    pub fn checkpointed(&self, run: i64) -> Result<Vec<u64>, StoreError> {
        let numbers = "SELECT DISTINCT number FROM checkpoints WHERE run = ? ORDER BY number";
        self.rows(numbers, [run], |row| Ok(Ok(row.get::<_, i64>(0)?.cast_unsigned())))
    }
}

/// A checkpoint, if it is whole.
fn taken(row: &Row<'_>, instead: bool) -> rusqlite::Result<Option<Taken>> {
    let (time, playouts, moves, bytes): (f64, i64, i64, Vec<u8>) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(4)?);
    let whole = checkpoint_seal(&bytes, time, playouts, moves) == row.get::<_, i64>(3)?;
    let work = Counts { playouts: playouts.cast_unsigned(), moves: moves.cast_unsigned() };
    Ok(whole.then(|| Taken { bytes, spent: Spent { time: seconds(time), work }, instead }))
}

/// A run, as far as its row tells: whether somebody works on it is another question.
fn listed(row: &Row<'_>) -> rusqlite::Result<Result<RunInfo, String>> {
    let (id, text): (i64, String) = (row.get(0)?, row.get(1)?);
    if row.get::<_, i64>(6)? != seal(&[text.as_bytes()]) {
        return Ok(Err(format!("run {id}: its checksum does not match")));
    }
    let spec = match serde_json::from_str(&text) {
        Ok(spec) => spec,
        Err(error) => return Ok(Err(format!("run {id}: {error}"))),
    };
    let spent = |time, playouts: i64| {
        let work = Counts { playouts: playouts.cast_unsigned(), moves: 0 };
        Spent { time: seconds(time), work }
    };
    Ok(Ok(RunInfo {
        id,
        spec,
        version: row.get(2)?,
        machine: row.get(3)?,
        started: Moment(row.get(4)?),
        state: if row.get(5)? { State::Done } else { State::Interrupted },
        best: row.get(7)?,
        finished: row.get::<_, i64>(8)?.cast_unsigned(),
        worked: Moment(row.get(9)?),
        spent: spent(row.get(10)?, row.get(11)?),
        reached: spent(row.get(12)?, row.get(13)?),
    }))
}

/// A column that is a time, whatever it says.
fn seconds(column: f64) -> Duration {
    Duration::try_from_secs_f64(column).unwrap_or_default()
}
