//! Pools of games, as the kernels play them.

use nestling_morpion::{Board, Move};

use super::layout::{LONGEST, Start};
use super::{BOARD_AND_MOVES, check_program, off_board, score};
use crate::pool::{PoolLayout, PoolRuns};
use crate::{Gpu, GpuError};

/// Pools of games of Morpion Solitaire.
pub type Pools = PoolRuns<Layout>;

/// Bytes of shared memory that a player needs: tracks, moves on their way, moves played, ranks of lines.
pub(super) const PLAYER_MEMORY: u32 = 190 * 8 + 32 * 8 + (LONGEST * 4) as u32 + 4096;

/// Where the games of pools begin.
pub struct Layout {
    board: Board,
    start: Start,
}

impl PoolLayout for Layout {
    type Problem = Board;

    const ROOM: usize = LONGEST;

    fn new(device: &Gpu, board: &Board) -> Result<Self, GpuError> {
        check_program(device, board)?;
        let start = Start::new(board).ok_or(GpuError::TooLarge(BOARD_AND_MOVES))?;
        Ok(Layout { board: board.clone(), start })
    }

    fn start(&self) -> Vec<u32> {
        self.start.words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect()
    }

    fn is_move(&self, written: u16) -> bool {
        self.start.is_pool_move(written)
    }

    fn decode(&self, written: &[u16]) -> Vec<Move> {
        written.iter().map(|&written| self.start.decode_pool_move(written)).collect()
    }

    fn encode(&self, game: &[Move]) -> Option<Vec<u16>> {
        game.iter().map(|&played| self.start.encode_pool_move(played)).collect()
    }

    fn score(start: &Board, game: &[Move]) -> f64 {
        score(start, game)
    }

    fn finish(&self, written: &[u16], seed: u64, path: u64) -> Vec<Move> {
        off_board::finish(&self.board, &nestling::Weights::default(), self.decode(written), seed, path)
    }
}
