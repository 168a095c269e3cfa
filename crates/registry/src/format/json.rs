//! Our own JSON: readable, for every problem, with the provenance. It is also what pictures carry.

use std::collections::BTreeMap;

use nestling::{Certified, Provenance};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::{Format, GameFile, ReadError, WriteError, shown, utf8};
use crate::instance::Instance;
use nestling_presentation::Picture;

/// The mark of our JSON, with its version.
const KIND: &str = "nestling-game-1";

/// Our own JSON.
pub(crate) struct Json;

#[derive(Serialize, Deserialize)]
struct Document {
    format: String,
    problem: String,
    score: Number,
    #[serde(default, skip_serializing_if = "Provenance::is_empty")]
    provenance: Provenance,
    moves: Vec<String>,
}

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["json"]
    }

    /// Any JSON except that of other programs, so that errors in our own format are reported as such.
    fn recognises(&self, bytes: &[u8]) -> bool {
        beginning(bytes).starts_with(b"{") && looks(bytes).is_none()
    }

    fn read(&self, bytes: &[u8], _: Option<&str>) -> Result<GameFile, ReadError> {
        read(utf8(bytes)?)
    }

    fn write(&self, sheet: &GameFile, _: &Certified, _: &dyn Instance, _: &Picture) -> Result<Vec<u8>, WriteError> {
        Ok(write(sheet).into_bytes())
    }
}

fn beginning(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
}

/// Whether a text is an object or a list in JSON, or begins so.
pub(crate) fn is_json(bytes: &[u8]) -> bool {
    beginning(bytes).starts_with(b"{") || beginning(bytes).starts_with(b"[")
}

/// A description of JSON that cannot be ours: its names, or that it is a list.
pub(crate) fn looks(bytes: &[u8]) -> Option<String> {
    const MOST: usize = 4;
    let text = beginning(bytes);
    if text.starts_with(b"[") && serde_json::from_slice::<IgnoredAny>(text).is_ok() {
        return Some("this is a list in JSON, but not of games".to_owned());
    }
    let names = serde_json::from_slice::<BTreeMap<String, IgnoredAny>>(text).ok()?.into_keys().collect::<Vec<_>>();
    if names.is_empty() || names.iter().any(|name| name == "format" || name == "problem") {
        return None;
    }
    let named: Vec<String> = names.iter().take(MOST).map(|name| format!("\"{}\"", shown(name, 20))).collect();
    let more = if names.len() > MOST { " and more" } else { "" };
    Some(format!("this is JSON of another program, with {}{more}", named.join(", ")))
}

pub(super) fn read(text: &str) -> Result<GameFile, ReadError> {
    let document: Document =
        serde_json::from_str(text).map_err(|error| ReadError::unreadable(format!("not a game as JSON: {error}")))?;
    if document.format != KIND {
        let found = document.format;
        return Err(ReadError::unreadable(format!("this JSON is of the format {found:?}; only {KIND:?} can be read")));
    }
    Ok(GameFile {
        problem: document.problem,
        moves: document.moves,
        score: document.score.as_f64(),
        provenance: document.provenance.tidied(),
        notes: Vec::new(),
    })
}

pub(super) fn write(sheet: &GameFile) -> String {
    let document = Document {
        format: KIND.to_owned(),
        problem: sheet.problem.clone(),
        score: number(sheet.score.unwrap_or_default()),
        provenance: sheet.provenance.clone(),
        moves: sheet.moves.clone(),
    };
    let json = serde_json::to_string_pretty(&document).expect("texts and numbers are JSON");
    format!("{json}\n")
}

/// A score as JSON: whole numbers without a decimal point.
fn number(score: f64) -> Number {
    let whole = (score.fract() == 0.0 && score.abs() < 9e15).then(|| Number::from(score as i64));
    whole.or_else(|| Number::from_f64(score)).unwrap_or_else(|| Number::from(0))
}
