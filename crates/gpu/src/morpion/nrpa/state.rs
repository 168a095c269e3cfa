//! The state of NRPA between two launches, for checkpoints.

use serde::{Deserialize, Serialize};

use crate::morpion::buffers::RunTally;
use crate::morpion::layout::{CODES, LONGEST, Start};

/// The state of a run of NRPA.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NrpaRunState {
    pub tally: RunTally,
    /// Its levels, the lowest first; nothing for one that is about to begin.
    pub levels: Vec<Option<NrpaLevelState>>,
}

/// A level inside its iterations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NrpaLevelState {
    pub at: u32,
    pub policy: SparsePolicy,
    pub best: Vec<u32>,
}

impl NrpaRunState {
    /// Whether all its games could be some.
    pub fn is_sound(&self) -> bool {
        let games = self.levels.iter().flatten().map(|level| &level.best).chain([&self.tally.record]);
        games.into_iter().all(|game| game.len() < LONGEST && game.iter().all(|&played| Start::is_move(played)))
    }
}

/// A policy without its zeros: most lines are never met.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SparsePolicy {
    /// For each weight, how many zeros lie before it and the last one.
    gaps: Vec<u16>,
    weights: Vec<f32>,
}

impl SparsePolicy {
    pub fn pack(dense: &[f32]) -> SparsePolicy {
        let (mut gaps, mut weights, mut next) = (Vec::new(), Vec::new(), 0);
        for (code, &weight) in dense.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            gaps.push((code - next) as u16);
            weights.push(weight);
            next = code + 1;
        }
        SparsePolicy { gaps, weights }
    }

    /// Writes the weights among zeros; whether they have room there and are numbers.
    pub fn unpack(&self, dense: &mut [f32]) -> bool {
        let mut next = 0;
        for (&gap, &weight) in self.gaps.iter().zip(&self.weights) {
            next += usize::from(gap);
            if next >= CODES.min(dense.len()) || !weight.is_finite() {
                return false;
            }
            dense[next] = weight;
            next += 1;
        }
        self.gaps.len() == self.weights.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_survive() {
        let mut dense = vec![0.0; CODES];
        for (code, weight) in [(0, 1.5), (1, -2.0), (700, 0.25), (CODES - 1, 9.0)] {
            dense[code] = weight;
        }
        let (packed, mut back) = (SparsePolicy::pack(&dense), vec![0.0; CODES]);
        assert!(packed.unpack(&mut back));
        assert_eq!(dense, back);
        assert_eq!(packed.weights.len(), 4);
    }

    #[test]
    fn what_is_no_policy_is_refused() {
        let mut room = vec![0.0; CODES];
        let too_far = SparsePolicy { gaps: vec![u16::MAX], weights: vec![1.0] };
        let uneven = SparsePolicy { gaps: vec![1, 2], weights: vec![1.0] };
        let no_number = SparsePolicy { gaps: vec![1], weights: vec![f32::NAN] };
        for damaged in [too_far, uneven, no_number] {
            assert!(!damaged.unpack(&mut room));
        }
    }
}
