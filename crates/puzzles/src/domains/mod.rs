//! Variables with sets of values that are still possible: what Sudoku and Kakuro have in common.
//!
//! Cazenave, *Nested Monte-Carlo Search*, 2009: a game assigns values to variables, the one with the fewest values first, until
//! all have one or the assignment is inconsistent; its score is 1 + the number of free variables then, or 0 if it is solved.

mod candidates;
mod count;
mod fill;

use nestling::{Search, Suggestion};
use serde::{Deserialize, Serialize};

pub(crate) use candidates::Candidates;
pub use count::solutions;
pub(crate) use count::{Solved, cells_left, count, mistakes, solve};
pub(crate) use fill::{fill, shuffle};

/// The most values a variable can have.
pub const MAX_VALUES: usize = 64;

/// The default search of a puzzle with a formula or without.
pub(crate) fn dfs_and(formula: bool) -> Suggestion {
    let (other, why) = match formula {
        true => (Search::cdcl(), "clause learning solves others that it gets stuck in, also large ones"),
        false => (Search::nested(2).forever(), "nested search by turns with it solves others that it gets stuck in"),
    };
    let first = "depth-first search solves most puzzles at once and proves where there is no solution";
    Suggestion::new(Search::portfolio([Search::dfs(), other]), format!("{first}; {why}"))
}

/// A move: a value for a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Assignment {
    /// The cell, counted row by row from 0.
    pub cell: u16,
    /// The value, from 1.
    pub value: u8,
}

impl Assignment {
    /// As people write it on a grid that is so wide: `r3c4=7`, rows and columns counted from `first`.
    pub(crate) fn text(self, width: usize, first: usize) -> String {
        format!("{}={}", name(self.cell.into(), width, first), self.value)
    }

    /// Reads such a text on a grid of `width` columns and `height` rows.
    pub(crate) fn parse(text: &str, (width, height): (usize, usize), first: usize) -> Option<Assignment> {
        let (cell, value) = text.trim().strip_prefix('r')?.split_once('=')?;
        let (row, column) = cell.split_once('c')?;
        let within = |text: &str, limit: usize| {
            let number = text.parse::<usize>().ok()?.checked_sub(first)?;
            (number < limit).then_some(number)
        };
        let cell = within(row, height)? * width + within(column, width)?;
        Some(Assignment { cell: u16::try_from(cell).ok()?, value: value.parse().ok().filter(|&value| value > 0)? })
    }

    /// Reads the moves of a game.
    pub(crate) fn parse_all(
        texts: &[&str],
        size: (usize, usize),
        first: usize,
    ) -> Result<Vec<Assignment>, nestling::Illegal> {
        let read = |(index, text): (usize, &&str)| {
            let shown: String = text.chars().take(40).collect();
            let reason = || format!("{shown:?} is not a cell with a value, such as r3c4=7");
            Assignment::parse(text, size, first).ok_or_else(|| nestling::Illegal { index, reason: reason() })
        };
        texts.iter().enumerate().map(read).collect()
    }
}

/// A cell as people name it.
pub(crate) fn name(cell: usize, width: usize, first: usize) -> String {
    format!("r{}c{}", cell / width + first, cell % width + first)
}

/// The set of the values up to `highest`.
pub(crate) fn up_to(highest: usize) -> u64 {
    match highest {
        0 => 0,
        _ => u64::MAX >> (MAX_VALUES - highest.min(MAX_VALUES)),
    }
}

/// The set of one value.
#[inline]
pub(crate) fn only(value: u8) -> u64 {
    1 << (value - 1)
}

/// The values in a set, in order.
pub(crate) fn values(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let value = set.trailing_zeros() as u8 + 1;
        let more = set != 0;
        set &= set.wrapping_sub(1);
        more.then_some(value)
    })
}

/// The size of a variable that needs no value.
const SETTLED: u8 = u8::MAX;

/// All variables of a puzzle.
#[derive(Debug, Default)]
pub(crate) struct Domains {
    /// The value of every variable; 0 if it is free.
    values: Vec<u8>,
    /// The values that are possible for every free variable, value v as bit v − 1; none for the others.
    sets: Vec<u64>,
    /// How many values are possible for every free variable.
    sizes: Vec<u8>,
    free: usize,
    failed: bool,
}

clone_state!(Domains: shared [], owned [values, sets, sizes], plain [free, failed]);

impl Domains {
    /// Variables that can all have these values; those not `wanted` need none.
    pub fn new(wanted: &[bool], possible: u64) -> Domains {
        let size = possible.count_ones() as u8;
        Domains {
            values: vec![0; wanted.len()],
            sets: wanted.iter().map(|&wanted| if wanted { possible } else { 0 }).collect(),
            sizes: wanted.iter().map(|&wanted| if wanted { size } else { SETTLED }).collect(),
            free: wanted.iter().filter(|&&wanted| wanted).count(),
            failed: false,
        }
    }

    pub fn values(&self) -> &[u8] {
        &self.values
    }

    pub fn set(&self, cell: usize) -> u64 {
        self.sets[cell]
    }

    /// Whether a variable still needs a value.
    pub fn is_free(&self, cell: usize) -> bool {
        self.sizes[cell] != SETTLED
    }

    pub fn fail(&mut self) {
        self.failed = true;
    }

    pub fn assign(&mut self, played: Assignment) {
        let cell = usize::from(played.cell);
        self.values[cell] = played.value;
        self.sets[cell] = 0;
        self.sizes[cell] = SETTLED;
        self.free -= 1;
    }

    /// Takes one value from a variable, if it is free.
    #[inline]
    pub fn exclude(&mut self, cell: usize, value: u8) {
        let (set, size) = (&mut self.sets[cell], &mut self.sizes[cell]);
        *size -= (*set >> (value - 1) & 1) as u8;
        *set &= !only(value);
        self.failed |= *size == 0;
    }

    /// Leaves only the values of a set to a variable, if it is free.
    #[inline]
    pub fn restrict(&mut self, cell: usize, kept: u64) {
        let set = &mut self.sets[cell];
        if *set & !kept != 0 {
            *set &= kept;
            self.sizes[cell] = set.count_ones() as u8;
            self.failed |= *set == 0;
        }
    }

    /// The first of the free variables with the fewest values.
    #[inline]
    fn smallest(&self) -> usize {
        const CHUNK: usize = 32;
        let least = self.sizes.iter().fold(SETTLED, |least, &size| least.min(size));
        // Whole chunks are compared at once, then one is searched.
        let holds = |chunk: &[u8]| chunk.iter().fold(false, |holds, &size| holds | (size == least));
        let chunk = self.sizes.chunks(CHUNK).position(holds).unwrap_or(0) * CHUNK;
        chunk + self.sizes[chunk..].iter().position(|&size| size == least).unwrap_or(0)
    }

    /// The values of the next variable; none when all have one or the assignment is inconsistent.
    #[inline]
    pub fn moves(&self, moves: &mut Vec<Assignment>) {
        moves.clear();
        if self.failed || self.free == 0 {
            return;
        }
        let cell = self.smallest();
        moves.extend(values(self.sets[cell]).map(|value| Assignment { cell: cell as u16, value }));
    }

    pub fn score(&self) -> f64 {
        score(self.failed, self.free)
    }
}

/// The score of a game: 0 if it is solved, otherwise 1 + the number of free variables.
pub(crate) fn score(failed: bool, free: usize) -> f64 {
    if free == 0 && !failed { 0.0 } else { 1.0 + free as f64 }
}
