//! The rows that are to be run.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use nestling_registry::{Device, Registry};

use crate::experiment::{Definition, Experiment, Row};
use crate::instrument::Instrument;

/// A row that is to be run, once for all experiments that have it.
pub(super) struct Wanted<'a> {
    pub experiment: &'a Experiment,
    pub label: String,
    pub row: Row,
    /// The key of its whole size on the processor.
    pub full_key: String,
    pub keys: Vec<String>,
    pub instruments: Vec<Instrument<'a>>,
    /// Whether the times of its runs count.
    pub is_timed: bool,
    /// Why it cannot be run.
    pub failure: Option<String>,
}

/// All rows of the experiments, those that run the same thing only once, with their instruments.
pub(super) fn collect<'a>(experiments: &[&'a Experiment], registry: &'a Registry, device: Device) -> Vec<Wanted<'a>> {
    let mut all: Vec<Wanted<'a>> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for experiment in experiments {
        for (series, rows) in experiment.series.iter().enumerate() {
            for (index, row) in rows.rows.iter().enumerate() {
                let Some(size) = row.sizes.first() else { continue };
                let is_timed = experiment.uses_time(series, index);
                let full_key = size.definition.key();
                match known.entry(full_key.clone()) {
                    Entry::Occupied(before) => {
                        let before = &mut all[*before.get()];
                        before.row.join(row);
                        before.is_timed |= is_timed;
                    }
                    Entry::Vacant(place) => {
                        place.insert(all.len());
                        let label = experiment.label(series, index);
                        let (row, failure) = (row.clone(), None);
                        let (keys, instruments) = (Vec::new(), Vec::new());
                        all.push(Wanted { experiment, label, row, full_key, keys, instruments, is_timed, failure });
                    }
                }
            }
        }
    }
    if device == Device::Cuda {
        all.iter_mut().for_each(|wanted| wanted.row.go_on_gpu(registry));
    }
    all.iter_mut().for_each(|wanted| wanted.prepare(registry));
    all
}

impl<'a> Wanted<'a> {
    /// The device that makes its runs, at any size.
    pub fn device(&self) -> Device {
        self.row.sizes.first().map_or(Device::Cpu, |size| size.definition.device())
    }

    /// Leaves only the whole size, of which every run counts.
    pub fn at_full_size(&mut self) {
        self.row.least = 1;
        self.row.sizes.truncate(1);
        self.keys.truncate(1);
        self.instruments.truncate(1);
    }

    /// Why a cluster does not make its runs; nothing if it can, at any size.
    pub fn stays(&self) -> Option<&'static str> {
        let times = self.is_timed.then_some("its times count");
        self.row.sizes.iter().find_map(|size| size.definition.stays()).or(times)
    }

    fn prepare(&mut self, registry: &'a Registry) {
        let sizes = &self.row.sizes;
        self.keys = sizes.iter().map(|size| size.definition.key()).collect();
        let prepared: Result<_, String> =
            sizes.iter().map(|size| Instrument::prepare(&size.definition, registry)).collect();
        match prepared {
            Ok(instruments) => self.instruments = instruments,
            Err(reason) => self.failure = Some(reason),
        }
    }
}

impl Definition {
    /// Why only this machine makes its runs. What a worker reports of a search does not depend on the worker, unless time does.
    fn stays(&self) -> Option<&'static str> {
        match self {
            Definition::Search(search) if !search.device.is_cpu() => Some("a GPU of this machine makes it"),
            Definition::Search(search) if search.seconds.is_some() => Some("its runs have a time limit"),
            Definition::Search(search) if search.track => Some("its improvements are kept"),
            Definition::Search(_) => None,
            Definition::Exact { .. } => Some("it is computed, not sampled"),
            Definition::Technique { .. } => Some("its times count"),
            Definition::Match { .. } => Some("games for two are not divided into tasks"),
        }
    }
}

impl Row {
    /// Lets GPUs make it, if they can make all its sizes.
    fn go_on_gpu(&mut self, registry: &Registry) {
        let there: Option<Vec<_>> = self.sizes.iter().map(|size| size.definition.on_gpu_here(registry)).collect();
        for (size, definition) in self.sizes.iter_mut().zip(there.into_iter().flatten()) {
            // What is expected is expected of the processor.
            (size.definition, size.expect) = (definition, None);
        }
    }

    /// Wants what another row of the same definition wants too.
    fn join(&mut self, other: &Row) {
        self.runs = self.runs.max(other.runs);
        self.least = self.least.min(other.least);
        self.share = self.share.max(other.share);
        for size in &other.sizes {
            if self.sizes.iter().all(|own| own.definition != size.definition) {
                self.sizes.push(size.clone());
            }
        }
    }
}
