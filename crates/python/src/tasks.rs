//! The worker's side: tasks are made, and reports returned.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use nestling::{Cancel, Event, Improvement, Journal, ReportHeader, Spent};
use nestling_registry::{Controls, Instance, Ready, RunSpec, host};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::opened::Opened;
use crate::workers::PendingError;
use crate::{REGISTRY, detached, refused, with_lock};

/// How tasks are made.
pub struct Making<'a> {
    /// The problem, if it is written in Python; otherwise the task says which.
    pub opened: Option<&'a Opened>,
    pub stop_after: Option<Duration>,
    pub report_every: Duration,
    pub cancel: Cancel,
    /// Whether this worker was told to stop.
    pub is_unwanted: &'a (dyn Fn() -> bool + Sync),
}

impl Making<'_> {
    /// Makes tasks one after another, and hands on the report of each. Interim reports go to `post`.
    pub fn make(
        &self,
        tasks: &[impl AsRef<[u8]>],
        post: &mut dyn FnMut(&[u8]) -> Result<(), String>,
        done: &mut dyn FnMut(Vec<u8>),
    ) -> Result<(), String> {
        let (began, by) = (Instant::now(), format!("{}, process {}", host(), std::process::id()));
        let mut known: Option<(String, Arc<dyn Instance>)> = None;
        for task in tasks.iter().map(AsRef::as_ref) {
            let ready = self.ready(task, &mut known)?;
            let mut clock = |_: &Event| {
                if self.stop_after.is_some_and(|time| began.elapsed() >= time) || (self.is_unwanted)() {
                    self.cancel.cancel();
                }
            };
            let mut interim = Interim { post: &mut *post, opened: self.opened };
            let controls = Controls {
                cancel: self.cancel.clone(),
                listener: Some(&mut clock),
                journal: Some(&mut interim),
                around: self.opened.is_some().then_some(&with_lock),
                ..Controls::default()
            };
            let report = ready.make_task(task, &by, controls).map_err(|error| format!("{by}: {error}"))?;
            let is_finished = ReportHeader::read(&report).is_ok_and(|header| header.is_finished);
            done(report);
            if !is_finished {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The run that a task is of. Tasks of the same problem come one after another.
    fn ready(&self, task: &[u8], known: &mut Option<(String, Arc<dyn Instance>)>) -> Result<Ready, String> {
        let here = host();
        let asked = Ready::described_by(task).map_err(|error| format!("{here}: {error}"))?;
        let asked = RunSpec { threads: Some(1), checkpoint: self.report_every, ..asked };
        let (registry, problem) = match self.opened {
            Some(opened) => (opened.registry(), Arc::clone(&opened.problem)),
            None => {
                if known.as_ref().is_none_or(|(name, _)| *name != asked.problem) {
                    let problem = REGISTRY.open(&asked.problem).map_err(|error| format!("{here}: {error}"))?;
                    *known = Some((asked.problem.clone(), problem.into()));
                }
                (&*REGISTRY, known.as_ref().map(|(_, problem)| Arc::clone(problem)).expect("it was just opened"))
            }
        };
        registry.decide(problem, asked).map_err(|error| format!("{here}: {error}"))
    }
}

/// Hands interim reports on.
struct Interim<'a> {
    post: &'a mut dyn FnMut(&[u8]) -> Result<(), String>,
    opened: Option<&'a Opened>,
}

impl Journal for Interim<'_> {
    fn improvement(&mut self, _: &Improvement) -> Result<(), String> {
        Ok(())
    }

    fn checkpoint(&mut self, report: &[u8], _: Spent) -> Result<(), String> {
        // After an exception the search was told that games are over that are not.
        if self.opened.is_some_and(Opened::has_error) { Ok(()) } else { (self.post)(report) }
    }
}

/// Makes tasks one after another on one thread, and returns their reports. `post` is called with every interim report. It stops after
/// `stop_after` seconds, with an interim report as the last one.
#[pyfunction]
#[pyo3(signature = (tasks, post, report_every, stop_after = None, problem = None))]
pub fn make_tasks(
    py: Python<'_>,
    tasks: Vec<PyBackedBytes>,
    post: Py<PyAny>,
    report_every: f64,
    stop_after: Option<f64>,
    problem: Option<Py<Opened>>,
) -> PyResult<Vec<Vec<u8>>> {
    let opened = problem.as_ref().map(|opened| opened.get());
    let (cancel, pressed, mut reports) = (Cancel::new(), PendingError::default(), Vec::new());
    if let Some((state, _)) = opened.and_then(|opened| opened.python.as_ref()) {
        state.stop_by(&cancel);
    }
    let making = Making {
        opened,
        stop_after: stop_after.map(RunSpec::seconds),
        report_every: RunSpec::seconds(report_every),
        cancel,
        is_unwanted: &|| match Python::attach(|py| py.check_signals()) {
            Ok(()) => false,
            Err(error) => {
                *pressed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                true
            }
        },
    };
    let mut post = |report: &[u8]| {
        Python::attach(|py| post.call1(py, (report,)).map(drop).map_err(|error| crate::workers::words(py, &error)))
    };
    let made = detached(py, || making.make(&tasks, &mut post, &mut |report| reports.push(report)))?;
    if let Some(error) = pressed.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(error);
    }
    let made = made.map(|()| reports).map_err(refused);
    opened.map_or_else(|| Ok(()), |opened| opened.or_its_error(Ok(())))?;
    made
}
