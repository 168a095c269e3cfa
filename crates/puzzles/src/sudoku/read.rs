//! Sudokus as text.

use super::cells::{cells, dashes, dashes_are_cells, is_blank, is_frame, order, order_of_all};
use super::{GridError, Sudoku};
use crate::excerpt::excerpt;

/// Why a text is not a Sudoku.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A row is longer or shorter than the others.
    #[error("line {line}: {found} cells, but the first row has {expected}; all rows must have the same number")]
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
    /// A symbol that is not a value.
    #[error("line {line}: {symbol:?} is not a value of a {side} × {side} Sudoku; {}", values(*.side))]
    Symbol {
        /// The line, from 1.
        line: usize,
        /// The symbol.
        symbol: String,
        /// The number of values.
        side: usize,
    },
    /// A line above the rows names another size than they have.
    #[error(
        "line {line}: {found} is neither the order of the boxes nor the number of cells in the rows below, which is {columns}"
    )]
    Header {
        /// The line, from 1.
        line: usize,
        /// The number there.
        found: usize,
        /// The number of cells in the first row.
        columns: usize,
    },
    /// There is nothing in the text.
    #[error("no Sudoku found; write a line for each row, with . for an empty cell")]
    Nothing,
    /// The grid has no solution.
    #[error("line {line}: {error}")]
    Grid {
        /// The line of its first row, from 1.
        line: usize,
        /// The error.
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
        0..=9 => format!("values are 1 to {side}, and . for an empty cell"),
        10..=35 => format!("values are 1 to 9 and A to {}, or numbers, and . for an empty cell", letter(side)),
        _ => format!("values are the numbers 1 to {side}, and . for an empty cell"),
    }
}

/// The letter of a value above 9.
pub(super) fn letter(value: usize) -> char {
    char::from(b'A' + (value - 10) as u8)
}

/// The most lines above the rows that are not part of them.
const HEADERS: usize = 2;

/// A row of symbols, each a value or a blank.
type GridRow<'a> = (usize, Vec<&'a str>);

impl Sudoku {
    /// All Sudokus of a text, as they are usually written: a line for each row, or a whole Sudoku in each line, with an empty line
    /// between Sudokus. Values are single symbols (`1` to `9`, then letters; with `.` for blanks also `0` to `F`), or numbers with blanks,
    /// commas or semicolons between them. Empty cells are `.`, `0`, `_`, `*`, `-` among values, `-1` among numbers, or nothing
    /// between two commas. Frames and brackets do not count, and lines that begin with `#` are comments. Above the rows there may
    /// be one or two lines with a number: the order of the boxes or the number of cells in a row, and anything.
    ///
    /// ```
    /// use nestling_puzzles::sudoku::Sudoku;
    /// let sudokus = Sudoku::read("1... ..3. .4.. ...2\n\n1 .|. .\n. .|3 .\n---+---\n. 4|. .\n. .|. 2\n").unwrap();
    /// assert_eq!(sudokus.len(), 2);
    /// assert_eq!(sudokus[0].givens(), sudokus[1].givens());
    /// let numbers = Sudoku::read("2\n1\n1 -1 -1 -1\n-1 -1 3 -1\n-1 4 -1 -1\n-1 -1 -1 2\n").unwrap();
    /// assert_eq!(numbers[0].givens(), sudokus[0].givens());
    /// let zeros = Sudoku::read("10 00\n00 30\n04 00\n00 02\n").unwrap();
    /// assert_eq!(zeros[0].givens(), sudokus[0].givens());
    /// assert_eq!(Sudoku::read("1.1.\n....\n....\n....\n").unwrap_err().to_string(),
    ///     "line 1: no solution: 1 is twice in row 1, at r1c1 and r1c3");
    /// ```
    pub fn read(text: &str) -> Result<Vec<Sudoku>, ReadError> {
        Sudoku::read_each(text)?.into_iter().collect()
    }

    /// The same, each Sudoku by itself: one without a solution does not spoil the others.
    ///
    /// # Errors
    ///
    /// When the text cannot be read as Sudokus.
    pub fn read_each(text: &str) -> Result<Vec<Result<Sudoku, ReadError>>, ReadError> {
        let mut sudokus = Vec::new();
        let mut lines: Vec<(usize, &str)> = Vec::new();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            // An empty line below a header does not part it from its rows.
            let is_header = lines.len() <= HEADERS && lines.iter().all(|(_, line)| header(line).is_some());
            if line.is_empty() && !is_header {
                block(&std::mem::take(&mut lines), &mut sudokus)?;
            } else if !line.is_empty() && !line.starts_with('#') {
                lines.push((number, line));
            }
        }
        block(&lines, &mut sudokus)?;
        if sudokus.is_empty() { Err(ReadError::Nothing) } else { Ok(sudokus) }
    }
}

