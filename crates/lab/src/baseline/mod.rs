//! The playout techniques of Buzer and Cazenave, *Playout Optimization for Monte-Carlo Search Algorithms. Application
//! to Morpion Solitaire*, 2022, written from the paper: the yardstick for Nestling's own engine, which shares no code
//! with it.
//!
//! A move is a code of 16 bits (II.D, II.E), a square a byte `L0 D L1 D L2 D L3 D` (III.D), the board 32 × 32 squares
//! for 5D and 64 × 64 for 5T as in table II. A game whose dot would come within four squares of the border is
//! [refused](BaselineError::OffBoard): the whole call ends, so that no cut game is ever counted.
//!
//! Where the paper leaves a detail open the faster reading was taken. Its generator and its seeds (III.B) are here to be measured; all other
//! games take Nestling's generator. NRPA takes its exponentials from the system, as a C++ program would, so that its games may
//! differ between systems.
//!
//! ```
//! use nestling_lab::baseline::{Technique, nested, uniform};
//! use nestling_morpion::Variant;
//!
//! let moves = uniform(Variant::FiveD, Technique::RangeQuery, 1_000, 7)?;
//! assert!((40_000..46_000).contains(&moves));
//! assert!(nested(Variant::FiveD, 1, 7)?.score() > 50);
//! # Ok::<(), nestling_lab::baseline::BaselineError>(())
//! ```

mod code;
mod generator;
mod list;
mod nested;
mod nrpa;
mod playout;
mod position;
mod profile;
mod range_query;
mod region;
mod sorted;
mod squares;
#[allow(unsafe_code, reason = "algorithm 3 is SSE2 intrinsics; tested against the plain list through the rules")]
mod sse2;

use generator::Draws;
use nestling::Stream;
use nestling_morpion::{Line, Move, Variant};
use playout::{Exponentials, Plain, WeightForm};

pub use code::CODES;
pub use generator::{FourNumbers, draw_many, hardware_seeds};
pub use list::{MoveList, PlainList};
pub use position::TrackedPosition;
pub use profile::{Activity, profile};
pub use range_query::RangeQuery;
pub use region::{FourDirections, PlacedLine, Rectangle, Region, Rescan, WholeBoard};
pub use sorted::SortedLists;
pub use sse2::VectorList;

/// How the list of possible moves is kept after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Look at the whole board (table I).
    WholeBoard,
    /// Look at all squares in the four directions from the new dot (table I).
    FourDirections,
    /// Look at the surrounding rectangle (table I).
    Rectangle,
    /// Range Query with SSE2 lists: the paper's proposal.
    RangeQuery,
    /// Range Query with lists that use no vector instructions (III.C).
    PlainLists,
    /// Sorted lists and a table of what changes (II.H).
    SortedLists,
}

impl Technique {
    /// All techniques.
    pub const ALL: [Technique; 6] = [
        Technique::WholeBoard,
        Technique::FourDirections,
        Technique::Rectangle,
        Technique::RangeQuery,
        Technique::PlainLists,
        Technique::SortedLists,
    ];
}

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// A game left the board, which the paper chose large enough for this never to happen.
    #[error("a game came within four squares of the board's border; another seed will do")]
    OffBoard,
    /// The paper plays 5D and 5T only.
    #[error("the paper's techniques play 5D and 5T, not {0}")]
    Variant(Variant),
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselineGame {
    /// The best game.
    pub game: Vec<Move>,
    /// The moves played in the playouts that found it; as in Nestling's counts, a search's own moves between them are not
    /// among them.
    pub played: u64,
}

impl BaselineGame {
    /// The number of moves of the best game.
    pub fn score(&self) -> usize {
        self.game.len()
    }
}

/// Calls a function that is generic over the position with the type for a technique and a variant.
macro_rules! with_position {
    ($variant:expr, $technique:expr, $function:ident($($argument:expr),*)) => {
        match $variant {
            Variant::FiveD => with_position!(@technique 32, false, $technique, $function($($argument),*)),
            Variant::FiveT => with_position!(@technique 64, true, $technique, $function($($argument),*)),
            other => Err(BaselineError::Variant(other)),
        }
    };
    (@technique $side:literal, $touching:literal, $technique:expr, $function:ident($($argument:expr),*)) => {
        match $technique {
            Technique::WholeBoard => $function::<Rescan<WholeBoard, $side, $touching>>($($argument),*),
            Technique::FourDirections => $function::<Rescan<FourDirections, $side, $touching>>($($argument),*),
            Technique::Rectangle => $function::<Rescan<Rectangle, $side, $touching>>($($argument),*),
            Technique::RangeQuery => $function::<RangeQuery<VectorList, $side, $touching>>($($argument),*),
            Technique::PlainLists => $function::<RangeQuery<PlainList, $side, $touching>>($($argument),*),
            Technique::SortedLists => $function::<SortedLists<$side, $touching>>($($argument),*),
        }
    };
}

/// Plays uniformly random games and returns the number of moves played.
pub fn uniform(variant: Variant, technique: Technique, games: u64, seed: u64) -> Result<u64, BaselineError> {
    with_position!(variant, technique, uniform_games(games, Stream::new(seed).rng()))
}

/// The same by Range Query with SSE2 lists, and with the paper's generator.
pub fn uniform_with_four_numbers(variant: Variant, games: u64, seed: u64) -> Result<u64, BaselineError> {
    with_position!(variant, Technique::RangeQuery, uniform_games(games, FourNumbers::new(seed as u32)))
}

