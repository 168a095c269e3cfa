//! Medians, with bounds that hold for every distribution.

use statrs::distribution::{Binomial, DiscreteCDF};

use super::Bounds;

/// The median of a sample. Its bounds are order statistics: the true median lies below the k-th smallest of n values with the
/// probability that fewer than k of n fair coins show heads.
#[derive(Clone, Debug, PartialEq)]
pub struct Median {
    sorted: Vec<f64>,
}

impl Median {
    /// The median of some values.
    pub fn new(values: impl IntoIterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        Median { sorted }
    }

    /// The greatest k for which fewer than k of n coins show heads with a probability of at most `alpha`; 0 if there is none.
    fn rank(&self, alpha: f64) -> usize {
        let Ok(coins) = Binomial::new(0.5, self.sorted.len() as u64) else { return 0 };
        let (mut low, mut high) = (0, self.sorted.len() / 2 + 1);
        while low + 1 < high {
            let middle = usize::midpoint(low, high);
            if coins.cdf(middle as u64 - 1) <= alpha { low = middle } else { high = middle }
        }
        low
    }
}

impl Bounds for Median {
    fn estimate(&self) -> f64 {
        let count = self.sorted.len();
        (self.sorted[(count - 1) / 2] + self.sorted[count / 2]) / 2.0
    }

    fn low(&self, alpha: f64) -> f64 {
        match self.rank(alpha) {
            0 => f64::NEG_INFINITY,
            rank => self.sorted[rank - 1],
        }
    }

    fn high(&self, alpha: f64) -> f64 {
        match self.rank(alpha) {
            0 => f64::INFINITY,
            rank => self.sorted[self.sorted.len() - rank],
        }
    }
}

/// The ratio of the medians of two independent samples of positive values; each median has half of the error.
#[derive(Clone, Debug, PartialEq)]
pub struct MedianRatio(pub Median, pub Median);

impl Bounds for MedianRatio {
    fn estimate(&self) -> f64 {
        self.0.estimate() / self.1.estimate()
    }

    fn low(&self, alpha: f64) -> f64 {
        (self.0.low(alpha / 2.0) / self.1.high(alpha / 2.0)).max(0.0)
    }

    fn high(&self, alpha: f64) -> f64 {
        let other = self.1.low(alpha / 2.0);
        if other > 0.0 { self.0.high(alpha / 2.0) / other } else { f64::INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_order_statistics() {
        let median = Median::new((1..=10).rev().map(f64::from));
        // 11 of 1,024 throws of ten coins show at most one head; 56 at most two.
        assert_eq!((median.estimate(), median.low(0.025), median.high(0.025)), (5.5, 2.0, 9.0));
        assert_eq!((median.low(0.05), median.low(0.055)), (2.0, 3.0));
        assert_eq!(Median::new([1.0, 2.0, 3.0, 4.0]).low(0.05), f64::NEG_INFINITY);
        assert_eq!(Median::new((1..=5).map(f64::from)).high(0.05), 5.0);
    }

    #[test]
    fn ratios_halve_the_error() {
        let [twos, ones] =
            [2.0, 1.0].map(|value| Median::new((0..10).map(|index| value * (1.0 + f64::from(index) / 100.0))));
        let ratio = MedianRatio(twos, ones);
        assert_eq!(ratio.estimate(), 2.0);
        assert!((ratio.low(0.05) - 2.02 / 1.08).abs() < 1e-12 && (ratio.high(0.05) - 2.16 / 1.01).abs() < 1e-12);
    }
}
