//! The readings of runs, as the store keeps them.

use std::collections::BTreeMap;

use nestling::Goal;
use nestling_store::{Moment, ReadingRange, Store, StoreError};
use serde::{Deserialize, Serialize};

/// The reading of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The score of its result.
    pub score: f64,
    /// How long it took on one thread of the sample's machine; nothing where it was made elsewhere.
    pub seconds: Option<f64>,
    /// Its playouts.
    pub playouts: u64,
    /// The moves of its playouts.
    pub moves: u64,
    /// Whether it reached the problem's bound: a puzzle is solved.
    pub solved: bool,
    /// Its improvements, if they are kept.
    pub track: Vec<Point>,
}

/// An improvement on the way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "(f64, u64, f64)", into = "(f64, u64, f64)")]
pub struct Point {
    /// When.
    pub seconds: f64,
    /// After how many playouts.
    pub playouts: u64,
    /// The best score from then on.
    pub score: f64,
}

impl From<(f64, u64, f64)> for Point {
    fn from((seconds, playouts, score): (f64, u64, f64)) -> Self {
        Point { seconds, playouts, score }
    }
}

impl From<Point> for (f64, u64, f64) {
    fn from(point: Point) -> Self {
        (point.seconds, point.playouts, point.score)
    }
}

/// A game that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundGame {
    /// By which run.
    pub number: u64,
    /// The problem, as it was opened for that run.
    pub problem: String,
    /// Whether that is maximised.
    pub goal: Goal,
    /// The score.
    pub score: f64,
    /// The moves.
    pub moves: Vec<String>,
}

/// All that is known of a definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The readings by number.
    pub readings: BTreeMap<u64, Reading>,
    /// The first of the best games.
    pub best: Option<FoundGame>,
    /// Which scores are better, where there are games.
    pub goal: Option<Goal>,
    /// The distribution, where one was computed.
    pub distribution: Option<Vec<f64>>,
    /// The seed that the runs' seeds derive from.
    pub seed: u64,
    /// The machine; the name of a cluster where all readings were taken there.
    pub machine: String,
    /// The cluster that took the readings without times.
    pub cluster: Option<String>,
    /// The version that took the readings.
    pub version: String,
    /// When the last of them was taken.
    pub taken: Moment,
}

/// Readings side by side: numbers in columns are short, and a definition may have a hundred thousand of them.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Columns {
    score: Vec<f64>,
    /// Empty where the readings were taken elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    seconds: Vec<f64>,
    playouts: Vec<u64>,
    moves: Vec<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    solved: Vec<bool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    track: Vec<Vec<Point>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<FoundGame>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distribution: Option<Vec<f64>>,
}

impl Columns {
    pub fn push(&mut self, reading: &Reading) {
        self.score.push(reading.score);
        // A microsecond is more than any clock here is good for.
        self.seconds.extend(reading.seconds.map(|seconds| (seconds * 1e6).round() / 1e6));
        self.playouts.push(reading.playouts);
        self.moves.push(reading.moves);
        self.solved.push(reading.solved);
        self.track.push(reading.track.clone());
    }

    /// As the store keeps them; columns that say nothing are left out.
    pub fn text(mut self) -> String {
        if !self.solved.contains(&true) {
            self.solved.clear();
        }
        if self.track.iter().all(Vec::is_empty) {
            self.track.clear();
        }
        serde_json::to_string(&self).expect("readings are plain data")
    }

    fn readings(self) -> impl Iterator<Item = Reading> {
        let Columns { score, seconds, playouts, moves, solved, mut track, .. } = self;
        let rows = score.into_iter().zip(playouts).zip(moves).enumerate();
        rows.map(move |(index, ((score, playouts), moves))| Reading {
            score,
            seconds: seconds.get(index).copied(),
            playouts,
            moves,
            solved: solved.get(index).copied().unwrap_or(false),
            track: track.get_mut(index).map(std::mem::take).unwrap_or_default(),
        })
    }
}

/// The samples of a definition, one for each seed, machine and version, and the remark on it that no reading has followed. Readings of a
/// cluster are a sample, and stand in for those that a machine lacks.
///
/// # Errors
///
/// When the store cannot be read.
pub fn samples(store: &Store, key: &str) -> Result<(Vec<Sample>, Option<String>), StoreError> {
    first_samples(store, key, u64::MAX, false)
}

