//! What would decide the claims without a verdict, and what that would cost.

use std::collections::BTreeMap;

use super::{Report, Section};
use crate::experiment::Experiment;
use crate::gpu_speed::MEASURED_GPU;
use crate::judge::{Judgement, MoreRuns};
use crate::words::{figure, lasting};

/// The heads of the table of [`Report::open`].
pub(super) const HEADS: [&str; 6] =
    ["experiment", "claim", "verdict", "more runs", "time of one core here", "time of a GPU"];

impl Report<'_> {
    /// The claims that more runs would decide, each with what it needs, the cheapest first.
    pub(super) fn open(&self) -> Vec<(&Experiment, &Judgement, MoreRuns)> {
        let mut open = Vec::new();
        for section in &self.sections {
            let undecided = section.judgements().filter_map(|judgement| Some((judgement, judgement.more?)));
            open.extend(undecided.map(|(judgement, more)| (section.experiment, judgement, more)));
        }
        let cost = |more: &MoreRuns| more.core_hours.unwrap_or(f64::INFINITY);
        open.sort_by(|a, b| cost(&a.2).total_cmp(&cost(&b.2)));
        open
    }

    /// The same in sentences.
    pub(super) fn needed_in_words(&self) -> String {
        let open = self.open();
        let asked = open.iter().filter(|(.., more)| more.are_asked).count();
        let (seconds, unknown) = self.missing();
        let mut text = format!(
            "{asked} of the claims without a verdict need only the runs that their experiments ask for. Together these take {} of one core here",
            lasting(seconds)
        );
        if unknown > 0 {
            text += &format!(", and the runs of {unknown} rows whose time is not known yet");
        }
        text += ". \u{201c}nestling lab run --until-decided --budget 8h\u{201d} makes as many of them as fit into eight hours, those of the cheapest claims first.";
        if asked < open.len() {
            text += &format!(
                " For the other {} all runs are made, and the number of further ones is a guess; they would count only if the experiment asked for them.",
                open.len() - asked
            );
        }
        text + &format!(
            " Times of a GPU are for an {MEASURED_GPU} that makes all runs at once, and only where its speed at that search was measured (docs/GPU.md)."
        )
    }

    /// The seconds of one core that all missing runs take, each definition counted once, and the rows for which that is not known.
    fn missing(&self) -> (f64, usize) {
        let mut rows: BTreeMap<String, Option<f64>> = BTreeMap::new();
        for section in &self.sections {
            for judgement in section.judgements().filter(|judgement| judgement.is_open()) {
                for &(series, row) in &judgement.rows {
                    let (key, seconds) = section.lacking(series, row);
                    let known = rows.entry(key).or_insert(Some(0.0));
                    *known = known.zip(seconds).map(|(known, seconds)| known.max(seconds));
                }
            }
        }
        (rows.values().flatten().sum(), rows.values().filter(|seconds| seconds.is_none()).count())
    }
}

impl Section<'_> {
    /// What a row runs at the paper's size, and the seconds that its missing runs take.
    fn lacking(&self, series: usize, row: usize) -> (String, Option<f64>) {
        let (wanted, known) = (self.experiment.row(series, row), self.results.full_size[series][row]);
        let made = match self.results.measured(series, row).filter(|measured| measured.instead.is_none()) {
            Some(measured) => measured.sample.count().max(known.made),
            None => known.made,
        };
        let runs = wanted.runs.saturating_sub(made) as f64;
        (wanted.sizes[0].definition.key(), if runs == 0.0 { Some(0.0) } else { known.seconds.map(|each| each * runs) })
    }
}

/// What a claim needs, as cells of the table.
pub(super) fn cells(judgement: &Judgement, more: &MoreRuns) -> [String; 4] {
    let time =
        |hours: Option<f64>, unknown: &str| hours.map_or_else(|| unknown.to_owned(), |hours| lasting(3_600.0 * hours));
    let guess = if more.are_asked { "" } else { "about " };
    [
        judgement.verdict.map_or("", |verdict| verdict.words()).to_owned(),
        format!("{guess}{}", figure(more.runs as f64)),
        time(more.core_hours, "not known yet"),
        time(more.gpu_hours, "not measured"),
    ]
}
