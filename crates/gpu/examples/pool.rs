//! How fast a GPU fills pools, and how far they come from a cold start: `cargo run --release -p nestling-gpu --example pool -- 5T 178 SECONDS SEED…`.
//! Among the seeds may stand, for those after them, options of `pool` such as `size=16384`, `window=20`, `patience=2`.

use std::error::Error;
use std::time::Instant;

use nestling::Problem;
use nestling_gpu::morpion::{Pools, program};
use nestling_gpu::pool::Pooling;
use nestling_gpu::{Gpu, Part};
use nestling_morpion::notation::pentasol;
use nestling_morpion::{Board, MorpionGame, Variant};

/// Seconds between two lines about all islands.
const REPORT: f64 = 20.0;

fn set(pooling: &mut Pooling, text: &str) -> Result<bool, Box<dyn Error>> {
    let Some((name, value)) = text.split_once('=') else { return Ok(false) };
    match name {
        "games" => pooling.games = value.parse()?,
        "window" => pooling.window = value.parse()?,
        "cycle" => pooling.cycle = value.parse()?,
        "changes" => pooling.changes = value.parse()?,
        "skew" => pooling.skew = value.parse()?,
        "ends" => pooling.ends = value.parse()?,
        "size" => pooling.size = value.parse()?,
        "patience" => pooling.patience = value.parse()?,
        "starts" => pooling.starts = value.parse()?,
        "runs" => pooling.runs = value.parse()?,
        _ => return Err(format!("{name}= is no option of pool").into()),
    }
    Ok(true)
}

fn run(device: &Gpu, board: &Board, pooling: Pooling, target: usize, seconds: f64) -> Result<(), Box<dyn Error>> {
    let mut pools = Pools::new(device, board, pooling)?;
    let (began, mut best, mut told, mut rounds) = (Instant::now(), 0, 0.0, 0);
    while best < target && began.elapsed().as_secs_f64() < seconds {
        pools.advance(u64::MAX)?;
        let progress = pools.collect()?.clone();
        let elapsed = began.elapsed().as_secs_f64();
        rounds += 1;
        if progress.best.len() > best {
            assert!(board.certify(&progress.best)?.terminal);
            best = progress.best.len();
            println!("  {best} after {elapsed:.1} s");
        }
        if elapsed - told < REPORT && elapsed < seconds && best < target {
            continue;
        }
        told = elapsed;
        let mut scores = pools.scores()?;
        scores.sort_unstable();
        let at = |part: usize| scores[(scores.len() - 1) * part / 4];
        println!(
            "  {elapsed:.1} s: {:.1} M games/s, {:.2} G moves/s, {:.0} ms a round; islands {} {} {} {} {}, {} searches ended, {} outgrown",
            progress.playouts as f64 / elapsed / 1e6,
            progress.played as f64 / elapsed / 1e9,
            elapsed / f64::from(rounds) * 1e3,
            at(0),
            at(1),
            at(2),
            at(3),
            at(4),
            progress.searches,
            progress.off_board
        );
    }
    let ended = pools.finished()?;
    let ended: Vec<_> = ended.iter().enumerate().filter(|(_, count)| **count > 0).collect();
    println!(
        "seed {}: {best} moves, {:.1} s; searches ended at {ended:?}",
        pooling.seed,
        began.elapsed().as_secs_f64()
    );
    let saving = Instant::now();
    let states = pools.save()?;
    let packed = saving.elapsed().as_secs_f64();
    let bytes: usize = states.iter().map(|state| state.size()).sum();
    println!("checkpoint: {:.1} MB in {packed:.2} s", bytes as f64 / 1e6);
    print!("{}", pentasol::write(&MorpionGame { variant: board.variant(), moves: pools.collect()?.best.clone() }));
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [variant, target, seconds, others @ ..] = &arguments[..] else {
        return Err("see the first lines of the source".into());
    };
    let (variant, target, seconds) = (variant.parse::<Variant>()?, target.parse()?, seconds.parse()?);
    let began = Instant::now();
    let (device, board) = (Gpu::open(0, &program(variant))?, Board::new(variant));
    println!("{variant} on {}, ready in {:.2} s", device.name()?, began.elapsed().as_secs_f64());
    let mut pooling = Pooling::default();
    for text in others {
        if !set(&mut pooling, text)? {
            run(&device, &board, Pooling { seed: text.parse()?, ..pooling }, target, seconds)?;
        }
    }
    Ok(())
}
