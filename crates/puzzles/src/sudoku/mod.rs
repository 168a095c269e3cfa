//! Sudoku of any order: n² × n² cells, in every row, column and n × n box every value once.

mod cells;
mod draw;
mod formula;
mod logic;
mod presentation;
mod puzzle;
mod read;
mod rules;

use std::sync::Arc;

use nestling::engine::Formula;
use nestling::{Allowance, Certificate, Goal, Illegal, Problem, Stream, Suggestion};

use crate::domains::{Assignment, Domains, dfs_and, fill, name, shuffle, up_to, values};

pub(crate) use draw::symbol;
pub use draw::{draw, svg};
pub(crate) use puzzle::{attempt, units as puzzle_units};
pub use read::ReadError;

/// The largest order: 8, for grids of 64 × 64.
pub const MAX_ORDER: usize = 8;

/// The largest order of generated Sudokus: beyond it random solutions take too long to find.
pub const MAX_SEEDED_ORDER: usize = 6;

/// A Sudoku, and at the same time one state of it: the givens and the values assigned so far.
///
/// The legal moves are the values that are possible for one cell, the first of those with the fewest. After every assignment its
/// value is taken from the cells of the same row, column and box; a cell without values ends the game. The score counts 1 + the
/// cells that are free then, 0 if the Sudoku is solved.
///
/// ```
/// use nestling::Run;
/// use nestling_puzzles::sudoku::Sudoku;
///
/// let sudoku = Sudoku::seeded(4, 169, 1)?;
/// let outcome = Run::new(&sudoku, "repeat(nested(1))".parse()?).time(std::time::Duration::from_secs(60)).start()?;
/// assert!(outcome.score().unwrap() == 0.0 && outcome.proven);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Sudoku {
    grid: Arc<Grid>,
    domains: Domains,
}

/// The data that stay the same throughout a game.
#[derive(Debug)]
struct Grid {
    order: usize,
    /// The values at the start; 0 for free cells.
    givens: Vec<u8>,
    /// By cell: the cells that must have another value.
    peers: Vec<Vec<u16>>,
}

/// Why a grid is not a solvable Sudoku.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// The order is not supported.
    #[error("order {0}: a Sudoku has order 2 (4 × 4) to {MAX_ORDER} (64 × 64)")]
    Order(usize),
    /// A generated Sudoku cannot have this order.
    #[error("order {0}: generated Sudokus have order 2 to {MAX_SEEDED_ORDER}; larger ones come from files")]
    SeededOrder(usize),
    /// There cannot be so many empty cells.
    #[error("{empty} empty cells, but the grid has only {cells} cells")]
    Empty {
        /// How many were asked for.
        empty: usize,
        /// How many cells there are.
        cells: usize,
    },
    /// A value twice in a row, column or box.
    #[error("no solution: {value} is twice in {unit}, at {first} and {second}")]
    Twice {
        /// The value.
        value: u8,
        /// Where: `row 3`, `column 4`, `box 5`.
        unit: String,
        /// The first cell.
        first: String,
        /// The second cell.
        second: String,
    },
    /// A cell that no value fits.
    #[error("no solution: no value is left for {0}")]
    Stuck(String),
}

impl GridError {
    /// Whether the grid is well-formed, but has no solution.
    pub fn is_contradiction(&self) -> bool {
        matches!(self, GridError::Twice { .. } | GridError::Stuck(_))
    }
}

