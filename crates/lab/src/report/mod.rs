//! The report: every claim beside what was measured, plots and games. It shows what is in the store and nothing else.

mod html;
mod markdown;
pub(crate) mod plot;

use std::collections::BTreeMap;

use nestling_registry::{Picture, Registry};
use nestling_store::{Moment, Store, StoreError};

use crate::experiment::{Claim, Experiment, Kind};
use crate::judge::{Judgement, MoreRuns, Subject, judge};
use crate::papers::{Paper, papers};
use crate::results::{Measured, Outcome, Results};
use crate::rules::Verdict;
use crate::words::figure;

/// Everything there is to say about some experiments.
pub struct Report<'a> {
    papers: Vec<Paper>,
    sections: Vec<Section<'a>>,
    /// The machine and version that took most readings.
    origin: Option<(String, String)>,
    written: Moment,
}

/// What there is to say about one experiment.
struct Section<'a> {
    experiment: &'a Experiment,
    results: Results,
    claims: Vec<(&'a Claim, Vec<Judgement>)>,
    games: Vec<DrawnGame>,
}

/// A game with its picture.
struct DrawnGame {
    caption: String,
    svg: String,
}

/// A file of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFile {
    /// Its name, with its folder where it is in one.
    pub name: String,
    /// What is in it.
    pub contents: String,
}

impl<'a> Report<'a> {
    /// Looks everything up in the store, judges it and draws it.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn new(store: &Store, registry: &Registry, experiments: &'a [Experiment]) -> Result<Self, StoreError> {
        let mut sections = Vec::new();
        for experiment in experiments {
            let results = Results::load(store, experiment)?;
            let claims = experiment.claims.iter().map(|claim| (claim, judge(experiment, claim, &results))).collect();
            let games = experiment.games.iter().filter_map(|&series| best_game(registry, experiment, series, &results));
            let games = games.collect();
            sections.push(Section { experiment, results, claims, games });
        }
        let mut origins: BTreeMap<(String, String), u64> = BTreeMap::new();
        for measured in sections.iter().flat_map(Section::measured) {
            let sample = &measured.sample;
            *origins.entry((sample.machine.clone(), sample.version.clone())).or_default() += sample.count();
        }
        let origin = origins.into_iter().max_by_key(|(_, count)| *count).map(|(origin, _)| origin);
        Ok(Report { papers: papers(), sections, origin, written: Moment::now() })
    }

    /// The files: a page that needs nothing else, and Markdown with its plots.
    pub fn files(&self) -> Vec<ReportFile> {
        let mut files = vec![ReportFile { name: "index.html".to_owned(), contents: self.html() }];
        files.extend(self.markdown());
        files
    }

    /// How many claims came to each verdict, results and times apart.
    pub fn verdicts(&self) -> BTreeMap<(Subject, Verdict), usize> {
        let mut counts = BTreeMap::new();
        for judgement in self.sections.iter().flat_map(Section::judgements) {
            if let Some(verdict) = judgement.verdict {
                *counts.entry((judgement.subject, verdict)).or_default() += 1;
            }
        }
        counts
    }

    /// In words: how many claims could be decided at full size, and how.
    fn conclusion(&self) -> String {
        let counts = self.verdicts();
        let sentence = |subject: Subject| {
            let of = |verdict| counts.get(&(subject, verdict)).copied().unwrap_or(0);
            let [same, better, not] = [Verdict::Reproduced, Verdict::Better, Verdict::Contradicted].map(of);
            let all: usize = Verdict::ALL.into_iter().map(of).sum();
            format!(
                "Of {all} {}, {} are decided at the paper's size and with all their runs: {same} reproduced, {better} better, {not} contradicted.",
                subject.words(),
                same + better + not
            )
        };
        let [results, times] = Subject::ALL.map(sentence);
        format!("{results} {times} Times are of another machine than the paper's, so they are counted apart.")
    }

    /// The undecided claims that more runs would decide: the experiment, the claim and what it needs, the cheapest first.
    fn open(&self) -> Vec<(&Experiment, &Judgement, MoreRuns)> {
        let mut open = Vec::new();
        for section in &self.sections {
            let undecided = section.judgements().filter_map(|judgement| Some((judgement, judgement.more?)));
            open.extend(undecided.map(|(judgement, more)| (section.experiment, judgement, more)));
        }
        let cost = |more: &MoreRuns| more.core_hours.unwrap_or(f64::INFINITY);
        open.sort_by(|a, b| cost(&a.2).total_cmp(&cost(&b.2)));
        open
    }

    /// What a reader should know about how a row was run.
    fn remarks(&self, measured: &Measured) -> String {
        let sample = &measured.sample;
        let mut remarks: Vec<String> = measured.instead.iter().map(|less| format!("reduced: {less}")).collect();
        if !measured.is_whole() && measured.instead.is_none() {
            remarks.push("fewer runs than asked for".to_owned());
        }
        remarks.extend(measured.remark.clone());
        if self.origin.as_ref() != Some(&(sample.machine.clone(), sample.version.clone())) {
            remarks.push(format!("by {} on {}", sample.version, sample.machine));
        }
        if let Some(cluster) = &sample.cluster {
            remarks.push(format!("{} runs on {cluster}, without times", made(sample.elsewhere(), sample.count())));
        }
        remarks.push(format!("seed {}", sample.seed));
        remarks.join("; ")
    }

    /// The experiments about an item of a paper.
    fn about(&self, paper: &str, item: &str) -> impl Iterator<Item = &Section<'a>> {
        self.sections.iter().filter(move |section| {
            section.experiment.paper == paper && section.experiment.sources.iter().any(|source| source == item)
        })
    }
}

