//! Runs of the store, whoever made them.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use nestling_store::{Account, RunInfo};
use serde::Deserialize;
use serde_json::{Value, json};

use super::games::attachment;
use crate::app::App;
use crate::body::{Asked, Json, RunId};
use crate::limits;
use crate::refusal::{Answer, Refusal};

#[derive(Deserialize)]
pub(crate) struct Newest {
    limit: Option<usize>,
}

/// A run, and whether it goes on in this very process.
fn described(app: &App, run: &RunInfo) -> Value {
    let mut object = app.explained(&run.spec.problem, nestling_store::json::run(run));
    object["here"] = json!(app.jobs.one(run.id).is_some());
    object
}

pub(crate) async fn list(State(app): State<Arc<App>>, Asked(newest): Asked<Newest>) -> Answer<Json> {
    app.look(move |app, store| {
        let runs = store.newest(newest.limit.unwrap_or(50).min(limits::RUNS))?;
        Ok(Json(runs.iter().map(|run| described(app, run)).collect()))
    })
    .await
}

pub(crate) async fn one(State(app): State<Arc<App>>, RunId(run): RunId) -> Answer<Json> {
    app.look(move |app, store| {
        let account = Account::of(store, run)?;
        let mut object = app.explained(&account.run.spec.problem, account.json());
        object["here"] = json!(app.jobs.one(run).is_some());
        Ok(Json(object))
    })
    .await
}

pub(crate) async fn delete(State(app): State<Arc<App>>, RunId(run): RunId) -> Answer<Json> {
    app.look(move |app, store| {
        store.delete(run)?;
        app.jobs.tell(&json!({ "event": "deleted", "id": run }));
        Ok(Json(json!({ "deleted": run })))
    })
    .await
}

#[derive(Deserialize)]
pub(crate) struct As {
    #[serde(rename = "as")]
    form: String,
}

/// A run as data or a chart, as `nestling runs export` writes it.
pub(crate) async fn export(
    State(app): State<Arc<App>>,
    RunId(run): RunId,
    Asked(As { form }): Asked<As>,
) -> Answer<Response> {
    app.look(move |app, store| {
        let account = Account::of(store, run)?;
        let repeated = account.run.spec.runs > 1;
        let contents = match form.as_str() {
            "json" => format!("{:#}\n", app.explained(&account.run.spec.problem, account.json())),
            "csv" if repeated => account.results_csv(),
            "csv" => account.improvements_csv(),
            "svg" if repeated => account.histogram(),
            "svg" => {
                let problem = app.open(&account.run.spec.problem).ok();
                account.chart(problem.and_then(|problem| problem.unit()).unwrap_or("score"))
            }
            _ => return Err(Refusal::impossible("a run can be exported as json, csv or svg")),
        };
        Ok(attachment(&format!("run-{run}.{form}"), &form, contents))
    })
    .await
}
