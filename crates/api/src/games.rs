//! Games: replayed by the rules, read from files, written to files.

use nestling::Provenance;
use nestling_registry::json::{self, score};
use nestling_registry::{Picture, Theme};
use serde::Deserialize;
use serde_json::json;

use crate::{Host, Refusal, Reply, Request, RequestResult, limits, object};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameRequest {
    problem: String,
    moves: Vec<String>,
}

/// What the rules say of a game, and which moves they allow next.
pub(crate) fn position(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let game: GameRequest = request.json()?;
    let problem = host.registry().open(&game.problem)?;
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
    Ok(json::with_meaning(position, &|score, _| problem.meaning(score, false)).into())
}

#[derive(Deserialize)]
pub(crate) struct Wanted {
    /// What the file is a game of, where it leaves that open.
    problem: Option<String>,
}

/// Reads a file of any format.
pub(crate) fn open(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let (registry, Wanted { problem: wanted }) = (host.registry(), request.asked()?);
    let hoped = wanted.map(|problem| registry.open(&problem)).transpose()?;
    let as_hoped = hoped.and_then(|problem| registry.verify_as(request.body, problem.as_ref()).ok());
    let verdict = as_hoped.map_or_else(|| registry.verify(request.body), Ok)?;
    let problem = registry.open(&verdict.problem)?;
    let record = verdict.record(problem.as_ref())?;
    let mut object = json::verdict(None, &verdict, problem.as_ref(), record.as_ref().map(|(game, _)| game));
    object["title"] = json!(record.map(|(game, _)| game.name));
    object["moves"] = json!(verdict.game.texts());
    object["provenance"] = json!(verdict.provenance);
    Ok(object.into())
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
    fn picture(&self) -> RequestResult<Picture> {
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
pub(crate) fn export(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let (registry, export) = (host.registry(), request.json::<Export>()?);
    let problem = registry.open(&export.problem)?;
    let format = registry.format(problem.as_ref(), &export.format)?;
    let picture = export.picture()?;
    let game = problem.certify(&export.moves)?;
    let bytes = registry.write(format, problem.as_ref(), &game, &export.provenance, &picture)?;
    let ending = format.extensions()[0];
    let name = format!("{}-{}.{ending}", plain(problem.name()), export.moves.len());
    Ok(Reply::file(name, ending, bytes))
}

/// A name that every system takes for a file.
fn plain(name: &str) -> String {
    name.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '-' }).collect()
}
