//! The pages of the other problems as people use them, in a real browser. Every step leaves a picture in target/screenshots.

mod daily;
mod everybody;
mod home;
mod hunt;
mod keyboard;
mod marks;
mod paper;
mod problems;
mod quarto;
mod race;
mod reasons;
mod samegame;
mod sudoku;
mod tours;
mod visits;
