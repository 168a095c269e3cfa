//! `nestling learn`: trains a network on games, for `weights=FILE`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, anyhow, bail, ensure};
use clap::{Args, ValueHint};
use nestling::{Cancel, Certified, Examples, Fit, Network, Training, TrainingSettings, Weights};
use nestling_presentation::chart::{Chart, Series};
use nestling_registry::{Controls, Instance, Registry, RunSpec, all_threads, drawn_seed, network_header};
use serde_json::json;

use crate::args::{AsciiArgs, ForceArgs};
use crate::failure::Exit;
use crate::games::GameFile;
use crate::output::Sink;
use crate::progress::{Progress, Total};
use crate::stored::{HallOfFame, StoreArgs};
use crate::{explain, interrupt, json, problem, solve, text};

/// Every so many games, one is kept for validation.
const VALIDATION: usize = 10;

#[derive(Debug, Args)]
#[command(after_help = "\
The network gives a move a weight by what it looks like: in Morpion Solitaire by the lines through
its dot, in SameGame by the group, in tours by distance and windows. It learns to foresee the moves
of good games. A search with weights=FILE then plays a legal move with a probability proportional to
exp(weight): use it in playout, nested and other searches, or in nrpa as the bias that learning
starts from.

One game in ten is not learned from: the network that foresees these games best is written. The same
seed and the same games give the same network on every machine.

Examples:
  nestling learn morpion-5d -o policy.nn
  nestling learn morpion-5d -s 'nrpa(3)' --runs 50 -o policy.nn --plot training.svg
  nestling learn samegame:seed={run} --runs 100 -o policy.nn      each game on another board
  nestling learn morpion-5d --games runs.db --games game.psol -o policy.nn
  nestling solve morpion-5d -s 'nested(2, weights=policy.nn)'

Exit codes: 0 done; 2 bad usage, unreadable input, or a file that could not be written;
            130 interrupted, and the best network so far is written")]
pub(crate) struct LearnArgs {
    /// The problem, such as morpion-5d; {run} in it is the number of the game, from 1
    pub problem: String,
    /// Learn from the games of this file, or of this store, instead of making games; can be given more than once
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["search", "runs"])]
    pub games: Vec<PathBuf>,
    /// The search that makes the games
    #[arg(short, long, value_name = "EXPRESSION", default_value = "nrpa(2)")]
    pub search: String,
    /// How many games it makes
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub runs: u64,
    /// How many hidden units the network has
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub hidden: u64,
    /// How often every position is looked at
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub epochs: u32,
    /// The step size of the first epoch; it falls to 0 until the last one
    #[arg(long, value_name = "NUMBER", default_value_t = 0.002, value_parser = rate)]
    pub rate: f64,
    /// The seed; if not given, a random one
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// The number of threads that make games; if not given, one for each processor core. It does not change the result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub threads: Option<u64>,
    /// The file for the network
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Draw how the training went, as SVG
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub ascii: AsciiArgs,
}

fn rate(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (1e-9..=1.0).contains(number));
    number.ok_or_else(|| "expected a number between 0 and 1, such as 0.002".to_owned())
}

/// A game to learn from, and its problem.
type Lesson = (Arc<dyn Instance>, Certified);

/// The problem of game number `run`, from 0.
fn open(args: &LearnArgs, run: u64, registry: &Registry) -> Result<Box<dyn Instance>> {
    problem::open(&args.problem.replace("{run}", &(run + 1).to_string()), registry)
}

pub(crate) fn learn(args: &LearnArgs, registry: &Registry) -> Result<Exit> {
    text::use_ascii(args.ascii.ascii);
    let first = open(args, 0, registry)?;
    let (name, features) = (first.name(), first.feature_count());
    ensure!(features > 0, "{name}: moves of this problem have no features to learn from (Problem::features)");
    let sink = Sink::new(&args.output, args.force.existing())?;
    let plot = args.plot.as_deref().map(|path| Sink::new(path, args.force.existing())).transpose()?;
    let (seed, cancel) = (args.seed.unwrap_or_else(drawn_seed), Cancel::new());
    interrupt::listen(&cancel)?;
    let lessons = if args.games.is_empty() { play(args, seed, registry, &cancel)? } else { read(args, registry)? };
    if cancel.is_cancelled() {
        bail!("interrupted before the training began; nothing is written");
    }
    let mut examples = [Examples::default(), Examples::default()];
    for (number, (problem, game)) in lessons.iter().enumerate() {
        let is_kept_apart = number % VALIDATION == VALIDATION - 1;
        problem.add_examples(game, &mut examples[usize::from(is_kept_apart)])?;
    }
    let [training, validation] = examples;
    ensure!(
        !validation.is_empty(),
        "{name}: {} games are too few to learn from; there must be at least {VALIDATION}",
        lessons.len()
    );
    let settings = TrainingSettings { hidden: args.hidden as usize, epochs: args.epochs, rate: args.rate, seed };
    let course = train(args, features, settings, [&training, &validation], &cancel)?;
    let text = network_header(&args.problem)
        + &course.header(args, seed, lessons.len(), training.len())
        + &course.best.to_string();
    sink.write(text.as_bytes())?;
    plot.map(|plot| plot.write(course.chart(name).as_bytes())).transpose()?;
    course.report(args, seed, lessons.len(), training.len() + validation.len())?;
    Ok(if cancel.is_cancelled() { Exit::Interrupted } else { Exit::Done })
}

