//! Rules for claims about the shape of a curve.

use nestling::Goal;

use super::{AGREE, DIFFER, RuleDecision, Tails, Target, Two, Verdict, decide};
use crate::statistics::{Bounds, Contrast};

/// The samples along an axis.
type Points = [(f64, Vec<f64>)];

/// The weights of the means in a sum: the slope of the straight line through them, and the second-degree coefficient of the parabola.
fn weights(xs: &[f64]) -> [Vec<f64>; 2] {
    let count = xs.len() as f64;
    let centre = xs.iter().sum::<f64>() / count;
    let linear: Vec<f64> = xs.iter().map(|x| x - centre).collect();
    let square = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
    let level = square(&linear) / count;
    let tilt = linear.iter().map(|x| x.powi(3)).sum::<f64>() / square(&linear);
    let curved: Vec<f64> = linear.iter().map(|x| x * x - level - tilt * x).collect();
    [linear, curved].map(|weights| weights.iter().map(|weight| weight / square(&weights)).collect())
}

/// The weighted sum of the means of all points.
fn contrast(points: &Points, weights: &[f64]) -> Contrast {
    let samples: Vec<(f64, &[f64])> =
        points.iter().zip(weights).map(|((_, values), weight)| (*weight, &values[..])).collect();
    Contrast::new(&samples)
}

/// Values that grow along a straight line. The rise of the line from end to end is greater than 0, and the bend, which is how far the
/// parabola through the means lies from its chord in the middle, is at most `margin` times the rise. The estimate is bend / rise.
pub fn line(points: &Points, margin: f64) -> RuleDecision {
    let xs: Vec<f64> = points.iter().map(|(x, _)| *x).collect();
    let span = xs.iter().copied().fold(f64::MIN, f64::max) - xs.iter().copied().fold(f64::MAX, f64::min);
    let [linear, curved] = weights(&xs);
    let rise: Vec<f64> = linear.iter().map(|weight| weight * span).collect();
    let bend: Vec<f64> = curved.iter().map(|weight| -weight * span * span / 4.0).collect();
    let mixed = |share: f64| {
        contrast(points, &bend.iter().zip(&rise).map(|(bend, rise)| bend + share * rise).collect::<Vec<_>>())
    };
    // |bend| <= margin · rise, if both of these have the right sign.
    let (upward, downward) = (mixed(-margin), mixed(margin));
    let (rise, bend) = (contrast(points, &rise), contrast(points, &bend));
    let estimate = bend.estimate() / rise.estimate();
    let half = (bend.high(DIFFER) - bend.low(DIFFER)) / 2.0 / rise.estimate().abs();
    let tests = [rise.above(0.0), upward.below(0.0), downward.above(0.0)];
    let refuted = [rise.below(0.0), upward.above(0.0), downward.below(0.0)];
    let verdict = match () {
        () if tests.iter().all(|p| *p <= AGREE) => Verdict::Reproduced,
        // Without any rise all three can go wrong.
        () if refuted.iter().any(|p| *p <= AGREE / 3.0) => Verdict::Contradicted,
        () => Verdict::Undecided,
    };
    let needed = |bounds: &Contrast| ((bounds.high(AGREE) - bounds.low(AGREE)) / 2.0 / bounds.estimate()).powi(2);
    let times = [&rise, &upward, &downward].map(needed).into_iter().fold(1.0, f64::max);
    let times = Some(times).filter(|times| verdict == Verdict::Undecided && times.is_finite());
    RuleDecision { verdict, estimate, interval: crate::Interval { low: estimate - half, high: estimate + half }, times }
}

/// Positive values that grow in proportion: the exponent of the power law through their geometric means is 1, give or take the margin.
/// Nothing where a value is not positive.
pub fn proportional(points: &Points, margin: f64) -> Option<RuleDecision> {
    if points.iter().any(|(x, values)| *x <= 0.0 || values.iter().any(|value| *value <= 0.0)) {
        return None;
    }
    let logarithms: Vec<(f64, Vec<f64>)> =
        points.iter().map(|(x, values)| (x.ln(), values.iter().map(|value| value.ln()).collect())).collect();
    let xs: Vec<f64> = logarithms.iter().map(|(x, _)| *x).collect();
    let [slope, _] = weights(&xs);
    Some(decide(&contrast(&logarithms, &slope), &Target::new(1.0, 0.0, margin), None))
}

/// A row between the ends that is above both. Such a row shows it at 5 % divided by the number of rows between the ends; the opposite is
/// shown if each of them is below one end or the other, at 2.5 % for each end.
pub fn peak(points: &Points, tails: Tails) -> RuleDecision {
    let [(_, first), inner @ .., (_, last)] = points else { unreachable!("a peak needs three points") };
    let order = |row: &Vec<f64>, end: &Vec<f64>| Two::Apart(row.clone(), end.clone()).better(tails, Goal::Max);
    let (mut highest, mut shown, mut refuted) = (0, f64::INFINITY, 0.0_f64);
    for (index, (_, row)) in inner.iter().enumerate() {
        let [[above, below], [above_last, below_last]] = [order(row, first), order(row, last)];
        if above.max(above_last) < shown {
            (highest, shown) = (index, above.max(above_last));
        }
        refuted = refuted.max(below.min(below_last));
    }
    let bounds = Contrast::difference(&inner[highest].1, first);
    match () {
        () if shown <= AGREE / inner.len() as f64 => RuleDecision::new(Verdict::Reproduced, &bounds),
        () if refuted <= DIFFER => RuleDecision::new(Verdict::Contradicted, &bounds),
        () => RuleDecision::new(Verdict::Undecided, &bounds),
    }
}
