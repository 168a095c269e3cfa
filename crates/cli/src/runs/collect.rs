//! `nestling runs collect`: what the tasks of a run have come to, added to the run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use nestling::{Counts, Journal, Outcome, ReportHeader, Spent};
use nestling_registry::{Instance, Ready, Registry, RunSpec};
use nestling_store::{More, State, Store};
use serde_json::json;

use super::args::{CollectArgs, ResumeArgs};
use super::resume::{refused, resume};
use crate::failure::Exit;
use crate::solve::{self, Job};
use crate::stored::{self, Stored};
use crate::{bundle, explain, files, json, report, text};

pub(super) fn collect(mut store: Store, args: &CollectArgs, registry: &Registry) -> Result<Exit> {
    let run = store.run(args.id)?;
    if run.state == State::Done {
        text::print(&format!("run {} is done; reports change nothing any more\n", run.id))?;
        return Ok(Exit::Done);
    }
    let mut sheet = Sheet::new(&args.folder)?;
    let asked = store.resumable(&run, More::default()).map_err(refused)?;
    let asked = RunSpec { threads: Some(sheet.reports.len().max(1)), ..asked };
    let problem: Arc<dyn Instance> = registry.open(&asked.problem)?.into();
    let ready = registry.decide(Arc::clone(&problem), asked).map_err(explain::refused)?;
    let [output, learned] = [&run.spec.output, &run.spec.learned].map(|file| file.as_deref().map(Path::new));
    let force = crate::args::ForceArgs::default();
    let mut job = Job::new(ready, problem.as_ref(), registry, args.shown, [output, learned], force, true)?;
    let (path, lease) = (store.path().to_path_buf(), store.take(run.id)?);
    job.stored = Some(Stored::go_on(&job, store, lease)?);
    let stored = job.stored.as_ref().expect("it was just set");
    let outcome = match job.spec().runs {
        1 => of_one_run(stored, &job.ready, &mut sheet)?,
        _ => {
            of_a_batch(stored, &job.ready, &mut sheet);
            None
        }
    };
    sheet.print(&job, args)?;
    if let Some(outcome) = &outcome {
        solve::keep(&job, job.spec(), outcome)?;
    }
    stored::finish(&job.stored, args.shown.json, outcome.is_some());
    if stored.is_lost() {
        return Ok(Exit::Bad);
    }
    let is_whole = job.spec().runs > 1 && sheet.done.0 == job.spec().runs;
    match &outcome {
        Some(outcome) if args.shown.json => json::print(&json::result(None, problem.as_ref(), job.spec(), outcome))?,
        Some(outcome) => report::print(&job, job.spec(), outcome)?,
        // All runs of the batch are in: what is left of it is its summary.
        None if is_whole => {
            drop(job);
            let again = ResumeArgs::of(args.id, args.shown);
            return resume(super::checked(&path, Store::open_existing)?, &again, registry);
        }
        None => {}
    }
    Ok(if sheet.refused.is_empty() { Exit::Done } else { Exit::Negative })
}

/// Adds the tasks of a single run; what it has come to if that is its end.
fn of_one_run(stored: &Stored, ready: &Ready, sheet: &mut Sheet) -> Result<Option<Outcome>> {
    let taken = stored.left(0);
    let before = taken.as_ref().map_or(Spent::default(), |taken| taken.spent);
    let mut journal = stored.journal(ready, 0, before);
    let mut tasks = ready.tasks(taken.map(|taken| (taken.bytes, taken.spent)))?;
    sheet.take_all(|header, bytes| {
        for improvement in tasks.take(header.index, bytes)? {
            journal.improvement(&improvement).map_err(|reason| anyhow!(reason))?;
        }
        Ok(())
    });
    let spent = tasks.spent();
    let kept = match tasks.checkpoint()? {
        Some(bytes) => journal.checkpoint(&bytes, spent),
        None => Ok(()),
    };
    kept.and_then(|()| journal.progress(spent)).map_err(|reason| anyhow!(reason))?;
    (sheet.done, sheet.is_over, sheet.played) = (tasks.done(), tasks.is_over(), spent.work);
    if !tasks.is_over() {
        return Ok(None);
    }
    let outcome = tasks.outcome()?;
    journal.outcome(&outcome).map_err(|reason| anyhow!(reason))?;
    Ok(Some(outcome))
}

