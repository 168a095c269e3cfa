//! `nestling runs tasks`: a run divided into files, one task each.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use nestling::TaskSpec;
use nestling_registry::{Ready, Registry, RunSpec};
use nestling_store::{More, Store, Taken};

use super::args::TasksArgs;
use super::resume::refused;
use crate::failure::Exit;
use crate::output::{Existing, Output};
use crate::{explain, text};

pub(super) fn tasks(store: &Store, args: &TasksArgs, registry: &Registry) -> Result<Exit> {
    store.check_free(args.id)?;
    let run = store.run(args.id)?;
    let asked = store.resumable(&run, More::default()).map_err(refused)?;
    // As many workers as tasks: all of them may be made at once.
    let asked = RunSpec { threads: Some(usize::try_from(args.count)?), ..asked };
    let ready = registry.decide(registry.open(&asked.problem)?.into(), asked).map_err(explain::refused)?;
    let folder = Folder::new(&args.output)?;
    let written = match ready.spec().runs {
        1 => of_one_run(store, args, &ready, &folder)?,
        _ => of_a_batch(store, args, &ready, &folder)?,
    };
    ensure!(written > 0, "run {}: no task is left to write; `runs resume {}` finishes it", args.id, args.id);
    let last = written - 1;
    let (program, path) = (text::program(), text::quoted(&text::name(&folder.0)));
    let (count, id) = (text::plural(written, "task"), args.id);
    text::print_as_it_is(&format!(
        "run {id}: {count} in {path}\n\
         make one:    {program} task {path}/0.task\n\
         with Slurm:  sbatch --array=0-{last} --wrap '{program} task {path}/$SLURM_ARRAY_TASK_ID.task'\n\
         afterwards:  {program} runs collect {id} {path}\n"
    ))?;
    Ok(Exit::Done)
}

/// The next tasks of a single run.
fn of_one_run(store: &Store, args: &TasksArgs, ready: &Ready, folder: &Folder) -> Result<u64> {
    let mut tasks = ready.tasks(resume(store.checkpoint(args.id, 0)?))?;
    if tasks.is_divided() && ready.spec().time.is_some() {
        let (id, search) = (args.id, ready.search());
        bail!(
            "run {id}: a time limit cannot be divided among tasks; store {search} with --playouts, --target or a number of repetitions instead"
        );
    }
    let mut written = 0;
    while written < args.count
        && let Some(task) = tasks.next_task()?
    {
        folder.write(written, &task)?;
        written += 1;
    }
    Ok(written)
}

/// The runs of a batch that are not finished, each a task.
fn of_a_batch(store: &Store, args: &TasksArgs, ready: &Ready, folder: &Folder) -> Result<u64> {
    let finished: BTreeSet<u64> = store.outcomes(args.id)?.into_iter().map(|finished| finished.number).collect();
    let mut written = 0;
    for number in (0..ready.spec().runs).filter(|number| !finished.contains(number)) {
        if written == args.count {
            break;
        }
        let ready = ready.number(number, 1);
        let mut tasks = ready.tasks(resume(store.checkpoint(args.id, number)?))?;
        if let Some(task) = tasks.next_task()? {
            folder.write(written, &task)?;
            written += 1;
        }
    }
    Ok(written)
}

fn resume(taken: Option<Taken>) -> Option<(Vec<u8>, nestling::Spent)> {
    taken.map(|taken| (taken.bytes, taken.spent))
}

/// A folder without tasks.
struct Folder(PathBuf);

impl Folder {
    fn new(path: &Path) -> Result<Self> {
        let name = text::name(path);
        std::fs::create_dir_all(path).with_context(|| format!("{name}: cannot be created"))?;
        let mut entries = std::fs::read_dir(path).with_context(|| format!("{name}: cannot be read"))?;
        let is_ours = |name: &Path| name.extension().is_some_and(|ending| ending == "task" || ending == "report");
        let has_tasks = entries.any(|entry| entry.is_ok_and(|entry| is_ours(&entry.path())));
        ensure!(!has_tasks, "{name}: has tasks already; collect them first, and name another folder");
        Ok(Folder(path.to_path_buf()))
    }

    fn write(&self, position: u64, task: &TaskSpec) -> Result<()> {
        Output::new(&self.0.join(format!("{position}.task")), Existing::Refused)?.write(&task.bytes)
    }
}
