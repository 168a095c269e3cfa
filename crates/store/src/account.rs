//! All that is known of a run, as data, as a chart, as a game.

use nestling::Provenance;
use nestling_presentation::chart::{Chart, Histogram, Series};
use serde_json::Value;

use crate::run::{Finished, RunInfo, StoredImprovement};
use crate::{Store, StoreError, json};

/// A run with its improvements and outcomes.
#[derive(Clone, Debug)]
pub struct Account {
    /// The run, summed up.
    pub run: RunInfo,
    /// Its improvements, in the order they came.
    pub steps: Vec<StoredImprovement>,
    /// The results of its numbers, in their order.
    pub outcomes: Vec<Finished>,
}

impl Account {
    /// That of a run.
    pub fn of(store: &Store, run: i64) -> Result<Self, StoreError> {
        Ok(Account { run: store.run(run)?, steps: store.improvements(run)?, outcomes: store.outcomes(run)? })
    }

    /// Everything, as one object.
    pub fn json(&self) -> Value {
        let mut object = json::run(&self.run);
        object["improvements"] = self.steps.iter().map(json::step).collect();
        object["results"] = self.outcomes.iter().map(json::outcome).collect();
        object
    }

    /// The improvements as a table.
    pub fn improvements_csv(&self) -> String {
        table(
            ["run", "seconds", "playouts", "score", "found", "moves"],
            self.steps.iter().map(|step| {
                [
                    step.number.to_string(),
                    step.time.as_secs_f64().to_string(),
                    step.playouts.to_string(),
                    step.score.to_string(),
                    step.found.to_string(),
                    step.moves.join(" "),
                ]
            }),
        )
    }

    /// The results of a batch as a table.
    pub fn results_csv(&self) -> String {
        table(
            ["run", "seed", "score", "playouts", "seconds", "stop"],
            self.outcomes.iter().map(|Finished { number, outcome, .. }| {
                [
                    number.to_string(),
                    self.run.spec.seed_of(*number).to_string(),
                    outcome.score().map(|score| score.to_string()).unwrap_or_default(),
                    outcome.played().playouts.to_string(),
                    outcome.elapsed.as_secs_f64().to_string(),
                    outcome.stop.word().to_owned(),
                ]
            }),
        )
    }

    /// The results of a batch as a histogram.
    pub fn histogram(&self) -> String {
        let scores: Vec<f64> = self.outcomes.iter().filter_map(|finished| finished.outcome.score()).collect();
        let title = format!("{}: {} of {} runs", self.title(), scores.len(), self.run.spec.runs);
        Histogram::new(&title, "score", &scores).svg()
    }

    /// The score over time; `unit` is what scores count.
    pub fn chart(&self, unit: &str) -> String {
        let outcome = self.outcomes.iter().map(|finished| finished.outcome.elapsed).max();
        let alone = outcome.unwrap_or(self.run.reached.time);
        let end = if self.run.spec.runs > 1 { self.run.spent.time } else { alone }.as_secs_f64();
        let (name, seconds) = match end {
            end if end < 300.0 => ("seconds", 1.0),
            end if end < 18_000.0 => ("minutes", 60.0),
            _ => ("hours", 3_600.0),
        };
        let points = self.steps.iter().map(|step| (step.time.as_secs_f64() / seconds, step.score)).collect();
        let series = Series::steps("best so far", points).until(end / seconds);
        Chart::new(&format!("{}, seed {}", self.title(), self.run.spec.seed.unwrap_or_default()))
            .axes(name, unit)
            .with(series)
            .svg()
    }

    /// The best game and where it comes from; none if none has been found yet.
    pub fn best(&self) -> Option<(&[String], Provenance)> {
        let best = self.steps.last()?;
        let provenance = Provenance {
            search: self.run.spec.search.clone(),
            seed: Some(self.run.spec.seed_of(best.number)),
            playouts: Some(best.playouts),
            seconds: Some(best.time.as_secs_f64()),
            program: Some(format!("nestling {}", self.run.version)),
            date: Some(best.found.to_string()),
            description: self.run.spec.device.remark(),
            ..Provenance::default()
        };
        Some((&best.moves, provenance))
    }

    fn title(&self) -> String {
        format!("{} on {}", self.run.spec.expression(), self.run.spec.problem)
    }
}

fn table<const N: usize>(header: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut table = csv::Writer::from_writer(Vec::new());
    let written = std::iter::once(header.map(str::to_owned)).chain(rows).try_for_each(|row| table.write_record(row));
    written.expect("memory takes everything");
    let bytes = table.into_inner().expect("memory takes everything");
    String::from_utf8(bytes).expect("texts are UTF-8")
}
