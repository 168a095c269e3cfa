//! Claims that are a number.

use super::words::{because, mean_of, spread};
use super::{Case, Finding, UNREADABLE, Verdict};
use crate::experiment::{Definition, Kind, Measure, PublishedFigure};
use crate::results::Measured;
use crate::rules::{self, MedianOrMean};
use crate::statistics::{Bounds, Interval, Share, Summary};
use crate::words::{figure, range};

impl Case<'_> {
    fn summary(&self) -> Summary {
        self.measured(0).summary(self.claim.what).expect("a sample has readings")
    }

    pub(super) fn single_run(&self) -> Finding {
        let summary = self.summary();
        let Some(PublishedFigure { value, precision }) = self.published else {
            return Finding::new(spread(&summary), summary.mean, None, UNREADABLE);
        };
        let published = Interval { low: value, high: value }.widened(precision);
        let decision = rules::single_run(&self.values(0), published, self.goal());
        let Interval { low, high } = decision.interval;
        let why = format!(
            "{} of our runs are as good as {}; {} is an ordinary result if at least 5 % are, and at least 5 % no better",
            percent(low, high),
            figure(value),
            figure(value)
        );
        Finding::decided(spread(&summary), summary.mean, &decision, why)
    }

    pub(super) fn mean(&self) -> Finding {
        let summary = self.summary();
        let Some(target) = self.target() else {
            return Finding::new(mean_of(&summary), summary.mean, None, UNREADABLE);
        };
        let decision = rules::mean(&self.values(0), &target, Some(self.goal()));
        let why = because(&decision, "our mean", target.region, &self.margin());
        Finding::decided(mean_of(&summary), summary.mean, &decision, why)
    }

    /// The sum over the parts of a series.
    pub(super) fn total(&self) -> Finding {
        let parts = parts(self.measured(0), self.definition(), self.claim.what);
        let Some(target) = self.target() else {
            return Finding::new(spread(&self.summary()), None, None, UNREADABLE);
        };
        let Some(decision) = rules::total(&parts, &target, Some(self.goal())) else {
            return Finding::new("—", None, Verdict::Undecided, "not every part has been run");
        };
        let ours = format!("{} ({})", figure(decision.estimate), range(decision.interval.low, decision.interval.high));
        let why = because(&decision, "our mean total", target.region, &self.margin());
        Finding::decided(ours, decision.estimate, &decision, why)
    }

    pub(super) fn definition(&self) -> &Definition {
        &self.measured(0).definition
    }

    /// The time of one run.
    pub(super) fn time(&self) -> Finding {
        let summary = self.summary();
        let ours = format!("{} s ({})", figure(summary.median()), range(summary.least(), summary.greatest()));
        let Some(target) = self.target() else {
            return Finding::new(ours, summary.median(), None, "no time can be read in the paper");
        };
        let decision = rules::time(&self.values(0), &target);
        let why = because(&decision, "our median", target.region, &self.margin());
        Finding::decided(ours, summary.median(), &decision, why)
    }

    /// The time of all runs.
    pub(super) fn total_time(&self) -> Finding {
        let (measured, summary) = (self.measured(0), self.summary());
        let sum = summary.mean * summary.count() as f64;
        let (ours, value) = match measured.is_whole() {
            true => (format!("{} s", figure(sum)), Some(sum)),
            false => (format!("{} s for {} of {} runs", figure(sum), summary.count(), measured.runs), None),
        };
        let Some(target) = self.target() else {
            return Finding::new(ours, value, None, "no time can be read in the paper");
        };
        let decision = rules::total_time(&self.values(0), &target);
        let why = because(&decision, "the expected time of as many runs", target.region, &self.margin());
        Finding::decided(ours, value, &decision, why)
    }

    /// In how many of all runs something came about.
    pub(super) fn count(&self) -> Finding {
        let measured = self.measured(0);
        let parts = parts(measured, self.definition(), self.claim.what);
        let (values, runs) = match self.claim.part {
            Some(part) => (parts[part as usize - 1].clone(), measured.runs / parts.len() as u64),
            None => (parts.concat(), measured.runs),
        };
        let share = Share::of(&values, |value| value > 0.0);
        let ours = format!("{} of {}", figure(share.hits as f64), figure(share.count as f64));
        let Some(PublishedFigure { value: published, .. }) = self.published else {
            return Finding::new(ours, None, None, UNREADABLE);
        };
        if share.count == 0 {
            return Finding::new(ours, None, Verdict::Undecided, "there is no run of that part");
        }
        let theirs = Share { hits: published as u64, count: runs };
        let decision = rules::count(share, theirs, self.claim.margin, Some(self.goal()));
        let region = Interval { low: -self.claim.margin, high: self.claim.margin };
        let what = format!("the difference from {} of {}, in shares", figure(published), figure(runs as f64));
        let value = (share.count == runs).then_some(share.hits as f64);
        Finding::decided(ours, value, &decision, because(&decision, &what, region, &self.margin()))
    }

    /// The share of the runs that reach the target.
    pub(super) fn share(&self) -> Finding {
        let (goal, reach) = (self.goal(), self.claim.target.unwrap_or(f64::NAN));
        let share = Share::of(&self.values(0), |value| goal.reaches(value, reach));
        let Interval { low, high } = share.interval(rules::DIFFER);
        let ours = format!("{} ({})", figure(share.estimate()), range(low, high));
        let Some(target) = self.target() else {
            return Finding::new(ours, share.estimate(), None, UNREADABLE);
        };
        let decision = rules::share(share, &target);
        let why = because(&decision, "our share", target.region, &self.margin());
        Finding::decided(ours, share.estimate(), &decision, why)
    }

    /// A bound that the median lies below, or the mean above.
    pub(super) fn bound(&self) -> Finding {
        let (summary, values) = (self.summary(), self.values(0));
        let is_below = self.claim.kind == Kind::Below;
        let value = if is_below { summary.median() } else { summary.mean };
        let Some(PublishedFigure { value: bound, .. }) = self.published else {
            return Finding::new(figure(value), value, None, UNREADABLE);
        };
        let (decision, what, region) = match is_below {
            true => {
                let region = Interval { low: f64::NEG_INFINITY, high: bound };
                (rules::below(&values, MedianOrMean::Median, bound), "our median", region)
            }
            false => {
                let region = Interval { low: bound, high: f64::INFINITY };
                (rules::above(&values, MedianOrMean::Mean, bound), "our mean", region)
            }
        };
        Finding::decided(figure(value), None, &decision, because(&decision, what, region, ""))
    }

    /// The best of all runs.
    pub(super) fn record(&self) -> Finding {
        let (summary, goal) = (self.summary(), self.goal());
        let best = if goal.better(1.0, 0.0) { summary.greatest() } else { summary.least() };
        let ours = format!("{} (the best of {})", figure(best), summary.count());
        let Some(PublishedFigure { value: published, precision }) = self.published else {
            return Finding::new(ours, best, None, UNREADABLE);
        };
        let apart = figure((best - published).abs());
        let (verdict, why) = match best {
            best if (best - published).abs() <= precision => (Verdict::Reproduced, "the same".to_owned()),
            best if goal.better(best, published) => (Verdict::Better, format!("better by {apart}")),
            _ => {
                let none = Share { hits: 0, count: summary.count() as u64 };
                let rare = figure(100.0 * none.high(rules::AGREE));
                (
                    Verdict::Undecided,
                    format!("short by {apart}; at most {rare} % of runs reach it, with 95 % confidence"),
                )
            }
        };
        Finding::new(ours, best, verdict, why)
    }

    /// The same in every run.
    pub(super) fn always(&self) -> Finding {
        let summary = self.summary();
        let ours = range(summary.least(), summary.greatest());
        let Some(PublishedFigure { value, .. }) = self.published else {
            return Finding::new(ours, None, None, UNREADABLE);
        };
        let decision = rules::always(&self.values(0), value, self.claim.margin);
        let why = match decision.verdict {
            Verdict::Contradicted => format!("our runs have {ours}"),
            _ => format!(
                "in all {} runs, so exceptions are at most {} % with 95 % confidence",
                summary.count(),
                figure(100.0 * Share { hits: 0, count: summary.count() as u64 }.high(rules::AGREE))
            ),
        };
        Finding::decided(ours, (decision.estimate == 0.0).then_some(value), &decision, why)
    }

    /// Only shown.
    pub(super) fn shown(&self) -> Finding {
        let parts = parts(self.measured(0), self.definition(), self.claim.what);
        let values = self.claim.part.map_or_else(|| parts.concat(), |part| parts[part as usize - 1].clone());
        let why = self.claim.why.clone().unwrap_or_default();
        let Some(summary) = Summary::new(values) else {
            return Finding::new("—", None, None, why);
        };
        Finding::new(mean_of(&summary), summary.mean, None, why)
    }
}

/// From one share to another, in per cent.
fn percent(low: f64, high: f64) -> String {
    format!("{} %", range(100.0 * low, 100.0 * high))
}

/// The values of a measure, part by part.
fn parts(measured: &Measured, definition: &Definition, measure: Measure) -> Vec<Vec<f64>> {
    let parts = definition.parts();
    let mut values = vec![Vec::new(); parts as usize];
    for (number, reading) in &measured.sample.readings {
        values[(number % parts) as usize].extend(measure.of(reading));
    }
    values
}
