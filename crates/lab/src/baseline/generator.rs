//! Random numbers as in III.B: the generator for playouts, and seeds from the processor.

use nestling::Rng;

/// Where playouts get their random numbers.
pub(crate) trait Draws {
    /// A number below the bound.
    fn below(&mut self, bound: usize) -> usize;
}

impl Draws for Rng {
    #[inline(always)]
    fn below(&mut self, bound: usize) -> usize {
        Rng::below(self, bound)
    }
}

/// The generator of Owens and Parikh, *Fast random number generator on the Intel Pentium 4 processor*, 2009: four linear congruential
/// generators side by side in a vector of SSE2. The compiler finds the instructions.
///
/// ```
/// use nestling_lab::baseline::FourNumbers;
/// // x · 214,013 + 2,531,011 for the first of them, which begins with the seed + 1.
/// assert_eq!(FourNumbers::new(7).draw()[0], 8 * 214_013 + 2_531_011);
/// ```
#[derive(Clone, Debug)]
pub struct FourNumbers {
    state: [u32; 4],
    /// How many of the last four numbers have been used.
    used: usize,
}

impl FourNumbers {
    const FACTORS: [u32; 4] = [214_013, 17_405, 214_013, 69_069];
    const ADDENDS: [u32; 4] = [2_531_011, 10_395_331, 13_737_667, 1];

    /// The generator with a seed.
    pub fn new(seed: u32) -> Self {
        let next = seed.wrapping_add(1);
        FourNumbers { state: [next, seed, next, seed], used: 4 }
    }

    /// The next four numbers.
    #[inline(always)]
    pub fn draw(&mut self) -> [u32; 4] {
        for lane in 0..4 {
            self.state[lane] = self.state[lane].wrapping_mul(Self::FACTORS[lane]).wrapping_add(Self::ADDENDS[lane]);
        }
        self.state
    }
}

impl Draws for FourNumbers {
    /// From the highest bits, because the lowest ones of such generators repeat soon.
    #[inline(always)]
    fn below(&mut self, bound: usize) -> usize {
        if self.used == 4 {
            self.draw();
            self.used = 0;
        }
        let number = self.state[self.used];
        self.used += 1;
        ((u64::from(number) * bound as u64) >> 32) as usize
    }
}

/// Draws so many numbers, four at a time, and returns their sum.
#[inline(never)]
pub fn draw_many(seed: u32, count: u64) -> u32 {
    let (mut generator, mut sum) = (FourNumbers::new(seed), 0u32);
    for _ in 0..count / 4 {
        sum = generator.draw().into_iter().fold(sum, u32::wrapping_add);
    }
    sum
}

/// Takes so many seeds from the processor's source of entropy with the instruction RDRAND, and returns their exclusive or; nothing if the
/// processor has no such instruction, or it fails.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "the instruction has no safe function; it is only called where it exists")]
pub fn hardware_seeds(count: u64) -> Option<u64> {
    #[target_feature(enable = "rdrand")]
    fn seeds(count: u64) -> Option<u64> {
        /// The processor's maker asks for ten attempts.
        const ATTEMPTS: usize = 10;
        let mut all = 0;
        for _ in 0..count {
            let mut seed = 0;
            if !(0..ATTEMPTS).any(|_| std::arch::x86_64::_rdrand64_step(&mut seed) == 1) {
                return None;
            }
            all ^= seed;
        }
        Some(all)
    }
    // SAFETY: the function needs nothing but the instruction, and the processor has it.
    std::arch::is_x86_feature_detected!("rdrand").then(|| unsafe { seeds(count) }).flatten()
}

/// The same where there is no such instruction.
#[cfg(not(target_arch = "x86_64"))]
pub fn hardware_seeds(_: u64) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_a_bound_are_equally_likely() {
        let (mut generator, mut counts) = (FourNumbers::new(1), [0u32; 7]);
        for _ in 0..70_000 {
            counts[generator.below(7)] += 1;
        }
        // Chi-squared with 6 degrees of freedom is below 22.5 in 999 of 1,000 cases.
        let chi: f64 = counts.iter().map(|&count| (f64::from(count) - 1e4).powi(2) / 1e4).sum();
        assert!(chi < 22.5, "{counts:?}");
        assert_ne!(draw_many(1, 8), draw_many(2, 8));
    }

    #[test]
    fn seeds_differ() {
        // A processor without the instruction gives none.
        if let Some(seed) = hardware_seeds(1) {
            assert_ne!(Some(seed), hardware_seeds(1));
        }
    }
}
