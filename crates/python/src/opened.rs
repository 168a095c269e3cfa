//! A problem that is open: one of Nestling's, or one that is written in Python.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nestling::{Certified, Provenance};
use nestling_presentation::{Canvas, Picture, Theme};
use nestling_registry::{Controls, Instance, Registry, RunSpec, json};
use pyo3::prelude::*;
use serde_json::json;

use crate::problem::{Methods, PythonProblem};
use crate::{REGISTRY, detached, guarded, refused, with_lock};

/// A problem with its parameters.
#[pyclass(frozen, module = "nestling._native")]
pub struct Opened {
    pub problem: Arc<dyn Instance>,
    /// Set where it is written in Python: its state, and a registry that knows it.
    pub python: Option<(PythonProblem, Registry)>,
    is_busy: AtomicBool,
}

/// A run on a problem.
pub struct Busy<'a>(&'a AtomicBool);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

impl Opened {
    /// The registry that knows it.
    pub fn registry(&self) -> &Registry {
        self.python.as_ref().map_or(&REGISTRY, |(_, registry)| registry)
    }

    /// Raises what has gone wrong in the methods of a problem in Python; otherwise it is what it is.
    pub fn or_its_error<T>(&self, result: PyResult<T>) -> PyResult<T> {
        match self.python.as_ref().and_then(|(state, _)| state.error()) {
            Some(error) => Err(error),
            None => result,
        }
    }

    /// Whether something has gone wrong in the methods of a problem in Python.
    pub fn has_error(&self) -> bool {
        self.python.as_ref().is_some_and(|(state, _)| state.has_error())
    }

    /// Keeps a second run away from a problem in Python for as long as it lives: what goes wrong in its methods is told to one run.
    pub fn busy(&self) -> PyResult<Option<Busy<'_>>> {
        if self.python.is_none() {
            return Ok(None);
        }
        if self.is_busy.swap(true, Ordering::Relaxed) {
            let name = self.problem.name();
            return Err(refused(format!(
                "{name} is being searched already; for a second search, open the problem again"
            )));
        }
        Ok(Some(Busy(&self.is_busy)))
    }

    pub fn certified(&self, moves: &[String]) -> PyResult<Certified> {
        let name = self.problem.name();
        self.or_its_error(self.problem.certify(moves).map_err(|error| refused(format!("{name}: {error}"))))
    }
}

impl Opened {
    /// How long a playout takes in a search, in seconds.
    fn time_of_a_playout(&self) -> Option<f64> {
        const PLAYOUTS: u32 = 30;
        let asked = RunSpec { threads: Some(1), ..RunSpec::new(self.problem.name()) };
        let asked = asked.search(format!("repeat({PLAYOUTS}, playout)"));
        let ready = self.registry().decide(Arc::clone(&self.problem), asked).ok()?;
        let outcome = ready.start(Controls { around: Some(&with_lock), ..Controls::default() }).ok()?;
        Some(outcome.elapsed.as_secs_f64() / f64::from(PLAYOUTS))
    }
}

