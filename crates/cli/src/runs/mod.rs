//! `nestling runs`: the runs that are kept.

mod export;
mod resume;
mod show;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use nestling_registry::Registry;
use nestling_store::{Moment, Rows, RunInfo, State, Store, StoreError};

use crate::args::{RunsArgs, RunsCommand};
use crate::failure::Exit;
use crate::{json, stored, text};

/// How many runs a list has unless all are wanted.
const NEWEST: usize = 20;

pub(crate) fn runs(args: &RunsArgs, registry: &Registry) -> Result<Exit> {
    let path = stored::path(&args.store)?;
    match &args.command {
        RunsCommand::List { all, json } => list(&path, *all, *json),
        RunsCommand::Show { id, json } => show::show(&existing(&path)?, *id, *json, registry),
        RunsCommand::Resume(resume) => resume::resume(existing(&path)?, resume, &args.store, registry),
        RunsCommand::Export { id, file, improvements } => {
            export::export(&existing(&path)?, *id, file, *improvements, registry)
        }
        RunsCommand::Delete { id } => delete(&mut existing(&path)?, id),
        RunsCommand::Salvage => salvage(&path),
    }
}

/// The store, which these commands never make.
fn existing(path: &Path) -> Result<Store> {
    if !path.exists() {
        bail!("{}: no runs are kept there yet; `nestling solve` keeps them", text::name(path));
    }
    Ok(Store::open(path)?)
}

fn list(path: &Path, all: bool, as_json: bool) -> Result<Exit> {
    let runs = if path.exists() { Store::open(path)?.runs()? } else { Vec::new() };
    if runs.is_empty() && !as_json {
        text::print(&format!("no runs are kept in {} yet\n", text::name(path)))?;
    }
    let shown = &runs[..if all { runs.len() } else { runs.len().min(NEWEST) }];
    if as_json {
        for run in shown {
            json::print(&nestling_store::json::run(run))?;
        }
        return Ok(Exit::Done);
    }
    let row = |run: &RunInfo| {
        let best = run.best.map_or("-".to_owned(), |best| best.to_string());
        let (spec, begun) = (&run.spec, ago(run.started));
        let problem = nestling_registry::shortened(&spec.problem).into_owned();
        [run.id.to_string(), problem, spec.search.clone(), best, progress(run), state(run), begun]
    };
    if !shown.is_empty() {
        let header = ["run", "problem", "search", "best", "progress", "state", "begun"];
        text::print(&text::table(header, shown.iter().map(row)))?;
    }
    if shown.len() < runs.len() {
        text::print(&format!("{} older ones: --all\n", runs.len() - shown.len()))?;
    }
    if let Some(run) = shown.iter().find(|run| run.state == State::Interrupted) {
        text::print(&format!("go on with run {}: {} runs resume\n", run.id, text::program()))?;
    }
    Ok(Exit::Done)
}

/// How far a run is, in the measure of its budget.
fn progress(run: &RunInfo) -> String {
    let spec = &run.spec;
    let time = text::measured(run.reached.time);
    match (spec.runs, spec.time, spec.playouts) {
        (2.., _, _) => format!("{} of {} runs", run.finished, text::count(spec.runs)),
        (_, Some(whole), _) => format!("{time} of {}", humantime::format_duration(whole)),
        (_, None, Some(whole)) => {
            format!("{} of {}", text::roughly(run.reached.work.playouts as f64), text::plural(whole, "playout"))
        }
        (_, None, None) => format!("{} playouts in {time}", text::roughly(run.reached.work.playouts as f64)),
    }
}

fn state(run: &RunInfo) -> String {
    match &run.state {
        State::Running { process, host } => format!("running, process {process} on {host}"),
        State::Interrupted => format!("interrupted {}", ago(run.worked)),
        State::Done => "done".to_owned(),
    }
}

pub(crate) fn ago(moment: Moment) -> String {
    match moment.age() {
        age if age < Duration::from_secs(60) => "just now".to_owned(),
        age => format!("{} ago", text::about(age.as_secs_f64())),
    }
}

fn delete(store: &mut Store, runs: &[i64]) -> Result<Exit> {
    let runs: BTreeSet<i64> = runs.iter().copied().collect();
    // Nothing is deleted where one of them cannot be.
    for &run in &runs {
        store.check_free(run)?;
    }
    for run in runs {
        store.delete(run)?;
    }
    Ok(Exit::Done)
}

fn salvage(path: &Path) -> Result<Exit> {
    let salvage = nestling_store::salvage(path).map_err(|error| match error {
        StoreError::Leased { .. } => anyhow::anyhow!("{error}, and salvage again"),
        error => error.into(),
    })?;
    let Some(damaged) = salvage.damaged else {
        let kept: u64 = salvage.tables.iter().map(|rows| rows.kept).sum();
        text::print(&format!("{}: whole, {}\n", text::name(path), text::plural(kept, "row")))?;
        return Ok(Exit::Done);
    };
    for Rows { table, kept, lost, unread } in salvage.tables {
        let lost = match (unread, lost) {
            (false, _) => format!("{lost} lost"),
            (true, 0) => "it is not known how many are lost".to_owned(),
            (true, _) => format!("at least {lost} lost"),
        };
        text::print(&format!("{table}: {kept} kept, {lost}\n"))?;
    }
    text::print(&format!(
        "what could be read is in {0}; the damaged file is {1}\n",
        text::name(path),
        text::name(&damaged)
    ))?;
    Ok(Exit::Done)
}
