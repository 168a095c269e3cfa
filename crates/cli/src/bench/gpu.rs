//! The GPU beside all cores of the same machine.

use std::cell::{Cell, RefCell};

use anyhow::Result;
use nestling::{Run, Search, Weights};
use nestling_gpu::Gpu;
use nestling_gpu::morpion::{NestedRuns, Nesting, NrpaRuns, NrpaSettings, Playouts, program};
use nestling_morpion::Board;

use super::rounds::{Clock, Contestant, ContestantResult};
use super::sheet::{Columns, Row};
use super::{Bench, VARIANTS};
use crate::text;

/// Games of a round on the GPU: a tenth of a second.
const GAMES: u32 = 1 << 24;

/// Level-1 searches of every run in a round on the GPU: a tenth of a second.
const SEARCHES: u32 = 5;

/// The name of the weights in the search of weighted playouts.
const WEIGHTS: &str = "weights";

impl Bench {
    /// How many moves of playouts a GPU plays beside all cores: by themselves, in nested search, and in NRPA, which also adapts to as many.
    pub(super) fn gpu(&self) -> Result<()> {
        let threads = nestling_registry::all_threads();
        let columns = Columns {
            table: "gpu",
            title: "Million playout moves per second, wall-clock time".to_owned(),
            how: "device",
            left: (text::plural(threads as u64, "thread"), "threads_mega_moves"),
            right: ("GPU".to_owned(), "gpu_mega_moves"),
        };
        self.sheet.begin(&columns)?;
        for variant in VARIANTS {
            self.sheet.doing(format!("{variant}, compiling"));
            let (device, board) = (Gpu::open(0, &program(variant))?, Board::new(variant));
            // A weight that is nothing: the games are as long as the uniform ones.
            let weights: Weights = [(0, 0.0)].into_iter().collect();
            let all = threads as u64;
            let rows = [
                (
                    "uniform playouts",
                    Search::playout().repeat(200_000 * all),
                    playouts(&device, &board, &Weights::default())?,
                ),
                (
                    "weighted playouts",
                    Search::playout().weights(WEIGHTS).repeat(50_000 * all),
                    playouts(&device, &board, &weights)?,
                ),
                ("nested(1)", Search::nested(1).repeat(200 * all), nested(&device, &board, 1)?),
                ("nested(2)", Search::nested(2).repeat(2 * all), nested(&device, &board, 2)?),
                ("nrpa", Search::nrpa(2).repeat(4 * all), nrpa(&device, &board)?),
            ];
            for (what, search, gpu) in rows {
                let ours: Contestant<'_> = Box::new(|seed| {
                    let run = Run::new(&board, search.clone()).weights(WEIGHTS, weights.clone());
                    Ok(run.threads(threads).seed(seed).start()?.counts.moves)
                });
                let standings = self.compare(Clock::Wall, variant, what, false, &[ours, gpu])?;
                let [processor, gpu] = [&standings[0], &standings[1]].map(|ContestantResult { time, .. }| 1e3 / time);
                let (how, ratio) = (device.name()?, standings[1].ratio);
                let row = Row { variant: variant.name(), what, how, left: processor, right: gpu, ratio };
                self.sheet.row(&columns, &row)?;
            }
        }
        self.sheet.end()
    }
}

fn playouts<'a>(device: &Gpu, board: &Board, weights: &Weights) -> Result<Contestant<'a>> {
    let playouts = RefCell::new(Playouts::weighted(device, board, weights)?);
    Ok(Box::new(move |seed| Ok(playouts.borrow_mut().play(seed, 0, GAMES)?.moves())))
}

fn nested<'a>(device: &Gpu, board: &Board, level: u32) -> Result<Contestant<'a>> {
    let searches = RefCell::new(NestedRuns::new(device, board, Nesting { level, ..Nesting::default() })?);
    let before = Cell::new(0);
    Ok(Box::new(move |_| {
        let mut searches = searches.borrow_mut();
        searches.advance(u64::MAX)?;
        let played = searches.collect()?.played;
        Ok(played - before.replace(played))
    }))
}

fn nrpa<'a>(device: &Gpu, board: &Board) -> Result<Contestant<'a>> {
    let searches = RefCell::new(NrpaRuns::new(device, board, NrpaSettings::default())?);
    let before = Cell::new(0);
    Ok(Box::new(move |_| {
        let mut searches = searches.borrow_mut();
        searches.advance(SEARCHES)?;
        let played = searches.collect()?.played;
        Ok(played - before.replace(played))
    }))
}
