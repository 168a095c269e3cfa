//! Claims that are a number.

use super::{Case, FACTOR, Finding, UNREADABLE, Verdict};
use crate::experiment::{Definition, Measure, PublishedFigure};
use crate::results::Measured;
use crate::statistics::{Interval, Summary, proportion, proportions, total};
use crate::words::{error, figure, range};

impl Case<'_> {
    fn summary(&self) -> Summary {
        self.measured(0).summary(self.claim.what).expect("a sample has readings")
    }

    pub(super) fn single_run(&self) -> Finding {
        let summary = self.summary();
        let (verdict, why) = self.within(summary.central(), "the central 95 % of ours");
        Finding::new(spread(&summary), summary.mean, verdict, why)
    }

    pub(super) fn mean(&self) -> Finding {
        let summary = self.summary();
        let (verdict, why) = self.within(summary.interval(), "the 95 % interval of our mean");
        Finding::new(mean_of(&summary), summary.mean, verdict, why)
    }

    /// The sum over the parts of a series.
    pub(super) fn total(&self) -> Finding {
        let measured = self.measured(0);
        let Some((sum, interval)) = total(&parts(measured, self.definition(), self.claim.what)) else {
            return Finding::new("—", None, Verdict::Reduced, "not every part has been run");
        };
        if interval.high.is_infinite() {
            let why = "one run of each part says nothing about the spread of totals";
            return Finding::new(figure(sum), sum, Verdict::Reduced, why);
        }
        let (verdict, why) = self.within(interval, "95 % of our totals");
        Finding::new(format!("{} ({})", figure(sum), range(interval.low, interval.high)), sum, verdict, why)
    }

    pub(super) fn definition(&self) -> &Definition {
        &self.measured(0).definition
    }

    /// The time of a run, or of all.
    pub(super) fn time(&self, all: bool) -> Finding {
        let (measured, summary) = (self.measured(0), self.summary());
        let ours = if all { summary.mean * summary.count() as f64 } else { summary.mean };
        let words = match all {
            false => format!("{} s", mean_of(&summary)),
            true if measured.is_whole() => format!("{} s", figure(ours)),
            true => format!("{} s for {} of {} runs", figure(ours), summary.count(), measured.runs),
        };
        let value = (!all || measured.is_whole()).then_some(ours);
        let Some(PublishedFigure { value: published, .. }) = self.published else {
            return Finding::new(words, value, None, "no time can be read in the paper");
        };
        if all && !measured.is_whole() {
            let why = format!("{} of {} runs were made", summary.count(), measured.runs);
            return Finding::new(words, value, Verdict::Reduced, why);
        }
        let factor = published / ours;
        let verdict = match factor {
            factor if factor > 1.0 => Verdict::Better,
            factor if factor >= 1.0 / FACTOR => Verdict::Reproduced,
            _ => Verdict::NotReproduced,
        };
        let why = match verdict {
            Verdict::Better => format!("{} times as fast as the paper's machine and program", figure(factor)),
            _ => format!("{} times as long as in the paper", figure(1.0 / factor)),
        };
        Finding::new(words, value, verdict, why)
    }

    /// In how many of all runs something came about.
    pub(super) fn count(&self) -> Finding {
        let measured = self.measured(0);
        let parts = parts(measured, self.definition(), self.claim.what);
        let (values, runs) = match self.claim.part {
            Some(part) => (parts[part as usize - 1].clone(), measured.runs as f64 / parts.len() as f64),
            None => (parts.concat(), measured.runs as f64),
        };
        let (hits, count) = (values.iter().filter(|value| **value > 0.0).count() as f64, values.len() as f64);
        let ours = format!("{} of {}", figure(hits), figure(count));
        let Some(PublishedFigure { value: published, .. }) = self.published else {
            return Finding::new(ours, None, None, UNREADABLE);
        };
        if self.claim.what == Measure::Solved && !measured.is_whole() {
            // Those that are missing may be the hard ones.
            let why = format!("{count} of {} runs were made", measured.runs);
            return Finding::new(ours, None, Verdict::Reduced, why);
        }
        if count == 0.0 {
            return Finding::new(ours, None, Verdict::Reduced, "there is no run of that part");
        }
        let difference = proportions((hits, count), (published, runs));
        let better = self.goal().better(hits / count, published / runs);
        let (verdict, words) = match (difference.contains(0.0), better) {
            (true, _) => (Verdict::Reproduced, "differs by no more than chance explains"),
            (false, true) => (Verdict::Better, "is better"),
            (false, false) => (Verdict::NotReproduced, "is worse"),
        };
        let why = format!(
            "{} of {}, against {} of {}, {words}",
            figure(hits),
            figure(count),
            figure(published),
            figure(runs)
        );
        Finding::new(ours, (count == runs).then_some(hits), verdict, why)
    }

    /// The share of the runs that reach the target.
    pub(super) fn share(&self) -> Finding {
        let (goal, target) = (self.goal(), self.claim.target.unwrap_or(f64::NAN));
        let values = self.measured(0).values(self.claim.what);
        let (hits, count) =
            (values.iter().filter(|value| goal.reaches(**value, target)).count() as f64, values.len() as f64);
        let interval = proportion(hits, count);
        let (verdict, why) = self.within(interval, "the 95 % interval of our share");
        let ours = format!("{} ({})", figure(hits / count), range(interval.low, interval.high));
        // More of the good is better only where somebody says so.
        let verdict = verdict.map(|verdict| if verdict == Verdict::Better { Verdict::NotReproduced } else { verdict });
        Finding::new(ours, hits / count, verdict, why)
    }

    /// The best of all runs.
    pub(super) fn record(&self) -> Finding {
        let (summary, goal) = (self.summary(), self.goal());
        let best = if goal.better(1.0, 0.0) { summary.greatest() } else { summary.least() };
        let ours = format!("{} (the best of {})", figure(best), summary.count());
        let Some(PublishedFigure { value: published, .. }) = self.published else {
            return Finding::new(ours, best, None, UNREADABLE);
        };
        let (verdict, why) = match best {
            best if best == published => (Verdict::Reproduced, "the same".to_owned()),
            best if goal.better(best, published) => {
                (Verdict::Better, format!("better by {}", figure((best - published).abs())))
            }
            best => {
                let short = format!("short by {}", figure((best - published).abs()));
                match self.measured(0) {
                    measured if measured.is_whole() => (Verdict::NotReproduced, short),
                    measured => (Verdict::Reduced, format!("{short} in {} of {} runs", summary.count(), measured.runs)),
                }
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
        let same = summary.least() == value && summary.greatest() == value;
        let verdict = if same { Verdict::Reproduced } else { Verdict::NotReproduced };
        let why = match same {
            true => format!("in all {} runs", summary.count()),
            false => format!("our runs have {ours}"),
        };
        Finding::new(ours, same.then_some(value), verdict, why)
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

/// Mean and interval in words.
pub(super) fn mean_of(summary: &Summary) -> String {
    let Interval { low, high } = summary.interval();
    match summary.count() {
        1 => figure(summary.mean),
        _ if low == high => figure(summary.mean),
        _ => format!("{} ± {}", figure(summary.mean), error((high - low) / 2.0)),
    }
}

/// Mean and extremes in words.
fn spread(summary: &Summary) -> String {
    format!("{} ({})", figure(summary.mean), range(summary.least(), summary.greatest()))
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
