//! All tests of the crate in one program: what they share is compiled once.

mod board_and_rules;
mod common;
mod conformance;
mod drawing;
mod engine;
mod golden_numbers;
mod imports;
mod instructions;
mod notations;
mod pentasol;
mod prove;
mod records;
mod searches;
mod signatures;
mod svg;
mod symmetry;
