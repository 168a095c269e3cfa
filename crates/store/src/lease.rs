//! Who works on a run. A leg is the work of one process; while it is not over it is that process's lease.
//!
//! No decision here looks at the wall clock, which can be set back. A process of this boot is looked up by its number and
//! its birth, and its silence is measured in uptime; one of an earlier boot is dead; one elsewhere is watched for a few
//! heartbeats. A process that was taken for dead and is not finds out at its next write, and stops.

use std::time::Duration;

use nestling::Spent;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use crate::clock::Moment;
use crate::machine::{Process, Sight, uptime};
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

/// The last leg of a run that nobody has ended.
pub(crate) struct Holder {
    pub leg: i64,
    pub process: Process,
    pub beats: i64,
    /// The uptime at the last heartbeat.
    pub uptime: Duration,
}

/// What is known of the holder of a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pulse {
    Alive,
    Dead,
    /// Only waiting for a heartbeat can tell.
    Unknown,
}

impl Holder {
    pub fn of(connection: &Connection, run: i64) -> rusqlite::Result<Option<Self>> {
        let holder = "SELECT id, process, born, host, machine, boot, space, beats, uptime FROM legs
                      WHERE run = ? AND ended IS NULL ORDER BY id DESC LIMIT 1";
        connection.prepare_cached(holder)?.query_row([run], Holder::read).optional()
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let process = Process {
            number: row.get(1)?,
            born: row.get(2)?,
            host: row.get(3)?,
            machine: row.get(4)?,
            boot: row.get(5)?,
            space: row.get(6)?,
        };
        let uptime = Duration::from_millis(row.get::<_, i64>(8)?.unsigned_abs());
        Ok(Holder { leg: row.get(0)?, process, beats: row.get(7)?, uptime })
    }

    pub fn pulse(&self, here: &Process) -> Pulse {
        match here.sees(&self.process) {
            Sight::Gone => Pulse::Dead,
            Sight::There if uptime().saturating_sub(self.uptime) > SILENCE => Pulse::Dead,
            Sight::There => Pulse::Alive,
            Sight::Unknown => Pulse::Unknown,
        }
    }

    fn refusal(&self, run: i64) -> StoreError {
        StoreError::Leased { run, process: self.process.number, host: self.process.host.clone() }
    }
}

impl Store {
    /// Refuses a run that is not there, or that a process seen to be alive works on, and changes nothing. Of a process
    /// elsewhere only [`Store::take`] finds out.
    pub fn check_free(&self, run: i64) -> Result<(), StoreError> {
        self.run(run)?;
        let here = Process::here();
        let holder = Holder::of(&self.connection, run).map_err(|error| self.failed(&error))?;
        match holder.filter(|holder| holder.pulse(&here) == Pulse::Alive) {
            Some(holder) => Err(holder.refusal(run)),
            None => Ok(()),
        }
    }

    /// Makes this process the one that works on a run. It is refused, by name, while another does; the lease of a process
    /// that is dead or silent is taken over. Where that process is not of this machine, finding out takes a few seconds.
    pub fn take(&mut self, run: i64) -> Result<Lease, StoreError> {
        self.run(run)?;
        let here = Process::here();
        loop {
            let holder = Holder::of(&self.connection, run).map_err(|error| self.failed(&error))?;
            let seen = holder.as_ref().map(|holder| (holder.leg, holder.beats));
            match holder.as_ref().map(|holder| holder.pulse(&here)) {
                None | Some(Pulse::Dead) => {}
                Some(Pulse::Unknown) => std::thread::sleep(WATCH),
                Some(Pulse::Alive) => return Err(holder.expect("somebody lives").refusal(run)),
            }
            match self.take_if(run, seen, &here).map_err(|error| self.failed(&error))? {
                Ok(lease) => return Ok(lease),
                // It was heard after all.
                Err(holder) if holder.pulse(&here) == Pulse::Unknown => return Err(holder.refusal(run)),
                Err(_) => {}
            }
        }
    }

    /// Takes the lease if its holder is still the one that was seen, with no heartbeat since.
    fn take_if(
        &mut self,
        run: i64,
        seen: Option<(i64, i64)>,
        here: &Process,
    ) -> rusqlite::Result<Result<Lease, Holder>> {
        let taking = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        match Holder::of(&taking, run)? {
            Some(holder) if Some((holder.leg, holder.beats)) != seen => return Ok(Err(holder)),
            _ => {}
        }
        taking.execute("UPDATE legs SET ended = beat WHERE run = ? AND ended IS NULL", [run])?;
        let lease = begin_leg(&taking, run, here)?;
        taking.commit()?;
        Ok(Ok(lease))
    }
}

/// A new leg, by this process, of a run that nobody works on.
pub(crate) fn begin_leg(writing: &Transaction<'_>, run: i64, here: &Process) -> rusqlite::Result<Lease> {
    let now = Moment::now().0;
    writing.execute(
        "INSERT INTO legs(run, process, born, host, machine, boot, space, started, beats, beat, uptime,
                          seconds_before, playouts_before, seconds, playouts)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?8, 0, ?8, ?9, 0, 0, 0, 0)",
        params![run, here.number, here.born, here.host, here.machine, here.boot, here.space, now, milliseconds()],
    )?;
    Ok(Lease { run, leg: writing.last_insert_rowid() })
}

/// A heartbeat: how much this process had played when it was last heard how much, and how long it had worked by then.
/// False if the lease is lost.
pub(crate) fn beat(writing: &Transaction<'_>, lease: Lease, time: Duration, playouts: u64) -> rusqlite::Result<bool> {
    let mut beat = writing.prepare_cached(
        "UPDATE legs SET beats = beats + 1, beat = ?, uptime = ?, seconds = ?, playouts = ?
         WHERE id = ? AND ended IS NULL",
    )?;
    let row = params![Moment::now().0, milliseconds(), time.as_secs_f64(), playouts.cast_signed(), lease.leg];
    Ok(beat.execute(row)? == 1)
}

/// Where this leg takes a single run up.
pub(crate) fn begin_at(writing: &Connection, lease: Lease, spent: Spent) -> rusqlite::Result<()> {
    let row = params![spent.time.as_secs_f64(), spent.work.playouts.cast_signed(), lease.leg];
    writing.execute("UPDATE legs SET seconds_before = ?, playouts_before = ? WHERE id = ?", row).map(drop)
}

/// Gives the lease back.
pub(crate) fn end_leg(writing: &Transaction<'_>, lease: Lease) -> rusqlite::Result<()> {
    writing.execute("UPDATE legs SET ended = ? WHERE id = ?", params![Moment::now().0, lease.leg]).map(drop)
}

fn milliseconds() -> i64 {
    i64::try_from(uptime().as_millis()).unwrap_or(i64::MAX)
}
