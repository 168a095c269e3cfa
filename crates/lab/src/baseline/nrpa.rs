//! Nested rollout policy adaptation, with the two optimisations of IV.C and without.
//!
//! Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, 2011. Optimised, a policy holds the exponentials of
//! the weights, so that a playout computes none. Adapting needs the probabilities of the policy as it was: not the policy is
//! copied for it but only its values along the sequence. In both forms a sequence carries its lists of possible moves, so that
//! no game is replayed to adapt to it.

use nestling::{Rng, Stream};

use super::code::CODES;
use super::nested::{LONGEST, Searched};
use super::playout::{self, Exponentials, Plain, Policy, Sums, WeightForm};
use super::{BaselineError, TrackedPosition};

/// N: the playouts of level 1, and the searches of the level below for the others.
const ITERATIONS: usize = 100;

/// The step of the gradient.
const ALPHA: f64 = 1.0;

/// Room for all lists of possible moves of a game: 64 at each of the 512 steps.
const CONSIDERED: usize = 64 * LONGEST;

/// A game with what adapting to it needs.
pub(crate) struct Sequence {
    length: usize,
    played: [u16; LONGEST],
    /// Where the possible moves of each step end in `considered`.
    ends: [u32; LONGEST],
    considered: [u16; CONSIDERED],
}

impl Sequence {
    fn new() -> Box<Self> {
        Box::new(Sequence { length: 0, played: [0; LONGEST], ends: [0; LONGEST], considered: [0; CONSIDERED] })
    }

    /// The number of possible moves of all steps together.
    fn considered(&self) -> usize {
        self.length.checked_sub(1).map_or(0, |last| self.ends[last] as usize)
    }
}

struct Level {
    policy: Policy,
    best: Box<Sequence>,
}

struct NrpaSearch<P, F: Adapt> {
    start: P,
    position: P,
    /// The game of the last playout.
    game: Box<Sequence>,
    sums: Sums,
    buffer: F::Buffer,
    rng: Rng,
    played: u64,
}

/// A form of policies that can move towards a sequence: at every step the weight of the played move gains α and every possible
/// move loses α times its probability, all probabilities taken from the policy as it was.
pub(crate) trait Adapt: WeightForm {
    /// The buffer for adapting.
    type Buffer;

    fn buffer() -> Self::Buffer;

    fn adapt(policy: &mut [f64; CODES], sequence: &Sequence, buffer: &mut Self::Buffer);
}

/// Runs one search of a level from the start of the game, with a policy that has learnt nothing.
pub(crate) fn nrpa<P: TrackedPosition, F: Adapt>(level: usize, seed: u64) -> Result<Searched, BaselineError> {
    let mut search = NrpaSearch::<P, F>::new(seed);
    let mut levels: Vec<Level> =
        (0..level).map(|_| Level { policy: F::indifferent(), best: Sequence::new() }).collect();
    if level == 0 {
        search.playout(&F::indifferent())?;
    } else {
        search.level(&mut levels)?;
    }
    let best = levels.last().map_or(&search.game, |level| &level.best);
    Ok(Searched { game: best.played[..best.length].to_vec(), played: search.played })
}

impl<P: TrackedPosition, F: Adapt> NrpaSearch<P, F> {
    fn new(seed: u64) -> Self {
        NrpaSearch {
            start: P::new(),
            position: P::new(),
            game: Sequence::new(),
            sums: Sums::new(),
            buffer: F::buffer(),
            rng: Stream::new(seed).rng(),
            played: 0,
        }
    }

    /// Runs the last level, whose policy is its own to change, and leaves the best game there.
    fn level(&mut self, levels: &mut [Level]) -> Result<(), BaselineError> {
        let Some((this, below)) = levels.split_last_mut() else { return Ok(()) };
        this.best.length = 0;
        for _ in 0..ITERATIONS {
            if let Some(child) = below.last_mut() {
                child.policy.copy_from_slice(&*this.policy);
                self.level(below)?;
            } else {
                self.playout(&this.policy)?;
            }
            let found = below.last_mut().map_or(&mut self.game, |child| &mut child.best);
            if found.length >= this.best.length {
                std::mem::swap(found, &mut this.best);
            }
            F::adapt(&mut this.policy, &this.best, &mut self.buffer);
        }
        Ok(())
    }

