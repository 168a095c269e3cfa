//! Verdicts on claims, by the [`rules`](crate::rules).

mod compare;
mod number;
mod open;
mod shape;
mod words;

use std::borrow::Cow;

use nestling::Goal;

use crate::experiment::{Claim, Definition, Experiment, Kind, Measure, PublishedFigure};
use crate::results::{ExperimentResults, Measured, RowOutcome};
use crate::rules::{RuleDecision, Tails, Target, Verdict};

pub use open::{MoreRuns, OpenClaim, open_claims};
pub use words::RULES;

/// Fewer pairs of runs than this have no winner in a comparison of two searches.
pub const ENOUGH: u64 = 5;

/// The subject of a claim. A time on a newer machine is never counted as a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// Scores, shares, numbers of playouts: what does not depend on the machine.
    #[default]
    Result,
    /// Times, ratios of times, and scores in a given time beside a published number, which is of another machine.
    Time,
    /// The best values that anybody has found, which are no claims of a document.
    KnownValue,
}

impl Subject {
    /// All of them.
    pub const ALL: [Subject; 3] = [Subject::Result, Subject::Time, Subject::KnownValue];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Subject::Result => "results",
            Subject::Time => "times and speed",
            Subject::KnownValue => "known best values",
        }
    }
}

/// A claim about one row, judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// The row, or the claim in words.
    pub label: String,
    /// The subject.
    pub subject: Subject,
    /// The published number.
    pub published: Option<PublishedFigure>,
    /// Ours, in words; none if there is none.
    pub ours: Option<String>,
    /// Ours as one number, to set beside the published one.
    pub value: Option<f64>,
    /// How many runs that is, and how many there should be.
    pub runs: Option<(u64, u64)>,
    /// The verdict; none for what is only shown.
    pub verdict: Option<Verdict>,
    /// The rows that it needs, by series and row: its own, and those that it is compared with.
    pub rows: Vec<(usize, usize)>,
    /// What would decide it, where it is undecided, run at a smaller size or not run, and that can be told.
    pub more: Option<MoreRuns>,
    /// Why.
    pub why: String,
}

/// The finding of a rule.
struct Finding {
    ours: String,
    value: Option<f64>,
    verdict: Option<Verdict>,
    why: String,
    /// How many times as many runs would decide it.
    times: Option<f64>,
}

impl Finding {
    fn new(
        ours: impl Into<String>,
        value: impl Into<Option<f64>>,
        verdict: impl Into<Option<Verdict>>,
        why: impl Into<String>,
    ) -> Self {
        Finding { ours: ours.into(), value: value.into(), verdict: verdict.into(), why: why.into(), times: None }
    }

    fn decided(ours: impl Into<String>, value: impl Into<Option<f64>>, decision: &RuleDecision, why: String) -> Self {
        Finding { times: decision.times, ..Finding::new(ours, value, decision.verdict, why) }
    }
}

/// Why a number is not judged.
const UNREADABLE: &str = "no number can be read in the paper";

/// Judges a claim, row by row if it is about rows.
pub fn judge(experiment: &Experiment, claim: &Claim, results: &ExperimentResults) -> Vec<Judgement> {
    let whole = claim.kind.is_shape();
    let rows = if whole { 1 } else { claim.of.rows.len() };
    (0..rows).map(|index| Case::new(experiment, claim, results, index, whole).judgement()).collect()
}

/// One claim about one row, with all that is needed to judge it.
struct Case<'a> {
    experiment: &'a Experiment,
    claim: &'a Claim,
    results: &'a ExperimentResults,
    published: Option<PublishedFigure>,
    /// The rows that must be there, those of the claim first.
    rows: Vec<(usize, usize)>,
}

