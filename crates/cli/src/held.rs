//! The content of a file before a game is written to it: neither a better game nor anything else must be lost.

use anyhow::Result as Fallible;
use nestling_registry::{Instance, ReadError, Registry, VerifiedGame};

use crate::output::Output;

pub(crate) enum Held {
    /// There is no such file, or it is empty.
    Nothing,
    /// A game of the same problem.
    Game(Box<VerifiedGame>),
    /// Anything else, with a description.
    Other(String),
}

impl Held {
    /// The current content of an output file.
    pub fn by(output: &Output, problem: &dyn Instance, registry: &Registry) -> Held {
        Held::of(output.contents(), problem, registry)
    }

    /// The same for the contents of a file, or why they could not be read.
    pub fn of(contents: Fallible<Option<Vec<u8>>>, problem: &dyn Instance, registry: &Registry) -> Held {
        let bytes = match contents {
            Ok(None) => return Held::Nothing,
            Ok(Some(bytes)) => bytes,
            Err(error) => return Held::Other(format!("this file exists and cannot be read ({})", error.root_cause())),
        };
        match registry.games(&bytes).len() {
            1 => {}
            games => return Held::Other(format!("this file exists and contains {games} games")),
        }
        match (registry.verify_as(&bytes, problem), registry.verify(&bytes)) {
            // A file that names no variant of Morpion Solitaire is not taken for a game of the one that suits.
            (Ok(_), Ok(game)) if game.problem != problem.name() => Held::Other(described(&game, registry)),
            (Ok(game), _) => Held::Game(Box::new(game)),
            (Err(error), read) => Held::Other(other(read, &error, registry)),
        }
    }

    /// The same for comparisons of scores: the score of an unfinished game is left out.
    pub fn complete(self) -> Held {
        match self {
            Held::Game(held) if !held.game.is_over() => {
                Held::Other(format!("this file exists and contains an unfinished game of {}", held.problem))
            }
            held => held,
        }
    }
}

/// A file without a game of the problem, and its own content.
fn other(read: Result<VerifiedGame, ReadError>, error: &ReadError, registry: &Registry) -> String {
    match (read, error) {
        (Ok(game), _) => described(&game, registry),
        (Err(ReadError::Illegal(_)), _) | (_, ReadError::Illegal(_)) => {
            "this file exists and contains an illegal game".to_owned()
        }
        _ => "this file exists and is not a game".to_owned(),
    }
}

fn described(game: &VerifiedGame, registry: &Registry) -> String {
    let worth = registry.open(&game.problem).map(|problem| problem.worth(game.game.score(), game.game.is_over()));
    let worth = worth.map_or_else(|_| String::new(), |worth| format!(", {worth}"));
    format!("this file exists and contains a game of {}{worth}", game.problem)
}
