//! How fast a GPU plays: `cargo run --release -p nestling-gpu --example throughput -- [5D] [SECONDS]`.

use std::time::{Duration, Instant};

use nestling::{Problem, Weights};
use nestling_gpu::morpion::{NestedRuns, Nesting, NrpaRuns, NrpaSettings, Playouts, program};
use nestling_gpu::{Gpu, GpuError};
use nestling_morpion::{Board, Variant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let variant: Variant = arguments.first().map_or("5D", String::as_str).parse()?;
    let seconds = arguments.get(1).map_or(Ok(5.0), |text| text.parse())?;
    let began = Instant::now();
    let device = Gpu::open(0, &program(variant))?;
    println!("{variant} on {}, ready in {:.2} s", device.name()?, began.elapsed().as_secs_f64());
    let board = Board::new(variant);

    // Weights that are nothing, so that the games are as long.
    for (what, weights) in [("uniform", Weights::default()), ("weighted", [(0, 0.0)].into_iter().collect())] {
        let mut playouts = Playouts::weighted(&device, &board, &weights)?;
        playouts.play(1, 0, 1 << 20)?;
        let games = 1 << 24;
        let began = Instant::now();
        let sample = playouts.play(1, 0, games)?;
        let took = began.elapsed().as_secs_f64();
        let mean = sample.moves() as f64 / sample.games() as f64;
        board.certify(&sample.best)?;
        println!(
            "{what}: {:.2} G moves/s, {} games, mean {mean:.3}, best {}, off the board {}",
            sample.moves() as f64 / took / 1e9,
            sample.games(),
            sample.best.len(),
            sample.off_board
        );
    }
    for level in 1..=2 {
        nested(&device, &board, level, Duration::from_secs_f64(seconds * f64::from(level)))?;
    }

    for level in 1..=3 {
        let mut nrpa = NrpaRuns::new(&device, &board, NrpaSettings { level, ..NrpaSettings::default() })?;
        let limit = Duration::from_secs_f64(seconds * if level == 3 { 4.0 } else { 1.0 });
        let (began, mut best) = (Instant::now(), 0);
        while began.elapsed() < limit {
            nrpa.advance(5)?;
            let game = &nrpa.collect()?.best;
            if game.len() > best {
                best = game.len();
                let certificate = board.certify(game)?;
                println!(
                    "  level {level}: {best} moves after {:.2} s, complete {}",
                    began.elapsed().as_secs_f64(),
                    certificate.terminal
                );
            }
        }
        let progress = nrpa.collect()?;
        let (steps, off_board) = (progress.played + progress.adapted, progress.off_board);
        let took = began.elapsed().as_secs_f64();
        let finished = nrpa.finished()?;
        let count: u32 = finished.iter().sum();
        let sum: u64 = (0..).zip(&finished).map(|(length, &count)| length * u64::from(count)).sum();
        println!(
            "nrpa({level}): {:.2} G steps/s, {} runs, {count} finished, mean {:.2}, off the board {off_board}",
            steps as f64 / took / 1e9,
            nrpa.settings().runs,
            sum as f64 / f64::from(count)
        );
    }
    Ok(())
}

fn nested(device: &Gpu, board: &Board, level: u32, limit: Duration) -> Result<(), GpuError> {
    let mut nested = NestedRuns::new(device, board, Nesting { level, ..Nesting::default() })?;
    let (began, mut rounds) = (Instant::now(), 0);
    while began.elapsed() < limit {
        nested.advance(u64::MAX)?;
        nested.collect()?;
        rounds += 1;
    }
    let (took, runs) = (began.elapsed().as_secs_f64(), nested.nesting().runs);
    let found = nested.collect()?.clone();
    println!(
        "nested({level}): {:.2} G moves/s, {:.0} playouts/s, {runs} runs, {:.3} s a round, {} finished, best {}, off the board {}",
        found.played as f64 / took / 1e9,
        found.playouts as f64 / took,
        took / f64::from(rounds),
        found.searches,
        found.best.len(),
        found.off_board
    );
    Ok(())
}
