//! `nestling runs tasks`: a run divided into files, one task each.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use nestling::TaskSpec;
use nestling_registry::{Ready, Registry, RunSpec};
use nestling_store::{More, Store, StoredCheckpoint};

use super::args::TasksArgs;
use super::resume::refused;
use crate::failure::Exit;
use crate::output::{Existing, Output};
use crate::{bundle, explain, text};

pub(super) fn tasks(store: &Store, args: &TasksArgs, registry: &Registry) -> Result<Exit> {
    store.check_free(args.id)?;
    let run = store.run(args.id)?;
    let asked = store.resumable(&run, More::default()).map_err(refused)?;
    // As many workers as tasks: all of them may be made at once.
    let asked = RunSpec { threads: Some(usize::try_from(args.most())?), ..asked };
    let ready = registry.decide(registry.open(&asked.problem)?.into(), asked).map_err(explain::refused)?;
    let folder = Folder::new(&args.output)?;
    let tasks = match ready.spec().runs {
        1 => of_one_run(store, args, &ready)?,
        _ => of_a_batch(store, args, &ready)?,
    };
    ensure!(!tasks.is_empty(), "run {}: no task is left to write; `runs resume {}` finishes it", args.id, args.id);
    folder.create()?;
    let each = args.each.unwrap_or_else(|| (tasks.len() as u64).div_ceil(args.count)).max(1);
    let files = tasks.chunks(usize::try_from(each)?);
    let written = files.len() as u64;
    for (file, position) in files.zip(0..) {
        folder.write(position, file)?;
    }
    let (program, path) = (text::program(), text::shell_word(&text::name(&folder.0)));
    let (count, id) = (text::plural(tasks.len() as u64, "task"), args.id);
    let (files, numbers) =
        (text::plural(written, "file"), if written > 1 { format!("0-{}", written - 1) } else { "0".to_owned() });
    text::print_as_it_is(&format!(
        "run {id}: {count} in {files} in {path}\n\
         make them:   {program} task {path}/0.task, and so on\n\
         with Slurm:  {}\n\
         afterwards:  {program} runs collect {id} {path}\n",
        bundle::slurm(&folder.0, &numbers)
    ))?;
    Ok(Exit::Done)
}

/// The next tasks of a single run. Where only a budget ends it, as many as there are to be files, unless each is to have more.
fn of_one_run(store: &Store, args: &TasksArgs, ready: &Ready) -> Result<Vec<TaskSpec>> {
    let mut tasks = ready.tasks(store.checkpoint(args.id, 0)?.map(StoredCheckpoint::into_resume))?;
    if tasks.is_divided() && ready.spec().time.is_some() {
        let (id, search) = (args.id, ready.search());
        bail!(
            "run {id}: a time limit cannot be divided among tasks; store {search} with --playouts, --target or a number of repetitions instead"
        );
    }
    let mut next = tasks.next_task()?;
    let is_endless = tasks.is_divided() && tasks.done().1.is_none();
    let most = if is_endless { args.most().min(args.count * args.each.unwrap_or(1)) } else { args.most() };
    let mut all = Vec::new();
    while let Some(task) = next.take() {
        all.push(task);
        if (all.len() as u64) < most {
            next = tasks.next_task()?;
        }
    }
    Ok(all)
}

/// The runs of a batch that are not finished, each a task.
fn of_a_batch(store: &Store, args: &TasksArgs, ready: &Ready) -> Result<Vec<TaskSpec>> {
    let finished: BTreeSet<u64> = store.outcomes(args.id)?.into_iter().map(|finished| finished.number).collect();
    let mut all = Vec::new();
    for number in (0..ready.spec().runs).filter(|number| !finished.contains(number)) {
        if all.len() as u64 == args.most() {
            break;
        }
        let ready = ready.number(number, 1);
        all.extend(ready.tasks(store.checkpoint(args.id, number)?.map(StoredCheckpoint::into_resume))?.next_task()?);
    }
    Ok(all)
}

/// A folder without tasks.
struct Folder(PathBuf);

impl Folder {
    fn new(path: &Path) -> Result<Self> {
        let name = text::name(path);
        ensure!(path != Path::new("-"), "-: a folder is needed here, not standard output");
        if path.exists() {
            let mut entries = std::fs::read_dir(path).with_context(|| format!("{name}: cannot be read"))?;
            let is_ours = |name: &Path| name.extension().is_some_and(|ending| ending == "task" || ending == "report");
            let has_tasks = entries.any(|entry| entry.is_ok_and(|entry| is_ours(&entry.path())));
            ensure!(!has_tasks, "{name}: already contains tasks; name another folder");
        }
        Ok(Folder(path.to_path_buf()))
    }

    fn create(&self) -> Result<()> {
        std::fs::create_dir_all(&self.0).with_context(|| format!("{}: cannot be created", text::name(&self.0)))
    }

    fn write(&self, position: u64, tasks: &[TaskSpec]) -> Result<()> {
        let output = Output::new(&self.0.join(format!("{position}.task")), Existing::Refused)?;
        output.write(bundle::join(tasks.iter().map(|task| task.bytes.as_slice())))
    }
}
