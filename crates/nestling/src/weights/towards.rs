//! The policy that NRPA learns from given games.

use std::collections::{HashMap, VecDeque};

use super::Weights;
use super::line::LARGEST_WEIGHT;
use crate::math::exp;
use crate::playout::bounded_bias;
use crate::problem::Problem;

/// How often the policy adapts.
const ROUNDS: usize = 100;

impl Weights {
    /// The weights after NRPA has adapted to one game a hundred times (α = 1): a policy that nearly always plays it, for searches that
    /// start from a known game.
    pub fn towards<P: Problem>(problem: &P, game: &[P::Move]) -> Self {
        Weights::towards_all(problem, [game])
    }

    /// The same for several games: in each of a hundred rounds the policy adapts to every one of the n games with α = 1/n, by the
    /// probabilities before the round. So all games count the same, whatever their order.
    ///
    /// A move that is not legal in its turn is played as soon as it is legal, and left out if it never is: the games may start at the
    /// beginning of a problem, while `problem` is a later state of it.
    pub fn towards_all<'g, P: Problem>(problem: &P, games: impl IntoIterator<Item = &'g [P::Move]>) -> Self {
        let mut lessons = NumberedGames::default();
        let mut count = 0;
        for game in games {
            lessons.add(problem, game);
            count += 1;
        }
        let alpha = 1.0 / f64::from(count.max(1));
        let mut weights = vec![0.0; lessons.codes.len()];
        for _ in 0..ROUNDS {
            lessons.adapt(&mut weights, alpha);
        }
        lessons.codes.iter().map(|(&code, &number)| (code, weights[number as usize])).collect()
    }
}

/// Games in the form that an adaptation needs. Codes are numbered, because there may be a thousand games.
#[derive(Default)]
struct NumberedGames {
    /// The number of each code.
    codes: HashMap<u64, u32>,
    /// For every move of every game its code, and where its alternatives end.
    played: Vec<(u32, usize)>,
    /// The codes of all legal moves, with their biases, one position after another.
    considered: Vec<(u32, f64)>,
}

impl NumberedGames {
    fn add<P: Problem>(&mut self, problem: &P, game: &[P::Move]) {
        let (mut state, mut legal, mut left) = (problem.clone(), Vec::new(), VecDeque::from(game.to_vec()));
        loop {
            state.legal_moves(&mut legal);
            let next = left.iter().position(|waiting| legal.contains(waiting));
            let Some(played) = next.and_then(|next| left.remove(next)) else { return };
            for &candidate in &legal {
                let number = self.number(state.code(candidate));
                self.considered.push((number, bounded_bias(&state, candidate)));
            }
            let number = self.number(state.code(played));
            self.played.push((number, self.considered.len()));
            state.play(played);
        }
    }

    fn number(&mut self, code: u64) -> u32 {
        let next = self.codes.len() as u32;
        *self.codes.entry(code).or_insert(next)
    }

    /// One round: wₘ += α·(1 − pₘ) for the move that was played and wₘ −= α·pₘ for its alternatives, p ∝ exp(w + bias) before the round.
    fn adapt(&self, weights: &mut [f64], alpha: f64) {
        let before = weights.to_vec();
        let exponentials: Vec<f64> = before.iter().map(|&weight| exp(weight)).collect();
        let exponential = |&(number, bias): &(u32, f64)| {
            let number = number as usize;
            if bias == 0.0 { exponentials[number] } else { exp(before[number] + bias) }
        };
        let mut begin = 0;
        for &(played, end) in &self.played {
            let considered = &self.considered[begin..end];
            let sum: f64 = considered.iter().map(exponential).sum();
            for candidate in considered {
                weights[candidate.0 as usize] -= alpha * (exponential(candidate) / sum);
            }
            weights[played as usize] += alpha;
            begin = end;
        }
        weights.iter_mut().for_each(|weight| *weight = weight.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT));
    }
}
