//! Moves as texts.

use nestling::{Illegal, Problem};

/// The moves in numbered lines no wider than `width`.
pub fn list(texts: &[String], width: usize) -> String {
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

/// Turns texts into moves, each looked up among the legal ones of its state.
pub fn find<'a, P: Problem>(problem: &P, texts: impl IntoIterator<Item = &'a str>) -> Result<Vec<P::Move>, Illegal> {
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

/// The code of a move that is legal in this state, the start of the problem.
pub fn code_at_start<P: Problem>(start: &P, text: &str) -> Result<u64, String> {
    let mut legal = Vec::new();
    start.legal_moves(&mut legal);
    let found = legal.iter().find(|&&candidate| start.move_text(candidate) == text);
    found.map(|&candidate| start.code(candidate)).ok_or_else(|| {
        let example = legal.first().map_or(String::new(), |&first| format!(", such as {}", start.move_text(first)));
        format!(
            "{} is not one of the {} legal moves of the start{example}; moves of later positions need their codes",
            shown(text, 40),
            legal.len()
        )
    })
}

/// The beginning of a text, control characters spelt out.
pub fn shown(text: &str, limit: usize) -> String {
    let mut short = String::new();
    for (count, character) in text.chars().enumerate() {
        if count == limit {
            return short + "…";
        }
        if character.is_control() { short.extend(character.escape_debug()) } else { short.push(character) }
    }
    short
}
