//! Games as text, for problems that have no format of their own: a line that names the problem, then one move a line.

use nestling::{Illegal, Problem};

const HEADER: &str = "# problem: ";

/// Why a file is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It cannot be read as a game at all.
    #[error("{0}")]
    Unreadable(String),
    /// It can, and breaks the rules.
    #[error("{0}")]
    Illegal(#[from] Illegal),
}

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

pub(crate) fn write(name: &str, texts: &[String]) -> String {
    let lines: String = texts.iter().map(|text| format!("{text}\n")).collect();
    format!("{HEADER}{name}\n{lines}")
}

/// The problem that a file written by [`write`] names.
pub(crate) fn named_problem(bytes: &[u8]) -> Option<&str> {
    let line = bytes.split(|&byte| byte == b'\n').next()?;
    Some(std::str::from_utf8(line).ok()?.strip_prefix(HEADER)?.trim())
}

/// Turns lines into moves, each looked up among the legal ones of its state.
pub(crate) fn read<P: Problem>(problem: &P, bytes: &[u8]) -> Result<Vec<P::Move>, ReadError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| ReadError::Unreadable(format!("byte {}: not UTF-8 text", error.valid_up_to() + 1)))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    find_moves(problem, lines).map_err(ReadError::Illegal)
}

pub(crate) fn find_moves<'a, P: Problem>(
    problem: &P,
    texts: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<P::Move>, Illegal> {
    let mut state = problem.clone();
    let (mut moves, mut legal) = (Vec::new(), Vec::new());
    for (index, text) in texts.into_iter().enumerate() {
        state.legal_moves(&mut legal);
        let Some(&played) = legal.iter().find(|&&candidate| state.move_text(candidate) == text) else {
            let excerpt: String = text.chars().take(40).flat_map(char::escape_debug).collect();
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
