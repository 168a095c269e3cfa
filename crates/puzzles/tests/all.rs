//! All tests of the crate in one program: what they share is compiled once.

mod bus;
mod common;
mod constraints;
mod examples;
mod generated;
mod graphs;
mod left_move;
mod models;
mod open_problems;
mod readers;
mod samegame;
mod samegame_boards;
mod tours;
mod tsptw;
