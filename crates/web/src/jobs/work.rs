//! The thread of a search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use nestling::{Cancel, Event};
use nestling_registry::{Instance, Order, Solved};
use nestling_store::{Lease, Recorder, RunInfo, Settings, Store, json};
use serde_json::json;

use super::{live::Live, lock};
use crate::app::App;

pub(super) struct Work {
    pub app: Arc<App>,
    pub problem: Box<dyn Instance>,
    pub lease: Lease,
    pub live: Arc<Mutex<Live>>,
    pub cancel: Cancel,
    pub for_good: Arc<AtomicBool>,
}

impl Work {
    /// Searches to the end, keeps everything, and says how it ended.
    pub fn run(self, store: Store) {
        lower_priority();
        let run = self.lease.run();
        // A panic is a defect of the problem or of ours; the run stays as its last checkpoint has it.
        let ended = catch_unwind(AssertUnwindSafe(|| self.search(store)));
        let failure = match ended {
            Ok(Ok(())) => None,
            Ok(Err(reason)) => Some(reason),
            Err(_) => Some("the search broke down; please report this".to_owned()),
        };
        let jobs = &self.app.jobs;
        jobs.going().remove(&run);
        if let Some(reason) = failure {
            jobs.tell(&json!({ "event": "failed", "id": run, "error": reason }));
        }
        if let Ok(info) = self.app.connect().and_then(|store| store.run(run)) {
            let mut object = json::run(&info);
            object["event"] = json!("run");
            object["here"] = json!(false);
            jobs.tell(&object);
        }
    }

    fn search(&self, store: Store) -> Result<(), String> {
        let run = self.lease.run();
        let failed = |error: nestling_store::StoreError| error.to_string();
        let info = store.run(run).map_err(failed)?;
        let left = store.checkpoint(run, 0).map_err(failed)?;
        let order = self.order(&info)?;
        let settings = Settings::new(info.spec.checkpoint, self.cancel.clone());
        let recorder = Recorder::go_on(store, self.lease, settings).map_err(failed)?;
        let listener = &mut |event: &Event| self.hear(event);
        let solved = recorder.solve(self.problem.as_ref(), 0, &order, left, info.spec.checkpoint, listener);
        let done = match &solved {
            Ok(solved) => !solved.stop.is_interruption() || self.for_good.load(Ordering::Relaxed),
            Err(_) => false,
        };
        recorder.finish(done).map_err(failed)?;
        let solved = solved.map_err(|error| error.to_string())?;
        self.tell_result(&order, &solved);
        Ok(())
    }

    fn order(&self, info: &RunInfo) -> Result<Order, String> {
        let spec = &info.spec;
        let search = spec.search.parse().map_err(|error| format!("the search, {error}"))?;
        Ok(Order {
            seed: spec.seed,
            threads: threads(),
            device: spec.device,
            from: spec.from.clone(),
            time: spec.time.map(|time| (time, Instant::now())),
            playouts: spec.playouts,
            target: spec.target,
            weights: spec.weights().map_err(|(name, error)| format!("the stored weights {name}: {error}"))?,
            cancel: self.cancel.clone(),
            scores: Some(lock(&self.live).scores.clone()),
            ..Order::new(search)
        })
    }

    fn hear(&self, event: &Event) {
        let news = match event {
            Event::Improvement(improvement) => {
                let goal = self.problem.goal();
                lock(&self.live).improve(improvement, |one, other| goal.better(one, other))
            }
            Event::Progress { elapsed, playouts, .. } => lock(&self.live).progress(*elapsed, *playouts),
            Event::JournalFailed(reason) | Event::Failed(reason) => {
                Some(json!({ "event": "trouble", "id": self.lease.run(), "error": reason }))
            }
        };
        if let Some(news) = news {
            self.app.jobs.tell(&news);
        }
    }

    fn tell_result(&self, order: &Order, solved: &Solved) {
        let mut object = nestling_registry::json::result(None, self.problem.name(), order, solved);
        object["id"] = json!(self.lease.run());
        self.app.jobs.tell(&object);
    }
}

/// How many threads a search has: all cores where threads can have a lower priority than requests, otherwise all but one.
pub(crate) fn threads() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cfg!(target_os = "linux") { cores } else { (cores - 1).max(1) }
}

/// Lets everything else go before this thread and those it will start.
fn lower_priority() {
    // Linux counts threads here, not processes. If it refuses, the search is only less polite.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(10);
}

/// Calls a function on a thread of its own that lets everything else go first: priorities cannot be raised again.
pub(crate) fn at_low_priority<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let working = scope.spawn(|| {
            lower_priority();
            work()
        });
        working.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
