//! `nestling runs export`: a run as JSON, CSV, a chart or a game.

use std::path::Path;

use anyhow::{Result, ensure};
use nestling::Provenance;
use nestling_chart::{Chart, Histogram, Series};
use nestling_registry::{Picture, Registry};
use nestling_store::{Outcome, RunInfo, Step, Store};
use serde_json::json;

use super::{date, show};
use crate::convert::Destination;
use crate::failure::Exit;
use crate::files::Sink;
use crate::json;

/// All that is known of a run.
struct Whole {
    run: RunInfo,
    steps: Vec<Step>,
    outcomes: Vec<Outcome>,
}

pub(super) fn export(store: &Store, id: i64, file: &Path, improvements: bool, registry: &Registry) -> Result<Exit> {
    let whole = Whole { run: store.run(id)?, steps: store.improvements(id)?, outcomes: store.outcomes(id)? };
    let repeated = whole.run.spec.runs > 1 && !improvements;
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let contents = match ending.as_deref() {
        None | Some("json") => whole.json(),
        Some("csv") if repeated => whole.results()?,
        Some("csv") => whole.improvements()?,
        Some("svg") if repeated => whole.histogram(),
        Some("svg") => whole.chart(registry),
        Some(_) => return whole.game(file, registry),
    };
    Sink::new(file, None)?.write(contents.as_bytes())?;
    Ok(Exit::Done)
}

impl Whole {
    fn json(&self) -> String {
        let mut object = super::json(&self.run);
        object["improvements"] = self.steps.iter().map(show::step).collect();
        object["results"] = self.outcomes.iter().map(result).collect();
        format!("{object:#}\n")
    }

    fn improvements(&self) -> Result<String> {
        let mut table = csv::Writer::from_writer(Vec::new());
        table.write_record(["run", "seconds", "playouts", "score", "found", "moves"])?;
        for step in &self.steps {
            table.write_record([
                step.number.to_string(),
                step.time.as_secs_f64().to_string(),
                step.playouts.to_string(),
                step.score.to_string(),
                date(step.found),
                step.moves.join(" "),
            ])?;
        }
        Ok(String::from_utf8(table.into_inner()?)?)
    }

    fn results(&self) -> Result<String> {
        let mut table = csv::Writer::from_writer(Vec::new());
        table.write_record(["run", "seed", "score", "playouts", "seconds", "stop"])?;
        for Outcome { number, solved, .. } in &self.outcomes {
            table.write_record([
                number.to_string(),
                self.seed(*number).to_string(),
                solved.score.to_string(),
                solved.counts.playouts.to_string(),
                solved.elapsed.as_secs_f64().to_string(),
                solved.stop.word().to_owned(),
            ])?;
        }
        Ok(String::from_utf8(table.into_inner()?)?)
    }

    /// The seed of a run of the batch.
    fn seed(&self, number: u64) -> u64 {
        let seed = nestling::Stream::new(self.run.spec.seed);
        if self.run.spec.runs > 1 { seed.child(number).seed() } else { seed.seed() }
    }

    fn title(&self) -> String {
        format!("{} on {}", self.run.spec.search, self.run.spec.problem)
    }

    fn histogram(&self) -> String {
        let scores: Vec<f64> = self.outcomes.iter().map(|outcome| outcome.solved.score).collect();
        let title = format!("{}: {} of {} runs", self.title(), scores.len(), self.run.spec.runs);
        Histogram::new(&title, "score", &scores).svg()
    }

    fn chart(&self, registry: &Registry) -> String {
        let outcome = self.outcomes.iter().map(|outcome| outcome.solved.elapsed).max();
        let alone = outcome.unwrap_or(self.run.reached.time);
        let end = if self.run.spec.runs > 1 { self.run.spent.time } else { alone }.as_secs_f64();
        let (unit, seconds) = match end {
            end if end < 300.0 => ("seconds", 1.0),
            end if end < 18_000.0 => ("minutes", 60.0),
            _ => ("hours", 3_600.0),
        };
        let points = self.steps.iter().map(|step| (step.time.as_secs_f64() / seconds, step.score)).collect();
        let problem = registry.open(&self.run.spec.problem).ok();
        let score = problem.and_then(|problem| problem.unit()).unwrap_or("score");
        let series = Series::steps("best so far", points).until(end / seconds);
        Chart::new(&format!("{}, seed {}", self.title(), self.run.spec.seed)).axes(unit, score).with(series).svg()
    }

    /// The best game, in the format that the file's name asks for.
    fn game(&self, file: &Path, registry: &Registry) -> Result<Exit> {
        ensure!(!self.steps.is_empty(), "run {} has found no game yet", self.run.id);
        let best = &self.steps[self.steps.len() - 1];
        let problem = registry.open(&self.run.spec.problem)?;
        let provenance = Provenance {
            search: Some(self.run.spec.search.clone()),
            seed: Some(self.seed(best.number)),
            playouts: Some(best.playouts),
            seconds: Some(best.time.as_secs_f64()),
            program: Some(format!("nestling {}", self.run.version)),
            date: Some(date(best.found)),
            ..Provenance::default()
        };
        let destination = Destination::new(file, None, None, problem.as_ref(), registry)?;
        destination.write(&best.moves, &provenance, &Picture::default())?;
        Ok(Exit::Done)
    }
}

/// An outcome as an object.
fn result(outcome: &Outcome) -> serde_json::Value {
    let solved = &outcome.solved;
    json!({
        "run": outcome.number,
        "score": json::score(solved.score),
        "moves": solved.moves,
        "proven": solved.proven,
        "stop": solved.stop.word(),
        "playouts": solved.counts.playouts,
        "seconds": solved.elapsed.as_secs_f64(),
        "finished": date(outcome.finished),
    })
}
