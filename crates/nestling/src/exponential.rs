//! Exponentially distributed waiting times, the same on every machine.

use std::sync::LazyLock;

use crate::math::{exp, ln};
use crate::stream::Rng;

const LAYERS: usize = 256;
/// Where the tail begins, and the area of a layer, for 256 layers.
const TAIL: f64 = 7.697_117_470_131_487;
const AREA: f64 = 3.949_659_822_581_572e-3;

/// The layers' right ends, and the density there.
struct Layers {
    ends: [f64; LAYERS + 1],
    heights: [f64; LAYERS + 1],
}

static LAYERS_OF_EXP: LazyLock<Layers> = LazyLock::new(|| {
    let mut layers = Layers { ends: [0.0; LAYERS + 1], heights: [1.0; LAYERS + 1] };
    layers.ends[0] = AREA / exp(-TAIL);
    layers.ends[1] = TAIL;
    for layer in 2..LAYERS {
        let below = layers.ends[layer - 1];
        layers.ends[layer] = -ln(exp(-below) + AREA / below);
    }
    for layer in 0..LAYERS {
        layers.heights[layer] = exp(-layers.ends[layer]);
    }
    layers
});

/// Draws waiting times with mean 1 (Marsaglia and Tsang, *The Ziggurat Method for Generating Random Variables*, 2000).
///
/// Waiting times make weighted choices cheap in a search where most candidates stay. Give each candidate a clock that rings
/// after a time w with density rate·exp(−rate·w), the rate being its weight. The one that rings first is each candidate with
/// probability proportional to its weight; and, since such clocks have no memory, those of the others are still
/// good for the next choice.
///
/// ```
/// use nestling::{Stream, engine::Exponential};
/// let (exponential, mut rng) = (Exponential::new(), Stream::new(7).rng());
/// let mean = (0..10_000).map(|_| exponential.draw(&mut rng)).sum::<f64>() / 10_000.0;
/// assert!((mean - 1.0).abs() < 0.03);
/// ```
#[derive(Clone, Copy)]
pub struct Exponential(&'static Layers);

impl Default for Exponential {
    fn default() -> Self {
        Exponential::new()
    }
}

impl Exponential {
    /// A source of waiting times; each draw is given its random numbers.
    pub fn new() -> Self {
        Exponential(&LAYERS_OF_EXP)
    }

    /// A waiting time.
    #[inline(always)]
    pub fn draw(self, rng: &mut Rng) -> f64 {
        let bits = rng.bits();
        // The layer's number and the place in it come from different bits.
        let layer = bits as usize % LAYERS;
        let time = (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64) * self.0.ends[layer];
        if time < self.0.ends[layer + 1] { time } else { self.at_the_edge(layer, time, rng) }
    }

    /// One draw in a hundred falls where a layer is not wholly under the curve.
    #[cold]
    fn at_the_edge(self, mut layer: usize, mut time: f64, rng: &mut Rng) -> f64 {
        loop {
            if layer == 0 {
                return TAIL - ln(1.0 - rng.unit());
            }
            let (low, high) = (self.0.heights[layer], self.0.heights[layer + 1]);
            if low + rng.unit() * (high - low) < exp(-time) {
                return time;
            }
            let bits = rng.bits();
            layer = bits as usize % LAYERS;
            time = (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64) * self.0.ends[layer];
            if time < self.0.ends[layer + 1] {
                return time;
            }
        }
    }
}

/// The index and time of the clock that rings first; the first of equal ones. The lowest seven bits of a clock are ignored: an engine
/// stores the index of a move there.
pub(crate) fn first_to_ring(clocks: &[f64]) -> Option<(usize, f64)> {
    let keys = clocks.iter().map(|clock| clock.to_bits() >> INDEX_BITS);
    let (index, key) = keys.enumerate().min_by_key(|&(_, key)| key)?;
    Some((index, f64::from_bits(key << INDEX_BITS)))
}

/// How many of a clock's lowest bits are ignored.
pub const INDEX_BITS: u32 = 7;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Stream;

    /// The share of waiting times longer than t is exp(−t), in the body and in the tail.
    #[test]
    fn follows_the_distribution() {
        let (exponential, mut rng, draws) = (Exponential::new(), Stream::new(1).rng(), 4_000_000);
        let times: Vec<f64> = (0..draws).map(|_| exponential.draw(&mut rng)).collect();
        assert!(times.iter().all(|time| time.is_finite() && *time >= 0.0));
        for limit in [0.001, 0.01, 0.1, 0.3, 0.7, 1.0, 2.0, 3.0, 5.0, 7.0, 7.7, 8.0, 10.0] {
            let beyond = times.iter().filter(|time| **time > limit).count() as f64;
            let share = f64::exp(-limit);
            let (expected, deviation) = (share * f64::from(draws), (share * (1.0 - share) * f64::from(draws)).sqrt());
            assert!((beyond - expected).abs() < 4.0 * deviation, "beyond {limit}: {beyond}, expected {expected}");
        }
    }

    /// Clocks that continue after another has rung choose by weight as new ones would.
    #[test]
    fn clocks_have_no_memory() {
        let weights = [1.0, 2.0, 3.0, 10.0];
        let (exponential, mut rng) = (Exponential::new(), Stream::new(2).rng());
        let mut seconds = [[0u32; 4]; 4];
        for _ in 0..400_000 {
            let mut clocks = weights.map(|weight| exponential.draw(&mut rng) / weight);
            let (first, _) = first_to_ring(&clocks).unwrap();
            clocks[first] = f64::MAX;
            seconds[first][first_to_ring(&clocks).unwrap().0] += 1;
        }
        for (first, counts) in seconds.iter().enumerate() {
            let times: u32 = counts.iter().sum();
            let left: f64 = 16.0 - weights[first];
            for (second, &count) in counts.iter().enumerate().filter(|(second, _)| *second != first) {
                let share = weights[second] / left;
                let deviation = (share * (1.0 - share) * f64::from(times)).sqrt();
                assert!(
                    (f64::from(count) - share * f64::from(times)).abs() < 4.0 * deviation,
                    "{first}, then {second}"
                );
            }
        }
    }

    #[test]
    fn bits_are_pinned() {
        let mut rng = Stream::new(3).rng();
        let sum: f64 = (0..100_000).map(|_| Exponential::new().draw(&mut rng)).sum();
        assert_eq!(sum.to_bits(), 0x40f8_88c5_efa7_a195);
    }
}
