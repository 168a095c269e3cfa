//! Your own problem, with the whole command line: `cargo run --example own_problem -- solve knapsack`.

use nestling::Problem;
use nestling_registry::{Presentation, Refusal, Registry};

/// Choose numbers whose sum is as close to the capacity as possible, but not above it.
#[derive(Clone)]
pub struct Knapsack {
    capacity: u32,
    left: Vec<u32>,
}

impl Problem for Knapsack {
    type Move = u32;

    fn legal_moves(&self, moves: &mut Vec<u32>) {
        moves.clear();
        moves.extend(self.left.iter().filter(|&&weight| weight <= self.capacity));
    }

    fn play(&mut self, weight: u32) {
        self.left.retain(|&other| other != weight);
        self.capacity -= weight;
    }

    fn score(&self) -> f64 {
        -f64::from(self.capacity)
    }

    fn bound(&self) -> Option<f64> {
        Some(0.0)
    }
}

impl Presentation for Knapsack {}

/// `knapsack`, or `knapsack:CAPACITY`.
pub fn open(parameters: &str) -> Result<Knapsack, Refusal> {
    let capacity = if parameters.is_empty() { "5000" } else { parameters };
    let capacity = capacity.parse().map_err(|_| format!("{capacity:?} is not a capacity; write knapsack:5000"))?;
    Ok(Knapsack { capacity, left: (1..60).map(|k| k * k * 37 % 1009).collect() })
}

fn main() -> std::process::ExitCode {
    nestling_cli::main_with(Registry::standard().with("knapsack", "numbers that fill a capacity", open))
}