/// The first number of a line that has one or two small numbers and nothing else, so that it is not a row.
fn header(line: &str) -> Option<usize> {
    let words: Vec<&str> = line.split_whitespace().take(3).collect();
    let is_number = |word: &&str| word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    words.first()?.parse().ok().filter(|_| words.len() < 3 && words.iter().all(is_number))
}

/// The rows among lines; what only parts them is left out.
fn rows<'a>(lines: &[(usize, &'a str)]) -> Vec<GridRow<'a>> {
    let dashed = lines.iter().any(|(_, line)| dashes_are_cells(line));
    let side = lines.iter().find(|(_, line)| !is_frame(line)).map_or(0, |(_, line)| cells(line).len());
    let is_row = |line: &str| !is_frame(line) || dashed && dashes(line) == Some(side);
    lines.iter().filter(|(_, line)| is_row(line)).map(|&(number, line)| (number, cells(line))).collect()
}

/// Whether rows are those of one Sudoku.
fn is_square(rows: &[GridRow<'_>]) -> bool {
    order(rows.len()).is_some() && rows.iter().all(|(_, row)| row.len() == rows.len())
}

/// Lines without an empty one between them: the rows of a Sudoku, or a Sudoku each.
fn block(lines: &[(usize, &str)], sudokus: &mut Vec<Result<Sudoku, ReadError>>) -> Result<(), ReadError> {
    // Rows such as `10 03` look like headers; they are none where they complete the square.
    let headers = match is_square(&rows(lines)) {
        true => 0,
        false => lines.iter().take(HEADERS).take_while(|(_, line)| header(line).is_some()).count(),
    };
    let (headers, lines) = lines.split_at(headers);
    let rows = rows(lines);
    let Some((line, first)) = rows.first() else {
        let alone = headers.first().map(|&(line, text)| ReadError::Shape {
            line,
            rows: headers.len(),
            columns: cells(text).len(),
        });
        return alone.map_or(Ok(()), Err);
    };
    let (line, columns) = (*line, first.len());
    if let Some(&(line, text)) = headers.first() {
        let found = header(text).unwrap_or(0);
        if found != columns && Some(found) != order(columns) {
            return Err(ReadError::Header { line, found, columns });
        }
    }
    if let Some(order) = order(columns).filter(|_| rows.len() == columns) {
        if let Some((line, row)) = rows.iter().find(|(_, row)| row.len() != columns) {
            return Err(ReadError::Ragged { line: *line, found: row.len(), expected: columns });
        }
        let cells: Vec<(usize, &str)> =
            rows.iter().flat_map(|(line, row)| row.iter().map(|&cell| (*line, cell))).collect();
        sudokus.push(apart(sudoku(order, line, &cells))?);
        return Ok(());
    }
    for (line, row) in &rows {
        let Some(order) = order_of_all(row.len()) else {
            let ragged = rows.iter().find(|(_, row)| row.len() != columns);
            return Err(match ragged {
                Some((line, row)) => ReadError::Ragged { line: *line, found: row.len(), expected: columns },
                None => ReadError::Shape { line: *line, rows: rows.len(), columns },
            });
        };
        let cells: Vec<(usize, &str)> = row.iter().map(|&cell| (*line, cell)).collect();
        sudokus.push(apart(sudoku(order, *line, &cells))?);
    }
    Ok(())
}

/// A contradiction is about one Sudoku, any other error about the text.
fn apart(read: Result<Sudoku, ReadError>) -> Result<Result<Sudoku, ReadError>, ReadError> {
    match read {
        Err(error) if !error.is_contradiction() => Err(error),
        read => Ok(read),
    }
}

fn sudoku(order: usize, line: usize, cells: &[(usize, &str)]) -> Result<Sudoku, ReadError> {
    let side = order * order;
    let has = |wanted: &str| cells.iter().any(|&(_, symbol)| symbol == wanted);
    // Hexadecimal: with dots for the blanks, 0 is the first of sixteen values; and so it is of any number with -1 for the blanks.
    let hexadecimal = side == 16 && has(".") && has("0") && !has("G") && !has("g");
    let from_zero = hexadecimal || has("-1") && has("0");
    let value = |&(line, symbol): &(usize, &str)| {
        if is_blank(symbol) && !(from_zero && symbol == "0") {
            return Ok(0);
        }
        let number = match symbol.parse::<u16>() {
            Ok(number) => Some(usize::from(number)),
            Err(_) => symbol
                .chars()
                .next()
                .filter(|_| symbol.len() == 1)
                .and_then(|letter| letter.to_digit(36))
                .map(|digit| digit as usize),
        };
        let number = number.map(|number| number + usize::from(from_zero)).filter(|&number| number <= side);
        number.map(|number| number as u8).ok_or_else(|| ReadError::Symbol { line, symbol: excerpt(symbol), side })
    };
    let givens = cells.iter().map(value).collect::<Result<Vec<u8>, _>>()?;
    Sudoku::new(order, givens).map_err(|error| ReadError::Grid { line, error })
}