impl<'a> Case<'a> {
    fn new(
        experiment: &'a Experiment,
        claim: &'a Claim,
        results: &'a ExperimentResults,
        index: usize,
        whole: bool,
    ) -> Self {
        let of = |row: usize| (claim.of.series, claim.of.rows[row]);
        let mut rows: Vec<_> = if whole { (0..claim.of.rows.len()).map(of).collect() } else { vec![of(index)] };
        if let Some(than) = &claim.than {
            rows.push((than.series, *than.rows.get(index).unwrap_or(&than.rows[0])));
        }
        if claim.kind == Kind::Best {
            // The best of a series has rivals in all its other rows.
            let others = 0..experiment.series[claim.of.series].rows.len();
            rows.extend(others.filter(|row| *row != claim.of.rows[index]).map(|row| (claim.of.series, row)));
        }
        let published = claim.published.get(index).copied().flatten();
        Case { experiment, claim, results, published, rows }
    }

    fn subject(&self) -> Subject {
        // A game that was found is a result, however long the search took.
        let is_compared = self.published.is_some() && self.claim.kind != Kind::Record;
        let is_timed = |&(series, row): &(usize, usize)| {
            let size = self.experiment.row(series, row).sizes.first();
            matches!(size.map(|size| &size.definition), Some(Definition::Search(search)) if search.seconds.is_some())
        };
        match () {
            () if self.experiment.known_values => Subject::KnownValue,
            () if self.claim.what.is_time() || is_compared && self.rows.iter().any(is_timed) => Subject::Time,
            () => Subject::Result,
        }
    }

    fn judgement(&self) -> Judgement {
        let (series, row) = self.rows[0];
        let label = match (&self.claim.text, self.claim.of.rows.len()) {
            (None, _) => self.experiment.label(series, row),
            (Some(text), rows) if rows == 1 || self.claim.kind.is_shape() => text.clone(),
            (Some(text), _) => format!("{text}: {}", self.experiment.series[series].label(row)),
        };
        let subject = self.subject();
        let (published, rows) = (self.published, self.rows.clone());
        let judgement = Judgement { label, subject, published, rows, ..Judgement::default() };
        if let Some(why) = self.missing() {
            let verdict = (self.claim.kind != Kind::Shown).then_some(Verdict::NotRun);
            // Of another variant there will be no verdict either.
            let more = verdict.filter(|_| self.variant().is_none()).and_then(|_| self.asked());
            return Judgement { verdict, why, more, ..judgement };
        }
        let finding = self.finding();
        let first = self.measured(0);
        let runs = Some((first.sample.count(), first.runs));
        let judgement = Judgement { ours: Some(finding.ours.clone()), value: finding.value, runs, ..judgement };
        let Some(found) = finding.verdict else { return Judgement { why: finding.why, ..judgement } };
        let (verdict, why) = self.limited(found).unwrap_or_else(|| (found, self.known(found, &finding.why)));
        let more = match verdict {
            Verdict::Undecided => self.asked().or_else(|| self.guessed(finding.times)),
            Verdict::ReducedSize => self.asked(),
            _ => None,
        };
        Judgement { verdict: Some(verdict), why, more, ..judgement }
    }

    /// Why a row that is needed has not been run.
    fn missing(&self) -> Option<String> {
        self.rows.iter().enumerate().find_map(|(index, &(series, row))| match self.results.get(series, row) {
            RowOutcome::Missing(why) if index == 0 || self.claim.kind != Kind::Best => Some(why.clone()),
            RowOutcome::Missing(_) => Some(format!("{} has not been run", self.experiment.label(series, row))),
            RowOutcome::Measured(_) => None,
        })
    }

    /// A reason with what is known about the claim.
    fn known(&self, verdict: Verdict, why: &str) -> String {
        match &self.claim.why {
            Some(known) if verdict == Verdict::Contradicted => format!("{why}; {known}"),
            _ => why.to_owned(),
        }
    }

