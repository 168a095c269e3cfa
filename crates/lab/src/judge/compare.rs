//! Claims that compare rows.

use super::number::mean_of;
use super::{Case, FACTOR, Finding, HUNDREDTH, Verdict};
use crate::experiment::PublishedFigure;
use crate::statistics::Summary;
use crate::words::{figure, range};

impl Case<'_> {
    fn both(&self) -> (Summary, Summary) {
        let summary = |index| self.measured(index).summary(self.claim.what).expect("a sample has readings");
        (summary(0), summary(1))
    }

    /// How many times as much; medians, which the disturbances of a shared machine move least.
    pub(super) fn ratio(&self) -> Finding {
        let (one, other) = self.both();
        let ratio = one.median() / other.median();
        let ours = figure(ratio);
        let Some(PublishedFigure { value, .. }) = self.published else {
            return Finding::new(ours, ratio, None, "no ratio can be read in the paper");
        };
        let apart = (ratio / value).max(value / ratio);
        let (verdict, words) = match apart <= FACTOR {
            true => (Verdict::Reproduced, "within a factor of"),
            false => (Verdict::NotReproduced, "apart by a factor of"),
        };
        Finding::new(ours, ratio, verdict, format!("{words} {}", figure(apart)))
    }

    pub(super) fn better(&self) -> Finding {
        let (one, other) = self.both();
        let (difference, interval) = one.minus(&other);
        let goal = self.goal();
        let (verdict, words) = match interval.contains(0.0) {
            true => (Verdict::NotReproduced, "not significant"),
            false if goal.better(difference, 0.0) => (Verdict::Reproduced, "better"),
            false => (Verdict::NotReproduced, "worse"),
        };
        let why = format!("{}: the 95 % interval of the difference is {}", words, range(interval.low, interval.high));
        Finding::new(versus(&one, &other), difference, verdict, why)
    }

    pub(super) fn alike(&self) -> Finding {
        let (one, other) = self.both();
        let (difference, interval) = one.minus(&other);
        let verdict = if interval.widened(self.claim.within).contains(0.0) {
            Verdict::Reproduced
        } else {
            Verdict::NotReproduced
        };
        let why = format!(
            "the difference is {} ({}); up to {} counts as alike",
            figure(difference),
            range(interval.low, interval.high),
            figure(self.claim.within)
        );
        Finding::new(versus(&one, &other), difference, verdict, why)
    }

    /// No other row of the series is better.
    pub(super) fn best(&self) -> Finding {
        let (series, row) = self.rows[0];
        let own = self.measured(0).summary(self.claim.what).expect("a sample has readings");
        let goal = self.goal();
        let mut rivals = Vec::new();
        for other in (0..self.experiment.series[series].rows.len()).filter(|other| *other != row) {
            let label = self.experiment.series[series].label(other);
            let Some(measured) = self.results.measured(series, other) else {
                let why = format!("{label} has not been run");
                return Finding::new(mean_of(&own), None, Verdict::NotRun, why);
            };
            let summary = measured.summary(self.claim.what).expect("a sample has readings");
            let (_, interval) = summary.minus(&own);
            if goal.better(interval.low, 0.0) && goal.better(interval.high, 0.0) {
                rivals.push(format!("{label} with {}", mean_of(&summary)));
            }
        }
        let (verdict, why) = match rivals.is_empty() {
            true => (Verdict::Reproduced, "no other is significantly better".to_owned()),
            false => (Verdict::NotReproduced, format!("better is {}", rivals.join(", "))),
        };
        Finding::new(mean_of(&own), None, verdict, why)
    }

    /// The shares of all scores beside the computed ones.
    pub(super) fn distribution(&self) -> Finding {
        let (sampled, computed) = (self.measured(0), self.measured(1));
        let expected = computed.sample.distribution.as_deref().unwrap_or_default();
        let scores = sampled.values(self.claim.what);
        let count = scores.len() as f64;
        let mut shares = vec![0.0; expected.len()];
        let mut strange = 0;
        for score in scores {
            match shares.get_mut(score as usize).filter(|_| score >= 0.0 && score.fract() == 0.0) {
                Some(share) => *share += 1.0 / count,
                None => strange += 1,
            }
        }
        let apart = shares.iter().zip(expected).map(|(share, expected)| (share - expected).abs());
        let largest = apart.fold(0.0, f64::max);
        let fits = shares.iter().zip(expected).all(|(share, expected)| {
            (share - expected).abs() <= HUNDREDTH + 3.0 * (expected * (1.0 - expected) / count).sqrt()
        });
        let verdict = if fits && strange == 0 { Verdict::Reproduced } else { Verdict::NotReproduced };
        let ours = format!("at most {} % apart", figure(100.0 * largest));
        let why = match strange {
            0 => format!("the largest difference of shares is {} %", figure(100.0 * largest)),
            _ => format!("{strange} scores are impossible"),
        };
        Finding::new(ours, None, verdict, why)
    }
}

fn versus(one: &Summary, other: &Summary) -> String {
    format!("{} against {}", mean_of(one), mean_of(other))
}
