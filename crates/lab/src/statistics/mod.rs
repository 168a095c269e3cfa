//! The statistics that verdicts stand on.

mod contrast;
mod median;
mod rank;
mod share;

use statrs::distribution::{ContinuousCDF, StudentsT};

pub use contrast::Contrast;
pub use median::{Median, MedianRatio};
pub use rank::{brunner_munzel, sign_test};
pub use share::{Share, ShareDifference};

/// An estimate with one-sided confidence bounds.
pub trait Bounds {
    /// The estimate.
    fn estimate(&self) -> f64;

    /// A lower bound: the true value lies below it with a probability of at most `alpha`.
    fn low(&self, alpha: f64) -> f64;

    /// An upper bound: the true value lies above it with a probability of at most `alpha`.
    fn high(&self, alpha: f64) -> f64;

    /// The interval that the true value lies outside of with a probability of at most `2 * alpha`.
    fn interval(&self, alpha: f64) -> Interval {
        Interval { low: self.low(alpha), high: self.high(alpha) }
    }
}

/// From one number to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    fn around(middle: f64, half: f64) -> Self {
        Interval { low: middle - half, high: middle + half }
    }

    /// The same, wider on both sides.
    #[must_use]
    pub fn widened(self, by: f64) -> Self {
        Interval { low: self.low - by, high: self.high + by }
    }

    /// From a number divided by a factor to the number times that factor.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Interval { low: self.low / factor, high: self.high * factor }
    }

    /// Whether a number lies in it.
    pub fn contains(self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }
}

/// Some numbers, summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The numbers, in order.
    sorted: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation; 0 if there is only one.
    pub deviation: f64,
}

impl Summary {
    /// The summary of some numbers; none if there are none.
    ///
    /// ```
    /// use nestling_lab::Summary;
    /// let summary = Summary::new([60.0, 61.0, 65.0]).unwrap();
    /// assert_eq!((summary.mean, summary.median(), summary.greatest()), (62.0, 61.0, 65.0));
    /// ```
    pub fn new(numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = numbers.into_iter().collect();
        if sorted.is_empty() {
            return None;
        }
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len() as f64;
        let mean = sorted.iter().sum::<f64>() / count;
        let squares: f64 = sorted.iter().map(|number| (number - mean).powi(2)).sum();
        let deviation = if sorted.len() > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 };
        Some(Summary { sorted, mean, deviation })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    /// The least.
    pub fn least(&self) -> f64 {
        self.sorted[0]
    }

    /// The greatest.
    pub fn greatest(&self) -> f64 {
        self.sorted[self.sorted.len() - 1]
    }

    /// The middle one.
    pub fn median(&self) -> f64 {
        let count = self.sorted.len();
        (self.sorted[(count - 1) / 2] + self.sorted[count / 2]) / 2.0
    }

    /// The 95 % confidence interval of the mean (Student's t).
    pub fn interval(&self) -> Interval {
        let count = self.count() as f64;
        Interval::around(self.mean, student(count - 1.0, 0.975) * self.deviation / count.sqrt())
    }
}

/// A percentile of Student's t; infinite if there is no freedom.
pub(crate) fn student(freedom: f64, share: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(distribution) if freedom > 0.0 => distribution.inverse_cdf(share),
        _ => f64::INFINITY,
    }
}

/// The probability of a value of Student's t above `t`.
pub(crate) fn student_above(freedom: f64, t: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(distribution) if freedom > 0.0 && t.is_finite() => distribution.sf(t),
        Ok(_) if freedom > 0.0 => f64::from(u8::from(t < 0.0)),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-3 * b.abs().max(1.0), "{a} is not {b}");
    }

    #[test]
    fn intervals_are_students() {
        // Ten numbers 1..=10: mean 5.5, deviation 3.0277, t(9) = 2.2622.
        let summary = Summary::new((1..=10).map(f64::from)).unwrap();
        close(summary.interval().low, 5.5 - 2.2622 * 3.0277 / 10f64.sqrt());
        assert_eq!(Summary::new([]), None);
        assert!(!Summary::new([3.0]).unwrap().interval().contains(3.0), "one number says nothing about others");
        close(student_above(9.0, 2.2622), 0.025);
    }
}
