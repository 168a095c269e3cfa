//! `nestling runs show`.

use anyhow::Result;
use nestling_registry::Registry;
use nestling_store::{RunInfo, Step, Store};
use serde_json::json;

use super::{ago, progress, state};
use crate::distribution::Distribution;
use crate::failure::Exit;
use crate::{json, text};

pub(super) fn show(store: &Store, id: i64, as_json: bool, registry: &Registry) -> Result<Exit> {
    let run = store.run(id)?;
    let (steps, outcomes) = (store.improvements(id)?, store.outcomes(id)?);
    let scored = || outcomes.iter().filter_map(|outcome| Some((outcome.number, outcome.solved.scored()?)));
    if as_json {
        let mut object = nestling_store::json::run(&run);
        object["improvements"] = steps.iter().map(nestling_store::json::step).collect();
        object["results"] = scored().map(|(number, score)| json!([number, json::score(score)])).collect();
        json::print(&object)?;
        return Ok(Exit::Done);
    }
    let best = steps.last().map(|step| step.moves.clone());
    if let (Some(moves), Ok(problem)) = (&best, registry.open(&run.spec.problem)) {
        text::print(&problem.draw(moves, text::canvas())?)?;
        text::print("\n")?;
    }
    text::print(&head(&run))?;
    text::print(&legs(store, &run)?)?;
    if !steps.is_empty() {
        let row = |step: &Step| {
            [text::measured(step.time), text::count(step.playouts), step.score.to_string(), step.found.to_string()]
        };
        let rows = text::table(["after", "playouts", "score", "found"], steps.iter().map(row));
        text::print(&format!("\n{rows}"))?;
    }
    let scores: Vec<f64> = scored().map(|(_, score)| score).collect();
    if let Some(scores) = Distribution::new(&scores).filter(|_| run.spec.runs > 1) {
        text::print(&scores.text(run.spec.runs, run.spec.seed))?;
    }
    Ok(Exit::Done)
}

fn head(run: &RunInfo) -> String {
    let spec = &run.spec;
    let from = match spec.from.len() {
        0 => String::new(),
        moves => format!(", from move {moves} of {}", spec.from_file.as_deref().unwrap_or("a game")),
    };
    let device = if spec.device.is_cpu() { String::new() } else { format!(" with {}", spec.device) };
    let target = spec.target.map_or(String::new(), |target| format!(", target {target}"));
    let best = run.best.map_or("nothing yet".to_owned(), |best| best.to_string());
    format!(
        "run {}: {} on {}{device}, seed {}{from}{target}\nbest: {best}\nprogress: {}; {}\nbegun: {} ({}), version {}, on {}\n",
        run.id,
        spec.search,
        spec.problem,
        spec.seed,
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
