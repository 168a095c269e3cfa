//! How people see a problem: pictures, records, files.

use nestling::{Certificate, Problem, texts};

use crate::game::{self, ReadError};

/// What the command line shows of a problem beyond its moves and scores. Every method has a default, so
/// `impl Exhibit for MyProblem {}` is enough to start with.
pub trait Exhibit: Problem {
    /// A picture of a game for the terminal. The default lists the moves.
    fn draw(&self, moves: &[Self::Move], canvas: Canvas) -> String {
        game::list(&texts(self, moves), canvas.width)
    }

    /// The best result known, to compare with.
    fn record(&self) -> Option<Record> {
        None
    }

    /// What the score counts, as in "82 moves". The default says "score 82".
    fn unit(&self) -> Option<&'static str> {
        None
    }

    /// What two games share if and only if people would call them the same. The default is their moves; override it where
    /// games can be mirrored, or where the order of moves does not matter.
    fn identity(&self, moves: &[Self::Move]) -> Vec<u8> {
        texts(self, moves).join("\n").into_bytes()
    }

    /// A game as a file. The default writes the problem's name and one move a line.
    fn write(&self, name: &str, moves: &[Self::Move]) -> String {
        game::write(name, &texts(self, moves))
    }

    /// Reads a file into moves that have not been checked against the rules yet.
    fn read(&self, bytes: &[u8]) -> Result<Vec<Self::Move>, ReadError> {
        game::read(self, bytes)
    }
}

/// What a picture is drawn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canvas {
    /// The width in characters.
    pub width: usize,
    /// Whether colours may be used.
    pub color: bool,
}

/// A published result.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The score.
    pub score: f64,
    /// Who found it and when.
    pub holder: String,
    /// Whether it is proven that nothing is better.
    pub proven: bool,
}

/// What the rules say of a game that was read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The problem it is a game of.
    pub problem: String,
    /// Its moves, as people write them.
    pub moves: Vec<String>,
    /// What it is worth.
    pub certificate: Certificate,
}
