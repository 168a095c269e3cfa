//! Runs of the store, made by the app or the command line.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use nestling_store::{Account, FamousGame, RunInfo};
use serde::Deserialize;
use serde_json::{Value, json};

use nestling_api::Reply;
use nestling_registry::{film, json::score};

use super::shared::sent;
use crate::app::App;
use crate::body::{Json, QueryParameters, RunId};
use crate::limits;
use crate::refusal::{Answer, Refusal};

#[derive(Deserialize)]
pub(crate) struct Newest {
    limit: Option<usize>,
}

/// A run, and whether it is running in this process.
fn described(app: &App, run: &RunInfo) -> Value {
    let mut object = app.explained(&run.spec.problem, nestling_store::json::run(run));
    object["here"] = json!(app.jobs.one(run.id).is_some());
    object
}

pub(crate) async fn list(
    State(app): State<Arc<App>>,
    QueryParameters(newest): QueryParameters<Newest>,
) -> Answer<Json> {
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
    QueryParameters(As { form }): QueryParameters<As>,
) -> Answer<Response> {
    if form == "gif" {
        return moving(app, run).await;
    }
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
            _ => return Err(Refusal::impossible("a run can be exported as json, csv, svg or gif")),
        };
        Ok(sent(Reply::file(format!("run-{run}.{form}"), &form, contents)))
    })
    .await
}

/// The improvements of a search, one after the other. In a batch, those that are better than all before them.
async fn moving(app: Arc<App>, run: i64) -> Answer<Response> {
    let account = app.look(move |_, store| Ok(Account::of(store, run)?)).await?;
    app.work(move |app| {
        let problem = app.open(&account.run.spec.problem)?;
        let (goal, unit) = (problem.goal(), problem.unit().unwrap_or("points"));
        let mut best = f64::NEG_INFINITY;
        let better = account.steps.iter().filter(|step| {
            let is_better = goal.value(step.score) > best;
            best = best.max(goal.value(step.score));
            is_better
        });
        let caption = |step: &nestling_store::StoredImprovement| {
            format!("{} {unit} after {:.1} s, {} playouts", step.score, step.time.as_secs_f64(), step.playouts)
        };
        let games: Vec<_> = better.map(|step| (step.moves.clone(), caption(step))).collect();
        if games.is_empty() {
            return Err(Refusal::impossible("this run has found no game yet"));
        }
        let film = film(problem.as_ref(), &games).map_err(|error| Refusal::impossible(error.to_string()))?;
        Ok(sent(Reply::file(format!("run-{run}.gif"), "gif", film)))
    })
    .await
}

/// How many games of the hall of fame are looked through for those of a run.
const FAMOUS: usize = 1000;

/// The games that a hunt has kept, one of each family, the best first; none for other runs, which keep their improvements.
pub(crate) async fn finds(State(app): State<Arc<App>>, RunId(run): RunId) -> Answer<Json> {
    app.look(move |app, store| {
        let spec = store.run(run)?.spec;
        let Some(keep) = spec.keep else { return Ok(Json(json!({ "finds": [] }))) };
        let goal = app.open(&spec.problem)?.goal();
        let famous = store.hall_of_fame(&spec.problem, FAMOUS)?;
        let find = |game: FamousGame| {
            let object = json!({ "score": score(game.score), "moves": game.moves, "found": game.found.to_string() });
            app.explained(&spec.problem, object)
        };
        let finds: Vec<Value> =
            famous.into_iter().filter(|game| game.run == run && goal.reaches(game.score, keep)).map(find).collect();
        Ok(Json(json!({ "finds": finds })))
    })
    .await
}
