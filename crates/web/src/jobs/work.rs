//! The thread of a search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use nestling::{Cancel, Event, Outcome};
use nestling_registry::{Controls, Ready};
use nestling_store::{Lease, Recorder, RecorderSettings, Store, json};
use serde_json::json;

use super::{live::Live, lock};
use crate::app::App;

pub(super) struct Work {
    pub app: Arc<App>,
    pub ready: Ready,
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
        // A panic is a defect of the problem or of Nestling; the run stays at its last checkpoint.
        let ended = catch_unwind(AssertUnwindSafe(|| self.search(store)));
        let failure = match ended {
            Ok(Ok(())) => None,
            Ok(Err(reason)) => Some(reason),
            Err(_) => Some("the search broke down; please report this".to_owned()),
        };
        let jobs = &self.app.jobs;
        if let Some(reason) = failure {
            jobs.tell(&json!({ "event": "failed", "id": run, "error": reason }));
        }
        let described = self.app.connect().and_then(|store| store.run(run)).map(|info| {
            let mut object = self.app.explained(&info.spec.problem, json::run(&info));
            object["event"] = json!("run");
            object["here"] = json!(false);
            object
        });
        // Everything is written, so the run may have been resumed already: that search is in the list now, and sends its own events.
        let mut going = jobs.going();
        if going.get(&run).is_some_and(|job| Arc::ptr_eq(&job.live, &self.live)) {
            going.remove(&run);
            described.iter().for_each(|object| jobs.tell(object));
        }
    }

    fn search(&self, store: Store) -> Result<(), String> {
        let run = self.lease.run();
        let failed = |error: nestling_store::StoreError| error.to_string();
        let info = store.run(run).map_err(failed)?;
        let left = store.checkpoint(run, 0).map_err(failed)?;
        let settings = RecorderSettings::new(info.spec.checkpoint, self.cancel.clone());
        let recorder = Recorder::go_on(store, self.lease, settings).map_err(failed)?;
        let listener = &mut |event: &Event| self.hear(event);
        let (cancel, scores) = (self.cancel.clone(), Some(lock(&self.live).scores.clone()));
        let controls = Controls { cancel, scores, listener: Some(listener), ..Controls::default() };
        let ready = self.ready.with(self.ready.seed(), threads());
        let outcome = recorder.solve(&ready, 0, left, controls);
        let done = match &outcome {
            Ok(outcome) => !outcome.stop.is_interruption() || self.for_good.load(Ordering::Relaxed),
            Err(_) => false,
        };
        recorder.finish(done).map_err(failed)?;
        self.tell_result(&outcome.map_err(|error| error.to_string())?);
        Ok(())
    }

    fn hear(&self, event: &Event) {
        let news = match event {
            Event::Improvement(improvement) => lock(&self.live).improve(improvement, self.ready.problem()),
            Event::Progress { elapsed, playouts, .. } => lock(&self.live).progress(*elapsed, *playouts),
            Event::JournalFailed(reason) | Event::Failed(reason) | Event::Trouble(reason) => {
                Some(json!({ "event": "trouble", "id": self.lease.run(), "error": reason }))
            }
            _ => None,
        };
        if let Some(news) = news {
            self.app.jobs.tell(&self.app.explained(self.ready.problem().name(), news));
        }
    }

    fn tell_result(&self, outcome: &Outcome) {
        let mut object = nestling_registry::json::result(None, self.ready.problem(), self.ready.spec(), outcome);
        object["id"] = json!(self.lease.run());
        self.app.jobs.tell(&object);
    }
}

/// How many threads a search has: all cores where threads can have a lower priority than requests, otherwise all but one.
pub(crate) fn threads() -> usize {
    let cores = nestling_registry::all_threads();
    if cfg!(target_os = "linux") { cores } else { (cores - 1).max(1) }
}

/// Lets everything else go before this thread and those it will start.
fn lower_priority() {
    // Linux counts threads here, not processes. If it refuses, the search is only less polite.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(10);
}

/// Calls a function on a new thread of low priority: a priority cannot be raised again.
pub(crate) fn at_low_priority<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let working = scope.spawn(|| {
            lower_priority();
            work()
        });
        working.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
