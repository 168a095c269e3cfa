//! Verdicts on claims, by the [`rules`](crate::rules).

mod compare;
mod number;
mod shape;
mod words;

use std::borrow::Cow;

use nestling::Goal;

use crate::experiment::{Claim, Experiment, Kind, Measure, PublishedFigure};
use crate::results::{Measured, Outcome, Results};
use crate::rules::{Decision, Tails, Target, Verdict};

pub use words::RULES;

/// Fewer pairs of runs than this have no winner in a comparison of two searches.
pub const ENOUGH: u64 = 5;

/// What a claim is about. A time on a newer machine is never counted as a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// Scores, shares, numbers of playouts: what does not depend on the machine.
    #[default]
    Result,
    /// Times, and ratios of times.
    Time,
}

impl Subject {
    /// All of them.
    pub const ALL: [Subject; 2] = [Subject::Result, Subject::Time];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Subject::Result => "results",
            Subject::Time => "times",
        }
    }
}

/// What would decide an undecided claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoreRuns {
    /// So many more runs of each row that it compares.
    pub runs: u64,
    /// Whether the file asks for them: without them there is no verdict, and with them there may be one. Otherwise the number is a guess.
    pub are_asked: bool,
    /// The hours of one core that they would take here, where the time of a run is known.
    pub core_hours: Option<f64>,
}

/// A claim about one row, judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// The row, or the claim in words.
    pub label: String,
    /// What it is about.
    pub subject: Subject,
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
    /// What would decide it, where it is undecided and that can be told.
    pub more: Option<MoreRuns>,
    /// Why.
    pub why: String,
}

/// What a rule finds.
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

    fn decided(ours: impl Into<String>, value: impl Into<Option<f64>>, decision: &Decision, why: String) -> Self {
        Finding { times: decision.times, ..Finding::new(ours, value, decision.verdict, why) }
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
        if claim.kind == Kind::Best {
            // The best of a series has rivals in all its other rows.
            let others = 0..experiment.series[claim.of.series].rows.len();
            rows.extend(others.filter(|row| *row != claim.of.rows[index]).map(|row| (claim.of.series, row)));
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
        let subject = if self.claim.what.is_time() { Subject::Time } else { Subject::Result };
        let judgement = Judgement { label, subject, published: self.published, ..Judgement::default() };
        if let Some(why) = self.missing() {
            let verdict = (self.claim.kind != Kind::Shown).then_some(Verdict::NotRun);
            return Judgement { verdict, why, ..judgement };
        }
        let finding = self.finding();
        let first = self.measured(0);
        let runs = Some((first.sample.count(), first.runs));
        let judgement = Judgement { ours: Some(finding.ours.clone()), value: finding.value, runs, ..judgement };
        let Some(found) = finding.verdict else { return Judgement { why: finding.why, ..judgement } };
        let (verdict, why) = self.limited(found).unwrap_or_else(|| (found, self.known(found, &finding.why)));
        let more = (verdict == Verdict::Undecided).then(|| self.more(finding.times)).flatten();
        Judgement { verdict: Some(verdict), why, more, ..judgement }
    }

    /// Why a row that is needed has not been run.
    fn missing(&self) -> Option<String> {
        self.rows.iter().enumerate().find_map(|(index, &(series, row))| match self.results.get(series, row) {
            Outcome::Missing(why) if index == 0 || self.claim.kind != Kind::Best => Some(why.clone()),
            Outcome::Missing(_) => Some(format!("{} has not been run", self.experiment.label(series, row))),
            Outcome::Measured(_) => None,
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
        let variant = |&(series, _): &(usize, usize)| self.experiment.series[series].variant.clone();
        if let Some(why) = self.rows.iter().find_map(variant) {
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

    /// How many more runs would decide it, and what they would cost.
    fn more(&self, times: Option<f64>) -> Option<MoreRuns> {
        let all = || (0..self.rows.len()).map(|index| self.measured(index));
        let missing = |measured: &Measured| measured.runs.saturating_sub(runs(measured).0);
        let mut more = all().map(missing).max().unwrap_or(0);
        let are_asked = more > 0;
        if self.claim.kind == Kind::Record {
            return None;
        }
        if !are_asked {
            let most =
                all().filter(|measured| measured.sample.distribution.is_none()).map(|one| one.sample.count()).max()?;
            more = Some((most as f64 * (times? - 1.0)).ceil()).filter(|more| *more < 1e12)? as u64;
        }
        let seconds = |measured: &Measured| match measured.sample.distribution {
            Some(_) => Some(0.0),
            None => measured.summary(Measure::Seconds).map(|summary| summary.mean),
        };
        let each: Option<f64> = all().map(seconds).sum();
        Some(MoreRuns { runs: more, are_asked, core_hours: each.map(|each| each * more as f64 / 3_600.0) })
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
            Measure::Score => Tails::Light,
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
