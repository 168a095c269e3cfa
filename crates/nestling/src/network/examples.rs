//! The positions of games, from which networks learn.

use std::collections::HashMap;

use super::Network;
use crate::math::{exp, ln};
use crate::problem::Problem;

/// Positions of games, each with the features of its legal moves and which of them are *right*: those that the game plays, now or later. (In
/// many problems the order of the moves hardly matters. Moves with the same [code](Problem::code) are the same.) Positions in which
/// all moves are right teach nothing and are left out.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    /// One move after the other.
    features: Vec<u32>,
    /// Where the features of every move end, and whether it is right.
    moves: Vec<(usize, bool)>,
    /// Where the moves of every position end.
    positions: Vec<usize>,
}

/// How well a network predicts the moves of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The mean of −ln π(the right moves together).
    pub loss: f64,
    /// The share of positions in which the move with the highest value, the first of equal ones, is right.
    pub accuracy: f64,
}

impl Examples {
    /// Adds the positions of a game from a start, up to its first illegal move.
    pub fn add_game<P: Problem>(&mut self, start: &P, moves: &[P::Move]) {
        let mut legal = Vec::new();
        let codes = codes_of(start, moves, &mut legal);
        let mut to_come: HashMap<u64, u32> = HashMap::new();
        codes.iter().for_each(|&code| *to_come.entry(code).or_default() += 1);
        let mut state = start.clone();
        for (&played, code) in moves.iter().zip(codes) {
            state.legal_moves(&mut legal);
            let is_right = |candidate: &P::Move| to_come.get(&state.code(*candidate)).is_some_and(|&times| times > 0);
            if !legal.iter().all(is_right) {
                for candidate in &legal {
                    state.features(*candidate, &mut self.features);
                    self.moves.push((self.features.len(), is_right(candidate)));
                }
                self.positions.push(self.moves.len());
            }
            to_come.entry(code).and_modify(|times| *times -= 1);
            state.play(played);
        }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The probability that a random legal move is right.
    pub fn chance(&self) -> f64 {
        let share = |index| {
            let rights = self.position(index).filter(|&(_, is_right)| is_right).count();
            rights as f64 / self.position(index).count() as f64
        };
        (0..self.len()).map(share).sum::<f64>() / self.len().max(1) as f64
    }

    /// The features of every move of a position, and whether it is right.
    pub(super) fn position(&self, index: usize) -> impl Iterator<Item = (&[u32], bool)> {
        let begin = index.checked_sub(1).map_or(0, |before| self.positions[before]);
        (begin..self.positions[index]).map(|number| {
            let start = number.checked_sub(1).map_or(0, |before| self.moves[before].0);
            let (end, is_right) = self.moves[number];
            (&self.features[start..end], is_right)
        })
    }

    /// How well a network predicts these moves; `None` without positions.
    pub fn fit(&self, network: &Network) -> Option<Fit> {
        let (mut loss, mut rights) = (0.0, 0);
        let (mut values, mut sums) = (Vec::new(), Vec::new());
        for index in 0..self.len() {
            values.clear();
            values.extend(self.position(index).map(|(features, _)| network.value(features, &mut sums)));
            let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let (mut right, mut total, mut preferred) = (0.0, 0.0, None);
            for ((_, is_right), &value) in self.position(index).zip(&values) {
                let share = exp(value - most);
                total += share;
                right += if is_right { share } else { 0.0 };
                if value == most {
                    preferred.get_or_insert(is_right);
                }
            }
            loss += ln(total) - ln(right);
            rights += usize::from(preferred == Some(true));
        }
        let count = self.len() as f64;
        (count > 0.0).then(|| Fit { loss: loss / count, accuracy: rights as f64 / count })
    }
}

/// The codes of the moves of a game, as far as they are legal.
fn codes_of<P: Problem>(start: &P, moves: &[P::Move], legal: &mut Vec<P::Move>) -> Vec<u64> {
    let mut state = start.clone();
    let mut codes = Vec::with_capacity(moves.len());
    for &played in moves {
        state.legal_moves(legal);
        if !legal.contains(&played) {
            break;
        }
        codes.push(state.code(played));
        state.play(played);
    }
    codes
}
