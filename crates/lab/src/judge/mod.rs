//! Verdicts, by a rule that is written down: [`RULES`].

mod compare;
mod number;
mod shape;

use std::fmt;

use nestling::Goal;

use crate::experiment::{Claim, Experiment, Kind, PublishedFigure};
use crate::results::{Measured, Outcome, Results};
use crate::statistics::Interval;
use crate::words::figure;

/// Fewer runs than this judge nothing, except where every single run counts.
pub const ENOUGH: u64 = 5;

/// The same for times, which vary little from run to run.
pub const ENOUGH_FOR_TIMES: u64 = 2;

/// Times and ratios of times of other machines are the same if they are within this factor.
pub const FACTOR: f64 = 1.5;

/// How straight a line must be to count as one: the share of the variation that it explains.
pub const STRAIGHT: f64 = 0.95;

/// How far the share of any score may be from the computed one, beyond three standard deviations of chance.
pub const HUNDREDTH: f64 = 0.01;

/// The rule for each kind of claim, for people.
pub const RULES: &[(&str, &str)] = &[
    (
        "a single run",
        "reproduced if the published number lies in the central 95 % of our runs: between the 2.5th and 97.5th percentile \
         of 40 runs or more, in Student's 95 % prediction interval of fewer",
    ),
    (
        "a mean",
        "reproduced if the published number lies in the 95 % confidence interval of our mean, give or take its rounding",
    ),
    (
        "a total over parts",
        "as a single run: our total of one run a part, with the spread within parts pooled over all parts",
    ),
    (
        "a time",
        "better if we take less; reproduced if we take at most 1.5 times as long. A total only if all its runs were made",
    ),
    ("a count", "reproduced if the 95 % interval of the difference of the two shares contains 0 (Agresti and Caffo)"),
    ("a share", "reproduced if it lies in the 95 % interval of ours (Wilson)"),
    (
        "a record",
        "better if our best is better, reproduced if it is the same; reduced if it is short while runs are missing that may find it",
    ),
    ("a ratio", "reproduced if ours and the published one are within a factor of 1.5"),
    ("better than", "reproduced if the 95 % interval of the difference of the means lies on the better side (Welch)"),
    ("like", "reproduced if the difference of the means is at most the one stated, give or take its 95 % interval"),
    ("always", "reproduced if every run has exactly that result"),
    (
        "a computed distribution",
        "reproduced if the share of every score is within a hundredth of the computed one, beyond three standard deviations of chance",
    ),
    ("the best", "reproduced if no other row of its series is better by the rule for better than"),
    ("a line", "reproduced if a straight line explains at least 95 % of the variation of the means"),
    ("a peak", "reproduced if a row between the ends is above both ends by the rule for better than"),
    (
        "all of them",
        "better, where a number is not reproduced, has a direction, and ours lie on the better side. Reduced, and never counted as \
         reproduced, if a lower level or a smaller size was run of any row that is compared, if times of different machines or \
         versions, or of a GPU, would be compared, or if fewer than 5 runs were made (2 for times and ratios; a record and what is always so \
         stand on any number), of the part in question where it is about one. Not run if a run that is \
         needed is missing",
    ),
];

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Ours agree.
    Reproduced,
    /// Ours are better.
    Better,
    /// A lower level, a smaller size, too few runs, or times that cannot be compared.
    Reduced,
    /// Ours do not agree.
    NotReproduced,
    /// There is nothing to compare with.
    NotRun,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 5] =
        [Verdict::Reproduced, Verdict::Better, Verdict::Reduced, Verdict::NotReproduced, Verdict::NotRun];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Better => "better",
            Verdict::Reduced => "reduced",
            Verdict::NotReproduced => "not reproduced",
            Verdict::NotRun => "not run",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}

