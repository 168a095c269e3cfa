//! `nestling lab`: the papers' experiments, run again and reported.

pub(crate) mod args;
mod compare;
mod defaults;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Command;
use nestling::Cancel;
use nestling_lab::{
    Cluster, Done, Experiment, LabEffort, Report, Runner, Subject, Verdict, figure, lasting, of_folder, open_claims,
    papers, readings_csv, standard,
};
use nestling_registry::{Device, Registry};
use nestling_store::Store;
use serde_json::json;

use self::args::{LabArgs, LabCommand, LabRunArgs};
use crate::args::DeviceChoice;
use crate::failure::Exit;
use crate::output::{Existing, Output, Sink};
use crate::progress::{Progress, Total};
use crate::{cluster, complete, interrupt, json, stored, text};

pub(crate) fn lab(args: &LabArgs, registry: &Registry) -> Result<Exit> {
    let experiments = || match &args.experiments {
        Some(path) => Ok(of_folder(path, registry)?),
        None => anyhow::Ok(standard()),
    };
    match &args.command {
        LabCommand::List { json } => list(&experiments()?, *json),
        LabCommand::Run(run_args) => {
            let (experiments, device) = (experiments()?, device(run_args.device)?);
            let is_all = run_args.all || run_args.id.is_empty();
            let chosen = if is_all { experiments.iter().collect() } else { choose(&experiments, &run_args.id)? };
            run(run_args, &chosen, registry, &mut open(args)?, device)
        }
        LabCommand::Report { id, output, force } => {
            report(&open(args)?, registry, &chosen(experiments()?, id)?, output, force.existing())
        }
        LabCommand::Export { id, output, force } => {
            let (experiments, sink) = (chosen(experiments()?, id)?, Sink::new(output, force.existing())?);
            sink.write(readings_csv(&open(args)?, &experiments)?.as_bytes())?;
            Ok(Exit::Done)
        }
        LabCommand::Compare(args) => compare::compare(args, registry),
        LabCommand::Defaults(args) => defaults::defaults(args, registry),
    }
}

/// The command `lab`, with candidates for shells: experiments and papers, beside these problems.
pub(crate) fn with_candidates(command: Command, problems: &[(String, String)]) -> Command {
    let experiments = standard().into_iter().map(|experiment| (experiment.id, experiment.title));
    let papers = papers().into_iter().map(|paper| (paper.id, "all experiments of a paper".to_owned()));
    let experiments: Vec<_> = experiments.chain(papers).collect();
    let offers = [("compare", "problem", problems), ("defaults", "problem", problems)];
    let offers = offers.into_iter().chain([
        ("run", "id", &experiments[..]),
        ("report", "id", &experiments),
        ("export", "id", &experiments),
    ]);
    offers.fold(command, |command, (name, argument, names)| {
        command.mut_subcommand(name, |command| complete::offer(command, argument, names))
    })
}

fn open(args: &LabArgs) -> Result<Store> {
    let store = Store::open(&stored::path(&args.store)?)?;
    store.check()?;
    Ok(store)
}

/// Those that are named, by themselves or by their paper.
fn choose<'a>(experiments: &'a [Experiment], names: &[String]) -> Result<Vec<&'a Experiment>> {
    let mut chosen: Vec<&Experiment> = Vec::new();
    for name in names {
        let named = |experiment: &&Experiment| experiment.id == *name || experiment.paper == *name;
        let before = chosen.len();
        chosen.extend(experiments.iter().filter(named));
        if chosen.len() == before {
            let papers: Vec<String> = papers().into_iter().map(|paper| paper.id).collect();
            bail!(
                "there is no experiment {name:?}; `{} lab list` lists them; the papers are {}",
                text::program(),
                papers.join(", ")
            );
        }
    }
    chosen.sort_by_key(|experiment| experiments.iter().position(|other| other.id == experiment.id));
    chosen.dedup_by_key(|experiment| &experiment.id);
    Ok(chosen)
}

/// Those that are named; all of them if none is.
fn chosen(experiments: Vec<Experiment>, names: &[String]) -> Result<Vec<Experiment>> {
    match names.is_empty() {
        true => Ok(experiments),
        false => Ok(choose(&experiments, names)?.into_iter().cloned().collect()),
    }
}

fn list(experiments: &[Experiment], as_json: bool) -> Result<Exit> {
    if as_json {
        for experiment in experiments {
            let rows: usize = experiment.series.iter().map(|series| series.rows.len()).sum();
            json::print(&json!({
                "id": experiment.id,
                "paper": experiment.paper,
                "source": experiment.sources,
                "title": experiment.title,
                "rows": rows,
                "claims": experiment.claims.len(),
            }))?;
        }
        return Ok(Exit::Done);
    }
    let row = |experiment: &Experiment| {
        [experiment.id.clone(), experiment.paper.clone(), experiment.sources.join(", "), experiment.title.clone()]
    };
    text::print(&text::table(["id", "paper", "source", "what"], experiments.iter().map(row)))?;
    Ok(Exit::Done)
}

/// The device for the rows that it supports. With `auto`, a message gives the reason why GPUs are not used.
fn device(choice: DeviceChoice) -> Result<Device> {
    if choice == DeviceChoice::Cpu {
        return Ok(Device::Cpu);
    }
    match nestling_gpu::available() {
        Ok(_) => Ok(Device::Cuda),
        Err(missing) if choice == DeviceChoice::Cuda => bail!("--device cuda: {missing}"),
        Err(missing) => {
            anstream::eprintln!("{}: running on the processor: {missing}", text::program());
            Ok(Device::Cpu)
        }
    }
}

