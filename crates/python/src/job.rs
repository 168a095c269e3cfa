//! A run that has been decided on, and its making.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use nestling::{Certified, Counts, Event, Improvement, Journal, Outcome, Search, Spent};
use nestling_registry::{
    Controls, Instance, Ready, Registry, Resume, RunSpec, Workers, json, read_weights, weights_of_games,
};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::batch;
use crate::opened::Opened;
use crate::store::kept;
use crate::workers::{PendingError, PythonWorkers};
use crate::{detached, refused, refused_run, with_lock};

/// A switch that stops a run or a match.
#[pyclass(frozen, module = "nestling._native")]
#[derive(Default)]
pub struct Cancel(pub nestling::Cancel);

#[pymethods]
impl Cancel {
    #[new]
    fn new() -> Self {
        Cancel::default()
    }

    fn cancel(&self) {
        self.0.cancel();
    }

    #[getter]
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// A run that has been decided on.
#[pyclass(frozen, module = "nestling._native")]
pub struct Job {
    pub opened: Py<Opened>,
    pub ready: Ready,
}

/// The store of a run.
#[derive(Clone, FromPyObject)]
pub enum Keeping {
    /// In a store, as the run with this number if it is resumed.
    Store(PathBuf, Option<i64>),
    /// In a separate file.
    File(PathBuf),
}

#[pymethods]
impl Job {
    /// Decides on a run that is described as JSON.
    #[new]
    fn new(py: Python<'_>, opened: Py<Opened>, spec: &str) -> PyResult<Self> {
        let mut spec: RunSpec = serde_json::from_str(spec).map_err(refused)?;
        // A run of the store has its problem's name, and has read its files.
        let is_resumed = !spec.problem.is_empty();
        let this = opened.get();
        let (registry, problem) = (this.registry(), Arc::clone(&this.problem));
        if let Some(text) = spec.search.as_deref().filter(|_| !is_resumed) {
            let search = registry.searches().parse(text).map_err(|error| crate::misread(&error))?;
            this.or_its_error(read_files(&search, &mut spec, problem.as_ref(), registry))?;
        }
        let ready = detached(py, || registry.ready_on(problem, spec))?;
        let ready = this.or_its_error(ready.map_err(refused_run))?;
        Ok(Job { opened, ready })
    }

    /// The specification with all decisions made, as JSON.
    fn spec(&self) -> PyResult<String> {
        serde_json::to_string(self.ready.spec()).map_err(refused)
    }

    /// Makes the run, and returns its result as JSON; for a batch nothing, because `listener` gets the result of each run. It gets
    /// of everything as JSON.
    #[pyo3(signature = (listener, cancel, keeping = None, workers = None))]
    fn run(
        &self,
        py: Python<'_>,
        listener: Py<PyAny>,
        cancel: &Cancel,
        keeping: Option<Keeping>,
        workers: Option<Py<PyAny>>,
    ) -> PyResult<Option<String>> {
        let cancel = cancel.0.clone();
        let _busy = self.opened.get().busy()?;
        let pressed: PendingError = Arc::default();
        if let Some((state, _)) = &self.opened.get().python {
            state.stop_by(&cancel);
        }
        let mut workers =
            workers.map(|object| PythonWorkers::new(object).stopped_by(cancel.clone(), Arc::clone(&pressed)));
        let tell = PythonListener { listener: &listener, cancel: &cancel, pressed: &pressed };
        let made = detached(py, || {
            let workers = workers.as_mut().map(|workers| workers as &mut dyn Workers);
            match self.ready.spec().runs {
                1 => self.one(&tell, keeping, workers).map(Some),
                _ => batch::run(self, &tell, keeping, workers).map(|()| None),
            }
        });
        if let Some(error) = pressed.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(error);
        }
        let made = self.opened.get().or_its_error(made?.map_err(Error::into_python))?;
        Ok(made.map(|object| object.to_string()))
    }
}

/// Why a run has no result.
pub struct Error(pub String);

impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        Error(error.to_string())
    }
}

impl Error {
    fn into_python(self) -> PyErr {
        refused(self.0)
    }
}

/// Hands what happens on to Python, and listens for Ctrl-C.
pub struct PythonListener<'a> {
    listener: &'a Py<PyAny>,
    pub cancel: &'a nestling::Cancel,
    pressed: &'a PendingError,
}

