//! Problems, their records, and which search has done best.

use std::sync::Arc;

use axum::extract::State;
use nestling::{Allowance, Goal};
use nestling_registry::json::score;
use nestling_registry::{Device, Instance};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::body::{Asked, Json};
use crate::refusal::Answer;

/// How many of the best games found here are listed.
const FAMOUS: usize = 10;

#[derive(Deserialize)]
pub(crate) struct Named {
    pub problem: String,
}

pub(crate) async fn list(State(app): State<Arc<App>>) -> Json {
    Json(app.registry.list().map(|(name, summary)| json!({ "name": name, "summary": summary })).collect())
}

/// What is known of a problem.
pub(crate) async fn one(State(app): State<Arc<App>>, Asked(asked): Asked<Named>) -> Answer<Json> {
    app.work(move |app| {
        let problem = app.open(&asked.problem)?;
        let formats = app.registry.formats(problem.as_ref());
        let formats: Vec<Value> =
            formats.map(|format| json!({ "name": format.name(), "extension": format.extensions()[0] })).collect();
        Ok(Json(json!({
            "name": problem.name(),
            "goal": if problem.goal() == Goal::Max { "max" } else { "min" },
            "unit": problem.unit(),
            "record": record(problem.as_ref()),
            "formats": formats,
            "game": problem.table().is_some(),
            "devices": devices(problem.as_ref()),
        })))
    })
    .await
}

/// What can search it on this machine. GPUs can where they can make the search that suits them.
fn devices(problem: &dyn Instance) -> Vec<Device> {
    let suited = |device: Device| device.suggestion(problem, Allowance::Unknown).search;
    let usable = |device: &Device| device.is_cpu() || problem.gpu_check(&suited(*device)).is_ok();
    [Device::Cpu, Device::Cuda].into_iter().filter(usable).collect()
}

fn record(problem: &dyn Instance) -> Option<Value> {
    let record = problem.record()?;
    let bound = record.bound.map(|(bound, prover)| json!({ "score": score(bound), "prover": prover }));
    Some(json!({
        "score": score(record.score),
        "holder": record.holder,
        "proven": record.proven,
        "bound": bound,
    }))
}

#[derive(Deserialize)]
pub(crate) struct Remembered {
    /// All that have games here, if there is none.
    problem: Option<String>,
    /// Only those found here.
    #[serde(default)]
    own: bool,
}

/// The games worth remembering: published, and found here.
pub(crate) async fn records(State(app): State<Arc<App>>, Asked(asked): Asked<Remembered>) -> Answer<Json> {
    app.look(move |app, store| {
        let problems = match asked.problem {
            Some(name) => vec![app.open(&name)?],
            // Those that came from files cannot be opened here.
            None => store.famous_problems()?.iter().filter_map(|name| app.open(name).ok()).collect(),
        };
        let mut games = Vec::new();
        for problem in &problems {
            let published = if asked.own { Vec::new() } else { problem.published() };
            let famous = store.hall_of_fame(problem.name(), FAMOUS)?.into_iter().zip(1..);
            let famous = famous.map(|(fame, rank)| (fame.published(problem.name(), rank), true));
            let all = published.into_iter().map(|game| (game, false)).chain(famous);
            games.extend(all.map(|(game, own)| nestling_registry::json::record(problem.as_ref(), &game, own)));
        }
        Ok(Json(games.into()))
    })
    .await
}

/// The best score of every search.
pub(crate) async fn best(State(app): State<Arc<App>>, Asked(asked): Asked<Named>) -> Answer<Json> {
    app.look(move |app, store| {
        let best = store.best_of_searches(&asked.problem)?.into_iter();
        let row = |(search, best, run)| {
            app.explained(&asked.problem, json!({ "search": search, "best": score(best), "run": run }))
        };
        Ok(Json(best.map(row).collect()))
    })
    .await
}
