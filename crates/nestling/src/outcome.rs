//! What a run comes to.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::certified::{Certified, Erased};
pub use crate::search::task::Counts;
use crate::weights::Weights;

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// The search came to the end its definition gives it.
    Finished,
    /// The playouts were spent.
    Playouts,
    /// The time was over.
    Time,
    /// The target was reached.
    Target,
    /// The problem's bound was reached: nothing better exists.
    Bound,
    /// Somebody cancelled the run.
    Cancelled,
    /// The machine that searched has failed; see [`Event::Failed`](crate::Event::Failed).
    Failed,
}

impl Stop {
    /// One lower-case word, as JSON output has it.
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

    /// Whether the run was broken off: it has come to nothing yet, and can be gone on with from its last checkpoint.
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

/// What a run has found.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer<M = Erased> {
    /// A game.
    Game(Certified<M>),
    /// What a state is thought to be worth.
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
/// With the same problem, search, seed and a budget in playouts every field but `elapsed` and `work` is the same, at any
/// number of threads; without a budget too, where neither a target nor the problem's bound is reached.
///
/// `Outcome<M>` has games with moves of type `M`; `Outcome` alone has forgotten their type.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<M = Erased> {
    /// What the search's definition returns, or the best seen if the run was cut. Its moves start where the problem starts, moves given
    /// with [`Run::from`](crate::Run::from) included.
    pub answer: Answer<M>,
    /// The best game seen, where it is better than the answer (without memory the two may differ) or the answer is none.
    pub best_seen: Option<Certified<M>>,
    /// Why the run stopped.
    pub stop: Stop,
    /// Whether nothing better exists: the bound is reached, or every game was looked at.
    pub proven: bool,
    /// What was played, in the order of the tasks up to the cut: `--playouts` with this number repeats the run.
    pub counts: Counts,
    /// All that was really played, with what other threads had run ahead of the cut, and in the legs before this one that
    /// [`Run::spent`](crate::Run::spent) tells of.
    pub work: Counts,
    /// Set when time, a person, or a target without a budget in playouts ended the run, and the result was found by a task whose place in
    /// the order lies beyond the cut: the sub-search that finds it again.
    pub recipe: Option<Recipe>,
    /// The policy that was learned, if the search is an `nrpa`: that of its highest level, or before its first adapt that of a level
    /// below.
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

    /// The playouts that the result was chosen from, which is what people and programs are told. Where a budget in playouts or a target
    /// has cut the order of the tasks, or the search has come to its end, these are the playouts up to there, the same on any
    /// number of threads; where time or a person has cut it, all that any thread has played.
    pub fn played(&self) -> Counts {
        let in_order = self.recipe.is_none() && !matches!(self.stop, Stop::Time | Stop::Cancelled | Stop::Failed);
        if in_order { self.counts } else { self.work }
    }

    /// The same with the type of the moves forgotten.
    pub fn erase(self) -> Outcome {
        let Outcome { answer, best_seen, stop, proven, counts, work, recipe, learned, elapsed } = self;
        let (answer, best_seen) = (answer.erase(), best_seen.map(Certified::erase));
        Outcome { answer, best_seen, stop, proven, counts, work, recipe, learned, elapsed }
    }
}

impl Outcome {
    /// The same without what takes room: the moves, and the policy that was learned.
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

/// An outcome as it is kept: without the policy that was learned, which has a text form of its own.
#[derive(Serialize, Deserialize)]
struct Written {
    score: f64,
    moves: Vec<String>,
    complete: bool,
    /// The score of the state that an estimate is of.
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
            // Games of a large batch are kept without their moves.
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
    /// The budget in playouts; none where the search comes to its end by itself.
    pub playouts: Option<u64>,
}
