//! What programs are told, as JSON: the same objects from the command line and from the app.

use nestling::{Improvement, Player};
use serde_json::{Value, json};

use crate::exhibit::{Published, Verdict};
use crate::instance::{Order, Solved};
use crate::table::{Level, Opinion};

/// A score as JSON: whole numbers without a decimal point.
///
/// ```
/// assert_eq!(nestling_registry::json::score(82.0).to_string(), "82");
/// ```
pub fn score(score: f64) -> Value {
    if score.fract() == 0.0 && score.abs() < 9e15 { json!(score as i64) } else { json!(score) }
}

/// A legal game, the file it was read from, and the published record it equals.
pub fn verdict(file: Option<&str>, verdict: &Verdict, record: Option<&Published>) -> Value {
    let mut object = json!({
        "file": file,
        "legal": true,
        "problem": verdict.problem,
        "score": score(verdict.certificate.score),
        "complete": verdict.certificate.terminal,
        "format": verdict.format,
        "record": record.map(|game| &game.id),
    });
    if !verdict.notes.is_empty() {
        object["notes"] = json!(verdict.notes);
    }
    object
}

/// A better game, of number `run` where there are several.
pub fn improvement(run: Option<u64>, improvement: &Improvement) -> Value {
    let mut object = json!({
        "event": "improvement",
        "score": score(improvement.score),
        "moves": improvement.moves,
        "playouts": improvement.playouts,
        "seconds": improvement.elapsed.as_secs_f64(),
    });
    put_run(&mut object, run);
    object
}

/// What a run came to, number `run` where there are several.
pub fn result(run: Option<u64>, problem: &str, order: &Order, solved: &Solved) -> Value {
    let recipe = solved.recipe.as_ref().map(|recipe| {
        json!({ "search": recipe.search, "seed": recipe.seed, "from": recipe.from, "playouts": recipe.playouts })
    });
    let mut object = json!({
        "event": "result",
        "problem": problem,
        "search": order.search.to_string(),
        "seed": order.seed,
        "device": order.device,
        "from": order.from.len(),
        "budget": {
            "seconds": order.time.map(|(time, _)| time.as_secs_f64()),
            "playouts": order.playouts,
            "target": order.target.map(score),
        },
        "score": solved.scored().map(score),
        "moves": solved.moves,
        "complete": solved.complete,
        "best_seen": solved.best_seen.or(solved.scored()).map(score),
        "proven": solved.proven,
        "stop": solved.stop.word(),
        "playouts": solved.counts.playouts,
        "playout_moves": solved.counts.moves,
        "seconds": solved.elapsed.as_secs_f64(),
        "recipe": recipe,
        "version": env!("CARGO_PKG_VERSION"),
    });
    put_run(&mut object, run);
    object
}

/// A strength that people can choose.
pub fn level(level: &Level) -> Value {
    json!({ "name": level.name, "strategy": level.strategy.to_string(), "about": level.about })
}

/// What is thought of a move of a player. The number of moves to the end counts the move itself.
pub fn opinion(opinion: &Opinion, player: Player) -> Value {
    let verdict = opinion.proof.map(|solved| match solved.ending.seen_by(player) {
        nestling::Verdict::Win => "win",
        nestling::Verdict::Draw => "draw",
        nestling::Verdict::Loss => "loss",
    });
    json!({
        "move": opinion.played,
        "visits": opinion.visits,
        "value": opinion.value,
        "verdict": verdict,
        "in": opinion.proof.filter(|_| verdict != Some("draw")).map(|solved| solved.moves + 1),
    })
}

fn put_run(object: &mut Value, run: Option<u64>) {
    if let Some(run) = run {
        object["run"] = json!(run);
    }
}