/// A claim about one row, judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// The row, or the claim in words.
    pub label: String,
    /// The published number.
    pub published: Option<PublishedFigure>,
    /// Ours, in words; none where there is none.
    pub ours: Option<String>,
    /// Ours as one number, to set beside the published one.
    pub value: Option<f64>,
    /// How many runs that is, and how many there should be.
    pub runs: Option<(u64, u64)>,
    /// The verdict; none for what is only shown.
    pub verdict: Option<Verdict>,
    /// Why.
    pub why: String,
}

/// What a rule finds.
struct Finding {
    ours: String,
    value: Option<f64>,
    verdict: Option<Verdict>,
    why: String,
}

impl Finding {
    fn new(
        ours: impl Into<String>,
        value: impl Into<Option<f64>>,
        verdict: impl Into<Option<Verdict>>,
        why: impl Into<String>,
    ) -> Self {
        Finding { ours: ours.into(), value: value.into(), verdict: verdict.into(), why: why.into() }
    }
}

/// Why a number is not judged.
const UNREADABLE: &str = "no number can be read in the paper";

/// Judges a claim, row by row where it is about rows.
pub fn judge(experiment: &Experiment, claim: &Claim, results: &Results) -> Vec<Judgement> {
    let whole = claim.kind.is_shape();
    let rows = if whole { 1 } else { claim.of.rows.len() };
    (0..rows).map(|index| Case::new(experiment, claim, results, index, whole).judgement()).collect()
}

/// One claim about one row, with all that is needed to judge it.
struct Case<'a> {
    experiment: &'a Experiment,
    claim: &'a Claim,
    results: &'a Results,
    published: Option<PublishedFigure>,
    /// The rows that must be there, those of the claim first.
    rows: Vec<(usize, usize)>,
}

impl<'a> Case<'a> {
    fn new(experiment: &'a Experiment, claim: &'a Claim, results: &'a Results, index: usize, whole: bool) -> Self {
        let of = |row: usize| (claim.of.series, claim.of.rows[row]);
        let mut rows: Vec<_> = if whole { (0..claim.of.rows.len()).map(of).collect() } else { vec![of(index)] };
        if let Some(than) = &claim.than {
            rows.push((than.series, *than.rows.get(index).unwrap_or(&than.rows[0])));
        }
        let published = claim.published.get(index).copied().flatten();
        Case { experiment, claim, results, published, rows }
    }

    fn judgement(&self) -> Judgement {
        let (series, row) = self.rows[0];
        let label = match (&self.claim.text, self.claim.of.rows.len()) {
            (None, _) => self.experiment.label(series, row),
            (Some(text), rows) if rows == 1 || self.claim.kind.is_shape() => text.clone(),
            (Some(text), _) => format!("{text}: {}", self.experiment.series[series].label(row)),
        };
        let missing = self.rows.iter().find_map(|&(series, row)| match self.results.get(series, row) {
            Outcome::Missing(why) => Some(why.clone()),
            Outcome::Measured(_) => None,
        });
        let judgement = Judgement { label, published: self.published, ..Judgement::default() };
        if let Some(why) = missing {
            let verdict = (self.claim.kind != Kind::Shown).then_some(Verdict::NotRun);
            return Judgement { verdict, why, ..judgement };
        }
        let first = self.measured(0);
        let finding = self.finding();
        let (mut verdict, mut why) = (finding.verdict, finding.why);
        if verdict == Some(Verdict::NotReproduced)
            && let Some(known) = &self.claim.why
        {
            why = format!("{why}; {known}");
        }
        if verdict.is_some_and(|verdict| verdict != Verdict::NotRun)
            && let Some(less) = self.lessened()
        {
            (verdict, why) = (Some(Verdict::Reduced), less);
        }
        let runs = Some((first.sample.count(), first.runs));
        Judgement { ours: Some(finding.ours), value: finding.value, runs, verdict, why, ..judgement }
    }

