//! The store's side of `solve` and `records`: stores runs while they are made, resumes them, and lists the best games found here.
//!
//! Programs without the feature `store` have `not_stored.rs` instead.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use nestling::{Outcome, RunError, Spent};
use nestling_registry::{BatchKeeper, Controls, Instance, Published, Ready, Resume, RunSpec};
use nestling_store::{FamousGame, KeptRun, Lease, RecorderSettings, RunJournal, Store, StoreError};
use serde_json::json;

use crate::args::{SolveArgs, time};
use crate::solve::Job;
use crate::{json, runs, text};

/// Where runs are kept.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct StoreArgs {
    /// The store, a file with your runs [default: nestling/runs.db in your data folder]
    #[arg(long, value_name = "PATH", env = "NESTLING_STORE", hide_env_values = true, global = true)]
    pub store: Option<PathBuf>,
}

/// Whether and how a run is kept.
#[derive(Debug, Args)]
pub(crate) struct KeepingArgs {
    /// The time between checkpoints; `nestling runs resume` continues an interrupted run from its last one
    #[arg(long, value_name = "TIME", value_parser = time, allow_hyphen_values = true, default_value = "10s")]
    pub checkpoint: Duration,
    /// Do not store the run
    #[arg(long)]
    pub no_store: bool,
    /// Store the run without starting it: `nestling runs resume` starts it, and `nestling runs tasks` divides it into tasks for other
    /// machines
    #[arg(long, conflicts_with = "no_store")]
    pub later: bool,
    #[command(flatten)]
    pub store: StoreArgs,
}

/// A run that is being kept.
pub(crate) struct Stored {
    kept: KeptRun,
    path: PathBuf,
    /// The best game of the hall of fame when the run began.
    previous_best: Option<FamousGame>,
    announced: AtomicBool,
    /// Whether the end of the run could not be kept.
    is_lost: AtomicBool,
}

/// The file the user means.
pub(crate) fn path(args: &StoreArgs) -> Result<PathBuf> {
    let chosen = args.store.clone().filter(|path| !path.as_os_str().is_empty()).or_else(Store::default_path);
    chosen.ok_or_else(|| anyhow!("no data folder found for the store; name a file with --store"))
}

impl Stored {
    /// Makes ready to keep a new run, unless the user does not want that.
    pub fn begin(job: &Job<'_>, args: &KeepingArgs) -> Result<Option<Self>> {
        if args.no_store {
            return Ok(None);
        }
        let open = || -> Result<(Store, RunSpec, Option<FamousGame>)> {
            let (store, spec) = (Store::open(&path(&args.store)?)?, kept(job));
            store.check()?;
            let previous_best = store.hall_of_fame(&spec.problem, 1)?.pop();
            Ok((store, spec, previous_best))
        };
        let (store, spec, previous_best) =
            open().map_err(|error| anyhow!("{error:#}; --no-store searches without storing the run"))?;
        let (path, settings) = (store.path().to_path_buf(), settings(job, &spec));
        let families = families(job, &store)?;
        let kept = KeptRun::begin(store, spec, settings);
        kept.recorder().know(families);
        Ok(Some(Stored::new(kept, path, previous_best)))
    }

    /// Keeps a run for later, and says under which number. What would be refused when it starts is refused now.
    pub fn put_off(job: &Job<'_>, args: &KeepingArgs) -> Result<()> {
        let is_divided = job.ready.tasks(None)?.is_divided();
        let mut store = Store::open(&path(&args.store)?)?;
        store.check()?;
        let (run, seed) = (store.add(&kept(job))?, job.ready.seed());
        if job.shown.json {
            return Ok(json::print(
                &json!({ "event": "stored", "id": run, "store": text::name(store.path()), "seed": seed }),
            )?);
        }
        let program = text::program();
        let can_be_divided = job.spec().runs > 1 || !(is_divided && job.spec().time.is_some());
        let tasks = format!("; `{program} runs tasks {run} -o FOLDER` divides it into tasks");
        let tasks = if can_be_divided { tasks.as_str() } else { "" };
        let search = job.ready.search();
        text::print(&format!(
            "stored as run {run}: {search}, seed {seed}\n`{program} runs resume {run}` starts it{tasks}\n"
        ))?;
        Ok(())
    }

