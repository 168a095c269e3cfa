//! How people see a game for two.

use nestling::duel::Strategy;
use nestling::{Game, Illegal};
use serde_json::Value;

use crate::moves;
use crate::picture::{Canvas, Picture};

/// How a game for two is shown, in addition to its moves and endings. Every method has a default, so
/// `impl GamePresentation for MyGame {}` is enough to start with.
pub trait GamePresentation: Game {
    /// A picture of the state after some moves for the terminal. The default lists the moves.
    fn draw(&self, moves: &[Self::Move], canvas: Canvas) -> String {
        moves::list(&texts(self, moves), canvas.width)
    }

    /// A picture of the state after some moves as SVG, for games that have one.
    fn picture(&self, _moves: &[Self::Move], _picture: &Picture) -> Option<String> {
        None
    }

    /// The data with which programs can show this state, as JSON with the game's own words.
    fn view(&self) -> Option<Value> {
        None
    }

    /// The task of the player to move, as in "give a piece".
    fn task(&self) -> String {
        "play a move".to_owned()
    }

    /// The description of a move, after the name of the player who makes it, as in "gives DTQF".
    fn deed(&self, played: Self::Move) -> String {
        format!("plays {}", self.move_text(played))
    }

    /// The reason for the end of a game, as in "four tall pieces on the diagonal a1 b2 c3 d4".
    fn reason(&self) -> Option<String> {
        None
    }

    /// The strengths that people can choose from, the weakest first; each with a name of one word.
    fn levels(&self) -> Vec<OpponentLevel> {
        vec![
            OpponentLevel::new("beginner", "random", "plays any move"),
            OpponentLevel::new("easy", "uct(100)", "plays a hundred games in its head before each move"),
            OpponentLevel::new("medium", "uct(2000)", "plays two thousand games in its head before each move"),
            OpponentLevel::new("hard", "uct(50000)", "plays fifty thousand games in its head before each move"),
        ]
    }

    /// The player that gives hints: strong, and quick enough to be asked at every move.
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
pub struct OpponentLevel {
    /// One word.
    pub name: String,
    /// How it plays.
    pub strategy: Strategy,
    /// A description of the level, above all of its mistakes; a sentence without its subject.
    pub about: String,
}

impl OpponentLevel {
    /// # Panics
    ///
    /// If the strategy is none: those of levels are constants.
    pub fn new(name: &str, strategy: &str, about: &str) -> Self {
        let strategy = strategy.parse().expect("the strategies of levels are constants");
        OpponentLevel { name: name.to_owned(), strategy, about: about.to_owned() }
    }
}

/// A game as people write it.
pub fn texts<G: Game>(start: &G, moves: &[G::Move]) -> Vec<String> {
    let mut state = start.clone();
    let mut text = |&played: &G::Move| {
        let text = state.move_text(played);
        state.play(played);
        text
    };
    moves.iter().map(&mut text).collect()
}
