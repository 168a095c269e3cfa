//! What is kept of readings, and what is said of rows.

use std::collections::{BTreeMap, BTreeSet};

use nestling_store::{Store, StoreError};

use super::allot::Allotment;
use super::job::{Job, JobSize};
use super::schedule::Schedule;
use super::wanted::Wanted;
use super::{Done, Runner};
use crate::instrument::Taken;
use crate::reading::{Columns, Sample, better, expectation_key, expected_seconds, first_samples};
use crate::words::lasting;

/// Readings that wait to be written, by job and size, and by number.
pub(super) type Waiting = BTreeMap<(usize, usize), BTreeMap<u64, Taken>>;

/// The readings from the first number on, as far as none is missing between them, and how many they are.
fn stretch(first: u64, taken: &BTreeMap<u64, Taken>) -> (Columns, u64) {
    let (mut columns, mut count) = (Columns::default(), 0);
    for (_, taken) in
        taken.range(first..).zip(first..).take_while(|((number, _), due)| *number == due).map(|(at, _)| at)
    {
        columns.push(&taken.reading);
        columns.distribution = taken.distribution.clone().or(columns.distribution);
        if let Some(game) = taken.game.as_ref().filter(|game| better(game, columns.best.as_ref())) {
            columns.best = Some(game.clone());
        }
        count += 1;
    }
    (columns, count)
}

impl Runner<'_> {
    /// Keeps readings in bundles of consecutive numbers.
    pub(super) fn write(
        &mut self,
        wanted: &[Wanted<'_>],
        waiting: &mut Waiting,
        cluster: Option<&str>,
    ) -> Result<(), StoreError> {
        let (machine, seed) = (cluster.map_or_else(Store::machine, str::to_owned), self.seed);
        for ((job, size), mut taken) in std::mem::take(waiting) {
            let key = &wanted[job].keys[size];
            while let Some((&first, _)) = taken.first_key_value() {
                let (columns, count) = stretch(first, &taken);
                if self.store.add_readings_of(&machine, key, seed, first, count, &columns.text())? {
                    taken = taken.split_off(&(first + count));
                } else {
                    // Another row, or another process, was faster with some of them; its readings are as good, and the
                    // others are still missing.
                    let there = self.numbers(key, &wanted[job])?;
                    taken.retain(|number, _| !there.contains(number));
                }
            }
        }
        Ok(())
    }

    /// The readings of a definition that a row of this command counts: from this seed, by this version, on this machine, and, where times do
    /// not count, on clusters.
    pub(super) fn own(&self, key: &str, wanted: &Wanted<'_>) -> Result<Vec<Sample>, StoreError> {
        let (mut samples, _) = first_samples(self.store, key, wanted.row.runs, wanted.is_timed)?;
        let machine = Store::machine();
        samples.retain(|sample| {
            let is_here = sample.machine == machine || sample.cluster.as_ref() == Some(&sample.machine);
            is_here && (sample.seed, &*sample.version) == (self.seed, env!("CARGO_PKG_VERSION"))
        });
        Ok(samples)
    }

    /// Their numbers.
    pub(super) fn numbers(&self, key: &str, wanted: &Wanted<'_>) -> Result<BTreeSet<u64>, StoreError> {
        Ok(self.own(key, wanted)?.iter().flat_map(|sample| sample.readings.keys().copied()).collect())
    }

    /// The runs of a definition that count here, and the mean time of one where there are enough to tell.
    pub(super) fn made(&self, key: &str, wanted: &Wanted<'_>) -> Result<(BTreeSet<u64>, Option<f64>), StoreError> {
        let own = self.own(key, wanted)?;
        let readings = || own.iter().flat_map(|sample| &sample.readings);
        let have = readings().map(|(number, _)| *number).collect();
        let times: Vec<f64> = readings().filter_map(|(_, reading)| reading.seconds).collect();
        let measured = (times.len() >= 5).then(|| times.iter().sum::<f64>() / times.len() as f64);
        Ok((have, measured))
    }

    /// Keeps the expected time of a run at the paper's size, for the report, where it is new.
    pub(super) fn expect(&mut self, wanted: &[Wanted<'_>], jobs: &[Job]) -> Result<(), StoreError> {
        let costs = wanted.iter().zip(jobs).filter_map(|(row, job)| {
            let lacks = |size: &&JobSize| row.device().is_cpu() && (size.have.len() as u64) < row.row.runs;
            Some((&*row.full_key, job.sizes.first().filter(lacks)?.cost?))
        });
        self.expect_seconds(costs)
    }

    /// The same for times by the keys of rows.
    pub(super) fn expect_seconds<'a>(&mut self, costs: impl Iterator<Item = (&'a str, f64)>) -> Result<(), StoreError> {
        let mut news = Vec::new();
        for (key, cost) in costs.filter(|(_, cost)| *cost > 0.0) {
            // Estimates vary a little from command to command.
            if !expected_seconds(self.store, key)?.is_some_and(|known| (0.5..2.0).contains(&(cost / known))) {
                news.push((expectation_key(key), format!("{cost:.6}")));
            }
        }
        let news: Vec<(&str, &str)> = news.iter().map(|(key, cost)| (&**key, &**cost)).collect();
        self.store.add_remarks(self.seed, &news)
    }

    /// Says what became of every row, and leaves a remark in the store where there is nothing else to be found.
    pub(super) fn conclude(
        &mut self,
        wanted: &[Wanted<'_>],
        schedule: &Schedule,
        failed: &BTreeMap<usize, String>,
        cluster: Option<&str>,
    ) -> Result<Vec<Done>, StoreError> {
        let mut all = Vec::new();
        for (index, (row, job)) in wanted.iter().zip(&schedule.jobs).enumerate() {
            let (size, remark) = outcome(row, job, failed.get(&index));
            // Of what is there now, not of what was done: others may have been at work on the same.
            let have = match row.keys.get(size) {
                Some(key) => self.numbers(key, row)?.len() as u64,
                None => 0,
            };
            let done = Done {
                experiment: row.experiment.id.clone(),
                row: row.label.clone(),
                instead: row.row.sizes.get(size).and_then(|size| size.instead.clone()),
                device: row.device(),
                cluster: cluster.map(str::to_owned),
                stayed: None,
                runs: (have, row.row.runs),
                remark: remark.filter(|_| have < row.row.runs || size > 0),
            };
            all.push(done);
        }
        if !self.cancel.is_cancelled() {
            let remarks =
                wanted.iter().zip(&all).filter_map(|(row, done)| Some((row.keys.first()?, done.remark.as_ref()?)));
            let remarks: Vec<(&str, &str)> = remarks.map(|(key, remark)| (key.as_str(), remark.as_str())).collect();
            self.store.add_remarks(self.seed, &remarks)?;
        }
        Ok(all)
    }
}

