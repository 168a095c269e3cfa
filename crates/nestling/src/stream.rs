//! Randomness by path: every task of a search has a stream of its own, derived from its parent's and its index.
//!
//! A stream is one 64-bit number, and the root's is the user's seed. Therefore every sub-search can be run again by
//! itself, on any thread, in any order; and a task's stream, written down as a seed, repeats just that task.

use std::convert::Infallible;

use serde::{Deserialize, Serialize};

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): a bijection that spreads every bit.
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

    /// The seed of a run that would draw from this very stream.
    pub const fn seed(self) -> u64 {
        self.0
    }

    /// The stream of the task's sub-task number `index`. Different indices never collide.
    #[inline]
    #[must_use]
    pub fn child(self, index: u64) -> Self {
        Stream(spread(self.0.wrapping_add(GOLDEN.wrapping_mul(index.wrapping_add(1)))))
    }

    /// A stream for the task's own decisions, apart from those of its sub-tasks.
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

/// A counter-based generator (wyrand, Wang Yi 2019): a state that counts in large strides and a multiplication that
/// mixes it. One costs nothing to make, so every playout has its own.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (product >> 64) as u64 ^ product as u64
    }

    /// A number below `count`, all equally likely (to within `count`/2⁶⁴).
    ///
    /// `count` must not be 0: the answer would be 0, which is not below it.
    #[inline]
    pub fn below(&mut self, count: usize) -> usize {
        debug_assert!(count > 0, "a number below 0 was asked for");
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }

    /// A number in [0, 1) with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
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
