//! The seam where a machine beside the processor takes over a whole search.

/// A machine beside the processor, such as a GPU, that makes one search, round by round; it was told of problem, search, seed and start
/// when it was opened. [`Run::accelerator`](crate::Run::accelerator) takes it.
///
/// The driver's part stays the same: budgets, news, checkpoints, certificates. What is done in a round is up to the machine, as long as
/// the same rounds give the same games, and a machine that was [restored](Accelerator::restore) goes on as the one that was
/// [saved](Accelerator::save) would have.
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
    /// Plays on for some hundredths of a second; of a budget `left` playouts are left. A machine that cannot play so few plays as few
    /// more as it can.
    ///
    /// # Errors
    ///
    /// When the machine fails, in words. The run ends, with what it had found.
    fn round(&mut self, left: u64) -> Result<Round<M>, String>;

    /// The result of a search that has come to its end, with its score, where that is not the best game: there are searches that forget.
    ///
    /// # Errors
    ///
    /// When the machine fails, in words.
    fn result(&mut self) -> Result<Option<(f64, Vec<M>)>, String> {
        Ok(None)
    }

    /// The games of the last round that reach a score: each once, and the best of a search even if another search has found it too.
    /// The default has none to tell of.
    ///
    /// # Errors
    ///
    /// When the machine fails, in words.
    fn finds(&mut self, _least: f64) -> Result<Vec<KeptGame<M>>, String> {
        Ok(Vec::new())
    }

    /// All that is needed to go on later, after any round.
    ///
    /// # Errors
    ///
    /// When the machine fails, in words.
    fn save(&mut self) -> Result<Vec<u8>, String>;

    /// Goes on from what was saved.
    ///
    /// # Errors
    ///
    /// When that is of another search or damaged, in words.
    fn restore(&mut self, state: &[u8]) -> Result<(), String>;
}

/// A game that is worth keeping.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptGame<M> {
    /// Which of the machine's searches has found it.
    pub search: u64,
    /// Its score.
    pub score: f64,
    /// Its moves after the run's start.
    pub moves: Vec<M>,
}

/// What a round came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Round<M> {
    /// Games played to the end.
    pub playouts: u64,
    /// Moves played in them.
    pub moves: u64,
    /// The best game so far with its score, its moves those after the run's start. It need not be better than that of the round before.
    pub best: Option<(f64, Vec<M>)>,
    /// Whether the search has come to its end, with the best game of all rounds as its result, unless the machine has
    /// [another](Accelerator::result).
    pub finished: bool,
}
