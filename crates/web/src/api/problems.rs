//! The games worth remembering, and which search has done best.

use std::sync::Arc;

use axum::extract::State;
use nestling_registry::json::score;
use serde::Deserialize;
use serde_json::json;

use crate::app::App;
use crate::body::{Json, QueryParameters};
use crate::refusal::Answer;

/// How many of the best games found here are listed.
const FAMOUS: usize = 10;

#[derive(Deserialize)]
pub(crate) struct Named {
    pub problem: String,
}

#[derive(Deserialize)]
pub(crate) struct RecordsRequest {
    /// All that have games here, if there is none.
    problem: Option<String>,
    /// Only those found here.
    #[serde(default)]
    own: bool,
}

/// The games worth remembering: published, and found here.
pub(crate) async fn records(
    State(app): State<Arc<App>>,
    QueryParameters(asked): QueryParameters<RecordsRequest>,
) -> Answer<Json> {
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
pub(crate) async fn best(State(app): State<Arc<App>>, QueryParameters(asked): QueryParameters<Named>) -> Answer<Json> {
    app.look(move |app, store| {
        let best = store.best_of_searches(&asked.problem)?.into_iter();
        let row = |(search, best, run)| {
            app.explained(&asked.problem, json!({ "search": search, "best": score(best), "run": run }))
        };
        Ok(Json(best.map(row).collect()))
    })
    .await
}
