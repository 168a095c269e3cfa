//! The events of a run: `cargo run --release --example events`.
//!
//! A listener hears of every better game and, ten times a second, where the search stands. It can also end the run.

use std::error::Error;
use std::time::Duration;

use nestling::{Cancel, Event, Run, Stop};
use nestling_morpion::{Board, Variant};

fn main() -> Result<(), Box<dyn Error>> {
    search(75.0, Duration::from_secs(5)).map(drop)
}

/// Searches until a game has this score; returns why the run has stopped.
pub fn search(wanted: f64, time: Duration) -> Result<Stop, Box<dyn Error>> {
    let board = Board::new(Variant::FiveD);
    let enough = Cancel::new();
    let listener = |event: &Event| match event {
        Event::Improvement(better) => {
            println!(
                "{} moves after {:.2} s: {}",
                better.score(),
                better.elapsed.as_secs_f64(),
                better.texts().join(" ")
            );
            // Any thread may do this, at any time.
            if better.score() >= wanted {
                enough.cancel();
            }
        }
        Event::Progress { elapsed, playouts, .. } => eprintln!("{:.1} s: {playouts} playouts", elapsed.as_secs_f64()),
        other => eprintln!("{other:?}"),
    };
    let run = Run::new(&board, "repeat(nrpa(2))".parse()?).seed(1).time(time);
    let outcome = run.cancel(enough.clone()).on_event(listener).start()?;
    println!("{:?}: {:?} moves", outcome.stop, outcome.score());
    Ok(outcome.stop)
}
