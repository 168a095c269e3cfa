//! Kakuros as text.

use std::borrow::Cow;

use super::symbols::{AmbiguousSymbol, Symbol, is_frame, symbol, words};
use super::{Kakuro, MAX_SIDE, PuzzleError, Square, SumBounds};
use crate::excerpt::excerpt;

/// The default of the largest value.
const USUAL_VALUES: usize = 9;

/// Why a text is not a Kakuro.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A row is longer or shorter than the first.
    #[error("line {line}: {found} places, but the first row has {expected}; all rows must have the same number")]
    Ragged {
        /// The line, from 1.
        line: usize,
        /// How many places it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A text that is not a square of a grid.
    #[error(
        "line {line}: {symbol:?} is not a place; write . for a cell, # for a black one, and clues as 17\\, \\16 or 17\\16 (down\\across)"
    )]
    Symbol {
        /// The line, from 1.
        line: usize,
        /// The text that was found.
        symbol: String,
    },
    /// Two symbols of which each may be a cell to fill.
    #[error("line {line}: {one:?} and {other:?} may both be cells to fill; write . for those and # for black ones")]
    Unclear {
        /// The line of its first row, from 1.
        line: usize,
        /// The first of them.
        one: &'static str,
        /// The second.
        other: &'static str,
    },
    /// A line above the grid names another size than it has.
    #[error("line {line}: the size is given as {} by {} places, but {} rows of {} follow", .announced.0, .announced.1, .found.0, .found.1)]
    Announced {
        /// The line, from 1.
        line: usize,
        /// The two numbers there.
        announced: (usize, usize),
        /// The rows, and the places of the first of them.
        found: (usize, usize),
    },
    /// A text that is not a sum.
    #[error(
        "line {line}: {symbol:?} is not a sum; write the sums of the columns in one line, then the sum of each row in a line of its own"
    )]
    Sum {
        /// The line, from 1.
        line: usize,
        /// The text that was found.
        symbol: String,
    },
    /// The puzzle itself is wrong.
    #[error("line {line}: {error}")]
    Puzzle {
        /// The line of its first row, from 1.
        line: usize,
        /// The error.
        error: PuzzleError,
    },
    /// There is nothing in the text.
    #[error("no Kakuro found")]
    Nothing,
}

impl ReadError {
    /// Whether the text is well-formed, but the Kakuro has no solution.
    pub fn is_contradiction(&self) -> bool {
        matches!(self, ReadError::Puzzle { error, .. } if error.is_contradiction())
    }
}

/// A line of a file, and its words.
type GridRow<'a> = (usize, Vec<Cow<'a, str>>);

impl Kakuro {
    /// All Kakuros of a text, with an empty line between them. One with black cells is written as it looks, a symbol for each place, parted
    /// by blanks, bars, commas or semicolons:
    ///
    /// | place | symbols |
    /// |---|---|
    /// | a cell to fill | `.`, `_` or several of them, `0`, `?` |
    /// | a black cell | `#`, or a clue without sums |
    /// | a clue | `17\`, `\16` or `17\16` (down, across); also with `/` or `:`, and with `XX`, `--` or `0` for a sum that is not there |
    /// | black or to fill | `x`, `-`, `-1`, `*`, nothing between two separators: to fill, unless it stands in the first row or column, or there are cells that can only be to fill |
    ///
    /// An empty grid is written as its sums: a line for the columns, then a line for each row. Values go from 1 to `values`, to 9
    /// without it; a line `values 7` in the text says the same. Lines that begin with `# ` are comments; frames do not count, nor
    /// does a line with the numbers of rows and columns above the grid.
    ///
    /// ```
    /// use nestling_puzzles::kakuro::{SumBounds, Kakuro};
    /// let text = "# down\\across\n#   3\\  4\\\n\\4  ___ ___\n\\3  ___ ___\n\nvalues 4\n3 4\n4\n3\n";
    /// let kakuros = Kakuro::read(text, None, SumBounds::Strong).unwrap();
    /// assert_eq!(kakuros.len(), 2);
    /// assert_eq!((kakuros[0].largest(), kakuros[1].largest()), (9, 4));
    /// assert_eq!(kakuros[0].places(), kakuros[1].places());
    /// ```
    pub fn read(text: &str, values: Option<usize>, bounds: SumBounds) -> Result<Vec<Kakuro>, ReadError> {
        Kakuro::read_each(text, values, bounds)?.into_iter().collect()
    }

    /// The same, each Kakuro by itself: one without a solution does not spoil the others.
    ///
    /// # Errors
    ///
    /// When the text cannot be read as Kakuros.
    pub fn read_each(
        text: &str,
        values: Option<usize>,
        bounds: SumBounds,
    ) -> Result<Vec<Result<Kakuro, ReadError>>, ReadError> {
        let mut kakuros = Vec::new();
        let mut rows: Vec<GridRow<'_>> = Vec::new();
        let mut largest = values.unwrap_or(USUAL_VALUES);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in (1..).zip(text.lines().chain([""])) {
            let words = words(line);
            match &words[..] {
                [] if rows.is_empty() => {}
                [] => match kakuro(&std::mem::take(&mut rows), largest, bounds) {
                    Err(error) if !error.is_contradiction() => return Err(error),
                    read => kakuros.push(read),
                },
                [name, count] if name == "values" && rows.is_empty() => {
                    let error = |_| ReadError::Sum { line: number, symbol: excerpt(count) };
                    largest = values.unwrap_or(count.parse().map_err(error)?);
                }
                _ if is_comment(line, &words) || is_frame(line) => {}
                _ => rows.push((number, words)),
            }
        }
        if kakuros.is_empty() { Err(ReadError::Nothing) } else { Ok(kakuros) }
    }
}

