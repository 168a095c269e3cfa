//! Two searches on the same problem with the same seeds: which is better, and whether that is more than chance.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

use nestling::{Cancel, Goal};
use nestling_chart::{Chart, Palette};
use nestling_registry::Registry;

use crate::experiment::{Definition, SearchDefinition};
use crate::instrument::{Instrument, Trouble, seed_of};
use crate::reading::Reading;
use crate::report::plot::progress_curve;
use crate::statistics::{Interval, Summary};

/// A comparison to be made.
pub struct Comparison<'a> {
    /// The problems.
    pub registry: &'a Registry,
    /// The problem; `{run}` in it is the number of the pair, so that instances can differ from pair to pair.
    pub problem: String,
    /// The searches.
    pub searches: [String; 2],
    /// A limit in seconds for each run.
    pub seconds: Option<f64>,
    /// A limit in playouts for each run.
    pub playouts: Option<u64>,
    /// How many pairs of runs.
    pub pairs: u64,
    /// The seed that the seeds of all pairs derive from.
    pub seed: u64,
    /// How many runs go on at once.
    pub workers: usize,
    /// Stops it; the pairs that are finished count.
    pub cancel: Cancel,
}

/// What a comparison came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The readings of both, pair by pair.
    pub pairs: Vec<[Reading; 2]>,
    /// Which scores are better.
    pub goal: Goal,
}

impl Comparison<'_> {
    /// Runs all pairs, each run on one thread; `listener` hears how many runs are finished.
    ///
    /// # Errors
    ///
    /// What is wrong with the problem or a search, in a line.
    pub fn run(&self, listener: &mut dyn FnMut(u64)) -> Result<Compared, String> {
        let mut instruments = Vec::new();
        for search in &self.searches {
            let definition = Definition::Search(SearchDefinition {
                problem: self.problem.clone(),
                search: search.clone(),
                parts: None,
                seconds: self.seconds,
                playouts: self.playouts,
                warm: None,
                track: true,
            });
            instruments.push(Instrument::prepare(&definition, self.registry)?);
        }
        let goal = self.registry.open(&self.problem.replace("{run}", "0")).map_err(|error| error.to_string())?.goal();
        let (next, instruments) = (AtomicU64::new(0), &instruments);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.workers.max(1) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || self.work(instruments, next, &sender));
            }
            drop(sender);
            let (mut halves, mut done) = (BTreeMap::new(), 0);
            for (task, taken) in receiver {
                match taken {
                    Ok(reading) => drop(halves.insert(task, reading)),
                    Err(Trouble::Cancelled) => {}
                    Err(Trouble::Failed(reason)) => {
                        self.cancel.cancel();
                        return Err(reason);
                    }
                }
                done += 1;
                listener(done);
            }
            let mut pair = |number| Some([halves.remove(&(2 * number))?, halves.remove(&(2 * number + 1))?]);
            Ok(Compared { pairs: (0..self.pairs).filter_map(&mut pair).collect(), goal })
        })
    }

    /// Makes runs, the two of a pair one after the other.
    fn work(
        &self,
        instruments: &[Instrument<'_>],
        next: &AtomicU64,
        sender: &mpsc::Sender<(u64, Result<Reading, Trouble>)>,
    ) {
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= 2 * self.pairs || self.cancel.is_cancelled() {
                return;
            }
            let (number, side) = (task / 2, (task % 2) as usize);
            // Both searches of a pair get the same seed.
            let seed = seed_of(self.seed, &self.problem, number);
            let taken = instruments[side].take(number, seed, &self.cancel).map(|taken| taken.reading);
            if sender.send((task, taken)).is_err() {
                return;
            }
        }
    }
}

impl Compared {
    /// The scores of one side.
    pub fn summary(&self, side: usize) -> Option<Summary> {
        Summary::new(self.pairs.iter().map(|pair| pair[side].score))
    }

    /// How much greater the first one's scores are, pair by pair: the mean, and where it lies with 95 % confidence.
    pub fn difference(&self) -> Option<(f64, Interval)> {
        let differences = Summary::new(self.pairs.iter().map(|[one, other]| one.score - other.score))?;
        Some((differences.mean, differences.interval()))
    }

    /// In how many pairs the first one is better, in how many the other.
    pub fn better(&self) -> [usize; 2] {
        let better = |a: &Reading, b: &Reading| self.goal.better(a.score, b.score);
        let first = self.pairs.iter().filter(|[one, other]| better(one, other)).count();
        [first, self.pairs.iter().filter(|[one, other]| better(other, one)).count()]
    }

    /// The one that is better by more than chance explains; none if neither is.
    pub fn winner(&self) -> Option<usize> {
        let (_, interval) = self.difference()?;
        let beyond =
            |side: f64| self.goal.better(side * interval.low, 0.0) && self.goal.better(side * interval.high, 0.0);
        (0..2).find(|&side| self.pairs.len() > 1 && beyond([1.0, -1.0][side]))
    }

    /// The mean best scores over time, or over playouts.
    pub fn chart(&self, title: &str, names: [&str; 2], seconds: bool) -> String {
        let axis = if seconds { "seconds" } else { "playouts" };
        let chart = Chart::new(title).axes(axis, "mean best score").logarithmic(true, false).palette(Palette::LIGHT);
        let curve = |side: usize| progress_curve(names[side], self.pairs.iter().map(|pair| &pair[side]), seconds);
        (0..2).filter_map(curve).fold(chart, Chart::with).svg()
    }
}
