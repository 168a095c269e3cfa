//! `nestling lab defaults`.

use anyhow::{Result, anyhow, ensure};
use nestling::Cancel;
use nestling_lab::{Candidates, Measuring};
use nestling_registry::Registry;

use super::args::DefaultsArgs;
use crate::failure::Exit;
use crate::output::Sink;
use crate::progress::{Progress, Total};
use crate::{interrupt, text};

pub(super) fn defaults(args: &DefaultsArgs, registry: &Registry) -> Result<Exit> {
    let mut candidates = Candidates::standard();
    let named = |candidate: &Candidates, name: &String| {
        candidate.name.split(':').next() == Some(name) || candidate.name == *name
    };
    for name in &args.problem {
        let known = || candidates.iter().map(|candidate| candidate.name.as_str()).collect::<Vec<_>>().join(", ");
        ensure!(
            candidates.iter().any(|one| named(one, name)),
            "{name}: no candidate searches for this problem; there are some for {}",
            known()
        );
    }
    candidates.retain(|candidate| args.problem.is_empty() || args.problem.iter().any(|name| named(candidate, name)));
    let sink = Sink::new(&args.output, args.force.existing())?;
    let cancel = Cancel::new();
    interrupt::listen(&cancel)?;
    let workers = args.threads.map_or_else(nestling_registry::all_threads, usize::from);
    // The default may be one more.
    let searches: u64 = candidates.iter().map(|candidate| candidate.searches.len() as u64 + 1).sum();
    let progress = Progress::new(Total::Runs(searches * args.runs * args.time.len() as u64));
    let mut tables = String::new();
    let mut before = 0;
    for candidate in &candidates {
        for &time in &args.time {
            let how = Measuring { registry, time, runs: args.runs, seed: args.seed, workers, cancel: cancel.clone() };
            let message = format!("{}, {}", candidate.name, humantime::format_duration(time));
            let table = candidate.measure(&how, &mut |done| progress.runs_done(before + done, message.clone()));
            tables += &table.map_err(|reason| anyhow!("{}: {reason}", candidate.name))?.markdown();
            tables.push('\n');
            before += (candidate.searches.len() as u64 + 1) * args.runs;
        }
    }
    progress.finish();
    if cancel.is_cancelled() {
        anstream::eprintln!("{}: interrupted; nothing is written", text::program());
        return Ok(Exit::Interrupted);
    }
    sink.write(tables.as_bytes())?;
    Ok(Exit::Done)
}
