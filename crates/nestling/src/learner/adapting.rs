//! How policies are adapted to games.

use std::ops::RangeInclusive;

use super::{BLOCK, TOGETHER, Trace};
use crate::math::{exp, exp_all};

/// For every set of steps of a block: all ones for those in it.
const MASKS: [[u64; BLOCK]; 1 << BLOCK] = {
    let mut masks = [[0; BLOCK]; 1 << BLOCK];
    let mut place = 0;
    while place < BLOCK << BLOCK {
        let (set, step) = (place / BLOCK, place % BLOCK);
        masks[set][step] = if set >> step & 1 == 1 { u64::MAX } else { 0 };
        place += 1;
    }
    masks
};

/// Limits of a policy, far outside the range of any sensible learning rate, so that its sums stay finite.
const SMALLEST: f64 = 1e-130;
const LARGEST: f64 = 1e130;

/// The limit of exponents, for the same reason.
pub(crate) const LARGEST_CHANGE: f64 = 300.0;

/// The buffers of an adapt, by span of the game.
#[derive(Default)]
pub struct Adapting {
    /// The moves' weights by the policy before the adapt.
    weights: Vec<f64>,
    /// The sum of 1/z over the steps of the span, separately for each step of a block.
    shares: Vec<[f64; BLOCK]>,
    /// The exponential of the change of the weight.
    changes: Vec<f64>,
}

impl Adapting {
    /// The values that a policy can have after an adapt.
    pub(crate) const RANGE: RangeInclusive<f64> = SMALLEST..=LARGEST;

    /// Moves the policy towards the game: for every step weight\[played\] += α and weight\[m\] −= α·p(m) for all moves m
    /// considered, all probabilities by the policy before the adapt. Since p(m) = e·factor/z with the same e for all steps,
    /// a span's whole change is α·(times played) − α·e·factor·Σ 1/z, and the policy is multiplied by the exponential of it.
    #[inline(always)]
    pub fn adapt<M>(&mut self, policy: &mut [f64], game: &Trace<M>, alpha: f64) {
        self.weigh(policy, game);
        self.change(policy, game, alpha);
    }

    /// The same for a policy that begins with the exponentials of the weights W of biases β that are learned too: p(m) ∝ e·factor·exp(Σ
    /// W·β(m)), and in each step every W changes by `rate`·(β(played) − Σ p(m)·β(m)).
    pub(crate) fn adapt_with_biases<M>(
        &mut self,
        policy: &mut [f64],
        game: &Trace<M>,
        alpha: f64,
        rate: f64,
        bias_weights: &[f64],
    ) {
        self.weigh(policy, game);
        for (weight, biases) in self.weights.iter_mut().zip(game.biases.chunks_exact(bias_weights.len())) {
            *weight *= exp(weighted_sum(bias_weights, biases));
        }
        self.change(policy, game, alpha);
        for (number, e) in policy[..bias_weights.len()].iter_mut().enumerate() {
            let biases = game.biases[number..].iter().step_by(bias_weights.len());
            let excess = self.excess(game).zip(biases).map(|(excess, bias)| excess * bias).sum::<f64>();
            *e = (*e * exp((rate * excess).clamp(-LARGEST_CHANGE, LARGEST_CHANGE))).clamp(SMALLEST, LARGEST);
        }
    }

    /// By span: how often its move was played minus how often that was expected.
    fn excess<M>(&self, game: &Trace<M>) -> impl Iterator<Item = f64> {
        self.weights.iter().zip(&self.shares).zip(&game.spans).map(|((&weight, share), span)| {
            f64::from(span.played) - weight * ((share[0] + share[1]) + (share[2] + share[3]))
        })
    }

    #[inline(always)]
    fn weigh<M>(&mut self, policy: &[f64], game: &Trace<M>) {
        self.weights.clear();
        self.weights.extend(game.spans.iter().map(|span| policy[span.code as usize]));
        for (weight, factor) in self.weights.iter_mut().zip(&game.factors) {
            *weight *= factor;
        }
    }

    #[inline(always)]
    fn change<M>(&mut self, policy: &mut [f64], game: &Trace<M>, alpha: f64) {
        self.shares.clear();
        self.shares.resize(game.spans.len(), [0.0; BLOCK]);
        let mut begin = 0;
        for &end in &game.blocks.ends {
            share(&self.weights, &mut self.shares, &game.blocks.considered[begin..end as usize]);
            begin = end as usize;
        }
        self.changes.clear();
        self.changes.extend(self.weights.iter().zip(&self.shares).zip(&game.spans).map(|((&weight, share), span)| {
            alpha * (f64::from(span.played) - weight * ((share[0] + share[1]) + (share[2] + share[3])))
        }));
        exp_all(&mut self.changes);
        for (span, &change) in game.spans.iter().zip(&self.changes) {
            let e = &mut policy[span.code as usize];
            *e = (*e * change).clamp(SMALLEST, LARGEST);
        }
    }
}

/// The factor by which biases multiply the policy of a move, if their weights are not learned.
///
/// ```
/// assert_eq!(nestling::engine::bias_factor([1.0, -1.0]), 1.0);
/// ```
pub fn bias_factor(biases: impl IntoIterator<Item = f64>) -> f64 {
    match biases.into_iter().sum::<f64>().clamp(-LARGEST_CHANGE, LARGEST_CHANGE) {
        0.0 => 1.0,
        bias => exp(bias),
    }
}

/// The exponent Σ W·β of a move.
pub(crate) fn weighted_sum(weights: &[f64], biases: &[f64]) -> f64 {
    let sum = weights.iter().zip(biases).map(|(weight, bias)| weight * bias).sum::<f64>();
    sum.clamp(-LARGEST_CHANGE, LARGEST_CHANGE)
}

/// Adds 1/z of the steps of a block to the shares of the spans that overlap it.
#[inline(always)]
fn share(weights: &[f64], shares: &mut [[f64; BLOCK]], considered: &[u32]) {
    let mut z = [0.0; BLOCK];
    for_each(considered, |meeting| add(&mut z, [weights[(meeting >> BLOCK) as usize]; BLOCK], meeting));
    // A step after the end of the game has z = 0; no span uses its share.
    let inverse = z.map(|z| 1.0 / z);
    for_each(considered, |meeting| add(&mut shares[(meeting >> BLOCK) as usize], inverse, meeting));
}

/// A loop with few iterations, so that the processor predicts most of its exits.
#[inline(always)]
fn for_each(considered: &[u32], mut then: impl FnMut(u32)) {
    let (fours, rest) = considered.as_chunks::<TOGETHER>();
    for &[a, b, c, d] in fours {
        then(a);
        then(b);
        then(c);
        then(d);
    }
    rest.iter().for_each(|&meeting| then(meeting));
}

/// Adds the terms for the steps that a span shares with a block, nothing for the others.
#[inline(always)]
fn add(sums: &mut [f64; BLOCK], terms: [f64; BLOCK], meeting: u32) {
    let masks = &MASKS[meeting as usize % (1 << BLOCK)];
    for step in 0..BLOCK {
        sums[step] += f64::from_bits(terms[step].to_bits() & masks[step]);
    }
}
