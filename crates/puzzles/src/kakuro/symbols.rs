//! The places of a line, in the notations that people use.

use std::borrow::Cow;

use super::Square;

/// The meaning of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    /// The same in every notation.
    Square(Square),
    /// A cell to fill in some notations, a black one in others.
    Either(AmbiguousSymbol),
}

/// A symbol that notations disagree about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AmbiguousSymbol {
    /// Nothing between two separators.
    Nothing,
    Cross,
    Dash,
    MinusOne,
    Star,
}

impl AmbiguousSymbol {
    pub const ALL: [AmbiguousSymbol; 5] = [
        AmbiguousSymbol::Nothing,
        AmbiguousSymbol::Cross,
        AmbiguousSymbol::Dash,
        AmbiguousSymbol::MinusOne,
        AmbiguousSymbol::Star,
    ];

    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            AmbiguousSymbol::Nothing => "nothing",
            AmbiguousSymbol::Cross => "x",
            AmbiguousSymbol::Dash => "-",
            AmbiguousSymbol::MinusOne => "-1",
            AmbiguousSymbol::Star => "*",
        }
    }
}

/// The separators of the sum down and the sum across in a clue. Every notation puts the sum down first.
const CLUE: [char; 3] = ['\\', '/', ':'];

/// Whether a word is nothing but these characters.
fn only(word: &str, symbols: &str) -> bool {
    !word.is_empty() && word.chars().all(|symbol| symbols.contains(symbol))
}

/// The meaning of a word, if it is a place.
pub(super) fn symbol(word: &str) -> Option<Symbol> {
    let loose = match word {
        "" => Some(AmbiguousSymbol::Nothing),
        "-1" => Some(AmbiguousSymbol::MinusOne),
        "*" => Some(AmbiguousSymbol::Star),
        _ if only(word, "xX") => Some(AmbiguousSymbol::Cross),
        _ if only(word, "-") => Some(AmbiguousSymbol::Dash),
        _ => None,
    };
    if let Some(loose) = loose {
        return Some(Symbol::Either(loose));
    }
    if only(word, ".") || only(word, "_") || matches!(word, "0" | "?") {
        return Some(Symbol::Square(Square::White));
    }
    if only(word, "#") {
        return Some(Symbol::Square(Square::BLANK));
    }
    let (down, across) = word.split_once(CLUE)?;
    Some(Symbol::Square(Square::Black { down: sum(down)?, across: sum(across)? }))
}

/// A side of a clue: a sum, or one of the ways to say that there is none. No cells have the sum 0.
fn sum(text: &str) -> Option<Option<u32>> {
    if text.is_empty() || only(text, "xX") || only(text, "-") || only(text, "_") || only(text, "0") {
        return Some(None);
    }
    text.parse().ok().map(Some)
}

/// The words of a line, one for each place: what stands between bars, else between commas or semicolons, else between blanks.
pub(super) fn words(line: &str) -> Vec<Cow<'_, str>> {
    if line.contains('|') {
        let line = line.trim();
        let line = line.strip_prefix('|').unwrap_or(line);
        return line.strip_suffix('|').unwrap_or(line).split('|').map(without_blanks).collect();
    }
    if line.contains([',', ';']) {
        return line.split([',', ';']).map(without_blanks).collect();
    }
    line.split_whitespace().map(Cow::from).collect()
}

fn without_blanks(field: &str) -> Cow<'_, str> {
    let field = field.trim();
    match field.contains(char::is_whitespace) {
        true => field.split_whitespace().collect::<String>().into(),
        false => field.into(),
    }
}

/// Whether a line only parts rows.
pub(super) fn is_frame(line: &str) -> bool {
    let is_rule =
        line.contains(['+', '=']) || line.contains("---") && (line.contains('|') || !line.trim().contains(' '));
    is_rule && line.chars().all(|symbol| symbol.is_whitespace() || "-=+|".contains(symbol))
}