impl Section<'_> {
    fn measured(&self) -> impl Iterator<Item = &Measured> {
        self.results.rows.iter().flatten().filter_map(|outcome| match outcome {
            Outcome::Measured(measured) => Some(&**measured),
            Outcome::Missing(_) => None,
        })
    }

    fn judgements(&self) -> impl Iterator<Item = &Judgement> {
        self.claims.iter().flat_map(|(_, judgements)| judgements)
    }

    fn verdicts(&self) -> impl Iterator<Item = Verdict> {
        self.judgements().filter_map(|judgement| judgement.verdict)
    }
}

/// A mark for each verdict, for those who do not see its colour.
fn symbol(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "✓",
        Verdict::Better => "▲",
        Verdict::Contradicted => "✗",
        Verdict::Undecided => "?",
        Verdict::ReducedSize => "◐",
        Verdict::NotRun => "○",
        Verdict::OtherVariant => "≠",
    }
}

/// A moment for people.
fn date(moment: Moment) -> String {
    humantime::format_rfc3339_seconds(moment.time()).to_string().replace('T', " ").replace('Z', " UTC")
}

/// What a claim is about, in a few words.
fn heading(claim: &Claim) -> String {
    let what = claim.what.name();
    match claim.kind {
        Kind::SingleRun => format!("{what} of one run"),
        Kind::Mean => format!("mean {what}"),
        Kind::Total => format!("total {what}"),
        Kind::Time => "seconds of one run".to_owned(),
        Kind::TotalTime => "seconds of all runs".to_owned(),
        Kind::Count => format!("how many {what}"),
        Kind::Share => format!("share that reaches {}", figure(claim.target.unwrap_or(f64::NAN))),
        Kind::Below => format!("bound on the median {what}"),
        Kind::Above => format!("bound on the mean {what}"),
        Kind::Record => format!("best {what}"),
        Kind::Ratio => format!("ratio of {what}"),
        Kind::Always => format!("{what} of every run"),
        Kind::Shown => format!("{what}, for comparison"),
        Kind::Better | Kind::Alike | Kind::Best | Kind::Distribution | Kind::Linear | Kind::LogLinear | Kind::Peak => {
            what.to_owned()
        }
    }
}

/// How many runs a judgement stands on.
fn runs(judgement: &Judgement) -> String {
    match judgement.runs {
        None => String::new(),
        Some((made, all)) => self::made(made, all),
    }
}

/// What would decide a claim, in words.
fn more(more: &MoreRuns) -> String {
    let cost = more.core_hours.map_or(String::new(), |hours| format!(", {}", core_time(hours)));
    let runs = figure(more.runs as f64);
    match more.are_asked {
        true => format!("{runs} more runs are needed{cost}"),
        false => format!("about {runs} more runs would decide{cost}"),
    }
}

/// Hours of one core, in words.
fn core_time(hours: f64) -> String {
    match hours {
        hours if hours < 0.01 => "less than 0.01 core-hours".to_owned(),
        hours => format!("{} core-hours", figure((hours * 100.0).round() / 100.0)),
    }
}

/// So many of so many runs.
fn made(made: u64, all: u64) -> String {
    match made >= all {
        true => figure(made as f64),
        false => format!("{} of {}", figure(made as f64), figure(all as f64)),
    }
}

/// The published number; a question mark where it cannot be read.
fn published(claim: &Claim, judgement: &Judgement) -> String {
    match judgement.published {
        Some(published) => figure(published.value),
        None if claim.published.is_empty() => String::new(),
        None => "?".to_owned(),
    }
}

/// How far ours is from the published number; nothing where one of them is missing.
fn difference(judgement: &Judgement) -> Option<String> {
    let (published, ours) = (judgement.published?.value, judgement.value?);
    let difference = ours - published;
    if published != 0.0 && !(0.2..=5.0).contains(&(ours / published)) && ours > 0.0 && published > 0.0 {
        return Some(format!("×{}", figure(ours / published)));
    }
    Some(if difference >= 0.0 { format!("+{}", figure(difference)) } else { figure(difference) })
}

/// The best game of a series, replayed by the plain rules and drawn.
fn best_game(registry: &Registry, experiment: &Experiment, series: usize, results: &Results) -> Option<DrawnGame> {
    let rows = 0..experiment.series[series].rows.len();
    let games = rows.filter_map(|row| results.measured(series, row));
    let best = games.filter_map(|measured| Some((measured, measured.sample.best.as_ref()?)));
    let (measured, game) =
        best.reduce(|best, other| if other.1.goal.better(other.1.score, best.1.score) { other } else { best })?;
    let problem = registry.open(&game.problem).ok()?;
    let found = problem.certify(&game.moves).ok()?;
    if found.score() != game.score {
        return None;
    }
    let definition = &measured.definition;
    let picture = Picture { width: 480, caption: Some(String::new()), ..Picture::default() };
    let svg = problem.picture(&found, &picture).ok()??;
    let unit = problem.unit().unwrap_or("points");
    let seed = crate::seed_of(measured.sample.seed, &definition.key(), game.number);
    Some(DrawnGame { caption: format!("{} {unit}: {definition}, seed {seed}", figure(game.score)), svg })
}
