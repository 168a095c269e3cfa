//! Rules for claims that compare rows.

use nestling::Goal;

use super::{AGREE, DIFFER, RuleDecision, Target, Verdict, decide};
use crate::statistics::{
    Bounds, Contrast, Interval, Median, MedianRatio, Share, ShareDifference, brunner_munzel, sign_test, student,
};

/// Fewer runs than this are not ranked.
pub const RANKED: usize = 10;

/// The distribution of the values of a measure, which decides how they are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tails {
    /// Scores: by their means.
    Light,
    /// Times and numbers of playouts, of which a few are very large: by their order.
    Heavy,
    /// Yes or no, 1 or 0: by their shares.
    Share,
}

/// Two rows that are compared.
#[derive(Clone, Debug, PartialEq)]
pub enum Two {
    /// Runs of the same number are made on the same instance, or in turns.
    Paired(Vec<(f64, f64)>),
    /// The runs have nothing to do with each other.
    Apart(Vec<f64>, Vec<f64>),
}

impl Two {
    /// How much greater the first mean is.
    fn difference(&self) -> Contrast {
        match self {
            Two::Paired(pairs) => Contrast::mean(&pairs.iter().map(|(one, other)| one - other).collect::<Vec<_>>()),
            Two::Apart(one, other) => Contrast::difference(one, other),
        }
    }

    /// Both samples.
    fn sides(&self) -> [Vec<f64>; 2] {
        match self {
            Two::Paired(pairs) => {
                [pairs.iter().map(|pair| pair.0).collect(), pairs.iter().map(|pair| pair.1).collect()]
            }
            Two::Apart(one, other) => [one.clone(), other.clone()],
        }
    }

    fn shares(&self) -> ShareDifference {
        let [one, other] = self.sides().map(|values| Share::of(&values, |value| value > 0.0));
        ShareDifference(one, other)
    }

    /// The p-values of "the first is less" and "the first is greater".
    fn order(&self, tails: Tails) -> [f64; 2] {
        match (self, tails) {
            (_, Tails::Light) => {
                let difference = self.difference();
                [difference.below(0.0), difference.above(0.0)]
            }
            (Two::Paired(pairs), Tails::Heavy | Tails::Share) => sign_test(pairs),
            (Two::Apart(one, other), Tails::Heavy) if one.len().min(other.len()) < RANKED => [1.0, 1.0],
            (Two::Apart(one, other), Tails::Heavy | Tails::Share) => brunner_munzel(one, other),
        }
    }

    /// The p-values of "the first is better" and "the first is worse".
    pub(super) fn better(&self, tails: Tails, goal: Goal) -> [f64; 2] {
        let [less, greater] = self.order(tails);
        if goal == Goal::Max { [greater, less] } else { [less, greater] }
    }
}

/// The first is better: its mean, its order or its share, as its tails are.
pub fn better(two: &Two, tails: Tails, goal: Goal) -> RuleDecision {
    let [better, worse] = two.better(tails, goal);
    let difference = two.difference();
    let shares = two.shares();
    let bounds: &dyn Bounds = if tails == Tails::Share { &shares } else { &difference };
    match () {
        () if better <= DIFFER => RuleDecision::new(Verdict::Reproduced, bounds),
        () if worse <= DIFFER => RuleDecision::new(Verdict::Contradicted, bounds),
        // The normal deviate of a p-value grows with the root of the runs.
        () => RuleDecision::undecided(bounds, (deviate(DIFFER) / deviate(better.min(worse))).powi(2)),
    }
}

/// The normal deviate of a one-sided p-value; 0 for a half.
fn deviate(p: f64) -> f64 {
    student(1e6, 1.0 - p.clamp(1e-12, 0.5))
}

/// Both are the same: the 90 % interval of their difference lies within the margin.
pub fn alike(two: &Two, tails: Tails, margin: f64) -> RuleDecision {
    let target = Target::new(0.0, 0.0, margin);
    match (two, tails) {
        (Two::Apart(..), Tails::Share) => decide(&two.shares(), &target, None),
        _ => decide(&two.difference(), &target, None),
    }
}

