//! `nestling runs`: the runs that are kept.

pub(crate) mod args;
mod collect;
pub(crate) mod complete;
mod export;
mod pack;
mod recheck;
mod resume;
mod show;
mod tasks;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, anyhow};
use nestling_registry::Registry;
use nestling_store::{Moment, RunInfo, State, Store, StoreError, StorePart};
use serde_json::Value;

use self::args::{RunsArgs, RunsCommand};
use crate::failure::Exit;
use crate::{json, stored, text};

/// How many runs a list has unless all are wanted.
const NEWEST: usize = 20;

pub(crate) fn runs(args: &RunsArgs, registry: &Registry) -> Result<Exit> {
    let path = stored::path(&args.store)?;
    match &args.command {
        RunsCommand::List { all, json } => list(&path, *all, *json, registry),
        RunsCommand::Show { id, json, ascii } => {
            text::use_ascii(ascii.ascii);
            show::show(&checked(&path, Store::look)?, *id, *json, registry)
        }
        RunsCommand::Resume(resume) => resume::resume(checked(&path, Store::open_existing)?, resume, registry),
        RunsCommand::Export { id, file, force, improvements } => {
            export::export(&checked(&path, Store::look)?, *id, file, force.existing(), *improvements, registry)
        }
        RunsCommand::Tasks(tasks) => tasks::tasks(&checked(&path, Store::look)?, tasks, registry),
        RunsCommand::Collect(collect) => {
            text::use_ascii(collect.shown.ascii.ascii);
            collect::collect(checked(&path, Store::open_existing)?, collect, registry)
        }
        RunsCommand::Recheck(recheck) => recheck::recheck(&checked(&path, Store::look)?, recheck, registry),
        RunsCommand::Pack { file, id, force } => pack::pack(&checked(&path, Store::look)?, file, id, force.existing()),
        RunsCommand::Unpack { file } => pack::unpack(&path, file, registry),
        RunsCommand::Delete { id } => delete(&mut checked(&path, Store::open_existing)?, id),
        RunsCommand::Salvage => salvage(&path),
    }
}

/// The store, which these commands never make, if it is whole.
fn checked(path: &Path, open: impl FnOnce(&Path) -> Result<Option<Store>, StoreError>) -> Result<Store> {
    let nothing = || anyhow!("{}: no runs are stored there yet; `nestling solve` stores them", text::name(path));
    let store = open(path)?.ok_or_else(nothing)?;
    store.check()?;
    Ok(store)
}

fn list(path: &Path, all: bool, as_json: bool, registry: &Registry) -> Result<Exit> {
    let runs = match Store::look(path)? {
        None => Vec::new(),
        Some(store) => {
            store.check()?;
            store.runs()?
        }
    };
    if runs.is_empty() && !as_json {
        text::print(&format!("no runs are stored in {} yet\n", text::name(path)))?;
    }
    let shown = &runs[..if all { runs.len() } else { runs.len().min(NEWEST) }];
    if as_json {
        for run in shown {
            json::print(&with_meaning(nestling_store::json::run(run), run, registry))?;
        }
        return Ok(Exit::Done);
    }
    let row = |run: &RunInfo| {
        let best = run.best.map_or("-".to_owned(), |best| figure(run, best, registry));
        let (spec, begun) = (&run.spec, ago(run.started));
        let problem = nestling_registry::shortened(&spec.problem).into_owned();
        [run.id.to_string(), problem, spec.expression().to_owned(), best, progress(run), state(run), begun]
    };
    if !shown.is_empty() {
        let header = ["run", "problem", "search", "best", "progress", "state", "begun"];
        text::print(&text::table(header, shown.iter().map(row)))?;
    }
    if shown.len() < runs.len() {
        text::print(&format!("{} older runs: --all\n", runs.len() - shown.len()))?;
    }
    if let Some(run) = shown.iter().find(|run| run.state == State::Interrupted) {
        text::print(&format!("continue run {}: {} runs resume\n", run.id, text::program()))?;
    }
    Ok(Exit::Done)
}

/// A score of a run for places with little room: its meaning, or just the number.
fn figure(run: &RunInfo, score: f64, registry: &Registry) -> String {
    let meaning = registry.meaning(&run.spec.problem, score, false);
    meaning.map_or_else(|| (score + 0.0).to_string(), |meaning| meaning.words)
}

/// The JSON object of a run, with the meaning of its scores.
fn with_meaning(object: Value, run: &RunInfo, registry: &Registry) -> Value {
    nestling_registry::json::with_meaning(object, &|score, proven| registry.meaning(&run.spec.problem, score, proven))
}

/// The progress of a run, in the unit of its budget.
fn progress(run: &RunInfo) -> String {
    let spec = &run.spec;
    let time = text::measured(run.reached.time);
    match (spec.runs, spec.time, spec.playouts) {
        (2.., _, _) => format!("{} of {} runs", text::count(run.finished), text::count(spec.runs)),
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
        StoreError::Leased { .. } => anyhow::anyhow!("{error}, then run salvage again"),
        error => error.into(),
    })?;
    let name = text::name(path);
    let kept = if salvage.kept.is_empty() { "nothing".to_owned() } else { salvage.kept.join(", ") };
    let Some(damage) = salvage.damage else {
        text::print(&format!("{name} is whole: {kept}\n"))?;
        return Ok(Exit::Done);
    };
    text::print(&format!("{name} was damaged: {damage}\nkept: {kept}\n"))?;
    let list = |what: &str, pieces: &[StorePart]| {
        pieces.iter().try_for_each(|piece| text::print(&format!("{what}: {piece}\n")))
    };
    list("from the copy", &salvage.from_copy)?;
    list("missing", &salvage.missing)?;
    if salvage.missing.is_empty() {
        text::print("nothing is missing\n")?;
    }
    if let Some(damaged) = salvage.damaged {
        text::print(&format!("the damaged file is {}\n", text::name(&damaged)))?;
    }
    Ok(Exit::Done)
}
