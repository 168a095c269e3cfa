//! Many runs of one search: on the threads of this process, or on a cluster.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use nestling::{Cancel, Improvement, Outcome};
use nestling_registry::{BatchKeeper, BatchListener, Bundle, Delivery, Device, KeptBatch, Ready, Workers, json};

use crate::guarded;
use crate::job::{Error, Job, Keeping, PythonListener, trouble};
use crate::opened::Opened;
use crate::store::kept;
use crate::tasks::Making;

pub fn run(
    job: &Job,
    tell: &PythonListener<'_>,
    keeping: Option<Keeping>,
    workers: Option<&mut dyn Workers>,
) -> Result<(), Error> {
    let (opened, ready) = (job.opened.get(), &job.ready);
    let kept = match keeping {
        None => None,
        Some(Keeping::File(path)) => {
            return Err(Error(format!(
                "{}: a batch of runs is kept in a store, not in a file of its own",
                path.display()
            )));
        }
        Some(Keeping::Store(path, run)) => Some(kept(&path, run, ready.spec(), tell.cancel.clone())?),
    };
    let (keeper, mut told) = (kept.as_ref().map(|kept| kept as &dyn BatchKeeper), BatchEvents { ready, tell });
    let mut runs = KeptBatch::new(ready, keeper, &mut told);
    match workers {
        Some(workers) => ready.start_batch_on(workers, &mut runs)?,
        None => {
            // The interpreter runs one thread at a time, and one run fills a GPU.
            let is_alone = opened.python.is_some() || ready.spec().device == Device::Cuda;
            let threads = if is_alone { 1 } else { ready.threads().max(1) };
            std::thread::scope(|scope| {
                let mut here = LocalThreads::new(scope, threads, opened);
                ready.start_batch_on(&mut here, &mut runs)
            })?;
        }
    }
    drop(runs);
    if let Some(kept) = kept {
        kept.recorder().finish(!tell.cancel.is_cancelled())?;
    }
    Ok(())
}

/// Tells Python of the runs.
struct BatchEvents<'a> {
    ready: &'a Ready,
    tell: &'a PythonListener<'a>,
}

impl BatchListener for BatchEvents<'_> {
    fn improvement(&mut self, run: u64, improvement: &Improvement) {
        self.tell.tell(&json::improvement(Some(run), self.ready.problem(), improvement));
    }

    fn trouble(&mut self, reason: &str) {
        self.tell.tell(&trouble(reason));
    }

    fn done(&mut self, run: u64, outcome: Outcome) {
        let ready = self.ready.number(run, 1);
        self.tell.tell(&json::result(Some(run), ready.problem(), ready.spec(), &outcome));
    }

    fn is_cancelled(&self) -> bool {
        self.tell.listen();
        self.tell.cancel.is_cancelled()
    }
}

/// The threads of this process as workers.
struct LocalThreads {
    places: usize,
    bundles: Option<Sender<Bundle>>,
    deliveries: Receiver<(u64, Delivery)>,
    stop: Cancel,
}

impl LocalThreads {
    fn new<'s>(scope: &'s std::thread::Scope<'s, '_>, places: usize, opened: &'s Opened) -> Self {
        let ((bundles, waiting), (sender, deliveries)) = (mpsc::channel::<Bundle>(), mpsc::channel());
        let waiting = Arc::new(Mutex::new(waiting));
        let stop = Cancel::new();
        for _ in 0..places {
            let (waiting, sender, stop) = (Arc::clone(&waiting), sender.clone(), stop.clone());
            scope.spawn(move || {
                loop {
                    let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(bundle) = next else { return };
                    make(opened, &bundle, &stop, &sender);
                }
            });
        }
        LocalThreads { places, bundles: Some(bundles), deliveries, stop }
    }
}

/// Makes a bundle, and delivers its reports; the receiver may be gone.
fn make(opened: &Opened, bundle: &Bundle, stop: &Cancel, sender: &Sender<(u64, Delivery)>) {
    let deliver = |delivery| drop(sender.send((bundle.number, delivery)));
    let making = Making {
        opened: opened.python.is_some().then_some(opened),
        stop_after: bundle.stop_after,
        report_every: bundle.report_every,
        cancel: stop.clone(),
        is_unwanted: &|| false,
    };
    let mut post = |report: &[u8]| {
        deliver(Delivery::Report(report.to_vec()));
        Ok(())
    };
    let mut done = |report| deliver(Delivery::Report(report));
    let made = guarded(|| making.make(&bundle.tasks, &mut post, &mut done));
    let made = made.unwrap_or_else(|_| Err("a thread broke down; please report this".to_owned()));
    deliver(made.map_or_else(Delivery::Failed, |()| Delivery::Done));
}

impl Workers for LocalThreads {
    fn places(&mut self) -> Result<usize, String> {
        Ok(self.places)
    }

    fn hand_out(&mut self, bundle: Bundle) -> Result<(), String> {
        let sent = self.bundles.as_ref().is_some_and(|bundles| bundles.send(bundle).is_ok());
        if sent { Ok(()) } else { Err("the threads are gone".to_owned()) }
    }

    fn wait(&mut self, longest: Duration) -> Result<Vec<(u64, Delivery)>, String> {
        match self.deliveries.recv_timeout(longest) {
            Ok(first) => Ok(std::iter::once(first).chain(self.deliveries.try_iter()).collect()),
            Err(RecvTimeoutError::Timeout) => Ok(Vec::new()),
            Err(RecvTimeoutError::Disconnected) => Err("the threads are gone".to_owned()),
        }
    }

    fn withdraw(&mut self, _: u64) {}
}

impl Drop for LocalThreads {
    /// The runs that the threads still make are not needed.
    fn drop(&mut self) {
        self.stop.cancel();
        self.bundles = None;
    }
}
