//! What the test files share.
#![allow(dead_code, reason = "every test file uses its own part of this")]

use nestling::{Outcome, Problem, Run, Stream};

/// The outcome of a search by its text.
#[track_caller]
pub fn run<P: Problem>(problem: &P, search: &str, seed: u64) -> Outcome<P::Move> {
    let search = search.parse().unwrap_or_else(|error| panic!("{search}: {error}"));
    Run::new(problem, search).seed(seed).start().expect("the run is valid")
}

/// The scores of a search with many seeds.
#[track_caller]
pub fn scores<P: Problem>(problem: &P, search: &str, count: u64) -> Vec<f64> {
    (0..count).map(|number| run(problem, search, Stream::new(2009).child(number).seed()).score().unwrap()).collect()
}

pub use nestling_testing::data;