    /// The verdict where the rule's own does not count: other variants, smaller sizes, times that cannot be compared, missing runs.
    fn limited(&self, found: Verdict) -> Option<(Verdict, String)> {
        if let Some(why) = self.variant() {
            return Some((Verdict::OtherVariant, why));
        }
        let all = || (0..self.rows.len()).map(|index| self.measured(index));
        if let Some(less) = all().find_map(|measured| measured.instead.clone()) {
            return Some((Verdict::ReducedSize, less));
        }
        if self.claim.what.is_time() {
            let origin = |measured: &'a Measured| (&measured.sample.machine, &measured.sample.version);
            if all().any(|measured| origin(measured) != origin(self.measured(0))) {
                return Some((Verdict::Undecided, "the times are of different machines or versions".to_owned()));
            }
            if all().any(|measured| !measured.definition.device().is_cpu()) {
                return Some((Verdict::Undecided, "the times are of a GPU, not of one thread".to_owned()));
            }
        }
        // What one run can show needs no others, and what no number of runs can refute stays undecided.
        let is_witnessed = match self.claim.kind {
            Kind::Record => true,
            Kind::Always => found == Verdict::Contradicted,
            _ => false,
        };
        let (made, asked) = all().map(runs).max_by_key(|(made, asked)| asked.saturating_sub(*made))?;
        (made < asked && !is_witnessed)
            .then(|| (Verdict::Undecided, format!("{made} of the {asked} runs that the verdict needs were made")))
    }

    /// Why a row that it needs is not what the paper describes.
    fn variant(&self) -> Option<String> {
        self.rows.iter().find_map(|&(series, _)| self.experiment.series[series].variant.clone())
    }

    fn measured(&self, index: usize) -> &'a Measured {
        let (series, row) = self.rows[index];
        self.results.measured(series, row).expect("missing rows have been looked for")
    }

    /// The values of a row in the order of their numbers.
    fn values(&self, index: usize) -> Vec<f64> {
        self.measured(index).values(self.claim.what)
    }

    fn finding(&self) -> Finding {
        match self.claim.kind {
            Kind::SingleRun => self.single_run(),
            Kind::Mean => self.mean(),
            Kind::Total => self.total(),
            Kind::Time => self.time(),
            Kind::TotalTime => self.total_time(),
            Kind::Count => self.count(),
            Kind::Share => self.share(),
            Kind::Below | Kind::Above => self.bound(),
            Kind::Record => self.record(),
            Kind::Always => self.always(),
            Kind::Ratio => self.ratio(),
            Kind::Better => self.better(),
            Kind::Alike => self.alike(),
            Kind::Best => self.best(),
            Kind::Distribution => self.distribution(),
            Kind::Linear => self.proportional(),
            Kind::LogLinear => self.line(),
            Kind::Peak => self.peak(),
            Kind::Shown => self.shown(),
        }
    }

    fn goal(&self) -> Goal {
        self.claim.what.goal(self.measured(0).goal())
    }

    /// The published number with its margin.
    fn target(&self) -> Option<Target> {
        let PublishedFigure { value, precision } = self.published?;
        let margin = self.claim.margin;
        Some(match self.claim.kind {
            // The factor covers the rounding: "a factor of 2" is not everything from 1.5 to 2.5.
            Kind::Ratio | Kind::Time | Kind::TotalTime => Target::within_factor(value, margin),
            _ => Target::new(value, precision, margin),
        })
    }

    fn tails(&self) -> Tails {
        match self.claim.what {
            Measure::Score | Measure::Percent | Measure::Children => Tails::Light,
            Measure::Seconds | Measure::Playouts | Measure::Moves | Measure::Nanoseconds | Measure::Found => {
                Tails::Heavy
            }
            Measure::Solved | Measure::Wins | Measure::Draws | Measure::Losses => Tails::Share,
        }
    }

    /// The text for a margin, with its reason.
    fn margin(&self) -> Cow<'a, str> {
        match &self.claim.margin_why {
            Some(why) => format!(" ({why})").into(),
            None => "".into(),
        }
    }
}

/// How many runs there are, and how many a verdict needs.
fn runs(measured: &Measured) -> (u64, u64) {
    match measured.sample.distribution {
        Some(_) => (1, 1),
        None => (measured.sample.count(), measured.runs),
    }
}
