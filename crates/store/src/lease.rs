//! Leases: which process works on a run. A leg is the work of one process; until it ends, it is that process's lease.
//!
//! No decision here looks at the wall clock, which can be set back. A process of this boot is looked up by its number and
//! its birth, and its silence is measured in uptime; one of an earlier boot is dead; one elsewhere is watched for a few
//! heartbeats. A process that was taken for dead and is not finds out at its next write, and stops.

use std::time::Duration;

use nestling::Spent;
use rusqlite::Connection;
use rusqlite::types::Value;

use crate::clock::Moment;
use crate::error::StoreFault;
use crate::machine::{Process, Visibility, uptime};
use crate::read::newest_checkpoint;
use crate::record::{StoredRow, values};
use crate::table::LEGS;
use crate::writing::Writing;
use crate::{Store, StoreError};

/// A living process that has been silent for so long has lost its lease: it hangs, or its disk is full.
const SILENCE: Duration = Duration::from_secs(60);

/// How long a process that cannot be seen is listened for; heartbeats come every second.
const WATCH: Duration = Duration::from_millis(3_500);

/// The right to work on a run, held by this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    pub(crate) run: i64,
    pub(crate) leg: i64,
}

impl Lease {
    /// The run.
    pub fn run(self) -> i64 {
        self.run
    }
}

/// The work of one process on a run, as the store has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LegRow {
    pub run: i64,
    pub process: Process,
    pub started: Moment,
    pub beats: i64,
    pub beat: Moment,
    /// The uptime at the last heartbeat, in milliseconds.
    pub uptime: i64,
    pub seconds_before: f64,
    pub playouts_before: i64,
    pub seconds: f64,
    pub playouts: i64,
    pub ended: Option<i64>,
}

impl LegRow {
    pub fn of(record: &StoredRow) -> Result<Self, StoreFault> {
        let mut fields = record.fields();
        let run = fields.take()?;
        let number: i64 = fields.take()?;
        let process = Process {
            number: u32::try_from(number).map_err(|_| StoreFault::Damage(format!("there is no process {number}")))?,
            born: fields.take()?,
            host: fields.take()?,
            machine: fields.take()?,
            boot: fields.take()?,
            space: fields.take()?,
        };
        Ok(LegRow {
            run,
            process,
            started: Moment(fields.take()?),
            beats: fields.take()?,
            beat: Moment(fields.take()?),
            uptime: fields.take()?,
            seconds_before: fields.take()?,
            playouts_before: fields.take()?,
            seconds: fields.take()?,
            playouts: fields.take()?,
            ended: fields.take()?,
        })
    }

    pub fn values(&self) -> Vec<Value> {
        let LegRow { run, started, beats, beat, uptime, ended, .. } = *self;
        let Process { number, born, host, machine, boot, space } = self.process.clone();
        let leg = values![run, number, born, host, machine, boot, space, started.0, beats, beat.0, uptime];
        [leg, values![self.seconds_before, self.playouts_before, self.seconds, self.playouts, ended]].concat()
    }

    /// The legs of a run, in order.
    pub fn all_of(connection: &Connection, run: i64) -> Result<Vec<(StoredRow, Self)>, StoreFault> {
        let records = LEGS.all(connection, "WHERE run = ? ORDER BY id", [run])?;
        records.into_iter().map(|record| LegRow::of(&record).map(|leg| (record, leg))).collect()
    }
}

/// The last leg of a run that nobody has ended.
pub(crate) struct Holder {
    pub leg: i64,
    pub process: Process,
    pub beats: i64,
    /// The uptime at the last heartbeat.
    pub uptime: Duration,
}

/// The holder of a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Liveness {
    Alive,
    Dead,
    /// Only waiting for a heartbeat can tell.
    Unknown,
}

impl Holder {
    pub fn of(legs: &[(StoredRow, LegRow)]) -> Option<Self> {
        let (record, leg) = legs.iter().rfind(|(_, leg)| leg.ended.is_none())?;
        let uptime = Duration::from_millis(leg.uptime.unsigned_abs());
        Some(Holder { leg: record.id, process: leg.process.clone(), beats: leg.beats, uptime })
    }

    pub fn liveness(&self, here: &Process) -> Liveness {
        match here.sees(&self.process) {
            Visibility::Gone => Liveness::Dead,
            Visibility::There if uptime().saturating_sub(self.uptime) > SILENCE => Liveness::Dead,
            Visibility::There => Liveness::Alive,
            Visibility::Unknown => Liveness::Unknown,
        }
    }

    pub fn refusal(&self, run: i64) -> StoreError {
        StoreError::Leased { run, process: self.process.number, host: self.process.host.clone() }
    }
}

