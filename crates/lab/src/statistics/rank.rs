//! Tests by ranks, for values with heavy tails.

use statrs::distribution::{Binomial, DiscreteCDF};
use statrs::function::factorial::ln_binomial;

use super::student_above;

/// Which of two independent samples tends to have the lesser values (Brunner and Munzel): the p-values of "a value of the first is
/// less than one of the second with a probability of more than a half, equal ones counting half", and of the opposite.
pub fn brunner_munzel(one: &[f64], other: &[f64]) -> [f64; 2] {
    let (n, m) = (one.len() as f64, other.len() as f64);
    if one.len() < 2 || other.len() < 2 {
        return [1.0, 1.0];
    }
    let (first, first_variance) = placements(one, other);
    let (second, second_variance) = placements(other, one);
    // The mean ranks in both samples together are the mean placements and half of the own sample.
    let distance = (second + m / 2.0) - (first + n / 2.0);
    let (a, b) = (n * first_variance, m * second_variance);
    if a + b == 0.0 {
        // Every value of one sample is below every value of the other, or all are equal.
        let exact = (-ln_binomial((n + m) as u64, n as u64)).exp();
        return match distance {
            distance if distance > 0.0 => [exact, 1.0],
            distance if distance < 0.0 => [1.0, exact],
            _ => [0.5, 0.5],
        };
    }
    let t = n * m * distance / ((n + m) * (a + b).sqrt());
    let freedom = (a + b).powi(2) / (a * a / (n - 1.0) + b * b / (m - 1.0));
    [student_above(freedom, t), student_above(freedom, -t)]
}

/// How many values of the other sample lie below each value, equal ones counting half: the mean and the variance.
fn placements(values: &[f64], other: &[f64]) -> (f64, f64) {
    let mut sorted = other.to_vec();
    sorted.sort_by(f64::total_cmp);
    let placement = |value: &f64| {
        let below = sorted.partition_point(|other| other < value);
        let up_to = sorted.partition_point(|other| other <= value);
        (below + up_to) as f64 / 2.0
    };
    let placed: Vec<f64> = values.iter().map(placement).collect();
    let mean = placed.iter().sum::<f64>() / placed.len() as f64;
    let squares: f64 = placed.iter().map(|placed| (placed - mean).powi(2)).sum();
    (mean, squares / (placed.len() as f64 - 1.0))
}

/// Which of two paired samples has the lesser values: the p-values of "the first is less in more than half of the pairs that
/// differ", and of the opposite.
pub fn sign_test(pairs: &[(f64, f64)]) -> [f64; 2] {
    let less = pairs.iter().filter(|(one, other)| one < other).count() as u64;
    let greater = pairs.iter().filter(|(one, other)| one > other).count() as u64;
    let Ok(coins) = Binomial::new(0.5, less + greater) else { return [1.0, 1.0] };
    // So many heads or more are as many tails or fewer.
    [coins.cdf(greater), coins.cdf(less)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of Brunner and Munzel (2000), as R's package `lawstat` gives it: statistic 3.1375, freedom 17.683, p = 0.005786.
    #[test]
    fn the_published_example() {
        let one = [1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 4.0, 1.0, 1.0];
        let other = [3.0, 3.0, 4.0, 3.0, 1.0, 2.0, 3.0, 1.0, 1.0, 5.0, 4.0];
        let [less, greater] = brunner_munzel(&one, &other);
        assert!((2.0 * less - 0.005786).abs() < 1e-5 && (less + greater - 1.0).abs() < 1e-9, "{less}");
    }

    #[test]
    fn separate_samples_are_counted() {
        let [low, high]: [Vec<f64>; 2] = [0, 10].map(|base| (0..5).map(|index| f64::from(base + index)).collect());
        assert!((brunner_munzel(&low, &high)[0] - 1.0 / 252.0).abs() < 1e-9);
        assert_eq!(brunner_munzel(&[3.0; 4], &[3.0; 4]), [0.5, 0.5]);
    }

    #[test]
    fn signs_are_coins() {
        let pairs = [(1.0, 2.0), (1.0, 2.0), (1.0, 2.0), (1.0, 2.0), (1.0, 2.0), (5.0, 5.0)];
        let [less, greater] = sign_test(&pairs);
        assert!((less - 1.0 / 32.0).abs() < 1e-12 && greater == 1.0, "{less} {greater}");
    }
}
