//! The buffers that all runs of a device share, whatever they search: their starts and their results.

use std::cmp::Reverse;

use cudarc::driver::CudaSlice;
use nestling_morpion::{Board, Move};
use serde::{Deserialize, Serialize};

use super::layout::{LONGEST, Start};
use super::off_board::OffBoardGames;
use super::{BOARD_AND_MOVES, check_program};
use crate::{Gpu, GpuError, SearchTotals};

/// The beginning and the results of runs, in the memory of their device.
pub(crate) struct DeviceBuffers {
    pub device: Gpu,
    pub start: Start,
    pub start_words: CudaSlice<u64>,
    pub start_moves: CudaSlice<u32>,
    /// Searches that each run has finished, and playouts that it has played in all.
    pub done: CudaSlice<u32>,
    pub playout: CudaSlice<u64>,
    /// The longest game of each run.
    pub record_length: CudaSlice<u32>,
    pub record: CudaSlice<u32>,
    /// How many searches have finished with as many moves.
    pub finished: CudaSlice<u32>,
    /// Moves played, and adapted to.
    pub steps: CudaSlice<u64>,
    pub off_board: OffBoardGames,
    progress: SearchTotals<Move>,
}

/// The result of a run so far, between two launches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunTally {
    pub done: u32,
    pub playout: u64,
    pub record: Vec<u32>,
}

impl DeviceBuffers {
    pub fn new(device: &Gpu, board: &Board, runs: usize) -> Result<Self, GpuError> {
        check_program(device, board)?;
        let start = Start::new(board).ok_or(GpuError::TooLarge(BOARD_AND_MOVES))?;
        Ok(DeviceBuffers {
            start_words: device.upload(&start.words)?,
            start_moves: device.upload(&start.moves)?,
            done: device.zeros(runs)?,
            playout: device.zeros(runs)?,
            record_length: device.zeros(runs)?,
            record: device.zeros(runs * LONGEST)?,
            finished: device.zeros(LONGEST)?,
            steps: device.zeros(2)?,
            off_board: OffBoardGames::new(device, board)?,
            progress: SearchTotals::default(),
            device: device.clone(),
            start,
        })
    }

    /// Waits for the launches in progress, and returns the totals of all runs. The seed and the number of runs on all devices tell how the
    /// games that left the board are continued.
    pub fn collect(&mut self, seed: u64, runs: u32) -> Result<&SearchTotals<Move>, GpuError> {
        let steps = self.device.download(&self.steps)?;
        (self.progress.played, self.progress.adapted) = (steps[0], steps[1]);
        self.progress.playouts = self.device.download(&self.playout)?.iter().sum();
        self.progress.searches = self.device.download(&self.done)?.iter().map(|&done| u64::from(done)).sum();
        if let Some(best) = self.longest(&self.record_length, &self.record, self.progress.best.len())? {
            self.progress.best = best;
        }
        for game in self.off_board.finish(&self.device, &self.start, seed, u64::from(runs))? {
            self.progress.off_board += 1;
            if game.len() > self.progress.best.len() {
                self.progress.best = game;
            }
        }
        Ok(&self.progress)
    }

    /// The longest of the games of all runs, if it is longer than this.
    pub fn longest(
        &self,
        lengths: &CudaSlice<u32>,
        games: &CudaSlice<u32>,
        known: usize,
    ) -> Result<Option<Vec<Move>>, GpuError> {
        let lengths = self.device.download(lengths)?;
        let longest = (0..).zip(lengths).max_by_key(|&(run, length)| (length, Reverse(run)));
        let Some((run, length)) = longest.filter(|&(_, length)| length as usize > known) else {
            return Ok(None);
        };
        let first: usize = run * LONGEST;
        let game = self.device.stream().clone_dtoh(&games.slice(first..first + length as usize))?;
        Ok(Some(self.start.decode(&game)))
    }

    pub fn save(&self) -> Result<Vec<RunTally>, GpuError> {
        let (done, playout) = (self.device.download(&self.done)?, self.device.download(&self.playout)?);
        let records = self.games(&self.record_length, &self.record)?;
        let tally = |((done, playout), record)| RunTally { done, playout, record };
        Ok(done.into_iter().zip(playout).zip(records).map(tally).collect())
    }

    pub fn restore<'a>(&mut self, runs: impl Iterator<Item = &'a RunTally> + Clone) -> Result<(), GpuError> {
        (self.record_length, self.record) = self.upload(runs.clone().map(|run| &run.record[..]))?;
        self.done = self.device.upload(&runs.clone().map(|run| run.done).collect::<Vec<_>>())?;
        self.playout = self.device.upload(&runs.map(|run| run.playout).collect::<Vec<_>>())?;
        Ok(())
    }

    /// The games of all runs, by their lengths.
    pub fn games(&self, lengths: &CudaSlice<u32>, games: &CudaSlice<u32>) -> Result<Vec<Vec<u32>>, GpuError> {
        let (lengths, games) = (self.device.download(lengths)?, self.device.download(games)?);
        Ok(lengths.iter().zip(games.chunks(LONGEST)).map(|(&length, game)| game[..length as usize].to_vec()).collect())
    }

    /// The lengths of games, and the games one after the other, each with the room of the longest.
    pub fn upload<'a>(
        &self,
        games: impl Iterator<Item = &'a [u32]>,
    ) -> Result<(CudaSlice<u32>, CudaSlice<u32>), GpuError> {
        let (mut lengths, mut all) = (Vec::new(), Vec::new());
        for game in games {
            let end = all.len() + LONGEST;
            lengths.push(game.len() as u32);
            all.extend_from_slice(game);
            all.resize(end, 0);
        }
        Ok((self.device.upload(&lengths)?, self.device.upload(&all)?))
    }
}
