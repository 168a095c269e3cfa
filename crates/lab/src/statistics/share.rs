//! Shares, with exact bounds.

use statrs::function::beta::beta_reg;

use super::Bounds;

/// The share of runs in which something happens, from `hits` of `count` runs, with the exact bounds of Clopper and Pearson.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// In how many runs it happened.
    pub hits: u64,
    /// Of how many.
    pub count: u64,
}

impl Share {
    /// The share of the values that satisfy a condition.
    pub fn of(values: &[f64], is_hit: impl Fn(f64) -> bool) -> Self {
        Share { hits: values.iter().filter(|value| is_hit(**value)).count() as u64, count: values.len() as u64 }
    }
}

impl Bounds for Share {
    fn estimate(&self) -> f64 {
        self.hits as f64 / self.count as f64
    }

    fn low(&self, alpha: f64) -> f64 {
        if self.hits == 0 {
            return 0.0;
        }
        let (hits, count) = (self.hits as f64, self.count as f64);
        quantile(hits, count - hits + 1.0, alpha)
    }

    fn high(&self, alpha: f64) -> f64 {
        if self.hits == self.count {
            return 1.0;
        }
        let (hits, count) = (self.hits as f64, self.count as f64);
        quantile(hits + 1.0, count - hits, 1.0 - alpha)
    }
}

/// The quantile of the beta distribution, by bisection.
fn quantile(a: f64, b: f64, share: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..50 {
        let middle: f64 = (low + high) / 2.0;
        if beta_reg(a, b, middle) < share { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The difference of two shares. Its bounds combine those of Clopper and Pearson for each share, as Newcombe's method combines those
/// of Wilson: `d - √((p - l)² + (u' - p')²)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShareDifference(pub Share, pub Share);

impl Bounds for ShareDifference {
    fn estimate(&self) -> f64 {
        self.0.estimate() - self.1.estimate()
    }

    fn low(&self, alpha: f64) -> f64 {
        let ShareDifference(one, other) = self;
        self.estimate() - (one.estimate() - one.low(alpha)).hypot(other.high(alpha) - other.estimate())
    }

    fn high(&self, alpha: f64) -> f64 {
        let ShareDifference(one, other) = self;
        self.estimate() + (one.high(alpha) - one.estimate()).hypot(other.estimate() - other.low(alpha))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_clopper_and_pearsons() {
        let share = Share { hits: 8, count: 10 };
        assert!((share.low(0.025) - 0.4439).abs() < 1e-4 && (share.high(0.025) - 0.9748).abs() < 1e-4);
        // Nothing in 100 runs: less than 1 - 0.05^(1/100).
        assert!((Share { hits: 0, count: 100 }.high(0.05) - 0.029513).abs() < 1e-6);
        assert_eq!((Share { hits: 0, count: 9 }.low(0.05), Share { hits: 9, count: 9 }.high(0.05)), (0.0, 1.0));
    }

    #[test]
    fn differences_have_a_sign() {
        let [few, many] = [50, 90].map(|hits| Share { hits, count: 100 });
        assert!(ShareDifference(few, many).high(0.025) < 0.0 && ShareDifference(many, few).low(0.025) > 0.0);
        let all = Share { hits: 100, count: 100 };
        assert!((ShareDifference(all, all).high(0.05) - 0.029513).abs() < 1e-6);
    }
}
