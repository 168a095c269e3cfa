//! All tests of the crate in one program: what they share is compiled and linked once.

// Files of the library with tests of their own, compiled here: the library, which has all problems in it, is not compiled once more for them.
#[allow(dead_code, reason = "only what is tested is used here")]
#[path = "../src/parameters.rs"]
mod parameters;
#[allow(dead_code, reason = "only what is tested is used here")]
#[path = "../src/pasted.rs"]
mod pasted;
#[path = "../src/format/several.rs"]
mod several;
mod format {
    pub use nestling_presentation::shown;
}

mod common;
mod elsewhere;
mod formats;
mod levels;
mod names;
mod own_game;
mod replays;
mod soak;
mod tasks;
mod weights;
