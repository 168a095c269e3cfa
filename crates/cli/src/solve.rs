//! `nestling solve`.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use nestling::{Estimate, Event, Kind, RunError, Search, Stop, Weights};
use nestling_registry::{Device, Instance, Order, Registry, Solved};
use nestling_store::Spec;

use crate::args::{DeviceChoice, SolveArgs};
use crate::failure::Exit;
use crate::files::{self, Output};
use crate::keeper::{Keeper, Writing};
use crate::progress::{Progress, Whole};
use crate::stored::{self, Stored};
use crate::{batch, explain, interrupt, json, report, text};

/// The time given when a person says nothing at all.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// An order, checked, and where its results go.
pub(crate) struct Job<'a> {
    pub problem: &'a dyn Instance,
    pub order: Order,
    pub args: &'a SolveArgs,
    /// What a search without a budget is expected to cost.
    pub expected: Option<Estimate>,
    pub output: Option<Keeper<'a>>,
    pub learned: Option<Output>,
    /// Where the run is kept.
    pub stored: Option<Stored>,
}

impl Job<'_> {
    /// Carries out one number of the job, kept if the job is.
    pub fn solve(&self, number: u64, order: &Order, listener: &mut dyn FnMut(&Event)) -> Result<Solved, RunError> {
        match &self.stored {
            None => self.problem.solve(order, listener, None),
            Some(stored) => stored.solve(self.problem, number, order, listener),
        }
    }
}

pub(crate) fn solve(args: &SolveArgs, registry: &Registry, began: Instant) -> Result<Exit> {
    let problem = registry.open(&args.problem)?;
    ensure!(
        problem.table().is_none(),
        "{0} is a game for two; try nestling match {0} or nestling play {0}",
        problem.name()
    );
    let mut job = prepare(args, problem.as_ref(), registry, began, None)?;
    job.stored = Stored::begin(&job)?;
    carry_out(job)
}

/// Searches, listening for Ctrl-C.
pub(crate) fn carry_out(job: Job<'_>) -> Result<Exit> {
    let cancel = job.order.cancel.clone();
    interrupt::listen(&cancel)?;
    let exit = if job.args.runs > 1 { batch::solve(&job)? } else { one(&job)? };
    Ok(if cancel.is_cancelled() { Exit::Interrupted } else { exit })
}

/// Everything that can be refused is refused here, before any work is done. A run that is taken up again brings its start
/// and its weights along: the files may have changed.
pub(crate) fn prepare<'a>(
    args: &'a SolveArgs,
    problem: &'a dyn Instance,
    registry: &'a Registry,
    began: Instant,
    kept: Option<&Spec>,
) -> Result<Job<'a>> {
    let unbounded = args.playouts.is_none() && args.target.is_none();
    let time = args.time.or((args.search.is_none() && unbounded).then_some(DEFAULT_TIME));
    let asked = args.search.as_deref().map(explain::parse).transpose()?;
    let device = device(args.device, problem, asked.as_ref())?;
    let suitable = || device.sensible_search().unwrap_or_else(|| problem.sensible_search(time, args.playouts));
    let search = asked.unwrap_or_else(suitable);
    if !device.is_cpu() && kept.is_none() && !matches!(search.kind, Kind::Repeat { .. }) {
        let program = text::program();
        anstream::eprintln!(
            "{program}: one search leaves most of a GPU idle; repeat({search}) makes as many at once as it holds"
        );
    }
    let (weights, from) = match (kept, &args.from) {
        (Some(spec), _) => (stored::weights(spec)?, spec.from.clone()),
        (None, from) => {
            (weights(&search)?, from.as_deref().map_or(Ok(Vec::new()), |from| start(from, problem, registry))?)
        }
    };
    // Only a search without a budget needs to be known beforehand, and only the processor's speed is.
    let unknown = time.is_none() && unbounded && kept.is_none();
    let expected = if unknown && device.is_cpu() { Some(problem.estimate(&search, &from)?) } else { None };
    if let Some(reason) = expected.and_then(|estimate| explain::refusal(&search, &estimate, problem)) {
        bail!(reason);
    }
    refuse_overwriting(args, &search, kept)?;
    let output = args.output.as_deref().map(|path| Keeper::new(path, problem, registry, args)).transpose()?;
    let learned = args.learned.as_deref().map(Output::new).transpose()?;
    if learned.is_some() {
        let is_nrpa = matches!(search.kind, Kind::Nrpa { .. });
        ensure!(
            is_nrpa && args.runs == 1 && device.is_cpu(),
            "--learned: only one run of nrpa(level) on the processor leaves a policy; the search is {search}"
        );
    }
    let threads = args.threads.map(usize::from).unwrap_or_else(all_cores);
    let seed = args.seed.unwrap_or_else(drawn_seed);
    let (playouts, target) = (args.playouts, args.target);
    let time = time.map(|time| (time, began));
    let order = Order { seed, threads, device, from, time, playouts, target, weights, ..Order::new(search) };
    Ok(Job { problem, order, args, expected, output, learned, stored: None })
}

/// What is read is not overwritten, and nothing is written twice.
fn refuse_overwriting(args: &SolveArgs, search: &Search, kept: Option<&Spec>) -> Result<()> {
    for output in [&args.output, &args.learned].into_iter().flatten() {
        // A run that is taken up again has brought its weights along.
        for input in search.files().into_iter().filter(|_| kept.is_none()) {
            files::distinct(Path::new(input), output)?;
        }
    }
    if let (Some(output), Some(learned)) = (&args.output, &args.learned) {
        ensure!(output != learned, "{}: -o and --learned would write the same file", text::name(output));
    }
    Ok(())
}