    /// Goes on keeping a run that this process has taken.
    pub fn go_on(job: &Job<'_>, store: Store, lease: Lease) -> Result<Self> {
        let (run, spec) = (lease.run(), kept(job));
        // It is not compared with its own games.
        let previous_best = store.hall_of_fame(&spec.problem, usize::MAX)?.into_iter().find(|game| game.run != run);
        let (path, settings) = (store.path().to_path_buf(), settings(job, &spec));
        let families = families(job, &store)?;
        let kept = KeptRun::go_on(store, lease, &spec, settings)?;
        if kept.is_damaged() {
            let program = text::program();
            anstream::eprintln!("{program}: run {run}: its last checkpoint is damaged; continuing from the one before");
        }
        kept.recorder().know(families);
        Ok(Stored::new(kept, path, previous_best))
    }

    fn new(kept: KeptRun, path: PathBuf, previous_best: Option<FamousGame>) -> Self {
        let (announced, is_lost) = Default::default();
        Stored { kept, path, previous_best, announced, is_lost }
    }

    /// Keeps the runs of a batch.
    pub fn keeper(&self) -> &dyn BatchKeeper {
        &self.kept
    }

    /// The score of the best game here when the run began, and the run that found it.
    pub fn previous_best(&self) -> Option<(f64, i64)> {
        self.previous_best.as_ref().map(|best| (best.score, best.run))
    }

    /// The outcome of this number of a batch, if an earlier process made it.
    pub fn outcome(&self, number: u64) -> Option<&Outcome> {
        self.kept.outcome(number)
    }

    /// Makes one number of the run, from where it was left.
    pub fn start(&self, number: u64, ready: &Ready, controls: Controls<'_>) -> Result<Outcome, RunError> {
        self.kept.recorder().solve(ready, number, self.kept.taken(number), controls)
    }

    /// Where an earlier leg of the run left one of its numbers.
    pub fn left(&self, number: u64) -> Option<Resume> {
        self.kept.left(number)
    }

    /// Keeps what others make of one number of the run, of which so much was spent.
    pub fn journal<'a>(&'a self, problem: &'a dyn Instance, number: u64, seed: u64, spent: Spent) -> RunJournal<'a> {
        self.kept.recorder().journal(problem, number, seed, spent)
    }

    /// The run's number, once it is kept, unless its end could not be.
    pub fn run(&self) -> Option<i64> {
        self.kept.recorder().run().filter(|_| !self.is_lost())
    }

    /// Whether the end of the run could not be kept.
    pub fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    /// Tells people and programs that the end of the run could not be kept, and what of it is.
    fn lose(&self, error: &StoreError, as_json: bool) {
        self.is_lost.store(true, Ordering::Relaxed);
        let run = self.kept.recorder().run();
        let told = match (run, error) {
            (None, _) => format!("this run is not stored: {error}"),
            (Some(run), StoreError::Gone { .. } | StoreError::TakenOver { .. }) => {
                format!("run {run} is not stored: {error}")
            }
            (Some(run), _) => format!(
                "the end of run {run} is not stored: {error}; `{} runs resume {run}{}` continues from its last checkpoint",
                text::program(),
                self.option()
            ),
        };
        anstream::eprintln!("{}: {told}", text::program());
        if as_json {
            let (store, reason) = (text::name(&self.path), error.to_string());
            // A reader that has left shows at the next result.
            let _ = json::print(&json!({ "event": "not_stored", "id": run, "store": store, "error": reason }));
        }
    }

