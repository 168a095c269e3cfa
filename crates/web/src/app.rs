//! The state that all requests share.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use nestling::Cancel;
use nestling_registry::json::with_meaning;
use nestling_registry::{Instance, Registry};
use nestling_store::{Store, StoreError};
use serde_json::Value;
use tokio::sync::{Semaphore, watch};

use crate::guard::Guard;
use crate::jobs::Jobs;
use crate::limits;
use crate::refusal::{Answer, Refusal};
use crate::server::LabReport;

pub(crate) struct App {
    pub registry: Registry,
    pub jobs: Jobs,
    pub guard: Guard,
    pub report: Option<LabReport>,
    /// Becomes true when the server stops.
    pub stopping: watch::Receiver<bool>,
    pub streams: Arc<Semaphore>,
    pub hints: Semaphore,
    /// Requests that keep a processor busy take turns, so that those that do not are answered meanwhile.
    turns: Arc<Semaphore>,
    /// The connection that requests look things up through; SQLite is quick, so that they can wait for each other.
    store: Mutex<Store>,
    path: PathBuf,
}

impl App {
    pub fn new(
        registry: Registry,
        store: Store,
        guard: Guard,
        report: Option<LabReport>,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        App {
            registry: registry.without_files(),
            jobs: Jobs::default(),
            guard,
            report,
            stopping,
            streams: Arc::new(Semaphore::new(limits::STREAMS)),
            hints: Semaphore::new(limits::HINTS),
            turns: Arc::new(Semaphore::new(2)),
            path: store.path().to_path_buf(),
            store: Mutex::new(store),
        }
    }

    pub fn open(&self, problem: &str) -> Answer<Box<dyn Instance>> {
        Ok(self.registry.open(problem)?)
    }

    /// The same object with what its scores mean, where the numbers of its problem say little.
    pub fn explained(&self, problem: &str, object: Value) -> Value {
        with_meaning(object, &|score, proven| self.registry.meaning(problem, score, proven))
    }

    /// A connection of one's own.
    pub fn connect(&self) -> Result<Store, StoreError> {
        Store::open(&self.path)
    }

    /// Runs a lookup on a blocking thread, so that it does not delay the threads that answer requests.
    pub async fn look<T: Send + 'static>(
        self: &Arc<Self>,
        look: impl FnOnce(&App, &mut Store) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let app = Arc::clone(self);
        spawn_blocking(move || look(&app, &mut app.store.lock().unwrap_or_else(PoisonError::into_inner))).await
    }

    /// Does something that takes a processor for a while, when it is its turn. The turn lasts as long as the work, even if the client
    /// that asked for it is gone.
    pub async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&App) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        let app = Arc::clone(self);
        spawn_blocking(move || {
            let _turn = turn;
            work(&app)
        })
        .await
    }
}

/// Work that is cancelled when this is dropped.
#[derive(Default)]
pub(crate) struct CancelOnDrop(Cancel);

impl CancelOnDrop {
    /// The switch that this presses.
    pub fn cancel(&self) -> Cancel {
        self.0.clone()
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Calls a function on a thread where it may take its time. One that panics has found a defect of ours, which must not take the
/// server with it.
pub(crate) async fn spawn_blocking<T: Send + 'static>(work: impl FnOnce() -> Answer<T> + Send + 'static) -> Answer<T> {
    let defect = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "something went wrong here; please report this");
    tokio::task::spawn_blocking(work).await.map_err(defect)?
}
