//! `nestling runs resume`: what a person types after a reboot.

use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use nestling::Stop;
use nestling_registry::Registry;
use nestling_store::{RunInfo, State, Store};

use crate::args::{ResumeArgs, StoreArgs};
use crate::failure::Exit;
use crate::stored::{self, Stored};
use crate::{solve, text};

pub(super) fn resume(mut store: Store, args: &ResumeArgs, store_args: &StoreArgs, registry: &Registry) -> Result<Exit> {
    store.check()?;
    let run = match args.id {
        Some(id) => store.run(id)?,
        None => interrupted_last(&store)?,
    };
    let mut arguments = stored::arguments(&run.spec, store_args);
    arguments.time = args.time.or(arguments.time);
    arguments.playouts = args.playouts.or(arguments.playouts);
    arguments.threads = args.threads;
    arguments.checkpoint = args.checkpoint.unwrap_or(arguments.checkpoint);
    arguments.json = args.json;
    arguments.output = args.output.clone().or(arguments.output);
    if run.state == State::Done {
        refuse_if_finished(&store, &run, args)?;
    }
    if let Some(time) = args.time.filter(|time| run.spec.runs == 1 && *time <= run.reached.time) {
        let (had, time) = (text::measured(run.reached.time), text::measured(time));
        bail!("run {} has had {had} already; --time {time} is all that it would have, so give it more", run.id);
    }
    let problem = registry.open(&run.spec.problem)?;
    let mut job = solve::prepare(&arguments, problem.as_ref(), registry, Instant::now(), Some(&run.spec))?;
    let lease = store.take(run.id)?;
    if run.version != env!("CARGO_PKG_VERSION") {
        anstream::eprintln!(
            "{}: run {} was begun by version {}; this is {}, and may come to another result",
            text::program(),
            run.id,
            run.version,
            env!("CARGO_PKG_VERSION")
        );
    }
    job.stored = Some(Stored::go_on(&job, store, lease)?);
    // What is left of its time is the search's.
    job.order.time = job.order.time.map(|(time, _)| (time, Instant::now()));
    solve::carry_out(job)
}

/// A run that is at its end goes on only if it is given more, and can use it.
fn refuse_if_finished(store: &Store, run: &RunInfo, args: &ResumeArgs) -> Result<()> {
    let id = run.id;
    if run.spec.runs > 1 {
        bail!("run {id} is done: all its {} runs are finished; `runs show {id}` has them", run.spec.runs);
    }
    let stop = store.outcomes(id)?.pop().map(|outcome| outcome.solved.stop);
    match stop {
        Some(Stop::Time) if args.time.is_none() => {
            bail!("run {id} is done: its time is over; give it more with --time")
        }
        Some(Stop::Playouts) if args.playouts.is_none() => {
            bail!("run {id} is done: its playouts are spent; give it more with --playouts")
        }
        // Without an outcome somebody has stopped it in the app, and thinks better of it.
        None | Some(Stop::Time | Stop::Playouts) => Ok(()),
        _ => bail!("run {id} is done: its search has come to its end; `runs show {id}` has the result"),
    }
}

/// The run that a person means who names none, and what else waits.
fn interrupted_last(store: &Store) -> Result<RunInfo> {
    let mut waiting: Vec<RunInfo> = store.runs()?.into_iter().filter(|run| run.state == State::Interrupted).collect();
    // By number, not by the clock, which may have been set back.
    waiting.sort_by_key(|run| run.id);
    let run = waiting.pop().ok_or_else(|| anyhow!("no run is interrupted; `runs list` shows them all"))?;
    let others: Vec<String> = waiting.iter().rev().map(|run| run.id.to_string()).collect();
    let also = if others.is_empty() { String::new() } else { format!(" (also interrupted: {})", others.join(", ")) };
    anstream::eprintln!(
        "{}: going on with run {}, {} on {}{also}",
        text::program(),
        run.id,
        run.spec.search,
        run.spec.problem
    );
    Ok(run)
}