/// Makes the games, those with the lower numbers first.
fn play(args: &LearnArgs, seed: u64, registry: &Registry, cancel: &Cancel) -> Result<Vec<Lesson>> {
    let search = explain::parse(&args.search, registry)?;
    let ready = |run: u64| {
        let problem: Arc<dyn Instance> = open(args, run, registry)?.into();
        let asked = solve::with_search(&search, problem.as_ref(), &[], registry)?;
        let asked = RunSpec { seed: Some(seed), runs: args.runs, ..asked };
        registry.ready_on(problem, asked).map_err(explain::refused)
    };
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let progress = Progress::new(Total::Runs(args.runs)).quiet(args.quiet);
    let found: Mutex<Vec<Option<Result<Lesson>>>> = Mutex::new((0..args.runs).map(|_| None).collect());
    let shared = if args.problem.contains("{run}") { None } else { Some(ready(0)?) };
    let make = |run: u64| -> Result<Option<Lesson>> {
        let ready = shared.as_ref().map_or_else(|| ready(run), |ready| Ok(ready.clone()))?;
        let controls = Controls { cancel: cancel.clone(), ..Controls::default() };
        let outcome = ready.number(run, 1).start(controls)?;
        Ok(outcome.game().map(|game| (ready.shared_problem(), game.clone())))
    };
    let work = || loop {
        let run = next.fetch_add(1, Ordering::Relaxed);
        if run >= args.runs || cancel.is_cancelled() {
            return;
        }
        let lesson = make(run).transpose();
        if lesson.as_ref().is_some_and(Result::is_err) {
            cancel.cancel();
        }
        found.lock().unwrap_or_else(PoisonError::into_inner)[run as usize] = lesson;
        let games = done.fetch_add(1, Ordering::Relaxed) + 1;
        progress.runs_done(games, format!("{games} of {} games", args.runs));
    };
    std::thread::scope(|scope| {
        let threads = args.threads.map_or_else(all_threads, |threads| threads as usize);
        (0..threads.min(args.runs as usize)).for_each(|_| drop(scope.spawn(work)));
    });
    progress.finish();
    found.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
}

/// The games of files and stores.
fn read(args: &LearnArgs, registry: &Registry) -> Result<Vec<Lesson>> {
    let problem: Arc<dyn Instance> = problem::open(&args.problem, registry)?.into();
    let mut lessons = Vec::new();
    for path in &args.games {
        if is_store(path) {
            let hall = HallOfFame::open(&StoreArgs { store: Some(path.clone()) })?;
            for game in hall.games(problem.name(), usize::MAX)? {
                lessons.push((problem.clone(), problem.certify(&game.moves)?));
            }
            continue;
        }
        let file = GameFile::read(path)?;
        for game in file.games(registry)? {
            lessons.push((problem.clone(), solve::verified(game, problem.as_ref(), registry)?));
        }
    }
    if lessons.is_empty() {
        let names: Vec<_> = args.games.iter().map(|path| text::name(path)).collect();
        bail!("{}: no games of {} in it", names.join(", "), problem.name());
    }
    Ok(lessons)
}

/// Whether a file is a store.
fn is_store(path: &Path) -> bool {
    use std::io::Read;
    let mut begin = [0; 15];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok() && &begin == b"SQLite format 3"
}

/// How a training went.
struct Course {
    best: Weights,
    uniform: Fit,
    /// The share of moves that are foreseen by chance.
    chance: f64,
    /// After every epoch: how the network foresees the games it learns from, and those it does not.
    fits: Vec<[Fit; 2]>,
    /// The epoch of the best network, from 0.
    best_epoch: usize,
}