impl PythonListener<'_> {
    /// Listens for Ctrl-C.
    pub fn listen(&self) {
        self.settle(Python::attach(|py| py.check_signals()));
    }

    fn settle(&self, told: PyResult<()>) {
        if let Err(error) = told {
            self.cancel.cancel();
            self.pressed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    pub fn tell(&self, object: &Value) {
        self.settle(Python::attach(|py| {
            py.check_signals()?;
            self.listener.call1(py, (object.to_string(),)).map(drop)
        }));
    }

    fn event(&self, problem: &dyn Instance, event: &Event) {
        self.tell(&match event {
            Event::Improvement(improvement) => json::improvement(None, problem, improvement),
            Event::Find(find) => json::find_event(problem, find),
            Event::Progress { elapsed, playouts, best } => json!({
                "event": "progress", "seconds": elapsed.as_secs_f64(), "playouts": playouts, "best": best.map(json::score),
            }),
            Event::JournalFailed(reason) | Event::Failed(reason) | Event::Trouble(reason) => trouble(reason),
            _ => return,
        });
    }
}

/// Something that went wrong and costs no result.
pub fn trouble(reason: &str) -> Value {
    json!({ "event": "trouble", "reason": reason })
}

impl Job {
    /// A single run.
    fn one(
        &self,
        tell: &PythonListener<'_>,
        keeping: Option<Keeping>,
        workers: Option<&mut dyn Workers>,
    ) -> Result<Value, Error> {
        let (ready, problem) = (&self.ready, self.ready.problem());
        let mut listener = |event: &Event| tell.event(problem, event);
        let controls = Controls {
            cancel: tell.cancel.clone(),
            listener: Some(&mut listener),
            around: self.opened.get().python.is_some().then_some(&with_lock),
            workers: workers.map(|workers| workers as &mut dyn Workers),
            ..Controls::default()
        };
        let (outcome, run) = match keeping {
            None => (ready.start(controls)?, None),
            Some(Keeping::File(path)) => (in_file(self.opened.get(), ready, &path, controls)?, None),
            Some(Keeping::Store(path, run)) => {
                let kept = kept(&path, run, ready.spec(), tell.cancel.clone())?;
                let outcome = kept.recorder().solve(ready, 0, kept.taken(0), controls)?;
                let run = kept.recorder().finish(!outcome.stop.is_interruption())?;
                (outcome, run)
            }
        };
        let mut object = json::result(None, problem, ready.spec(), &outcome);
        object["learned"] = json!(outcome.learned.map(|weights| weights.to_string()));
        object["id"] = json!(run);
        Ok(object)
    }
}

/// A run that is kept in a separate file, which is removed at its end.
fn in_file(opened: &Opened, ready: &Ready, path: &Path, controls: Controls<'_>) -> Result<Outcome, Error> {
    let mut journal = FileJournal { path: path.to_path_buf(), opened, spec: ready.spec() };
    let resume = if path.exists() {
        Some(journal.read().map_err(|reason| Error(format!("{}: {reason}", path.display())))?)
    } else {
        None
    };
    let outcome = ready.start(controls.kept_by(&mut journal, resume))?;
    if !outcome.stop.is_interruption() && path.exists() {
        std::fs::remove_file(path)?;
    }
    Ok(outcome)
}

/// A file with a checkpoint: a line that says what was searched with which seed, and what was spent; and the checkpoint.
struct FileJournal<'a> {
    path: PathBuf,
    opened: &'a Opened,
    spec: &'a RunSpec,
}

impl FileJournal<'_> {
    fn read(&self) -> Result<Resume, String> {
        let bytes = std::fs::read(&self.path).map_err(|error| error.to_string())?;
        let strange = || "not a file that keeps a run; name another".to_owned();
        let end = bytes.iter().position(|&byte| byte == b'\n').ok_or_else(strange)?;
        let head: Value = serde_json::from_slice(&bytes[..end]).map_err(|_| strange())?;
        let number = |name: &str| head[name].as_u64();
        let (Some(playouts), Some(moves), Some(seconds)) =
            (number("playouts"), number("moves"), head["seconds"].as_f64())
        else {
            return Err(strange());
        };
        Ok((bytes[end + 1..].to_vec(), Spent { time: RunSpec::seconds(seconds), work: Counts { playouts, moves } }))
    }

    fn write(&self, checkpoint: &[u8], spent: Spent) -> std::io::Result<()> {
        let head = json!({
            "search": self.spec.search,
            "seed": self.spec.seed,
            "seconds": spent.time.as_secs_f64(),
            "playouts": spent.work.playouts,
            "moves": spent.work.moves,
        });
        let mut name = self.path.clone().into_os_string();
        name.push(".new");
        let bytes = [head.to_string().as_bytes(), b"\n", checkpoint].concat();
        std::fs::write(&name, bytes)?;
        std::fs::rename(&name, &self.path)
    }
}

impl Journal for FileJournal<'_> {
    fn improvement(&mut self, _: &Improvement) -> Result<(), String> {
        Ok(())
    }

    fn checkpoint(&mut self, checkpoint: &[u8], spent: Spent) -> Result<(), String> {
        // After an exception the search was told that games are over that are not: what was kept before is better.
        if self.opened.has_error() {
            return Ok(());
        }
        self.write(checkpoint, spent).map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

/// Reads the files that a search mentions, so that the run needs them no more.
fn read_files(search: &Search, spec: &mut RunSpec, problem: &dyn Instance, registry: &Registry) -> PyResult<()> {
    let read = |name: &str| std::fs::read(name).map_err(|error| refused(format!("{name}: {error}")));
    for name in search.weight_files() {
        if spec.weights.iter().any(|(known, _)| known == name) {
            continue;
        }
        let bytes = read(name)?;
        let weights = match registry.holds_weights(&bytes, problem) {
            true => read_weights(&bytes, problem),
            false => weights_of_games(&games(name, &bytes, problem, registry)?, problem, &spec.from),
        };
        let weights = weights.map_err(|error| refused(format!("{name}: {error}")))?;
        spec.weights.push((name.to_owned(), weights.to_string()));
    }
    for name in search.game_files() {
        let games = games(name, &read(name)?, problem, registry)?;
        spec.games.push((name.to_owned(), games.iter().map(|game| game.texts().to_vec()).collect()));
    }
    Ok(())
}

/// The games of a file, each verified.
fn games(name: &str, bytes: &[u8], problem: &dyn Instance, registry: &Registry) -> PyResult<Vec<Certified>> {
    let games = registry.games(bytes);
    let several = games.len() > 1;
    let verified = games.into_iter().zip(1..).map(|(game, number)| {
        let place = if several { format!("{name}#{number}") } else { name.to_owned() };
        registry.verify_as(game, problem).map(|game| game.game).map_err(|error| refused(format!("{place}: {error}")))
    });
    verified.collect()
}
