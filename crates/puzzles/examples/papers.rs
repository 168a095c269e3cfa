//! The constraint problems of *Nested Monte-Carlo Search*, on one core:
//! `cargo run --release -p nestling-puzzles --example papers -- kakuro 8 9 'repeat(nested(2))' [strong]`, or `sudoku 4 169 EXPR`;
//! a hundred Kakuros or twenty Sudokus, each with at most 1000 seconds.

use std::time::{Duration, Instant};

use nestling::{Problem, Run};
use nestling_puzzles::kakuro::{Kakuro, SumBounds};
use nestling_puzzles::sudoku::Sudoku;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["kakuro", size, values, search, ref rest @ ..] => {
            let bounds = match rest.first() {
                Some(&"weak") => SumBounds::Weak,
                Some(&"strong") => SumBounds::Strong,
                _ => SumBounds::Both,
            };
            let (size, values) = (size.parse()?, values.parse()?);
            solve(100, search, |seed| Kakuro::seeded(size, values, seed, bounds).expect("a puzzle can be made"))
        }
        ["sudoku", order, empty, search] => {
            let (order, empty) = (order.parse()?, empty.parse()?);
            solve(20, search, |seed| Sudoku::seeded(order, empty, seed).expect("a puzzle can be made"))
        }
        _ => Err("see the first lines of the source".into()),
    }
}

fn solve<P: Problem>(count: u64, search: &str, puzzle: impl Fn(u64) -> P) -> Result<(), Box<dyn std::error::Error>> {
    let (mut solved, mut total, mut longest, mut playouts) = (0, Duration::ZERO, Duration::ZERO, 0);
    for seed in 0..count {
        let puzzle = puzzle(seed);
        let began = Instant::now();
        let outcome = Run::new(&puzzle, search.parse()?).seed(seed).time(Duration::from_secs(1000)).start()?;
        let took = began.elapsed();
        total += took;
        longest = longest.max(took);
        playouts += outcome.counts.playouts;
        solved += u32::from(outcome.score().unwrap() == 0.0);
    }
    println!(
        "{search}: {solved}/{count} in {:.3} s, the longest {:.3} s, {playouts} playouts",
        total.as_secs_f64(),
        longest.as_secs_f64()
    );
    Ok(())
}
