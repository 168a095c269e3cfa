//! Claims about the shape of a curve.

use super::words::because;
use super::{Case, Finding, Verdict};
use crate::rules::{self, Tails};
use crate::statistics::{Interval, Summary};
use crate::words::{figure, range};

impl Case<'_> {
    /// The samples along the axis.
    fn curve(&self) -> Vec<(f64, Vec<f64>)> {
        let along = |(index, &(series, row)): (usize, &(usize, usize))| {
            let x = self.experiment.row(series, row).values[0].number().unwrap_or(index as f64);
            (x, self.values(index))
        };
        self.rows.iter().enumerate().map(along).collect()
    }

    /// A straight line along the logarithm of the axis, upwards.
    pub(super) fn line(&self) -> Finding {
        let points: Vec<_> = self.curve().into_iter().map(|(x, values)| (x.ln(), values)).collect();
        let decision = rules::line(&points, self.claim.margin);
        let Interval { low, high } = decision.interval;
        let ours = format!("bends by {} % of its rise", figure(100.0 * decision.estimate));
        let why = format!(
            "95 % interval {} %; {} % counts as straight{}",
            range(100.0 * low, 100.0 * high),
            figure(100.0 * self.claim.margin),
            self.margin()
        );
        Finding::decided(ours, None, &decision, why)
    }

    /// In proportion to the axis.
    pub(super) fn proportional(&self) -> Finding {
        let Some(decision) = rules::proportional(&self.curve(), self.claim.margin) else {
            return Finding::new("—", None, Verdict::Undecided, "only positive values can grow in proportion");
        };
        let region = Interval { low: 1.0, high: 1.0 }.widened(self.claim.margin);
        let why = because(&decision, "the exponent", region, &self.margin());
        Finding::decided(format!("grows with the power {}", figure(decision.estimate)), None, &decision, why)
    }

    /// Something between the ends that is above both.
    pub(super) fn peak(&self) -> Finding {
        let curve = self.curve();
        let decision = rules::peak(&curve, self.tails());
        let level = |values: &[f64]| {
            let summary = Summary::new(values.iter().copied()).expect("a sample has readings");
            if self.tails() == Tails::Heavy { summary.median() } else { summary.mean }
        };
        let levels: Vec<(f64, f64)> = curve.iter().map(|(x, values)| (*x, level(values))).collect();
        let inner = &levels[1..levels.len() - 1];
        let highest = inner.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("a claim of a peak has three rows");
        let words = |(x, level): (f64, f64)| format!("{} at {}", figure(level), figure(x));
        let ours = [levels[0], *highest, levels[levels.len() - 1]].map(words).join(", ");
        let why = match decision.verdict {
            Verdict::Reproduced => "a row between the ends is above both",
            Verdict::Contradicted => "every row between the ends is below one of them",
            _ => "it is not shown that a row between the ends is above both",
        };
        Finding::decided(ours, None, &decision, why.to_owned())
    }
}
