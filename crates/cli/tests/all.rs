//! All tests of the crate in one program: what they share is compiled and linked once.

mod chaos;
mod common;
mod complete;
mod duel;
mod games;
mod help;
mod hunt;
mod lab;
mod learn;
mod output;
mod own_problem;
mod play;
mod problems;
mod prove;
mod puzzles;
mod readme;
mod runs;
mod slurm;
mod solve;
mod store;
mod tasks;
mod terminal;
mod verify;
mod weights;
