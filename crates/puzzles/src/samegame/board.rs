//! Boards to start from: read from text, or drawn from a seed.

use nestling::Stream;

/// The most colours a board can have: the symbols `0` to `9` and `a` to `f`.
pub const MAX_COLOURS: usize = 16;

/// The most columns, and the most rows.
pub const MAX_SIDE: usize = 64;

/// A full board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameGameBoard {
    columns: usize,
    rows: usize,
    /// The colours, column after column, each from below.
    cells: Vec<u8>,
}

/// Why a text is no board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// A row is longer or shorter than the one above it.
    #[error("line {line}: {found} cells, but the rows above have {expected}; all rows must have the same number")]
    Ragged {
        /// The line, from 1.
        line: usize,
        /// How many cells it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A symbol that is no colour.
    #[error("line {line}: {symbol:?} is not a colour; the 16 colours are 0 to 9 and a to f")]
    Symbol {
        /// The line, from 1.
        line: usize,
        /// The symbol.
        symbol: char,
    },
    /// The board is too large.
    #[error("{columns} columns and {rows} rows: a board has 1 to {MAX_SIDE} of each")]
    Size {
        /// The number of columns.
        columns: usize,
        /// The number of rows.
        rows: usize,
    },
    /// There are too many colours, or none.
    #[error("{0} colours: a board has 1 to {MAX_COLOURS}")]
    Colours(usize),
    /// There is no board in the text.
    #[error("no board found; a board is lines of digits, one digit for each cell")]
    Nothing,
}

impl SameGameBoard {
    /// A board with every cell drawn from `seed`, all colours equally likely.
    ///
    /// ```
    /// use nestling_puzzles::samegame::SameGameBoard;
    /// assert_eq!(SameGameBoard::seeded(15, 15, 5, 7), SameGameBoard::seeded(15, 15, 5, 7));
    /// assert!(SameGameBoard::seeded(15, 15, 17, 7).is_err());
    /// ```
    pub fn seeded(columns: usize, rows: usize, colours: usize, seed: u64) -> Result<SameGameBoard, BoardError> {
        if !(1..=MAX_COLOURS).contains(&colours) {
            return Err(BoardError::Colours(colours));
        }
        SameGameBoard::sized(columns, rows)?;
        let mut rng = Stream::new(seed).rng();
        let cells = (0..columns * rows).map(|_| rng.below(colours) as u8).collect();
        Ok(SameGameBoard { columns, rows, cells })
    }

    fn sized(columns: usize, rows: usize) -> Result<(), BoardError> {
        let fits = |side| (1..=MAX_SIDE).contains(&side);
        if fits(columns) && fits(rows) { Ok(()) } else { Err(BoardError::Size { columns, rows }) }
    }

    /// All boards of a text: a line of symbols for each row, the top row first, and an empty line between boards. Blanks
    /// between the symbols do not count, and lines that begin with `#` are comments.
    ///
    /// ```
    /// use nestling_puzzles::samegame::SameGameBoard;
    /// let boards = SameGameBoard::read("011\n001\n\n22\n22\n")?;
    /// assert_eq!((boards.len(), boards[0].columns(), boards[0].colour(1, 0)), (2, 3, 0));
    /// assert_eq!(SameGameBoard::read("011\n01\n").unwrap_err().to_string(),
    ///     "line 2: 2 cells, but the rows above have 3; all rows must have the same number");
    /// # Ok::<(), nestling_puzzles::samegame::BoardError>(())
    /// ```
    pub fn read(text: &str) -> Result<Vec<SameGameBoard>, BoardError> {
        let mut boards = Vec::new();
        let mut rows: Vec<Vec<u8>> = Vec::new();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in text.lines().chain([""]).enumerate() {
            if line.trim_start().starts_with('#') {
                continue;
            }
            let row = symbols(line, number + 1)?;
            match (row.is_empty(), rows.first()) {
                (true, None) => {}
                (true, Some(_)) => boards.push(SameGameBoard::from_rows(&std::mem::take(&mut rows))?),
                (false, Some(first)) if first.len() != row.len() => {
                    let (found, expected) = (row.len(), first.len());
                    return Err(BoardError::Ragged { line: number + 1, found, expected });
                }
                (false, _) => rows.push(row),
            }
        }
        if boards.is_empty() { Err(BoardError::Nothing) } else { Ok(boards) }
    }

    fn from_rows(rows: &[Vec<u8>]) -> Result<SameGameBoard, BoardError> {
        let (columns, height) = (rows[0].len(), rows.len());
        SameGameBoard::sized(columns, height)?;
        let cells = (0..columns).flat_map(|column| rows.iter().rev().map(move |row| row[column])).collect();
        Ok(SameGameBoard { columns, rows: height, cells })
    }

    /// How many columns it has.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The colour of a cell; column and row from 0, the lower left corner first.
    pub fn colour(&self, column: usize, row: usize) -> u8 {
        self.cells[column * self.rows + row]
    }

    /// The colours of a column, from below.
    pub fn column(&self, column: usize) -> &[u8] {
        &self.cells[column * self.rows..][..self.rows]
    }

    /// How many cells of every colour there are.
    pub fn counts(&self) -> [u16; MAX_COLOURS] {
        let mut counts = [0; MAX_COLOURS];
        self.cells.iter().for_each(|&colour| counts[usize::from(colour)] += 1);
        counts
    }

    /// The most frequent colour, the lowest of several: the tabu colour of TabuColorRandom.
    pub fn commonest(&self) -> u8 {
        let counts = self.counts();
        let most = counts.iter().max().copied().unwrap_or(0);
        counts.iter().position(|&count| count == most).unwrap_or(0) as u8
    }
}

impl std::fmt::Display for SameGameBoard {
    /// The board as [`SameGameBoard::read`] reads it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for row in (0..self.rows).rev() {
            for column in 0..self.columns {
                write!(f, "{:x}", self.colour(column, row))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

fn symbols(line: &str, number: usize) -> Result<Vec<u8>, BoardError> {
    let colour = |symbol: char| {
        let digit = symbol.to_digit(16).ok_or(BoardError::Symbol { line: number, symbol })?;
        Ok(digit as u8)
    };
    line.chars().filter(|symbol| !symbol.is_whitespace()).map(colour).collect()
}
