//! The JSON output for programs: the command line and the app write the same objects.

use std::time::Duration;

use nestling::duel::{MatchCounts, Standing, Strategy};
use nestling::{Find, Improvement, Outcome, Player, Stop};
use serde_json::{Value, json};

use crate::instance::Instance;
use crate::replay::VerifiedGame;
use crate::run::RunSpec;
use crate::table::{MatchOrder, Opinion};
use nestling_presentation::{Meaning, OpponentLevel, Published};

/// A score as JSON: whole numbers without a decimal point.
///
/// ```
/// assert_eq!(nestling_registry::json::score(82.0).to_string(), "82");
/// ```
pub fn score(score: f64) -> Value {
    if score.fract() == 0.0 && score.abs() < 9e15 { json!(score as i64) } else { json!(score) }
}

/// The meaning of a score, as JSON: the words, whether the problem is solved, and the parts of the score.
///
/// ```
/// use nestling_registry::{Registry, json};
/// let meaning = Registry::standard().meaning("tsptw", 3_000_170.7107, false);
/// let wanted = r#"{"words":"3 windows missed, length 170.71","solved":false,"windows_missed":3,"length":170.7107}"#;
/// assert_eq!(json::meaning(&meaning.unwrap()).to_string(), wanted);
/// ```
pub fn meaning(meaning: &Meaning) -> Value {
    let mut object = json!({ "words": meaning.words, "solved": meaning.solved });
    for &(name, part) in &meaning.parts {
        object[name] = score(part);
    }
    object
}

/// Adds the meaning of every score in an object: `meaning` beside `score` or `best`, also in its `improvements` and `results`.
/// Nothing is added where the number says enough.
pub fn with_meaning(mut object: Value, of: &dyn Fn(f64, bool) -> Option<Meaning>) -> Value {
    let proven = object["proven"] == json!(true);
    let number = [&object["score"], &object["best"]].into_iter().find_map(Value::as_f64);
    // An estimate is an average of scores; it has no meaning in terms of one game.
    let is_estimate = object["complete"] == json!(false) && object.get("proven").is_some();
    let number = number.filter(|_| !is_estimate);
    if let Some(found) = number.and_then(|number| of(number, proven)) {
        object["meaning"] = meaning(&found);
    }
    for list in ["improvements", "results"] {
        for entry in object.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            if entry.is_object() {
                *entry = with_meaning(entry.take(), of);
            }
        }
    }
    object
}

/// A legal game, the file it was read from, and the published record it equals.
pub fn verdict(
    file: Option<&str>,
    verdict: &VerifiedGame,
    problem: &dyn Instance,
    record: Option<&Published>,
) -> Value {
    let mut object = json!({
        "file": file,
        "legal": true,
        "problem": verdict.problem,
        "score": score(verdict.game.score()),
        "complete": verdict.game.is_over(),
        "format": verdict.format,
        "record": record.map(|game| &game.id),
    });
    if !verdict.notes.is_empty() {
        object["notes"] = json!(verdict.notes);
    }
    with_meaning(object, &|score, proven| problem.meaning(score, proven))
}

/// A notable game: published, or found here (`own`).
pub fn record(problem: &dyn Instance, game: &Published, own: bool) -> Value {
    let record = problem.record();
    let equal = record.as_ref().filter(|record| record.score == game.score);
    let object = json!({
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
    });
    with_meaning(object, &|score, _| problem.meaning(score, false))
}

/// A better game, of number `run` where there are several.
pub fn improvement(run: Option<u64>, problem: &dyn Instance, improvement: &Improvement) -> Value {
    let mut object = json!({
        "event": "improvement",
        "score": score(improvement.score()),
        "moves": improvement.texts(),
        "playouts": improvement.playouts,
        "seconds": improvement.elapsed.as_secs_f64(),
    });
    put_run(&mut object, run);
    with_meaning(object, &|score, proven| problem.meaning(score, proven))
}

/// A game that is kept, even if it is not the best.
pub fn find_event(problem: &dyn Instance, find: &Find) -> Value {
    let mut object = improvement(None, problem, &find.found);
    object["event"] = json!("find");
    object["search"] = json!(find.search);
    object
}

/// The result of a run, with its number `run` if there are several.
pub fn result(run: Option<u64>, problem: &dyn Instance, spec: &RunSpec, outcome: &Outcome) -> Value {
    let played = outcome.played();
    let seen = outcome.best_seen.as_ref().map(nestling::Certified::score);
    let mut object = json!({
        "event": "result",
        "problem": problem.name(),
        "search": spec.expression(),
        "seed": spec.seed,
        "device": spec.device,
        "from": spec.from.len(),
        "budget": {
            "seconds": spec.time.map(|time| time.as_secs_f64()),
            "playouts": spec.playouts,
            "target": spec.target.map(score),
        },
        "score": outcome.score().map(score),
        "moves": outcome.texts(),
        "complete": outcome.game().is_some(),
        "best_seen": seen.or(outcome.score()).map(score),
        "proven": outcome.proven,
        "stop": outcome.stop.word(),
        "playouts": played.playouts,
        "playout_moves": played.moves,
        "seconds": outcome.elapsed.as_secs_f64(),
        "recipe": spec.again(outcome),
        "version": env!("CARGO_PKG_VERSION"),
    });
    put_run(&mut object, run);
    with_meaning(object, &|score, proven| problem.meaning(score, proven))
}

/// The result of a match.
pub fn standing(problem: &str, order: &MatchOrder, standing: &Standing, elapsed: Duration) -> Value {
    let seat =
        |MatchCounts { wins, draws, losses }: MatchCounts| json!({ "wins": wins, "draws": draws, "losses": losses });
    let (total, (low, high)) = (standing.total(), standing.interval());
    let is_finished = total.games() == order.games;
    json!({
        "event": "result",
        "problem": problem,
        "players": order.strategies.each_ref().map(Strategy::to_string),
        "games": total.games(),
        "games_wanted": order.games,
        "seed": order.seed,
        "opening": order.opening,
        "wins": total.wins,
        "draws": total.draws,
        "losses": total.losses,
        "going_first": seat(standing.as_first),
        "going_second": seat(standing.as_second),
        "score": standing.score(),
        "confidence": [low, high],
        "finished": is_finished,
        "stop": (if is_finished { Stop::Finished } else { Stop::Cancelled }).word(),
        "seconds": elapsed.as_secs_f64(),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// A strength that people can choose.
pub fn level(level: &OpponentLevel) -> Value {
    json!({ "name": level.name, "strategy": level.strategy.to_string(), "about": level.about })
}

/// The assessment of a move. The number of moves to the end counts the move itself.
pub fn opinion(opinion: &Opinion, player: Player) -> Value {
    let verdict = opinion.proof.map(|solved| match solved.ending.seen_by(player) {
        nestling::PlayerResult::Win => "win",
        nestling::PlayerResult::Draw => "draw",
        nestling::PlayerResult::Loss => "loss",
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
