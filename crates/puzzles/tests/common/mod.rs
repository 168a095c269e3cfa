//! What the test files share.
#![allow(dead_code, reason = "every test file uses its own part of this")]

use std::path::PathBuf;

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
    (0..count).map(|number| run(problem, search, Stream::new(2009).child(number).seed()).result.score).collect()
}

/// The folder with the benchmark data; without it a test says so and passes.
pub fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("NESTLING_DATA").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: NESTLING_DATA is not set");
    }
    folder
}
