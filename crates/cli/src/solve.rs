//! `nestling solve`.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::{Result, anyhow, ensure};
use nestling::search::Repeat;
use nestling::{Answer, Cancel, Certified, Event, Outcome, RunError, Search, Stop};
use nestling_registry::{Controls, Device, Instance, Ready, Registry, RunRefused, RunSpec, Workers};
use serde_json::Value;

use crate::args::{DeviceChoice, ForceArgs, ShownArgs, SolveArgs};
use crate::failure::Exit;
use crate::games::{GameInFile, InputFile};
use crate::hunt::Finds;
use crate::keeper::Keeper;
use crate::output::{Existing, Output};
use crate::progress::{Progress, Total};
use crate::stored::{self, Stored};
use crate::{batch, explain, files, interrupt, json, problem, report, text, weights};

/// A run, and where its results go.
pub(crate) struct Job<'a> {
    pub ready: Ready,
    pub shown: ShownArgs,
    /// When the clock of its time started.
    pub began: Instant,
    pub cancel: Cancel,
    pub output: Option<Keeper<'a>>,
    pub learned: Option<Output>,
    /// Whether a file could not be written in the end.
    pub unwritten: AtomicBool,
    /// The games that are kept beside the best.
    pub finds: Option<Mutex<Finds>>,
    /// The store of the run.
    pub stored: Option<Stored>,
    /// The workers that make its tasks, if this process does not.
    pub workers: Option<Mutex<Box<dyn Workers>>>,
}

impl<'a> Job<'a> {
    /// A run that writes its game and what it has learned to these files, as a person names them. What is read is not overwritten, and
    /// nothing is written twice; a resumed run writes its own files.
    pub fn new(
        ready: Ready,
        problem: &'a dyn Instance,
        registry: &'a Registry,
        shown: ShownArgs,
        [output, learned]: [Option<&Path>; 2],
        force: ForceArgs,
        goes_on: bool,
    ) -> Result<Self> {
        let (spec, search) = (ready.spec(), ready.search());
        for written in [output, learned].into_iter().flatten() {
            // A resumed run has its weights in the store.
            for read in search.files().into_iter().filter(|_| !goes_on) {
                files::distinct(Path::new(read), written)?;
            }
        }
        if let (Some(output), Some(learned)) = (output, learned) {
            ensure!(output != learned, "{}: -o and --learned would write the same file", text::name(output));
        }
        let from = spec.from_file.as_deref();
        let output = output.map(|path| Keeper::new(path, problem, registry, from, force.existing())).transpose()?;
        ensure!(
            learned.is_none() || (search.learns() && spec.runs == 1 && spec.device.is_cpu()),
            "--learned: needs a single run of nrpa(level) on the processor; the search is {search}"
        );
        let existing = if goes_on { Existing::Forced(true) } else { force.existing() };
        let learned = learned.map(|path| Output::new(path, existing)).transpose()?;
        let (began, cancel, unwritten) = (Instant::now(), Cancel::new(), AtomicBool::new(false));
        let finds = ready.spec().keep.map(|keep| Mutex::new(Finds::new(problem, keep)));
        Ok(Job { ready, shown, began, cancel, output, learned, unwritten, finds, stored: None, workers: None })
    }

    /// The description of the run.
    pub fn spec(&self) -> &RunSpec {
        self.ready.spec()
    }

