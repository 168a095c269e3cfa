//! Searches in the background. Every one is a run in the store from its first moment, so that nothing is lost when a page is
//! closed or the server stops; this list has only the searches that are running now.
//!
//! All searches have the same number of threads, at a lower priority than requests: the system then shares the processors
//! fairly among them.

mod live;
mod work;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use nestling::Cancel;
use nestling_registry::Ready;
use nestling_store::{Lease, More, State, Store};
use serde_json::Value;
use tokio::sync::{broadcast, watch};

use crate::app::App;
use crate::limits;
use crate::refusal::{Answer, Refusal};
use live::Live;
pub(crate) use work::{at_low_priority, threads};

/// How much news a stream may be behind before it is told everything anew.
const BACKLOG: usize = 256;

/// The running searches, and their events.
pub(crate) struct Jobs {
    going: Mutex<BTreeMap<i64, Job>>,
    /// One search begins at a time, so that there are not too many. This may wait for the disk or for another process, and must not
    /// keep those waiting who look at the others.
    beginning: Mutex<()>,
    news: broadcast::Sender<Arc<str>>,
}

/// A running search.
struct Job {
    cancel: Cancel,
    /// Set if it must not be resumed.
    for_good: Arc<AtomicBool>,
    live: Arc<Mutex<Live>>,
    /// Becomes true when everything is written.
    over: watch::Receiver<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Default for Jobs {
    fn default() -> Self {
        Jobs { going: Mutex::default(), beginning: Mutex::default(), news: broadcast::channel(BACKLOG).0 }
    }
}

impl Jobs {
    /// The news from now on.
    pub fn listen(&self) -> broadcast::Receiver<Arc<str>> {
        self.news.subscribe()
    }

    /// Tells all pages.
    pub fn tell(&self, event: &Value) {
        // There may be no listeners.
        let _ = self.news.send(event.to_string().into());
    }

    /// The complete state of all running searches.
    pub fn all(&self) -> Vec<Value> {
        self.going().values().map(|job| lock(&job.live).json()).collect()
    }

    fn going(&self) -> MutexGuard<'_, BTreeMap<i64, Job>> {
        lock(&self.going)
    }

    /// The state of a running search.
    pub fn one(&self, run: i64) -> Option<Value> {
        self.going().get(&run).map(|job| lock(&job.live).json())
    }

    /// Stops a search, finally or so that it can be resumed; returns when everything is written.
    pub fn stop(&self, run: i64, for_good: bool) -> Answer<watch::Receiver<bool>> {
        let going = self.going();
        let job = going.get(&run).ok_or_else(|| Refusal::conflict(format!("run {run} is not running here")))?;
        job.for_good.fetch_or(for_good, Ordering::Relaxed);
        job.cancel.cancel();
        Ok(job.over.clone())
    }

    /// Stops all searches so that they can be resumed, and waits until everything is written.
    pub fn stop_all(&self) {
        let mut going = self.going();
        going.values().for_each(|job| job.cancel.cancel());
        let threads: Vec<_> = going.values_mut().filter_map(|job| job.thread.take()).collect();
        // They need the list to leave it.
        drop(going);
        for thread in threads {
            let _ = thread.join();
        }
    }
}

/// Begins a search.
pub(crate) fn begin(app: &Arc<App>, ready: &Ready) -> Answer<Value> {
    let mut store = app.connect()?;
    let _alone = lock(&app.jobs.beginning);
    refuse_more(app)?;
    let run = store.add(ready.spec())?;
    let lease = store.take(run)?;
    start(app, store, lease, ready)
}

/// Goes on with a run.
pub(crate) fn go_on(app: &Arc<App>, run: i64, more: More) -> Answer<Value> {
    let mut store = app.connect()?;
    let info = store.run(run)?;
    if info.spec.runs > 1 {
        return Err(Refusal::conflict(format!("run {run} is a batch; `nestling runs resume {run}` continues it")));
    }
    let problem = app.open(&info.spec.problem)?;
    nestling_api::check_search(info.spec.expression(), &app.registry)?;
    let ready = app.registry.decide(problem.into(), store.resumable(&info, more)?)?;
    let _alone = lock(&app.jobs.beginning);
    refuse_more(app)?;
    let lease = store.take(run)?;
    if *ready.spec() != info.spec || info.state == State::Done {
        store.change(lease, ready.spec())?;
    }
    start(app, store, lease, &ready)
}

fn refuse_more(app: &App) -> Answer<()> {
    let number = app.jobs.going().len();
    if number < limits::SEARCHES {
        return Ok(());
    }
    Err(Refusal::busy(format!("{number} searches are running already; pause or stop one first")))
}

/// Starts the thread of a run that this process has taken.
fn start(app: &Arc<App>, store: Store, lease: Lease, ready: &Ready) -> Answer<Value> {
    let run = lease.run();
    let live = Live::new(&store, run)?;
    let described = app.explained(ready.problem().name(), live.json());
    let live = Arc::new(Mutex::new(live));
    let (cancel, for_good) = (Cancel::new(), Arc::new(AtomicBool::new(false)));
    let (over, is_over) = watch::channel(false);
    let work = work::Work {
        app: Arc::clone(app),
        ready: ready.clone(),
        lease,
        live: Arc::clone(&live),
        cancel: cancel.clone(),
        for_good: Arc::clone(&for_good),
    };
    // Locked before the thread is there, since it leaves the list when it ends.
    let mut going = app.jobs.going();
    let thread = std::thread::Builder::new().name(format!("search {run}")).spawn(move || {
        work.run(store);
        let _ = over.send(true);
    });
    let thread = thread.map_err(|error| Refusal::busy(format!("cannot start a thread: {error}")))?;
    going.insert(run, Job { cancel, for_good, live, over: is_over, thread: Some(thread) });
    drop(going);
    app.jobs.tell(&described);
    Ok(described)
}

/// The data behind a lock stays valid if a thread panicked with it: every change is complete.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
