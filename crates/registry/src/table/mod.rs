//! Games for two as people see them, and one such game with its type forgotten.
//!
//! A game is in the registry as a problem too, one whose moves both players make ([`Solo`]): so reading, writing, verifying
//! and drawing its games needs nothing of its own.

mod session;
mod solo;

use std::collections::HashMap;

use nestling::Cancel;
use nestling::duel::{ContestError, Played, Standing, Strategy, StrategyError};
use nestling::{Game, Illegal};
use serde_json::Value;

use crate::exhibit::{Canvas, Picture};

pub use session::{Opinion, Session, Thought};
pub use solo::Solo;

/// What the command line shows of a game for two beyond its moves and endings. Every method has a default, so
/// `impl Tabletop for MyGame {}` is enough to start with.
pub trait Tabletop: Game {
    /// A picture of the state after some moves for the terminal. The default lists the moves.
    fn draw(&self, moves: &[Self::Move], canvas: Canvas) -> String {
        crate::format::list(&solo::texts(self, moves), canvas.width)
    }

    /// A picture of the state after some moves as SVG, for games that have one.
    fn picture(&self, _moves: &[Self::Move], _picture: &Picture) -> Option<String> {
        None
    }

    /// What programs need to show this state, as JSON with the game's own words.
    fn view(&self) -> Option<Value> {
        None
    }

    /// What the player to move has to do, as in "give a piece".
    fn task(&self) -> String {
        "play a move".to_owned()
    }

    /// What a move is, to be said of the player who makes it, as in "gives DTQF".
    fn deed(&self, played: Self::Move) -> String {
        format!("plays {}", self.move_text(played))
    }

    /// What made an ended game end so, as in "four tall pieces on the diagonal a1 b2 c3 d4".
    fn reason(&self) -> Option<String> {
        None
    }

    /// The strengths that people can choose from, the weakest first; each with a name of one word.
    fn levels(&self) -> Vec<Level> {
        vec![
            Level::new("beginner", "random", "plays any move"),
            Level::new("easy", "uct(100)", "plays a hundred games in its head before each move"),
            Level::new("medium", "uct(2000)", "plays two thousand games in its head before each move"),
            Level::new("hard", "uct(50000)", "plays fifty thousand games in its head before each move"),
        ]
    }

    /// Who gives hints: strong, and quick enough to be asked at every move.
    fn advisor(&self) -> Strategy {
        "uct(20000)".parse().expect("it is a constant")
    }

    /// Turns texts into moves.
    fn parse(&self, texts: &[&str]) -> Result<Vec<Self::Move>, Illegal> {
        let mut state = self.clone();
        let mut moves = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            let played = state.read_move(text).map_err(|reason| Illegal { index, reason })?;
            state.play(played);
            moves.push(played);
        }
        Ok(moves)
    }
}

/// How strong an opponent is.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// One word.
    pub name: String,
    /// How it plays.
    pub strategy: Strategy,
    /// What a person should know of it, above all how it errs; a sentence without its subject.
    pub about: String,
}

impl Level {
    /// # Panics
    ///
    /// If the strategy is none: those of levels are constants.
    pub fn new(name: &str, strategy: &str, about: &str) -> Self {
        let strategy = strategy.parse().expect("the strategies of levels are constants");
        Level { name: name.to_owned(), strategy, about: about.to_owned() }
    }
}

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
    fn levels(&self) -> Vec<Level>;

    /// Who gives hints.
    fn advisor(&self) -> Strategy;

    /// Begins a game that is played move by move; strategies may mention these games.
    fn sit_down(&self, memories: &Remembered) -> Result<Box<dyn Session>, StrategyError>;
}
