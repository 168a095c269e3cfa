//! `nestling runs collect`: the results of tasks, added to their run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, ensure};
use nestling::{Counts, Journal, Outcome, ReportHeader, Spent, TaskSpec};
use nestling_registry::{Instance, Registry, Resume, RunSpec};
use nestling_store::{More, State, Store};
use serde_json::json;

use super::args::{CollectArgs, ResumeArgs};
use super::resume::{refused, resume};
use crate::failure::Exit;
use crate::solve::{self, Job};
use crate::stored::{self, Stored};
use crate::{bundle, explain, json, report, text};

pub(super) fn collect(mut store: Store, args: &CollectArgs, registry: &Registry) -> Result<Exit> {
    let run = store.run(args.id)?;
    let mut sheet = ReportFolder::new(&args.folder)?;
    if run.state == State::Done {
        return is_done(args);
    }
    let asked = store.resumable(&run, More::default()).map_err(refused)?;
    let asked = RunSpec { threads: Some(sheet.reports.len().max(1)), ..asked };
    let problem: Arc<dyn Instance> = registry.open(&asked.problem).with_context(|| format!("run {}", run.id))?.into();
    let ready = registry.decide(Arc::clone(&problem), asked).map_err(explain::refused)?;
    let [output, learned] = [&run.spec.output, &run.spec.learned].map(|file| file.as_deref().map(Path::new));
    let mut job = Job::new(ready, problem.as_ref(), registry, args.shown, [output, learned], args.force, true)?;
    let (path, lease) = (store.path().to_path_buf(), store.take(run.id)?);
    job.stored = Some(Stored::go_on(&job, store, lease)?);
    let stored = job.stored.as_ref().expect("it was just set");
    let outcome = match job.spec().runs {
        1 => of_one_run(stored, &job, &mut sheet)?,
        _ => {
            of_a_batch(stored, &job, &mut sheet);
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
    let exit = if sheet.refused.is_empty() { Exit::Done } else { Exit::Negative };
    let Some(outcome) = &outcome else {
        let is_whole = job.spec().runs > 1 && sheet.done.0 == job.spec().runs;
        drop(job);
        // All runs of a batch are in: what is left of it is its summary.
        return match is_whole {
            true => {
                let again = ResumeArgs { force: args.force, ..ResumeArgs::of(args.id, args.shown) };
                Ok(exit.max(resume(super::checked(&path, Store::open_existing)?, &again, registry)?))
            }
            false => Ok(exit),
        };
    };
    match args.shown.json {
        true => json::print(&json::result(None, problem.as_ref(), job.spec(), outcome))?,
        false => report::print(&job, job.spec(), outcome)?,
    }
    Ok(exit.max(solve::verdict(&job, outcome)))
}

/// Of a run that is done nothing changes any more.
fn is_done(args: &CollectArgs) -> Result<Exit> {
    if args.shown.json {
        json::print(&json!({ "event": "done", "id": args.id }))?;
    } else if !args.shown.quiet {
        text::print(&format!("run {} is done; reports are ignored\n", args.id))?;
    }
    Ok(Exit::Done)
}

/// Adds the tasks of a single run; returns its result if it is finished.
fn of_one_run(stored: &Stored, job: &Job<'_>, sheet: &mut ReportFolder) -> Result<Option<Outcome>> {
    let (ready, left) = (&job.ready, stored.left(0));
    let before = left.as_ref().map_or(Spent::default(), |(_, spent)| *spent);
    let mut journal = stored.journal(job.problem(), 0, ready.seed(), before);
    let mut tasks = ready.tasks(left)?;
    sheet.take_all(|header, bytes| {
        for improvement in tasks.take(header.index, bytes)? {
            journal.improvement(&improvement).map_err(|reason| anyhow!(reason))?;
        }
        for find in tasks.finds() {
            if let Some(mut finds) = job.finds() {
                finds.add(job.problem(), &find);
            }
            journal.find(&find).map_err(|reason| anyhow!(reason))?;
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
fn of_a_batch(stored: &Stored, job: &Job<'_>, sheet: &mut ReportFolder) {
    let runs = job.spec().runs;
    let mut finished: BTreeSet<u64> = (0..runs).filter(|&number| stored.outcome(number).is_some()).collect();
    let (mut played, mut stands) = (Counts::default(), BTreeMap::new());
    sheet.take_all(|header, bytes| {
        let number = header.index;
        ensure!(number < runs, "it reports run {number}, but the batch has only {runs} runs, from 0 on");
        if finished.contains(&number) {
            return Ok(());
        }
        let ready = job.ready.number(number, 1);
        // There may be several reports of one run; each continues from the one before.
        let stand: &mut Option<Resume> = stands.entry(number).or_insert_with(|| stored.left(number));
        let before = stand.as_ref().map_or(Spent::default(), |(_, spent)| *spent);
        let mut journal = stored.journal(job.problem(), number, ready.seed(), before);
        let mut tasks = ready.tasks(stand.clone())?;
        for improvement in tasks.take(number, bytes)? {
            journal.improvement(&improvement).map_err(|reason| anyhow!(reason))?;
        }
        let spent = tasks.spent();
        played.playouts += spent.work.playouts.saturating_sub(before.work.playouts);
        if !tasks.is_over() {
            let Some(bytes) = tasks.checkpoint()? else { return Ok(()) };
            if spent.work.playouts > before.work.playouts {
                journal.checkpoint(&bytes, spent).map_err(|reason| anyhow!(reason))?;
                *stand = Some((bytes, spent));
            }
            return Ok(());
        }
        finished.insert(number);
        let outcome = tasks.outcome()?;
        if job.shown.json {
            json::print(&json::result(Some(number), job.problem(), ready.spec(), &outcome))?;
        }
        journal.outcome(&outcome).map_err(|reason| anyhow!(reason))
    });
    (sheet.done, sheet.played) = ((finished.len() as u64, Some(runs)), played);
    sheet.is_over = sheet.done.0 == runs;
}

/// The reports of a folder, and what became of them.
struct ReportFolder {
    folder: PathBuf,
    reports: Vec<PathBuf>,
    /// The tasks with finished reports.
    finished: BTreeSet<u64>,
    interim: u64,
    refused: Vec<(PathBuf, String)>,
    /// How many tasks of the run are done, and how many it has.
    done: (u64, Option<u64>),
    /// Whether the run needs no more.
    is_over: bool,
    played: Counts,
}

impl ReportFolder {
    fn new(folder: &Path) -> Result<Self> {
        let reports = files_ending(folder, "report")?;
        let folder = folder.to_path_buf();
        let (finished, interim, refused, done, is_over, played) = Default::default();
        Ok(ReportFolder { folder, reports, finished, interim, refused, done, is_over, played })
    }

    /// Takes every report; what cannot be taken is remembered with the reason.
    fn take_all(&mut self, mut take: impl FnMut(&ReportHeader, &[u8]) -> Result<()>) {
        for path in self.reports.clone() {
            let bytes = match std::fs::read(&path) {
                Ok(bytes) => bytes,
                Err(error) => {
                    self.refused.push((path, format!("cannot be read: {error}")));
                    continue;
                }
            };
            let (reports, wrong) = bundle::split(&bytes);
            let mut reasons = wrong.map(|wrong| format!("the report is damaged: {wrong}"));
            for report in reports.iter().filter(|report| !report.is_empty()) {
                if let Err(error) = self.take_one(report, &mut take) {
                    reasons.get_or_insert(format!("{error:#}"));
                }
            }
            self.refused.extend(reasons.map(|reason| (path, reason)));
        }
    }

    fn take_one(&mut self, report: &[u8], take: &mut impl FnMut(&ReportHeader, &[u8]) -> Result<()>) -> Result<()> {
        let header = ReportHeader::read(report)?;
        take(&header, report)?;
        match header.is_finished {
            true => drop(self.finished.insert(header.index)),
            false => self.interim += 1,
        }
        Ok(())
    }

    /// The files of the folder whose tasks are not all finished; those that cannot be read are refused.
    fn missing(&mut self) -> Result<Vec<String>> {
        let mut missing = Vec::new();
        for path in files_ending(&self.folder, "task")? {
            let read = |tasks: Vec<Vec<u8>>| tasks.into_iter().map(TaskSpec::read).collect::<Result<Vec<_>, _>>();
            match bundle::tasks(&path).map(read) {
                Ok(Ok(tasks)) if tasks.iter().all(|task| self.finished.contains(&task.index)) => {}
                Ok(Ok(_)) => missing.push(stem(&path)),
                Ok(Err(error)) => self.refused.push((path, format!("{error}; {ANEW}"))),
                Err(_) => self.refused.push((path, format!("the task is damaged; {ANEW}"))),
            }
        }
        Ok(missing)
    }

    fn print(&mut self, job: &Job<'_>, args: &CollectArgs) -> Result<()> {
        let missing = if self.is_over { Vec::new() } else { self.missing()? };
        for (path, reason) in &self.refused {
            anstream::eprintln!("{}: {}: {}", text::program(), text::name(path), text::without_codes(reason));
        }
        let ((done, all), finished) = (self.done, self.finished.len() as u64);
        if args.shown.json {
            let refused =
                self.refused.iter().map(|(path, reason)| json!({ "file": text::name(path), "error": reason }));
            return Ok(json::print(&json!({
                "event": "collected", "id": args.id, "finished": finished, "interim": self.interim,
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
        let counts = [(finished, "finished"), (self.interim, "interim"), (self.refused.len() as u64, "refused")];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, what)| format!("{} {what}", text::count(*count))).collect();
        let counts = if counts.is_empty() { "none".to_owned() } else { counts.join(", ") };
        text::print(&format!("run {}: {done}; reports in {}: {counts}\n", args.id, text::name(&self.folder)))?;
        self.advise(args, &missing)
    }

    /// The commands for a run that is not complete.
    fn advise(&self, args: &CollectArgs, missing: &[String]) -> Result<()> {
        let (program, id) = (text::program(), args.id);
        if !missing.is_empty() {
            let list = ranges(missing);
            text::print_as_it_is(&format!(
                "not finished: {list}\nwith Slurm:   {}\n",
                bundle::slurm(&self.folder, &list)
            ))?;
        } else if !self.is_over {
            text::print_as_it_is(&format!(
                "more tasks:  {program} runs tasks {id} -o FOLDER\nor here:     {program} runs resume {id}\n"
            ))?;
        }
        Ok(())
    }
}

/// The advice for a damaged file of tasks.
const ANEW: &str = "`runs tasks` writes its tasks again, to another folder";

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
