//! Where a run writes what must not be lost.

use std::time::Duration;

/// A game better than all before it, as a journal and the screen get it: certified, its moves as people write them.
#[derive(Clone, Debug, PartialEq)]
pub struct Improvement {
    /// The score, on the problem's own scale.
    pub score: f64,
    /// The whole game.
    pub moves: Vec<String>,
    /// Playouts played by all threads when it was found.
    pub playouts: u64,
    /// Time since the run began.
    pub elapsed: Duration,
}

/// Keeps what a run finds and where it stands. The driver calls it from the thread that called
/// [`Run::start`](crate::Run::start); an error does not stop the run, it becomes an event.
///
/// ```
/// use nestling::{Improvement, Journal};
///
/// /// Keeps the newest checkpoint in memory.
/// #[derive(Default)]
/// struct Newest(Vec<u8>);
///
/// impl Journal for Newest {
///     fn improvement(&mut self, _: &Improvement) -> Result<(), String> { Ok(()) }
///     fn checkpoint(&mut self, bytes: &[u8]) -> Result<(), String> {
///         self.0 = bytes.to_vec();
///         Ok(())
///     }
/// }
/// ```
pub trait Journal {
    /// A better game was found.
    fn improvement(&mut self, improvement: &Improvement) -> Result<(), String>;

    /// The whole state of the search; [`Run::resume`](crate::Run::resume) takes these bytes back.
    fn checkpoint(&mut self, bytes: &[u8]) -> Result<(), String>;
}
