//! What the store has for an experiment: a sample for every row, or why there is none.

use nestling::Goal;
use nestling_store::{Store, StoreError};

use crate::experiment::{Definition, Experiment, Measure, Row};
use crate::reading::{Reading, Sample, expected_seconds, first_samples, foremost};
use crate::statistics::Summary;

/// What there is of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum RowOutcome {
    /// A sample.
    Measured(Box<Measured>),
    /// None, and why.
    Missing(String),
}

/// A row's sample, and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The readings.
    pub sample: Sample,
    /// What exactly was run: one of the row's sizes, on one device.
    pub definition: Definition,
    /// What is less than in the paper.
    pub instead: Option<String>,
    /// How many runs there should be.
    pub runs: u64,
    /// Why there are not more runs, if that is known.
    pub remark: Option<String>,
}

/// What is known of a row's runs at the paper's size, wherever they were made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FullSize {
    /// How many there are on the processor.
    pub made: u64,
    /// The mean time of one on one thread; where there is none yet, what an earlier command expected.
    pub seconds: Option<f64>,
    /// The mean number of moves of one, in all its playouts.
    pub moves: Option<f64>,
}

/// What there is of every row of an experiment, by series.
#[derive(Clone, Debug, PartialEq)]
pub struct ExperimentResults {
    /// By series, then by row.
    pub rows: Vec<Vec<RowOutcome>>,
    /// The same for the paper's size alone.
    pub full_size: Vec<Vec<FullSize>>,
}

impl ExperimentResults {
    /// Looks everything up.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn load(store: &Store, experiment: &Experiment) -> Result<Self, StoreError> {
        let (mut rows, mut full_size) = (Vec::new(), Vec::new());
        for (index, series) in experiment.series.iter().enumerate() {
            let row = |(row, wanted)| look_up(store, wanted, experiment.uses_time(index, row));
            let found: Vec<_> = series.rows.iter().enumerate().map(row).collect::<Result<_, _>>()?;
            let (found, known): (Vec<_>, Vec<_>) = found.into_iter().unzip();
            rows.push(found);
            full_size.push(known);
        }
        Ok(ExperimentResults { rows, full_size })
    }

    /// A row's outcome.
    pub fn get(&self, series: usize, row: usize) -> &RowOutcome {
        &self.rows[series][row]
    }

    /// A row's sample.
    pub fn measured(&self, series: usize, row: usize) -> Option<&Measured> {
        match self.get(series, row) {
            RowOutcome::Measured(measured) => Some(measured),
            RowOutcome::Missing(_) => None,
        }
    }
}

/// The largest size that has enough readings; where none has, the largest that has any. Of two devices the one with more. Readings of
/// clusters count where times do not.
fn look_up(store: &Store, row: &Row, is_timed: bool) -> Result<(RowOutcome, FullSize), StoreError> {
    let (mut best, mut remark): (Option<Measured>, Option<String>) = (None, row.not_run.clone());
    let mut full_size = FullSize::default();
    for (index, size) in row.sizes.iter().enumerate() {
        let mut found = Vec::new();
        for definition in std::iter::once(size.definition.clone()).chain(size.definition.on_gpu()) {
            let (samples, said) = first_samples(store, &definition.key(), row.runs, is_timed)?;
            found.push((foremost(samples), said, definition));
        }
        if index == 0 {
            full_size = FullSize::of(store, &size.definition, found[0].0.as_ref())?;
        }
        // What is said of a device without readings counts where the other has none either.
        let rank = |(sample, said, _): &(Option<Sample>, Option<String>, Definition)| {
            (sample.as_ref().map(|sample| (sample.count(), sample.taken)), said.is_some())
        };
        let Some((sample, said, definition)) = found.into_iter().max_by_key(rank) else { continue };
        remark = remark.or(said);
        let Some(sample) = sample else { continue };
        let enough = sample.count() >= row.least;
        if best.is_none() || enough {
            let (instead, runs) = (size.instead.clone(), row.runs);
            best = Some(Measured { sample, definition, instead, runs, remark: None });
        }
        if enough {
            break;
        }
    }
    let outcome = match best {
        Some(measured) => RowOutcome::Measured(Box::new(Measured { remark, ..measured })),
        None => RowOutcome::Missing(remark.unwrap_or_else(|| "not run yet".to_owned())),
    };
    Ok((outcome, full_size))
}

