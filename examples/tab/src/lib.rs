//! A search for a browser tab: its caller drives it, so that it needs neither threads nor a clock.
//!
//! `cargo build --release --target wasm32-unknown-unknown` makes a module that imports nothing. `tab.js` runs it with Node, and `cargo run`
//! makes the same searches without WebAssembly: both print the same numbers.

use nestling::{Run, digest};
use nestling_morpion::{Board, Variant};

/// What is searched: one of each kind.
pub const SEARCHES: [&str; 6] = [
    "repeat(nrpa(2))",
    "repeat(nested(1))",
    "repeat(pool(1000, cycle=12800))",
    "uct(3000)",
    "beam(8)",
    "mean(900, playout)",
];

/// Makes one of the searches in steps of so many playouts. The number is a checksum of its result: score, moves, playouts.
#[unsafe(no_mangle)]
pub extern "C" fn search(number: u32, seed: u64, playouts: u64, step: u64) -> u64 {
    let board = Board::new(Variant::FiveD);
    let search = SEARCHES[number as usize].parse().expect("it is a search");
    let mut stepper = Run::new(&board, search).seed(seed).playouts(playouts).stepper().expect("the run is valid");
    while !stepper.is_over() {
        stepper.step(step).expect("the search is sound");
    }
    let outcome = stepper.outcome().expect("the search is sound");
    let moves = outcome.texts().join(" ");
    let numbers = [outcome.score().unwrap_or_default().to_bits(), outcome.counts.playouts, outcome.counts.moves];
    digest(numbers.into_iter().chain(moves.bytes().map(u64::from))) as u64
}