#[pymethods]
impl Opened {
    /// A problem by its name, such as `morpion-5d`.
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        Ok(Opened {
            problem: REGISTRY.open(name).map_err(refused)?.into(),
            python: None,
            is_busy: AtomicBool::new(false),
        })
    }

    /// A problem that is written in Python, under a name for people.
    #[staticmethod]
    fn of(state: &Bound<'_, PyAny>, name: &str, methods: Methods) -> PyResult<Self> {
        let state = PythonProblem::new(state, methods)?;
        let open = {
            let state = state.clone();
            move |_: &str| Ok(state.clone())
        };
        let registry = Registry::default().with(name, "written in Python", open);
        let problem = registry.open(name).map_err(refused)?.into();
        Ok(Opened { problem, python: Some((state, registry)), is_busy: AtomicBool::new(false) })
    }

    #[getter]
    fn name(&self) -> &str {
        self.problem.name()
    }

    #[getter]
    fn unit(&self) -> Option<&'static str> {
        self.problem.unit()
    }

    #[getter]
    fn is_minimised(&self) -> bool {
        self.problem.goal() == nestling::Goal::Min
    }

    /// The best result known, as JSON.
    fn record(&self) -> Option<String> {
        let record = self.problem.record()?;
        let object = json!({ "score": json::score(record.score), "holder": record.holder, "proven": record.proven });
        Some(object.to_string())
    }

    /// The published games, as JSON.
    fn published(&self) -> String {
        let games = self.problem.published();
        let objects: Vec<_> = games.iter().map(|game| json::record(self.problem.as_ref(), game, false)).collect();
        json!(objects).to_string()
    }

    fn legal_moves(&self, moves: Vec<String>) -> PyResult<Vec<String>> {
        let game = self.certified(&moves)?;
        self.or_its_error(self.problem.legal_moves(&game).map_err(refused))
    }

    /// The score of a game, and whether it is over.
    fn certify(&self, moves: Vec<String>) -> PyResult<(f64, bool)> {
        let game = self.certified(&moves)?;
        Ok((game.score(), game.is_over()))
    }

    /// A description of a game's score.
    fn worth(&self, score: f64, complete: bool) -> String {
        self.problem.worth(score, complete)
    }

    /// A picture of a game for the terminal.
    #[pyo3(signature = (moves, width = 80))]
    fn draw(&self, moves: Vec<String>, width: usize) -> PyResult<String> {
        let canvas = Canvas { width, color: false, ascii: false };
        let game = self.certified(&moves)?;
        self.or_its_error(self.problem.draw(&game, canvas).map_err(refused))
    }

    /// A picture of a game as SVG, if the problem has one.
    #[pyo3(signature = (moves, width = 640, theme = None))]
    fn svg(&self, moves: Vec<String>, width: u32, theme: Option<&str>) -> PyResult<Option<String>> {
        let theme: Theme = theme.map_or(Ok(Theme::default()), str::parse).map_err(refused)?;
        let picture = Picture { width, theme, ..Picture::default() };
        let game = self.certified(&moves)?;
        self.or_its_error(self.problem.picture(&game, &picture).map_err(refused))
    }

    /// The names of the formats that games can be written in.
    fn formats(&self) -> Vec<&'static str> {
        self.registry().formats(self.problem.as_ref()).map(|format| format.name()).collect()
    }

    /// A game in a format, by its name or the ending of its files; `origin` says where it comes from, as JSON.
    fn write(&self, moves: Vec<String>, format: &str, origin: &str) -> PyResult<Vec<u8>> {
        let game = self.certified(&moves)?;
        let origin: Provenance = serde_json::from_str(origin).map_err(refused)?;
        let (registry, problem) = (self.registry(), self.problem.as_ref());
        let format = registry.format(problem, format).map_err(refused)?;
        let bytes = registry.write(format, problem, &game, &origin, &Picture::default());
        self.or_its_error(bytes.map_err(refused))
    }

    /// The expected cost of a search here: playouts and seconds of one thread.
    fn estimate(&self, py: Python<'_>, search: &str) -> PyResult<(f64, f64)> {
        let search = self.registry().searches().parse(search).map_err(|error| crate::misread(&error))?;
        let estimate = detached(py, || self.problem.estimate(&search, &[]))?;
        let estimate = self.or_its_error(estimate.map_err(refused))?;
        // The estimate asks for the interpreter's lock at every move, which a search does not: its playouts are right, its time is not.
        let one = self.python.is_some().then(|| detached(py, || self.time_of_a_playout())).transpose()?.flatten();
        Ok((estimate.playouts, one.map_or(estimate.seconds, |one| one * estimate.playouts)))
    }

    /// The laws that every problem must keep, along so many random games; the first that is broken.
    fn check(&self, games: u64) -> PyResult<Option<String>> {
        let Some((state, _)) = &self.python else { return Ok(None) };
        let checked = guarded(|| nestling::conformance::check_rules(state, games))?;
        self.or_its_error(Ok(checked.err().map(|violation| violation.to_string())))
    }
}