    /// The options that make other commands look here, if it is not where they would look anyway.
    pub fn option(&self) -> String {
        let usual = std::env::var_os("NESTLING_STORE").map(PathBuf::from).or_else(Store::default_path);
        if usual.as_ref() == Some(&self.path) {
            String::new()
        } else {
            format!(" --store {}", text::shell_word(&text::name(&self.path)))
        }
    }
}

/// Tells programs once, as soon as it is known, under which number the run is kept.
pub(crate) fn announce(stored: &Option<Stored>, as_json: bool) {
    let Some(stored) = stored.as_ref().filter(|_| as_json) else { return };
    let Some(run) = stored.run() else { return };
    if !stored.announced.swap(true, Ordering::Relaxed) {
        // A reader that has left shows at the next result.
        let _ = json::print(&json!({ "event": "stored", "id": run, "store": text::name(&stored.path) }));
    }
}

/// Writes all that is left. If the store fails at the end, the result is still shown, and the failure is reported.
pub(crate) fn finish(stored: &Option<Stored>, as_json: bool, done: bool) {
    let Some(recording) = stored else { return };
    match recording.kept.recorder().finish(done) {
        Ok(_) => announce(stored, as_json),
        Err(error) => recording.lose(&error, as_json),
    }
}

/// The same description with what is needed to resume the run.
pub(crate) fn for_resuming(args: &SolveArgs, spec: RunSpec) -> Result<RunSpec> {
    Ok(RunSpec {
        checkpoint: args.keeping.checkpoint,
        output: absolute(args.output.as_deref())?,
        learned: absolute(args.learned.as_deref())?,
        ..spec
    })
}

/// The whole name of a file that a run writes: it may be resumed in another folder.
pub(crate) fn absolute(path: Option<&Path>) -> Result<Option<String>> {
    let Some(path) = path else { return Ok(None) };
    let whole = std::path::absolute(path).with_context(|| text::name(path))?;
    let text =
        whole.to_str().ok_or_else(|| anyhow!("{}: the store accepts only file names in UTF-8", text::name(path)))?;
    Ok(Some(text.to_owned()))
}

/// The description of a run as it is kept: how many threads it has is for this process alone.
fn kept(job: &Job<'_>) -> RunSpec {
    RunSpec { threads: None, ..job.spec().clone() }
}

/// The families of the games in the hall of fame, where games are kept that are not the best.
fn families(job: &Job<'_>, store: &Store) -> Result<Vec<Vec<u8>>> {
    if job.spec().keep.is_none() {
        return Ok(Vec::new());
    }
    let family = |game: FamousGame| job.problem().family(&job.problem().certify(&game.moves).ok()?).ok();
    Ok(store.hall_of_fame(&job.spec().problem, usize::MAX)?.into_iter().filter_map(family).collect())
}

fn settings(job: &Job<'_>, spec: &RunSpec) -> RecorderSettings {
    RecorderSettings::new(spec.checkpoint, job.cancel.clone())
}

/// The best games found here, if any run was kept.
pub(crate) struct HallOfFame(Option<Store>);

impl HallOfFame {
    pub fn open(args: &StoreArgs) -> Result<Self> {
        HallOfFame::at(&path(args)?)
    }

    /// That of a store.
    pub fn at(path: &Path) -> Result<Self> {
        Ok(HallOfFame(Store::look(path)?))
    }

    /// The names of the problems that have games in it.
    pub fn problems(&self) -> Result<Vec<String>> {
        let Some(store) = &self.0 else { return Ok(Vec::new()) };
        Ok(store.famous_problems()?)
    }

    /// The best games of a problem, named by their ranks.
    pub fn games(&self, problem: &str, limit: usize) -> Result<Vec<Published>> {
        let Some(store) = &self.0 else { return Ok(Vec::new()) };
        let ranked = store.hall_of_fame(problem, limit)?.into_iter().zip(1..);
        let dated = |(fame, rank): (FamousGame, usize)| {
            let date = Some(runs::ago(fame.found));
            Published { date, ..fame.published(problem, rank) }
        };
        Ok(ranked.map(dated).collect())
    }
}