impl Store {
    /// Refuses a run that is not there, or that a process seen to be alive works on, and changes nothing. Of a process
    /// elsewhere only [`Store::take`] finds out.
    pub fn check_free(&self, run: i64) -> Result<(), StoreError> {
        self.run(run)?;
        let here = Process::here();
        let holder = self.holder(run)?;
        match holder.filter(|holder| holder.liveness(&here) == Liveness::Alive) {
            Some(holder) => Err(holder.refusal(run)),
            None => Ok(()),
        }
    }

    /// Makes this process the one that works on a run. It is refused, by name, while another does; the lease of a process
    /// that is dead or silent is taken over. Where that process is not of this machine, finding out takes a few seconds.
    pub fn take(&mut self, run: i64) -> Result<Lease, StoreError> {
        let is_single = self.run(run)?.spec.runs == 1;
        let here = Process::here();
        loop {
            let holder = self.holder(run)?;
            let seen = holder.as_ref().map(|holder| (holder.leg, holder.beats));
            match holder.as_ref().map(|holder| holder.liveness(&here)) {
                None | Some(Liveness::Dead) => {}
                Some(Liveness::Unknown) => std::thread::sleep(WATCH),
                Some(Liveness::Alive) => return Err(holder.expect("somebody lives").refusal(run)),
            }
            match self.take_if(run, is_single, seen, &here)? {
                Ok(lease) => return Ok(lease),
                // It was heard after all.
                Err(holder) if holder.liveness(&here) == Liveness::Unknown => return Err(holder.refusal(run)),
                Err(_) => {}
            }
        }
    }

    fn holder(&self, run: i64) -> Result<Option<Holder>, StoreError> {
        self.read(|look| Ok(Holder::of(&LegRow::all_of(look, run)?)))
    }

    /// Takes the lease if its holder is still the one that was seen, with no heartbeat since. A single run stands at its checkpoint
    /// from then on, even if this process dies before it has played anything.
    fn take_if(
        &mut self,
        run: i64,
        is_single: bool,
        seen: Option<(i64, i64)>,
        here: &Process,
    ) -> Result<Result<Lease, Holder>, StoreError> {
        self.write(|taking| {
            let legs = LegRow::all_of(&taking.transaction, run)?;
            match Holder::of(&legs) {
                Some(holder) if Some((holder.leg, holder.beats)) != seen => return Ok(Err(holder)),
                _ => {}
            }
            for (record, leg) in legs.into_iter().filter(|(_, leg)| leg.ended.is_none()) {
                let ended = LegRow { ended: Some(leg.beat.0), ..leg };
                taking.update(&LEGS, &record, ended.values())?;
            }
            // A run whose checkpoints are damaged can be taken too, to be deleted; a process that resumes it reads them and reports the damage.
            let taken = newest_checkpoint(&taking.transaction, run, 0).ok().flatten().filter(|_| is_single);
            begin_leg(taking, run, here, taken.map(|taken| taken.spent).unwrap_or_default()).map(Ok)
        })
    }
}

/// A new leg, by this process, of a run that no process works on, on which so much was spent `before`.
pub(crate) fn begin_leg(
    writing: &mut Writing<'_>,
    run: i64,
    here: &Process,
    before: Spent,
) -> Result<Lease, StoreFault> {
    let now = Moment::now();
    let leg = LegRow {
        run,
        process: here.clone(),
        started: now,
        beats: 0,
        beat: now,
        uptime: milliseconds(),
        seconds_before: before.time.as_secs_f64(),
        playouts_before: before.work.playouts.cast_signed(),
        seconds: 0.0,
        playouts: 0,
        ended: None,
    };
    Ok(Lease { run, leg: writing.insert(&LEGS, leg.values())? })
}

/// Changes the leg of a lease. False if the lease is lost.
fn change(writing: &mut Writing<'_>, lease: Lease, change: impl FnOnce(&mut LegRow)) -> Result<bool, StoreFault> {
    let Some(record) = LEGS.one(&writing.transaction, lease.leg)? else { return Ok(false) };
    let mut leg = LegRow::of(&record)?;
    if leg.ended.is_some() {
        return Ok(false);
    }
    change(&mut leg);
    writing.update(&LEGS, &record, leg.values())?;
    Ok(true)
}

/// A heartbeat: how much this process had played when it was last heard how much, and how long it had worked by then.
/// False if the lease is lost.
pub(crate) fn beat(writing: &mut Writing<'_>, lease: Lease, time: Duration, playouts: u64) -> Result<bool, StoreFault> {
    change(writing, lease, |leg| {
        leg.beats += 1;
        (leg.beat, leg.uptime) = (Moment::now(), milliseconds());
        (leg.seconds, leg.playouts) = (time.as_secs_f64(), playouts.cast_signed());
    })
}

/// Gives the lease back.
pub(crate) fn end_leg(writing: &mut Writing<'_>, lease: Lease) -> Result<(), StoreFault> {
    change(writing, lease, |leg| leg.ended = Some(Moment::now().0)).map(drop)
}

fn milliseconds() -> i64 {
    i64::try_from(uptime().as_millis()).unwrap_or(i64::MAX)
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
