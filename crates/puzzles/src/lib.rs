//! Puzzles and optimisation problems for Nestling, a module each.

pub mod bus;
mod domains;
mod excerpt;
mod grid;
pub mod kakuro;
pub mod left_move;
pub mod leftmost_path;
pub mod samegame;
pub mod sudoku;
pub mod tsptw;

pub use bus::Bus;
pub use domains::{Assignment, solutions};
pub use left_move::LeftMove;
pub use leftmost_path::LeftmostPath;
pub use tsptw::Tsptw;
