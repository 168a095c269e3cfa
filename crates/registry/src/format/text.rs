//! Games as text, for every problem: a line that names the problem, then one move a line.

use nestling::Certified;
use nestling_morpion::notation::cut_at_lines;

use super::{Format, GameFile, ReadError, WriteError, utf8};
use crate::instance::Instance;
use nestling_presentation::Picture;

const HEADER: &str = "# problem: ";

/// Text: the problem, the provenance as comments, one move a line.
pub(crate) struct Text;

impl Format for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["txt", "game"]
    }

    fn recognises(&self, bytes: &[u8]) -> bool {
        bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).starts_with(HEADER.as_bytes())
    }

    fn split<'a>(&self, bytes: &'a [u8]) -> Vec<&'a [u8]> {
        cut_at_lines(bytes, |line| line.starts_with(HEADER.as_bytes()))
    }

    fn read(&self, bytes: &[u8], _: Option<&str>) -> Result<GameFile, ReadError> {
        let mut sheet = GameFile::default();
        for line in utf8(bytes)?.lines() {
            match line.trim().strip_prefix('#') {
                Some(_) if sheet.problem.is_empty() && line.starts_with(HEADER) => {
                    sheet.problem = line[HEADER.len()..].trim().to_owned();
                }
                Some(comment) => {
                    sheet.provenance.read_comment(comment);
                }
                None if line.trim().is_empty() => {}
                None => sheet.moves.push(line.trim().to_owned()),
            }
        }
        if sheet.problem.is_empty() {
            return Err(ReadError::unreadable(format!(
                "line 1: expected the name of a problem after \"{}\"",
                HEADER.trim()
            )));
        }
        Ok(sheet)
    }

    fn write(&self, sheet: &GameFile, _: &Certified, _: &dyn Instance, _: &Picture) -> Result<Vec<u8>, WriteError> {
        let moves: String = sheet.moves.iter().map(|text| format!("{text}\n")).collect();
        Ok(format!("{HEADER}{}\n{}{moves}", sheet.problem, sheet.provenance.comments()).into_bytes())
    }
}
