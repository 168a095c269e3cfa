//! Searches: to start, stop and resume them.

use std::sync::Arc;

use axum::extract::State;
use nestling_registry::RunSpec;
use nestling_store::More;
use serde::Deserialize;

use crate::app::{App, spawn_blocking};
use crate::body::{Body, Json, RunId};
use crate::jobs;
use crate::refusal::Answer;

/// Begins a search.
pub(crate) async fn begin(State(app): State<Arc<App>>, Body(asked): Body<RunSpec>) -> Answer<Json> {
    let ready = app.work(move |app| Ok(nestling_api::checked(&app.registry, asked)?)).await?;
    spawn_blocking(move || jobs::begin(&app, &ready).map(Json)).await
}

pub(crate) async fn pause(State(app): State<Arc<App>>, RunId(run): RunId) -> Answer<Json> {
    stop(app, run, false).await
}

pub(crate) async fn cancel(State(app): State<Arc<App>>, RunId(run): RunId) -> Answer<Json> {
    stop(app, run, true).await
}

/// Stops a search, and answers when everything is written.
async fn stop(app: Arc<App>, run: i64, for_good: bool) -> Answer<Json> {
    let mut over = app.jobs.stop(run, for_good)?;
    // The sender is dropped when the thread ends without an answer.
    let _ = over.wait_for(|over| *over).await;
    app.look(move |app, store| {
        let run = store.run(run)?;
        Ok(Json(app.explained(&run.spec.problem, nestling_store::json::run(&run))))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResumeRequest {
    seconds: Option<f64>,
    playouts: Option<u64>,
}

/// Goes on with a run; the budget, if one is given, is that of the whole.
pub(crate) async fn resume(
    State(app): State<Arc<App>>,
    RunId(run): RunId,
    Body(asked): Body<ResumeRequest>,
) -> Answer<Json> {
    let more = More { time: asked.seconds.map(RunSpec::seconds), playouts: asked.playouts };
    spawn_blocking(move || jobs::go_on(&app, run, more).map(Json)).await
}
