//! `nestling task`: tasks of a run, made by a process that knows nothing else of the run.

use std::path::{Path, PathBuf};

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
An interrupted task continues where it was when the same command is given again.

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
    /// The report to write; if not given, the same file name with the ending .report
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
    /// The number of threads; all cores if not given. The result does not depend on it
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
    let mut known = known(&path, args.force.existing())?.into_iter();
    let (cancel, total) = (Cancel::new(), tasks.len() as u64);
    let whole = if total > 1 { Total::Runs(total) } else { Total::Unknown };
    let progress = Progress::new(whole).quiet(args.quiet);
    interrupt::listen(&cancel)?;
    let (mut reports, mut spent) = (Reports { output: &output, finished: Vec::new() }, Spent::default());
    for (task, done) in tasks.iter().zip(1..) {
        let (ready, controls) =
            (ready(args, task, registry)?, Controls { cancel: cancel.clone(), ..Controls::default() });
        let resume = known.next().map(|report| (report, Spent::default()));
        let mut listener = |event: &Event| match event {
            Event::Progress { .. } => progress.update(event, ready.problem(), ""),
            Event::JournalFailed(reason) | Event::Failed(reason) => progress.say(reason),
            Event::Improvement(_) | Event::Find(_) => {}
        };
        let controls = Controls { resume, listener: Some(&mut listener), journal: Some(&mut reports), ..controls };
        let made = ready.make_task(task, &maker(), controls);
        let report = made.map_err(|error| refused(&error, &args.file, &path))?;
        let header = ReportHeader::read(&report)?;
        spent.time += header.spent.time;
        spent.work.playouts += header.spent.work.playouts;
        reports.finished.push(report);
        if !header.is_finished {
            break;
        }
        progress.runs_done(done, String::new());
    }
    progress.finish();
    output.write(reports.bytes(None))?;
    let is_finished = reports.finished.len() == tasks.len() && !cancel.is_cancelled();
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

/// Who makes a task, for whoever finds a mistake in its report.
pub(crate) fn maker() -> String {
    format!("{}, process {}", host(), std::process::id())
}

/// The reports that are there already, to go on from. From where they are damaged on they are made again; anything else is left alone.
fn known(path: &Path, existing: Existing) -> Result<Vec<Vec<u8>>> {
    if !path.exists() || existing.may_go() {
        return Ok(Vec::new());
    }
    let bytes = files::read_large(path)?;
    let (mut reports, wrong) = bundle::split(&bytes);
    // A file that breaks off in its first report begins like one all the same.
    let is_ours = bytes.is_empty() || bytes.get(8..).is_some_and(ReportHeader::is_report);
    if !is_ours {
        return Err(existing.refusal(path, "this file exists and is not a report"));
    }
    let whole = reports.iter().take_while(|report| ReportHeader::read(report).is_ok()).count();
    if let Some(Err(error @ TaskError::Version { .. })) = reports.get(whole).map(|report| ReportHeader::read(report)) {
        return Err(anyhow!("{}: {error}", text::name(path)));
    }
    if wrong.is_some() || whole < reports.len() {
        let (program, name) = (text::program(), text::name(path));
        anstream::eprintln!("{program}: {name}: the report is damaged; what is missing is made again");
    }
    reports.truncate(whole);
    Ok(reports)
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

/// The file of the reports. Interim reports are written to it too, from which a task goes on should it be interrupted.
struct Reports<'a> {
    output: &'a Output,
    finished: Vec<Vec<u8>>,
}

impl Reports<'_> {
    fn bytes(&self, interim: Option<&[u8]>) -> Vec<u8> {
        bundle::join(self.finished.iter().map(Vec::as_slice).chain(interim))
    }
}

impl Journal for Reports<'_> {
    fn improvement(&mut self, _: &Improvement) -> Result<(), String> {
        Ok(())
    }

    fn checkpoint(&mut self, report: &[u8], _: Spent) -> Result<(), String> {
        let written = self.output.write(self.bytes(Some(report)));
        written.map_err(|error| format!("{error:#}; the task continues, and will try again"))
    }
}
