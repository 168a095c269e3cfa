//! Quarto for Nestling.
//!
//! Sixteen pieces, each dark or light, tall or short, square or round, flat or hollow, go on a board of four by four cells.
//! A player gives a piece, the opponent places it and gives one back. Whoever completes a line of four pieces that have
//! something in common wins; in a [variant](Variant) squares of two by two cells count as well.
//!
//! [`Position`] is the fast implementation, a [`nestling::Game`], and [`Rules`] the plain one. [`Position::canonical`] knows
//! the symmetries, [`QuartoSolver`] the values of positions, and [`Book`] those of the first ones. [`Transcript`] reads and writes games, and [`draw()`] shows positions.
//!
//! ```
//! use nestling::PlayerResult;
//! use nestling_quarto::{Limit, QuartoSolver, Transcript};
//! let game: Transcript = "LSQH d4 DTQH d2 LTRF a1 DSQH b1 DSRF c4 DTQF b2 LTRH c3 DSRH c2 LTQF a2".parse()?;
//! let position = game.position();
//! assert_eq!(QuartoSolver::new(16).verdict(&position, Limit::NONE), Some(PlayerResult::Draw));
//! # Ok::<(), nestling_quarto::ReadError>(())
//! ```

mod book;
mod draw;
mod game;
mod lines;
mod notation;
mod picture;
mod piece;
mod playout;
mod position;
mod presentation;
mod rules;
mod solver;
mod symmetry;

pub use book::{Book, BookError, Draft};
pub use draw::{draw, won_text};
pub use game::QuartoPolicy;
pub use lines::Variant;
pub use notation::{ReadError, Transcript, UnknownWord};
pub use piece::{Cell, Cells, Member, Members, OutOfRange, Piece, Pieces, Set, Trait};
pub use position::{Move, Position};
pub use rules::{Fault, Rules};
pub use solver::{Limit, QuartoSolver};
