//! Morpion Solitaire: playouts, nested search, NRPA and pools of games, a warp for every game.
//!
//! ```
//! use nestling_gpu::morpion::{Playouts, program};
//! use nestling_gpu::{Gpu, GpuError};
//! use nestling_morpion::{Board, Variant};
//!
//! match Gpu::open(0, &program(Variant::FiveD)) {
//!     Ok(device) => {
//!         let sample = Playouts::new(&device, &Board::new(Variant::FiveD))?.play(1, 0, 100_000)?;
//!         assert!((42.0..44.0).contains(&(sample.moves() as f64 / sample.games() as f64)));
//!     }
//!     Err(missing) => println!("{missing}"),
//! }
//! # Ok::<(), GpuError>(())
//! ```

mod buffers;
mod engine;
mod layout;
mod nested;
mod nrpa;
mod off_board;
mod playouts;
mod pool;

use nestling::Problem;
use nestling_morpion::{Board, Move, Variant};

use crate::{Gpu, GpuError, Program};
use layout::LONGEST;

pub use nested::{NestedRuns, Nesting};
pub use nrpa::{NrpaRuns, NrpaSettings, Schedule};
pub use playouts::{PlayoutScores, Playouts};
pub use pool::{Layout, Pools};

/// The source to be compiled: the game, then the kernels that play it.
const SOURCE: &str = concat!(
    include_str!("kernels/game.cu"),
    include_str!("kernels/adapt.cu"),
    include_str!("kernels/playouts.cu"),
    include_str!("kernels/nrpa.cu"),
    include_str!("kernels/nested.cu"),
    include_str!("../pool/kernels/player.cu"),
    include_str!("kernels/child.cu"),
    include_str!("../pool/kernels/island.cu"),
    include_str!("../pool/kernels/order.cu"),
    include_str!("../pool/kernels/merge.cu"),
    include_str!("../pool/kernels/pool.cu")
);

/// Warps in a block; the kernels count on it.
const WARPS: u32 = 4;

/// The most tries that NRPA can make at once for an adapt.
const TRIES: u32 = 16;

/// Bytes of shared memory that a warp needs for its game, or for an adapt.
const SHARED: u32 = (LONGEST * 8) as u32;

/// The limits of the kernels.
const BOARD: &str = "board of 32 × 32 cells";

/// The limits at the start of a search.
const BOARD_AND_MOVES: &str = "board of 32 × 32 cells and 64 legal moves";

/// The kernels of a variant.
pub fn program(variant: Variant) -> Program {
    let program = Program::new(SOURCE)
        .option("--ftz=true")
        .define("LENGTH", variant.line_length())
        .define("TOUCHING", u32::from(variant.touching()));
    ["playouts", "weighted_playouts", "replay", "weighted_replay", "nrpa", "nested"]
        .into_iter()
        .fold(program, Program::kernel)
        .kernel_with_shared("nrpa_trying", SHARED)
        .kernel_with_shared("pool", pool::PLAYER_MEMORY)
}

/// The score of a game: every move is a point.
fn score(start: &Board, game: &[Move]) -> f64 {
    start.score() + game.len() as f64
}

/// Refuses a device that has other kernels than those of the board's variant: the arguments of a launch are right for those only.
fn check_program(device: &Gpu, board: &Board) -> Result<(), GpuError> {
    if *device.program() == program(board.variant()) { Ok(()) } else { Err(GpuError::OtherProgram) }
}
