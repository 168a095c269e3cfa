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

use crate::args::{AsciiArgs, ForceArgs, within};
use crate::failure::Exit;
use crate::games::InputFile;
use crate::output::Sink;
use crate::progress::{Progress, Total};
use crate::stored::HallOfFame;
use crate::{explain, files, interrupt, json, problem, solve, text};

/// Every so many games, one is kept for validation.
const VALIDATION: usize = 10;

#[derive(Debug, Args)]
#[command(after_help = "\
The network computes the weight of a move from its features: in Morpion Solitaire the lines through
its dot, in SameGame the group, in tours distance and windows. It learns to predict the moves of
good games. A search with weights=FILE then plays a legal move with a probability proportional to
exp(weight): use it in playout, nested and other searches, or in nrpa as the bias that learning
starts from.

Every tenth game is kept out of the training. After each epoch the network predicts the moves of
these games, and the network that predicts them best is written. The same seed and the same games
give the same network on every machine.

Examples:
  nestling learn morpion-5d -o policy.nn
  nestling learn morpion-5d -s 'nrpa(3)' --runs 50 -o policy.nn --plot training.svg
  nestling learn samegame:seed={run} --runs 100 -o policy.nn      each game on another board
  nestling learn morpion-5d --games runs.db --games game.psol -o policy.nn
  nestling solve morpion-5d -s 'nested(2, weights=policy.nn)'

Exit codes: 0 done; 1 no network was better than chance, and nothing is written; 2 bad usage,
unreadable input, or a file that could not be written; 130 interrupted; the best network so far is
written if it is better than chance")]
pub(crate) struct LearnArgs {
    /// The problem, such as morpion-5d; {run} in its name is replaced by the number of the game, from 1
    pub problem: String,
    /// Learn from the games of this file, or of this store, instead of making games; can be given more than once
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["search", "runs"])]
    pub games: Vec<PathBuf>,
    /// The search that makes the games
    #[arg(short, long, value_name = "EXPR", allow_hyphen_values = true, default_value = "nrpa(2)")]
    pub search: String,
    /// The number of games that the search makes
    #[arg(long, value_name = "N", value_parser = within(VALIDATION as u64..=1_000_000), allow_hyphen_values = true, default_value = "500")]
    pub runs: u64,
    /// How many hidden units the network has
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16), allow_hyphen_values = true, default_value = "64")]
    pub hidden: u16,
    /// How many times the training goes through all positions
    #[arg(long, value_name = "N", value_parser = within(1..=100_000u32), allow_hyphen_values = true, default_value = "6")]
    pub epochs: u32,
    /// The step size at the start of the training; it decreases steadily to 0 at the end
    #[arg(long, value_name = "N", value_parser = rate, allow_hyphen_values = true, default_value = "0.002")]
    pub rate: f64,
    /// The random seed [default: chosen at random and printed]
    #[arg(long, value_name = "N", value_parser = within(0..=u64::MAX), allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// The number of threads that make games; the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    /// The file for the network
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, default_value = "network.txt")]
    pub output: PathBuf,
    /// Write a chart of the training to this file (.svg)
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
    number.ok_or_else(|| "a number above 0 and up to 1, such as 0.002".to_owned())
}

/// A game to learn from, and its problem.
type TrainingGame = (Arc<dyn Instance>, Certified);

/// The problem of game number `run`, from 0.
fn open(args: &LearnArgs, run: u64, registry: &Registry) -> Result<Box<dyn Instance>> {
    problem::open(&args.problem.replace("{run}", &(run + 1).to_string()), registry)
}

