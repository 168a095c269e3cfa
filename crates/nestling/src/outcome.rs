//! The result of a run.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::certified::{Certified, Erased};
pub use crate::search::task::Counts;
use crate::weights::Weights;

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Stop {
    /// The search is complete by its definition.
    Finished,
    /// The playouts were spent.
    Playouts,
    /// The time was over.
    Time,
    /// The target was reached.
    Target,
    /// The problem's bound was reached: nothing better exists.
    Bound,
    /// The run was cancelled.
    Cancelled,
    /// The device that ran the search has failed; see [`Event::Failed`](crate::Event::Failed).
    Failed,
}

impl Stop {
    /// One lower-case word, as in the JSON output.
    pub fn word(self) -> &'static str {
        match self {
            Stop::Finished => "finished",
            Stop::Playouts => "playouts",
            Stop::Time => "time",
            Stop::Target => "target",
            Stop::Bound => "bound",
            Stop::Cancelled => "cancelled",
            Stop::Failed => "failed",
        }
    }

    /// Whether the run was interrupted: it has no final result yet, and can be resumed from its last checkpoint.
    ///
    /// ```
    /// use nestling::Stop;
    /// assert!(Stop::Cancelled.is_interruption());
    /// assert!(!Stop::Time.is_interruption());
    /// ```
    pub fn is_interruption(self) -> bool {
        matches!(self, Stop::Cancelled | Stop::Failed)
    }
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer<M = Erased> {
    /// A game.
    Game(Certified<M>),
    /// The estimated value of a state.
    Estimate {
        /// The estimate.
        score: f64,
        /// The moves that lead to that state, as far as they are known.
        after: Certified<M>,
    },
    /// Nothing: the run was cut before any game was finished or any estimate made.
    Nothing,
}

impl<M> Answer<M> {
    /// The game, if it is one.
    pub fn game(&self) -> Option<&Certified<M>> {
        if let Answer::Game(game) = self { Some(game) } else { None }
    }

    /// The score of the game, or the estimate.
    pub fn score(&self) -> Option<f64> {
        match self {
            Answer::Game(game) => Some(game.score()),
            Answer::Estimate { score, .. } => Some(*score),
            Answer::Nothing => None,
        }
    }

    fn erase(self) -> Answer {
        match self {
            Answer::Game(game) => Answer::Game(game.erase()),
            Answer::Estimate { score, after } => Answer::Estimate { score, after: after.erase() },
            Answer::Nothing => Answer::Nothing,
        }
    }
}

/// The result of a run.
///
/// With the same problem, search, seed and a budget in playouts, every field except `elapsed` and `work` is the same on any number of
/// threads. The same holds without a budget, unless a target or the problem's bound is reached.
///
/// `Outcome<M>` has games with moves of type `M`; in plain `Outcome` that type is erased.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<M = Erased> {
    /// The result by the search's definition, or the best game seen if the run was cut. Its moves begin at the start of the problem, so
    /// they include those given with [`Run::from`](crate::Run::from).
    pub answer: Answer<M>,
    /// The best game seen, if it is better than the answer (without memory the two may differ) or there is no answer.
    pub best_seen: Option<Certified<M>>,
    /// Why the run stopped.
    pub stop: Stop,
    /// Whether the result is proven to be optimal: the bound is reached, or every game was examined.
    pub proven: bool,
    /// Playouts and moves in the order of the tasks up to the cut: `--playouts` with this number repeats the run.
    pub counts: Counts,
    /// Everything that was played, including what other threads had played ahead of the cut, and the earlier parts of an interrupted run
    /// that are passed to [`Run::spent`](crate::Run::spent).
    pub work: Counts,
    /// A sub-search that finds the result again. It is set if time, a person, or a target without a budget in playouts ended the run, and
    /// the task that found the result comes after the cut in the order of tasks.
    pub recipe: Option<Recipe>,
    /// The policy that was learned, if the search is an `nrpa`: that of its highest level, or, before the first adapt there, that of a
    /// lower level.
    pub learned: Option<Weights>,
    /// How long the run took.
    pub elapsed: Duration,
}

impl<M> Outcome<M> {
    /// The game that was found, if one was.
    pub fn game(&self) -> Option<&Certified<M>> {
        self.answer.game()
    }

    /// The score of the answer, if there is one.
    pub fn score(&self) -> Option<f64> {
        self.answer.score()
    }

