//! How people see a problem: pictures, records, and when two games are the same.

use nestling::{Illegal, Problem, Provenance};
use serde_json::Value;

use crate::moves;
use crate::picture::{Canvas, Picture};

/// How a problem is shown, in addition to its moves and scores. Every method has a default, so
/// `impl Presentation for MyProblem {}` is enough to start with.
pub trait Presentation: Problem {
    /// A picture of a game for the terminal. The default lists the moves.
    fn draw(&self, moves: &[Self::Move], canvas: Canvas) -> String {
        moves::list(&self.texts(moves), canvas.width)
    }

    /// A picture of a game as SVG, for problems that have one.
    fn picture(&self, _moves: &[Self::Move], _picture: &Picture) -> Option<String> {
        None
    }

    /// The data with which programs can show the state after some moves, as JSON with the problem's own words.
    fn view(&self, _moves: &[Self::Move]) -> Option<Value> {
        None
    }

    /// How many solutions there are, for problems that are solved or not; `None` too where that takes too long to find out.
    fn solutions(&self) -> Option<Solutions> {
        None
    }

    /// Which of the moves contradict the solution, for puzzles; `None` too where that takes too long to find out.
    fn mistakes(&self, _moves: &[Self::Move]) -> Option<Mistakes> {
        None
    }

    /// What follows from some moves by reasoning, for puzzles: steps of which the last plays a move, if any does. `None` where the problem has
    /// no techniques.
    fn reasons(&self, _moves: &[Self::Move]) -> Option<Vec<MoveReason>> {
        None
    }

    /// The best result known, to compare with.
    fn record(&self) -> Option<Record> {
        None
    }

    /// The games that were published as records, this problem's best first.
    fn published(&self) -> Vec<Published> {
        Vec::new()
    }

    /// A score in words, as in "82 moves". The default is "score 82".
    fn unit(&self) -> Option<&'static str> {
        None
    }

    /// What the score of a game means, for problems where the number alone says little, or that are solved or not; `proven` if nothing
    /// is better. The default says nothing. The score must be enough to tell: a list of runs says what their scores mean even where
    /// the files with the problems are gone.
    fn meaning(_score: f64, _proven: bool) -> Option<Meaning> {
        None
    }

    /// A description of a game's score; `complete` if no legal move is left. The default takes its
    /// [`meaning`](Presentation::meaning), or the number with the [`unit`](Presentation::unit).
    fn worth(&self, score: f64, _complete: bool) -> String {
        match (Self::meaning(score, false), self.unit()) {
            (Some(meaning), _) => meaning.words,
            (None, Some(unit)) => format!("{score} {unit}"),
            (None, None) => format!("score {score}"),
        }
    }

    /// Turns texts into moves. The default looks each up among the legal moves of its state; a problem that can parse its
    /// moves is faster, and can say better what is wrong with one.
    fn parse(&self, texts: &[&str]) -> Result<Vec<Self::Move>, Illegal> {
        moves::find(self, texts.iter().copied())
    }

    /// The code of the move with this text, for files of [weights](nestling::Weights::read). The default knows the moves of this state
    /// alone; replace it where a text stands for the same move, with the same code, in every state.
    ///
    /// # Errors
    ///
    /// When there is no such move: a message.
    fn code_of(&self, text: &str) -> Result<u64, String> {
        moves::code_at_start(self, text)
    }

    /// Bytes that are the same for two games that people would call the same: those of a collection of distinct games. The
    /// default is the texts of the moves; replace it where games have symmetries, or can be played in several orders.
    fn identity(&self, moves: &[Self::Move]) -> Vec<u8> {
        self.texts(moves).join("\n").into_bytes()
    }

    /// What games of one family have in common: a hunt keeps one game of each. The default is their [identity](Presentation::identity).
    fn family(&self, moves: &[Self::Move]) -> Vec<u8> {
        self.identity(moves)
    }

    /// How much two games have in common. The default knows the same moves, in the same order or another.
    fn compare(&self, one: &[Self::Move], other: &[Self::Move]) -> Comparison {
        let (mut one, mut other) = (self.texts(one), self.texts(other));
        if one == other {
            return Comparison::new(Likeness::SameGame, "the same game");
        }
        one.sort_unstable();
        other.sort_unstable();
        if one == other {
            return Comparison::new(Likeness::SameMoves, "the same moves in another order");
        }
        Comparison::new(Likeness::Different, "another game")
    }
}

/// How many solutions a puzzle has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solutions {
    /// None at all.
    None,
    /// One, as puzzles should have.
    One,
    /// More than one.
    Several,
}

/// Which moves contradict the solution of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistakes {
    /// The moves with these indices do; none if the list is empty. With several solutions: the first move after which there is none.
    Moves(Vec<usize>),
    /// The puzzle has no solution, whatever the moves are.
    Unsolvable,
}

/// A step of reasoning in a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveReason {
    /// The name of the technique.
    pub technique: String,
    /// The level of puzzles that need it.
    pub level: String,
    /// What follows and why, in a sentence.
    pub words: String,
    /// The cells that show it, as they are named in moves.
    pub cells: Vec<String>,
    /// The move that follows, if one does.
    pub played: Option<String>,
    /// The moves that are impossible from now on.
    pub excluded: Vec<String>,
}

/// What a score means where the number alone says little.
#[derive(Clone, Debug, PartialEq)]
pub struct Meaning {
    /// In words, as in "3 windows missed, length 170.71".
    pub words: String,
    /// Whether the game solves the problem. A tour that misses windows does not, however short it is.
    pub solved: bool,
    /// The parts of the score, by names for programs.
    pub parts: Vec<(&'static str, f64)>,
}

/// A published result.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The score.
    pub score: f64,
    /// The person or program that found it, and the date.
    pub holder: String,
    /// Whether it is proven that nothing is better.
    pub proven: bool,
    /// A proven bound: its score, and who proved it.
    pub bound: Option<(f64, String)>,
}

/// A game that was published as a record of its time or kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// A short name without blanks.
    pub id: String,
    /// The name people use.
    pub name: String,
    /// When it was found, if that is known.
    pub date: Option<String>,
    /// Its score.
    pub score: f64,
    /// Its moves, as people write them.
    pub moves: Vec<String>,
    /// Its origin.
    pub provenance: Provenance,
}

/// How much two games have in common; symmetries, where a problem has them, are disregarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// None of the following.
    Different,
    /// Another way to the same position, or nearly so: the same dots of Morpion, joined by other lines.
    SamePosition,
    /// The same moves in another order.
    SameMoves,
    /// The same moves in the same order.
    SameGame,
}

impl Likeness {
    /// One word for programs: `game`, `moves`, `position` or `different`.
    pub fn word(self) -> &'static str {
        match self {
            Likeness::Different => "different",
            Likeness::SamePosition => "position",
            Likeness::SameMoves => "moves",
            Likeness::SameGame => "game",
        }
    }
}

/// The common part of two games, and its description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How much.
    pub likeness: Likeness,
    /// In words, as in "the same lines in another order, turned by half".
    pub words: String,
}

impl Comparison {
    /// A comparison.
    pub fn new(likeness: Likeness, words: impl Into<String>) -> Self {
        Comparison { likeness, words: words.into() }
    }
}
