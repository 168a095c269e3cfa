//! Kakuros as text.

use super::{Bounds, Kakuro, Place, PuzzleError};

/// The largest value, where nobody says otherwise.
const USUAL_VALUES: usize = 9;

/// Why a text is no Kakuro.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A row is longer or shorter than the first.
    #[error("line {line}: {found} places, but the first row has {expected}; every row must have as many")]
    Ragged {
        /// The line, from 1.
        line: usize,
        /// How many places it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// Something that is no place of a grid.
    #[error(
        "line {line}: {symbol:?} is no place; write . for a cell, # for a black one, and clues as 17\\, \\16 or 17\\16 (down\\across)"
    )]
    Symbol {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        symbol: String,
    },
    /// Something that is no sum.
    #[error(
        "line {line}: {symbol:?} is no sum; write the sums of the columns in one line, then the sum of each row in a line of its own"
    )]
    Sum {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        symbol: String,
    },
    /// The puzzle itself is wrong.
    #[error("line {line}: {error}")]
    Puzzle {
        /// The line of its first row, from 1.
        line: usize,
        /// What is wrong.
        error: PuzzleError,
    },
    /// There is nothing in the text.
    #[error("there is no Kakuro in it")]
    Nothing,
}

impl ReadError {
    /// Whether the text is well-formed, but the Kakuro has no solution.
    pub fn is_contradiction(&self) -> bool {
        matches!(self, ReadError::Puzzle { error, .. } if error.is_contradiction())
    }
}

/// A line of a file, and its words.
type Row<'a> = (usize, Vec<&'a str>);

impl Kakuro {
    /// All Kakuros of a text, with an empty line between them. One with black cells is written as it looks: a place for each cell, `.`
    /// for a cell to fill, `#` for a black one, `17\`, `\16` or `17\16` for a clue (down, across). An empty grid is written as
    /// its sums: a line for the columns, then a line for each row. Values go from 1 to `values`, to 9 without it; a line
    /// `values 7` in the text says the same. Lines that begin with `# ` are comments.
    ///
    /// ```
    /// use nestling_puzzles::kakuro::{Bounds, Kakuro};
    /// let text = "# down\\across\n#   3\\  4\\\n\\4  .   .\n\\3  .   .\n\nvalues 4\n3 4\n4\n3\n";
    /// let kakuros = Kakuro::read(text, None, Bounds::Strong).unwrap();
    /// assert_eq!(kakuros.len(), 2);
    /// assert_eq!((kakuros[0].largest(), kakuros[1].largest()), (9, 4));
    /// assert_eq!(kakuros[0].places(), kakuros[1].places());
    /// ```
    pub fn read(text: &str, values: Option<usize>, bounds: Bounds) -> Result<Vec<Kakuro>, ReadError> {
        let mut kakuros = Vec::new();
        let mut rows: Vec<Row<'_>> = Vec::new();
        let mut largest = values.unwrap_or(USUAL_VALUES);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in text.lines().chain([""]).enumerate() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [] if rows.is_empty() => {}
                [] => kakuros.push(kakuro(&std::mem::take(&mut rows), largest, bounds)?),
                ["values", count] if rows.is_empty() => {
                    let count = count.parse();
                    let error = |_| ReadError::Sum { line: number + 1, symbol: short(words[1]) };
                    largest = values.unwrap_or(count.map_err(error)?);
                }
                _ if is_comment(line, &words) => {}
                _ => rows.push((number + 1, words)),
            }
        }
        if kakuros.is_empty() { Err(ReadError::Nothing) } else { Ok(kakuros) }
    }
}

/// As much of a text as a message has room for.
fn short(text: &str) -> String {
    let mut short: String = text.chars().take(30).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// A comment, unless it is a row that begins with a black cell.
fn is_comment(line: &str, words: &[&str]) -> bool {
    line.starts_with('#') && words.iter().any(|word| place(word).is_none())
}

fn place(word: &str) -> Option<Place> {
    match word {
        "." | "_" | "0" => return Some(Place::White),
        "#" | "X" | "x" | "\\" => return Some(Place::BLANK),
        _ => {}
    }
    let (down, across) = word.split_once('\\')?;
    let sum = |text: &str| match text {
        "" => Some(None),
        _ => text.parse().ok().map(Some),
    };
    Some(Place::Black { down: sum(down)?, across: sum(across)? })
}

fn kakuro(rows: &[Row<'_>], values: usize, bounds: Bounds) -> Result<Kakuro, ReadError> {
    let drawn =
        rows.iter().flat_map(|(_, words)| words).any(|word| word.parse::<u32>().is_err() && place(word).is_some());
    let (width, places) = if drawn { places(rows)? } else { sums(rows)? };
    Kakuro::new(width, places, values, bounds).map_err(|error| ReadError::Puzzle { line: rows[0].0, error })
}

/// A grid as it looks.
fn places(rows: &[Row<'_>]) -> Result<(usize, Vec<Place>), ReadError> {
    let width = rows[0].1.len();
    let mut places = Vec::new();
    for (line, words) in rows {
        if words.len() != width {
            return Err(ReadError::Ragged { line: *line, found: words.len(), expected: width });
        }
        for word in words {
            places.push(place(word).ok_or_else(|| ReadError::Symbol { line: *line, symbol: short(word) })?);
        }
    }
    Ok((width, places))
}

/// An empty grid: the sums of its columns, then those of its rows.
fn sums(rows: &[Row<'_>]) -> Result<(usize, Vec<Place>), ReadError> {
    let sum = |line: usize, word: &str| word.parse::<u32>().map_err(|_| ReadError::Sum { line, symbol: short(word) });
    let (line, columns) = &rows[0];
    let mut places = vec![Place::BLANK];
    for word in columns {
        places.push(Place::Black { down: Some(sum(*line, word)?), across: None });
    }
    for (line, words) in &rows[1..] {
        let [word] = words[..] else { return Err(ReadError::Sum { line: *line, symbol: short(&words.join(" ")) }) };
        places.push(Place::Black { down: None, across: Some(sum(*line, word)?) });
        places.extend(std::iter::repeat_n(Place::White, columns.len()));
    }
    Ok((columns.len() + 1, places))
}
