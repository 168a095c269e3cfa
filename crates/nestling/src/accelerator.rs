//! A device beside the processor, such as a GPU, that runs a whole search.

/// A device beside the processor, such as a GPU, that runs one search in rounds. It is given problem, search, seed and start when it is
/// opened, and handed to [`Run::accelerator`](crate::Run::accelerator).
///
/// The driver does what it always does: budgets, news, checkpoints, certificates. The device decides what happens in a round. The same
/// rounds must give the same games, and a device that was [restored](Accelerator::restore) must continue exactly as the one that was
/// [saved](Accelerator::save).
///
/// ```
/// use nestling::engine::{Accelerator, Round};
///
/// /// A machine that finds one better game a round.
/// struct Counting(u8);
///
/// impl Accelerator<u8> for Counting {
///     fn round(&mut self, _left: u64) -> Result<Round<u8>, String> {
///         self.0 += 1;
///         Ok(Round { playouts: 1, moves: 1, best: Some((self.0.into(), vec![self.0])), finished: self.0 == 100 })
///     }
///     fn save(&mut self) -> Result<Vec<u8>, String> {
///         Ok(vec![self.0])
///     }
///     fn restore(&mut self, state: &[u8]) -> Result<(), String> {
///         self.0 = *state.first().ok_or("there is nothing in it")?;
///         Ok(())
///     }
/// }
/// ```
pub trait Accelerator<M>: Send {
    /// Plays on for some hundredths of a second. `left` playouts are left of the budget; a device that can only play larger batches plays
    /// the smallest batch that covers them.
    ///
    /// # Errors
    ///
    /// When the device fails: a message for the user. The run ends and keeps what it had found.
    fn round(&mut self, left: u64) -> Result<Round<M>, String>;

    /// The result of a finished search with its score, if it differs from the best game: some searches forget their best game.
    ///
    /// # Errors
    ///
    /// When the device fails: a message for the user.
    fn result(&mut self) -> Result<Option<(f64, Vec<M>)>, String> {
        Ok(None)
    }

    /// The games of the last round with at least this score. Each game is listed once, except that a search's best game is listed even if
    /// another search has found it too. The default returns none.
    ///
    /// # Errors
    ///
    /// When the device fails: a message for the user.
    fn finds(&mut self, _least: f64) -> Result<Vec<KeptGame<M>>, String> {
        Ok(Vec::new())
    }

    /// The state from which [`restore`](Accelerator::restore) continues; may be called after any round.
    ///
    /// # Errors
    ///
    /// When the device fails: a message for the user.
    fn save(&mut self) -> Result<Vec<u8>, String>;

    /// Continues from a saved state.
    ///
    /// # Errors
    ///
    /// When the state is damaged or belongs to another search: a message for the user.
    fn restore(&mut self, state: &[u8]) -> Result<(), String>;
}

/// A game that is worth keeping.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptGame<M> {
    /// Which of the device's searches found it.
    pub search: u64,
    /// Its score.
    pub score: f64,
    /// Its moves after the run's start.
    pub moves: Vec<M>,
}

/// The result of a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Round<M> {
    /// Games played to the end.
    pub playouts: u64,
    /// Moves played in them.
    pub moves: u64,
    /// The best game so far with its score; its moves are those after the run's start. It may be the same as in the round before.
    pub best: Option<(f64, Vec<M>)>,
    /// Whether the search is finished. Its result is the best game of all rounds, unless [`Accelerator::result`] returns another.
    pub finished: bool,
}
