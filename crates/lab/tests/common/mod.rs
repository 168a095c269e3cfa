//! What the test files share: small experiments, stores in folders of their own, readings that nobody took.
#![allow(dead_code, reason = "every test file uses its own part of this")]

use std::time::Duration;

use nestling::Cancel;
use nestling_lab::{Done, Experiment, ExperimentResults, Judgement, LabEffort, Runner, judge};
use nestling_registry::{Device, Registry};
use nestling_store::Store;
use tempfile::TempDir;

/// An experiment about a row of left-move, with these claims and whatever else is in `rest`.
pub fn experiment(rest: &str) -> Experiment {
    let text = format!("title = \"A test\"\npaper = \"by hand\"\nsource = [\"a test\"]\n{rest}");
    Experiment::read("test.toml", &text, &Registry::standard()).unwrap()
}

/// Two series, `one` and `other`, of which one has an axis.
pub const SERIES: &str = "
[[series]]
name = \"one\"
problem = \"left-move:60\"
search = \"nested(1)\"

[[series]]
name = \"other\"
problem = \"left-move:60\"
search = \"nested(1, memory=off)\"

[[series]]
name = \"depth\"
problem = \"left-move:{depth}\"
search = \"playout\"
over = { depth = [10, 20, 30, 40] }
";

pub fn store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("runs.db")).unwrap();
    (folder, store)
}

/// Puts readings into a store as if they had been taken.
pub fn fill(store: &mut Store, experiment: &Experiment, series: usize, row: usize, scores: &[f64], seconds: f64) {
    let key = experiment.row(series, row).sizes[0].definition.key();
    fill_key(store, &key, scores, seconds);
}

pub fn fill_key(store: &mut Store, key: &str, scores: &[f64], seconds: f64) {
    let count = scores.len();
    let data = serde_json::json!({
        "score": scores,
        "seconds": vec![seconds; count],
        "playouts": vec![120; count],
        "moves": vec![1000; count],
    });
    assert!(store.add_readings(key, 1, 0, count as u64, &data.to_string()).unwrap());
}

/// The judgements of the first claim.
pub fn judged(store: &Store, experiment: &Experiment) -> Vec<Judgement> {
    judge(experiment, &experiment.claims[0], &ExperimentResults::load(store, experiment).unwrap())
}

/// Runs an experiment with this effort on so many threads.
pub fn run(store: &mut Store, experiment: &Experiment, effort: LabEffort, workers: usize) -> Vec<Done> {
    let registry = Registry::standard();
    let mut runner = Runner {
        registry: &registry,
        store,
        seed: 1,
        workers,
        device: Device::Cpu,
        cluster: None,
        effort,
        cancel: Cancel::new(),
    };
    runner.run(&[experiment], &mut |_| {}).unwrap()
}

pub fn seconds(seconds: u64) -> LabEffort {
    LabEffort::Budget(Duration::from_secs(seconds))
}