impl FullSize {
    fn of(store: &Store, definition: &Definition, sample: Option<&Sample>) -> Result<Self, StoreError> {
        let readings = || sample.iter().flat_map(|sample| sample.readings.values());
        let mean = |values: Vec<f64>| Summary::new(values).map(|summary| summary.mean);
        let seconds = match definition {
            // Computed once; the time does not matter beside that of runs.
            Definition::Exact { .. } => Some(0.0),
            _ => mean(readings().filter_map(|reading| reading.seconds).collect()),
        };
        let seconds = match seconds {
            None => expected_seconds(store, &definition.key())?,
            known => known,
        };
        let moves = mean(readings().map(|reading| reading.moves as f64).collect());
        Ok(FullSize { made: sample.map_or(0, Sample::count), seconds, moves })
    }
}

impl Measured {
    /// A measure of all readings that have it, in the order of their numbers.
    pub fn values(&self, measure: Measure) -> Vec<f64> {
        self.sample.readings.values().filter_map(|reading| measure.of(reading)).collect()
    }

    /// The same, summed up.
    pub fn summary(&self, measure: Measure) -> Option<Summary> {
        Summary::new(self.values(measure))
    }

    /// Whether every run was made.
    pub fn is_whole(&self) -> bool {
        self.sample.count() >= self.runs
    }

    /// Which scores are better.
    pub fn goal(&self) -> Goal {
        self.sample.goal.unwrap_or(Goal::Max)
    }
}

impl Measure {
    /// What a reading says; nothing about the time of one that was taken elsewhere.
    pub fn of(self, reading: &Reading) -> Option<f64> {
        Some(match self {
            Measure::Score | Measure::Percent | Measure::Children => reading.score,
            Measure::Seconds => reading.seconds?,
            Measure::Playouts => reading.playouts as f64,
            Measure::Moves => reading.moves as f64,
            Measure::Nanoseconds => reading.seconds? * 1e9 / reading.moves.max(1) as f64,
            Measure::Found => reading.track.last()?.playouts as f64,
            Measure::Solved => f64::from(u8::from(reading.solved)),
            Measure::Wins => f64::from(u8::from(reading.score == 1.0)),
            Measure::Draws => f64::from(u8::from(reading.score == 0.5)),
            Measure::Losses => f64::from(u8::from(reading.score == 0.0)),
        })
    }

    /// Whether it depends on the machine.
    pub fn is_time(self) -> bool {
        matches!(self, Measure::Seconds | Measure::Nanoseconds | Measure::Percent)
    }

    /// In which direction it is better, where scores are better in the direction of `goal`.
    pub fn goal(self, goal: Goal) -> Goal {
        match self {
            Measure::Score => goal,
            Measure::Solved | Measure::Wins | Measure::Draws => Goal::Max,
            Measure::Seconds
            | Measure::Playouts
            | Measure::Moves
            | Measure::Nanoseconds
            | Measure::Found
            | Measure::Percent
            | Measure::Children
            | Measure::Losses => Goal::Min,
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Score => "score",
            Measure::Seconds => "seconds",
            Measure::Playouts => "playouts",
            Measure::Moves => "moves",
            Measure::Nanoseconds => "ns a move",
            Measure::Found => "playouts until the best",
            Measure::Percent => "% of the time",
            Measure::Children => "possible moves",
            Measure::Solved => "solved",
            Measure::Wins => "wins",
            Measure::Draws => "draws",
            Measure::Losses => "losses",
        }
    }
}
