//! Our own JSON: readable, for every problem, with the provenance. It is also what pictures carry.

use nestling::Provenance;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::{Format, ReadError, Sheet, WriteError, utf8};
use crate::exhibit::Picture;
use crate::instance::Instance;

/// What tells our JSON, and its version, from any other.
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

    fn recognises(&self, bytes: &[u8]) -> bool {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        text.trim_ascii_start().starts_with(b"{")
    }

    fn read(&self, bytes: &[u8], _: Option<&str>) -> Result<Sheet, ReadError> {
        read(utf8(bytes)?)
    }

    fn write(&self, sheet: &Sheet, _: &dyn Instance, _: &Picture) -> Result<Vec<u8>, WriteError> {
        Ok(write(sheet).into_bytes())
    }
}

pub(super) fn read(text: &str) -> Result<Sheet, ReadError> {
    let document: Document =
        serde_json::from_str(text).map_err(|error| ReadError::unreadable(format!("not a game as JSON: {error}")))?;
    if document.format != KIND {
        let found = document.format;
        return Err(ReadError::unreadable(format!("this JSON is of the format {found:?}; only {KIND:?} can be read")));
    }
    Ok(Sheet {
        problem: document.problem,
        moves: document.moves,
        score: document.score.as_f64(),
        provenance: document.provenance.tidied(),
        notes: Vec::new(),
    })
}

pub(super) fn write(sheet: &Sheet) -> String {
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
