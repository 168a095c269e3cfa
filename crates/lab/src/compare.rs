//! Two searches on the same problem with the same seeds: which is better, and whether that is more than chance.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

use nestling::{Cancel, Goal};
use nestling_presentation::chart::{Chart, Palette};
use nestling_registry::{Device, Registry};

use crate::experiment::{Definition, SearchDefinition};
use crate::instrument::{Instrument, Trouble, seed_of};
use crate::judge::ENOUGH;
use crate::reading::Reading;
use crate::report::plot::progress_curve;
use crate::statistics::{Interval, Summary};

/// So many differences of one sign are more than chance explains: the sign test, 2 · 0.5⁶ < 5 %.
const SIGNS: usize = 6;

/// A comparison to be made.
pub struct SearchComparison<'a> {
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
    /// How many runs are made at the same time.
    pub workers: usize,
    /// Stops it; the pairs that are finished count.
    pub cancel: Cancel,
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The readings of both, pair by pair.
    pub pairs: Vec<[Reading; 2]>,
    /// Which scores are better.
    pub goal: Goal,
}

impl SearchComparison<'_> {
    /// Runs all pairs, each run on one thread; `listener` hears how many runs are finished.
    ///
    /// # Errors
    ///
    /// The error in the problem or a search, in one line.
    pub fn run(&self, listener: &mut dyn FnMut(u64)) -> Result<Compared, String> {
        let matched = Matched {
            registry: self.registry,
            problem: &self.problem,
            searches: &self.searches,
            seconds: self.seconds,
            playouts: self.playouts,
            runs: self.pairs,
            seed: self.seed,
            workers: self.workers,
            cancel: &self.cancel,
        };
        let goal = self.registry.open(&self.problem.replace("{run}", "0")).map_err(|error| error.to_string())?.goal();
        let pairs = matched.run(listener)?.into_iter().filter_map(|pair| pair.try_into().ok()).collect();
        Ok(Compared { pairs, goal })
    }
}

/// Runs of several searches on the same instances with the same seeds.
pub(crate) struct Matched<'a> {
    pub registry: &'a Registry,
    /// `{run}` in it is the number of the run.
    pub problem: &'a str,
    pub searches: &'a [String],
    pub seconds: Option<f64>,
    pub playouts: Option<u64>,
    pub runs: u64,
    pub seed: u64,
    pub workers: usize,
    pub cancel: &'a Cancel,
}