impl Sudoku {
    /// A Sudoku of this order with these givens, row by row; 0 is an empty cell.
    ///
    /// # Errors
    ///
    /// When the givens contradict each other, or leave a cell without values.
    ///
    /// # Panics
    ///
    /// If there are not order⁴ givens, or one is larger than order².
    pub fn new(order: usize, givens: Vec<u8>) -> Result<Sudoku, GridError> {
        if !(2..=MAX_ORDER).contains(&order) {
            return Err(GridError::Order(order));
        }
        let side = order * order;
        assert!(givens.len() == side * side && givens.iter().all(|&value| usize::from(value) <= side), "not a grid");
        rules::no_value_twice(order, &givens)?;
        let mut sudoku = Sudoku::empty(order);
        for (cell, &value) in givens.iter().enumerate().filter(|&(_, &value)| value > 0) {
            sudoku.play(Assignment { cell: cell as u16, value });
        }
        if let Some(cell) =
            (0..givens.len()).find(|&cell| sudoku.domains.is_free(cell) && sudoku.domains.set(cell) == 0)
        {
            return Err(GridError::Stuck(name(cell, side, 1)));
        }
        let peers = sudoku.grid.peers.clone();
        sudoku.grid = Arc::new(Grid { order, givens, peers });
        Ok(sudoku)
    }

    fn empty(order: usize) -> Sudoku {
        let side = order * order;
        let cells = side * side;
        let peers = (0..cells).map(|cell| rules::peers(order, cell).map(|peer| peer as u16).collect()).collect();
        let grid = Grid { order, givens: vec![0; cells], peers };
        Sudoku { grid: Arc::new(grid), domains: Domains::new(&vec![true; cells], up_to(side)) }
    }

    /// A random solution of this order with so many cells emptied. It has a solution, maybe several.
    pub fn seeded(order: usize, empty: usize, seed: u64) -> Result<Sudoku, GridError> {
        if !(2..=MAX_SEEDED_ORDER).contains(&order) {
            return Err(GridError::SeededOrder(order));
        }
        let cells = order.pow(4);
        if empty > cells {
            return Err(GridError::Empty { empty, cells });
        }
        let mut givens = fill(&Sudoku::empty(order), seed).domains.values().to_vec();
        let mut places: Vec<usize> = (0..cells).collect();
        shuffle(&mut places, Stream::new(seed).own());
        places[..empty].iter().for_each(|&cell| givens[cell] = 0);
        Sudoku::new(order, givens)
    }

    /// The number of boxes in a row of boxes: 3 for the usual Sudoku.
    pub fn order(&self) -> usize {
        self.grid.order
    }

    /// The number of cells in a row.
    pub fn side(&self) -> usize {
        self.grid.order * self.grid.order
    }

    /// The values at the start, row by row; 0 for free cells.
    pub fn givens(&self) -> &[u8] {
        &self.grid.givens
    }

    /// The values so far, row by row; 0 for free cells.
    pub fn values(&self) -> &[u8] {
        self.domains.values()
    }

    /// The values that a cell can still have, as far as a look at its row, column and box tells; none if it has one.
    pub fn possible(&self, cell: usize) -> Vec<u8> {
        values(self.domains.set(cell)).collect()
    }

    /// Reads moves such as `r3c4=7`, in any order.
    pub fn parse(&self, texts: &[&str]) -> Result<Vec<Assignment>, Illegal> {
        let side = self.side();
        let moves = Assignment::parse_all(texts, (side, side), 1)?;
        self.certify(&moves).map(|_| moves)
    }
}

clone_state!(Sudoku: shared [grid], owned [domains], plain []);

impl Problem for Sudoku {
    type Move = Assignment;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<Assignment>) {
        self.domains.moves(moves);
    }

    fn play(&mut self, played: Assignment) {
        self.domains.assign(played);
        for &peer in &self.grid.peers[usize::from(played.cell)] {
            self.domains.exclude(peer.into(), played.value);
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
        u64::from(played.cell) * self.side() as u64 + u64::from(played.value) - 1
    }

    fn dense_codes(&self) -> usize {
        self.side().pow(3)
    }

    fn default_search(&self, _: Allowance) -> Suggestion {
        dfs_and(true)
    }

    fn move_text(&self, played: Assignment) -> String {
        played.text(self.side(), 1)
    }

    fn formula(&self) -> Option<Formula<Assignment>> {
        Some(formula::formula(self))
    }

    /// Cells may be filled in any order: the rules of Sudoku know none.
    fn certify(&self, moves: &[Assignment]) -> Result<Certificate, Illegal> {
        rules::certify(self.grid.order, self.domains.values(), moves)
    }
}
