//! The rules for verdicts, as functions of numbers alone: `docs/LAB.md` states them with their rates of error, and
//! `tests/simulation.rs` measures those rates.
//!
//! Two levels are used throughout. *Reproduced* needs every bound that it stands on at 5 % (two one-sided tests). *Better* and
//! *contradicted* need theirs at 2.5 %, because there are two sides on which a rule may go wrong.

mod compare;
mod number;
mod shape;

use std::fmt;

use nestling::Goal;

pub use compare::{Tails, Two, alike, best, better, distribution, ratio};
pub use number::{MedianOrMean, above, always, below, count, mean, share, single_run, time, total, total_time};
pub use shape::{line, peak, proportional};

use crate::statistics::{Bounds, Interval};

/// The level of each test that shows agreement.
pub const AGREE: f64 = 0.05;

/// The level of each test that shows a difference.
pub const DIFFER: f64 = 0.025;

/// The verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Ours agree, by the margin that the claim states.
    Reproduced,
    /// Ours are better.
    Better,
    /// Ours do not agree.
    Contradicted,
    /// The runs are too few to tell.
    Undecided,
    /// Something smaller was run.
    ReducedSize,
    /// There is nothing to compare with.
    NotRun,
    /// The runs are not those that the paper describes.
    OtherVariant,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 7] = [
        Verdict::Reproduced,
        Verdict::Better,
        Verdict::Contradicted,
        Verdict::Undecided,
        Verdict::ReducedSize,
        Verdict::NotRun,
        Verdict::OtherVariant,
    ];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Better => "better",
            Verdict::Contradicted => "contradicted",
            Verdict::Undecided => "undecided",
            Verdict::ReducedSize => "reduced size",
            Verdict::NotRun => "not run",
            Verdict::OtherVariant => "not the paper's variant",
        }
    }
}

impl Verdict {
    /// What it says, in a sentence for a reader who has not read the rules.
    pub fn meaning(self) -> &'static str {
        match self {
            Verdict::Reproduced => "our runs show that the claim holds, within the margin that it states",
            Verdict::Better => "our runs show a better value than the published one",
            Verdict::Contradicted => "our runs show that the claim does not hold here",
            Verdict::Undecided => "runs are missing, or they show neither",
            Verdict::ReducedSize => "only something smaller was run, to save time",
            Verdict::NotRun => "a row that the claim needs has no runs",
            Verdict::OtherVariant => "what was run is not what the document describes; shown for comparison",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}

/// A published number with what counts as the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The number, as far as its rounding lets it be known.
    pub published: Interval,
    /// The values that count as the same: the number, its rounding and the margin.
    pub region: Interval,
}

impl Target {
    /// A number that may be off by `precision`, and the difference that does not matter.
    pub fn new(value: f64, precision: f64, margin: f64) -> Self {
        let published = Interval { low: value, high: value }.widened(precision);
        Target { published, region: published.widened(margin) }
    }

    /// A number, and the factor that does not matter, for ratios and times.
    pub fn within_factor(value: f64, factor: f64) -> Self {
        let published = Interval { low: value, high: value };
        Target { published, region: published.scaled(factor) }
    }
}

/// The decision of a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuleDecision {
    /// One of reproduced, better, contradicted and undecided.
    pub verdict: Verdict,
    /// The estimate that it stands on.
    pub estimate: f64,
    /// The interval that decided: the 90 % interval where ours agree, else the 95 % interval.
    pub interval: Interval,
    /// If it is undecided: how many times as many runs would probably decide it, where that can be told.
    pub times: Option<f64>,
}

impl RuleDecision {
    fn new(verdict: Verdict, bounds: &dyn Bounds) -> Self {
        let alpha = if verdict == Verdict::Reproduced { AGREE } else { DIFFER };
        RuleDecision { verdict, estimate: bounds.estimate(), interval: bounds.interval(alpha), times: None }
    }

    /// Undecided, and so many times as many runs would decide.
    fn undecided(bounds: &dyn Bounds, times: f64) -> Self {
        let times = Some(times).filter(|times| times.is_finite() && *times > 1.0);
        RuleDecision { times, ..RuleDecision::new(Verdict::Undecided, bounds) }
    }
}

/// Where an estimate lies: in a region, or outside of it on either side. Where a direction is better, ours on that side of the
/// published number are better.
pub fn decide(bounds: &dyn Bounds, target: &Target, goal: Option<Goal>) -> RuleDecision {
    let Target { published, region } = *target;
    let (agree, differ) = (bounds.interval(AGREE), bounds.interval(DIFFER));
    if region.low <= agree.low && agree.high <= region.high {
        return RuleDecision::new(Verdict::Reproduced, bounds);
    }
    let better = |number: f64| match goal {
        Some(Goal::Max) => number > published.high,
        Some(Goal::Min) => number < published.low,
        None => false,
    };
    if better(differ.low) && better(differ.high) {
        return RuleDecision::new(Verdict::Better, bounds);
    }
    if differ.low > region.high || differ.high < region.low {
        return RuleDecision::new(Verdict::Contradicted, bounds);
    }
    let estimate = bounds.estimate();
    let squared = |from: f64, to: f64| (from / to).powi(2);
    let outside = |edge: f64| match estimate > edge {
        true => squared(estimate - differ.low, estimate - edge),
        false => squared(differ.high - estimate, edge - estimate),
    };
    let inside = squared(estimate - agree.low, estimate - region.low)
        .max(squared(agree.high - estimate, region.high - estimate));
    let times = match () {
        () if better(estimate) => {
            let edge = if goal == Some(Goal::Max) { published.high } else { published.low };
            if region.contains(estimate) { outside(edge).min(inside) } else { outside(edge) }
        }
        () if region.contains(estimate) => inside,
        () if estimate > region.high => outside(region.high),
        () => outside(region.low),
    };
    RuleDecision::undecided(bounds, times)
}
