//! The exact distribution of the scores of nested search on left move, by dynamic programming.

use nestling::Ties;

use super::memory;

/// A nested search, as `nested(level, memory=…, ties=…)` defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NestedModel {
    /// The level; 0 is a playout.
    pub level: u32,
    /// Whether a search remembers its best sequence so far.
    pub memory: bool,
    /// Which of two equal moves is taken.
    pub ties: Ties,
}

/// A search whose distribution is not known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the exact distribution with memory is known up to level 2, not for level {level}")]
pub struct NotKnown {
    /// The level asked for.
    pub level: u32,
}

/// The probability of every score 0..=depth of one search on [`LeftMove`](super::LeftMove).
///
/// Without memory every level is known: the moves of a search are independent, so that a level is a list of probabilities, and
/// the next level follows from it. With memory a search depends on the sequence it remembers. At level 1 that is what is
/// left of a random game, of which only the number of lefts matters. At level 2 it is what is left of a game of a level 1
/// search, whose moves are not equally likely to be the left ones: the state of that search is carried along.
///
/// The time grows as l·d³ without memory, d⁴ at level 1 with it and d⁶ at level 2 (about a second for d = 60).
///
/// ```
/// use nestling::Ties;
/// use nestling_puzzles::left_move::{NestedModel, mean_score, score_distribution};
/// let search = NestedModel { level: 1, memory: true, ties: Ties::First };
/// assert_eq!(mean_score(&score_distribution(3, search)?), 2.8125);
/// # Ok::<(), nestling_puzzles::left_move::NotKnown>(())
/// ```
///
/// # Errors
///
/// With memory beyond level 2.
pub fn score_distribution(depth: usize, search: NestedModel) -> Result<Vec<f64>, NotKnown> {
    let NestedModel { level, memory, ties } = search;
    match (level, memory) {
        (1, true) => Ok(memory::level_one(depth, ties)),
        (2, true) => Ok(memory::level_two(depth, ties)),
        (3.., true) => Err(NotKnown { level }),
        _ => Ok(without_memory(depth, level, ties)),
    }
}

/// The mean of a distribution over 0, 1, 2, …
pub fn mean_score(distribution: &[f64]) -> f64 {
    distribution.iter().enumerate().map(|(score, probability)| score as f64 * probability).sum()
}

/// The distribution of a playout: binomial.
pub(super) fn playout(depth: usize) -> Vec<f64> {
    sum_of_bits(&vec![0.5; depth])
}

fn without_memory(depth: usize, level: u32, ties: Ties) -> Vec<f64> {
    // In place d − 1: the probability that the search goes left when d moves are left.
    let mut lefts = vec![0.5; depth];
    for _ in 0..level {
        lefts = (0..depth).map(|left| best_of_two(&sum_of_bits(&lefts[..left]), ties)[0].iter().sum()).collect();
    }
    sum_of_bits(&lefts)
}

/// The distribution of the number of ones among independent bits.
fn sum_of_bits(probabilities: &[f64]) -> Vec<f64> {
    let mut distribution = vec![1.0];
    for &probability in probabilities {
        distribution.push(0.0);
        for sum in (0..distribution.len()).rev() {
            let below = if sum > 0 { distribution[sum - 1] } else { 0.0 };
            distribution[sum] = distribution[sum] * (1.0 - probability) + below * probability;
        }
    }
    distribution
}

/// A step of a search whose two moves are each followed by a search with this distribution: the probability that Left is
/// taken with score s, and that Right is, for every s up to one more than before.
pub(super) fn best_of_two(after: &[f64], ties: Ties) -> [Vec<f64>; 2] {
    let to_left = match ties {
        Ties::First => 1.0,
        Ties::Random => 0.5,
        Ties::Last => 0.0,
    };
    let at = |score: Option<usize>| score.and_then(|score| after.get(score)).copied().unwrap_or(0.0);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    // The probability that a move's score is below the current one.
    let (mut left_below, mut right_below) = (0.0, 0.0);
    for score in 0..=after.len() {
        let (by_left, by_right) = (at(score.checked_sub(1)), at(Some(score)));
        left.push(by_left * (right_below + to_left * by_right));
        right.push(by_right * (left_below + (1.0 - to_left) * by_left));
        left_below += by_left;
        right_below += by_right;
    }
    [left, right]
}