/// The same of no more than so many runs: rows that share a definition may want more of it, or fewer. If their times count, there are only
/// readings with times.
pub(crate) fn first_samples(
    store: &Store,
    key: &str,
    runs: u64,
    are_timed: bool,
) -> Result<(Vec<Sample>, Option<String>), StoreError> {
    let mut samples: Vec<Sample> = Vec::new();
    let mut remark = None;
    for bundle in store.readings(key)? {
        if bundle.count == 0 {
            remark = Some(bundle.data);
            continue;
        }
        // It told why there were not more, and now there are.
        remark = None;
        let columns: Columns = serde_json::from_str(&bundle.data).map_err(|error| StoreError::Damaged {
            path: store.path().to_path_buf(),
            what: format!("readings {} of {key}: {error}", bundle.first),
        })?;
        let same = |sample: &Sample| {
            (sample.seed, &sample.machine, &sample.version) == (bundle.seed, &bundle.machine, &bundle.version)
        };
        let index = samples.iter().position(same).unwrap_or_else(|| {
            samples.push(empty(&bundle));
            samples.len() - 1
        });
        samples[index].add(bundle, columns, runs);
    }
    samples.retain(|sample| !sample.readings.is_empty());
    // Those of clusters first: of two that have the same the last counts.
    let (mut all, mut here): (Vec<Sample>, Vec<Sample>) =
        samples.into_iter().partition(|sample| sample.cluster.is_some());
    if are_timed {
        all.clear();
    }
    here.iter_mut().for_each(|sample| all.iter().for_each(|cluster| sample.fill(cluster)));
    all.extend(here);
    Ok((all, remark))
}

fn empty(bundle: &ReadingRange) -> Sample {
    Sample {
        readings: BTreeMap::new(),
        best: None,
        goal: None,
        distribution: None,
        seed: bundle.seed,
        machine: bundle.machine.clone(),
        cluster: None,
        version: bundle.version.clone(),
        taken: bundle.taken,
    }
}

impl Sample {
    fn add(&mut self, bundle: ReadingRange, mut columns: Columns, runs: u64) {
        if let Some(game) = columns.best.take() {
            self.goal = Some(game.goal);
            // The best game of a bundle with more runs may be in one of the other runs, and then it says nothing of those before.
            if game.number < runs {
                self.keep(game);
            }
        }
        self.distribution = columns.distribution.take().or(self.distribution.take());
        self.taken = self.taken.max(bundle.taken);
        if columns.seconds.is_empty() {
            self.cluster = Some(bundle.machine);
        }
        self.readings.extend((bundle.first..runs).zip(columns.readings()));
    }

    /// Adds the readings of a cluster from the same seeds that are missing here: what a search gives does not depend on the machine.
    fn fill(&mut self, cluster: &Sample) {
        let is_missing = |number: &u64| !self.readings.contains_key(number);
        if (self.seed, &self.version) != (cluster.seed, &cluster.version) || !cluster.readings.keys().any(is_missing) {
            return;
        }
        for (&number, reading) in &cluster.readings {
            self.readings.entry(number).or_insert_with(|| reading.clone());
        }
        cluster.best.iter().for_each(|game| self.keep(game.clone()));
        self.goal = self.goal.or(cluster.goal);
        self.taken = self.taken.max(cluster.taken);
        self.cluster.clone_from(&cluster.cluster);
    }

    /// How many readings a cluster has taken.
    pub fn elsewhere(&self) -> u64 {
        self.readings.values().filter(|reading| reading.seconds.is_none()).count() as u64
    }

    fn keep(&mut self, game: FoundGame) {
        if better(&game, self.best.as_ref()) {
            self.best = Some(game);
        }
    }

    /// How many readings there are.
    pub fn count(&self) -> u64 {
        self.readings.len() as u64
    }
}

/// Where the expected time of a run is kept, beside the readings themselves.
pub(crate) fn expectation_key(key: &str) -> String {
    format!("expected seconds of {key}")
}

/// How long a command expected one run to take on one thread.
pub(crate) fn expected_seconds(store: &Store, key: &str) -> Result<Option<f64>, StoreError> {
    Ok(store.readings(&expectation_key(key))?.last().and_then(|remark| remark.data.parse().ok()))
}

/// Whether a game takes the place of the best so far: the first of the best does.
pub(crate) fn better(game: &FoundGame, best: Option<&FoundGame>) -> bool {
    best.is_none_or(|best| match game.score == best.score {
        true => game.number < best.number,
        false => game.goal.better(game.score, best.score),
    })
}

/// The sample to go by: the largest, and of those the newest.
pub fn foremost(samples: Vec<Sample>) -> Option<Sample> {
    samples.into_iter().max_by_key(|sample| (sample.count(), sample.taken))
}
