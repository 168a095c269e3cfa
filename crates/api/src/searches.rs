//! Searches: which there are, what they would cost, and hints.

use std::time::Duration;

use nestling::search::{Form, Menu};
use nestling_registry::json::{score, with_meaning};
use nestling_registry::{Ready, Registry, RunSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Host, Refusal, Reply, Request, RequestResult, limits};

/// The searches that there are, with what a menu offers of them.
pub(crate) fn list(host: &dyn Host, _request: &Request<'_>) -> RequestResult<Reply> {
    Ok(host.registry().searches().forms().map(form).collect::<Value>().into())
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
pub(crate) fn explain(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let ready = decided(host.registry(), request.json()?)?;
    let (search, estimate) =
        (ready.search(), ready.estimate().map_err(|error| Refusal::impossible(error.to_string()))?);
    // JSON has no infinity.
    let finite = |number: f64| number.is_finite().then_some(number);
    let explanation = json!({
        "problem": ready.problem().name(),
        "search": search.to_string(),
        "reason": ready.reason().unwrap_or_default(),
        "means": search.expand().to_string(),
        "endless": search.is_endless(),
        "playouts": finite(estimate.playouts),
        // Only the processor's speed is known beforehand.
        "seconds": finite(estimate.seconds).filter(|_| ready.spec().device.is_cpu()),
    });
    Ok(explanation.into())
}

/// The run that a page asks for, with its search, seed and time decided.
///
/// # Errors
///
/// When it is not for a page, or cannot be made.
pub fn decided(registry: &Registry, asked: RunSpec) -> RequestResult<Ready> {
    limits::check_spec(&asked, registry)?;
    let problem = registry.open(&asked.problem)?;
    Ok(registry.decide(problem.into(), asked)?)
}

/// The run that a page asks for, checked: it can begin.
///
/// # Errors
///
/// When it is not for a page, cannot be made, or would never end.
pub fn checked(registry: &Registry, asked: RunSpec) -> RequestResult<Ready> {
    limits::check_spec(&asked, registry)?;
    let problem = registry.open(&asked.problem)?;
    if problem.certify(&asked.from)?.is_over() {
        return Err(Refusal::impossible("the game is over; undo some moves before you search"));
    }
    Ok(registry.ready_on(problem.into(), asked)?)
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
pub(crate) fn hint(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let (registry, asked) = (host.registry(), request.json::<Hint>()?);
    let problem = registry.open(&asked.problem)?;
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
        threads: Some(host.threads()),
        from: game.texts().to_vec(),
        time: Some(Duration::from_secs_f64(seconds)),
        ..RunSpec::new(&asked.problem)
    };
    let ready = registry.ready_on(problem.into(), hint)?;
    let outcome = host.solve(&ready).map_err(|error| Refusal::impossible(error.to_string()))?;
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
    Ok(with_meaning(advice, &|score, proven| ready.problem().meaning(score, proven)).into())
}
