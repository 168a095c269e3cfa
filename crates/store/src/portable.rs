//! Runs as lines of JSON, from one store to another: that of another machine, or that of a browser.
//!
//! The file begins with [`HEADER`]; every line behind it is a run or a game. Specifications and outcomes are texts inside: programs that read
//! numbers as floating point would change their seeds.

mod import;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use nestling::Spent;
use serde::{Deserialize, Serialize};

use crate::run::State;
use crate::{Store, StoreError};

pub use import::Imported;

/// The first line of such a file.
pub const HEADER: &str = r#"{"nestling":"runs","format":1}"#;

/// A line behind the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PortableLine {
    /// A run.
    Run(Box<PortableRun>),
    /// A game of the hall of fame.
    Game(PortableGame),
}

/// A run with all that is known of it. Moments are milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortableRun {
    /// Its specification, a [`RunSpec`](nestling_registry::RunSpec) as JSON.
    pub spec: String,
    /// The version that began it.
    pub version: String,
    /// The machine that it began on.
    pub machine: String,
    /// When it began.
    pub started: i64,
    /// When a process last worked on it.
    pub worked: i64,
    /// Whether it is at its end.
    pub done: bool,
    /// The time spent on it, in seconds.
    pub seconds: f64,
    /// The playouts made for it.
    pub playouts: u64,
    /// Its improvements, in order.
    pub improvements: Vec<PortableImprovement>,
    /// Its checkpoints.
    pub checkpoints: Vec<PortableCheckpoint>,
    /// Its results.
    pub outcomes: Vec<PortableOutcome>,
}

/// An improvement of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortableImprovement {
    /// Which run of a batch.
    #[serde(default)]
    pub number: u64,
    /// The moves.
    pub moves: Vec<String>,
    /// Playouts until then.
    pub playouts: u64,
    /// Time until then.
    pub seconds: f64,
    /// When.
    pub found: i64,
}

/// Where a run can go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortableCheckpoint {
    /// Which run of a batch.
    #[serde(default)]
    pub number: u64,
    /// Its bytes in base 64.
    pub bytes: String,
    /// The time spent until then, in seconds.
    pub seconds: f64,
    /// The playouts made until then.
    pub playouts: u64,
    /// The moves played until then.
    pub moves: u64,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortableOutcome {
    /// Which run of a batch.
    #[serde(default)]
    pub number: u64,
    /// The [`Outcome`](nestling::Outcome), as a store has it.
    pub outcome: String,
    /// When.
    pub finished: i64,
}

/// A game of the hall of fame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortableGame {
    /// The problem.
    pub problem: String,
    /// The moves.
    pub moves: Vec<String>,
    /// The search that found it.
    pub search: String,
    /// Its seed.
    pub seed: String,
    /// When.
    pub found: i64,
}

impl Store {
    /// A run as it is now, for another store.
    pub fn portable(&self, run: i64) -> Result<PortableRun, StoreError> {
        let info = self.run(run)?;
        let improvement = |step: crate::StoredImprovement| PortableImprovement {
            number: step.number,
            moves: step.moves,
            playouts: step.playouts,
            seconds: step.time.as_secs_f64(),
            found: step.found.0,
        };
        let outcome = |finished: crate::Finished| PortableOutcome {
            number: finished.number,
            outcome: serde_json::to_string(&finished.outcome).expect("an outcome is plain data"),
            finished: finished.finished.0,
        };
        let mut checkpoints = Vec::new();
        for number in self.checkpointed(run)? {
            let Some(taken) = self.checkpoint(run, number)? else { continue };
            let Spent { time, work } = taken.spent;
            let bytes = BASE64_STANDARD.encode(&taken.bytes);
            checkpoints.push(PortableCheckpoint {
                number,
                bytes,
                seconds: time.as_secs_f64(),
                playouts: work.playouts,
                moves: work.moves,
            });
        }
        Ok(PortableRun {
            spec: serde_json::to_string(&info.spec).expect("a specification is plain data"),
            version: info.version,
            machine: info.machine,
            started: info.started.0,
            worked: info.worked.0,
            done: info.state == State::Done,
            seconds: info.reached.time.as_secs_f64(),
            playouts: info.reached.work.playouts,
            improvements: self.improvements(run)?.into_iter().map(improvement).collect(),
            checkpoints,
            outcomes: self.outcomes(run)?.into_iter().map(outcome).collect(),
        })
    }

    /// The hall of fame of a problem, for another store.
    pub fn portable_games(&self, problem: &str) -> Result<Vec<PortableGame>, StoreError> {
        let games = self.hall_of_fame(problem, usize::MAX)?.into_iter();
        let game = |game: crate::FamousGame| PortableGame {
            problem: problem.to_owned(),
            moves: game.moves,
            search: game.search,
            seed: game.seed.to_string(),
            found: game.found.0,
        };
        Ok(games.map(game).collect())
    }
}
