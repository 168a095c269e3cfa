//! When a run may be resumed, and its description then.

use std::time::Duration;

use nestling::Stop;
use nestling_registry::RunSpec;

use crate::run::{RunInfo, State};
use crate::{Store, StoreError};

/// A larger budget for a resumed run; it limits the whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct More {
    /// So much time.
    pub time: Option<Duration>,
    /// So many playouts.
    pub playouts: Option<u64>,
}

/// Why a run is not resumed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// All runs of the batch are finished.
    #[error("run {id} is done: all its {runs} runs are finished")]
    BatchDone {
        /// The run.
        id: i64,
        /// How many runs it has.
        runs: u64,
    },
    /// Its time is over, and it is given no more.
    #[error("run {0} is done: its time is used up; give it more time")]
    TimeOver(i64),
    /// Its playouts are spent, and it is given no more.
    #[error("run {0} is done: its playouts are used up; give it more playouts")]
    PlayoutsSpent(i64),
    /// It needs no more.
    #[error("run {0} is done: its search has ended")]
    AtItsEnd(i64),
    /// It has had that much time already.
    #[error("run {id} has already used {} of its time, and {} is the new total; give it more", written(*had), written(*time))]
    HadTime {
        /// The run.
        id: i64,
        /// The budget that it has used.
        had: Duration,
        /// The new budget.
        time: Duration,
    },
}

fn written(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..=119 => format!("{:.2} s", time.as_secs_f64()),
        120..=7_199 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds / 60 % 60),
    }
}

impl Store {
    /// The description of a resumed run, with a larger budget if one is given.
    ///
    /// # Errors
    ///
    /// When it is at its end and cannot use more, or is not given more.
    pub fn resumable(&self, run: &RunInfo, more: More) -> Result<RunSpec, ResumeError> {
        let id = run.id;
        if run.state == State::Done {
            self.refuse_finished(run, more)?;
        }
        if let Some(time) = more.time.filter(|time| run.spec.runs == 1 && *time <= run.reached.time) {
            return Err(ResumeError::HadTime { id, had: run.reached.time, time });
        }
        let (time, playouts) = (more.time.or(run.spec.time), more.playouts.or(run.spec.playouts));
        Ok(RunSpec { time, playouts, ..run.spec.clone() })
    }

    /// A finished run is resumed only with a larger budget that it can use.
    fn refuse_finished(&self, run: &RunInfo, more: More) -> Result<(), ResumeError> {
        let RunInfo { id, spec, .. } = run;
        if spec.runs > 1 {
            return Err(ResumeError::BatchDone { id: *id, runs: spec.runs });
        }
        match self.outcomes(*id)?.pop().map(|finished| finished.outcome.stop) {
            // Somebody has stopped it in the app, and thinks better of it.
            None => Ok(()),
            Some(Stop::Time) if more.time.is_some() => Ok(()),
            Some(Stop::Time) => Err(ResumeError::TimeOver(*id)),
            Some(Stop::Playouts) if more.playouts.is_some_and(|playouts| Some(playouts) > spec.playouts) => Ok(()),
            Some(Stop::Playouts) => Err(ResumeError::PlayoutsSpent(*id)),
            Some(_) => Err(ResumeError::AtItsEnd(*id)),
        }
    }
}