    /// Level 0: a playout by the policy.
    fn playout(&mut self, policy: &[f64; CODES]) -> Result<(), BaselineError> {
        self.position.clone_from(&self.start);
        let game = &mut *self.game;
        let (mut length, mut end) = (0, 0);
        playout::weighted::<_, F>(&mut self.position, policy, &mut self.sums, &mut self.rng, |legal, chosen| {
            game.considered[end..end + legal.len()].copy_from_slice(legal);
            end += legal.len();
            game.played[length] = legal[chosen];
            game.ends[length] = end as u32;
            length += 1;
        })?;
        game.length = length;
        self.played += length as u64;
        Ok(())
    }
}

impl Adapt for Exponentials {
    type Buffer = Box<[f64; CONSIDERED]>;

    fn buffer() -> Self::Buffer {
        vec![0.0; CONSIDERED].try_into().expect("as many as there is room for")
    }

    /// On exponentials sums are products.
    fn adapt(policy: &mut [f64; CODES], sequence: &Sequence, gradient: &mut Self::Buffer) {
        let considered = &sequence.considered[..sequence.considered()];
        let gradient = &mut gradient[..considered.len()];
        let mut begin = 0;
        for &end in &sequence.ends[..sequence.length] {
            let range = begin..end as usize;
            let (values, codes) = (&mut gradient[range.clone()], &considered[range]);
            let mut sum = 0.0;
            for (place, &code) in values.iter_mut().zip(codes) {
                *place = Self::value(policy, code);
                sum += *place;
            }
            let scale = -ALPHA / sum;
            values.iter_mut().for_each(|value| *value *= scale);
            begin = end as usize;
        }
        for (loss, &code) in gradient.iter().zip(considered) {
            policy[usize::from(code) % CODES] *= loss.exp();
        }
        let gain = ALPHA.exp();
        for &code in &sequence.played[..sequence.length] {
            policy[usize::from(code) % CODES] *= gain;
        }
    }
}

impl Adapt for Plain {
    type Buffer = Policy;

    fn buffer() -> Policy {
        Plain::indifferent()
    }

    /// The whole policy is copied first.
    fn adapt(policy: &mut [f64; CODES], sequence: &Sequence, before: &mut Policy) {
        before.copy_from_slice(policy);
        let mut begin = 0;
        for (&end, &played) in sequence.ends.iter().zip(&sequence.played[..sequence.length]) {
            let codes = &sequence.considered[begin..end as usize];
            let sum: f64 = codes.iter().map(|&code| Self::value(before, code)).sum();
            for &code in codes {
                policy[usize::from(code) % CODES] -= ALPHA * Self::value(before, code) / sum;
            }
            policy[usize::from(played) % CODES] += ALPHA;
            begin = end as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{RangeQuery, VectorList};
    use super::*;

    /// The vanilla adapt of Rosin's paper: a copy of all weights, the game replayed, a softmax at every state.
    fn vanilla<P: TrackedPosition>(weights: &mut [f64], game: &[u16]) {
        let before = weights.to_vec();
        let mut position = P::new();
        for &played in game {
            let sum: f64 = position.legal().iter().map(|&code| before[usize::from(code)].exp()).sum();
            for &code in position.legal() {
                weights[usize::from(code)] -= ALPHA * before[usize::from(code)].exp() / sum;
            }
            weights[usize::from(played)] += ALPHA;
            position.play(played).unwrap();
        }
    }

    #[test]
    fn adapts_like_the_vanilla_version() {
        type FiveT = RangeQuery<VectorList, 64, true>;
        let mut search = NrpaSearch::<FiveT, Exponentials>::new(11);
        let (mut policy, mut plain, mut copy) = (Exponentials::indifferent(), Plain::indifferent(), Plain::buffer());
        let mut weights = vec![0.0; CODES];
        for _ in 0..20 {
            search.playout(&policy).unwrap();
            Exponentials::adapt(&mut policy, &search.game, &mut search.buffer);
            Plain::adapt(&mut plain, &search.game, &mut copy);
            vanilla::<FiveT>(&mut weights, &search.game.played[..search.game.length]);
            let close = |one: f64, other: f64| (one - other).abs() <= 1e-9;
            let all = policy.iter().zip(plain.iter()).zip(&weights);
            let different =
                all.clone().position(|((e, plain), weight)| !close(e.ln(), *weight) || !close(*plain, *weight));
            assert_eq!(different, None);
        }
        assert!(weights.iter().any(|weight| *weight > 2.0));
    }
}
