//! A store of the version before is read, resumed and finished, with the results of uninterrupted runs.
//!
//! That version wrote `before/runs.db`, each run being stopped in the middle but for the last, and with `--no-store`
//! `before/ends.jsonl`:
//!
//! ```text
//! nestling solve left-move:100 -s 'repeat(nrpa(1, iterations=40))' --playouts 40000 --seed 1 --checkpoint 50ms
//! nestling solve samegame:seed=1,size=6x6 -s 'nrpa(2, iterations=250)' --seed 1 --checkpoint 50ms
//! nestling solve left-move:100 -s 'repeat(100, nrpa(1, iterations=40))' --runs 8 --seed 7 --checkpoint 50ms
//! nestling solve tsptw:places=20,seed=1 -s 'nrpa(2, iterations=120)' --seed 1 --checkpoint 20ms
//! ```

use std::path::Path;

use crate::common::contents::Contents;
use crate::common::{eager, folder};
use nestling::Outcome;
use nestling_registry::{Controls, Registry};
use nestling_store::{More, Recorder, ResumeError, State, Store};
use serde_json::Value;

/// The results of the previous version without an interruption, by run and number.
fn ends() -> Vec<(i64, u64, Value)> {
    let lines = include_str!("before/ends.jsonl").lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|end| (end["run"].as_i64().unwrap(), end["number"].as_u64().unwrap(), end)).collect()
}

fn assert_end(outcome: &Outcome, end: &Value) {
    assert_eq!(outcome.score(), end["score"].as_f64(), "{end}");
    let counts = (outcome.counts.playouts, outcome.counts.moves);
    assert_eq!(counts, (end["playouts"].as_u64().unwrap(), end["playout_moves"].as_u64().unwrap()), "{end}");
    let game = outcome.game().unwrap();
    // In a batch only the best keep their moves.
    assert!(game.is_bare() || end["moves"] == game.texts().join(" "), "{end}: {game:?}");
}

/// Goes on with a run until it is done.
fn finish(path: &Path, run: i64) {
    let (registry, mut store) = (Registry::standard(), Store::open(path).unwrap());
    let asked = store.resumable(&store.run(run).unwrap(), More::default()).unwrap();
    let (runs, seed) = (asked.runs, asked.seed.unwrap());
    let problem = registry.open(&asked.problem).unwrap();
    let ready = registry.decide(problem.into(), asked).unwrap();
    let done: Vec<u64> = store.outcomes(run).unwrap().iter().map(|finished| finished.number).collect();
    let mut left: Vec<_> = (0..runs).filter(|number| !done.contains(number)).map(|number| (number, None)).collect();
    for (number, taken) in &mut left {
        *taken = store.checkpoint(run, *number).unwrap();
    }
    assert!(left.iter().any(|(_, taken)| taken.is_some()), "run {run} was stopped in the middle");
    let lease = store.take(run).unwrap();
    let recorder = Recorder::go_on(store, lease, eager()).unwrap();
    for (number, taken) in left {
        let ready = if runs > 1 { ready.number(number, 2) } else { ready.with(seed, 2) };
        let spent = taken.as_ref().map_or(0, |taken| taken.spent.work.playouts);
        let outcome = recorder.solve(&ready, number, taken, Controls::default()).unwrap();
        assert!(outcome.counts.playouts > spent, "run {run} had something left to do");
        let (.., end) = ends().into_iter().find(|end| (end.0, end.1) == (run, number)).unwrap();
        assert_end(&outcome, &end);
        assert!(!outcome.game().unwrap().is_bare());
    }
    recorder.finish(true).unwrap();
}

#[test]
fn runs_of_the_version_before_come_to_their_ends() {
    let (_kept, path) = folder();
    std::fs::write(&path, include_bytes!("before/runs.db")).unwrap();
    let before = Contents::read(&path).unwrap().unwrap();
    let states: Vec<(i64, &State, u64)> =
        before.runs.values().map(|run| (run.info.id, &run.info.state, run.info.finished)).collect();
    let interrupted = &State::Interrupted;
    assert_eq!(states, [(1, interrupted, 0), (2, interrupted, 0), (3, interrupted, 4), (4, &State::Done, 1)]);
    for run in 1..=3 {
        finish(&path, run);
    }
    let store = Store::look(&path).unwrap().unwrap();
    store.check().unwrap();
    for (run, number, end) in ends() {
        let outcomes = store.outcomes(run).unwrap();
        let finished = outcomes.iter().find(|finished| finished.number == number).unwrap();
        assert_end(&finished.outcome, &end);
    }
    for run in before.runs.values() {
        let (was, now) = (&run.info, store.run(run.info.id).unwrap());
        assert_eq!((now.state, &now.spec, &now.version), (State::Done, &was.spec, &was.version));
        assert_eq!(store.improvements(was.id).unwrap()[..run.steps.len()], run.steps);
    }
    assert_eq!(store.run(1).unwrap().best, Some(80.0), "better than before it was stopped");
    assert!(matches!(store.resumable(&store.run(1).unwrap(), More::default()), Err(ResumeError::PlayoutsSpent(1))));
    assert!(matches!(store.resumable(&store.run(4).unwrap(), More::default()), Err(ResumeError::AtItsEnd(4))));
}
