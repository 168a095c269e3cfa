//! Errors in the text of an expression, with their position.

/// Why a text is not a search expression. Its display is one line: the column, what was expected, what was found.
///
/// ```
/// use nestling::Search;
/// let error = "repeat(5, nestd(2))".parse::<Search>().unwrap_err();
/// assert_eq!(error.column, 11);
/// assert!(error.message.contains("did you mean nested?"));
/// assert_eq!(error.picture(), "repeat(5, nestd(2))\n          ^");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {message}")]
pub struct ParseError {
    /// The position in characters from 1; one past the last character if something is missing at the end.
    pub column: usize,
    /// The expected and the found text, in one line without control characters.
    pub message: String,
    picture: String,
}

/// Characters of the text shown on either side of the error.
const WINDOW: usize = 30;

/// Characters of a word shown in a message; longer than any allowed word with its typing errors.
const LONGEST: usize = 24;

impl ParseError {
    pub(crate) fn new(text: &str, at: usize, message: String) -> ParseError {
        let (before, after) = text.split_at(at);
        ParseError { column: before.chars().count() + 1, message, picture: draw(before, after) }
    }

    /// Two lines for a terminal: the text around the error and a `^` under it. Characters that do not print are escaped and a long text is
    /// cut to about 60 characters. The `^` is misplaced if characters are two columns wide.
    pub fn picture(&self) -> &str {
        &self.picture
    }
}

fn draw(before: &str, after: &str) -> String {
    let (mut left, left_cut) = window(before.chars().rev());
    let (right, right_cut) = window(after.chars());
    left.reverse();
    let left = left.concat();
    let (start, end) = (if left_cut { "…" } else { "" }, if right_cut { "…" } else { "" });
    let indent = start.chars().count() + left.chars().count();
    format!("{start}{left}{}{end}\n{:indent$}^", right.concat(), "")
}

/// The first characters, escaped where they do not print, and whether there are more.
fn window(characters: impl Iterator<Item = char>) -> (Vec<String>, bool) {
    let mut shown = Vec::new();
    let mut width = 0;
    for character in characters {
        let visible = visible(character);
        width += visible.chars().count();
        if width > WINDOW {
            return (shown, true);
        }
        shown.push(visible);
    }
    (shown, false)
}

fn visible(character: char) -> String {
    match character {
        '"' | '\'' | '\\' => character.to_string(),
        _ => character.escape_debug().to_string(),
    }
}

/// A piece of the text for a message, in quotes, escaped and cut.
pub(crate) fn quoted(piece: &str) -> String {
    format!("{:?}", shortened(piece))
}

/// A piece of the text for a message, cut.
pub(crate) fn shortened(piece: &str) -> String {
    match piece.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &piece[..end]),
        None => piece.to_string(),
    }
}

/// `a, b or c`.
pub(crate) fn alternatives(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// The allowed word that is most similar to a wrong one.
pub(crate) fn nearest<'a>(wrong: &str, allowed: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Computing a distance takes time proportional to the product of the lengths.
    if wrong.len() > LONGEST {
        return None;
    }
    let wrong = wrong.to_ascii_lowercase();
    let close = |word: &str| {
        let distance = strsim::osa_distance(&wrong, word);
        let beginning = wrong.len() >= 3 && word.starts_with(&wrong);
        // The beginning of a word counts as the word.
        let distance = if beginning { 0 } else { distance };
        (beginning || distance < wrong.len() && distance <= wrong.len().div_ceil(3)).then_some(distance)
    };
    allowed.filter_map(|word| close(word).map(|distance| (distance, word))).min().map(|(_, word)| word)
}
