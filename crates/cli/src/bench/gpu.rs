//! The GPU beside all cores of the same machine.

use std::cell::{Cell, RefCell};

use anyhow::Result;
use nestling::Search;
use nestling_gpu::{Device, Nrpa, Playouts, Settings};
use nestling_morpion::Board;

use super::rounds::{Clock, Contestant, Standing};
use super::sheet::{Columns, Row};
use super::work::run;
use super::{Bench, VARIANTS};
use crate::text;

/// Games of a round on the GPU: a tenth of a second.
const GAMES: u32 = 1 << 24;

/// Level-1 searches of every run in a round on the GPU: a tenth of a second.
const SEARCHES: u32 = 5;

impl Bench {
    /// How many moves of playouts a GPU plays beside all cores, uniformly and in NRPA, which also adapts to as many.
    pub(super) fn gpu(&self) -> Result<()> {
        let threads = crate::solve::all_cores();
        let columns = Columns {
            table: "gpu",
            title: "Million moves of playouts a second on the wall".to_owned(),
            how: "device",
            left: (text::plural(threads as u64, "thread"), "threads_mega_moves"),
            right: ("GPU".to_owned(), "gpu_mega_moves"),
        };
        self.sheet.begin(&columns)?;
        for variant in VARIANTS {
            self.sheet.doing(format!("{variant}, compiling"));
            let (device, board) = (Device::open(0, variant)?, Board::new(variant));
            let playouts = RefCell::new(Playouts::new(&device, &board)?);
            let searches = RefCell::new(Nrpa::new(&device, &board, Settings::default())?);
            let before = Cell::new(0);
            let uniform: Contestant<'_> = Box::new(|seed| {
                let sample = playouts.borrow_mut().play(seed, 0, GAMES)?;
                Ok(sample.moves())
            });
            let nrpa: Contestant<'_> = Box::new(|_| {
                let mut searches = searches.borrow_mut();
                searches.advance(SEARCHES)?;
                let played = searches.collect()?.played;
                Ok(played - before.replace(played))
            });
            let processor =
                [Search::playout().repeat(200_000 * threads as u64), Search::nrpa(2).repeat(4 * threads as u64)];
            for (what, search, gpu) in [("uniform playouts", &processor[0], uniform), ("nrpa", &processor[1], nrpa)] {
                let ours: Contestant<'_> = Box::new(|seed| run(&board, search, threads, seed));
                let standings = self.compare(Clock::Wall, variant, what, false, &[ours, gpu])?;
                let [processor, gpu] = [&standings[0], &standings[1]].map(|Standing { time, .. }| 1e3 / time);
                let (how, ratio) = (device.name()?, standings[1].ratio);
                let row = Row { variant: variant.name(), what, how, left: processor, right: gpu, ratio };
                self.sheet.row(&columns, &row)?;
            }
        }
        self.sheet.end()
    }
}
