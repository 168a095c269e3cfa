//! `nestling runs resume`: what a person types after a reboot.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, anyhow};
use nestling_registry::{Instance, Registry, RunSpec};
use nestling_store::{More, ResumeError, RunInfo, State, Store};

use super::args::ResumeArgs;
use crate::failure::Exit;
use crate::solve::{self, Job};
use crate::stored::{self, Stored};
use crate::{explain, text};

pub(super) fn resume(mut store: Store, args: &ResumeArgs, registry: &Registry) -> Result<Exit> {
    let run = match args.id {
        Some(id) => store.run(id)?,
        None => interrupted_last(&store, args.shown.quiet)?,
    };
    let more = More { time: args.time, playouts: args.playouts };
    let kept = store.resumable(&run, more).map_err(refused)?;
    let asked = RunSpec {
        threads: args.threads.map(usize::from),
        checkpoint: args.checkpoint.unwrap_or(kept.checkpoint),
        output: stored::absolute(args.output.as_deref())?.or(kept.output.clone()),
        ..kept
    };
    let problem: Arc<dyn Instance> = registry.open(&asked.problem)?.into();
    let ready = registry.decide(Arc::clone(&problem), asked).map_err(explain::refused)?;
    let [output, learned] = [&run.spec.output, &run.spec.learned].map(|file| file.as_deref().map(Path::new));
    let written = [args.output.as_deref().or(output), learned];
    let mut job = Job::new(ready, problem.as_ref(), registry, args.shown, written, args.force, true)?;
    if let Some(output) = &job.output {
        output.take_over(store.improvements(run.id)?.iter().map(|step| step.moves.as_slice()));
    }
    job.workers = args.cluster.open(job.spec().device)?;
    let lease = store.take(run.id)?;
    if run.version != env!("CARGO_PKG_VERSION") {
        anstream::eprintln!(
            "{}: run {} was started by version {}; this is version {}, and the result may differ",
            text::program(),
            run.id,
            run.version,
            env!("CARGO_PKG_VERSION")
        );
    }
    job.stored = Some(Stored::go_on(&job, store, lease)?);
    // What is left of its time is the search's.
    job.began = Instant::now();
    solve::carry_out(job)
}

/// Why a run is not resumed, with the command or the option that helps.
pub(super) fn refused(error: ResumeError) -> anyhow::Error {
    match error {
        ResumeError::Store(error) => error.into(),
        ResumeError::BatchDone { id, .. } | ResumeError::AtItsEnd(id) => {
            anyhow!("{error}; `runs show {id}` shows the result")
        }
        ResumeError::TimeOver(_) | ResumeError::HadTime { .. } => anyhow!("{error} (--time)"),
        ResumeError::PlayoutsSpent(_) => anyhow!("{error} (--playouts)"),
        error => error.into(),
    }
}

/// The run that a person means who names none, and what else waits.
fn interrupted_last(store: &Store, quiet: bool) -> Result<RunInfo> {
    let mut waiting: Vec<RunInfo> = store.runs()?.into_iter().filter(|run| run.state == State::Interrupted).collect();
    // By number, not by the clock, which may have been set back.
    waiting.sort_by_key(|run| run.id);
    let run = waiting.pop().ok_or_else(|| anyhow!("no run is interrupted; `runs list` lists all runs"))?;
    let others: Vec<String> = waiting.iter().rev().map(|run| run.id.to_string()).collect();
    let also = if others.is_empty() { String::new() } else { format!(" (also interrupted: {})", others.join(", ")) };
    if !quiet {
        let (program, search, problem) = (text::program(), run.spec.expression(), &run.spec.problem);
        anstream::eprintln!("{program}: continuing run {}, {search} on {problem}{also}", run.id);
    }
    Ok(run)
}
