//! Puzzles for Nestling, a module each.

pub mod samegame;
