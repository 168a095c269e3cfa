//! Storing what must not be lost of a run.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::certified::Certified;
use crate::outcome::Counts;

/// A game better than all before it, as it is passed to a journal and to the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Improvement {
    /// The whole game.
    pub game: Certified,
    /// Playouts played by all threads when it was found, in all parts of an interrupted run.
    pub playouts: u64,
    /// How long the run had taken, in all its parts.
    pub elapsed: Duration,
}

impl Improvement {
    /// The score, on the problem's own scale.
    pub fn score(&self) -> f64 {
        self.game.score()
    }

    /// The moves as people write them.
    pub fn texts(&self) -> &[String] {
        self.game.texts()
    }
}

/// A game that is good enough to be kept, even if it is not better than all before it; see [`Run::keep`](crate::Run::keep).
#[derive(Clone, Debug, PartialEq)]
pub struct Find {
    /// The game, and when it was found.
    pub found: Improvement,
    /// A number that tells the searches of a run apart: those of `repeat` may find the same game several times.
    pub search: u64,
}

/// What a run has spent up to some point, all its parts included: a resumed run continues the counts of the interrupted one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Time.
    pub time: Duration,
    /// Everything that was played.
    pub work: Counts,
}

/// Stores the games and the state of a run. The driver calls it from the thread that called [`Run::start`](crate::Run::start). An error
/// does not stop the run; it becomes an event.
///
/// ```
/// use nestling::{Improvement, Journal, Spent};
///
/// /// Keeps the newest checkpoint in memory.
/// #[derive(Default)]
/// struct Newest(Vec<u8>);
///
/// impl Journal for Newest {
///     fn improvement(&mut self, _: &Improvement) -> Result<(), String> { Ok(()) }
///     fn checkpoint(&mut self, bytes: &[u8], _: Spent) -> Result<(), String> {
///         self.0 = bytes.to_vec();
///         Ok(())
///     }
/// }
/// ```
pub trait Journal {
    /// A better game was found.
    fn improvement(&mut self, improvement: &Improvement) -> Result<(), String>;

    /// The whole state of the search; pass these bytes to [`Run::resume`](crate::Run::resume), and `spent` to
    /// [`Run::spent`](crate::Run::spent).
    fn checkpoint(&mut self, bytes: &[u8], spent: Spent) -> Result<(), String>;

    /// A game that reaches the score of [`Run::keep`](crate::Run::keep). The default ignores it.
    fn find(&mut self, _find: &Find) -> Result<(), String> {
        Ok(())
    }

    /// Called ten times a second. The default ignores it; a journal uses it to show how far the run is, or that it is still being worked
    /// on.
    fn progress(&mut self, _spent: Spent) -> Result<(), String> {
        Ok(())
    }
}
