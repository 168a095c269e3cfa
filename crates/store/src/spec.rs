//! What a run was asked to do: all that is needed to do it again.

use std::time::Duration;

use nestling::{Goal, Weights, WeightsError};
use nestling_registry::Device;
use serde::{Deserialize, Serialize};

/// The order of a run as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// The problem's name, parameters included.
    pub problem: String,
    /// Whether less is better.
    pub minimise: bool,
    /// The search expression.
    pub search: String,
    /// The seed.
    pub seed: u64,
    /// What makes the search; checkpoints are its own.
    #[serde(default, skip_serializing_if = "Device::is_cpu")]
    pub device: Device,
    /// How many runs the batch has; 1 is a single run.
    pub runs: u64,
    /// The moves to start after.
    pub from: Vec<String>,
    /// What a person wrote for them.
    pub from_file: Option<String>,
    /// The budget in time.
    pub time: Option<Duration>,
    /// The budget in playouts.
    pub playouts: Option<u64>,
    /// The score to stop at.
    pub target: Option<f64>,
    /// The weights that the search mentions, name and contents: the files may be gone when the run goes on.
    pub weights: Vec<(String, String)>,
    /// The time between checkpoints.
    pub checkpoint: Duration,
    /// The file that has the best game.
    pub output: Option<String>,
    /// The file for the learned policy.
    pub learned: Option<String>,
}

impl Spec {
    /// One run of a search on a problem that is maximised, seed 0, without a budget.
    pub fn new(problem: &str, search: &str) -> Self {
        Spec {
            problem: problem.to_owned(),
            minimise: false,
            search: search.to_owned(),
            seed: 0,
            device: Device::Cpu,
            runs: 1,
            from: Vec::new(),
            from_file: None,
            time: None,
            playouts: None,
            target: None,
            weights: Vec::new(),
            checkpoint: Duration::from_secs(10),
            output: None,
            learned: None,
        }
    }

    /// The weights, read; an error names the first that cannot be.
    pub fn weights(&self) -> Result<Vec<(String, Weights)>, (String, WeightsError)> {
        let read = |(name, text): &(String, String)| match text.parse() {
            Ok(weights) => Ok((name.clone(), weights)),
            Err(error) => Err((name.clone(), error)),
        };
        self.weights.iter().map(read).collect()
    }

    /// Whether it is maximised or minimised.
    pub fn goal(&self) -> Goal {
        if self.minimise { Goal::Min } else { Goal::Max }
    }
}