impl Matched<'_> {
    /// The readings of all searches, run by run, of the runs that all of them have finished.
    pub fn run(&self, listener: &mut dyn FnMut(u64)) -> Result<Vec<Vec<Reading>>, String> {
        let instruments = self.searches.iter().map(|search| self.instrument(search)).collect::<Result<Vec<_>, _>>()?;
        let (next, instruments) = (AtomicU64::new(0), &instruments);
        let (sender, receiver) = mpsc::channel();
        let taken = std::thread::scope(|scope| {
            for _ in 0..self.workers.max(1) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || self.work(instruments, next, &sender));
            }
            drop(sender);
            let (mut readings, mut done) = (BTreeMap::new(), 0);
            for (task, taken) in receiver {
                match taken {
                    Ok(reading) => drop(readings.insert(task, reading)),
                    Err(Trouble::Cancelled) => {}
                    Err(Trouble::Failed(reason)) => {
                        self.cancel.cancel();
                        return Err(reason);
                    }
                }
                done += 1;
                listener(done);
            }
            Ok(readings)
        });
        let (mut readings, searches) = (taken?, self.searches.len() as u64);
        let mut of_run = |run| (0..searches).map(|search| readings.remove(&(searches * run + search))).collect();
        Ok((0..self.runs).filter_map(&mut of_run).collect())
    }

    fn instrument(&self, search: &str) -> Result<Instrument<'_>, String> {
        let definition = Definition::Search(SearchDefinition {
            problem: self.problem.to_owned(),
            search: search.to_owned(),
            parts: None,
            seconds: self.seconds,
            playouts: self.playouts,
            warm: None,
            track: true,
            device: Device::Cpu,
        });
        Instrument::prepare(&definition, self.registry)
    }

    /// Makes runs, those of one number one after the other.
    fn work(
        &self,
        instruments: &[Instrument<'_>],
        next: &AtomicU64,
        sender: &mpsc::Sender<(u64, Result<Reading, Trouble>)>,
    ) {
        let searches = instruments.len() as u64;
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= searches * self.runs || self.cancel.is_cancelled() {
                return;
            }
            let (number, search) = (task / searches, (task % searches) as usize);
            // All searches get the same seed.
            let seed = seed_of(self.seed, self.problem, number);
            let taken = instruments[search].take(number, seed, self.cancel).map(|taken| taken.reading);
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

    /// How much greater the first one's scores are, pair by pair: the mean, and where it lies with 95 % confidence. Differences that
    /// are all the same have no spread for Student's t to go by; six of them stand by the sign test, fewer say nothing.
    pub fn difference(&self) -> Option<(f64, Interval)> {
        let differences = Summary::new(self.pairs.iter().map(|[one, other]| one.score - other.score))?;
        let (low, high) = (differences.least(), differences.greatest());
        let interval = match (low == high, differences.count() < SIGNS) {
            (false, _) => differences.interval(),
            (true, false) => Interval { low, high },
            (true, true) => Interval { low: f64::NEG_INFINITY, high: f64::INFINITY },
        };
        Some((differences.mean, interval))
    }

    /// In how many pairs the first one is better, in how many the other.
    pub fn better(&self) -> [usize; 2] {
        let better = |a: &Reading, b: &Reading| self.goal.better(a.score, b.score);
        let first = self.pairs.iter().filter(|[one, other]| better(one, other)).count();
        [first, self.pairs.iter().filter(|[one, other]| better(other, one)).count()]
    }

    /// The one that is better by more than chance explains; none if neither is, or there are fewer than [`ENOUGH`] pairs.
    pub fn winner(&self) -> Option<usize> {
        let (_, interval) = self.difference()?;
        let beyond =
            |side: f64| self.goal.better(side * interval.low, 0.0) && self.goal.better(side * interval.high, 0.0);
        (0..2).find(|&side| self.pairs.len() as u64 >= ENOUGH && beyond([1.0, -1.0][side]))
    }

    /// The mean best scores over time, or over playouts.
    pub fn chart(&self, title: &str, names: [&str; 2], seconds: bool) -> String {
        let axis = if seconds { "seconds" } else { "playouts" };
        let chart = Chart::new(title).axes(axis, "mean best score").logarithmic(true, false).palette(Palette::LIGHT);
        let curve = |side: usize| progress_curve(names[side], self.pairs.iter().map(|pair| &pair[side]), seconds);
        (0..2).filter_map(curve).fold(chart, Chart::with).svg()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The winner where the first one's scores are so much greater than the other's.
    fn winner(differences: &[f64]) -> Option<usize> {
        let reading = |score| Reading { score, ..Reading::default() };
        let pairs = differences.iter().map(|difference| [reading(50.0 + difference), reading(50.0)]).collect();
        Compared { pairs, goal: Goal::Max }.winner()
    }

    #[test]
    fn few_pairs_have_no_winner() {
        assert_eq!(winner(&[10.0, 10.1, 9.9, 10.0]), None);
        assert_eq!(winner(&[10.0, 10.1, 9.9, 10.0, 10.0]), Some(0));
        assert_eq!(winner(&[-10.0, -10.1, -9.9, -10.0, -10.0]), Some(1));
        assert_eq!(winner(&[10.0, -10.1, 9.9, -10.0, 10.0]), None);
    }

    #[test]
    fn equal_differences_stand_by_their_sign() {
        assert_eq!(winner(&[]), None);
        assert_eq!(winner(&[0.3; 2]), None);
        assert_eq!(winner(&[0.3; 5]), None);
        assert_eq!(winner(&[0.3; 6]), Some(0));
        assert_eq!(winner(&[-0.3; 6]), Some(1));
        assert_eq!(winner(&[0.0; 100]), None);
    }
}