    /// What makes a verdict impossible: smaller sizes, times that cannot be compared, too few runs.
    fn lessened(&self) -> Option<String> {
        let considered = self.considered();
        if let Some(less) = considered.iter().find_map(|measured| measured.instead.clone()) {
            return Some(less);
        }
        let origin = |measured: &'a Measured| (&measured.sample.machine, &measured.sample.version);
        if self.claim.what.is_time() && considered.iter().any(|measured| origin(measured) != origin(considered[0])) {
            return Some("the times are of different machines or versions".to_owned());
        }
        if self.claim.what.is_time() && considered.iter().any(|measured| !measured.definition.device().is_cpu()) {
            return Some("the times are of a GPU, not of one thread".to_owned());
        }
        let enough = match self.claim.kind {
            Kind::Record | Kind::Always => 1,
            Kind::Time | Kind::TotalTime | Kind::Ratio => ENOUGH_FOR_TIMES,
            _ => ENOUGH,
        };
        let sampled = considered.iter().filter(|measured| measured.sample.distribution.is_none());
        let few = sampled.map(|measured| self.runs_judged(measured)).min()?;
        (few < enough).then(|| format!("{few} runs are too few to judge by"))
    }

    /// The samples that a verdict stands on: the best of a series has rivals in all its other rows.
    fn considered(&self) -> Vec<&'a Measured> {
        match self.claim.kind {
            Kind::Best => {
                let series = self.rows[0].0;
                let rows = 0..self.experiment.series[series].rows.len();
                rows.filter_map(|row| self.results.measured(series, row)).collect()
            }
            _ => (0..self.rows.len()).map(|index| self.measured(index)).collect(),
        }
    }

    /// How many runs of a sample the claim is about.
    fn runs_judged(&self, measured: &Measured) -> u64 {
        match (self.claim.kind, self.claim.part) {
            (Kind::Count, Some(part)) => {
                let parts = self.definition().parts();
                measured.sample.readings.keys().filter(|number| *number % parts == part - 1).count() as u64
            }
            _ => measured.sample.count(),
        }
    }

    fn measured(&self, index: usize) -> &'a Measured {
        let (series, row) = self.rows[index];
        self.results.measured(series, row).expect("missing rows have been looked for")
    }

    fn finding(&self) -> Finding {
        match self.claim.kind {
            Kind::SingleRun => self.single_run(),
            Kind::Mean => self.mean(),
            Kind::Total => self.total(),
            Kind::Time => self.time(false),
            Kind::TotalTime => self.time(true),
            Kind::Count => self.count(),
            Kind::Share => self.share(),
            Kind::Record => self.record(),
            Kind::Always => self.always(),
            Kind::Ratio => self.ratio(),
            Kind::Better => self.better(),
            Kind::Alike => self.alike(),
            Kind::Best => self.best(),
            Kind::Distribution => self.distribution(),
            Kind::Linear => self.line(false),
            Kind::LogLinear => self.line(true),
            Kind::Peak => self.peak(),
            Kind::Shown => self.shown(),
        }
    }

    fn goal(&self) -> Goal {
        self.claim.what.goal(self.measured(0).goal())
    }

    /// The verdict on a number by the interval it should lie in; nothing where no number was published.
    fn within(&self, interval: Interval, what: &str) -> (Option<Verdict>, String) {
        let Some(PublishedFigure { value, precision }) = self.published else {
            return (None, UNREADABLE.to_owned());
        };
        let interval = interval.widened(precision);
        let ends = format!("{} to {}", figure(interval.low), figure(interval.high));
        if interval.contains(value) {
            return (Some(Verdict::Reproduced), format!("{} lies in {what}, {ends}", figure(value)));
        }
        // Where all of ours are better than the published number, so are we.
        let better = self.goal().better(interval.low, value) && self.goal().better(interval.high, value);
        let verdict = if better { Verdict::Better } else { Verdict::NotReproduced };
        (Some(verdict), format!("{} lies outside {what}, {ends}", figure(value)))
    }
}
