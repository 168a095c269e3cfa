//! The exact definition of a row's runs.

use std::fmt;

use nestling::Ties;
use nestling_registry::Device;
use serde::{Deserialize, Serialize};

/// The exact definition of a run; its text is the key of its readings in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Definition {
    /// Runs of a search.
    Search(SearchDefinition),
    /// The exact distribution of the scores of a nested search on left move.
    Exact {
        /// The depth of the tree.
        depth: usize,
        /// The search's level.
        level: u32,
        /// Whether it remembers its best sequence.
        memory: bool,
    },
    /// A search by one of the techniques that Nestling is compared with.
    Technique {
        /// The problem, one of Morpion Solitaire.
        problem: String,
        /// The technique.
        technique: String,
        /// The search.
        search: String,
    },
    /// Games of one player against another; the player has the first move in every second game, beginning with the first.
    Match {
        /// The game.
        game: String,
        /// The player.
        player: String,
        /// The opponent.
        opponent: String,
    },
}

/// A search, its problem and its budget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchDefinition {
    /// The problem; `{run}` in it is the run's number, `{part}` the number of its part.
    pub problem: String,
    /// The search expression.
    pub search: String,
    /// How many parts there are, which the runs go through in turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<u64>,
    /// A limit in seconds for each run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// A limit in playouts for each run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
    /// The published game that `warm=game` in the search stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm: Option<String>,
    /// Whether every improvement is kept, not only the result.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub track: bool,
    /// The device of the search. Readings of different devices have different keys, so they are never mixed.
    #[serde(default, skip_serializing_if = "Device::is_cpu")]
    pub device: Device,
}

impl Definition {
    /// The text that readings are kept under.
    pub fn key(&self) -> String {
        serde_json::to_string(self).expect("a definition is plain data")
    }

    /// The device that makes the runs.
    pub fn device(&self) -> Device {
        match self {
            Definition::Search(search) => search.device,
            Definition::Exact { .. } | Definition::Technique { .. } | Definition::Match { .. } => Device::Cpu,
        }
    }

    /// The same on GPUs; nothing for what is no search.
    pub fn on_gpu(&self) -> Option<Definition> {
        let Definition::Search(search) = self else { return None };
        Some(Definition::Search(SearchDefinition { device: Device::Cuda, ..search.clone() }))
    }

    /// How many parts there are, which the runs go through in turn; those of a match are the seats.
    pub fn parts(&self) -> u64 {
        match self {
            Definition::Search(search) => search.parts.unwrap_or(1),
            Definition::Match { .. } => 2,
            Definition::Exact { .. } | Definition::Technique { .. } => 1,
        }
    }

    /// The nested search whose exact distribution is known; ties go to the first move.
    pub(crate) const TIES: Ties = Ties::First;
}

impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Definition::Search(search) => {
                write!(f, "{} on {}", search.search, search.problem)?;
                if let Some(parts) = search.parts {
                    write!(f, " (1 to {parts})")?;
                }
                if let Some(playouts) = search.playouts {
                    write!(f, ", {playouts} playouts")?;
                }
                if let Some(warm) = &search.warm {
                    write!(f, ", game = {warm}")?;
                }
                if let Some(seconds) = search.seconds {
                    write!(f, ", at most {seconds} s")?;
                }
                if search.device.is_cpu() { Ok(()) } else { f.write_str(", GPU") }
            }
            Definition::Exact { depth, level, memory } => {
                let memory = if *memory { "" } else { ", memory=off" };
                write!(f, "nested({level}{memory}) on left-move:{depth}, computed")
            }
            Definition::Technique { problem, technique, search } => write!(f, "{search} on {problem}, {technique}"),
            Definition::Match { game, player, opponent } => write!(f, "{game}: {player} against {opponent}"),
        }
    }
}
