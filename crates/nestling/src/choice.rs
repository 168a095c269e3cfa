//! Comparing results: the only place where that is done.

use serde::{Deserialize, Serialize};

use crate::problem::Goal;
use crate::search::Ties;
use crate::stream::Stream;

/// Keeps the index and score of the best offer so far, by a rule for ties.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Choice {
    best: Option<(u64, f64)>,
    tied: u32,
}

impl Choice {
    /// Whether offer number `index` becomes the best. `stream` decides random ties; each index draws from its own part of the stream, so
    /// that a choice can be interrupted and continued.
    pub fn offer(&mut self, index: u64, score: f64, goal: Goal, ties: Ties, stream: Stream) -> bool {
        let leads = match self.best {
            None => true,
            Some((_, best)) if goal.better(score, best) => true,
            Some((_, best)) if goal.better(best, score) => return false,
            Some(_) => {
                self.tied += 1;
                match ties {
                    Ties::First => false,
                    Ties::Last => true,
                    Ties::Random => stream.own().child(index).rng().below(self.tied as usize) == 0,
                }
            }
        };
        if self.best.is_none_or(|(_, best)| goal.better(score, best)) {
            self.tied = 1;
        }
        if leads {
            self.best = Some((index, score));
        }
        leads
    }

    /// Whether it can be the choice after so many offers.
    pub fn is_possible(&self, offers: u64) -> bool {
        u64::from(self.tied) <= offers
            && match self.best {
                Some((index, _)) => index < offers && self.tied > 0,
                None => offers == 0,
            }
    }

    pub fn score(&self) -> Option<f64> {
        self.best.map(|(_, score)| score)
    }
}