/// The device for a search, or for the one that suits it; a person who leaves the choice is told why it is not a GPU.
fn device(choice: DeviceChoice, problem: &dyn Instance, search: Option<&Search>) -> Result<Device> {
    let check = || {
        let search = search.cloned().or_else(|| Device::Cuda.sensible_search());
        search.map_or(Ok(()), |search| problem.gpu_check(&search))
    };
    match choice {
        DeviceChoice::Cpu => Ok(Device::Cpu),
        DeviceChoice::Cuda => match check() {
            Ok(()) => Ok(Device::Cuda),
            Err(reason) => bail!("--device cuda: {reason}"),
        },
        DeviceChoice::Auto => Ok(match check() {
            Ok(()) => Device::Cuda,
            Err(reason) => {
                anstream::eprintln!("{}: searching on the processor: {reason}", text::program());
                Device::Cpu
            }
        }),
    }
}

pub(crate) fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A seed from the system's randomness, short enough to be read out.
pub(crate) fn drawn_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

fn weights(search: &Search) -> Result<Vec<(String, Weights)>> {
    let read = |name: &str| {
        let bytes = files::read(name.as_ref())?;
        let text = String::from_utf8(bytes).map_err(|_| anyhow!("{name}: not a file of weights: it is not text"))?;
        Ok((name.to_owned(), text.parse().with_context(|| format!("{name}: not a file of weights"))?))
    };
    search.files().into_iter().map(read).collect()
}

/// The moves of `FILE[@K]`.
fn start(from: &str, problem: &dyn Instance, registry: &Registry) -> Result<Vec<String>> {
    let (path, count) = files::game_and_moves(from);
    let name = text::name(&path);
    let bytes = files::read(&path)?;
    let verdict = registry.verify_as(&bytes, problem).map_err(|error| match registry.verify(&bytes) {
        Ok(other) => anyhow!("{name}: a game of {}, not of {}", other.problem, problem.name()),
        Err(_) => anyhow!("{name}: {error}"),
    })?;
    text::notes(&name, &verdict.notes);
    let mut moves = verdict.moves;
    if let Some(count) = count {
        ensure!(
            count <= moves.len(),
            "{name}: has only {} moves, so there is no move {count} to start after",
            moves.len()
        );
        moves.truncate(count);
    }
    Ok(moves)
}

/// One run, from its first line to its last.
fn one(job: &Job<'_>) -> Result<Exit> {
    let Job { problem, order, args, output, stored, .. } = job;
    let progress = Progress::new(whole(job));
    let mut failed = Ok(());
    let solved = std::thread::scope(|scope| {
        let writing = output.as_ref().map(|output| output.in_background(scope, order));
        let listener = &mut |event: &Event| match event {
            Event::Improvement(improvement) => {
                writing.iter().for_each(|writing| writing.improvement(improvement));
                if let Some(feat) = stored::feat(job, improvement.score) {
                    progress.remark(&feat);
                }
                let printed = if args.json { json::print(&json::improvement(None, improvement)) } else { Ok(()) };
                if let Err(error) = printed {
                    order.cancel.cancel();
                    failed = Err(error);
                }
            }
            Event::Progress { .. } => {
                progress.update(event);
                stored::announce(stored, args.json);
            }
            Event::JournalFailed(reason) | Event::Failed(reason) => progress.say(reason),
        };
        let solved = job.solve(0, order, listener);
        writing.map_or(Ok(()), Writing::finish).map(|()| solved)
    });
    progress.finish();
    failed?;
    let solved = solved??;
    keep(job, order, &solved)?;
    stored::finish(stored, args.json, !solved.stop.is_interruption());
    if args.json {
        json::print(&json::result(None, problem.name(), order, &solved))?;
    } else {
        report::print(job, order, &solved)?;
    }
    Ok(verdict(job, &solved))
}

/// What the progress bar can count towards.
fn whole(job: &Job<'_>) -> Whole {
    match (job.order.time, job.order.playouts, job.expected) {
        (Some((time, _)), _, _) => Whole::Time(time),
        (None, Some(playouts), _) => Whole::Playouts(playouts),
        (None, None, Some(expected)) if expected.playouts.is_finite() => Whole::Playouts(expected.playouts as u64),
        _ => Whole::Unknown,
    }
}

/// Writes the result, which without memory may be another game than the best on the way, and the learned policy.
pub(crate) fn keep(job: &Job<'_>, order: &Order, solved: &Solved) -> Result<()> {
    if let Some(output) = job.output.as_ref().filter(|_| solved.complete && solved.best_seen.is_none()) {
        output.result(order, solved)?;
    }
    match (&job.learned, &solved.learned) {
        (Some(output), Some(learned)) if !learned.is_empty() => output.write(learned.to_string())?,
        (Some(_), _) => anstream::eprintln!("{}: nothing was learned; --learned writes nothing", text::program()),
        _ => {}
    }
    Ok(())
}

pub(crate) fn verdict(job: &Job<'_>, solved: &Solved) -> Exit {
    let best = solved.best_seen.or(solved.scored());
    match job.order.target {
        _ if solved.stop == Stop::Failed => Exit::Bad,
        Some(target) if best.is_none_or(|best| !job.problem.goal().reaches(best, target)) => Exit::Negative,
        _ if solved.stop == Stop::Cancelled => Exit::Interrupted,
        _ => Exit::Done,
    }
}
