//! When a level of NRPA ends, and when it adapts its policy.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::problem::Goal;

/// The rules of every level.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelRules {
    /// Iterations per level.
    pub iterations: u64,
    /// Playouts before each adapt of level 1.
    pub tries: u64,
    /// Instead of a number of iterations: a level ends when its best score has been found again this often.
    pub repetitions: Option<u64>,
    /// No adapt before optimal stopping, with this constant c, has accepted a result.
    pub stopping: Option<f64>,
    /// Adapt only after a better game than before.
    pub only_after_improvement: bool,
}

/// The state that a level needs for its rules.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct LevelNotes {
    /// How often the best score has been found again.
    repetitions: u64,
    /// The results so far, while optimal stopping prevents adapts.
    results: Vec<f64>,
    /// Whether optimal stopping has accepted a result.
    accepted: bool,
    /// Whether a better game was found since the last adapt.
    improved: bool,
    /// The final states of this level's games, if they are avoided.
    pub seen: BTreeSet<u64>,
    /// The biases in the trace of the level's best game while the search is interrupted.
    pub biases: Vec<f64>,
}

impl LevelRules {
    /// Iterations of a level; on level 1 each is a playout, and only some are followed by an adapt.
    fn iterations_of(&self, tries: u64) -> u64 {
        self.iterations.saturating_mul(tries)
    }

    /// Whether a level is complete after so many iterations.
    pub fn is_over(&self, notes: &LevelNotes, iteration: u64, tries: u64) -> bool {
        match self.repetitions {
            Some(repetitions) => notes.repetitions >= repetitions,
            None => iteration >= self.iterations_of(tries),
        }
    }
}

impl LevelNotes {
    /// Whether these can be notes after so many iterations.
    pub fn are_of(&self, iterations: u64) -> bool {
        self.repetitions <= iterations && self.results.len() as u64 <= iterations
    }

    /// Records a result, number `iteration` from 1 on, and returns whether to adapt now. `standing` compares it with the best before.
    pub fn take(
        &mut self,
        rules: &LevelRules,
        goal: Goal,
        (iteration, tries): (u64, u64),
        score: f64,
        standing: Ordering,
    ) -> bool {
        match standing {
            Ordering::Greater => (self.repetitions, self.improved) = (0, true),
            Ordering::Equal => self.repetitions += 1,
            Ordering::Less => {}
        }
        if let (Some(c), false) = (rules.stopping, self.accepted) {
            self.accepted = self.accepts(goal, score, c, rules.iterations_of(tries));
        }
        let accepted = rules.stopping.is_none() || self.accepted;
        let wanted = !rules.only_after_improvement || self.improved;
        let adapts = accepted && wanted && iteration.is_multiple_of(tries);
        if adapts {
            self.improved = false;
        }
        adapts
    }

    /// Optimal stopping: whether the rank of result number i among the first i of n is at most i·c / (n + 1 − i); the best has rank 1.
    fn accepts(&mut self, goal: Goal, score: f64, c: f64, count: u64) -> bool {
        let rank = 1 + self.results.iter().filter(|&&earlier| goal.better(earlier, score)).count();
        self.results.push(score);
        let i = self.results.len() as u64;
        let accepted = i > count || rank as f64 <= i as f64 * c / (count + 1 - i) as f64;
        if accepted {
            self.results = Vec::new();
        }
        accepted
    }
}
