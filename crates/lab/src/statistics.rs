//! The statistics that verdicts stand on.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// With so many values their own percentiles say what is usual; with fewer, a distribution has to be assumed.
const PERCENTILES: usize = 40;

/// The 97.5th percentile of the standard normal distribution.
const NORMAL: f64 = 1.959_964;

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

    /// The smallest number that at least this share of all does not exceed.
    fn quantile(&self, share: f64) -> f64 {
        let rank = (share * self.sorted.len() as f64).ceil() as usize;
        self.sorted[rank.clamp(1, self.sorted.len()) - 1]
    }

    /// Where the mean of ever more numbers would lie, with 95 % confidence (Student's t).
    pub fn interval(&self) -> Interval {
        let count = self.count() as f64;
        Interval::around(self.mean, student(count - 1.0) * self.deviation / count.sqrt())
    }

    /// Where 95 % of single numbers lie: between the 2.5th and the 97.5th percentile where there are at least 40, else the
    /// interval in which Student's t expects one more.
    pub fn central(&self) -> Interval {
        if self.count() >= PERCENTILES {
            return Interval { low: self.quantile(0.025), high: self.quantile(0.975) };
        }
        let count = self.count() as f64;
        Interval::around(self.mean, student(count - 1.0) * self.deviation * (1.0 + 1.0 / count).sqrt())
    }

    /// How much greater the mean is than another's, with 95 % confidence (Welch).
    pub fn minus(&self, other: &Summary) -> (f64, Interval) {
        let error = |summary: &Summary| summary.deviation.powi(2) / summary.count() as f64;
        let (own, others) = (error(self), error(other));
        let shrunk = |error: f64, count: usize| error.powi(2) / (count as f64 - 1.0).max(1.0);
        let freedom = (own + others).powi(2) / (shrunk(own, self.count()) + shrunk(others, other.count()));
        let (difference, half) = (self.mean - other.mean, student(freedom) * (own + others).sqrt());
        (difference, if half.is_nan() { Interval::around(difference, 0.0) } else { Interval::around(difference, half) })
    }
}

/// The 97.5th percentile of Student's t; infinite where there is no freedom.
fn student(freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(distribution) if freedom > 0.0 => distribution.inverse_cdf(0.975),
        _ => f64::INFINITY,
    }
}

/// Where a probability lies that came about `hits` times of `count`, with 95 % confidence (Wilson).
pub fn proportion(hits: f64, count: f64) -> Interval {
    let (share, squared) = (hits / count, NORMAL * NORMAL / count);
    let middle = (share + squared / 2.0) / (1.0 + squared);
    let half = NORMAL / (1.0 + squared) * (share * (1.0 - share) / count + squared / (4.0 * count)).sqrt();
    Interval { low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
}

/// How much greater one probability is than another, each from so many of so many, with 95 % confidence (Agresti and Caffo).
pub fn proportions(one: (f64, f64), other: (f64, f64)) -> Interval {
    let share = |(hits, count): (f64, f64)| (hits + 1.0) / (count + 2.0);
    let error = |pair: (f64, f64)| share(pair) * (1.0 - share(pair)) / (pair.1 + 2.0);
    Interval::around(share(one) - share(other), NORMAL * (error(one) + error(other)).sqrt())
}

/// The total of one run of each part, and where 95 % of such totals lie; the spread is pooled over the parts, so two runs of
/// each are enough. Nothing where a part has no run.
pub fn total(parts: &[Vec<f64>]) -> Option<(f64, Interval)> {
    let summaries: Vec<Summary> = parts.iter().map(|part| Summary::new(part.iter().copied())).collect::<Option<_>>()?;
    let total: f64 = summaries.iter().map(|summary| summary.mean).sum();
    let freedom: f64 = summaries.iter().map(|summary| summary.count() as f64 - 1.0).sum();
    let squares: f64 = summaries.iter().map(|summary| summary.deviation.powi(2) * (summary.count() as f64 - 1.0)).sum();
    let pooled = if freedom > 0.0 { squares / freedom } else { 0.0 };
    // A new total varies by itself, and ours is off by the error of its means.
    let variance: f64 = summaries.iter().map(|summary| pooled * (1.0 + 1.0 / summary.count() as f64)).sum();
    let half = if freedom > 0.0 { student(freedom) * variance.sqrt() } else { f64::INFINITY };
    Some((total, Interval::around(total, half)))
}

/// How much of the variation of the second numbers a straight line along the first explains.
pub fn linearity(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
    let across = sum(&|point| (point.0 - x) * (point.1 - y));
    let (horizontal, vertical) = (sum(&|point| (point.0 - x).powi(2)), sum(&|point| (point.1 - y).powi(2)));
    if horizontal * vertical == 0.0 { 0.0 } else { across * across / (horizontal * vertical) }
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
        close(summary.central().high, 5.5 + 2.2622 * 3.0277 * 1.1f64.sqrt());
        let many = Summary::new((1..=200).map(f64::from)).unwrap();
        assert_eq!(many.central(), Interval { low: 5.0, high: 195.0 });
        assert_eq!(Summary::new([]), None);
        assert!(!Summary::new([3.0]).unwrap().interval().contains(3.0), "one number says nothing about others");
    }

    #[test]
    fn differences_are_welchs() {
        let (one, other) = (Summary::new([5.0, 6.0, 7.0, 8.0]).unwrap(), Summary::new([1.0, 2.0, 3.0]).unwrap());
        let (difference, interval) = one.minus(&other);
        assert_eq!(difference, 4.5);
        // Errors 0.41667 and 0.33333, 4.96 degrees of freedom, t = 2.578.
        close(interval.low, 4.5 - 2.578 * 0.75f64.sqrt());
        let same = Summary::new([4.0, 4.0]).unwrap();
        assert_eq!(same.minus(&same).1, Interval { low: 0.0, high: 0.0 });
    }

    #[test]
    fn shares_are_wilsons() {
        let interval = proportion(8.0, 10.0);
        close(interval.low, 0.4902);
        close(interval.high, 0.9433);
        assert!(proportions((98.0, 100.0), (100.0, 100.0)).contains(0.0));
        assert!(!proportions((50.0, 100.0), (90.0, 100.0)).contains(0.0));
    }

    #[test]
    fn totals_pool_their_spread() {
        let (sum, interval) = total(&[vec![10.0, 12.0], vec![100.0, 98.0]]).unwrap();
        assert_eq!(sum, 110.0);
        // A pooled variance of 2 with 2 degrees of freedom; each part adds 2 · 1.5.
        close(interval.high, 110.0 + 4.3027 * 6f64.sqrt());
        assert_eq!(total(&[vec![1.0], vec![]]), None);
        assert_eq!(total(&[vec![1.0], vec![2.0]]).unwrap().1.high, f64::INFINITY);
    }

    #[test]
    fn lines_are_straight() {
        close(linearity(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]), 1.0);
        assert!(linearity(&[(0.0, 1.0), (1.0, 3.0), (2.0, 1.0)]) < 0.1);
        assert_eq!(linearity(&[(0.0, 1.0), (1.0, 1.0)]), 0.0);
    }
}
