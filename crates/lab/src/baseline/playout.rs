//! Playouts: uniform, and weighted by a policy, which holds exponentials (IV.C) or weights.

use nestling::Rng;

use super::code::CODES;
use super::generator::Draws;
use super::list::CAPACITY;
use super::{BaselineError, TrackedPosition};

/// For every code its weight, in some form.
pub(crate) type Policy = Box<[f64; CODES]>;

/// The form in which a policy stores a weight.
pub(crate) trait WeightForm {
    /// The stored form of the weight 0.
    const INDIFFERENT: f64;

    /// The exponential of the weight.
    fn exponential(held: f64) -> f64;

    /// The policy that has learnt nothing: all weights are 0.
    fn indifferent() -> Policy {
        vec![Self::INDIFFERENT; CODES].try_into().expect("as many as there are codes")
    }

    /// The exponential of a code's weight.
    #[inline(always)]
    fn value(policy: &[f64; CODES], code: u16) -> f64 {
        Self::exponential(policy[usize::from(code) % CODES])
    }
}

/// Policies hold exponentials: the second optimisation of IV.C.
pub(crate) struct Exponentials;

impl WeightForm for Exponentials {
    const INDIFFERENT: f64 = 1.0;

    #[inline(always)]
    fn exponential(held: f64) -> f64 {
        held
    }
}

/// Policies hold weights, whose exponentials are computed wherever they are needed.
pub(crate) struct Plain;

impl WeightForm for Plain {
    const INDIFFERENT: f64 = 0.0;

    #[inline(always)]
    fn exponential(held: f64) -> f64 {
        held.exp()
    }
}

/// Plays to the end, every move equally likely, and hands every code to `played`.
#[inline(always)]
pub(crate) fn uniform<P: TrackedPosition>(
    position: &mut P,
    rng: &mut impl Draws,
    mut played: impl FnMut(u16),
) -> Result<(), BaselineError> {
    while !position.legal().is_empty() {
        let legal = position.legal();
        let code = legal[rng.below(legal.len())];
        played(code);
        position.play(code)?;
    }
    Ok(())
}

/// Room for the sums from which a move is drawn.
pub(crate) struct Sums([f64; CAPACITY]);

impl Sums {
    pub(crate) fn new() -> Self {
        Sums([0.0; CAPACITY])
    }

    /// Draws the index of a move with probability proportional to its value.
    #[inline(always)]
    pub(crate) fn draw<F: WeightForm>(&mut self, policy: &[f64; CODES], legal: &[u16], rng: &mut Rng) -> usize {
        let mut sum = 0.0;
        for (place, &code) in self.0.iter_mut().zip(legal) {
            sum += F::value(policy, code);
            *place = sum;
        }
        let drawn = rng.unit() * sum;
        // Counting needs no branch that depends on the draw. The product may be rounded up to the sum itself.
        let below: usize = self.0[..legal.len()].iter().map(|&sum| usize::from(sum <= drawn)).sum();
        below.min(legal.len() - 1)
    }
}

/// Plays to the end, moves drawn by the policy, and hands every list of possible moves with the drawn index to
/// `played`.
#[inline(always)]
pub(crate) fn weighted<P: TrackedPosition, F: WeightForm>(
    position: &mut P,
    policy: &[f64; CODES],
    sums: &mut Sums,
    rng: &mut Rng,
    mut played: impl FnMut(&[u16], usize),
) -> Result<(), BaselineError> {
    while !position.legal().is_empty() {
        let legal = position.legal();
        let chosen = sums.draw::<F>(policy, legal, rng);
        let code = legal[chosen];
        played(legal, chosen);
        position.play(code)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use nestling::Stream;

    use super::*;

    #[test]
    fn moves_are_drawn_in_proportion_to_their_values() {
        let mut policy = Exponentials::indifferent();
        (policy[100], policy[200], policy[300]) = (1.0, 2.0, 5.0);
        let (mut sums, mut rng, mut drawn) = (Sums::new(), Stream::new(1).rng(), [0u32; 3]);
        for _ in 0..80_000 {
            drawn[sums.draw::<Exponentials>(&policy, &[100, 200, 300], &mut rng)] += 1;
        }
        for (count, expected) in drawn.into_iter().zip([10_000.0, 20_000.0, 50_000.0f64]) {
            assert!((f64::from(count) - expected).abs() < 4.0 * expected.sqrt(), "{drawn:?}");
        }
    }
}
