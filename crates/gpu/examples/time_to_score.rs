//! How long a GPU takes to a score, from a cold start: `cargo run --release -p nestling-gpu --example time_to_score -- 5D 82 SECONDS SEED…`, by
//! independent searches `nrpa(3)`. Among the seeds may stand, for those after them:
//!
//! - `levels=50,50,50,24`: the iterations of the levels, the lowest first; `alpha=1,1,1,0.5`: their steps;
//! - `tries=16`: playouts before each adapt of level 1.

use std::error::Error;
use std::str::FromStr;
use std::time::Instant;

use nestling::Problem;
use nestling_gpu::Gpu;
use nestling_gpu::morpion::{NrpaRuns, NrpaSettings, Schedule, program};
use nestling_morpion::notation::pentasol;
use nestling_morpion::{Board, MorpionGame, Variant};

/// Level-1 searches of every run in a launch.
const ROUND: u32 = 5;

/// What the next seeds are searched with.
struct Hunt {
    target: usize,
    seconds: f64,
    settings: NrpaSettings,
    schedule: Schedule,
}

impl Hunt {
    /// Takes an option; whether it was one.
    fn set(&mut self, text: &str) -> Result<bool, Box<dyn Error>> {
        match text.split_once('=') {
            None => return Ok(false),
            Some(("levels", values)) => {
                let values = numbers(values)?;
                self.settings.level = values.len() as u32;
                self.schedule.iterations[..values.len()].copy_from_slice(&values);
            }
            Some(("alpha", values)) => {
                let values = numbers(values)?;
                self.schedule.alpha[..values.len()].copy_from_slice(&values);
            }
            Some(("tries", value)) => self.settings.tries = value.parse()?,
            Some((other, _)) => return Err(format!("{other}= is none of levels=, alpha=, tries=").into()),
        }
        Ok(true)
    }

    fn run(&self, device: &Gpu, board: &Board, seed: u64) -> Result<(), Box<dyn Error>> {
        let (began, mut best) = (Instant::now(), 0);
        let settings = NrpaSettings { seed, schedule: Some(self.schedule), ..self.settings };
        let mut nrpa = NrpaRuns::new(device, board, settings)?;
        let level = self.settings.level as usize;
        // Level-1 searches in an iteration of the highest level.
        let whole: u32 = self.schedule.iterations[1..level - 1].iter().product();
        let (mut made, mut iterations) = (0, 0);
        while best < self.target && began.elapsed().as_secs_f64() < self.seconds {
            let searches = ROUND.min(whole - made);
            nrpa.advance(searches)?;
            made += searches;
            let game = &nrpa.collect()?.best;
            if game.len() > best {
                assert!(board.certify(game)?.terminal);
                best = game.len();
                print!("{best} after {:.1} s, ", began.elapsed().as_secs_f64());
            }
            if made < whole {
                continue;
            }
            (made, iterations) = (0, iterations + 1);
            let lengths = nrpa.lengths(level)?;
            let mean = lengths.iter().map(|&length| f64::from(length)).sum::<f64>() / lengths.len() as f64;
            println!("\n  {:.1} s, iteration {iterations}: mean {mean:.2}", began.elapsed().as_secs_f64());
        }
        let progress = nrpa.collect()?.clone();
        let steps = (progress.played + progress.adapted) as f64 / began.elapsed().as_secs_f64();
        println!(
            "\nseed {seed}: {best} moves, {:.1} s, {:.2} G steps a second",
            began.elapsed().as_secs_f64(),
            steps / 1e9
        );
        let game = MorpionGame { variant: board.variant(), moves: progress.best };
        print!("{}", pentasol::write(&game));
        Ok(())
    }
}

fn numbers<T: FromStr<Err: Error + 'static>>(text: &str) -> Result<Vec<T>, Box<dyn Error>> {
    Ok(text.split(',').map(str::parse).collect::<Result<_, _>>()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [variant, target, seconds, others @ ..] = &arguments[..] else {
        return Err("see the first lines of the source".into());
    };
    let variant: Variant = variant.parse()?;
    let mut hunt = Hunt {
        target: target.parse()?,
        seconds: seconds.parse()?,
        settings: NrpaSettings::default(),
        schedule: Schedule { iterations: [100; 8], alpha: [1.0; 8] },
    };
    let (device, board) = (Gpu::open(0, &program(variant))?, Board::new(variant));
    for text in others {
        if !hunt.set(text)? {
            hunt.run(&device, &board, text.parse()?)?;
        }
    }
    Ok(())
}
