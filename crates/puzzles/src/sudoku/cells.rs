//! The cells of a line, however people part and frame them.

use super::MAX_ORDER;

/// Part grids and boxes; of the characters that draw boxes all do.
const FRAMES: &str = "-+=|:'`*.";

/// Brackets around the rows of programs.
const BRACKETS: [char; 4] = ['[', ']', '{', '}'];

/// How empty cells are written. `-` is one where it stands among values, and `-1` among numbers.
pub(super) fn is_blank(symbol: &str) -> bool {
    matches!(symbol, "." | "0" | "00" | "_" | "*" | "-" | "-1")
}

/// The order of Sudokus with so many cells in a row.
pub(super) fn order(side: usize) -> Option<usize> {
    (2..=MAX_ORDER).find(|order| order * order == side)
}

/// The order of Sudokus with so many cells in all.
pub(super) fn order_of_all(cells: usize) -> Option<usize> {
    (2..=MAX_ORDER).find(|order: &usize| order.pow(4) == cells)
}

fn draws_boxes(symbol: char) -> bool {
    ('\u{2500}'..='\u{257f}').contains(&symbol)
}

fn is_dash(symbol: char) -> bool {
    symbol == '-'
}

/// Whether a line only parts others. Dashes alone may be a row as well, of which [`dashes_are_cells`] has to decide.
pub(super) fn is_frame(line: &str) -> bool {
    let only = |symbol: char| symbol.is_whitespace() || draws_boxes(symbol) || FRAMES.contains(symbol);
    let parts = |symbol: char| draws_boxes(symbol) || "-+=|".contains(symbol);
    let bare = |symbol: char| symbol.is_whitespace() || symbol == ',' || BRACKETS.contains(&symbol);
    let is_bare = line.contains(BRACKETS) && line.chars().all(bare);
    // A row of empty cells in a frame has bars, and no other part of a frame.
    let is_row = line.contains(['.', '*']) && !line.contains(['-', '+', '=']) && !line.contains(draws_boxes);
    is_bare || line.chars().all(only) && line.contains(parts) && !is_row
}

/// The dashes of a line that has nothing else but blanks and bars.
pub(super) fn dashes(line: &str) -> Option<usize> {
    let only = line.chars().all(|symbol| symbol.is_whitespace() || symbol == '|' || is_dash(symbol));
    Some(line.chars().filter(|&symbol| is_dash(symbol)).count()).filter(|_| only)
}

/// Whether dashes are empty cells in a line: they stand among values, and not before a digit as in `-1`.
pub(super) fn dashes_are_cells(line: &str) -> bool {
    let mut symbols = line.chars().peekable();
    let mut is_cell = false;
    while let Some(symbol) = symbols.next() {
        is_cell |= is_dash(symbol) && !symbols.peek().is_some_and(char::is_ascii_digit);
    }
    is_cell && !is_frame(line)
}

/// The cells of a line: its fields if commas or semicolons part them; its words if these are numbers, of which some have two digits
/// and which make a row or a whole Sudoku; else its symbols.
pub(super) fn cells(line: &str) -> Vec<&str> {
    let inside =
        line.trim_matches(|symbol: char| symbol.is_whitespace() || BRACKETS.contains(&symbol) || symbol == ',');
    let fields = if line.contains(BRACKETS) { inside } else { line };
    if fields.contains([',', ';']) {
        let parts = fields.split([',', ';']);
        let tidy =
            parts.map(|field| field.trim_matches(|symbol: char| symbol.is_whitespace() || "[]{}\"'".contains(symbol)));
        return tidy.map(|field| if field.is_empty() { "." } else { field }).collect();
    }
    let parts = |symbol: char| symbol.is_whitespace() || symbol == '|' || draws_boxes(symbol);
    let words: Vec<&str> = inside.split(parts).filter(|word| !word.is_empty()).collect();
    let is_number = |word: &str| word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_row = order(words.len()).or(order_of_all(words.len())).is_some();
    if is_row && words.iter().all(|word| is_blank(word) || is_number(word)) && words.iter().any(|word| word.len() > 1) {
        return words;
    }
    let symbols =
        |word: &'_ str| word.char_indices().map(|(at, symbol)| at..at + symbol.len_utf8()).collect::<Vec<_>>();
    words.into_iter().flat_map(|word| symbols(word).into_iter().map(move |range| &word[range])).collect()
}
