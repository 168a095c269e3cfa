//! The results of searches.

use serde::{Deserialize, Serialize};

/// Moves and the score they lead to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoredMoves<M> {
    /// The score of the last state.
    pub score: f64,
    /// The moves from the state the search started in.
    pub moves: Vec<M>,
}

impl<M> ScoredMoves<M> {
    /// Moves with their score.
    pub fn new(score: f64, moves: Vec<M>) -> Self {
        ScoredMoves { score, moves }
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written<M>", into = "Written<M>", bound(serialize = "M: Clone + Serialize"))]
pub enum Found<M> {
    /// A game to its end, with the score it has there.
    Game(ScoredMoves<M>),
    /// The estimated value of a state, and the moves that lead to that state.
    Estimate(ScoredMoves<M>),
}

impl<M> Found<M> {
    /// The score, or the estimate.
    pub fn score(&self) -> f64 {
        self.line().score
    }

    /// The moves with their score, of a game or an estimate.
    pub fn line(&self) -> &ScoredMoves<M> {
        match self {
            Found::Game(line) | Found::Estimate(line) => line,
        }
    }

    pub(super) fn line_mut(&mut self) -> &mut ScoredMoves<M> {
        match self {
            Found::Game(line) | Found::Estimate(line) => line,
        }
    }

    /// Whether it is a game.
    pub fn is_game(&self) -> bool {
        matches!(self, Found::Game(_))
    }

    /// The same result from an earlier state: `path` leads from there to here.
    #[must_use]
    pub fn after(self, path: &[M]) -> Self
    where
        M: Copy,
    {
        let longer = |line: ScoredMoves<M>| ScoredMoves { moves: joined(path, &line.moves), ..line };
        match self {
            Found::Game(line) => Found::Game(longer(line)),
            Found::Estimate(line) => Found::Estimate(longer(line)),
        }
    }

    /// The moves with their score, of a game or an estimate.
    pub fn into_line(self) -> ScoredMoves<M> {
        match self {
            Found::Game(line) | Found::Estimate(line) => line,
        }
    }
}

pub(crate) fn joined<M: Copy>(path: &[M], moves: &[M]) -> Vec<M> {
    [path, moves].concat()
}

/// The format in checkpoints.
#[derive(Serialize, Deserialize)]
struct Written<M> {
    score: f64,
    moves: Vec<M>,
    complete: bool,
}

impl<M> From<Written<M>> for Found<M> {
    fn from(Written { score, moves, complete }: Written<M>) -> Self {
        let line = ScoredMoves { score, moves };
        if complete { Found::Game(line) } else { Found::Estimate(line) }
    }
}

impl<M> From<Found<M>> for Written<M> {
    fn from(found: Found<M>) -> Self {
        let complete = found.is_game();
        let ScoredMoves { score, moves } = found.into_line();
        Written { score, moves, complete }
    }
}

/// Serializes a result that is known to be a game like any [`Found`].
pub(crate) mod game {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Found, ScoredMoves, Written};

    pub fn serialize<M: Clone + Serialize, S: Serializer>(
        line: &Option<ScoredMoves<M>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        line.clone().map(|line| Written::from(Found::Game(line))).serialize(serializer)
    }

    pub fn deserialize<'de, M: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<ScoredMoves<M>>, D::Error> {
        Ok(Option::<Written<M>>::deserialize(deserializer)?.map(|written| Found::from(written).into_line()))
    }
}
