//! Puzzles for people: Sudokus and Kakuros of a level, with exactly one solution.

use std::fmt;
use std::str::FromStr;

use nestling::Stream;

use crate::domains::{Assignment, Solved, solve};
use crate::kakuro::{Kakuro, attempt as kakuro_attempt};
use crate::logic::{Grading, Level};
use crate::sudoku::{Sudoku, attempt as sudoku_attempt, puzzle_units};

/// What can be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleKind {
    /// Sudokus.
    Sudoku,
    /// Kakuros.
    Kakuro,
}

impl PuzzleKind {
    /// Both.
    pub const ALL: [PuzzleKind; 2] = [PuzzleKind::Sudoku, PuzzleKind::Kakuro];

    /// The name of the problem.
    pub fn name(self) -> &'static str {
        match self {
            PuzzleKind::Sudoku => "sudoku",
            PuzzleKind::Kakuro => "kakuro",
        }
    }

    /// The sizes that can be generated: the numbers of cells in a row.
    pub fn sizes(self) -> &'static [usize] {
        match self {
            PuzzleKind::Sudoku => &[4, 9, 16],
            PuzzleKind::Kakuro => &[5, 6, 7, 8, 9, 10],
        }
    }

    /// The levels that can be generated in a size.
    pub fn levels(self, size: usize) -> &'static [Level] {
        match self {
            PuzzleKind::Sudoku if size == 4 => &Level::ALL[..1],
            PuzzleKind::Sudoku => &Level::ALL,
            // Grids with one solution that the techniques do not solve are too rare.
            PuzzleKind::Kakuro => &Level::ALL[..4],
        }
    }

    /// The usual size.
    pub fn usual_size(self) -> usize {
        match self {
            PuzzleKind::Sudoku => 9,
            PuzzleKind::Kakuro => 8,
        }
    }
}

impl fmt::Display for PuzzleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PuzzleKind {
    type Err = NoPuzzle;

    fn from_str(text: &str) -> Result<Self, NoPuzzle> {
        let unknown = || NoPuzzle::Kind(text.chars().take(30).collect());
        PuzzleKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(unknown)
    }
}

/// Why there is no such puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPuzzle {
    /// An unknown kind.
    #[error("no puzzles of {0:?}; there are sudoku and kakuro")]
    Kind(String),
    /// A size that is not generated.
    #[error("size {size}: generated {kind}s have {}", sizes(*.kind))]
    Size {
        /// The kind.
        kind: PuzzleKind,
        /// The size.
        size: usize,
    },
    /// A level that is not generated in a size.
    #[error("level {level}: generated {kind}s of size {size} are {}", levels(*.kind, *.size))]
    Level {
        /// The kind.
        kind: PuzzleKind,
        /// The size.
        size: usize,
        /// The level.
        level: Level,
    },
    /// Bad luck.
    #[error(
        "no {kind} of size {size} and level {level} was found in {attempts} attempts; choose another seed, level or size"
    )]
    NotFound {
        /// The kind.
        kind: PuzzleKind,
        /// The size.
        size: usize,
        /// The level.
        level: Level,
        /// How many attempts were made.
        attempts: u64,
    },
    /// It was told to give up.
    #[error("interrupted before a puzzle was found")]
    GivenUp,
}

fn sizes(kind: PuzzleKind) -> String {
    format!("{} cells in a row", any_of(kind.sizes().iter().map(usize::to_string).collect()))
}

fn levels(kind: PuzzleKind, size: usize) -> String {
    any_of(kind.levels(size).iter().map(Level::to_string).collect())
}

/// `easy, medium or hard`
fn any_of(words: Vec<String>) -> String {
    match &words[..] {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => words.concat(),
    }
}

/// A puzzle that was generated.
#[derive(Clone, Debug)]
pub struct GeneratedPuzzle {
    /// What it is.
    pub kind: PuzzleKind,
    /// Its size, level and seed, which generate it again.
    pub size: usize,
    /// Its level.
    pub level: Level,
    /// Its seed.
    pub seed: u64,
    /// As the problem reads it.
    pub text: String,
    /// The techniques that it needs.
    pub grading: Grading,
    /// The one solution.
    pub solution: Vec<Assignment>,
}

/// The attempts after which a level is given up.
const MOST_ATTEMPTS: u64 = 3_000;

/// Generates the puzzle of a kind, level, size and seed. The exact solver has proven that it has one solution. `give_up` is asked after every
/// attempt; these take milliseconds for the usual sizes.
///
/// ```
/// use nestling_puzzles::{PuzzleKind, generate, logic::Level, sudoku::Sudoku};
/// let puzzle = generate(PuzzleKind::Sudoku, Level::Easy, 4, 1, &|| false).unwrap();
/// assert_eq!(Sudoku::read(&puzzle.text).unwrap()[0].grading().level, Level::Easy);
/// ```
///
/// # Errors
///
/// When the size is not generated, or no such puzzle was found.
pub fn generate(
    kind: PuzzleKind,
    level: Level,
    size: usize,
    seed: u64,
    give_up: &dyn Fn() -> bool,
) -> Result<GeneratedPuzzle, NoPuzzle> {
    if !kind.sizes().contains(&size) {
        return Err(NoPuzzle::Size { kind, size });
    }
    if !kind.levels(size).contains(&level) {
        return Err(NoPuzzle::Level { kind, size, level });
    }
    let order = (2..=4).find(|order| order * order == size);
    let units = order.filter(|_| kind == PuzzleKind::Sudoku).map(|order| (order, puzzle_units(order)));
    let stream = Stream::new(seed).child(size as u64).child(level as u64);
    for attempt in 0..MOST_ATTEMPTS {
        if give_up() {
            return Err(NoPuzzle::GivenUp);
        }
        let found = match &units {
            Some((order, units)) => {
                sudoku_attempt(*order, level, units, stream.child(attempt)).map(|made| of_sudoku(&made))
            }
            None => kakuro_attempt(size, level, stream.child(attempt)).map(|made| of_kakuro(&made)),
        };
        if let Some((text, grading, solved)) = found {
            let solution = solved.map(|solved| solved.solution).unwrap_or_default();
            return Ok(GeneratedPuzzle { kind, size, level, seed, text, grading, solution });
        }
    }
    Err(NoPuzzle::NotFound { kind, size, level, attempts: MOST_ATTEMPTS })
}

fn of_sudoku(sudoku: &Sudoku) -> (String, Grading, Option<Solved>) {
    (sudoku.to_string(), sudoku.grading(), solve(sudoku))
}

fn of_kakuro(kakuro: &Kakuro) -> (String, Grading, Option<Solved>) {
    (kakuro.to_string(), kakuro.grading(), solve(kakuro))
}
