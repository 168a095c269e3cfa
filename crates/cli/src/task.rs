//! `nestling task`: one task of a run, made by a process that knows nothing else of the run.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueHint};
use nestling::{Cancel, Event, Improvement, Journal, ReportHeader, RunError, Spent, TaskError};
use nestling_registry::{Controls, Ready, Registry, RunSpec, host};

use crate::args::{ForceArgs, within};
use crate::failure::Exit;
use crate::output::{Existing, Output};
use crate::progress::{Progress, Total};
use crate::{explain, files, interrupt, text};

#[derive(Debug, Args)]
#[command(after_help = "\
An interrupted task continues from its last interim report when the same command is given again.

Examples:
  nestling task tasks/0.task                      writes tasks/0.report
  nestling task tasks/0.task -o elsewhere/0.report
  sbatch --array=0-99 --wrap 'nestling task tasks/$SLURM_ARRAY_TASK_ID.task'

Exit codes: 0 the task is finished; 2 bad usage, an unreadable task, or a report that could not be
written; 130 interrupted")]
pub(crate) struct TaskArgs {
    /// The task, a file that `nestling runs tasks` has written
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The report to write; if not given, the file of the task with the ending .report
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
    let name = text::name(&args.file);
    let bytes = files::read_large(&args.file)?;
    let asked = Ready::described_by(&bytes).with_context(|| name.clone())?;
    let problem = registry.open(&asked.problem)?;
    let asked = RunSpec { threads: args.threads.map(usize::from), ..asked };
    let ready = registry.decide(problem.into(), asked).map_err(explain::refused)?;
    let path = args.output.clone().unwrap_or_else(|| args.file.with_extension("report"));
    files::distinct(&args.file, &path)?;
    let output = Output::over(&path)?;
    let known = known(&path, args.force.existing())?;
    let (cancel, progress) = (Cancel::new(), Progress::new(Total::Unknown).quiet(args.quiet));
    interrupt::listen(&cancel)?;
    let mut listener = |event: &Event| match event {
        Event::Progress { .. } => progress.update(event, ready.problem(), ""),
        Event::JournalFailed(reason) | Event::Failed(reason) => progress.say(reason),
        Event::Improvement(_) | Event::Find(_) => {}
    };
    let mut journal = InterimReports(&output);
    let controls = Controls {
        cancel: cancel.clone(),
        resume: known.map(|report| (report, Spent::default())),
        listener: Some(&mut listener),
        journal: Some(&mut journal),
        ..Controls::default()
    };
    let made = ready.make_task(&bytes, &maker(), controls);
    progress.finish();
    let report = made.map_err(|error| refused(error, &args.file, &path))?;
    output.write(&report)?;
    let ReportHeader { spent, is_finished, .. } = ReportHeader::read(&report)?;
    let (playouts, time) = (text::plural(spent.work.playouts, "playout"), text::measured(spent.time));
    let state = if is_finished { "finished" } else { "interrupted; the same command continues it" };
    if !args.quiet {
        text::print(&format!("{}: {playouts} in {time}; {state}\n", text::name(&path)))?;
    }
    Ok(if is_finished { Exit::Done } else { Exit::Interrupted })
}

/// Who makes a task, for whoever finds a mistake in its report.
pub(crate) fn maker() -> String {
    format!("{}, process {}", host(), std::process::id())
}

/// The report that is there already, to go on from. One that was damaged is made again; anything else is left alone.
fn known(path: &Path, existing: Existing) -> Result<Option<Vec<u8>>> {
    if !path.exists() || existing.may_go() {
        return Ok(None);
    }
    let bytes = files::read_large(path)?;
    match ReportHeader::read(&bytes) {
        Ok(_) => Ok(Some(bytes)),
        Err(_) if bytes.is_empty() => Ok(None),
        Err(error @ TaskError::Damaged { .. }) if ReportHeader::is_report(&bytes) => {
            anstream::eprintln!("{}: {}: {error}; the task begins anew", text::program(), text::name(path));
            Ok(None)
        }
        Err(error @ TaskError::Version { .. }) => Err(anyhow!("{}: {error}", text::name(path))),
        Err(_) => Err(existing.refusal(path, "this file exists and is not a report")),
    }
}

/// Why a task is not made, and which file is to blame.
fn refused(error: RunError, task: &Path, report: &Path) -> anyhow::Error {
    let is_of_report =
        matches!(&error, RunError::Task(TaskError::OtherTask { .. } | TaskError::OtherRun { what: "report", .. }));
    match is_of_report {
        true => anyhow!("{}: {error}; name another file, or add --force to replace it", text::name(report)),
        false => anyhow!("{}: {error}", text::name(task)),
    }
}

/// Writes interim reports, from which the task goes on should it be interrupted.
struct InterimReports<'a>(&'a Output);

impl Journal for InterimReports<'_> {
    fn improvement(&mut self, _: &Improvement) -> Result<(), String> {
        Ok(())
    }

    fn checkpoint(&mut self, report: &[u8], _: Spent) -> Result<(), String> {
        self.0.write(report).map_err(|error| format!("{error:#}; the task continues, and will try again"))
    }
}
