//! Sudokus as text.

use super::{GridError, MAX_ORDER, Sudoku};

/// Why a text is no Sudoku.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A row is longer or shorter than the others.
    #[error("line {line}: {found} cells, but the first row has {expected}; every row must have as many")]
    Ragged {
        /// The line, from 1.
        line: usize,
        /// How many cells it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// The rows make no square, or none with square boxes.
    #[error(
        "line {line}: {rows} rows of {columns} cells; a Sudoku is 4 × 4, 9 × 9, 16 × 16 and so on up to 64 × 64, or all in one line"
    )]
    Shape {
        /// The line of its first row, from 1.
        line: usize,
        /// The number of rows.
        rows: usize,
        /// The number of cells in the first.
        columns: usize,
    },
    /// A symbol that is no value.
    #[error("line {line}: {symbol:?} is no value of a {side} × {side} Sudoku; {}", values(*.side))]
    Symbol {
        /// The line, from 1.
        line: usize,
        /// The symbol.
        symbol: String,
        /// The number of values.
        side: usize,
    },
    /// There is nothing in the text.
    #[error("there is no Sudoku in it; write a line for each row, with . for an empty cell")]
    Nothing,
    /// The grid has no solution.
    #[error("line {line}: {error}")]
    Grid {
        /// The line of its first row, from 1.
        line: usize,
        /// What is wrong.
        error: GridError,
    },
}

impl ReadError {
    /// Whether the text is well-formed, but the Sudoku has no solution.
    pub fn is_contradiction(&self) -> bool {
        matches!(self, ReadError::Grid { error, .. } if error.is_contradiction())
    }
}

fn values(side: usize) -> String {
    match side {
        0..=9 => format!("they are 1 to {side}, and . for an empty cell"),
        10..=35 => format!("they are 1 to 9 and A to {}, or numbers, and . for an empty cell", letter(side)),
        _ => format!("they are the numbers 1 to {side}, and . for an empty cell"),
    }
}

/// The letter of a value above 9.
pub(super) fn letter(value: usize) -> char {
    char::from(b'A' + (value - 10) as u8)
}

/// A row of symbols, each a value or a blank.
type Row<'a> = (usize, Vec<&'a str>);

impl Sudoku {
    /// All Sudokus of a text, as they are usually written: a line for each row, or a whole Sudoku in each line. Values are single
    /// symbols (`1` to `9`, then letters; with `.` for blanks also `0` to `F`) or numbers with blanks between them; `.`, `0`, `_`
    /// and `*` are empty cells, frames of `|`, `+`, `-` and `=` do not count, and lines that begin with `#` are comments.
    ///
    /// ```
    /// use nestling_puzzles::sudoku::Sudoku;
    /// let sudokus = Sudoku::read("1... ..3. .4.. ...2\n\n1 .|. .\n. .|3 .\n---+---\n. 4|. .\n. .|. 2\n").unwrap();
    /// assert_eq!(sudokus.len(), 2);
    /// assert_eq!(sudokus[0].givens(), sudokus[1].givens());
    /// assert_eq!(Sudoku::read("1.1.\n....\n....\n....\n").unwrap_err().to_string(),
    ///     "line 1: no solution: 1 stands twice in row 1, at r1c1 and r1c3");
    /// ```
    pub fn read(text: &str) -> Result<Vec<Sudoku>, ReadError> {
        let mut sudokus = Vec::new();
        let mut rows: Vec<Row<'_>> = Vec::new();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in text.lines().chain([""]).enumerate() {
            let is_frame = |line: &str| !line.is_empty() && line.chars().all(|symbol| "-+=| \t".contains(symbol));
            match line.trim() {
                "" => block(&std::mem::take(&mut rows), &mut sudokus)?,
                line if line.starts_with('#') || is_frame(line) => {}
                line => rows.push((number + 1, cells(line))),
            }
        }
        if sudokus.is_empty() { Err(ReadError::Nothing) } else { Ok(sudokus) }
    }
}

/// The cells of a line: its words if these are numbers, of which some have two digits and which make a row; else its symbols.
fn cells(line: &str) -> Vec<&str> {
    let words: Vec<&str> = line.split(|symbol: char| symbol.is_whitespace() || symbol == '|').collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let is_cell = |word: &&str| is_blank(word) || word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_row = order(words.len()).is_some() && words.iter().all(is_cell);
    if is_row && words.iter().any(|word| word.len() > 1) {
        return words;
    }
    words
        .into_iter()
        .flat_map(|word| word.char_indices().map(|(at, symbol)| &word[at..at + symbol.len_utf8()]))
        .collect()
}

fn is_blank(symbol: &str) -> bool {
    matches!(symbol, "." | "0" | "_" | "*" | "00")
}

/// The order of Sudokus with so many cells in a row.
fn order(side: usize) -> Option<usize> {
    (2..=MAX_ORDER).find(|order| order * order == side)
}

/// Lines without an empty one between them: the rows of a Sudoku, or a Sudoku each.
fn block(rows: &[Row<'_>], sudokus: &mut Vec<Sudoku>) -> Result<(), ReadError> {
    let Some((line, first)) = rows.first() else { return Ok(()) };
    let (line, columns) = (*line, first.len());
    if let Some(order) = order(columns).filter(|_| rows.len() == columns) {
        if let Some((line, row)) = rows.iter().find(|(_, row)| row.len() != columns) {
            return Err(ReadError::Ragged { line: *line, found: row.len(), expected: columns });
        }
        let cells: Vec<(usize, &str)> =
            rows.iter().flat_map(|(line, row)| row.iter().map(|&cell| (*line, cell))).collect();
        sudokus.push(sudoku(order, line, &cells)?);
        return Ok(());
    }
    for (line, row) in rows {
        let order = (2..=MAX_ORDER).find(|order: &usize| order.pow(4) == row.len());
        let Some(order) = order else {
            let ragged = rows.iter().find(|(_, row)| row.len() != columns);
            return Err(match ragged {
                Some((line, row)) => ReadError::Ragged { line: *line, found: row.len(), expected: columns },
                None => ReadError::Shape { line: *line, rows: rows.len(), columns },
            });
        };
        let cells: Vec<(usize, &str)> = row.iter().map(|&cell| (*line, cell)).collect();
        sudokus.push(sudoku(order, *line, &cells)?);
    }
    Ok(())
}

fn sudoku(order: usize, line: usize, cells: &[(usize, &str)]) -> Result<Sudoku, ReadError> {
    let side = order * order;
    let has = |wanted: &str| cells.iter().any(|&(_, symbol)| symbol == wanted);
    // Hexadecimal: with dots for the blanks, 0 is the first of sixteen values.
    let from_zero = side == 16 && has(".") && has("0") && !has("G") && !has("g");
    let value = |&(line, symbol): &(usize, &str)| {
        if is_blank(symbol) && !(from_zero && symbol == "0") {
            return Ok(0);
        }
        let number = match symbol.parse::<usize>() {
            Ok(number) => Some(number),
            Err(_) => symbol
                .chars()
                .next()
                .filter(|_| symbol.len() == 1)
                .and_then(|letter| letter.to_digit(36))
                .map(|digit| digit as usize),
        };
        let number = number.map(|number| number + usize::from(from_zero)).filter(|&number| number <= side);
        number.map(|number| number as u8).ok_or_else(|| ReadError::Symbol { line, symbol: symbol.to_owned(), side })
    };
    let givens = cells.iter().map(value).collect::<Result<Vec<u8>, _>>()?;
    Sudoku::new(order, givens).map_err(|error| ReadError::Grid { line, error })
}