    /// The moves of the answer as people write them.
    pub fn texts(&self) -> &[String] {
        match &self.answer {
            Answer::Game(game) | Answer::Estimate { after: game, .. } => game.texts(),
            Answer::Nothing => &[],
        }
    }

    /// The playouts from which the result was chosen; this is the number that is displayed. If the search is complete, or a budget in
    /// playouts or a target cut the order of the tasks, these are the playouts up to there, the same on any number of threads. If time or a
    /// person cut it, these are the playouts of all threads.
    pub fn played(&self) -> Counts {
        let in_order = self.recipe.is_none() && !matches!(self.stop, Stop::Time | Stop::Cancelled | Stop::Failed);
        if in_order { self.counts } else { self.work }
    }

    /// The same outcome with the type of the moves erased.
    pub fn erase(self) -> Outcome {
        let Outcome { answer, best_seen, stop, proven, counts, work, recipe, learned, elapsed } = self;
        let (answer, best_seen) = (answer.erase(), best_seen.map(Certified::erase));
        Outcome { answer, best_seen, stop, proven, counts, work, recipe, learned, elapsed }
    }
}

impl Outcome {
    /// The same outcome without its large parts: the moves, and the policy that was learned.
    #[must_use]
    pub fn bare(&self) -> Outcome {
        let answer = match &self.answer {
            Answer::Game(game) => Answer::Game(game.bare()),
            Answer::Estimate { score, after } => Answer::Estimate { score: *score, after: after.bare() },
            Answer::Nothing => Answer::Nothing,
        };
        let best_seen = self.best_seen.as_ref().map(Certified::bare);
        Outcome { answer, best_seen, learned: None, ..self.clone() }
    }
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written::from(self.clone()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Written::deserialize(deserializer).map(Outcome::from)
    }
}

impl<M: Clone + Send + Sync + 'static> Outcome<M> {
    /// The moves of the answer.
    pub fn moves(&self) -> &[M] {
        match &self.answer {
            Answer::Game(game) | Answer::Estimate { after: game, .. } => game.moves(),
            Answer::Nothing => &[],
        }
    }
}

/// An outcome as it is stored: without the policy that was learned, which has its own text format.
#[derive(Serialize, Deserialize)]
struct Written {
    score: f64,
    moves: Vec<String>,
    complete: bool,
    /// The score of the state that was estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state: Option<f64>,
    best_seen: Option<f64>,
    #[serde(default)]
    nothing: bool,
    stop: Stop,
    proven: bool,
    counts: Counts,
    work: Counts,
    recipe: Option<Recipe>,
    elapsed: Duration,
}

impl From<Outcome> for Written {
    fn from(outcome: Outcome) -> Self {
        Written {
            score: outcome.score().unwrap_or_default(),
            moves: outcome.texts().to_vec(),
            complete: outcome.game().is_some(),
            state: if let Answer::Estimate { after, .. } = &outcome.answer { Some(after.score()) } else { None },
            best_seen: outcome.best_seen.as_ref().map(Certified::score),
            nothing: outcome.answer == Answer::Nothing,
            stop: outcome.stop,
            proven: outcome.proven,
            counts: outcome.counts,
            work: outcome.work,
            recipe: outcome.recipe,
            elapsed: outcome.elapsed,
        }
    }
}

impl From<Written> for Outcome {
    fn from(written: Written) -> Self {
        let Written { score, moves, complete, state, best_seen, nothing, stop, proven, counts, work, recipe, elapsed } =
            written;
        let answer = match (nothing, complete) {
            (true, _) => Answer::Nothing,
            // Games of a large batch are stored without their moves.
            (false, true) if moves.is_empty() => Answer::Game(Certified::kept(score, true, moves).bare()),
            (false, true) => Answer::Game(Certified::kept(score, true, moves)),
            (false, false) => Answer::Estimate { score, after: Certified::kept(state.unwrap_or(score), false, moves) },
        };
        let best_seen = best_seen.map(|score| Certified::kept(score, true, Vec::new()).bare());
        Outcome { answer, best_seen, stop, proven, counts, work, recipe, learned: None, elapsed }
    }
}

/// A run that finds one game again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// The search expression.
    pub search: String,
    /// The seed.
    pub seed: u64,
    /// After how many of the game's moves the search starts.
    pub from: usize,
    /// The budget in playouts; none if the search ends without one.
    pub playouts: Option<u64>,
}