/// A comment, unless it is a row that begins with a black cell.
fn is_comment(line: &str, words: &[Cow<'_, str>]) -> bool {
    line.starts_with('#') && words.iter().any(|word| symbol(word).is_none())
}

fn kakuro(rows: &[GridRow<'_>], values: usize, bounds: SumBounds) -> Result<Kakuro, ReadError> {
    let is_drawn = |word: &Cow<'_, str>| word.parse::<u32>().is_err() && symbol(word).is_some();
    let drawn = rows.iter().flat_map(|(_, words)| words).any(is_drawn);
    let (width, places) = if drawn { places(without_size(rows)?)? } else { sums(rows)? };
    Kakuro::new(width, places, values, bounds).map_err(|error| ReadError::Puzzle { line: rows[0].0, error })
}

/// The rows without a line of two numbers above them, which says how many rows and columns there are; a word may say what parts these.
fn without_size<'a, 'b>(rows: &'a [GridRow<'b>]) -> Result<&'a [GridRow<'b>], ReadError> {
    let [(line, first), rest @ ..] = rows else { return Ok(rows) };
    let ([one, other, separator @ ..], false) = (&first[..], rest.is_empty()) else { return Ok(rows) };
    let is_word = separator.len() <= 1 && separator.iter().all(|word| word.chars().all(char::is_alphabetic));
    let (Ok(one), Ok(other), true) = (one.parse::<usize>(), other.parse::<usize>(), is_word) else { return Ok(rows) };
    let (height, width) = (rest.len(), rest.first().map_or(0, |(_, row)| row.len()));
    if [(one, other), (other, one)].contains(&(height, width)) {
        return Ok(rest);
    }
    Err(ReadError::Announced { line: *line, announced: (one, other), found: (height, width) })
}

/// A grid as it looks.
fn places(rows: &[GridRow<'_>]) -> Result<(usize, Vec<Square>), ReadError> {
    let (first, width) = (rows[0].0, rows[0].1.len());
    let mut symbols = Vec::new();
    for (line, words) in rows {
        if words.len() != width {
            return Err(ReadError::Ragged { line: *line, found: words.len(), expected: width });
        }
        for word in words {
            symbols.push(symbol(word).ok_or_else(|| ReadError::Symbol { line: *line, symbol: excerpt(word) })?);
        }
    }
    let to_fill = loose_to_fill(&symbols, width, first)?;
    let place = |symbol: &Symbol| match *symbol {
        Symbol::Square(place) => place,
        Symbol::Either(loose) if Some(loose) == to_fill => Square::White,
        Symbol::Either(_) => Square::BLANK,
    };
    Ok((width, symbols.iter().map(place).collect()))
}

/// The symbol among those that notations disagree about which stands for cells to fill. Cells in the first row or column would have no
/// clue, so what stands there is black; and one symbol for cells to fill is enough.
fn loose_to_fill(symbols: &[Symbol], width: usize, line: usize) -> Result<Option<AmbiguousSymbol>, ReadError> {
    if symbols.contains(&Symbol::Square(Square::White)) {
        return Ok(None);
    }
    let is_edge = |index: usize| index < width || index.is_multiple_of(width);
    let (mut inside, mut edge) = ([false; AmbiguousSymbol::ALL.len()], [false; AmbiguousSymbol::ALL.len()]);
    for (index, symbol) in symbols.iter().enumerate() {
        if let Symbol::Either(loose) = *symbol {
            let there = if is_edge(index) { &mut edge } else { &mut inside };
            there[loose as usize] = true;
        }
    }
    let mut candidates =
        AmbiguousSymbol::ALL.into_iter().filter(|&loose| inside[loose as usize] && !edge[loose as usize]);
    match (candidates.next(), candidates.next()) {
        (Some(one), Some(other)) => Err(ReadError::Unclear { line, one: one.text(), other: other.text() }),
        (one, _) => Ok(one),
    }
}

/// An empty grid: the sums of its columns, then those of its rows.
fn sums(rows: &[GridRow<'_>]) -> Result<(usize, Vec<Square>), ReadError> {
    let sum = |line: usize, word: &str| word.parse::<u32>().map_err(|_| ReadError::Sum { line, symbol: excerpt(word) });
    let (line, columns) = &rows[0];
    // Two lists of a million sums each would make a grid that fits nowhere.
    if columns.len() >= MAX_SIDE || rows.len() > MAX_SIDE {
        let error = PuzzleError::Size { columns: columns.len() + 1, rows: rows.len() };
        return Err(ReadError::Puzzle { line: *line, error });
    }
    let mut places = vec![Square::BLANK];
    for word in columns {
        places.push(Square::Black { down: Some(sum(*line, word)?), across: None });
    }
    for (line, words) in &rows[1..] {
        let [word] = &words[..] else { return Err(ReadError::Sum { line: *line, symbol: excerpt(&words.join(" ")) }) };
        places.push(Square::Black { down: None, across: Some(sum(*line, word)?) });
        places.extend(std::iter::repeat_n(Square::White, columns.len()));
    }
    Ok((columns.len() + 1, places))
}
