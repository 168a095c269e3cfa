//! Playouts on a GPU, uniform or by weights.

use cudarc::driver::{CudaSlice, PushKernelArg};
use nestling::Weights;
use nestling_morpion::{Board, Move};

use super::layout::{HEAVIEST, LONGEST, Start};
use super::off_board::{MOST_OFF_BOARD, finish};
use super::{BOARD, BOARD_AND_MOVES, WARPS, check_program};
use crate::{Gpu, GpuError, Kernel};

/// Playouts from one position.
pub struct Playouts {
    device: Gpu,
    board: Board,
    kernel: Kernel,
    replay: Kernel,
    start: Start,
    start_words: CudaSlice<u64>,
    start_moves: CudaSlice<u32>,
    weights: Weights,
    policy: CudaSlice<f32>,
}

/// The results of some playouts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayoutScores {
    /// How many games have as many moves, from 0 on; the last place has all that are longer.
    pub lengths: Vec<u32>,
    /// How many of them left the GPU's board and were finished by the processor.
    pub off_board: u32,
    /// The longest game.
    pub best: Vec<Move>,
}

impl PlayoutScores {
    /// How many games were counted.
    pub fn games(&self) -> u64 {
        self.lengths.iter().map(|&count| u64::from(count)).sum()
    }

    /// The moves of all games.
    pub fn moves(&self) -> u64 {
        (0..).zip(&self.lengths).map(|(length, &count)| length * u64::from(count)).sum()
    }
}

impl Playouts {
    /// Prepares uniform playouts from a position.
    ///
    /// # Errors
    ///
    /// When it is too large, or the device fails or was opened with other kernels than those of the board's variant.
    pub fn new(device: &Gpu, board: &Board) -> Result<Self, GpuError> {
        Playouts::weighted(device, board, &Weights::default())
    }

    /// Prepares playouts that draw each move with a probability proportional to the exponential of its line's weight. Weights of lines
    /// outside the device's board only matter to games that leave it, which the processor finishes by them.
    ///
    /// # Errors
    ///
    /// As for [`Playouts::new`], and when a weight is too large for the device.
    pub fn weighted(device: &Gpu, board: &Board, weights: &Weights) -> Result<Self, GpuError> {
        if let Some((code, weight)) = weights.iter().find(|(_, weight)| weight.abs() > HEAVIEST) {
            return Err(GpuError::Weights { code, weight, most: HEAVIEST });
        }
        check_program(device, board)?;
        let start = Start::new(board).ok_or(GpuError::TooLarge(BOARD_AND_MOVES))?;
        let (play, replay) =
            if weights.is_empty() { ("playouts", "replay") } else { ("weighted_playouts", "weighted_replay") };
        Ok(Playouts {
            device: device.clone(),
            board: board.clone(),
            start_words: device.upload(&start.words)?,
            start_moves: device.upload(&start.moves)?,
            kernel: device.kernel(play, WARPS)?,
            replay: device.kernel(replay, WARPS)?,
            policy: device.upload(&start.policy(weights))?,
            weights: weights.clone(),
            start,
        })
    }

    /// Plays the games with the numbers from `first` on. The same seed and number give the same game.
    ///
    /// # Errors
    ///
    /// When the device fails, or more games leave its board than can be finished.
    pub fn play(&mut self, seed: u64, first: u64, games: u32) -> Result<PlayoutScores, GpuError> {
        let (device, warps) = (&self.device, (self.kernel.blocks() * WARPS) as usize);
        let mut histogram = device.zeros::<u32>(LONGEST)?;
        let mut off_board = device.zeros::<u32>(1)?;
        let mut unfinished = device.zeros::<u64>(MOST_OFF_BOARD)?;
        let mut best_length = device.zeros::<u32>(warps)?;
        let mut best = device.zeros::<u64>(warps)?;
        let mut launch = device.stream().launch_builder(self.kernel.function());
        launch.arg(&self.start_words).arg(&self.start_moves).arg(&self.start.count).arg(&self.policy);
        launch.arg(&seed).arg(&first).arg(&games);
        launch.arg(&mut histogram).arg(&mut off_board).arg(&mut unfinished).arg(&mut best_length).arg(&mut best);
        // SAFETY: the arguments are those of the kernel, and every array has the size that it counts on for so many warps.
        unsafe { launch.launch(self.kernel.launch(self.kernel.blocks())) }?;
        let (lengths, numbers) = (device.download(&best_length)?, device.download(&best)?);
        let longest = lengths.iter().max().expect("there are warps");
        let number =
            lengths.iter().zip(&numbers).filter(|(length, _)| *length == longest).map(|(_, number)| *number).min();
        let number = number.expect("one is the longest");
        let mut sample = PlayoutScores {
            lengths: device.download(&histogram)?,
            off_board: device.download(&off_board)?[0],
            best: finish(&self.board, &self.weights, self.game(seed, number)?, seed, number),
        };
        if sample.off_board as usize > MOST_OFF_BOARD {
            return Err(GpuError::Outgrown(BOARD));
        }
        let mut unfinished = device.download(&unfinished)?[..sample.off_board as usize].to_vec();
        unfinished.sort_unstable();
        for number in unfinished {
            let game = finish(&self.board, &self.weights, self.game(seed, number)?, seed, number);
            sample.lengths[game.len().min(LONGEST - 1)] += 1;
            if game.len() > sample.best.len() {
                sample.best = game;
            }
        }
        Ok(sample)
    }

    /// The game with this number, as far as it stays on the board.
    fn game(&self, seed: u64, number: u64) -> Result<Vec<Move>, GpuError> {
        let device = &self.device;
        let mut moves = device.zeros::<u32>(LONGEST)?;
        let mut launch = device.stream().launch_builder(self.replay.function());
        launch.arg(&self.start_words).arg(&self.start_moves).arg(&self.start.count).arg(&self.policy);
        launch.arg(&seed).arg(&number).arg(&mut moves);
        // SAFETY: the arguments are those of the kernel, and the game is shorter than the array.
        unsafe { launch.launch(self.replay.launch(1)) }?;
        let moves = device.download(&moves)?;
        // The highest bit marks a game that left the board.
        Ok(self.start.decode(&moves[1..=(moves[0] & 0x7fff_ffff) as usize]))
    }
}
