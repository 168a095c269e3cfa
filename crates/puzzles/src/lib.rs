//! Puzzles and optimisation problems for Nestling, a module each.

pub mod bus;
pub mod left_move;
pub mod leftmost_path;
mod sheet;
pub mod tsptw;

pub use bus::Bus;
pub use left_move::LeftMove;
pub use leftmost_path::LeftmostPath;
pub use sheet::{Colours, Style};
pub use tsptw::Tsptw;
