//! Nested search with memory on left move, as Markov chains.
//!
//! A search with d moves left and a remembered sequence of score r takes a step: it tries both moves, replaces the sequence if
//! the better of the two is strictly better, and follows what it remembers.

use nestling::Ties;

use super::exact::{best_of_two, playout};

/// A memory worse than any.
const NOTHING: usize = 0;

/// The level 1 search: by the number of moves left and its memory, where it goes and its final score.
///
/// Memories are numbered from 0, which stands for none; 1 + r is a rest of a random game with r lefts. Such a rest is
/// exchangeable: its next move is Left with probability r/d.
struct LevelOne {
    layers: Vec<Layer>,
}

struct Layer {
    /// By memory: the probability of every number of lefts to come.
    scores: Vec<Vec<f64>>,
    /// By memory: the moves it may make, 1 for Left, the memory after it, and the probability.
    steps: Vec<Vec<(usize, usize, f64)>>,
}

impl LevelOne {
    fn new(depth: usize, ties: Ties) -> Self {
        let end = Layer { scores: vec![vec![1.0]; 2], steps: vec![Vec::new(); 2] };
        let mut layers = vec![end];
        for left in 1..=depth {
            let layer = Layer::new(left, &layers[left - 1], ties);
            layers.push(layer);
        }
        LevelOne { layers }
    }

    /// The distribution of a search that starts with so many moves left.
    fn fresh(&self, left: usize) -> &[f64] {
        &self.layers[left].scores[NOTHING]
    }
}

impl Layer {
    fn new(left: usize, below: &Layer, ties: Ties) -> Self {
        let [by_left, by_right] = best_of_two(&playout(left - 1), ties);
        let (mut scores, mut steps) = (Vec::new(), Vec::new());
        for memory in 0..=left + 1 {
            let remembered = memory.checked_sub(1);
            let (mut moves, mut kept) = (Vec::new(), 0.0);
            for score in 0..=left {
                if remembered.is_some_and(|remembered| score <= remembered) {
                    kept += by_left[score] + by_right[score];
                    continue;
                }
                // The rest of a game whose first move was Left has one left less, and one memory number less.
                moves.push((1, score, by_left[score]));
                moves.push((0, score + 1, by_right[score]));
            }
            if let Some(lefts) = remembered {
                let share = lefts as f64 / left as f64;
                moves.push((1, memory - 1, kept * share));
                moves.push((0, memory, kept * (1.0 - share)));
            }
            moves.retain(|&(_, _, probability)| probability > 0.0);
            scores.push(mixed(left, moves.iter().map(|&(side, after, p)| (side, p, &below.scores[after][..]))));
            steps.push(moves);
        }
        Layer { scores, steps }
    }
}

/// The distribution over 0..=left of a first move, 1 or 0, and what follows it.
fn mixed<'a>(left: usize, parts: impl Iterator<Item = (usize, f64, &'a [f64])>) -> Vec<f64> {
    let mut mixture = vec![0.0; left + 1];
    for (side, probability, rest) in parts {
        for (sum, &further) in mixture[side..].iter_mut().zip(rest) {
            *sum += probability * further;
        }
    }
    mixture
}

/// The distribution of a level 1 search with memory.
pub(super) fn level_one(depth: usize, ties: Ties) -> Vec<f64> {
    LevelOne::new(depth, ties).fresh(depth).to_vec()
}

/// The distribution of a level 2 search with memory.
///
/// What it remembers is a rest of a game of a level 1 search, with a known score. Given its score, that game is the level 1
/// chain conditioned on its final score, so the state here is the chain's memory and the score that is left.
pub(super) fn level_two(depth: usize, ties: Ties) -> Vec<f64> {
    let chain = LevelOne::new(depth, ties);
    // By the chain's memory and the score left: the probability of every number of lefts to come.
    let mut below: Vec<Vec<Vec<f64>>> = vec![vec![vec![1.0]; 1]; 2];
    for left in 1..depth {
        let fresh = best_of_two(chain.fresh(left - 1), ties);
        below = (0..=left + 1)
            .map(|memory| (0..=left).map(|score| after_step(&chain, left, (memory, score), &fresh, &below)).collect())
            .collect();
    }
    if depth == 0 {
        return vec![1.0];
    }
    let [by_left, by_right] = best_of_two(chain.fresh(depth - 1), ties);
    mixed(depth, renewed(&by_left, &by_right, 0, &below))
}

/// The result of a level 2 search that remembers a game of the chain, at this memory and with this score left.
fn after_step(
    chain: &LevelOne,
    left: usize,
    (memory, score): (usize, usize),
    [by_left, by_right]: &[Vec<f64>; 2],
    below: &[Vec<Vec<f64>>],
) -> Vec<f64> {
    let likely = chain.layers[left].scores[memory][score];
    if likely == 0.0 {
        return Vec::new();
    }
    let kept: f64 = by_left[..=score].iter().chain(&by_right[..=score]).sum();
    let followed = chain.layers[left].steps[memory].iter().filter_map(|&(side, after, probability)| {
        let rest = score.checked_sub(side)?;
        let likely_after = *chain.layers[left - 1].scores[after].get(rest)?;
        (likely_after > 0.0).then(|| (side, kept * probability * likely_after / likely, &below[after][rest][..]))
    });
    mixed(left, renewed(by_left, by_right, score + 1, below).chain(followed))
}

/// The parts of a step whose better move scores at least `least`, and is remembered from then on.
fn renewed<'a>(
    by_left: &'a [f64],
    by_right: &'a [f64],
    least: usize,
    below: &'a [Vec<Vec<f64>>],
) -> impl Iterator<Item = (usize, f64, &'a [f64])> {
    let games = &below[NOTHING];
    let lefts = (least.max(1)..by_left.len()).map(|score| (1, by_left[score], &games[score - 1][..]));
    let rights = (least..by_right.len() - 1).map(|score| (0, by_right[score], &games[score][..]));
    lefts.chain(rights)
}