fn run(
    args: &LabRunArgs,
    experiments: &[&Experiment],
    registry: &Registry,
    store: &mut Store,
    device: Device,
) -> Result<Exit> {
    let cancel = Cancel::new();
    interrupt::listen(&cancel)?;
    let effort = match () {
        () if args.full => LabEffort::Full,
        () if args.until_decided => LabEffort::UntilDecided(args.budget),
        () => LabEffort::Budget(args.budget),
    };
    let progress = Progress::new(if args.full { Total::Unknown } else { Total::Time(args.budget) });
    let workers = args.threads.map_or_else(nestling_registry::all_threads, usize::from);
    let mut opened = args.on.as_ref().map(|name| cluster::open(name, Device::Cpu)).transpose()?;
    let name = args.on.as_ref().map_or("", |name| name.split(':').next().unwrap_or(name)).to_owned();
    let cluster = opened.as_mut().map(|workers| Cluster { name, workers: workers.as_mut() });
    let seed = args.seed;
    let mut runner = Runner { registry, store, seed, workers, device, cluster, effort, cancel: cancel.clone() };
    let done = runner.run(experiments, &mut |news| {
        if let Some(trouble) = &news.trouble {
            progress.say(trouble);
        }
        let left = news.left.filter(|_| args.full);
        let left = left.map_or(String::new(), |left| format!(", {} left", text::measured(round(left))));
        progress.at(news.elapsed, format!("{}{left}", news.doing));
    });
    progress.finish();
    let done = done?;
    match args.json {
        true => done.iter().try_for_each(|row| json::print(&row_json(row)))?,
        false => summarise(&done)?,
    }
    if args.until_decided {
        anstream::eprintln!("{}: {}", text::program(), still_open(store, experiments)?);
    }
    if !device.is_cpu() && !done.is_empty() && done.iter().all(|row| row.device.is_cpu()) {
        anstream::eprintln!("{}: GPUs support none of these rows; they were run on the processor", text::program());
    }
    if cancel.is_cancelled() {
        anstream::eprintln!("{}: interrupted; the same command continues", text::program());
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Done)
}

/// In a sentence: the claims that more runs could decide, and what the cheapest of them takes.
fn still_open(store: &Store, experiments: &[&Experiment]) -> Result<String> {
    let open = open_claims(store, experiments.iter().copied())?;
    let Some(cheapest) = open.first() else {
        return Ok("no claim is open that the runs its file asks for could decide".to_owned());
    };
    let cost = match cheapest.more.core_hours {
        Some(hours) => format!("about {} of one core", lasting(3_600.0 * hours)),
        None => "an unknown time".to_owned(),
    };
    let claims = text::plural(open.len() as u64, "claim");
    let (experiment, label) = (&cheapest.experiment.id, &cheapest.judgement.label);
    Ok(format!("{claims} still without a verdict; the cheapest, {experiment}: {label}, needs {cost}"))
}

fn round(time: Duration) -> Duration {
    Duration::from_secs(time.as_secs_f64().round() as u64)
}

fn row_json(row: &Done) -> serde_json::Value {
    json!({
        "experiment": row.experiment,
        "row": row.row,
        "device": row.device,
        "on": row.cluster,
        "made_here": row.stayed,
        "reduced": row.instead,
        "runs": row.runs.0,
        "of": row.runs.1,
        "remark": row.remark,
    })
}

fn summarise(done: &[Done]) -> Result<()> {
    let cells = |row: &Done| {
        let runs = format!("{} of {}", figure(row.runs.0 as f64), figure(row.runs.1 as f64));
        let less = row.instead.as_ref().map(|less| format!("reduced: {less}"));
        let gpu = (!row.device.is_cpu()).then(|| "GPU".to_owned());
        let place = row.cluster.as_ref().map(|name| format!("on {name}"));
        let stayed = row.stayed.map(|why| format!("made here: {why}"));
        let remarks: Vec<String> = [gpu, place, stayed, less, row.remark.clone()].into_iter().flatten().collect();
        [row.experiment.clone(), row.row.clone(), runs, remarks.join("; ")]
    };
    text::print(&text::table(["experiment", "row", "runs", ""], done.iter().map(cells)))?;
    Ok(())
}

/// Writes the report. An earlier report is replaced; a file that is none only with `--force`, before which nothing is written.
fn report(
    store: &Store,
    registry: &Registry,
    experiments: &[Experiment],
    folder: &Path,
    existing: Existing,
) -> Result<Exit> {
    let report = Report::new(store, registry, experiments)?;
    let files = report.files();
    let page = folder.join("index.html");
    let is_report = std::fs::read_to_string(&page).is_ok_and(|page| Report::is_page(&page));
    let existing = if is_report { Existing::Forced(true) } else { existing };
    let mut outputs = Vec::new();
    for file in &files {
        let path = folder.join(&file.name);
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).with_context(|| format!("{}: cannot be created", text::name(parent)))?;
        outputs.push(Output::new(&path, existing)?);
    }
    for (output, file) in outputs.iter().zip(&files) {
        output.write(&file.contents)?;
    }
    let counts = report.verdicts();
    let mut lines = format!("{}\n", text::name(&page));
    for subject in Subject::ALL {
        let count = |verdict| counts.get(&(subject, verdict)).copied().unwrap_or(0);
        let tally = Verdict::ALL.map(|verdict| format!("{} {verdict}", count(verdict)));
        lines += &format!("{}: {}\n", subject.words(), tally.join(", "));
    }
    text::print(&lines)?;
    Ok(Exit::Done)
}
