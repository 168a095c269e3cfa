//! Games that left the kernels' board: the processor finishes them.

use cudarc::driver::CudaSlice;
use nestling::{Problem, Rng, Stream, Weights};
use nestling_morpion::{Board, Move};

use super::BOARD;
use super::layout::{LONGEST, Start};
use crate::{Gpu, GpuError};

/// How many games that left the board a launch can hand over.
pub(crate) const MOST_OFF_BOARD: usize = 1024;

/// 32-bit words of one such game: the run, the playout (two words), the length, and the moves.
const WORDS: usize = LONGEST + 4;

/// Games that left the board, to be finished by the processor.
pub(crate) struct OffBoardGames {
    board: Board,
    pub count: CudaSlice<u32>,
    pub games: CudaSlice<u32>,
}

impl OffBoardGames {
    pub fn new(device: &Gpu, board: &Board) -> Result<OffBoardGames, GpuError> {
        Ok(OffBoardGames {
            board: board.clone(),
            count: device.zeros(1)?,
            games: device.zeros(MOST_OFF_BOARD * WORDS)?,
        })
    }

    /// Finishes those that have come in, in the order of their playouts and runs. The searches have not learned from them.
    pub fn finish(&mut self, device: &Gpu, start: &Start, seed: u64, runs: u64) -> Result<Vec<Vec<Move>>, GpuError> {
        let count = device.download(&self.count)?[0] as usize;
        if count == 0 {
            return Ok(Vec::new());
        }
        if count > MOST_OFF_BOARD {
            return Err(GpuError::Outgrown(BOARD));
        }
        let words = device.download(&self.games)?;
        let mut off_board: Vec<(u64, Vec<Move>)> = words
            .chunks(WORDS)
            .take(count)
            .map(|words| {
                let playout = u64::from(words[1]) | u64::from(words[2]) << 32;
                (playout * runs + u64::from(words[0]), start.decode(&words[4..4 + words[3] as usize]))
            })
            .collect();
        off_board.sort_unstable_by_key(|(path, _)| *path);
        self.count = device.zeros(1)?;
        let uniform = Weights::default();
        Ok(off_board.into_iter().map(|(path, game)| finish(&self.board, &uniform, game, seed, path)).collect())
    }
}

/// Finishes a game by weights where a kernel had to stop. The path identifies the game, so that the same game always continues the same way.
pub(crate) fn finish(board: &Board, weights: &Weights, mut game: Vec<Move>, seed: u64, path: u64) -> Vec<Move> {
    let (mut board, mut rng, mut legal) = (board.clone(), Stream::new(seed).child(path).rng(), Vec::new());
    game.iter().for_each(|&played| board.play(played));
    loop {
        board.legal_moves(&mut legal);
        if legal.is_empty() {
            return game;
        }
        let played = draw(&board, weights, &legal, &mut rng);
        board.play(played);
        game.push(played);
    }
}

/// A legal move, each with a probability proportional to the exponential of its weight.
fn draw(board: &Board, weights: &Weights, legal: &[Move], rng: &mut Rng) -> Move {
    if weights.is_empty() {
        return legal[rng.below(legal.len())];
    }
    let shares: Vec<f64> = legal.iter().map(|&legal| weights.get(board.code(legal)).exp()).collect();
    let mut left = rng.unit() * shares.iter().sum::<f64>();
    let chosen = shares.iter().position(|share| {
        left -= share;
        left < 0.0
    });
    legal[chosen.unwrap_or(legal.len() - 1)]
}

#[cfg(test)]
mod tests {
    use nestling_morpion::Variant;

    use super::*;

    #[test]
    fn games_are_finished_by_the_rules() {
        let board = Board::new(Variant::FiveD);
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        let weights = Weights::towards(&board, &[legal[5]]);
        for weights in [&Weights::default(), &weights] {
            let game = finish(&board, weights, vec![legal[3]], 7, 1);
            assert_eq!(game[0], legal[3]);
            assert!(board.certify(&game).unwrap().terminal);
            assert_eq!(game, finish(&board, weights, vec![legal[3]], 7, 1));
            assert_ne!(game, finish(&board, weights, vec![legal[3]], 7, 2));
        }
    }

    #[test]
    fn moves_are_drawn_by_their_weights() {
        let board = Board::new(Variant::FiveD);
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        let weights: Weights = [(board.code(legal[3]), 3_f64.ln())].into_iter().collect();
        let mut rng = Stream::new(1).rng();
        let times = (0..10_000).filter(|_| draw(&board, &weights, &legal, &mut rng) == legal[3]).count();
        let expected = 10_000.0 * 3.0 / (legal.len() as f64 + 2.0);
        assert!((times as f64 - expected).abs() < 150.0, "{times}, not {expected}");
    }
}
