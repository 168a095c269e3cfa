//! The tables of techniques, the easiest first.

use super::{Deduction, Level, Position};
use super::{fish, intersections, singles, subsets, sums, wings};

/// A way to find a value, or to exclude values.
pub struct LogicTechnique {
    /// As people name it.
    pub name: &'static str,
    /// A puzzle that needs it has at least this level.
    pub level: Level,
    /// What it is, in a sentence.
    pub about: &'static str,
    pub(super) find: fn(&Position) -> Option<Deduction>,
}

const fn technique(
    name: &'static str,
    level: Level,
    about: &'static str,
    find: fn(&Position) -> Option<Deduction>,
) -> LogicTechnique {
    LogicTechnique { name, level, about, find }
}

const NAKED_PAIR: &str = "two cells of a unit have the same two possible values: no other cell of the unit has them";
const HIDDEN_PAIR: &str = "two values that must be in a unit have the same two cells there: these have no other value";

/// The techniques for Sudokus.
pub const SUDOKU: &[LogicTechnique] = &[
    technique("hidden single", Level::Easy, "a value has only one cell left in a row, column or box", singles::hidden),
    technique("naked single", Level::Easy, "a cell has only one possible value", singles::naked),
    technique(
        "pointing",
        Level::Medium,
        "in a box, a value is possible in one row or column alone: it is nowhere else in that row or column",
        intersections::pointing,
    ),
    technique(
        "claiming",
        Level::Medium,
        "in a row or column, a value is possible in one box alone: it is nowhere else in that box",
        intersections::claiming,
    ),
    technique("naked pair", Level::Hard, NAKED_PAIR, |position| subsets::naked(position, 2)),
    technique("hidden pair", Level::Hard, HIDDEN_PAIR, |position| subsets::hidden(position, 2)),
    technique("naked triple", Level::Hard, "the same with three cells and three values", |position| {
        subsets::naked(position, 3)
    }),
    technique("hidden triple", Level::Hard, "the same with three values and three cells", |position| {
        subsets::hidden(position, 3)
    }),
    technique(
        "X-wing",
        Level::Hard,
        "in two rows a value is possible in the same two columns alone: it is in no other row of these columns; or with rows and columns exchanged",
        |position| fish::fish(position, 2),
    ),
    technique("naked quadruple", Level::Expert, "as a naked pair, with four cells and four values", |position| {
        subsets::naked(position, 4)
    }),
    technique("hidden quadruple", Level::Expert, "as a hidden pair, with four values and four cells", |position| {
        subsets::hidden(position, 4)
    }),
    technique("swordfish", Level::Expert, "as an X-wing, with three rows and three columns", |position| {
        fish::fish(position, 3)
    }),
    technique(
        "XY-wing",
        Level::Expert,
        "a cell with the values x and y shares units with a cell with x and z and with a cell with y and z: no cell that shares units with both of these has z",
        wings::xy_wing,
    ),
];

/// The techniques for Kakuros.
pub const KAKURO: &[LogicTechnique] = &[
    technique("naked single", Level::Easy, "a cell has only one possible value", singles::naked),
    technique(
        "forced sum",
        Level::Easy,
        "only one set of values has the sum of a line: no cell of the line has another value",
        sums::forced_sum,
    ),
    technique(
        "sets of a sum",
        Level::Medium,
        "a value is in none of the sets that have the sum of a line and fit its cells",
        sums::sum_sets,
    ),
    technique(
        "hidden single",
        Level::Medium,
        "a value is in every set that has the sum of a line, and only one cell can have it",
        singles::hidden,
    ),
    technique(
        "bounds of a sum",
        Level::Hard,
        "a value is too small or too large, whatever the other cells of the line have",
        sums::sum_bounds,
    ),
    technique("naked pair", Level::Hard, NAKED_PAIR, |position| subsets::naked(position, 2)),
    technique("hidden pair", Level::Hard, HIDDEN_PAIR, |position| subsets::hidden(position, 2)),
    technique("naked triple", Level::Expert, "the same with three cells and three values", |position| {
        subsets::naked(position, 3)
    }),
    technique(
        "arrangement",
        Level::Expert,
        "no way to place a set with the sum of a line has a value in a cell",
        sums::arrangement,
    ),
];