    /// The games that are kept beside the best.
    pub fn finds(&self) -> Option<MutexGuard<'_, Finds>> {
        self.finds.as_ref().map(|finds| finds.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Those who make the tasks of the run, if this process does not.
    pub fn workers(&self) -> Option<MutexGuard<'_, Box<dyn Workers>>> {
        self.workers.as_ref().map(|workers| workers.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The problem.
    pub fn problem(&self) -> &dyn Instance {
        self.ready.problem()
    }

    /// Makes one number of the run, kept if the run is.
    pub fn start(
        &self,
        number: u64,
        ready: &Ready,
        began: Instant,
        listener: &mut dyn FnMut(&Event),
    ) -> Result<Outcome, RunError> {
        let (cancel, began) = (self.cancel.clone(), Some(began));
        let mut workers = self.workers();
        let workers = workers.as_mut().map(|workers| &mut ***workers as &mut dyn Workers);
        let controls = Controls { cancel, began, listener: Some(listener), workers, ..Controls::default() };
        match &self.stored {
            None => ready.start(controls),
            Some(stored) => stored.start(number, ready, controls),
        }
    }
}

pub(crate) fn solve(args: &SolveArgs, registry: &Registry, began: Instant) -> Result<Exit> {
    let problem: Arc<dyn Instance> = problem::open(&args.problem, registry)?.into();
    let asked = specification(args, problem.as_ref(), registry)?;
    let ready = ready(registry, &problem, asked, args.device)?;
    if !ready.spec().device.is_cpu() && !ready.search().is_of::<Repeat>() {
        let (program, search) = (text::program(), ready.search());
        anstream::eprintln!("{program}: one search leaves most of a GPU idle; repeat({search}) runs many at once");
    }
    let written = [args.output.as_deref(), args.learned.as_deref()];
    let mut job = Job::new(ready, problem.as_ref(), registry, args.shown, written, args.force, false)?;
    job.began = began;
    if args.keeping.later {
        return Stored::put_off(&job, &args.keeping).map(|()| Exit::Done);
    }
    job.workers = args.cluster.open(job.spec().device)?;
    if job.workers.is_some() {
        // What it took to start the cluster is not the search's time.
        job.began = Instant::now();
    }
    job.stored = Stored::begin(&job, &args.keeping)?;
    carry_out(job)
}

/// The run that the user asks for, with the contents of the files that it mentions.
fn specification(args: &SolveArgs, problem: &dyn Instance, registry: &Registry) -> Result<RunSpec> {
    let search = args.search.as_deref().map(|text| explain::parse(text, registry)).transpose()?;
    let from = args.from.as_deref().map_or(Ok(Vec::new()), |from| start(from, problem, registry))?;
    let new = RunSpec::new(problem.name());
    let asked = RunSpec {
        seed: args.seed,
        device: if args.device == DeviceChoice::Cpu { Device::Cpu } else { Device::Cuda },
        threads: args.threads.map(usize::from),
        runs: args.runs,
        from_file: args.from.clone(),
        time: args.time,
        playouts: args.playouts,
        target: args.target,
        keep: args.keep,
        ..search.as_ref().map_or(Ok(new), |search| with_search(search, problem, &from, registry))?
    };
    stored::for_resuming(args, RunSpec { from, ..asked })
}

/// A run of a search after some moves, with the contents of the files that the search mentions.
pub(crate) fn with_search(
    search: &Search,
    problem: &dyn Instance,
    from: &[String],
    registry: &Registry,
) -> Result<RunSpec> {
    Ok(RunSpec {
        weights: weights(search, problem, from, registry)?,
        games: games(search, problem, registry)?,
        ..RunSpec::new(problem.name()).search(search)
    })
}

/// Decides on a run; a person who leaves the device open is told why it is not a GPU.
fn ready(registry: &Registry, problem: &Arc<dyn Instance>, asked: RunSpec, choice: DeviceChoice) -> Result<Ready> {
    let ready = registry.ready_on(Arc::clone(problem), asked.clone());
    let ready = match ready {
        Err(RunRefused::Device { reason, .. }) if choice == DeviceChoice::Auto => {
            anstream::eprintln!("{}: searching on the processor: {reason}", text::program());
            registry.ready_on(Arc::clone(problem), RunSpec { device: Device::Cpu, ..asked })
        }
        ready => ready,
    };
    ready.map_err(explain::refused)
}

/// Searches, listening for Ctrl-C.
pub(crate) fn carry_out(job: Job<'_>) -> Result<Exit> {
    interrupt::listen(&job.cancel)?;
    text::use_ascii(job.shown.ascii.ascii);
    if let Some(warning) = job.output.as_ref().and_then(Keeper::warning).filter(|_| !job.shown.quiet) {
        anstream::eprintln!("{}: {warning}", text::program());
    }
    let exit = if job.spec().runs > 1 { batch::solve(&job)? } else { one(&job)? };
    Ok(match &job.stored {
        Some(stored) if stored.is_lost() => Exit::Bad,
        _ if job.cancel.is_cancelled() && exit != Exit::Bad => Exit::Interrupted,
        _ => exit,
    })
}

/// The games of the files that a search mentions, each verified.
fn games(search: &Search, problem: &dyn Instance, registry: &Registry) -> Result<Vec<(String, Vec<Vec<String>>)>> {
    let read = |name: &str| {
        let file = InputFile::read(name.as_ref())?;
        let games = file.games(registry)?.into_iter().map(|game| verified(game, problem, registry));
        let games = games.map(|game| game.map(|game| game.texts().to_vec()));
        Ok((name.to_owned(), games.collect::<Result<_>>()?))
    };
    search.game_files().into_iter().map(read).collect()
}

/// The weights of the files that a search mentions, by code: the run needs the files no more.
fn weights(
    search: &Search,
    problem: &dyn Instance,
    from: &[String],
    registry: &Registry,
) -> Result<Vec<(String, String)>> {
    let read = |name: &str| Ok((name.to_owned(), weights::read(name, problem, from, registry)?.to_string()));
    search.weight_files().into_iter().map(read).collect()
}

/// The moves of `FILE[@K]`.
pub(crate) fn start(from: &str, problem: &dyn Instance, registry: &Registry) -> Result<Vec<String>> {
    let (path, count) = files::game_and_moves(from)?;
    let file = InputFile::read(&path)?;
    let game = file.only(registry)?;
    let name = game.name.clone();
    let mut moves = verified(game, problem, registry)?.texts().to_vec();
    if let Some(count) = count {
        ensure!(count <= moves.len(), "{name}: has only {} moves; cannot start after move {count}", moves.len());
        moves.truncate(count);
    }
    Ok(moves)
}

/// A game of a file.
pub(crate) fn verified(game: GameInFile<'_>, problem: &dyn Instance, registry: &Registry) -> Result<Certified> {
    let verdict = registry.verify_as(game.bytes, problem).map_err(|error| match registry.verify(game.bytes) {
        Ok(other) => anyhow!("{}: a game of {}, not of {}", game.name, other.problem, problem.name()),
        Err(_) => anyhow!("{}: {error}", game.place()),
    })?;
    text::notes(&game.name, &verdict.notes);
    Ok(verdict.game)
}

/// One run, from its first line to its last.
fn one(job: &Job<'_>) -> Result<Exit> {
    let Job { ready, shown, output, stored, .. } = job;
    let (problem, spec) = (job.problem(), job.spec());
    let progress = Progress::new(whole(job)).quiet(shown.quiet);
    let mut failed = Ok(());
    let outcome = std::thread::scope(|scope| {
        let writing = output.as_ref().map(|output| output.in_background(scope, spec, &progress));
        let mut print = |event: &dyn Fn() -> Value| {
            if shown.json
                && !shown.quiet
                && let Err(error) = json::print(&event())
            {
                job.cancel.cancel();
                failed = Err(error);
            }
        };
        let listener = &mut |event: &Event| match event {
            Event::Improvement(improvement) => {
                writing.iter().for_each(|writing| writing.improvement(improvement));
                if let Some(note) = report::improvement_note(job, improvement.score()) {
                    progress.remark(&note);
                }
                print(&|| json::improvement(None, problem, improvement));
            }
            Event::Find(find) => {
                if let Some(mut finds) = job.finds() {
                    finds.add(problem, find);
                }
                print(&|| json::find_event(problem, find));
            }
            Event::Progress { .. } => {
                progress.update(event, problem, &job.finds().map_or(String::new(), |finds| finds.brief()));
                stored::announce(stored, shown.json);
            }
            Event::JournalFailed(reason) | Event::Failed(reason) | Event::Trouble(reason) => progress.say(reason),
            _ => {}
        };
        let outcome = job.start(0, ready, job.began, listener);
        if let Some(writing) = writing {
            writing.finish();
        }
        outcome
    });
    progress.finish();
    failed?;
    let outcome = outcome?;
    keep(job, spec, &outcome)?;
    stored::finish(stored, shown.json, !outcome.stop.is_interruption());
    if shown.json {
        json::print(&json::result(None, problem, spec, &outcome))?;
    } else {
        report::print(job, spec, &outcome)?;
    }
    Ok(verdict(job, &outcome))
}

/// The total of the progress bar.
fn whole(job: &Job<'_>) -> Total {
    match (job.spec().time, job.spec().playouts, job.ready.expected()) {
        (Some(time), _, _) => Total::Time(time),
        (None, Some(playouts), _) => Total::Playouts(playouts),
        (None, None, Some(expected)) if expected.playouts.is_finite() => Total::Playouts(expected.playouts as u64),
        _ => Total::Unknown,
    }
}

/// Writes the result and the learned policy. What cannot be written is told, and costs no result: it is printed all the same.
pub(crate) fn keep(job: &Job<'_>, spec: &RunSpec, outcome: &Outcome) -> Result<()> {
    if let Some(output) = &job.output {
        output.result(spec, outcome);
        if job.shown.json {
            json::print(&output.event())?;
        }
        if let Some(reason) = output.failure() {
            unwritten(job, &format!("{reason}; the game was not written there"));
        }
    }
    match (&job.learned, &outcome.learned) {
        (Some(output), Some(learned)) if !learned.is_empty() => {
            if let Err(error) = output.write(learned.to_string()) {
                unwritten(job, &format!("{error:#}; the policy was not written"));
            }
        }
        (Some(_), _) => anstream::eprintln!("{}: nothing was learned; --learned writes nothing", text::program()),
        _ => {}
    }
    Ok(())
}

fn unwritten(job: &Job<'_>, reason: &str) {
    anstream::eprintln!("{}: {}", text::program(), text::without_codes(reason));
    job.unwritten.store(true, Ordering::Relaxed);
}

pub(crate) fn verdict(job: &Job<'_>, outcome: &Outcome) -> Exit {
    let best = outcome.best_seen.as_ref().map(Certified::score).or(outcome.score());
    match job.spec().target {
        _ if outcome.stop == Stop::Failed || job.unwritten.load(Ordering::Relaxed) => Exit::Bad,
        Some(target) if best.is_none_or(|best| !job.problem().goal().reaches(best, target)) => Exit::Negative,
        _ if outcome.stop == Stop::Cancelled => Exit::Interrupted,
        None if is_unsolved(job.problem(), &outcome.answer) => Exit::Negative,
        _ => Exit::Done,
    }
}

/// A puzzle that is not solved, a tour that misses windows: what was asked for was not found.
fn is_unsolved(problem: &dyn Instance, answer: &Answer) -> bool {
    match answer {
        Answer::Game(game) => problem.meaning(game.score(), false).is_some_and(|meaning| !meaning.solved),
        Answer::Estimate { .. } => false,
        Answer::Nothing => problem.meaning(0.0, false).is_some(),
    }
}
