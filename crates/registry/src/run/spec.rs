//! The specification of a run.

use std::time::Duration;

use nestling::{Goal, Outcome, Recipe, Stop, Stream};
use serde::{Deserialize, Deserializer, Serialize};

use crate::device::Device;

/// The description of a run in texts and numbers: which problem, which search, how long. The command line, the app, the lab and
/// the store all describe a run so, and [`Registry::ready`](crate::Registry::ready) turns the description into something that runs.
///
/// What is left out is chosen then: the search that suits the problem and the budget, a seed, all threads.
///
/// ```
/// use nestling_registry::{Controls, Registry, RunSpec};
/// let registry = Registry::standard();
/// let asked = RunSpec { seed: Some(1), playouts: Some(2_000), ..RunSpec::new("left-move:30") };
/// let ready = registry.ready(asked)?;
/// assert_eq!(ready.search().to_string(), "repeat(nrpa(1))");
/// let outcome = ready.start(Controls::default())?;
/// assert!(outcome.score() > Some(25.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSpec {
    /// The problem's name, parameters included.
    pub problem: String,
    /// Whether less is better; the problem knows it too; this is for readers that have only the description.
    #[serde(default)]
    pub minimise: bool,
    /// The search expression; without one, what suits the problem and the budget.
    pub search: Option<String>,
    /// The seed; without one, any.
    pub seed: Option<u64>,
    /// The device of the search; checkpoints of one device cannot be used on the other.
    #[serde(default, skip_serializing_if = "Device::is_cpu")]
    pub device: Device,
    /// How many threads; without a number, as many as there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// How many runs the batch has; 1 is a single run.
    #[serde(default = "one")]
    pub runs: u64,
    /// The moves to start after.
    #[serde(default)]
    pub from: Vec<String>,
    /// The text that the user wrote for them.
    pub from_file: Option<String>,
    /// The budget in time. Programs may give it as a number of `seconds`.
    #[serde(default, alias = "seconds", deserialize_with = "time")]
    pub time: Option<Duration>,
    /// The budget in playouts.
    pub playouts: Option<u64>,
    /// The score to stop at.
    pub target: Option<f64>,
    /// Games that reach this score are kept in the hall of fame, even if they are not the best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<f64>,
    /// The weights that the search mentions, name and contents: the files may be gone when the run is resumed.
    #[serde(default)]
    pub weights: Vec<(String, String)>,
    /// The games of the files that the search mentions, name and games: each game is its moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<(String, Vec<Vec<String>>)>,
    /// The time between checkpoints.
    #[serde(default = "ten_seconds")]
    pub checkpoint: Duration,
    /// The file that has the best game.
    pub output: Option<String>,
    /// The file for the learned policy.
    pub learned: Option<String>,
}

fn one() -> u64 {
    1
}

fn ten_seconds() -> Duration {
    Duration::from_secs(10)
}

/// A time in the store's format, or as a number of seconds.
fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Seconds(f64),
        Exact(Duration),
    }
    match Option::<Written>::deserialize(deserializer)? {
        None => Ok(None),
        Some(Written::Exact(time)) => Ok(Some(time)),
        Some(Written::Seconds(seconds)) => Ok(Some(RunSpec::seconds(seconds))),
    }
}

impl RunSpec {
    /// One run on a problem, everything else being left to be chosen.
    pub fn new(problem: impl Into<String>) -> Self {
        RunSpec {
            problem: problem.into(),
            minimise: false,
            search: None,
            seed: None,
            device: Device::Cpu,
            threads: None,
            runs: one(),
            from: Vec::new(),
            from_file: None,
            time: None,
            playouts: None,
            target: None,
            keep: None,
            weights: Vec::new(),
            games: Vec::new(),
            checkpoint: ten_seconds(),
            output: None,
            learned: None,
        }
    }

    /// The same with this search.
    #[must_use]
    pub fn search(self, search: impl ToString) -> Self {
        RunSpec { search: Some(search.to_string()), ..self }
    }

    /// A number of seconds as a budget. Where no time can be that long it is the nearest, which is refused with all that is out of range.
    pub fn seconds(seconds: f64) -> Duration {
        let nearest = if seconds > 0.0 { Duration::MAX } else { Duration::ZERO };
        Duration::try_from_secs_f64(seconds).unwrap_or(nearest)
    }

    /// Whether it is maximised or minimised.
    pub fn goal(&self) -> Goal {
        if self.minimise { Goal::Min } else { Goal::Max }
    }

    /// The seed of one run: of a batch it is that of task `number` of `repeat(n, search)`.
    pub fn seed_of(&self, number: u64) -> u64 {
        let stream = Stream::new(self.seed.unwrap_or_default());
        if self.runs > 1 { stream.child(number).seed() } else { stream.seed() }
    }

    /// Whether something ends it beside the search itself.
    pub fn is_bounded(&self) -> bool {
        self.time.is_some() || self.playouts.is_some() || self.target.is_some()
    }

    /// The search, as it is written; empty if none has been chosen yet.
    pub fn expression(&self) -> &str {
        self.search.as_deref().unwrap_or_default()
    }

    /// The run that finds this result again: the whole of it, up to where it was cut, unless a part of it is enough; `None` where
    /// nothing was found.
    pub fn again<M>(&self, outcome: &Outcome<M>) -> Option<Recipe> {
        outcome.score()?;
        let whole = || Recipe {
            search: self.expression().to_owned(),
            seed: self.seed.unwrap_or_default(),
            from: self.from.len(),
            playouts: (outcome.stop != Stop::Finished).then_some(outcome.counts.playouts),
        };
        Some(outcome.recipe.clone().unwrap_or_else(whole))
    }
}
