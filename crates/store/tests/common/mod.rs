//! What the test files share: a store in a folder of its own, and a run in it.
#![allow(dead_code, reason = "every test file uses its own part of this")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use nestling::{Cancel, Spent};
use nestling_registry::{Instance, Order, Registry, Solved};
use nestling_store::{Recorder, Settings, Spec, Store};
use tempfile::TempDir;

pub const PROBLEM: &str = "morpion-4d";
pub const SEARCH: &str = "nrpa(2, iterations=30)";

pub fn problem() -> Box<dyn Instance> {
    Registry::standard().open(PROBLEM).unwrap()
}

pub fn spec() -> Spec {
    Spec { seed: 3, checkpoint: Duration::from_millis(1), ..Spec::new(PROBLEM, SEARCH) }
}

pub fn order() -> Order {
    Order { seed: 3, ..Order::new(SEARCH.parse().unwrap()) }
}

pub fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    (folder, path)
}

/// At once, and often.
pub fn eager() -> Settings {
    Settings { moment: Duration::ZERO, pulse: Duration::from_millis(10), cancel: Cancel::new() }
}

/// Makes a run from its start, or from its last checkpoint, with this budget in playouts; keeps it open if it was cut.
pub fn work(path: &Path, run: Option<i64>, playouts: Option<u64>) -> (i64, Solved) {
    let mut store = Store::open(path).unwrap();
    let problem = problem();
    let (recorder, resume) = match run {
        None => (Recorder::begin(store, spec(), eager()), None),
        Some(run) => {
            let lease = store.take(run).unwrap();
            let taken = store.checkpoint(run, 0).unwrap();
            let resume = taken.map(|taken| (taken.bytes, taken.spent));
            (Recorder::go_on(store, lease, eager()).unwrap(), resume)
        }
    };
    let spent = resume.as_ref().map_or(Spent::default(), |(_, spent)| *spent);
    let order = Order { playouts, resume, ..order() };
    let mut journal = recorder.journal(problem.as_ref(), 0, order.seed, spent);
    let solved = problem.solve(&order, &mut |_| {}, Some((&mut journal, Duration::from_millis(1)))).unwrap();
    let done = solved.stop == nestling::Stop::Finished;
    if done {
        journal.outcome(&solved).unwrap();
    }
    let run = recorder.finish(done).unwrap().unwrap();
    (run, solved)
}

/// Every field but times and what was played twice.
pub fn steady(solved: &Solved) -> Solved {
    Solved { elapsed: Duration::ZERO, work: nestling::Counts::default(), learned: None, ..solved.clone() }
}
