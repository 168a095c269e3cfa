//! `nestling runs recheck`: a part of a run made again, and compared.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use nestling::{Answer, Cancel, Outcome, ReportHeader, Stop, Stream};
use nestling_registry::{Controls, Ready, Registry, RunSpec, all_threads, drawn_seed};
use nestling_store::{Finished, RunInfo, Store, StoredCheckpoint};

use super::args::RecheckArgs;
use super::collect::files_ending;
use crate::failure::Exit;
use crate::progress::{Progress, Total};
use crate::task::maker;
use crate::{bundle, explain, interrupt, text};

pub(super) fn recheck(store: &Store, args: &RecheckArgs, registry: &Registry) -> Result<Exit> {
    let run = store.run(args.id)?;
    let cancel = Cancel::new();
    interrupt::listen(&cancel)?;
    let check = Recheck { store, run: &run, args, registry, cancel };
    let found = match &args.tasks {
        Some(folder) => check.tasks(folder)?,
        None if run.spec.runs > 1 => check.batch()?,
        None => check.stretch()?,
    };
    if check.cancel.is_cancelled() {
        return Ok(Exit::Interrupted);
    }
    for difference in &found.differences {
        text::print(&format!("DIFFERENT: {difference}\n"))?;
    }
    let Findings { what, differences } = found;
    let verdict = match differences.len() {
        0 => "all the same".to_owned(),
        count => format!("{} different", text::count(count as u64)),
    };
    text::print(&format!("run {}: {what} made again: {verdict}\n", run.id))?;
    Ok(if differences.is_empty() { Exit::Done } else { Exit::Negative })
}

struct Recheck<'a> {
    store: &'a Store,
    run: &'a RunInfo,
    args: &'a RecheckArgs,
    registry: &'a Registry,
    cancel: Cancel,
}

/// A task with its report, and the file of that.
struct Pair {
    task: Vec<u8>,
    kept: Vec<u8>,
    name: String,
}

/// The repeated parts, and those whose result was different.
struct Findings {
    what: String,
    differences: Vec<String>,
}

