//! Searches: what they would cost, begun, stopped, gone on with; and hints.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use nestling::Cancel;
use nestling::search::{Form, Menu};
use nestling_registry::json::{score, with_meaning};
use nestling_registry::{Controls, Ready, RunSpec};
use nestling_store::More;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::{App, Wanted, spawn_blocking};
use crate::body::{Body, Json, RunId};
use crate::jobs;
use crate::limits;
use crate::refusal::{Answer, Refusal};

/// The searches that there are, with what a menu offers of them.
pub(crate) async fn list(State(app): State<Arc<App>>) -> Json {
    Json(app.registry.searches().forms().map(form).collect())
}

fn form(form: &'static Form) -> Value {
    let expression =
        |choice: &&str| json!({ "choice": choice, "expression": format!("repeat({}({choice}))", form.name) });
    let menu = form.menu.as_ref().map(|menu: &Menu| {
        json!({
            "title": menu.title,
            "about": menu.about,
            "choice": menu.choice,
            "choices": menu.choices.iter().map(expression).collect::<Vec<_>>(),
            "usual": menu.usual,
        })
    });
    json!({
        "name": form.name,
        "usage": form.usage(),
        "example": form.example,
        "about": form.about,
        "options": form.options.iter().map(|option| json!({ "name": option.name, "about": option.about })).collect::<Vec<_>>(),
        "menu": menu,
    })
}

/// What a search means and would cost here.
pub(crate) async fn explain(State(app): State<Arc<App>>, Body(asked): Body<RunSpec>) -> Answer<Json> {
    app.work(move |app| {
        let ready = decided(app, asked)?;
        let (search, estimate) =
            (ready.search(), ready.estimate().map_err(|error| Refusal::impossible(error.to_string()))?);
        // Infinity is no number of JSON's.
        let finite = |number: f64| number.is_finite().then_some(number);
        Ok(Json(json!({
            "problem": ready.problem().name(),
            "search": search.to_string(),
            "reason": ready.reason().unwrap_or_default(),
            "means": search.expand().to_string(),
            "endless": search.is_endless(),
            "playouts": finite(estimate.playouts),
            // Only the processor's speed is known beforehand.
            "seconds": finite(estimate.seconds).filter(|_| ready.spec().device.is_cpu()),
        })))
    })
    .await
}

/// What a page asks for, decided.
fn decided(app: &App, asked: RunSpec) -> Answer<Ready> {
    limits::asked(&asked, &app.registry)?;
    let problem = app.open(&asked.problem)?;
    Ok(app.registry.decide(problem.into(), asked)?)
}

/// Begins a search.
pub(crate) async fn begin(State(app): State<Arc<App>>, Body(asked): Body<RunSpec>) -> Answer<Json> {
    let ready = app.work(move |app| checked(app, asked)).await?;
    spawn_blocking(move || jobs::begin(&app, &ready).map(Json)).await
}

/// A search that a page asks for, checked.
fn checked(app: &App, asked: RunSpec) -> Answer<Ready> {
    limits::asked(&asked, &app.registry)?;
    let problem = app.open(&asked.problem)?;
    if problem.certify(&asked.from)?.is_over() {
        return Err(Refusal::impossible("the game is over; undo some moves before you search"));
    }
    Ok(app.registry.ready_on(problem.into(), asked)?)
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
    // The thread is gone when nobody can tell any more.
    let _ = over.wait_for(|over| *over).await;
    app.look(move |app, store| {
        let run = store.run(run)?;
        Ok(Json(app.explained(&run.spec.problem, nestling_store::json::run(&run))))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Resume {
    seconds: Option<f64>,
    playouts: Option<u64>,
}

/// Goes on with a run; the budget, if one is given, is that of the whole.
pub(crate) async fn resume(State(app): State<Arc<App>>, RunId(run): RunId, Body(asked): Body<Resume>) -> Answer<Json> {
    let more = More { time: asked.seconds.map(RunSpec::seconds), playouts: asked.playouts };
    spawn_blocking(move || jobs::go_on(&app, run, more).map(Json)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hint {
    problem: String,
    moves: Vec<String>,
    seconds: Option<f64>,
    seed: Option<u64>,
}

/// The best move that a short search finds, and the score of the game it belongs to.
pub(crate) async fn hint(State(app): State<Arc<App>>, Body(asked): Body<Hint>) -> Answer<Json> {
    let busy = "several hints are being computed already; wait a second";
    let _permit = app.hints.try_acquire().map_err(|_| Refusal::busy(busy))?;
    let wanted = Wanted::default();
    let (app, cancel) = (Arc::clone(&app), wanted.cancel());
    spawn_blocking(move || work_out(&app, &asked, cancel).map(Json)).await
}

fn work_out(app: &App, asked: &Hint, cancel: Cancel) -> Answer<Value> {
    let problem = app.open(&asked.problem)?;
    let seconds = asked.seconds.unwrap_or(1.0);
    if !(0.05..=limits::HINT).contains(&seconds) {
        return Err(Refusal::impossible(format!("a hint takes 0.05 to {} seconds", limits::HINT)));
    }
    let game = problem.certify(&asked.moves)?;
    if game.is_over() {
        return Err(Refusal::impossible("the game is over; there is no move left"));
    }
    let hint = RunSpec {
        seed: asked.seed,
        threads: Some(jobs::threads()),
        from: game.texts().to_vec(),
        time: Some(Duration::from_secs_f64(seconds)),
        ..RunSpec::new(&asked.problem)
    };
    let ready = app.registry.ready_on(problem.into(), hint)?;
    let outcome = jobs::at_low_priority(|| ready.start(Controls { cancel, ..Controls::default() }));
    let outcome = outcome.map_err(|error| Refusal::impossible(error.to_string()))?;
    let next = outcome.texts().get(game.texts().len());
    let (Some(next), Some(found)) = (next, outcome.game()) else {
        return Err(Refusal::impossible("no game was finished in this time; give the hint more time"));
    };
    let advice = json!({
        "move": next,
        "score": score(found.score()),
        "moves": found.texts(),
        "proven": outcome.proven,
        "search": ready.spec().expression(),
        "seed": ready.seed(),
        "playouts": outcome.played().playouts,
        "seconds": outcome.elapsed.as_secs_f64(),
    });
    Ok(with_meaning(advice, &|score, proven| ready.problem().meaning(score, proven)))
}
