//! `nestling task`: tasks of a run, made by a process that knows nothing else of the run.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueHint};
use nestling::{Cancel, Event, Improvement, Journal, ReportHeader, RunError, Spent, TaskError};
use nestling_registry::{Controls, Ready, Registry, RunSpec, host};

use crate::args::{ForceArgs, within};
use crate::failure::Exit;
use crate::output::{Existing, Output};
use crate::progress::{Progress, Total};
use crate::{bundle, explain, files, interrupt, text};

#[derive(Debug, Args)]
#[command(after_help = "\
If a task is interrupted, the same command continues it.

Examples:
  nestling task tasks/0.task                      writes tasks/0.report
  nestling task tasks/0.task -o elsewhere/0.report
  sbatch --array=0-99 --wrap 'nestling task tasks/$SLURM_ARRAY_TASK_ID.task'

Exit codes: 0 finished; 2 bad usage, an unreadable task, or a report that could not be written;
130 interrupted")]
pub(crate) struct TaskArgs {
    /// A file with tasks that `nestling runs tasks` has written
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The report to write [default: the same file name with the ending .report]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
    /// The number of threads; the result does not depend on it, unless the run stops at a target or a time [default: all cores]
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

pub(crate) fn task(args: &TaskArgs, registry: &Registry) -> Result<Exit> {
    let tasks = bundle::tasks(&args.file)?;
    let path = args.output.clone().unwrap_or_else(|| args.file.with_extension("report"));
    files::distinct(&args.file, &path)?;
    let output = Output::over(&path)?;
    let known = known(&path, args.force.existing())?;
    let (cancel, total) = (Cancel::new(), tasks.len() as u64);
    let whole = if total > 1 { Total::Runs(total) } else { Total::Unknown };
    let progress = Progress::new(whole).quiet(args.quiet);
    interrupt::listen(&cancel)?;
    let mut reports = Reports { output: &output, done: Vec::new(), known: known.into(), written: Instant::now() };
    let (mut spent, mut is_finished) = (Spent::default(), true);
    for (task, done) in tasks.iter().zip(1..) {
        let ready = ready(args, task, registry)?;
        let resume = reports.known.pop_front().flatten().map(|report| (report, Spent::default()));
        let mut listener = |event: &Event| match event {
            Event::Progress { .. } => progress.update(event, ready.problem(), ""),
            Event::JournalFailed(reason) | Event::Failed(reason) | Event::Trouble(reason) => progress.say(reason),
            _ => {}
        };
        let controls = Controls {
            cancel: cancel.clone(),
            resume,
            listener: Some(&mut listener),
            journal: Some(&mut reports),
            ..Controls::default()
        };
        let made = ready.make_task(task, &maker(), controls);
        let report = made.map_err(|error| refused(&error, &args.file, &path))?;
        let header = ReportHeader::read(&report)?;
        spent.time = spent.time.saturating_add(header.spent.time);
        spent.work.playouts = spent.work.playouts.saturating_add(header.spent.work.playouts);
        reports.done.push(report);
        if !header.is_finished {
            is_finished = false;
            break;
        }
        reports.write_if_due(ready.spec().checkpoint)?;
        progress.runs_done(done, String::new());
    }
    progress.finish();
    output.write(reports.bytes(None))?;
    let (playouts, time) = (text::plural(spent.work.playouts, "playout"), text::measured(spent.time));
    let state = if is_finished { "finished" } else { "interrupted; the same command continues it" };
    if !args.quiet {
        text::print(&format!("{}: {playouts} in {time}; {state}\n", text::name(&path)))?;
    }
    Ok(if is_finished { Exit::Done } else { Exit::Interrupted })
}

/// The run that a task is of.
fn ready(args: &TaskArgs, task: &[u8], registry: &Registry) -> Result<Ready> {
    let asked = Ready::described_by(task).with_context(|| text::name(&args.file))?;
    let asked = RunSpec { threads: args.threads.map(usize::from), ..asked };
    registry.decide(registry.open(&asked.problem)?.into(), asked).map_err(explain::refused)
}

/// The worker's name, to trace an error in its report.
pub(crate) fn maker() -> String {
    format!("{}, process {}", host(), std::process::id())
}

/// The existing reports, to continue from. Damaged ones are made again; any other file is left unchanged.
fn known(path: &Path, existing: Existing) -> Result<Vec<Option<Vec<u8>>>> {
    if !path.exists() || existing.may_go() {
        return Ok(Vec::new());
    }
    let bytes = files::read_large(path)?;
    if !is_ours(path, &bytes) {
        return Err(existing.refusal(path, "this file exists and is not a report"));
    }
    let (reports, wrong) = bundle::split(&bytes);
    let mut is_damaged = wrong.is_some();
    let mut known = Vec::new();
    for report in reports {
        match ReportHeader::read(&report) {
            _ if report.is_empty() => known.push(None),
            Ok(_) => known.push(Some(report)),
            Err(TaskError::Damaged { .. }) => {
                is_damaged = true;
                known.push(None);
            }
            Err(error) => return Err(anyhow!("{}: {error}", text::name(path))),
        }
    }
    if is_damaged {
        let (program, name) = (text::program(), text::name(path));
        anstream::eprintln!("{program}: {name}: the report is damaged; its missing tasks are made again");
    }
    Ok(known)
}

/// Whether a file is a report, possibly a damaged one. If the file ends in its first words, its name decides.
fn is_ours(path: &Path, bytes: &[u8]) -> bool {
    const FIRST_WORDS: usize = 16;
    let is_named = path.extension().is_some_and(|ending| ending == "report");
    match bytes.get(8..FIRST_WORDS) {
        // The first task may have no report yet.
        _ if bytes.starts_with(&[0; 8]) => is_named,
        Some(words) => ReportHeader::is_report(words),
        None => bytes.is_empty() || is_named,
    }
}

/// Why a task is not made, and which file is to blame.
fn refused(error: &RunError, task: &Path, report: &Path) -> anyhow::Error {
    let is_of_report =
        matches!(&error, RunError::Task(TaskError::OtherTask { .. } | TaskError::OtherRun { what: "report", .. }));
    match is_of_report {
        true => anyhow!("{}: {error}; name another file, or add --force to replace it", text::name(report)),
        false => anyhow!("{}: {error}", text::name(task)),
    }
}

/// The file of the reports. Interim reports are written to it too, from which an interrupted task is resumed.
struct Reports<'a> {
    output: &'a Output,
    done: Vec<Vec<u8>>,
    /// The content of the file for the later tasks.
    known: VecDeque<Option<Vec<u8>>>,
    written: Instant,
}

impl Reports<'_> {
    fn bytes(&self, interim: Option<&[u8]>) -> Vec<u8> {
        // A report that is still missing has no bytes.
        let later = self.known.iter().map(|known| known.as_deref().unwrap_or_default());
        bundle::join(self.done.iter().map(Vec::as_slice).chain(interim).chain(later))
    }

    /// Many small tasks are not written one by one.
    fn write_if_due(&mut self, interval: Duration) -> Result<()> {
        if self.written.elapsed() >= interval {
            self.output.write(self.bytes(None))?;
            self.written = Instant::now();
        }
        Ok(())
    }
}

impl Journal for Reports<'_> {
    fn improvement(&mut self, _: &Improvement) -> Result<(), String> {
        Ok(())
    }

    fn checkpoint(&mut self, report: &[u8], _: Spent) -> Result<(), String> {
        let written = self.output.write(self.bytes(Some(report)));
        self.written = Instant::now();
        written.map_err(|error| format!("{error:#}; the task continues, and will try again"))
    }
}
