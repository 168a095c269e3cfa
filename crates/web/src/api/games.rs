//! Games: replayed by the rules, read from files, written to files.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use nestling::Provenance;
use nestling_registry::json::{self, score};
use nestling_registry::{Picture, Theme};
use serde::Deserialize;
use serde_json::json;

use crate::app::App;
use crate::body::{Asked, Body, File, Json, object};
use crate::limits;
use crate::refusal::{Answer, Refusal};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Game {
    problem: String,
    moves: Vec<String>,
}

/// What the rules say of a game, and which moves they allow next.
pub(crate) async fn position(State(app): State<Arc<App>>, Body(game): Body<Game>) -> Answer<Json> {
    app.work(move |app| {
        let problem = app.open(&game.problem)?;
        let game = problem.certify(&game.moves)?;
        let position = json!({
            "problem": problem.name(),
            "moves": game.texts(),
            "score": score(game.score()),
            "complete": game.is_over(),
            "legal_moves": problem.legal_moves(&game)?,
            "worth": problem.worth(game.score(), game.is_over()),
            "view": problem.view(&game)?,
        });
        Ok(Json(json::with_meaning(position, &|score, _| problem.meaning(score, false))))
    })
    .await
}

#[derive(Deserialize)]
pub(crate) struct Wanted {
    /// What the file is a game of, where it leaves that open.
    problem: Option<String>,
}

/// Reads a file of any format.
pub(crate) async fn open(State(app): State<Arc<App>>, Asked(wanted): Asked<Wanted>, File(bytes): File) -> Answer<Json> {
    app.work(move |app| {
        let hoped = wanted.problem.map(|problem| app.open(&problem)).transpose()?;
        let as_hoped = hoped.and_then(|problem| app.registry.verify_as(&bytes, problem.as_ref()).ok());
        let verdict = as_hoped.map_or_else(|| app.registry.verify(&bytes), Ok)?;
        let problem = app.open(&verdict.problem)?;
        let record = verdict.record(problem.as_ref())?;
        let mut object = json::verdict(None, &verdict, problem.as_ref(), record.as_ref().map(|(game, _)| game));
        object["title"] = json!(record.map(|(game, _)| game.name));
        object["moves"] = json!(verdict.game.texts());
        object["provenance"] = json!(verdict.provenance);
        Ok(Json(object))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Export {
    problem: String,
    moves: Vec<String>,
    /// The name of a format, or an ending.
    format: String,
    #[serde(default, deserialize_with = "object")]
    provenance: Provenance,
    theme: Option<String>,
    width: Option<u32>,
    up_to: Option<usize>,
    #[serde(default)]
    animated: bool,
    caption: Option<String>,
}

impl Export {
    fn picture(&self) -> Answer<Picture> {
        let theme = self.theme.as_deref().unwrap_or("light").parse::<Theme>();
        let theme = theme.map_err(|error| Refusal::impossible(error.to_string()))?;
        let width = self.width.unwrap_or(1000);
        if !limits::WIDTH.contains(&width) {
            let (least, most) = (limits::WIDTH.start(), limits::WIDTH.end());
            return Err(Refusal::impossible(format!("a picture is {least} to {most} pixels wide, not {width}")));
        }
        if let Some(up_to) = self.up_to.filter(|&up_to| up_to > self.moves.len()) {
            return Err(Refusal::impossible(format!("the game has no move {up_to}")));
        }
        Ok(Picture { width, theme, up_to: self.up_to, animated: self.animated, caption: self.caption.clone() })
    }
}

/// Writes a file.
pub(crate) async fn export(State(app): State<Arc<App>>, Body(export): Body<Export>) -> Answer<Response> {
    app.work(move |app| {
        let problem = app.open(&export.problem)?;
        let format = app.registry.format(problem.as_ref(), &export.format)?;
        let picture = export.picture()?;
        let game = problem.certify(&export.moves)?;
        let bytes = app.registry.write(format, problem.as_ref(), &game, &export.provenance, &picture)?;
        let ending = format.extensions()[0];
        let name = format!("{}-{}.{ending}", plain(problem.name()), export.moves.len());
        Ok(attachment(&name, ending, bytes))
    })
    .await
}

/// A name that every system takes for a file.
fn plain(name: &str) -> String {
    name.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '-' }).collect()
}

/// A file to be saved.
pub(crate) fn attachment(name: &str, ending: &str, bytes: impl IntoResponse) -> Response {
    let kind = match ending {
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" | "msr" => "application/json",
        "csv" => "text/csv; charset=utf-8",
        _ => "text/plain; charset=utf-8",
    };
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)], bytes).into_response()
}
