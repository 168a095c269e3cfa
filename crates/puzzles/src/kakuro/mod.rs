//! Kakuro: fill lines of cells with different values that have given sums.
//!
//! Both as the papers pose it (an empty N × N grid with a sum for every row and column, values 1 to k) and as puzzlers do (black
//! cells with clues): the first is a grid whose clues all stand in its first row and column.

mod draw;
mod formula;
mod layout;
mod logic;
mod presentation;
mod puzzle;
mod read;
mod rules;
mod shape;
mod sums;
mod symbols;

use std::sync::Arc;

use nestling::engine::Formula;
use nestling::{Allowance, Certificate, Goal, Illegal, Problem, Suggestion};

use crate::domains::{Assignment, Domains, dfs_and, fill, name, only, up_to, values};
use layout::{Layout, NONE};
pub(crate) use sums::{combinations, greatest, least, only_combination};

pub use crate::domains::MAX_VALUES;
pub use draw::{draw, svg};
pub use layout::{MAX_SIDE, Square};
pub(crate) use puzzle::attempt;
pub use read::ReadError;

/// The largest size of generated grids: beyond it random fillings take too long to find.
pub const MAX_SEEDED_SIZE: usize = 20;

/// Which values an assignment rules out in a line whose sum is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SumBounds {
    /// Values above what is left of the sum.
    Weak,
    /// Values above what is left when the other free cells have the least values possible.
    Strong,
    /// Also values below what is left when the other free cells have the greatest values possible.
    #[default]
    Both,
}

/// Why a grid is not a solvable Kakuro.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleError {
    /// The grid is too large or too small.
    #[error("{columns} columns and {rows} rows, clues included: a Kakuro has 2 to {MAX_SIDE} of each")]
    Size {
        /// The number of columns.
        columns: usize,
        /// The number of rows.
        rows: usize,
    },
    /// A generated grid cannot have this size.
    #[error("size {0}: generated grids have 1 to {MAX_SEEDED_SIZE} rows and columns; larger ones come from files")]
    SeededSize(usize),
    /// Too many values, or none.
    #[error("values 1 to {0}: a Kakuro has 1 to {MAX_VALUES} values")]
    Values(usize),
    /// A row is longer than there are values.
    #[error("{cells} cells in a row, but only {values} values, which must be different; add values={cells} or more")]
    Few {
        /// The length of a row.
        cells: usize,
        /// The number of values.
        values: usize,
    },
    /// A clue without cells.
    #[error("{line}: the sum {sum} has no cells")]
    NoCells {
        /// Where.
        line: String,
        /// The sum.
        sum: u32,
    },
    /// Cells without a clue.
    #[error("{0}: the cells have no sum")]
    NoSum(String),
    /// A sum that no values have.
    #[error("no solution: {line}: no {cells} different values of 1 to {values} have the sum {sum}")]
    Unreachable {
        /// Where.
        line: String,
        /// How many cells there are.
        cells: usize,
        /// The largest value.
        values: usize,
        /// The sum.
        sum: u32,
    },
    /// Rows and columns disagree on the sum of all cells.
    #[error("no solution: the rows have the sum {across}, the columns {down}")]
    Totals {
        /// The sum of the rows.
        across: u32,
        /// The sum of the columns.
        down: u32,
    },
    /// A cell that no value fits.
    #[error("no solution: no value is left for {0}")]
    Stuck(String),
}

impl PuzzleError {
    /// Whether the puzzle is well-formed, but has no solution.
    pub fn is_contradiction(&self) -> bool {
        matches!(self, PuzzleError::Unreachable { .. } | PuzzleError::Totals { .. } | PuzzleError::Stuck(_))
    }
}