pub(crate) fn learn(args: &LearnArgs, registry: &Registry) -> Result<Exit> {
    text::use_ascii(args.ascii.ascii);
    let first: Arc<dyn Instance> = open(args, 0, registry)?.into();
    let (name, features) = (first.name().to_owned(), first.feature_count());
    ensure!(features > 0, "{name}: moves of this problem have no features to learn from (Problem::features)");
    let seed = args.seed.unwrap_or_else(drawn_seed);
    let settings = TrainingSettings { hidden: args.hidden.into(), epochs: args.epochs, rate: args.rate, seed };
    let most = Network::most_hidden(features);
    ensure!(settings.hidden <= most, "--hidden {}: at most {most} with {features} features", settings.hidden);
    check_files(args)?;
    let sink = Sink::new(&args.output, args.force.existing())?;
    let plot = args.plot.as_deref().map(|path| Sink::new(path, args.force.existing())).transpose()?;
    let cancel = Cancel::new();
    interrupt::listen(&cancel)?;
    let lessons =
        if args.games.is_empty() { play(args, first, seed, registry, &cancel)? } else { read(args, &first, registry)? };
    if cancel.is_cancelled() {
        anstream::eprintln!("{}: interrupted before the training began; nothing is written", text::program());
        return Ok(Exit::Interrupted);
    }
    let games = lessons.len();
    ensure!(
        games >= VALIDATION,
        "{name}: {games} games are too few to learn from; there must be at least {VALIDATION}"
    );
    let mut examples = [Examples::default(), Examples::default()];
    for (number, (problem, game)) in lessons.iter().enumerate() {
        let is_kept_apart = number % VALIDATION == VALIDATION - 1;
        problem.add_examples(game, &mut examples[usize::from(is_kept_apart)])?;
    }
    let course = train(args, features, settings, &examples, &cancel)?;
    let end = |done: Exit| if cancel.is_cancelled() { Exit::Interrupted } else { done };
    let Some(best) = &course.best else {
        let (program, epochs) = (text::program(), course.fits.len());
        anstream::eprintln!(
            "{program}: after {epochs} epochs no network is better than chance; nothing is written. More games may help"
        );
        return Ok(end(Exit::Negative));
    };
    let text =
        network_header(&text::one_line(&args.problem)) + &course.header(args, settings, games) + &best.to_string();
    sink.write(text.as_bytes())?;
    plot.map(|plot| plot.write(course.chart(&name).as_bytes())).transpose()?;
    course.report(args, seed, games)?;
    Ok(end(Exit::Done))
}

/// Refuses files that would overwrite each other, and games that would belong to no problem.
fn check_files(args: &LearnArgs) -> Result<()> {
    for (games, output) in
        args.games.iter().flat_map(|games| [(games, Some(&args.output)), (games, args.plot.as_ref())])
    {
        output.map_or(Ok(()), |output| files::distinct(games, output))?;
    }
    let output = text::name(&args.output);
    ensure!(output != "-", "-o -: a network cannot be written to standard output; name a file");
    if let Some(plot) = &args.plot {
        let is_same = std::path::absolute(plot)? == std::path::absolute(&args.output)?;
        ensure!(!is_same, "{output}: -o and --plot would write the same file");
    }
    let has_problem = args.games.is_empty() || !args.problem.contains("{run}");
    ensure!(has_problem, "{}: games of files need one problem; {{run}} is for games that are made", args.problem);
    Ok(())
}

/// Makes the games, those with the lower numbers first.
fn play(
    args: &LearnArgs,
    first: Arc<dyn Instance>,
    seed: u64,
    registry: &Registry,
    cancel: &Cancel,
) -> Result<Vec<TrainingGame>> {
    let search = explain::parse(&args.search, registry)?;
    let ready = |problem: Arc<dyn Instance>| {
        let asked = solve::with_search(&search, problem.as_ref(), &[], registry)?;
        let asked = RunSpec { seed: Some(seed), runs: args.runs, ..asked };
        registry.ready_on(problem, asked).map_err(explain::refused)
    };
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let progress = Progress::new(Total::Runs(args.runs)).quiet(args.quiet);
    let found: Mutex<Vec<Option<Result<TrainingGame>>>> = Mutex::new((0..args.runs).map(|_| None).collect());
    let shared = if args.problem.contains("{run}") { None } else { Some(ready(first)?) };
    let make = |run: u64| -> Result<Option<TrainingGame>> {
        let ready =
            shared.as_ref().map_or_else(|| ready(open(args, run, registry)?.into()), |ready| Ok(ready.clone()))?;
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
        let threads = args.threads.map_or_else(all_threads, usize::from);
        (0..threads.min(args.runs as usize)).for_each(|_| drop(scope.spawn(work)));
    });
    progress.finish();
    found.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
}

