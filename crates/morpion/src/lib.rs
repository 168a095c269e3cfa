//! Morpion Solitaire for Nestling.
//!
//! On an infinite lattice stands a cross of dots. A move adds one dot and draws a line of five (or four) dots through it;
//! lines of one direction must not overlap. The game is to play as many moves as possible.
//!
//! [`Rules`] are the plain rules, [`Board`] is the fast engine; both are [`Problem`](nestling::Problem)s with the same
//! moves in the same order. [`notation`] reads and writes games, [`draw()`] shows them in a terminal and [`svg()`]
//! in a picture, [`Figure`] tells whether two games are the same, and [`published()`] has the record games.
//!
//! ```
//! use nestling::{Problem, Stream};
//! use nestling_morpion::{Board, Variant};
//!
//! let (mut board, mut moves, mut rng) = (Board::new(Variant::FiveD), Vec::new(), Stream::new(7).rng());
//! loop {
//!     board.legal_moves(&mut moves);
//!     if moves.is_empty() { break }
//!     board.play(moves[rng.below(moves.len())]);
//! }
//! assert!(board.score() >= 20.0 && board.score() <= 84.0);
//! ```

mod board;
mod draw;
mod engine;
mod geometry;
pub mod notation;
mod presentation;
mod prove;
mod published;
mod rules;
mod suggestion;
mod symmetry;
mod variant;

pub use board::Board;
pub use draw::{DrawOptions, draw, svg};
pub use engine::Instructions;
pub use geometry::{Cell, Direction, Line, Move};
pub use notation::MorpionGame;
pub use prove::{ProofStep, ProvenTail, Prover};
pub use published::{PublishedGame, published};
pub use rules::{Fault, Rules};
pub use symmetry::{Figure, FigureLikeness, Symmetry, compare, dots};
pub use variant::{KnownLength, UnknownVariant, Variant};
