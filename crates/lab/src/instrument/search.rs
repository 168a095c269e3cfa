//! Runs of a search.

use std::time::{Duration, Instant};

use nestling::{Cancel, Event, Search, Stop, Weights};
use nestling_registry::{Instance, Order, Registry};

use super::{Taken, Trouble, WARM, warm};
use crate::experiment::{Definition, SearchDefinition};
use crate::reading::{Game, Point, Reading};

pub(crate) struct SearchInstrument<'a> {
    definition: SearchDefinition,
    registry: &'a Registry,
    /// The problem, where it is the same in every run.
    fixed: Option<Box<dyn Instance>>,
    search: Search,
    weights: Vec<(String, Weights)>,
}

impl<'a> SearchInstrument<'a> {
    pub fn prepare(definition: &SearchDefinition, registry: &'a Registry) -> Result<Self, String> {
        let search = definition.search.parse().map_err(|error: nestling::ParseError| error.to_string())?;
        let open = |name: &str| registry.open(name).map_err(|error| error.to_string());
        let varies = definition.problem.contains('{');
        // The first is opened in any case: what is wrong with it is wrong with all.
        let first = open(&definition.problem(0))?;
        let weights = match &definition.warm {
            Some(game) => vec![(WARM.to_owned(), warm::weights(first.as_ref(), game)?)],
            None => Vec::new(),
        };
        let fixed = (!varies).then_some(first);
        Ok(SearchInstrument { definition: definition.clone(), registry, fixed, search, weights })
    }

    pub fn take(&self, number: u64, seed: u64, cancel: &Cancel) -> Result<Taken, Trouble> {
        let opened;
        let problem = match &self.fixed {
            Some(problem) => problem.as_ref(),
            None => {
                let name = self.definition.problem(number);
                opened = self.registry.open(&name).map_err(|error| Trouble::Failed(error.to_string()))?;
                opened.as_ref()
            }
        };
        let time = self.definition.seconds.map(|seconds| (Duration::from_secs_f64(seconds), Instant::now()));
        let (playouts, device, cancel) = (self.definition.playouts, self.definition.device, cancel.clone());
        let weights = self.weights.clone();
        let order = Order { seed, device, time, playouts, weights, cancel, ..Order::new(self.search.clone()) };
        let (mut track, mut failure) = (Vec::new(), None);
        let mut listener = |event: &Event| match event {
            Event::Improvement(improvement) if self.definition.track => {
                let (seconds, playouts) = (improvement.elapsed.as_secs_f64(), improvement.playouts);
                track.push(Point { seconds, playouts, score: improvement.score });
            }
            Event::Failed(reason) => failure = Some(reason.clone()),
            _ => {}
        };
        let solved = problem.solve(&order, &mut listener, None).map_err(|error| Trouble::Failed(error.to_string()))?;
        if solved.stop.is_interruption() {
            return Err(failure.map_or(Trouble::Cancelled, Trouble::Failed));
        }
        if solved.nothing {
            let (search, name) = (&self.definition.search, problem.name());
            return Err(Trouble::Failed(format!("{search} finished no game of {name} within its limit; give it more")));
        }
        let reading = Reading {
            score: solved.score,
            seconds: solved.elapsed.as_secs_f64(),
            playouts: solved.counts.playouts,
            moves: solved.counts.moves,
            solved: solved.stop == Stop::Bound,
            track,
        };
        let game = solved.complete.then(|| Game {
            number,
            problem: problem.name().to_owned(),
            goal: problem.goal(),
            score: solved.score,
            moves: solved.moves,
        });
        Ok(Taken { reading, game, distribution: None })
    }

    pub fn estimate(&self) -> Option<f64> {
        // Only the processor's speed is known beforehand.
        if !self.definition.device.is_cpu() {
            return None;
        }
        let opened;
        let problem = match &self.fixed {
            Some(problem) => problem.as_ref(),
            None => {
                opened = self.registry.open(&self.definition.problem(0)).ok()?;
                opened.as_ref()
            }
        };
        let estimate = problem.estimate(&self.search, &[]).ok()?;
        let whole = Some(estimate.seconds).filter(|seconds| seconds.is_finite());
        let cut = self.definition.playouts.and_then(|playouts| {
            let one = problem.estimate(&Search::playout(), &[]).ok()?;
            Some(one.seconds / one.playouts.max(1.0) * playouts as f64)
        });
        // A limit in time says nothing about a search that may be over long before.
        [whole, cut].into_iter().flatten().reduce(f64::min)
    }
}

impl Definition {
    /// The same on the GPUs of this machine, where they can make it.
    pub(crate) fn on_gpu_here(&self, registry: &Registry) -> Option<Definition> {
        let Definition::Search(definition) = self else { return None };
        let search: Search = definition.search.parse().ok()?;
        registry.open(&definition.problem(0)).ok()?.gpu_check(&search).ok()?;
        self.on_gpu()
    }
}

impl SearchDefinition {
    /// The problem of one run.
    pub(crate) fn problem(&self, number: u64) -> String {
        let part = number % self.parts.unwrap_or(1) + 1;
        self.problem.replace("{run}", &number.to_string()).replace("{part}", &part.to_string())
    }
}
