//! Games as text, for every problem: a line that names the problem, then one move a line.

use nestling::{Illegal, Problem};

use super::{Format, ReadError, Sheet, WriteError, shown, utf8};
use crate::exhibit::Picture;
use crate::instance::Instance;

const HEADER: &str = "# problem: ";

/// The moves in numbered lines no wider than `width`.
pub(crate) fn list(texts: &[String], width: usize) -> String {
    let mut lines = vec![String::new()];
    for (index, text) in texts.iter().enumerate() {
        let item = format!("{}. {text}  ", index + 1);
        let line = lines.last_mut().expect("there is always a line");
        if !line.is_empty() && line.chars().count() + item.trim_end().chars().count() > width {
            lines.push(item);
        } else {
            line.push_str(&item);
        }
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

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

    fn read(&self, bytes: &[u8], _: Option<&str>) -> Result<Sheet, ReadError> {
        let mut sheet = Sheet::default();
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
            return Err(ReadError::unreadable(format!("line 1: no problem is named after \"{}\"", HEADER.trim())));
        }
        Ok(sheet)
    }

    fn write(&self, sheet: &Sheet, _: &dyn Instance, _: &Picture) -> Result<Vec<u8>, WriteError> {
        let moves: String = sheet.moves.iter().map(|text| format!("{text}\n")).collect();
        Ok(format!("{HEADER}{}\n{}{moves}", sheet.problem, sheet.provenance.comments()).into_bytes())
    }
}

/// Turns texts into moves, each looked up among the legal ones of its state.
pub(crate) fn find_moves<'a, P: Problem>(
    problem: &P,
    texts: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<P::Move>, Illegal> {
    let mut state = problem.clone();
    let (mut moves, mut legal) = (Vec::new(), Vec::new());
    for (index, text) in texts.into_iter().enumerate() {
        state.legal_moves(&mut legal);
        let Some(&played) = legal.iter().find(|&&candidate| state.move_text(candidate) == text) else {
            let excerpt = shown(text, 40);
            let reason = match legal.first() {
                None => format!("{excerpt} comes after the end of the game"),
                Some(&first) => format!(
                    "{excerpt} is not one of the {} legal moves, such as {}",
                    legal.len(),
                    state.move_text(first)
                ),
            };
            return Err(Illegal { index, reason });
        };
        state.play(played);
        moves.push(played);
    }
    Ok(moves)
}
