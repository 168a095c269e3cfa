//! Puzzles that people bring along, collections of them, and whether they can be solved.

use std::sync::Arc;

use axum::extract::State;
use nestling_registry::{OpenError, Solutions, pasted};
use serde::Deserialize;
use serde_json::{Value, json};

use super::problems::Named;
use crate::app::App;
use crate::body::{Asked, Body, Json};
use crate::refusal::{Answer, Refusal};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pasted {
    /// What it is a puzzle of, such as `sudoku`.
    problem: String,
    text: String,
}

/// Reads a puzzle, and gives the name that carries it.
pub(crate) async fn open(State(app): State<Arc<App>>, Body(asked): Body<Pasted>) -> Answer<Json> {
    app.work(move |app| {
        // An unknown problem is told from a bad puzzle.
        if !app.registry.list().any(|(name, _)| name == asked.problem) {
            app.open(&asked.problem)?;
        }
        if asked.text.trim().is_empty() {
            return Err(Refusal::impossible("the text is empty"));
        }
        let name = pasted(&asked.problem, &asked.text).map_err(Refusal::impossible)?;
        let problem = app.registry.open(&name).map_err(unreadable)?;
        Ok(Json(json!({ "problem": problem.name(), "view": problem.view(&problem.certify(&[])?)? })))
    })
    .await
}

/// What is wrong with a text: whoever brought it knows which it is, and of what.
fn unreadable(error: OpenError) -> Refusal {
    match &error {
        OpenError::Parameters { reason, .. } | OpenError::Unsolvable { reason, .. } => {
            reason.strip_prefix("the text: ").map(Refusal::impossible).unwrap_or_else(|| error.into())
        }
        OpenError::Unknown { .. } => error.into(),
    }
}

/// The collections among the benchmark data, and how many puzzles each has.
pub(crate) async fn collections(State(app): State<Arc<App>>, Asked(asked): Asked<Named>) -> Answer<Json> {
    app.work(move |app| {
        app.open(&asked.problem)?;
        let all = app.registry.collections(&asked.problem).into_iter();
        Ok(Json(all.map(|(name, puzzles)| json!({ "name": name, "puzzles": puzzles })).collect::<Vec<Value>>().into()))
    })
    .await
}

/// How many solutions a puzzle has.
pub(crate) async fn solutions(State(app): State<Arc<App>>, Asked(asked): Asked<Named>) -> Answer<Json> {
    app.work(move |app| {
        let problem = app.open(&asked.problem)?;
        let solutions = problem.solutions().map(|solutions| match solutions {
            Solutions::None => "none",
            Solutions::One => "one",
            Solutions::Several => "several",
        });
        Ok(Json(json!({ "problem": problem.name(), "solutions": solutions })))
    })
    .await
}
