//! Rules for claims that are a number.

use nestling::Goal;

use super::{AGREE, DIFFER, RuleDecision, Target, Verdict, decide};
use crate::statistics::{Bounds, Contrast, Interval, Median, Share, ShareDifference};

/// A result is ordinary if so large a share of runs is at least as good, and so large a share no better.
pub const ORDINARY: f64 = 0.05;

/// A mean: its 90 % interval lies within the margin.
pub fn mean(values: &[f64], target: &Target, goal: Option<Goal>) -> RuleDecision {
    decide(&Contrast::mean(values), target, goal)
}

/// The expected total of one run of each part, as for a mean. Nothing where a part has no run.
pub fn total(parts: &[Vec<f64>], target: &Target, goal: Option<Goal>) -> Option<RuleDecision> {
    Some(decide(&Contrast::total(parts)?, target, goal))
}

/// The time of one run: its median, which the disturbances of a shared machine move least.
pub fn time(values: &[f64], target: &Target) -> RuleDecision {
    decide(&Median::new(values.iter().copied()), target, Some(Goal::Min))
}

/// The time of so many runs together: so many times their mean.
pub fn total_time(values: &[f64], target: &Target) -> RuleDecision {
    decide(&Contrast::new(&[(values.len() as f64, values)]), target, Some(Goal::Min))
}

/// A share of the runs.
pub fn share(ours: Share, target: &Target) -> RuleDecision {
    decide(&ours, target, None)
}

/// How often something happened, in our runs and in the paper's: the difference of both shares is less than the margin.
pub fn count(ours: Share, published: Share, margin: f64, goal: Option<Goal>) -> RuleDecision {
    decide(&ShareDifference(ours, published), &Target::new(0.0, 0.0, margin), goal)
}

/// The result of one run of the paper: is it an ordinary result of ours?
pub fn single_run(values: &[f64], published: Interval, goal: Goal) -> RuleDecision {
    let at_most = Share::of(values, |value| value <= published.high);
    let at_least = Share::of(values, |value| value >= published.low);
    let [reach, not_better] = if goal == Goal::Max { [at_least, at_most] } else { [at_most, at_least] };
    let shown = |share: &Share| share.low(AGREE) >= ORDINARY;
    let refuted = |share: &Share| share.high(DIFFER) < ORDINARY;
    let verdict = match () {
        () if shown(&reach) && shown(&not_better) => Verdict::Reproduced,
        () if refuted(&not_better) => Verdict::Better,
        () if refuted(&reach) => Verdict::Contradicted,
        () => {
            let target =
                |share: &Share| decide(share, &Target::new(ORDINARY, 0.0, 0.0), None).times.unwrap_or(f64::NAN);
            let rarer = if reach.hits < not_better.hits { &reach } else { &not_better };
            return RuleDecision::undecided(&reach, target(rarer));
        }
    };
    RuleDecision::new(verdict, &reach)
}

/// The same result in every run: one exception contradicts it, and without any their share is less than the margin.
pub fn always(values: &[f64], published: f64, margin: f64) -> RuleDecision {
    let exceptions = Share::of(values, |value| value != published);
    match exceptions.hits {
        0 if exceptions.high(AGREE) <= margin => RuleDecision::new(Verdict::Reproduced, &exceptions),
        0 => RuleDecision::undecided(&exceptions, AGREE.ln() / (-margin).ln_1p() / exceptions.count as f64),
        _ => RuleDecision::new(Verdict::Contradicted, &exceptions),
    }
}

/// Which level of a sample a bound is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MedianOrMean {
    /// The median: half of the runs.
    Median,
    /// The mean.
    Mean,
}

impl MedianOrMean {
    fn of(self, values: &[f64]) -> Box<dyn Bounds> {
        match self {
            MedianOrMean::Median => Box::new(Median::new(values.iter().copied())),
            MedianOrMean::Mean => Box::new(Contrast::mean(values)),
        }
    }
}

/// Ours lie below a bound.
pub fn below(values: &[f64], level: MedianOrMean, bound: f64) -> RuleDecision {
    decide(&*level.of(values), &half_line(f64::NEG_INFINITY, bound), None)
}

/// Ours lie above a bound.
pub fn above(values: &[f64], level: MedianOrMean, bound: f64) -> RuleDecision {
    decide(&*level.of(values), &half_line(bound, f64::INFINITY), None)
}

fn half_line(low: f64, high: f64) -> Target {
    let region = Interval { low, high };
    Target { published: region, region }
}
