//! Randomness by path: every task of a search has its own stream, derived from its parent's and its index.
//!
//! A stream is one 64-bit number, and the root's is the user's seed. Therefore every sub-search can be run again separately, on any thread,
//! in any order; and a task's stream, used as a seed, repeats just that task.

use std::convert::Infallible;

use serde::{Deserialize, Serialize};

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): a bijection in which every input bit affects all output bits.
#[inline]
fn spread(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// The random stream of one task.
///
/// ```
/// use nestling::Stream;
/// let game = Stream::new(7).child(3).child(0);
/// assert_eq!(game.rng().below(28), Stream::new(7).child(3).child(0).rng().below(28));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stream(u64);

impl Stream {
    /// The stream of a whole run with this seed.
    pub const fn new(seed: u64) -> Self {
        Stream(seed)
    }

    /// The seed of a run that would draw from this stream.
    pub const fn seed(self) -> u64 {
        self.0
    }

    /// The stream of the task's sub-task number `index`. Different indices never collide.
    #[inline]
    #[must_use]
    pub fn child(self, index: u64) -> Self {
        Stream(spread(self.0.wrapping_add(GOLDEN.wrapping_mul(index.wrapping_add(1)))))
    }

    /// A stream for the task's own decisions, separate from those of its sub-tasks.
    #[inline]
    #[must_use]
    pub fn own(self) -> Self {
        self.child(u64::MAX - 1)
    }

    /// The generator that draws from this stream.
    #[inline]
    pub fn rng(self) -> Rng {
        Rng(spread(self.0 ^ 0x6a09_e667_f3bc_c908))
    }
}

/// A counter-based generator (wyrand, Wang Yi 2019): a state that counts in large strides and a multiplication that mixes it. It costs
/// nothing to create, so every playout has its own.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let (low, high) = widening_product(self.0, self.0 ^ 0xe703_7ed1_a0b4_28db);
        high ^ low
    }

    /// A number below `count`, all equally likely (to within `count`/2⁶⁴).
    ///
    /// `count` must not be 0: the result would be 0, which is not below it.
    #[inline]
    pub fn below(&mut self, count: usize) -> usize {
        debug_assert!(count > 0, "a number below 0 was asked for");
        widening_product(self.bits(), count as u64).1 as usize
    }

    /// A number in [0, 1) with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

/// The low and the high half of a product.
#[inline(always)]
fn widening_product(one: u64, other: u64) -> (u64, u64) {
    if cfg!(target_arch = "wasm32") {
        return product_by_halves(one, other);
    }
    let product = u128::from(one) * u128::from(other);
    (product as u64, (product >> 64) as u64)
}

/// The same where a product of 128 bits would be the call of a function, as in WebAssembly.
#[inline(always)]
fn product_by_halves(one: u64, other: u64) -> (u64, u64) {
    const HALF: u64 = u32::MAX as u64;
    let (one_low, one_high, other_low, other_high) = (one & HALF, one >> 32, other & HALF, other >> 32);
    let (low, cross) = (one_low * other_low, one_high * other_low);
    // None of the sums can overflow: (2³² - 1)² + 2·(2³² - 1) is below 2⁶⁴.
    let middle = cross + (low >> 32);
    let rest = one_low * other_high + (middle & HALF);
    (one.wrapping_mul(other), one_high * other_high + (middle >> 32) + (rest >> 32))
}

impl rand_core::TryRng for Rng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.bits() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.bits())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.bits().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A product by halves is the product.
    #[test]
    fn products_by_halves() {
        let mut rng = Stream::new(1).rng();
        let edges = [0, 1, u64::from(u32::MAX), 1 << 32, 1 << 63, u64::MAX - 1, u64::MAX];
        let pairs = edges.into_iter().flat_map(|one| edges.map(|other| (one, other)));
        for (one, other) in pairs.chain((0..1_000).map(|_| (rng.bits(), rng.bits()))) {
            let product = u128::from(one) * u128::from(other);
            assert_eq!(product_by_halves(one, other), (product as u64, (product >> 64) as u64), "{one} {other}");
        }
    }
}
