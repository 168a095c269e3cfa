//! What programs are told of a store, as JSON: the same objects from the command line and from the app.

use nestling_registry::json::score;
use nestling_registry::{Instance, Published};
use serde_json::{Value, json};

use crate::read::{Outcome, RunInfo, State, Step};

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
pub fn step(step: &Step) -> Value {
    json!({
        "run": step.number,
        "score": score(step.score),
        "playouts": step.playouts,
        "seconds": step.time.as_secs_f64(),
        "found": step.found.to_string(),
        "moves": step.moves,
    })
}

/// What one number of a run came to.
pub fn outcome(outcome: &Outcome) -> Value {
    let solved = &outcome.solved;
    json!({
        "run": outcome.number,
        "score": solved.scored().map(score),
        "moves": solved.moves,
        "proven": solved.proven,
        "stop": solved.stop.word(),
        "playouts": solved.counts.playouts,
        "seconds": solved.elapsed.as_secs_f64(),
        "finished": outcome.finished.to_string(),
    })
}

/// A game worth remembering: published, or found here (`own`).
pub fn record(problem: &dyn Instance, game: &Published, own: bool) -> Value {
    let record = problem.record();
    let equal = record.as_ref().filter(|record| record.score == game.score);
    json!({
        "name": game.id,
        "title": game.name,
        "problem": problem.name(),
        "score": score(game.score),
        "own": own,
        "author": game.provenance.author,
        "search": game.provenance.search,
        "seed": game.provenance.seed,
        "date": if own { &game.provenance.date } else { &game.date },
        "source": game.provenance.source,
        "record": equal.is_some(),
        "proven": equal.is_some_and(|record| record.proven),
        "bound": record.as_ref().and_then(|record| record.bound.as_ref()).map(|(bound, _)| score(*bound)),
        "moves": game.moves,
    })
}