/// A Kakuro, and at the same time one state of it.
///
/// The legal moves are the values that are possible for one cell, the first of those with the fewest. After every assignment its value
/// is taken from the cells of the same lines, and values beyond the [`SumBounds`] of these lines with it; a cell without values,
/// or a full line with a wrong sum, ends the game. The score counts 1 + the cells that are free then, 0 if the Kakuro is solved.
///
/// ```
/// use nestling::Run;
/// use nestling_puzzles::kakuro::{SumBounds, Kakuro};
///
/// let kakuro = Kakuro::seeded(6, 7, 1, SumBounds::Strong)?;
/// let outcome = Run::new(&kakuro, "repeat(nested(2))".parse()?).time(std::time::Duration::from_secs(60)).start()?;
/// assert!(outcome.score().unwrap() == 0.0 && outcome.proven);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Kakuro {
    layout: Arc<Layout>,
    bounds: SumBounds,
    domains: Domains,
    lines: Vec<Remainder>,
}

/// The remainder of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Remainder {
    /// The sum of the free cells.
    sum: i32,
    free: u32,
    /// The values not in the line yet.
    unused: u64,
    /// The values within the line's bounds.
    within: u64,
}

impl Kakuro {
    /// A Kakuro with values 1 to `values` on a grid of places, row by row; the clues of the first lines stand in the first column and
    /// the first row.
    ///
    /// # Errors
    ///
    /// When clues and cells do not go together, or the bounds show that there is no solution.
    pub fn new(width: usize, places: Vec<Square>, values: usize, bounds: SumBounds) -> Result<Kakuro, PuzzleError> {
        let layout = Layout::new(width, places, values)?;
        layout.check_sums()?;
        let kakuro = Kakuro::start(layout, bounds);
        let stuck = |&cell: &usize| kakuro.domains.is_free(cell) && kakuro.domains.set(cell) == 0;
        match (0..kakuro.layout.places.len()).find(stuck) {
            Some(cell) => Err(PuzzleError::Stuck(name(cell, width, 0))),
            None => Ok(kakuro),
        }
    }

    fn start(layout: Layout, bounds: SumBounds) -> Kakuro {
        let white: Vec<bool> = layout.places.iter().map(|&place| place == Square::White).collect();
        let all = up_to(layout.values);
        let whole = |line: &layout::Line| Remainder {
            sum: line.sum.unwrap_or(0) as i32,
            free: line.cells.len() as u32,
            unused: all,
            within: all,
        };
        let lines = layout.lines.iter().map(whole).collect();
        let mut kakuro = Kakuro { domains: Domains::new(&white, all), lines, layout: Arc::new(layout), bounds };
        (0..kakuro.lines.len()).for_each(|line| kakuro.narrow(line));
        kakuro
    }

    /// An empty `size` × `size` grid with the sums of a random filling with values 1 to `values`. It has a solution, maybe several.
    pub fn seeded(size: usize, values: usize, seed: u64, bounds: SumBounds) -> Result<Kakuro, PuzzleError> {
        if !(1..=MAX_SEEDED_SIZE).contains(&size) {
            return Err(PuzzleError::SeededSize(size));
        }
        if values < size {
            return Err(PuzzleError::Few { cells: size, values });
        }
        let width = size + 1;
        let place =
            |cell: usize| if cell < width || cell.is_multiple_of(width) { Square::BLANK } else { Square::White };
        let places: Vec<Square> = (0..width * width).map(place).collect();
        let filled = fill(&Kakuro::start(Layout::new(width, places.clone(), values)?, bounds), seed);
        let sum =
            |cells: &mut dyn Iterator<Item = usize>| cells.map(|cell| u32::from(filled.domains.values()[cell])).sum();
        let clue = |(cell, place): (usize, Square)| match (cell / width, cell % width) {
            (0, 0) => Square::BLANK,
            (0, column) => {
                Square::Black { down: Some(sum(&mut (1..width).map(|row| row * width + column))), across: None }
            }
            (row, 0) => {
                Square::Black { down: None, across: Some(sum(&mut (1..width).map(|column| row * width + column))) }
            }
            _ => place,
        };
        Kakuro::new(width, places.into_iter().enumerate().map(clue).collect(), values, bounds)
    }

    /// The number of columns, the one with the clues included.
    pub fn width(&self) -> usize {
        self.layout.width
    }

