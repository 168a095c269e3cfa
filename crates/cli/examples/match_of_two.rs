//! A match between two players of Quarto: `cargo run --release --example match_of_two`.
//!
//! The players take turns to begin. The result depends on the seed only, not on the threads.

use std::error::Error;

use nestling::duel::Contest;
use nestling_quarto::{Position, Variant};

fn main() -> Result<(), Box<dyn Error>> {
    play(20).map(drop)
}

/// Plays so many games; returns the first player's share of the points.
pub fn play(games: u64) -> Result<f64, Box<dyn Error>> {
    let players = ["uct(200)".parse()?, "random".parse()?];
    let standing = Contest::new(&Position::new(Variant::Lines), players).games(games).seed(1).play(|_| {})?;
    let (total, (low, high)) = (standing.total(), standing.interval());
    println!("uct(200): {} wins, {} draws, {} losses", total.wins, total.draws, total.losses);
    println!("share of points {:.2}, 95 % confidence {low:.2} to {high:.2}", standing.score());
    Ok(standing.score())
}
