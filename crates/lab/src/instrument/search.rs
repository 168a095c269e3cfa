//! Runs of a search.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use nestling::{Cancel, Event, Outcome, Search, Stop};
use nestling_registry::{Controls, Instance, Ready, Registry, RunSpec};

use super::{Taken, Trouble, WARM, warm};
use crate::experiment::{Definition, SearchDefinition};
use crate::reading::{FoundGame, Point, Reading};

pub(crate) struct SearchInstrument<'a> {
    definition: SearchDefinition,
    registry: &'a Registry,
    /// The run, where the problem is the same in every one.
    fixed: Option<Ready>,
    /// The weights of a warm start.
    weights: Vec<(String, String)>,
}

impl<'a> SearchInstrument<'a> {
    pub fn prepare(definition: &SearchDefinition, registry: &'a Registry) -> Result<Self, String> {
        let mut instrument =
            SearchInstrument { definition: definition.clone(), registry, fixed: None, weights: Vec::new() };
        // The first is opened in any case: what is wrong with it is wrong with all.
        let first: Arc<dyn Instance> = registry.open(&definition.problem(0)).map_err(|error| error.to_string())?.into();
        if let Some(game) = &definition.warm {
            instrument.weights = vec![(WARM.to_owned(), warm::weights(first.as_ref(), game)?.to_string())];
        }
        let ready = instrument.ready(first)?;
        instrument.fixed = (!definition.problem.contains('{')).then_some(ready);
        Ok(instrument)
    }

    /// The run on a problem.
    fn ready(&self, problem: Arc<dyn Instance>) -> Result<Ready, String> {
        let asked = RunSpec {
            device: self.definition.device,
            time: self.definition.seconds.map(Duration::from_secs_f64),
            playouts: self.definition.playouts,
            weights: self.weights.clone(),
            ..RunSpec::new(problem.name()).search(&self.definition.search)
        };
        self.registry.decide(problem, asked).map_err(|error| error.to_string())
    }

    /// The names of the problems of so many runs.
    pub fn problems(&self, runs: u64) -> BTreeSet<String> {
        let SearchDefinition { problem, parts, .. } = &self.definition;
        let different = match () {
            () if problem.contains("{run}") => runs,
            () if problem.contains("{part}") => parts.unwrap_or(1),
            () => 1,
        };
        (0..different.min(runs)).map(|number| self.definition.problem(number)).collect()
    }

    /// The problem of a run.
    pub fn problem(&self, number: u64) -> String {
        self.definition.problem(number)
    }

    /// The run of this number.
    pub fn run(&self, number: u64) -> Result<Ready, String> {
        match &self.fixed {
            Some(ready) => Ok(ready.clone()),
            None => {
                let opened = self.registry.open(&self.definition.problem(number));
                self.ready(opened.map_err(|error| error.to_string())?.into())
            }
        }
    }

    pub fn take(&self, number: u64, seed: u64, cancel: &Cancel) -> Result<Taken, Trouble> {
        let ready = self.run(number).map_err(Trouble::Failed)?.with(seed, 1);
        let (mut track, mut failure) = (Vec::new(), None);
        let mut listener = |event: &Event| match event {
            Event::Improvement(improvement) if self.definition.track => {
                let (seconds, playouts) = (improvement.elapsed.as_secs_f64(), improvement.playouts);
                track.push(Point { seconds, playouts, score: improvement.score() });
            }
            Event::Failed(reason) => failure = Some(reason.clone()),
            _ => {}
        };
        let controls = Controls { cancel: cancel.clone(), listener: Some(&mut listener), ..Controls::default() };
        let outcome = ready.start(controls).map_err(|error| Trouble::Failed(error.to_string()))?;
        if let Some(reason) = failure.filter(|_| outcome.stop.is_interruption()) {
            return Err(Trouble::Failed(reason));
        }
        let seconds = Some(outcome.elapsed.as_secs_f64());
        let taken = self.taken(number, ready.problem(), &outcome)?;
        Ok(Taken { reading: Reading { seconds, track, ..taken.reading }, ..taken })
    }

    /// The reading of a run's outcome, without times.
    pub fn taken(&self, number: u64, problem: &dyn Instance, outcome: &Outcome) -> Result<Taken, Trouble> {
        if outcome.stop.is_interruption() {
            return Err(Trouble::Cancelled);
        }
        let Some(score) = outcome.score() else {
            let (search, name) = (&self.definition.search, problem.name());
            return Err(Trouble::Failed(format!("{search} finished no game of {name} within its limit; give it more")));
        };
        let reading = Reading {
            score,
            playouts: outcome.counts.playouts,
            moves: outcome.counts.moves,
            solved: outcome.stop == Stop::Bound,
            ..Reading::default()
        };
        let game = outcome.game().map(|game| FoundGame {
            number,
            problem: problem.name().to_owned(),
            goal: problem.goal(),
            score: game.score(),
            moves: game.texts().to_vec(),
        });
        Ok(Taken { reading, game, distribution: None })
    }

    pub fn estimate(&self) -> Option<f64> {
        // Only the processor's speed is known beforehand.
        if !self.definition.device.is_cpu() {
            return None;
        }
        let ready = self.run(0).ok()?;
        let estimate = ready.estimate().ok()?;
        let whole = Some(estimate.seconds).filter(|seconds| seconds.is_finite());
        let cut = self.definition.playouts.and_then(|playouts| {
            let one = ready.problem().estimate(&Search::playout(), &[]).ok()?;
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
        let search = registry.searches().parse(&definition.search).ok()?;
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
