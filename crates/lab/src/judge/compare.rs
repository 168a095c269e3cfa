//! Claims that compare rows.

use super::words::{because, mean_of};
use super::{Case, Finding, Verdict};
use crate::experiment::Definition;
use crate::results::Measured;
use crate::rules::{self, RuleDecision, Tails, Two};
use crate::statistics::{Interval, Summary};
use crate::words::{figure, range};

impl Case<'_> {
    /// Two rows: in pairs where runs of the same number have the same instance, or are made in turns.
    fn two(&self, one: usize, other: usize) -> Two {
        let (first, second) = (self.measured(one), self.measured(other));
        let in_turns = self.experiment.rounds && self.claim.what.is_time();
        let is_paired = in_turns || has_instances(first) && has_instances(second);
        if !is_paired {
            return Two::Apart(self.values(one), self.values(other));
        }
        let pair = |(number, reading)| {
            let other = second.sample.readings.get(number)?;
            Some((self.claim.what.of(reading)?, self.claim.what.of(other)?))
        };
        Two::Paired(first.sample.readings.iter().filter_map(pair).collect())
    }

    fn summary_of(&self, index: usize) -> Summary {
        self.measured(index).summary(self.claim.what).expect("a sample has readings")
    }

    /// Both rows in words: means, or medians where tails are heavy.
    fn versus(&self) -> String {
        let words = |index| match self.tails() {
            Tails::Heavy => format!("median {}", figure(self.summary_of(index).median())),
            Tails::Light | Tails::Share => mean_of(&self.summary_of(index)),
        };
        format!("{} against {}", words(0), words(1))
    }

    /// How many times as much.
    pub(super) fn ratio(&self) -> Finding {
        let two = self.two(0, 1);
        let Some(target) = self.target() else {
            let ratio = self.summary_of(0).median() / self.summary_of(1).median();
            return Finding::new(figure(ratio), ratio, None, "no ratio can be read in the paper");
        };
        let decision = rules::ratio(&two, &target);
        let what =
            if matches!(two, Two::Paired(_)) { "the median ratio of runs in turns" } else { "the ratio of medians" };
        let why = because(&decision, what, target.region, &self.margin());
        Finding::decided(figure(decision.estimate), decision.estimate, &decision, why)
    }

    pub(super) fn better(&self) -> Finding {
        let (two, tails) = (self.two(0, 1), self.tails());
        let decision = rules::better(&two, tails, self.goal());
        let words = match decision.verdict {
            Verdict::Reproduced => "better",
            Verdict::Contradicted => "worse",
            _ => "no difference is shown",
        };
        let how = match (&two, tails) {
            (Two::Paired(pairs), Tails::Light) => format!("the mean of {} pairs", pairs.len()),
            (Two::Apart(..), Tails::Light) => "the means".to_owned(),
            (Two::Paired(pairs), _) => format!("the sign test of {} pairs", pairs.len()),
            (Two::Apart(..), _) => "the test of Brunner and Munzel".to_owned(),
        };
        let value = (tails != Tails::Heavy).then_some(decision.estimate);
        Finding::decided(self.versus(), value, &decision, format!("{words}, by {how}{}", difference(&decision, tails)))
    }

    pub(super) fn alike(&self) -> Finding {
        let margin = self.claim.margin;
        let decision = rules::alike(&self.two(0, 1), self.tails(), margin);
        let why = because(&decision, "the difference", Interval { low: -margin, high: margin }, &self.margin());
        Finding::decided(self.versus(), decision.estimate, &decision, why)
    }

    /// No other row of the series is better.
    pub(super) fn best(&self) -> Finding {
        let rivals: Vec<Two> = (1..self.rows.len()).map(|other| self.two(0, other)).collect();
        let decision = rules::best(&rivals, self.goal(), self.claim.margin);
        let goal = self.goal();
        let closest = (1..self.rows.len()).reduce(|best, other| {
            let [best_mean, mean] = [best, other].map(|index| self.summary_of(index).mean);
            if goal.better(mean, best_mean) { other } else { best }
        });
        let rival = closest.map_or(String::new(), |index| {
            let (series, row) = self.rows[index];
            format!("{} has {}", self.experiment.series[series].label(row), mean_of(&self.summary_of(index)))
        });
        let why = match decision.verdict {
            Verdict::Reproduced => format!("better than every other; {rival}"),
            Verdict::Contradicted => format!("another is better; {rival}"),
            _ => format!("it is not shown which is the best; {rival}"),
        };
        Finding::decided(mean_of(&self.summary_of(0)), None, &decision, why)
    }

    /// The shares of all scores beside the computed ones.
    pub(super) fn distribution(&self) -> Finding {
        let expected = self.measured(1).sample.distribution.clone().unwrap_or_default();
        let decision = rules::distribution(&self.values(0), &expected, self.claim.margin);
        let ours = format!("at most {} % apart", figure(100.0 * decision.estimate));
        let why = format!(
            "with confidence no share is farther than {} % from the computed one; {} % counts as the same{}",
            figure(100.0 * decision.interval.high),
            figure(100.0 * self.claim.margin),
            self.margin()
        );
        Finding::decided(ours, None, &decision, why)
    }
}

/// The interval of a difference in words; none where the order of values is compared.
fn difference(decision: &RuleDecision, tails: Tails) -> String {
    match tails {
        Tails::Heavy => String::new(),
        Tails::Light | Tails::Share => {
            let Interval { low, high } = decision.interval;
            format!(": the interval of the difference is {}", range(low, high))
        }
    }
}

/// Whether every run has an instance of its own, the same as the run of that number in another row.
fn has_instances(measured: &Measured) -> bool {
    matches!(&measured.definition, Definition::Search(search) if search.problem.contains("{run}"))
}