/// The games of files and stores.
fn read(args: &LearnArgs, problem: &Arc<dyn Instance>, registry: &Registry) -> Result<Vec<TrainingGame>> {
    let mut lessons = Vec::new();
    for path in &args.games {
        if is_store(path) {
            let hall = HallOfFame::at(path)?;
            for game in hall.games(problem.name(), usize::MAX)? {
                lessons.push((Arc::clone(problem), problem.certify(&game.moves)?));
            }
            continue;
        }
        let file = InputFile::read(path)?;
        for game in file.games(registry)? {
            lessons.push((Arc::clone(problem), solve::verified(game, problem.as_ref(), registry)?));
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
struct TrainingCurve {
    /// The network that foresees the games kept apart best, if it is better than chance.
    best: Option<Weights>,
    /// The epoch of the best network, from 0.
    best_epoch: usize,
    uniform: Fit,
    /// The share of moves that are foreseen by chance.
    chance: f64,
    /// After every epoch: how the network foresees the games it learns from, and those it does not.
    fits: Vec<[Fit; 2]>,
    /// How many positions are learned from, and kept apart.
    positions: [usize; 2],
}

fn train(
    args: &LearnArgs,
    features: usize,
    settings: TrainingSettings,
    examples: &[Examples; 2],
    cancel: &Cancel,
) -> Result<TrainingCurve> {
    const PARTS: u64 = 1_000;
    let [training, validation] = examples;
    let fit = |examples: &Examples, network: &Network| {
        examples.fit(network).ok_or_else(|| anyhow!("in these games there are too few positions with a choice"))
    };
    let mut course = TrainingCurve {
        best: None,
        best_epoch: 0,
        uniform: fit(validation, &Network::zero(features, settings.hidden))?,
        chance: validation.chance(),
        fits: Vec::new(),
        positions: [training.len(), validation.len()],
    };
    let mut trainer = Training::new(training, features, settings);
    let progress = Progress::new(Total::Runs(u64::from(args.epochs) * PARTS)).quiet(args.quiet);
    let mut least = course.uniform.loss;
    for epoch in 0..args.epochs {
        trainer.epoch(|share| {
            let parts = u64::from(epoch) * PARTS + (share * PARTS as f64) as u64;
            progress.runs_done(parts, format!("epoch {} of {}, least loss {least:.4}", epoch + 1, args.epochs));
            !cancel.is_cancelled()
        });
        let network = trainer.network();
        let fits = [fit(training, &network)?, fit(validation, &network)?];
        if fits[1].loss < least {
            least = fits[1].loss;
            (course.best, course.best_epoch) = (Some(network.into()), epoch as usize);
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

impl TrainingCurve {
    fn best_fit(&self) -> Fit {
        self.fits[self.best_epoch][1]
    }

    /// A comment for the file.
    fn header(&self, args: &LearnArgs, settings: TrainingSettings, games: usize) -> String {
        let Fit { loss, accuracy } = self.best_fit();
        let TrainingSettings { epochs, rate, seed, .. } = settings;
        let of = if args.games.is_empty() {
            format!("{games} games of {}", args.search)
        } else {
            format!("{games} games of files")
        };
        let line = format!(
            "{of}; seed {seed}, epoch {} of {epochs}, rate {rate}; validation loss {loss:.4}, accuracy {accuracy:.3}",
            self.best_epoch + 1
        );
        format!("# {}\n", text::one_line(&line))
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

    fn report(&self, args: &LearnArgs, seed: u64, games: usize) -> Result<()> {
        let (Fit { loss, accuracy }, uniform) = (self.best_fit(), self.uniform);
        let (file, [positions, apart]) = (text::name(&args.output), self.positions);
        let kept_apart = games / VALIDATION;
        if args.json {
            return Ok(json::print(&json!({
                "event": "done", "file": file, "games": games - kept_apart, "positions": positions, "seed": seed,
                "validation_games": kept_apart, "validation_positions": apart,
                "epochs": self.fits.len(), "best_epoch": self.best_epoch + 1,
                "validation_loss": loss, "validation_accuracy": accuracy, "uniform_loss": uniform.loss,
            }))?);
        }
        text::print(&format!(
            "{file}: learned from {} positions of {} games, seed {seed}\n\
             In {kept_apart} other games, {:.1} % of the moves it prefers are right: the game plays them, now or later. Of random moves {:.1} % are.\n\
             Loss {loss:.4} after epoch {} of {}; {:.4} with all moves equally likely.\n\
             Use it with weights={file}, for example in 'nested(2, weights={file})'.\n",
            text::count(positions as u64),
            text::count((games - kept_apart) as u64),
            100.0 * accuracy,
            100.0 * self.chance,
            self.best_epoch + 1,
            args.epochs,
            uniform.loss,
        ))?;
        Ok(())
    }
}
