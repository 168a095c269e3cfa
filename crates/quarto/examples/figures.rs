//! The figures of the engine, on one core: `cargo run --release -p nestling-quarto --example figures [POSITIONS]`.
//!
//! Positions are those of random legal play without a win, 200 unless told; every one is solved with a cold table. Times
//! are processor times.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use nestling::{Game, PlayerResult, Stream};
use nestling_quarto::{Limit, Position, QuartoSolver, Variant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let positions: u64 = std::env::args().nth(1).map_or(Ok(200), |count| count.parse())?;
    for variant in Variant::ALL {
        println!("{variant}");
        for (placed, table_bits) in [(8, 16), (6, 18), (5, 20), (4, 22)] {
            solving(variant, placed, table_bits, positions);
        }
        representatives(variant);
        playouts(variant);
    }
    Ok(())
}

/// Exact values of positions in which a piece is to be given, which take longer than those with one in hand.
fn solving(variant: Variant, placed: usize, table_bits: u32, positions: u64) {
    let mut solver = QuartoSolver::new(table_bits);
    let (mut verdicts, mut times) = ([0; 3], Vec::new());
    for index in 0..positions {
        let position = random_position(variant, placed, index);
        solver.clear();
        let start = ThreadTime::now();
        let solved = solver.solve(&position, Limit::NONE).expect("there is no limit");
        times.push(start.elapsed());
        verdicts[solved.ending.seen_by(position.turn()) as usize] += 1;
    }
    let total: Duration = times.iter().sum();
    let [losses, draws, wins] =
        [PlayerResult::Loss, PlayerResult::Draw, PlayerResult::Win].map(|verdict| verdicts[verdict as usize]);
    println!(
        "  {placed} placed: {:9.3} ms mean, {:9.3} ms at most, {:5.1} M nodes/s; {wins} won, {draws} drawn, {losses} lost",
        1e3 * total.as_secs_f64() / positions as f64,
        1e3 * times.iter().max().map_or(0.0, Duration::as_secs_f64),
        solver.nodes() as f64 / total.as_secs_f64() / 1e6,
    );
}

/// The time to find the representative of a position.
fn representatives(variant: Variant) {
    for placed in [2, 4, 6, 8, 10] {
        let positions: Vec<Position> = (0..1000).map(|index| random_position(variant, placed, index)).collect();
        let find_all = || positions.iter().for_each(|position| _ = black_box(black_box(position).canonical()));
        find_all();
        let start = ThreadTime::now();
        (0..200).for_each(|_| find_all());
        println!(
            "  {placed} placed: {:6.1} ns for the representative",
            start.elapsed().as_secs_f64() / 200_000.0 * 1e9
        );
    }
}

/// Playouts from the empty board by every policy.
fn playouts(variant: Variant) {
    const GAMES: u64 = 500_000;
    let start = Position::new(variant);
    let own = start.policies().iter().enumerate().map(|(index, &name)| (name, Some(index)));
    for (name, policy) in [("random", None)].into_iter().chain(own) {
        let mut rng = Stream::new(1).rng();
        let begin = ThreadTime::now();
        for _ in 0..GAMES {
            black_box(start.clone().playout(policy, &mut rng, &mut Vec::new()));
        }
        println!("  {:.2} M playouts/s, {name}", GAMES as f64 / begin.elapsed().as_secs_f64() / 1e6);
    }
}

/// The random position of an index, a piece to be given.
fn random_position(variant: Variant, placed: usize, index: u64) -> Position {
    Position::random(variant, placed, false, &mut Stream::new(1).child(index).rng())
}
