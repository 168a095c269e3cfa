//! Searches: what they would cost, begun, stopped, gone on with; and hints.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use nestling::{Cancel, Estimate, Goal, Search};
use nestling_registry::json::score;
use nestling_registry::{Device, Instance, Order};
use nestling_store::Spec;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::{App, Wanted, away};
use crate::body::{Body, Json, RunId};
use crate::jobs::{self, More};
use crate::limits;
use crate::refusal::{Answer, Refusal};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Explain {
    problem: String,
    search: String,
    #[serde(default)]
    device: Device,
}

/// What a search means and would cost here.
pub(crate) async fn explain(State(app): State<Arc<App>>, Body(asked): Body<Explain>) -> Answer<Json> {
    app.work(move |app| {
        let problem = app.open(&asked.problem)?;
        let search = limits::search(&asked.search)?;
        check_device(asked.device, problem.as_ref(), &search)?;
        let estimate = estimate(problem.as_ref(), &search, &[])?;
        // Infinity is no number of JSON's.
        let finite = |number: f64| number.is_finite().then_some(number);
        Ok(Json(json!({
            "problem": problem.name(),
            "search": search.to_string(),
            "means": search.expand().to_string(),
            "endless": search.is_endless(),
            "playouts": finite(estimate.playouts),
            // Only the processor's speed is known beforehand.
            "seconds": finite(estimate.seconds).filter(|_| asked.device.is_cpu()),
        })))
    })
    .await
}

/// Refuses what the device cannot make.
fn check_device(device: Device, problem: &dyn Instance, search: &Search) -> Answer<()> {
    if device.is_cpu() { Ok(()) } else { problem.gpu_check(search).map_err(Refusal::impossible) }
}

fn estimate(problem: &dyn Instance, search: &Search, from: &[String]) -> Answer<Estimate> {
    problem.estimate(search, from).map_err(|error| Refusal::impossible(error.to_string()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Begin {
    problem: String,
    /// Without one, what suits the time.
    search: Option<String>,
    #[serde(default)]
    from: Vec<String>,
    seconds: Option<f64>,
    playouts: Option<u64>,
    target: Option<f64>,
    seed: Option<u64>,
    #[serde(default)]
    device: Device,
}

/// Begins a search.
pub(crate) async fn begin(State(app): State<Arc<App>>, Body(asked): Body<Begin>) -> Answer<Json> {
    let (spec, problem) = app.work(move |app| specification(app, asked)).await?;
    away(move || jobs::begin(&app, &spec, problem).map(Json)).await
}

/// What is asked for, checked.
fn specification(app: &App, asked: Begin) -> Answer<(Spec, Box<dyn Instance>)> {
    let problem = app.open(&asked.problem)?;
    let More { time, playouts } = budget(asked.seconds, asked.playouts)?;
    let (from, certificate) = problem.certify(&asked.from)?;
    if certificate.terminal {
        return Err(Refusal::impossible("the game is over; undo some moves to search on"));
    }
    let search = match &asked.search {
        Some(text) => limits::search(text)?,
        None => asked.device.sensible_search().unwrap_or_else(|| problem.sensible_search(time, playouts)),
    };
    check_device(asked.device, problem.as_ref(), &search)?;
    // What does not fit the problem is refused here, whatever the budget.
    let estimate = estimate(problem.as_ref(), &search, &from)?;
    if time.is_none() && playouts.is_none() && asked.target.is_none() {
        refuse_absurd(&search, &estimate)?;
    }
    let spec = Spec {
        minimise: problem.goal() == Goal::Min,
        seed: asked.seed.unwrap_or_else(drawn_seed),
        device: asked.device,
        from,
        time,
        playouts,
        target: asked.target,
        ..Spec::new(problem.name(), &search.to_string())
    };
    Ok((spec, problem))
}

/// A search without a budget has to end by itself, in a time that makes sense.
fn refuse_absurd(search: &Search, estimate: &Estimate) -> Answer<()> {
    if search.is_endless() {
        return Err(Refusal::impossible(format!("{search} never ends by itself; give it a time or playouts")));
    }
    if estimate.seconds <= limits::TIME.as_secs_f64() {
        return Ok(());
    }
    let long = "would take longer than a month here; give it a time or playouts, or lower its levels";
    Err(Refusal::impossible(format!("{search} {long}")))
}

fn budget(seconds: Option<f64>, playouts: Option<u64>) -> Answer<More> {
    let time = seconds.map(|seconds| {
        let time = Duration::try_from_secs_f64(seconds).ok();
        let time = time.filter(|&time| time >= Duration::from_millis(1) && time <= limits::TIME);
        time.ok_or_else(|| Refusal::impossible("the time must be from 0.001 seconds to 30 days"))
    });
    if playouts == Some(0) {
        return Err(Refusal::impossible("there must be at least one playout"));
    }
    Ok(More { time: time.transpose()?, playouts })
}

/// A seed short enough to be read out.
pub(super) fn drawn_seed() -> u64 {
    getrandom::u64().map_or(0, |number| number % 1_000_000_000)
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
    app.look(move |_, store| Ok(Json(nestling_store::json::run(&store.run(run)?)))).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Resume {
    seconds: Option<f64>,
    playouts: Option<u64>,
}

/// Goes on with a run; the budget, if one is given, is that of the whole.
pub(crate) async fn resume(State(app): State<Arc<App>>, RunId(run): RunId, Body(asked): Body<Resume>) -> Answer<Json> {
    let more = budget(asked.seconds, asked.playouts)?;
    away(move || jobs::go_on(&app, run, more).map(Json)).await
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
    let busy = "several hints are being worked out already; wait a second";
    let _permit = app.hints.try_acquire().map_err(|_| Refusal::busy(busy))?;
    let wanted = Wanted::default();
    let (app, cancel) = (Arc::clone(&app), wanted.cancel());
    away(move || work_out(&app, &asked, cancel).map(Json)).await
}

fn work_out(app: &App, asked: &Hint, cancel: Cancel) -> Answer<Value> {
    let problem = app.open(&asked.problem)?;
    let seconds = asked.seconds.unwrap_or(1.0);
    if !(0.05..=limits::HINT).contains(&seconds) {
        return Err(Refusal::impossible(format!("a hint takes 0.05 to {} seconds", limits::HINT)));
    }
    let (from, certificate) = problem.certify(&asked.moves)?;
    if certificate.terminal {
        return Err(Refusal::impossible("the game is over; there is no move left"));
    }
    let (played, time) = (from.len(), Duration::from_secs_f64(seconds));
    let order = Order {
        seed: asked.seed.unwrap_or_else(drawn_seed),
        threads: jobs::threads(),
        from,
        time: Some((time, Instant::now())),
        cancel,
        ..Order::new(problem.sensible_search(Some(time), None))
    };
    let solved = jobs::at_low_priority(|| problem.solve(&order, &mut |_| {}, None));
    let solved = solved.map_err(|error| Refusal::impossible(error.to_string()))?;
    let next = solved.moves.get(played);
    let next = next.ok_or_else(|| Refusal::impossible("no game was finished in this time; give the hint more"))?;
    Ok(json!({
        "move": next,
        "score": score(solved.score),
        "moves": solved.moves,
        "proven": solved.proven,
        "search": order.search.to_string(),
        "seed": order.seed,
        "playouts": solved.counts.playouts,
        "seconds": solved.elapsed.as_secs_f64(),
    }))
}
