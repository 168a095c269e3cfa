//! What would decide a claim that has no verdict yet, and what that would cost.

use nestling_store::{Store, StoreError};

use super::{Case, Judgement, judge};
use crate::experiment::{Definition, Experiment, Kind};
use crate::gpu_speed::gpu_hours;
use crate::results::{ExperimentResults, Measured, RowOutcome};
use crate::rules::Verdict;

/// What would decide a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoreRuns {
    /// So many more runs of the row that lacks most.
    pub runs: u64,
    /// Whether the file asks for them: without them there is no verdict, and with them there may be one. Otherwise the number is a guess, and
    /// the file would have to ask for more.
    pub are_asked: bool,
    /// The hours of one core that the runs of all rows would take here, where the time of a run is known.
    pub core_hours: Option<f64>,
    /// The hours of a GPU that they would take all at once, where its speed at these searches was measured.
    pub gpu_hours: Option<f64>,
}

/// A claim without a verdict that runs could decide.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenClaim<'a> {
    /// Where it stands.
    pub experiment: &'a Experiment,
    /// The claim, and why it is open.
    pub judgement: Judgement,
    /// What would decide it.
    pub more: MoreRuns,
    /// Whether the runs that are missing may well leave it undecided: a record may still not be found.
    pub is_uncertain: bool,
}

/// All claims that the runs which their files ask for could decide, the cheapest first; those that they may well leave open are last.
///
/// # Errors
///
/// When the store cannot be read.
pub fn open_claims<'a>(
    store: &Store,
    experiments: impl IntoIterator<Item = &'a Experiment>,
) -> Result<Vec<OpenClaim<'a>>, StoreError> {
    let mut open = Vec::new();
    for experiment in experiments {
        let results = ExperimentResults::load(store, experiment)?;
        for claim in &experiment.claims {
            let is_uncertain = claim.kind == Kind::Record;
            let judgements = judge(experiment, claim, &results).into_iter();
            open.extend(judgements.filter_map(|judgement| {
                let more = judgement.more.filter(|more| more.are_asked)?;
                Some(OpenClaim { experiment, judgement, more, is_uncertain })
            }));
        }
    }
    open.sort_by(|a, b| a.rank().total_cmp(&b.rank()));
    Ok(open)
}

impl OpenClaim<'_> {
    /// Its place among the others.
    fn rank(&self) -> f64 {
        /// Longer than any claim takes.
        const LATER: f64 = 1e12;
        let hours = self.more.core_hours.unwrap_or(f64::INFINITY);
        if self.is_uncertain { hours + LATER } else { hours }
    }
}

impl Case<'_> {
    /// The runs that the file asks for and that have not been made at the paper's size; nothing if there are none, or cannot be any.
    pub(super) fn asked(&self) -> Option<MoreRuns> {
        if self.rows.iter().any(|&(series, row)| self.experiment.row(series, row).sizes.is_empty()) {
            return None;
        }
        let lacking: Vec<u64> = (0..self.rows.len()).map(|index| self.lacking(index)).collect();
        lacking.iter().any(|runs| *runs > 0).then(|| self.costing(&lacking, true))
    }

    /// How many runs beyond those of the file would probably decide it; a rule says how many times as many.
    pub(super) fn guessed(&self, times: Option<f64>) -> Option<MoreRuns> {
        if self.claim.kind == Kind::Record {
            return None;
        }
        let sampled = (0..self.rows.len()).map(|index| self.measured(index)).filter(|one| !is_computed(one));
        let most = sampled.map(|measured| measured.sample.count()).max()?;
        let more = Some((most as f64 * (times? - 1.0)).ceil()).filter(|more| *more < 1e12)? as u64;
        let is_sampled = |index: usize| u64::from(!is_computed(self.measured(index)));
        let lacking: Vec<u64> = (0..self.rows.len()).map(|index| more * is_sampled(index)).collect();
        Some(self.costing(&lacking, false))
    }

    /// The runs of a row that are missing at the paper's size, on the device that its sample is of.
    fn lacking(&self, index: usize) -> u64 {
        let (series, row) = self.rows[index];
        let asked = self.experiment.row(series, row).runs;
        let made = match self.results.get(series, row) {
            RowOutcome::Measured(measured) if is_computed(measured) => asked,
            RowOutcome::Measured(measured) if measured.instead.is_none() => measured.sample.count(),
            _ => self.results.full_size[series][row].made,
        };
        asked.saturating_sub(made)
    }

    /// So many more runs of each row, with their cost.
    fn costing(&self, lacking: &[u64], are_asked: bool) -> MoreRuns {
        let rows = || self.rows.iter().zip(lacking).filter(|(_, runs)| **runs > 0);
        let seconds = rows().map(|(&(series, row), &runs)| {
            self.results.full_size[series][row].seconds.map(|seconds| seconds * runs as f64 / 3_600.0)
        });
        let on_gpu = rows().map(|(&(series, row), &runs)| {
            let definition = &self.experiment.row(series, row).sizes[0].definition;
            gpu_hours(definition, runs, self.results.full_size[series][row].moves)
        });
        let runs = lacking.iter().copied().max().unwrap_or(0);
        MoreRuns { runs, are_asked, core_hours: seconds.sum(), gpu_hours: on_gpu.sum() }
    }
}

/// Whether a row is computed, and needs no runs.
fn is_computed(measured: &Measured) -> bool {
    measured.sample.distribution.is_some() || matches!(measured.definition, Definition::Exact { .. })
}

impl Judgement {
    /// Whether there is no verdict, and runs that the file asks for are missing.
    pub fn is_open(&self) -> bool {
        let is_without = matches!(self.verdict, Some(Verdict::Undecided | Verdict::ReducedSize | Verdict::NotRun));
        is_without && self.more.is_some_and(|more| more.are_asked)
    }
}
