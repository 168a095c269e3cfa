//! How long a GPU takes to a score, from a cold start: `cargo run --release -p nestling-gpu --example hunt -- 5D 82 SECONDS SEED…`, by
//! independent searches `nrpa(3)`. With `select=LOW,HIGH,ALPHA,ISLAND,COUNT` they compete: LOW iterations on the levels 1 and 2, HIGH on level
//! 3 with the step ALPHA, and after each of those the COUNT worst of every ISLAND runs go on from where its best stand.

use std::error::Error;
use std::time::Instant;

use nestling::{Problem, Rng, Stream};
use nestling_gpu::{Device, GpuError, Nrpa, Schedule, Settings};
use nestling_morpion::{Board, Variant};

/// Searches that compete.
struct Selection {
    low: u32,
    high: u32,
    alpha: f32,
    island: usize,
    count: usize,
}

impl Selection {
    fn new(text: &str) -> Result<Selection, Box<dyn Error>> {
        let numbers = text.split(',').map(str::parse).collect::<Result<Vec<f32>, _>>()?;
        let &[low, high, alpha, island, count] = &numbers[..] else {
            return Err("select= takes five numbers".into());
        };
        Ok(Selection { low: low as u32, high: high as u32, alpha, island: island as usize, count: count as usize })
    }

    fn settings(&self, seed: u64) -> Settings {
        let (mut iterations, mut alpha) = ([self.low; 8], [1.0; 8]);
        (iterations[2], alpha[2]) = (self.high, self.alpha);
        Settings { seed, schedule: Some(Schedule { iterations, alpha }), ..Settings::default() }
    }

    /// An iteration of level 3 in every run, and the selection after it unless the searches begin anew.
    fn advance(&self, nrpa: &mut Nrpa, step: u32, rng: &mut Rng) -> Result<(), GpuError> {
        nrpa.advance(self.low)?;
        if step.is_multiple_of(self.high) { Ok(()) } else { nrpa.select(self.island, self.count, rng) }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [variant, target, seconds, others @ ..] = &arguments[..] else {
        return Err("see the first lines of the source".into());
    };
    let (variant, target, seconds): (Variant, usize, f64) = (variant.parse()?, target.parse()?, seconds.parse()?);
    let (device, board) = (Device::open(0, variant)?, Board::new(variant));
    let selection = others.iter().find_map(|text| text.strip_prefix("select=")).map(Selection::new).transpose()?;
    for seed in others.iter().filter(|text| !text.starts_with("select=")) {
        let seed = seed.parse()?;
        let (began, mut rng, mut best) = (Instant::now(), Stream::new(seed).rng(), 0);
        let independent = Settings { seed, ..Settings::default() };
        let settings = selection.as_ref().map_or(independent, |selection| selection.settings(seed));
        let mut nrpa = Nrpa::new(&device, &board, settings)?;
        for step in 1.. {
            match &selection {
                Some(selection) => selection.advance(&mut nrpa, step, &mut rng)?,
                None => nrpa.advance(5)?,
            }
            let game = &nrpa.collect()?.best;
            if game.len() > best {
                assert!(board.certify(game)?.terminal);
                best = game.len();
                print!("{best} after {:.1} s, ", began.elapsed().as_secs_f64());
            }
            if best >= target || began.elapsed().as_secs_f64() >= seconds {
                break;
            }
        }
        println!("seed {seed}: {best} moves, {:.1} s", began.elapsed().as_secs_f64());
    }
    Ok(())
}
