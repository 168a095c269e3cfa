//! The report: every claim beside what was measured, plots and games. It shows what is in the store and nothing else.

mod citation;
mod html;
mod markdown;
mod open;
pub(crate) mod plot;

use std::collections::BTreeMap;

use nestling_registry::{Picture, Registry};
use nestling_store::{Moment, Store, StoreError};

use crate::experiment::{Claim, Experiment, Kind};
use crate::judge::{Judgement, MoreRuns, Subject, judge};
use crate::papers::{Paper, papers};
use crate::results::{ExperimentResults, Measured, RowOutcome};
use crate::rules::Verdict;
use crate::words::{figure, lasting};

/// The title of the report.
const TITLE: &str = "The papers' tables and figures, run again";

/// Everything there is to say about some experiments.
pub struct Report<'a> {
    papers: Vec<Paper>,
    sections: Vec<Section<'a>>,
    /// The machine and version that took most readings.
    origin: Option<(String, String)>,
    written: Moment,
}

/// The report on one experiment.
struct Section<'a> {
    experiment: &'a Experiment,
    results: ExperimentResults,
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
    /// Its name, with its folder if it is in one.
    pub name: String,
    /// The content of the file.
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
            let results = ExperimentResults::load(store, experiment)?;
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

    /// The files: a page that needs nothing else, Markdown with its plots, and how to cite them.
    pub fn files(&self) -> Vec<ReportFile> {
        let mut files = vec![ReportFile { name: "index.html".to_owned(), contents: self.html() }];
        files.extend(self.markdown());
        files.push(self.citation());
        files
    }

    /// How many claims have each verdict, results and times apart.
    pub fn verdicts(&self) -> BTreeMap<(Subject, Verdict), usize> {
        let mut counts = BTreeMap::new();
        for judgement in self.sections.iter().flat_map(Section::judgements) {
            if let Some(verdict) = judgement.verdict {
                *counts.entry((judgement.subject, verdict)).or_default() += 1;
            }
        }
        counts
    }

    /// What this page is, for somebody who sees it first.
    const INTRODUCTION: &'static str = "Nestling runs the experiments of these documents again. What a document states is a claim: a number in a table, or a \
        sentence such as \u{201c}level 2 is better than level 1\u{201d}. Beside every published number stands ours, with the number of runs behind it, and a \
        verdict by fixed rules. A verdict is given only when all the runs are made that the experiment asks for; so \u{201c}undecided\u{201d} and \u{201c}not \
        run\u{201d} say nothing against a document.";

    /// In words: how many claims could be decided at full size, and how.
    fn conclusion(&self) -> String {
        let counts = self.verdicts();
        let sentence = |subject: Subject| {
            let of = |verdict| counts.get(&(subject, verdict)).copied().unwrap_or(0);
            let [same, better, not] = [Verdict::Reproduced, Verdict::Better, Verdict::Contradicted].map(of);
            let all: usize = Verdict::ALL.into_iter().map(of).sum();
            let (is, decided) = (if same + better + not == 1 { "is" } else { "are" }, same + better + not);
            format!(
                "Of {all} claims about {}, {decided} {is} decided: {same} reproduced, {better} better, {not} contradicted.",
                subject.words()
            )
        };
        let [results, times, known] = Subject::ALL.map(sentence);
        format!(
            "{results} {times} They depend on the machine, and ours is not the documents', so they are counted apart. {known}"
        )
    }

    /// The claims of a document in a sentence, and the evidence for them.
    fn summary(&self, paper: &Paper) -> String {
        let sections = || self.sections.iter().filter(|section| section.experiment.paper == paper.id);
        let verdicts: Vec<Verdict> = sections().flat_map(Section::verdicts).collect();
        let parts = Verdict::ALL.into_iter().filter_map(|verdict| {
            let count = verdicts.iter().filter(|other| **other == verdict).count();
            (count > 0).then(|| format!("{count} {verdict}"))
        });
        let claims = match verdicts.len() {
            0 => "No claim to judge".to_owned(),
            1 => format!("1 claim: {}", parts.collect::<String>()),
            all => format!("{all} claims: {}", parts.collect::<Vec<_>>().join(", ")),
        };
        let runs: u64 = sections().flat_map(Section::measured).map(|measured| measured.sample.count()).sum();
        let rows = sections().flat_map(Section::measured).count();
        let all: usize = sections().map(|section| section.results.rows.iter().map(Vec::len).sum::<usize>()).sum();
        format!("{claims}. Evidence: {} runs, of {rows} of {all} rows.", figure(runs as f64))
    }

    /// Notes on how a row was run.
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
            RowOutcome::Measured(measured) => Some(&**measured),
            RowOutcome::Missing(_) => None,
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

/// The subject of a claim, in a few words.
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

/// The runs that would decide a claim, in words.
fn more(more: &MoreRuns) -> String {
    let cost = more.core_hours.map_or(String::new(), |hours| format!(", {} of one core", lasting(3_600.0 * hours)));
    let runs = match more.runs {
        1 => "1 more run".to_owned(),
        runs => format!("{} more runs", figure(runs as f64)),
    };
    match more.are_asked {
        true => format!("needs {runs}{cost}"),
        false => format!("about {runs} than its file asks for would decide{cost}"),
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

/// The difference between our number and the published one; nothing if one of them is missing.
fn difference(judgement: &Judgement) -> Option<String> {
    let (published, ours) = (judgement.published?.value, judgement.value?);
    let difference = ours - published;
    if published != 0.0 && !(0.2..=5.0).contains(&(ours / published)) && ours > 0.0 && published > 0.0 {
        return Some(format!("×{}", figure(ours / published)));
    }
    Some(if difference >= 0.0 { format!("+{}", figure(difference)) } else { figure(difference) })
}

/// The best game of a series, replayed by the plain rules and drawn.
fn best_game(
    registry: &Registry,
    experiment: &Experiment,
    series: usize,
    results: &ExperimentResults,
) -> Option<DrawnGame> {
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
