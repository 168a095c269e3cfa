//! The JSON output about a store: the command line and the app write the same objects.

use nestling_registry::json::score;
use serde_json::{Value, json};

use crate::run::{Finished, RunInfo, State, StoredImprovement};

/// A run, summed up.
pub fn run(run: &RunInfo) -> Value {
    let spec = &run.spec;
    let (state, process) = match &run.state {
        State::Running { process, .. } => ("running", Some(*process)),
        State::Interrupted => ("interrupted", None),
        State::Done => ("done", None),
    };
    json!({
        "id": run.id,
        "problem": spec.problem,
        "search": spec.search,
        "seed": spec.seed,
        "device": spec.device,
        "runs": spec.runs,
        "from": spec.from,
        "budget": {
            "seconds": spec.time.map(|time| time.as_secs_f64()),
            "playouts": spec.playouts,
            "target": spec.target.map(score),
        },
        "state": state,
        "process": process,
        "best": run.best.map(score),
        "finished": run.finished,
        "seconds": run.reached.time.as_secs_f64(),
        "playouts": run.reached.work.playouts,
        "work": { "seconds": run.spent.time.as_secs_f64(), "playouts": run.spent.work.playouts },
        "started": run.started.to_string(),
        "worked": run.worked.to_string(),
        "version": run.version,
        "machine": run.machine,
    })
}

/// An improvement.
pub fn step(step: &StoredImprovement) -> Value {
    json!({
        "run": step.number,
        "score": score(step.score),
        "playouts": step.playouts,
        "seconds": step.time.as_secs_f64(),
        "found": step.found.to_string(),
        "moves": step.moves,
    })
}

/// The result of one number of a run.
pub fn outcome(finished: &Finished) -> Value {
    let outcome = &finished.outcome;
    json!({
        "run": finished.number,
        "score": outcome.score().map(score),
        "moves": outcome.texts(),
        "complete": outcome.game().is_some(),
        "proven": outcome.proven,
        "stop": outcome.stop.word(),
        "playouts": outcome.played().playouts,
        "seconds": outcome.elapsed.as_secs_f64(),
        "finished": finished.finished.to_string(),
    })
}
