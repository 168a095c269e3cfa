//! Claims about the shape of a curve.

use super::{Case, Finding, STRAIGHT, Verdict};
use crate::statistics::{Summary, linearity};
use crate::words::figure;

impl Case<'_> {
    /// The means along the axis.
    fn curve(&self) -> Vec<(f64, Summary)> {
        let along = |(index, &(series, row)): (usize, &(usize, usize))| {
            let x = self.experiment.row(series, row).values[0].number().unwrap_or(index as f64);
            (x, self.measured(index).summary(self.claim.what).expect("a sample has readings"))
        };
        self.rows.iter().enumerate().map(along).collect()
    }

    /// A straight line, along the axis or its logarithm.
    pub(super) fn line(&self, logarithm: bool) -> Finding {
        let scale = |x: f64| if logarithm { x.ln() } else { x };
        let points: Vec<(f64, f64)> = self.curve().iter().map(|(x, summary)| (scale(*x), summary.mean)).collect();
        let explained = linearity(&points);
        let verdict = if explained >= STRAIGHT { Verdict::Reproduced } else { Verdict::NotReproduced };
        let ours = format!("a line explains {} %", figure(100.0 * explained));
        let why = format!("of the variation of {} means", points.len());
        Finding::new(ours, None, verdict, why)
    }

    /// Something between the ends that is above both.
    pub(super) fn peak(&self) -> Finding {
        let curve = self.curve();
        let (first, last) = (&curve[0], &curve[curve.len() - 1]);
        let inner = &curve[1..curve.len() - 1];
        let highest =
            inner.iter().max_by(|a, b| a.1.mean.total_cmp(&b.1.mean)).expect("a claim of a peak has three rows");
        let above = |end: &Summary| highest.1.minus(end).1.low > 0.0;
        let verdict = match above(&first.1) && above(&last.1) {
            true => Verdict::Reproduced,
            false => Verdict::NotReproduced,
        };
        let ours = format!(
            "{} at {}, {} at {}, {} at {}",
            figure(first.1.mean),
            figure(first.0),
            figure(highest.1.mean),
            figure(highest.0),
            figure(last.1.mean),
            figure(last.0)
        );
        let why = match verdict {
            Verdict::Reproduced => "the middle is significantly above both ends",
            _ => "the middle is not significantly above both ends",
        };
        Finding::new(ours, None, verdict, why)
    }
}
