//! All tests of the crate in one program: what they share is compiled and linked once.

mod common;
mod elsewhere;
mod formats;
mod levels;
mod replays;
mod soak;
mod tasks;
mod weights;
