//! All tests of the crate in one program: what they share is compiled once.

mod book;
mod common;
mod game;
mod notation;
mod players;
mod rules;
mod solver;
mod symmetry;
