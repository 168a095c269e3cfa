//! What all requests share.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use nestling_registry::{Instance, Registry};
use nestling_store::{Store, StoreError};
use tokio::sync::{Semaphore, watch};

use crate::guard::Guard;
use crate::jobs::Jobs;
use crate::limits;
use crate::refusal::{Answer, Refusal};
use crate::server::Report;

pub(crate) struct App {
    pub registry: Registry,
    pub jobs: Jobs,
    pub guard: Guard,
    pub report: Option<Report>,
    /// Becomes true when the server stops.
    pub stopping: watch::Receiver<bool>,
    pub streams: Arc<Semaphore>,
    pub hints: Semaphore,
    /// Requests that keep a processor busy take turns, so that those that do not are answered meanwhile.
    turns: Semaphore,
    /// The connection that requests look things up through; SQLite is quick, so that they can wait for each other.
    store: Mutex<Store>,
    path: PathBuf,
}

impl App {
    pub fn new(
        registry: Registry,
        store: Store,
        guard: Guard,
        report: Option<Report>,
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
            turns: Semaphore::new(2),
            path: store.path().to_path_buf(),
            store: Mutex::new(store),
        }
    }

    pub fn open(&self, problem: &str) -> Answer<Box<dyn Instance>> {
        Ok(self.registry.open(problem)?)
    }

    /// A connection of one's own.
    pub fn connect(&self) -> Result<Store, StoreError> {
        Store::open(&self.path)
    }

    /// Looks something up, away from the threads that answer requests.
    pub async fn look<T: Send + 'static>(
        self: &Arc<Self>,
        look: impl FnOnce(&App, &mut Store) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let app = Arc::clone(self);
        away(move || look(&app, &mut app.store.lock().unwrap_or_else(PoisonError::into_inner))).await
    }

    /// Does something that takes a processor for a while, when it is its turn.
    pub async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&App) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let _turn = self.turns.acquire().await;
        let app = Arc::clone(self);
        away(move || work(&app)).await
    }
}

/// Calls a function on a thread where it may take its time. One that panics has found a defect of ours, which must not take the
/// server with it.
pub(crate) async fn away<T: Send + 'static>(work: impl FnOnce() -> Answer<T> + Send + 'static) -> Answer<T> {
    let defect = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "something went wrong here; please report this");
    tokio::task::spawn_blocking(work).await.map_err(defect)?
}
