//! The stand-in for `stored.rs` in programs without the feature `store`: no run is kept, and no game was found here.

use std::convert::Infallible;
use std::marker::PhantomData;

use anyhow::Result;
use clap::Args;
use nestling::{Improvement, Journal, Outcome, RunError, Spent};
use nestling_registry::{Controls, Instance, Published, Ready, Resume, RunSpec};

use crate::args::SolveArgs;
use crate::solve::Job;

/// There is no file that keeps runs.
#[derive(Debug, Args)]
pub(crate) struct StoreArgs {}

/// No run is kept.
#[derive(Debug, Args)]
pub(crate) struct KeepingArgs {
    #[arg(skip)]
    pub later: bool,
}

/// A run that is being kept, of which there is none.
pub(crate) enum Stored {}

impl Stored {
    pub fn begin(_: &Job<'_>, _: &KeepingArgs) -> Result<Option<Self>> {
        Ok(None)
    }

    pub fn put_off(_: &Job<'_>, _: &KeepingArgs) -> Result<()> {
        unreachable!("without a store there is no --later")
    }

    pub fn previous_best(&self) -> Option<(f64, i64)> {
        match *self {}
    }

    pub fn outcome(&self, _: u64) -> Option<&Outcome> {
        match *self {}
    }

    pub fn start(&self, _: u64, _: &Ready, _: Controls<'_>) -> Result<Outcome, RunError> {
        match *self {}
    }

    pub fn left(&self, _: u64) -> Option<Resume> {
        match *self {}
    }

    pub fn journal<'a>(&'a self, _: &'a dyn Instance, _: u64, _: u64, _: Spent) -> RunJournal<'a> {
        match *self {}
    }

    pub fn run(&self) -> Option<i64> {
        match *self {}
    }

    pub fn is_lost(&self) -> bool {
        match *self {}
    }

    pub fn option(&self) -> String {
        match *self {}
    }
}

/// What is kept of a run that others make: nothing.
pub(crate) struct RunJournal<'a>(Infallible, PhantomData<&'a Stored>);

impl RunJournal<'_> {
    pub fn outcome(self, _: &Outcome) -> Result<(), String> {
        match self.0 {}
    }
}

impl Journal for RunJournal<'_> {
    fn improvement(&mut self, _: &Improvement) -> Result<(), String> {
        match self.0 {}
    }

    fn checkpoint(&mut self, _: &[u8], _: Spent) -> Result<(), String> {
        match self.0 {}
    }
}

pub(crate) fn announce(_: &Option<Stored>, _: bool) {}

pub(crate) fn finish(_: &Option<Stored>, _: bool, _: bool) {}

pub(crate) fn for_resuming(_: &SolveArgs, spec: RunSpec) -> Result<RunSpec> {
    Ok(spec)
}

/// The best games found here, of which there is none.
pub(crate) struct HallOfFame;

impl HallOfFame {
    pub fn open(_: &StoreArgs) -> Result<Self> {
        Ok(HallOfFame)
    }

    pub fn problems(&self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    pub fn games(&self, _: &str, _: usize) -> Result<Vec<Published>> {
        Ok(Vec::new())
    }
}