fn train(
    args: &LearnArgs,
    features: usize,
    settings: TrainingSettings,
    [training, validation]: [&Examples; 2],
    cancel: &Cancel,
) -> Result<Course> {
    const PARTS: u64 = 1_000;
    let fit = |examples: &Examples, network: &Network| {
        examples.fit(network).ok_or_else(|| anyhow!("there are no positions with a choice in these games"))
    };
    let uniform = Network::zero(features, settings.hidden);
    let mut course = Course {
        uniform: fit(validation, &uniform)?,
        chance: validation.chance(),
        best: uniform.into(),
        fits: Vec::new(),
        best_epoch: 0,
    };
    let mut trainer = Training::new(training, features, settings);
    let progress = Progress::new(Total::Runs(u64::from(args.epochs) * PARTS)).quiet(args.quiet);
    for epoch in 0..args.epochs {
        let loss = course.fits.last().map_or(course.uniform.loss, |fits| fits[1].loss);
        trainer.epoch(|share| {
            let parts = u64::from(epoch) * PARTS + (share * PARTS as f64) as u64;
            progress.runs_done(parts, format!("epoch {} of {}, validation loss {loss:.4}", epoch + 1, args.epochs));
            !cancel.is_cancelled()
        });
        let network = trainer.network();
        let fits = [fit(training, &network)?, fit(validation, &network)?];
        if course.fits.iter().all(|before| fits[1].loss < before[1].loss) {
            (course.best, course.best_epoch) = (network.into(), epoch as usize);
        }
        course.fits.push(fits);
        if args.json {
            let [learned, apart] = fits;
            json::print(&json!({
                "event": "epoch", "epoch": epoch + 1, "loss": learned.loss, "accuracy": learned.accuracy,
                "validation_loss": apart.loss, "validation_accuracy": apart.accuracy,
            }))?;
        }
        if cancel.is_cancelled() {
            break;
        }
    }
    progress.finish();
    Ok(course)
}

impl Course {
    fn best_fit(&self) -> Fit {
        self.fits[self.best_epoch][1]
    }

    /// Comments for the file.
    fn header(&self, args: &LearnArgs, seed: u64, games: usize, positions: usize) -> String {
        let Fit { loss, accuracy } = self.best_fit();
        let of = if args.games.is_empty() { format!("{} with seed {seed}", args.search) } else { "files".to_owned() };
        format!(
            "# {games} games of {of}, {positions} positions, {} epochs; validation loss {loss:.4}, accuracy {accuracy:.3}\n",
            self.best_epoch + 1
        )
    }

    /// The losses by epoch.
    fn chart(&self, problem: &str) -> String {
        let points = |which: usize| {
            let epochs = self.fits.iter().zip(1..).map(|(fits, epoch)| (f64::from(epoch), fits[which].loss));
            epochs.collect::<Vec<_>>()
        };
        let last = self.fits.len().max(2) as f64;
        Chart::new(&format!("Training on {problem}"))
            .axes("epoch", "mean of -ln(probability of a right move)")
            .with(Series::line("games learned from", points(0)))
            .with(Series::line("games kept apart", points(1)))
            .with(Series::line("all moves equally likely", vec![(1.0, self.uniform.loss), (last, self.uniform.loss)]))
            .svg()
    }

    fn report(&self, args: &LearnArgs, seed: u64, games: usize, positions: usize) -> Result<()> {
        let (Fit { loss, accuracy }, uniform) = (self.best_fit(), self.uniform);
        let file = text::name(&args.output);
        if args.json {
            return Ok(json::print(&json!({
                "event": "done", "file": file, "games": games, "positions": positions, "seed": seed,
                "epochs": self.fits.len(), "best_epoch": self.best_epoch + 1,
                "validation_loss": loss, "validation_accuracy": accuracy, "uniform_loss": uniform.loss,
            }))?);
        }
        text::print(&format!(
            "{file}: learned from {games} games with {} positions, seed {seed}\n\
             In games that it has not seen, {:.1} % of the moves it prefers are right: the game plays them, now or later. Of random moves {:.1} % are.\n\
             Loss {loss:.4} after epoch {} of {}; {:.4} with all moves equally likely.\n\
             Use it with weights={file}, for example in 'nested(2, weights={file})'.\n",
            text::count(positions as u64),
            100.0 * accuracy,
            100.0 * self.chance,
            self.best_epoch + 1,
            self.fits.len(),
            uniform.loss,
        ))?;
        Ok(())
    }
}
