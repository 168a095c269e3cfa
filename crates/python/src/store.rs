//! Runs that are kept: the same store as the command line's.

use std::path::{Path, PathBuf};
use std::time::Duration;

use nestling::Cancel;
use nestling_registry::RunSpec;
use nestling_store::{Account, KeptRun, More, RecorderSettings, State, StoreError};
use pyo3::prelude::*;
use serde_json::json;

use crate::refused;

/// A store of runs.
#[pyclass(frozen, module = "nestling._native")]
pub struct Store {
    path: PathBuf,
}

impl Store {
    /// Looks at the store, which need not be there.
    fn look<R>(
        &self,
        nothing: R,
        question: impl FnOnce(&nestling_store::Store) -> Result<R, nestling_store::StoreError>,
    ) -> PyResult<R> {
        match nestling_store::Store::look(&self.path).map_err(refused)? {
            None => Ok(nothing),
            Some(store) => question(&store).map_err(refused),
        }
    }
}

#[pymethods]
impl Store {
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(path: Option<PathBuf>) -> PyResult<Self> {
        let named = std::env::var_os("NESTLING_STORE").filter(|path| !path.is_empty()).map(PathBuf::from);
        let path = path.or(named).or_else(nestling_store::Store::default_path);
        path.map(|path| Store { path }).ok_or_else(|| refused("no data folder found for the store; name a file"))
    }

    #[getter]
    fn path(&self) -> &Path {
        &self.path
    }

    /// All runs, as JSON.
    fn runs(&self) -> PyResult<String> {
        let runs = self.look(Vec::new(), nestling_store::Store::runs)?;
        Ok(json!(runs.iter().map(nestling_store::json::run).collect::<Vec<_>>()).to_string())
    }

    /// A run with its improvements and results, as JSON.
    fn run(&self, id: i64) -> PyResult<String> {
        let account = self.look(None, |store| Account::of(store, id).map(Some))?;
        account
            .map(|account| account.json().to_string())
            .ok_or_else(|| refused(format!("there is no run {id}: the store is empty")))
    }

    /// The best games of a problem, as JSON.
    #[pyo3(signature = (problem, limit = 100))]
    fn best(&self, problem: &str, limit: usize) -> PyResult<String> {
        let games = self.look(Vec::new(), |store| store.hall_of_fame(problem, limit))?;
        let object = |game: nestling_store::FamousGame| json!({ "score": nestling_registry::json::score(game.score), "moves": game.moves, "run": game.run, "found": game.found.to_string() });
        Ok(json!(games.into_iter().map(object).collect::<Vec<_>>()).to_string())
    }

    /// The description of a resumed run as JSON, and its number; by default that of the run that was interrupted last.
    #[pyo3(signature = (id = None, time = None, playouts = None))]
    fn resumable(&self, id: Option<i64>, time: Option<f64>, playouts: Option<u64>) -> PyResult<(i64, String)> {
        let store = nestling_store::Store::open_existing(&self.path).map_err(refused)?;
        let store = store.ok_or_else(|| refused("no run is kept yet"))?;
        let run = match id {
            Some(id) => store.run(id).map_err(refused)?,
            None => {
                let runs = store.runs().map_err(refused)?;
                let interrupted =
                    runs.into_iter().filter(|run| run.state == State::Interrupted).max_by_key(|run| run.id);
                interrupted.ok_or_else(|| refused("no run is interrupted"))?
            }
        };
        let spec = store.resumable(&run, More { time: time.map(RunSpec::seconds), playouts }).map_err(refused)?;
        Ok((run.id, serde_json::to_string(&spec).map_err(refused)?))
    }
}

/// Stores a new run, or continues the one with this number.
pub fn kept(path: &Path, run: Option<i64>, spec: &RunSpec, cancel: Cancel) -> Result<KeptRun, StoreError> {
    let (spec, settings) = (RunSpec { threads: None, ..spec.clone() }, RecorderSettings::new(spec.checkpoint, cancel));
    // Whoever asks for a run to be kept wants a short one, too.
    let settings = RecorderSettings { min_duration: Duration::ZERO, ..settings };
    let mut store = nestling_store::Store::open(path)?;
    match run {
        Some(run) => {
            let lease = store.take(run)?;
            KeptRun::go_on(store, lease, &spec, settings)
        }
        None => {
            store.check()?;
            Ok(KeptRun::begin(store, spec, settings))
        }
    }
}