#[inline(never)]
fn uniform_games<P: TrackedPosition>(games: u64, mut rng: impl Draws) -> Result<u64, BaselineError> {
    let start = P::new();
    let (mut position, mut moves) = (start.clone(), 0);
    for _ in 0..games {
        position.clone_from(&start);
        playout::uniform(&mut position, &mut rng, |_| moves += 1)?;
    }
    Ok(moves)
}

/// Plays uniformly random games by Range Query with SSE2 lists. Returns the number of moves, and the mean number of possible moves before the
/// first move, at the end of the first half, at the beginning of the second half, and before the last move.
pub fn children(variant: Variant, games: u64, seed: u64) -> Result<(u64, [f64; 4]), BaselineError> {
    with_position!(variant, Technique::RangeQuery, children_of(games, seed))
}

fn children_of<P: TrackedPosition>(games: u64, seed: u64) -> Result<(u64, [f64; 4]), BaselineError> {
    let start = P::new();
    let (mut position, mut rng) = (start.clone(), Stream::new(seed).rng());
    let (mut moves, mut sums, mut counts) = (0, [0.0; 4], Vec::new());
    for _ in 0..games {
        position.clone_from(&start);
        counts.clear();
        while !position.legal().is_empty() {
            let legal = position.legal();
            counts.push(legal.len());
            let code = legal[rng.below(legal.len())];
            position.play(code)?;
        }
        let half = counts.len() / 2;
        for (sum, place) in sums.iter_mut().zip([0, half - 1, half, counts.len() - 1]) {
            *sum += counts[place] as f64;
        }
        moves += counts.len() as u64;
    }
    Ok((moves, sums.map(|sum| sum / games as f64)))
}

/// Plays random games with moves drawn by a policy, as NRPA does, and returns the number of moves played. The policy
/// has learnt nothing, so the games are as long as uniform ones, but it is looked up and drawn from like any other.
pub fn weighted(variant: Variant, technique: Technique, games: u64, seed: u64) -> Result<u64, BaselineError> {
    with_position!(variant, technique, weighted_games(games, seed))
}

#[inline(never)]
fn weighted_games<P: TrackedPosition>(games: u64, seed: u64) -> Result<u64, BaselineError> {
    let start = P::new();
    let (mut position, mut rng, mut moves) = (start.clone(), Stream::new(seed).rng(), 0);
    let (policy, mut sums) = (Exponentials::indifferent(), playout::Sums::new());
    for _ in 0..games {
        position.clone_from(&start);
        playout::weighted::<_, Exponentials>(&mut position, &policy, &mut sums, &mut rng, |_, _| moves += 1)?;
    }
    Ok(moves)
}

/// Runs one nested Monte-Carlo search with memory on Range Query with SSE2 lists. Level 0 is a playout.
pub fn nested(variant: Variant, level: usize, seed: u64) -> Result<BaselineGame, BaselineError> {
    with_position!(variant, Technique::RangeQuery, nested_search(level, seed))
}

fn nested_search<P: TrackedPosition>(level: usize, seed: u64) -> Result<BaselineGame, BaselineError> {
    found::<P>(nested::nested::<P>(level, seed)?)
}

/// Runs one nested rollout policy adaptation, N = 100 and α = 1, on Range Query with SSE2 lists. Level 0 is a playout.
pub fn nrpa(variant: Variant, level: usize, seed: u64) -> Result<BaselineGame, BaselineError> {
    with_position!(variant, Technique::RangeQuery, nrpa_search(level, seed))
}

fn nrpa_search<P: TrackedPosition>(level: usize, seed: u64) -> Result<BaselineGame, BaselineError> {
    found::<P>(nrpa::nrpa::<P, Exponentials>(level, seed)?)
}

/// The same without the two optimisations of IV.C: policies hold weights, whose exponentials every playout computes, and a
/// whole policy is copied to adapt it.
pub fn vanilla_nrpa(variant: Variant, level: usize, seed: u64) -> Result<BaselineGame, BaselineError> {
    with_position!(variant, Technique::RangeQuery, vanilla_nrpa_search(level, seed))
}

fn vanilla_nrpa_search<P: TrackedPosition>(level: usize, seed: u64) -> Result<BaselineGame, BaselineError> {
    found::<P>(nrpa::nrpa::<P, Plain>(level, seed)?)
}

/// The game of a search as moves on the lattice.
fn found<P: TrackedPosition>(searched: nested::Searched) -> Result<BaselineGame, BaselineError> {
    let mut position = P::new();
    let mut game = Vec::new();
    for code in searched.game {
        game.push(move_of(&position, code));
        position.play(code)?;
    }
    Ok(BaselineGame { game, played: searched.played })
}

/// The code of a line in this kind of position; `None` if it is not on the board.
///
/// ```
/// use nestling_lab::baseline::{TrackedPosition, RangeQuery, VectorList, code_of, move_of};
/// type FiveD = RangeQuery<VectorList, 32, false>;
/// let position = FiveD::new();
/// let code = position.legal()[0];
/// assert_eq!(code_of::<FiveD>(move_of(&position, code).line), Some(code));
/// ```
pub fn code_of<P: TrackedPosition>(line: Line) -> Option<u16> {
    code::code_of(P::SIDE, line)
}

/// The possible move of a code.
pub fn move_of<P: TrackedPosition>(position: &P, code: u16) -> Move {
    code::move_of(P::SIDE, code, position.hole(code))
}
