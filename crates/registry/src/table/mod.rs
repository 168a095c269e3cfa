//! Games for two as people see them, and one such game with its type forgotten.
//!
//! A game is in the registry as a problem too, one whose moves both players make ([`Solo`]): so reading, writing, verifying
//! and drawing its games needs nothing of its own.

mod session;
mod solo;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use nestling::Cancel;
use nestling::duel::{ContestError, Played, Standing, Strategy, StrategyError};
use nestling_presentation::OpponentLevel;

pub use session::{Opinion, Session, Thought};
pub use solo::Solo;

/// A match to be played, as a person orders it.
#[derive(Clone, Debug)]
pub struct MatchOrder {
    /// The two sides.
    pub strategies: [Strategy; 2],
    /// How many games.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// How many threads.
    pub threads: usize,
    /// How many random moves both games of a pair begin with.
    pub opening: usize,
    /// Ends the match from outside.
    pub cancel: Cancel,
    /// Counts the moves that are made, for progress displays.
    pub moves: Arc<AtomicU64>,
    /// The games that the strategies mention.
    pub memories: Remembered,
}

/// Games that were played before, moves as people write them, by the names that strategies call them by.
pub type Remembered = HashMap<String, Vec<Vec<String>>>;

/// A game for two, as the command line sees it.
pub trait Table: Send + Sync {
    /// Whether a strategy can be played here.
    fn check(&self, strategy: &Strategy, memories: &Remembered) -> Result<(), StrategyError>;

    /// Plays a match and hands the games on in their order, moves as people write them.
    fn contest(&self, order: &MatchOrder, listener: &mut dyn FnMut(&Played<String>)) -> Result<Standing, ContestError>;

    /// The strengths that people can choose from.
    fn levels(&self) -> Vec<OpponentLevel>;

    /// The player that gives hints.
    fn advisor(&self) -> Strategy;

    /// Begins a game that is played move by move; strategies may mention these games.
    fn start_session(&self, memories: &Remembered) -> Result<Box<dyn Session>, StrategyError>;
}
