//! Players of games for two: strategies for a [`Game`](crate::Game), and matches between them.
//!
//! ```
//! # use nestling::{Ending, Game, Player};
//! use nestling::duel::{Contest, Strategy};
//! # #[derive(Clone)] struct Matches { left: u32, turn: Player }
//! # impl Game for Matches {
//! #     type Move = u32;
//! #     fn legal_moves(&self, moves: &mut Vec<u32>) { moves.clear(); moves.extend(1..=self.left.min(2)); }
//! #     fn play(&mut self, taken: u32) { self.left -= taken; self.turn = self.turn.other(); }
//! #     fn turn(&self) -> Player { self.turn }
//! #     fn ending(&self) -> Option<Ending> { (self.left == 0).then_some(Ending::Win(self.turn.other())) }
//! # }
//! // Take one or two matches; who takes the last one wins.
//! let game = Matches { left: 10, turn: Player::First };
//! let (uct, random): (Strategy, Strategy) = ("uct(200)".parse()?, "random".parse()?);
//! let standing = Contest::new(&game, [uct, random]).games(20).seed(1).play(|_| {})?;
//! assert!(standing.score() > 0.8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each kind of player has a file that implements [`PlayerKind`]: the form of its strategies and how they are played. A new one is a file
//! here and a name in [`StandardPlayers`]; outside of this crate it is a type in a [set](Players) of your own.

mod adaptation;
mod agent;
mod alpha_beta;
mod contest;
mod edges;
mod ending_counts;
mod exact;
mod joined;
mod kind;
mod memory;
mod policy;
mod prune;
mod screen;
mod seat;
mod strategy;
mod tree;
mod turnwise;
mod uct;

pub use crate::search::And;
pub use agent::{Agent, Assessment, Decision, Setting};
pub use alpha_beta::AlphaBetaPlayer;
pub use contest::{Contest, ContestError, MatchCounts, Played, Side, Standing};
pub use ending_counts::EndingCounts;
pub use exact::ExactPlayer;
pub use joined::{Joined, WholeTurn};
pub use kind::{PlayerKind, Players, StandardPlayers};
pub use memory::{Memories, Past};
pub use policy::PolicyPlayer;
pub use seat::{Seat, StrategyError};
pub use strategy::{PlayerCatalogue, Strategy};
pub(crate) use tree::class_after;
pub use uct::UctPlayer;