/// Adds runs of a batch.
fn of_a_batch(stored: &Stored, ready: &Ready, sheet: &mut Sheet) {
    let runs = ready.spec().runs;
    let mut finished: BTreeSet<u64> = (0..runs).filter(|&number| stored.outcome(number).is_some()).collect();
    let mut played = Counts::default();
    sheet.take_all(|header, bytes| {
        let number = header.index;
        anyhow::ensure!(number < runs, "it is of run {number}, and the batch has {runs}");
        if finished.contains(&number) {
            return Ok(());
        }
        let (ready, taken) = (ready.number(number, 1), stored.left(number));
        let before = taken.as_ref().map_or(Spent::default(), |taken| taken.spent);
        let mut journal = stored.journal(&ready, number, before);
        let mut tasks = ready.tasks(taken.map(|taken| (taken.bytes, taken.spent)))?;
        for improvement in tasks.take(number, bytes)? {
            journal.improvement(&improvement).map_err(|reason| anyhow!(reason))?;
        }
        let spent = tasks.spent();
        played.playouts += spent.work.playouts - before.work.playouts.min(spent.work.playouts);
        if tasks.is_over() {
            finished.insert(number);
            return journal.outcome(&tasks.outcome()?).map_err(|reason| anyhow!(reason));
        }
        match tasks.checkpoint()? {
            Some(bytes) => journal.checkpoint(&bytes, spent).map_err(|reason| anyhow!(reason)),
            None => Ok(()),
        }
    });
    (sheet.done, sheet.played) = ((finished.len() as u64, Some(runs)), played);
}

/// The reports of a folder, and what became of them.
struct Sheet {
    folder: PathBuf,
    reports: Vec<PathBuf>,
    /// How many finished reports the files have, by their names without the ending.
    finished: BTreeMap<String, u64>,
    interim: u64,
    refused: Vec<(PathBuf, String)>,
    /// How many tasks of the run are done, and how many it has.
    done: (u64, Option<u64>),
    /// Whether the run needs no more.
    is_over: bool,
    played: Counts,
}

impl Sheet {
    fn new(folder: &Path) -> Result<Self> {
        let reports = files_ending(folder, "report")?;
        let folder = folder.to_path_buf();
        let (finished, interim, refused, done, is_over, played) = Default::default();
        Ok(Sheet { folder, reports, finished, interim, refused, done, is_over, played })
    }

    /// Takes every report; what cannot be taken is remembered with the reason.
    fn take_all(&mut self, mut take: impl FnMut(&ReportHeader, &[u8]) -> Result<()>) {
        for path in self.reports.clone() {
            if let Err(error) = self.take_file(&path, &mut take) {
                self.refused.push((path, format!("{error:#}")));
            }
        }
    }

    fn take_file(&mut self, path: &Path, mut take: impl FnMut(&ReportHeader, &[u8]) -> Result<()>) -> Result<()> {
        let bytes = files::read_large(path)?;
        let (reports, wrong) = bundle::split(&bytes);
        for report in &reports {
            let header = ReportHeader::read(report)?;
            take(&header, report)?;
            match header.is_finished {
                true => *self.finished.entry(stem(path)).or_default() += 1,
                false => self.interim += 1,
            }
        }
        wrong.map_or(Ok(()), |wrong| Err(anyhow!("the report is damaged: {wrong}")))
    }

