//! Sudokus and Kakuros as people solve them: techniques, the reasons they give, and levels by the hardest technique that is needed.
//!
//! A `Position` has the values that are still possible in every cell. A technique finds a `Deduction` in it: values that are assigned, or
//! are no longer possible. Deductions are made one by one, always by the first technique of the table that finds one.

mod fish;
mod grading;
mod intersections;
mod position;
mod singles;
mod subsets;
mod sums;
mod techniques;
mod wings;
mod words;

pub use grading::{Grading, Level, UnknownLevel};
pub(crate) use grading::{advance, grade};
pub(crate) use position::{Deduction, Position, Unit, UnitKind};
pub use techniques::{KAKURO, LogicTechnique, SUDOKU};
pub(crate) use words::reasons;
