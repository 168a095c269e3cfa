//! The pages of the other problems as people use them, in a real browser. Every step leaves a picture in target/screenshots.

mod problems;
mod quarto;
mod samegame;
mod sudoku;
mod tours;