    /// The files of the folder whose tasks are not all finished.
    fn missing(&self) -> Result<Vec<String>> {
        let mut missing = Vec::new();
        for path in files_ending(&self.folder, "task")? {
            let finished = self.finished.get(&stem(&path)).copied().unwrap_or(0);
            // A file of tasks that cannot be read is not finished either.
            if bundle::tasks(&path).map_or(true, |tasks| finished < tasks.len() as u64) {
                missing.push(stem(&path));
            }
        }
        Ok(missing)
    }

    fn print(&self, job: &Job<'_>, args: &CollectArgs) -> Result<()> {
        let missing = self.missing()?;
        for (path, reason) in &self.refused {
            anstream::eprintln!("{}: {}: {}", text::program(), text::name(path), text::without_codes(reason));
        }
        let (done, all) = self.done;
        if args.shown.json {
            let refused =
                self.refused.iter().map(|(path, reason)| json!({ "file": text::name(path), "error": reason }));
            return Ok(json::print(&json!({
                "event": "collected", "id": args.id, "finished": self.finished.values().sum::<u64>(), "interim": self.interim,
                "refused": refused.collect::<Vec<_>>(), "missing": missing, "done": done, "tasks": all,
                "playouts": self.played.playouts,
            }))?);
        }
        if args.shown.quiet {
            return Ok(());
        }
        let things = if job.spec().runs > 1 { "run" } else { "task" };
        let done = match all {
            Some(all) => format!("{} of {} done", text::count(done), text::plural(all, things)),
            None => format!("{} done", text::plural(done, things)),
        };
        let (finished, refused) = (self.finished.values().sum::<u64>(), self.refused.len() as u64);
        let counts = [(finished, "finished"), (self.interim, "interim"), (refused, "refused")];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, what)| format!("{} {what}", text::count(*count))).collect();
        let counts = if counts.is_empty() { "none".to_owned() } else { counts.join(", ") };
        text::print(&format!("run {}: {done}; reports in {}: {counts}\n", args.id, text::name(&self.folder)))?;
        if !missing.is_empty() {
            let list = ranges(&missing);
            let (program, path) = (text::program(), text::quoted(&text::name(&self.folder)));
            text::print_as_it_is(&format!(
                "not finished: {list}\n\
                 with Slurm:  sbatch --array={list} --wrap '{program} task {path}/$SLURM_ARRAY_TASK_ID.task'\n"
            ))?;
        } else if all != Some(self.done.0) && job.stored.as_ref().is_some_and(|_| job.spec().runs > 1 || all.is_none())
        {
            let program = text::program();
            text::print_as_it_is(&format!("more tasks:  {program} runs tasks {} -o FOLDER\n", args.id))?;
        }
        Ok(())
    }
}

/// The files of a folder with an ending, in the order of their numbers.
pub(super) fn files_ending(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("{}: cannot be read", text::name(folder)))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<Vec<_>>>()?;
    let mut paths: Vec<PathBuf> =
        paths.into_iter().filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    paths.sort_by_key(|path| (stem(path).parse().unwrap_or(u64::MAX), stem(path)));
    Ok(paths)
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned())
}

/// Names that are numbers as ranges, such as 0-3,7.
fn ranges(names: &[String]) -> String {
    let mut parts: Vec<(String, String)> = Vec::new();
    for name in names {
        let follows = |last: &str| {
            last.parse::<u64>().ok().and_then(|last| last.checked_add(1)).is_some_and(|next| next.to_string() == *name)
        };
        match parts.last_mut() {
            Some((_, last)) if follows(last) => last.clone_from(name),
            _ => parts.push((name.clone(), name.clone())),
        }
    }
    let written = |(first, last): &(String, String)| match first == last {
        true => first.clone(),
        false => format!("{first}-{last}"),
    };
    parts.iter().map(written).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn numbers_in_a_row_are_a_range() {
        let named = |numbers: &[&str]| ranges(&numbers.iter().map(|&number| number.to_owned()).collect::<Vec<_>>());
        assert_eq!(named(&["0", "1", "2", "5", "7", "8", "extra"]), "0-2,5,7-8,extra");
        assert_eq!(named(&[]), "");
    }
}