    /// The largest value.
    pub fn largest(&self) -> usize {
        self.layout.values
    }

    /// The places of the grid, row by row.
    pub fn places(&self) -> &[Square] {
        &self.layout.places
    }

    /// The values so far, place by place; 0 for those without one.
    pub fn values(&self) -> &[u8] {
        self.domains.values()
    }

    /// The values that a cell can still have, as far as the bounds of its lines tell; none if it has one.
    pub fn possible(&self, cell: usize) -> Vec<u8> {
        values(self.domains.set(cell)).collect()
    }

    /// Reads moves such as `r3c4=7`, in any order; row and column 0 are those of the clues.
    pub fn parse(&self, texts: &[&str]) -> Result<Vec<Assignment>, Illegal> {
        let moves = Assignment::parse_all(texts, (self.layout.width, self.layout.height), 0)?;
        self.certify(&moves).map(|_| moves)
    }

    /// Rules out values beyond the bounds of a line.
    #[inline]
    fn narrow(&mut self, index: usize) {
        let line = &mut self.lines[index];
        let layout = &self.layout.lines[index];
        if layout.sum.is_none() {
            return;
        }
        if line.free == 0 {
            if line.sum != 0 {
                self.domains.fail();
            }
            return;
        }
        let within = line.bounds(self.bounds);
        if within & line.within == line.within {
            return;
        }
        line.within &= within;
        for &cell in &layout.cells {
            self.domains.restrict(cell.into(), within);
        }
    }
}

impl Remainder {
    /// The values that one free cell can have beside the others.
    #[inline]
    fn bounds(&self, bounds: SumBounds) -> u64 {
        let others = self.free - 1;
        let least = if bounds == SumBounds::Weak { 0 } else { least(self.unused, others) };
        let highest = up_to(usize::try_from(self.sum - least).unwrap_or(0));
        if bounds != SumBounds::Both {
            return highest;
        }
        let below = self.sum - greatest(self.unused, others) - 1;
        highest & !up_to(usize::try_from(below).unwrap_or(0))
    }
}

clone_state!(Kakuro: shared [layout], owned [domains, lines], plain [bounds]);

impl Problem for Kakuro {
    type Move = Assignment;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<Assignment>) {
        self.domains.moves(moves);
    }

    fn play(&mut self, played: Assignment) {
        self.domains.assign(played);
        for index in self.layout.lines_of[usize::from(played.cell)] {
            if index == NONE {
                continue;
            }
            let line = &mut self.lines[usize::from(index)];
            line.sum -= i32::from(played.value);
            line.free -= 1;
            line.unused &= !only(played.value);
            for &cell in &self.layout.lines[usize::from(index)].cells {
                self.domains.exclude(cell.into(), played.value);
            }
            self.narrow(index.into());
        }
    }

    fn score(&self) -> f64 {
        self.domains.score()
    }

    fn goal(&self) -> Goal {
        Goal::Min
    }

    fn bound(&self) -> Option<f64> {
        Some(0.0)
    }

    fn code(&self, played: Assignment) -> u64 {
        u64::from(played.cell) * self.layout.values as u64 + u64::from(played.value) - 1
    }

    fn dense_codes(&self) -> usize {
        self.layout.places.len() * self.layout.values
    }

    fn default_search(&self, _: Allowance) -> Suggestion {
        dfs_and(self.formula().is_some())
    }

    fn move_text(&self, played: Assignment) -> String {
        played.text(self.layout.width, 0)
    }

    /// None if some line has too many sets of values with its sum.
    fn formula(&self) -> Option<Formula<Assignment>> {
        formula::formula(self)
    }

    /// Cells may be filled in any order: the rules of Kakuro know none.
    fn certify(&self, moves: &[Assignment]) -> Result<Certificate, Illegal> {
        rules::certify(&self.layout, self.bounds, self.domains.values(), moves)
    }
}

impl Kakuro {
    /// How many cells are free.
    fn free(&self) -> usize {
        (0..self.layout.places.len()).filter(|&cell| self.domains.is_free(cell)).count()
    }
}
