//! Puzzles and optimisation problems for Nestling, a module each.

pub mod bus;
mod domains;
mod grid;
pub mod kakuro;
pub mod left_move;
pub mod leftmost_path;
pub mod samegame;
mod sheet;
pub mod sudoku;
pub mod tsptw;

pub use bus::Bus;
pub use domains::{Assignment, Solutions, solutions};
pub use left_move::LeftMove;
pub use leftmost_path::LeftmostPath;
pub use sheet::{Colours, Sheet, Style};
pub use tsptw::Tsptw;