/// How many times as much the first is: the median of the ratios of pairs, or the ratio of the medians.
pub fn ratio(two: &Two, target: &Target) -> RuleDecision {
    match two {
        Two::Paired(pairs) => decide(&Median::new(pairs.iter().map(|(one, other)| one / other)), target, None),
        Two::Apart(one, other) => {
            let [one, other] = [one, other].map(|values| Median::new(values.iter().copied()));
            decide(&MedianRatio(one, other), target, None)
        }
    }
}

/// The first row is better than each of the others by more than `-margin`. All comparisons must show it, each at 5 %: together they err
/// no more often than one of them. One rival that is better by more than the margin contradicts it, at 5 % divided by the number of
/// rivals (Bonferroni, which is the first step of Holm).
pub fn best(rivals: &[Two], goal: Goal, margin: f64) -> RuleDecision {
    let sign = if goal == Goal::Max { 1.0 } else { -1.0 };
    let leads: Vec<Contrast> = rivals.iter().map(Two::difference).collect();
    let lead = |contrast: &Contrast| sign * contrast.estimate();
    let ahead = |contrast: &Contrast| match goal {
        Goal::Max => contrast.above(-margin),
        Goal::Min => contrast.below(margin),
    };
    let behind = |contrast: &Contrast| match goal {
        Goal::Max => contrast.below(-margin),
        Goal::Min => contrast.above(margin),
    };
    let Some(closest) = leads.iter().min_by(|a, b| lead(a).total_cmp(&lead(b))) else {
        return RuleDecision {
            verdict: Verdict::Undecided,
            estimate: f64::NAN,
            interval: Interval { low: f64::NEG_INFINITY, high: f64::INFINITY },
            times: None,
        };
    };
    let strict = AGREE / leads.len() as f64;
    if leads.iter().all(|contrast| ahead(contrast) <= AGREE) {
        return RuleDecision::new(Verdict::Reproduced, closest);
    }
    if leads.iter().any(|contrast| behind(contrast) <= strict) {
        return RuleDecision::new(Verdict::Contradicted, closest);
    }
    let (level, p) = match lead(closest) > -margin {
        true => (AGREE, leads.iter().map(ahead).fold(0.0, f64::max)),
        false => (strict, leads.iter().map(behind).fold(1.0, f64::min)),
    };
    RuleDecision::undecided(closest, (deviate(level) / deviate(p)).powi(2))
}

/// The shares of all values are within the margin of the expected ones, each at 5 %; a value that is farther away, at 5 % divided by
/// their number, contradicts it, and so does one that is impossible. The estimate is the largest difference of shares.
pub fn distribution(values: &[f64], expected: &[f64], margin: f64) -> RuleDecision {
    let mut hits = vec![0; expected.len()];
    let mut is_strange = false;
    for value in values {
        match hits.get_mut(*value as usize).filter(|_| *value >= 0.0 && value.fract() == 0.0) {
            Some(hits) => *hits += 1,
            None => is_strange = true,
        }
    }
    let shares: Vec<Share> = hits.iter().map(|&hits| Share { hits, count: values.len() as u64 }).collect();
    let apart = |(share, expected): (&Share, &f64)| (share.estimate() - expected).abs();
    let estimate = shares.iter().zip(expected).map(apart).fold(0.0, f64::max);
    let strict = DIFFER / expected.len() as f64;
    let (mut all_shown, mut refuted, mut farthest) = (true, is_strange, 0.0);
    for (share, &expected) in shares.iter().zip(expected) {
        let shown = share.interval(AGREE);
        let distance = (shown.high - expected).max(expected - shown.low);
        all_shown &= distance <= margin;
        refuted |= share.low(strict) > expected + margin || share.high(strict) < expected - margin;
        farthest = distance.max(farthest);
    }
    let verdict = match () {
        () if refuted => Verdict::Contradicted,
        () if all_shown => Verdict::Reproduced,
        () => Verdict::Undecided,
    };
    let times = ((farthest - estimate) / (margin - estimate)).powi(2);
    let times = Some(times).filter(|times| verdict == Verdict::Undecided && estimate < margin && times.is_finite());
    RuleDecision { verdict, estimate, interval: Interval { low: 0.0, high: farthest }, times }
}
