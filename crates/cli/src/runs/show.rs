//! `nestling runs show`.

use anyhow::Result;
use nestling_registry::Registry;
use nestling_store::{RunInfo, Store, StoredImprovement};
use serde_json::json;

use super::{ago, figure, progress, state, with_meaning};
use crate::distribution::Distribution;
use crate::failure::Exit;
use crate::{json, text};

pub(super) fn show(store: &Store, id: i64, as_json: bool, registry: &Registry) -> Result<Exit> {
    let run = store.run(id)?;
    let (steps, outcomes) = (store.improvements(id)?, store.outcomes(id)?);
    let scored = || outcomes.iter().filter_map(|finished| Some((finished.number, finished.outcome.score()?)));
    if as_json {
        let mut object = nestling_store::json::run(&run);
        object["improvements"] = steps.iter().map(nestling_store::json::step).collect();
        object["results"] = scored().map(|(number, score)| json!([number, json::score(score)])).collect();
        json::print(&with_meaning(object, &run, registry))?;
        return Ok(Exit::Done);
    }
    let best = steps.last().map(|step| step.moves.clone());
    if let (Some(moves), Ok(problem)) = (&best, registry.open(&run.spec.problem)) {
        text::print(&problem.draw(&problem.certify(moves)?, text::canvas())?)?;
        text::print("\n")?;
    }
    text::print(&head(&run, registry))?;
    text::print(&legs(store, &run)?)?;
    if !steps.is_empty() {
        let row = |step: &StoredImprovement| {
            let score = figure(&run, step.score, registry);
            [text::measured(step.time), text::count(step.playouts), score, step.found.to_string()]
        };
        let rows = text::table(["after", "playouts", "score", "found"], steps.iter().map(row));
        text::print(&format!("\n{rows}"))?;
    }
    let scores: Vec<f64> = scored().map(|(_, score)| score).collect();
    let meaning = &|score: f64| registry.meaning(&run.spec.problem, score, false);
    if let Some(scores) = Distribution::new(scores).filter(|_| run.spec.runs > 1) {
        text::print(&scores.text(run.spec.runs, run.spec.seed.unwrap_or_default(), meaning))?;
    }
    Ok(Exit::Done)
}

fn head(run: &RunInfo, registry: &Registry) -> String {
    let spec = &run.spec;
    let from = match spec.from.len() {
        0 => String::new(),
        moves => format!(", from move {moves} of {}", spec.from_file.as_deref().unwrap_or("a game")),
    };
    let device = if spec.device.is_cpu() { String::new() } else { format!(" with {}", spec.device) };
    let target = spec.target.map_or(String::new(), |target| format!(", target {target}"));
    let best = run.best.map_or("nothing yet".to_owned(), |best| figure(run, best, registry));
    format!(
        "run {}: {} on {}{device}, seed {}{from}{target}\nbest: {best}\nprogress: {}; {}\nbegun: {} ({}), version {}, on {}\n",
        run.id,
        spec.expression(),
        spec.problem,
        spec.seed.unwrap_or_default(),
        progress(run),
        state(run),
        run.started,
        ago(run.started),
        run.version,
        run.machine,
    )
}

/// How often it was interrupted, and what all processes played.
fn legs(store: &Store, run: &RunInfo) -> Result<String> {
    let legs = store.legs(run.id)?;
    let played = text::plural(run.spent.work.playouts, "playout");
    let processes = match legs.len() {
        1 => "1 process".to_owned(),
        several => format!("{several} processes"),
    };
    Ok(format!("worked on by {processes}: {played} in {}\n", text::measured(run.spent.time)))
}