impl Recheck<'_> {
    fn ready(&self, spec: RunSpec) -> Result<Ready> {
        let spec = RunSpec { threads: Some(all_threads()), ..spec };
        self.registry.decide(self.registry.open(&spec.problem)?.into(), spec).map_err(explain::refused)
    }

    /// A random choice of what there is, at least one.
    fn chosen<T>(&self, mut things: Vec<T>) -> Vec<T> {
        let mut rng = Stream::new(self.args.seed.unwrap_or_else(drawn_seed)).rng();
        let wanted = ((things.len() as f64 * self.args.share).ceil() as usize).clamp(1, things.len());
        (0..wanted).map(|_| things.swap_remove(rng.below(things.len()))).collect()
    }

    /// Makes something again for each, with progress, until it is interrupted.
    fn each<T>(&self, things: Vec<T>, make: impl Fn(&T) -> Result<Option<String>>) -> Result<Vec<String>> {
        let progress = Progress::new(Total::Runs(things.len() as u64)).quiet(self.args.quiet);
        let mut differences = Vec::new();
        for (thing, done) in things.iter().zip(1..) {
            differences.extend(make(thing)?);
            if self.cancel.is_cancelled() {
                break;
            }
            progress.runs_done(done, String::new());
        }
        progress.finish();
        Ok(differences)
    }

    fn controls(&self, resume: Option<&StoredCheckpoint>) -> Controls<'static> {
        let resume = resume.cloned().map(StoredCheckpoint::into_resume);
        Controls { cancel: self.cancel.clone(), resume, ..Controls::default() }
    }

    /// Tasks of a folder against their reports.
    fn tasks(&self, folder: &Path) -> Result<Findings> {
        let (mut pairs, mut unfinished) = (Vec::new(), 0);
        for path in files_ending(folder, "task")? {
            let report = path.with_extension("report");
            let reports = std::fs::read(&report).map_or(Vec::new(), |bytes| bundle::split(&bytes).0);
            let mut reports = reports.into_iter();
            for task in bundle::tasks(&path)? {
                match reports.next().filter(|kept| ReportHeader::read(kept).is_ok_and(|header| header.is_finished)) {
                    Some(kept) => pairs.push(Pair { task, kept, name: text::name(&report) }),
                    None => unfinished += 1,
                }
            }
        }
        let name = text::name(folder);
        ensure!(!pairs.is_empty(), "{name}: has no task with a finished report");
        let whole = pairs.len() as u64;
        let chosen = self.chosen(pairs);
        let what =
            format!("{} of {} of {name}", text::count(chosen.len() as u64), text::plural(whole, "finished task"));
        if unfinished > 0 {
            text::print(&format!("{} without a finished report left out\n", text::plural(unfinished, "task")))?;
        }
        let differences = self.each(chosen, |pair| self.task(pair))?;
        Ok(Findings { what, differences })
    }

    fn task(&self, Pair { task, kept, name }: &Pair) -> Result<Option<String>> {
        let asked = Ready::described_by(task).with_context(|| name.clone())?;
        ensure!(
            asked.search == self.run.spec.search && (self.run.spec.runs > 1 || asked.seed == self.run.spec.seed),
            "{name}: does not belong to run {}",
            self.run.id
        );
        let stops_at_once = asked.time.is_some() || asked.target.is_some() && asked.playouts.is_none();
        ensure!(
            !stops_at_once,
            "{name}: cannot be compared: its run stops at a time or a target, so its result depends on the machine"
        );
        let made = self.ready(asked)?.make_task(task, &maker(), self.controls(None)).with_context(|| name.clone())?;
        let ((header, kept), (_, made)) = (ReportHeader::split(kept)?, ReportHeader::split(&made)?);
        let differs = kept != made && !self.cancel.is_cancelled();
        Ok(differs.then(|| format!("{name}, task {}, made by {}", header.index, header.by)))
    }

    /// Runs of a batch against their outcomes.
    fn batch(&self) -> Result<Findings> {
        let finished = self.store.outcomes(self.run.id)?;
        ensure!(!finished.is_empty(), "run {}: none of its runs is finished yet", self.run.id);
        let (whole, chosen) = (finished.len() as u64, self.chosen(finished));
        let what = format!("{} of {}", text::count(chosen.len() as u64), text::plural(whole, "finished run"));
        let ready = self.ready(RunSpec { time: None, ..self.run.spec.clone() })?;
        let hosts = self.hosts()?;
        let differences = self.each(chosen, |Finished { number, outcome: kept, .. }| {
            let mut ready = ready.number(*number, 1);
            if is_timed(kept) {
                let playouts = Some(kept.counts.playouts);
                ready = self.ready(RunSpec { playouts, runs: 1, ..ready.spec().clone() })?;
            }
            let made = ready.start(self.controls(None))?;
            let words = difference(kept, &made).filter(|_| !self.cancel.is_cancelled());
            Ok(words.map(|words| format!("run {number} of the batch, made on {hosts}: {words}")))
        })?;
        Ok(Findings { what, differences })
    }

    /// The stretch between the two newest checkpoints of a single run.
    fn stretch(&self) -> Result<Findings> {
        let checkpoints = self.store.checkpoints(self.run.id, 0)?;
        let [newer, older] = &checkpoints[..] else {
            bail!(
                "run {}: two checkpoints are needed for a comparison, but it has {}; let it run longer, or give its tasks with --tasks",
                self.run.id,
                checkpoints.len()
            );
        };
        let playouts = newer.spent.work.playouts;
        let asked = RunSpec { time: None, playouts: Some(playouts), ..self.run.spec.clone() };
        let ready = self.ready(asked)?;
        let progress = Progress::new(Total::Unknown).quiet(self.args.quiet);
        let (kept, made) = (ready.start(self.controls(Some(newer)))?, ready.start(self.controls(Some(older)))?);
        progress.finish();
        let [from, to] = [older, newer].map(|taken| text::count(taken.spent.work.playouts));
        let what = format!("the stretch from {from} to {to} playouts");
        let words = difference(&kept, &made).filter(|_| !self.cancel.is_cancelled());
        let hosts = self.hosts()?;
        let differences = words.map(|words| format!("{what}, made on {hosts}: {words}")).into_iter().collect();
        Ok(Findings { what, differences })
    }

    /// The machines that have worked on the run.
    fn hosts(&self) -> Result<String> {
        let mut hosts: Vec<String> = self.store.legs(self.run.id)?.into_iter().map(|leg| leg.host).collect();
        hosts.sort();
        hosts.dedup();
        Ok(hosts.join(", "))
    }
}

fn is_timed(outcome: &Outcome) -> bool {
    matches!(outcome.stop, Stop::Time | Stop::Cancelled)
}

/// A description of the differences between two outcomes of the same run. Of large batches only the best games were kept.
fn difference(kept: &Outcome, made: &Outcome) -> Option<String> {
    // Several threads may have reached a target or a bound at once.
    let is_exact = !matches!(kept.stop, Stop::Target | Stop::Bound);
    let has_moves = is_exact && !matches!(&kept.answer, Answer::Game(game) if game.is_bare());
    let stop = !is_timed(kept) && kept.stop != made.stop;
    let pairs = [
        ("the score", kept.score() != made.score(), format!("{:?}", kept.score()), format!("{:?}", made.score())),
        ("the moves", has_moves && kept.texts() != made.texts(), kept.texts().join(" "), made.texts().join(" ")),
        ("the playouts and moves played", is_exact && kept.counts != made.counts, played(kept), played(made)),
        ("why it stopped", stop, kept.stop.word().to_owned(), made.stop.word().to_owned()),
    ];
    let (what, _, kept, made) = pairs.into_iter().find(|(_, differs, _, _)| *differs)?;
    Some(format!("{what}: {kept} then, {made} now"))
}

fn played(outcome: &Outcome) -> String {
    format!("{} and {}", outcome.counts.playouts, outcome.counts.moves)
}
