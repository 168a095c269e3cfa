//! The grid of a Kakuro: which cells there are, and which lines they make.

use super::PuzzleError;
use crate::domains::MAX_VALUES;

/// The most columns and rows, clues included.
pub const MAX_SIDE: usize = 64;

/// A place of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Square {
    /// A cell to be filled.
    White,
    /// A black cell, with the sums of the lines that begin below it and to the right of it.
    Black {
        /// The sum of the cells below.
        down: Option<u32>,
        /// The sum of the cells to the right.
        across: Option<u32>,
    },
}

impl Square {
    /// A black cell without clues.
    pub const BLANK: Square = Square::Black { down: None, across: None };
}

/// Cells that must all be different and have a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub cells: Vec<u16>,
    /// No sum while a puzzle is being made.
    pub sum: Option<u32>,
    pub name: String,
}

/// No line.
pub(super) const NONE: u16 = u16::MAX;

/// Everything about a Kakuro that stays the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub width: usize,
    pub height: usize,
    pub values: usize,
    pub places: Vec<Square>,
    pub lines: Vec<Line>,
    /// By cell: its line across and its line down.
    pub lines_of: Vec<[u16; 2]>,
}

impl Layout {
    /// A grid, row by row; every row begins with a clue, and so does every column.
    pub fn new(width: usize, places: Vec<Square>, values: usize) -> Result<Layout, PuzzleError> {
        let height = places.len() / width.max(1);
        if !(2..=MAX_SIDE).contains(&width) || !(2..=MAX_SIDE).contains(&height) {
            return Err(PuzzleError::Size { columns: width, rows: height });
        }
        if !(1..=MAX_VALUES).contains(&values) {
            return Err(PuzzleError::Values(values));
        }
        let lines_of = vec![[NONE; 2]; places.len()];
        let mut layout = Layout { width, height, values, places, lines: Vec::new(), lines_of };
        for row in 0..height {
            layout.add_lines(row * width, 1, width, 0, &format!("row {row}"))?;
        }
        for column in 0..width {
            layout.add_lines(column, width, height, 1, &format!("column {column}"))?;
        }
        Ok(layout)
    }

    /// Finds the lines among the cells `start, start + step, …`.
    fn add_lines(
        &mut self,
        start: usize,
        step: usize,
        count: usize,
        way: usize,
        name: &str,
    ) -> Result<(), PuzzleError> {
        let (mut sum, mut cells) = (None, Vec::new());
        for cell in (0..count).map(|index| start + index * step).chain([usize::MAX]) {
            match self.places.get(cell).copied() {
                Some(Square::White) => cells.push(cell as u16),
                other => {
                    self.add_line(std::mem::take(&mut cells), sum, way, name)?;
                    sum = match other {
                        Some(Square::Black { down, across }) => [across, down][way],
                        _ => None,
                    };
                }
            }
        }
        Ok(())
    }

    fn add_line(&mut self, cells: Vec<u16>, sum: Option<u32>, way: usize, name: &str) -> Result<(), PuzzleError> {
        let (Some(&first), Some(&last)) = (cells.first(), cells.last()) else {
            return match sum {
                Some(sum) => Err(PuzzleError::NoCells { line: name.to_owned(), sum }),
                None => Ok(()),
            };
        };
        let place = |cell: u16| [usize::from(cell) % self.width, usize::from(cell) / self.width][way];
        let whole = cells.len() + 1 == [self.width, self.height][way];
        let name = if whole { name.to_owned() } else { format!("{name}, {} to {}", place(first), place(last)) };
        if cells.len() == 1 && sum.is_none() {
            return Ok(());
        }
        for &cell in &cells {
            self.lines_of[usize::from(cell)][way] = self.lines.len() as u16;
        }
        self.lines.push(Line { cells, sum, name });
        Ok(())
    }

    /// Refuses lines without a sum, and sums that no values have.
    pub fn check_sums(&self) -> Result<(), PuzzleError> {
        for Line { cells, sum, name } in &self.lines {
            let (line, cells) = (name.clone(), cells.len());
            let Some(sum) = *sum else { return Err(PuzzleError::NoSum(line)) };
            let least = cells * (cells + 1) / 2;
            let reachable = cells <= self.values && {
                let most = least + cells * (self.values - cells);
                (least..=most).contains(&(sum as usize))
            };
            if !reachable {
                return Err(PuzzleError::Unreachable { line, cells, values: self.values, sum });
            }
        }
        let crossed = |lines: &[u16; 2], place: &Square| *place != Square::White || !lines.contains(&NONE);
        if self.lines_of.iter().zip(&self.places).all(|(lines, place)| crossed(lines, place)) {
            let total = |way: usize| -> u32 {
                let of_way =
                    |&(index, _): &(usize, &Line)| self.lines_of.iter().any(|lines| usize::from(lines[way]) == index);
                self.lines.iter().enumerate().filter(of_way).filter_map(|(_, line)| line.sum).sum()
            };
            let (across, down) = (total(0), total(1));
            if across != down {
                return Err(PuzzleError::Totals { across, down });
            }
        }
        Ok(())
    }

    /// Whether this is an empty square grid with a sum for every row and column and nothing else.
    pub fn is_plain(&self) -> bool {
        let inside = |cell: usize| cell >= self.width && !cell.is_multiple_of(self.width);
        (0..self.places.len()).all(|cell| inside(cell) == (self.places[cell] == Square::White))
    }
}
