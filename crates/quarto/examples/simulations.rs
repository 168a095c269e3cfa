//! How many simulations UCT makes in a second from the empty board, and how many playouts.
//!
//! `cargo run --release -p nestling-quarto --example simulations [-- STRATEGY]`

use cpu_time::ThreadTime;
use nestling::duel::{Setting, Strategy};
use nestling::{Game, Stream};
use nestling_quarto::{Position, Variant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = std::env::args().nth(1);
    let strategy: Strategy = argument.as_deref().unwrap_or("uct(1000000, proof=off)").parse()?;
    let start = Position::new(Variant::Lines);
    for round in 0..5 {
        let (began, mut rng, mut moves) = (ThreadTime::now(), Stream::new(round).rng(), Vec::new());
        let playouts = 1_000_000;
        for _ in 0..playouts {
            std::hint::black_box(start.clone().playout(Some(1), &mut rng, &mut moves));
        }
        let playouts = f64::from(playouts) / began.elapsed().as_secs_f64();
        let mut agent = strategy.agent(&start, &Setting::default())?;
        let began = ThreadTime::now();
        let decision = agent.choose(Stream::new(round));
        let seconds = began.elapsed().as_secs_f64();
        let visits: u64 = decision.assessments.iter().map(|assessment| assessment.visits).sum();
        println!("{:.0} simulations a second, {playouts:.0} playouts a second: {strategy}", visits as f64 / seconds);
    }
    Ok(())
}
