//! The stand-in for `stored.rs` in programs without the feature `store`: no run is kept, and no game was found here.

use std::path::Path;

use anyhow::{Result, anyhow};
use clap::Args;
use nestling::{Outcome, RunError};
use nestling_registry::{BatchKeeper, Controls, Published, Ready, RunSpec};

use crate::args::SolveArgs;
use crate::solve::Job;
use crate::text;

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

    pub fn keeper(&self) -> &dyn BatchKeeper {
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

    pub fn at(path: &Path) -> Result<Self> {
        Err(anyhow!("{}: this program was built without stores; give a file of games", text::name(path)))
    }

    pub fn problems(&self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    pub fn games(&self, _: &str, _: usize) -> Result<Vec<Published>> {
        Ok(Vec::new())
    }
}
