//! Random numbers with known means and medians.

use nestling::Rng;

/// What single values are drawn from.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A normal distribution.
    Normal,
    /// The same, rounded to whole numbers as scores are.
    Whole,
    /// A long tail on the right: a gamma distribution with a skewness of 1.
    Right,
    /// A long tail on the left.
    Left,
}

fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.unit()).cos()
}

fn exponential(rng: &mut Rng) -> f64 {
    -(1.0 - rng.unit()).ln()
}

impl Shape {
    /// So many values with this mean and this standard deviation.
    pub fn values(self, rng: &mut Rng, count: usize, mean: f64, deviation: f64) -> Vec<f64> {
        let gamma = |rng: &mut Rng| ((0..4).map(|_| exponential(rng)).sum::<f64>() - 4.0) / 2.0;
        let mut draw = || match self {
            Shape::Normal => mean + deviation * normal(rng),
            // Rounding up or down at random keeps the mean.
            Shape::Whole => {
                let value = mean + deviation * normal(rng);
                (value + rng.unit()).floor()
            }
            Shape::Right => mean + deviation * gamma(rng),
            Shape::Left => mean - deviation * gamma(rng),
        };
        (0..count).map(|_| draw()).collect()
    }
}

/// So many values of a log-normal distribution with this median.
pub fn lognormal(rng: &mut Rng, count: usize, median: f64, sigma: f64) -> Vec<f64> {
    (0..count).map(|_| median * (sigma * normal(rng)).exp()).collect()
}

/// The mean of a log-normal distribution with a median of 1.
pub fn lognormal_mean(sigma: f64) -> f64 {
    (sigma * sigma / 2.0).exp()
}

/// So many values of a Pareto distribution with this median and an infinite variance.
pub fn pareto(rng: &mut Rng, count: usize, median: f64) -> Vec<f64> {
    const TAIL: f64 = 1.5;
    let least = median / 2f64.powf(1.0 / TAIL);
    (0..count).map(|_| least / (1.0 - rng.unit()).powf(1.0 / TAIL)).collect()
}

/// So many times 1 with this probability, else 0.
pub fn coins(rng: &mut Rng, count: usize, probability: f64) -> Vec<f64> {
    (0..count).map(|_| f64::from(u8::from(rng.unit() < probability))).collect()
}

/// So many numbers of classes with these probabilities.
pub fn classes(rng: &mut Rng, count: usize, probabilities: &[f64]) -> Vec<f64> {
    let mut draw = || {
        let mut left = rng.unit();
        let found = probabilities.iter().position(|probability| {
            left -= probability;
            left < 0.0
        });
        found.unwrap_or(probabilities.len() - 1) as f64
    };
    (0..count).map(|_| draw()).collect()
}