/// The size that a row was run at, and why there are not more runs of it.
fn outcome(row: &Wanted<'_>, job: &Job, failure: Option<&String>) -> (usize, Option<String>) {
    match job.state.allotment {
        Some(Allotment::Run { size, .. }) => {
            let why =
                row.row.no_smaller.as_ref().map_or(String::new(), |why| format!("; there is no smaller size: {why}"));
            let stopped = job.state.stopped.map(|after| {
                format!("a run was stopped after {}, its part of the budget{why}", lasting(after.as_secs_f64()))
            });
            (size, failure.cloned().or(stopped).or(job.state.fell_back.clone()))
        }
        Some(Allotment::Nothing { needed, offered }) if row.failure.is_none() => {
            let each = lasting(needed / job.least.max(1) as f64);
            let (needed, offered) = (lasting(needed), lasting(offered));
            let runs = if job.least == 1 { "1 run".to_owned() } else { format!("{} runs", job.least) };
            let why =
                row.row.no_smaller.as_ref().map_or(String::new(), |why| format!("; there is no smaller size: {why}"));
            (0, Some(format!("{runs} of about {each} need {needed}, but the budget allowed {offered}{why}")))
        }
        Some(Allotment::Nothing { .. }) => (0, row.failure.clone()),
        None => (0, row.failure.clone().or_else(|| Some("the budget was used up before its turn".to_owned()))),
    }
}
