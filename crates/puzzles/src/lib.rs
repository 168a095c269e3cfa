//! Puzzles for Nestling, a module each.

mod domains;
mod grid;
pub mod kakuro;
pub mod samegame;
pub mod sudoku;

pub use domains::Assignment;
pub use grid::SvgStyle;
