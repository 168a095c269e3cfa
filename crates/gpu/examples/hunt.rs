//! How long a GPU takes to a score: `cargo run --release -p nestling-gpu --example hunt -- 5D 82 SECONDS SEED…`, by independent searches
//! `nrpa(3)`, each from a cold start.

use std::time::Instant;

use nestling::Problem;
use nestling_gpu::{Device, Nrpa, Settings};
use nestling_morpion::{Board, Variant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [variant, target, seconds, seeds @ ..] = &arguments[..] else {
        return Err("see the first lines of the source".into());
    };
    let (variant, target, seconds): (Variant, usize, f64) = (variant.parse()?, target.parse()?, seconds.parse()?);
    let device = Device::open(0, variant)?;
    let board = Board::new(variant);
    for seed in seeds {
        let began = Instant::now();
        let mut nrpa = Nrpa::new(&device, &board, Settings { seed: seed.parse()?, ..Settings::default() })?;
        let mut best = 0;
        while best < target && began.elapsed().as_secs_f64() < seconds {
            nrpa.advance(5)?;
            let game = nrpa.best()?;
            if game.len() > best {
                assert!(board.certify(&game)?.terminal);
                best = game.len();
                print!("{best} after {:.1} s, ", began.elapsed().as_secs_f64());
            }
        }
        println!("seed {seed}: {best} moves, {:.1} s", began.elapsed().as_secs_f64());
    }
    Ok(())
}
