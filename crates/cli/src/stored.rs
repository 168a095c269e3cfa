//! The store's side of `solve`: runs are kept while they go on, and taken up again.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow};
use nestling::{Event, RunError, Weights};
use nestling_registry::{Device, Instance, Order, Solved};
use nestling_store::{Fame, Lease, Recorder, Settings, Spec, Store, Taken};
use serde_json::json;

use crate::args::{DeviceChoice, SolveArgs, StoreArgs};
use crate::solve::Job;
use crate::{json, text};

/// A run that is being kept.
pub(crate) struct Stored {
    recorder: Recorder,
    path: PathBuf,
    spec: Spec,
    /// The best game of the hall of fame when the run began.
    champion: Option<Fame>,
    /// What earlier legs of the run have finished.
    outcomes: BTreeMap<u64, Solved>,
    /// Where they left the others.
    checkpoints: Mutex<BTreeMap<u64, Taken>>,
    announced: AtomicBool,
}

/// The file the user means.
pub(crate) fn path(args: &StoreArgs) -> Result<PathBuf> {
    let chosen = args.store.clone().filter(|path| !path.as_os_str().is_empty()).or_else(Store::default_path);
    chosen.ok_or_else(|| anyhow!("there is no home to keep runs in; name a file with --store"))
}

impl Stored {
    /// Makes ready to keep a new run, unless nobody wants that.
    pub fn begin(job: &Job<'_>) -> Result<Option<Self>> {
        if job.args.no_store {
            return Ok(None);
        }
        let open = || -> Result<(Store, Spec, Option<Fame>)> {
            let (store, spec) = (Store::open(&path(&job.args.store)?)?, specification(job)?);
            store.check()?;
            let champion = store.hall_of_fame(&spec.problem, 1)?.pop();
            Ok((store, spec, champion))
        };
        let (store, spec, champion) =
            open().map_err(|error| anyhow!("{error:#}; --no-store solves without keeping the run"))?;
        let (path, settings) = (store.path().to_path_buf(), settings(job, &spec));
        let recorder = Recorder::begin(store, spec.clone(), settings);
        Ok(Some(Stored {
            recorder,
            path,
            spec,
            champion,
            outcomes: BTreeMap::new(),
            checkpoints: Mutex::default(),
            announced: AtomicBool::new(false),
        }))
    }

    /// Goes on keeping a run that this process has taken.
    pub fn go_on(job: &Job<'_>, mut store: Store, lease: Lease) -> Result<Self> {
        let (run, spec) = (lease.run(), specification(job)?);
        if spec != store.run(run)?.spec {
            store.change(lease, &spec)?;
        }
        let outcomes: BTreeMap<u64, Solved> =
            store.outcomes(run)?.into_iter().map(|outcome| (outcome.number, outcome.solved)).collect();
        let mut checkpoints = BTreeMap::new();
        for number in store.checkpointed(run)? {
            if let Some(taken) = store.checkpoint(run, number)? {
                if taken.instead {
                    anstream::eprintln!(
                        "{}: run {run}: its last checkpoint is damaged; going on from the one before",
                        text::program()
                    );
                }
                checkpoints.insert(number, taken);
            }
        }
        // Its own games are nothing to compare it with.
        let champion = store.hall_of_fame(&spec.problem, usize::MAX)?.into_iter().find(|game| game.run != run);
        let (path, settings) = (store.path().to_path_buf(), settings(job, &spec));
        let recorder = Recorder::go_on(store, lease, settings)?;
        let checkpoints = Mutex::new(checkpoints);
        Ok(Stored { recorder, path, spec, champion, outcomes, checkpoints, announced: AtomicBool::new(false) })
    }

    /// What an earlier leg of the run made of this number of a batch.
    pub fn outcome(&self, number: u64) -> Option<&Solved> {
        self.outcomes.get(&number).filter(|_| self.spec.runs > 1)
    }

    /// Carries out one number of the run, from where it was left.
    pub fn solve(
        &self,
        problem: &dyn Instance,
        number: u64,
        order: &Order,
        listener: &mut dyn FnMut(&Event),
    ) -> Result<Solved, RunError> {
        let taken = self.checkpoints.lock().expect("nobody panics with it").remove(&number);
        self.recorder.solve(problem, number, order, taken, self.spec.checkpoint, listener)
    }

    /// The run's number, once it is kept.
    pub fn run(&self) -> Option<i64> {
        self.recorder.run()
    }

    /// The options that make other commands look here, where it is not where they would look anyway.
    pub fn option(&self) -> String {
        let usual = std::env::var_os("NESTLING_STORE").map(PathBuf::from).or_else(Store::default_path);
        if usual.as_ref() == Some(&self.path) {
            String::new()
        } else {
            format!(" --store {}", text::quoted(&text::name(&self.path)))
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

/// Writes all that is left. A store that fails at the very end is told of, and costs no result.
pub(crate) fn finish(stored: &Option<Stored>, as_json: bool, done: bool) {
    let Some(recording) = stored else { return };
    if let Err(error) = recording.recorder.finish(done) {
        anstream::eprintln!("{}: the end of the run could not be stored: {error}", text::program());
    }
    announce(stored, as_json);
}

/// What there is to say about a score that equals or beats the published record, or the best game here so far.
pub(crate) fn feat(job: &Job<'_>, score: f64) -> Option<String> {
    let goal = job.problem.goal();
    if let Some(record) = job.problem.record().filter(|record| goal.reaches(score, record.score)) {
        let (what, best) = (if score == record.score { "equals" } else { "BREAKS" }, record.score);
        return Some(format!("{score} {what} the record of {best} ({})", record.holder));
    }
    let champion = job.stored.as_ref()?.champion.as_ref()?;
    let (best, run) = (champion.score, champion.run);
    if goal.better(score, best) {
        Some(format!("{score} is the best here so far; before it was {best} (run {run})"))
    } else {
        (score == best).then(|| format!("{score} equals the best here so far (run {run})"))
    }
}

/// All that is needed to go on with a job.
fn specification(job: &Job<'_>) -> Result<Spec> {
    let Job { problem, order, args, .. } = job;
    let absolute = |path: &Option<PathBuf>| -> Result<Option<String>> {
        let Some(path) = path else { return Ok(None) };
        let whole = std::path::absolute(path).with_context(|| text::name(path))?;
        let text =
            whole.to_str().ok_or_else(|| anyhow!("{}: the store keeps only names in UTF-8", text::name(path)))?;
        Ok(Some(text.to_owned()))
    };
    Ok(Spec {
        problem: problem.name().to_owned(),
        minimise: problem.goal() == nestling::Goal::Min,
        search: order.search.to_string(),
        seed: order.seed,
        device: order.device,
        runs: args.runs,
        from: order.from.clone(),
        from_file: args.from.clone(),
        time: order.time.map(|(time, _)| time),
        playouts: order.playouts,
        target: order.target,
        weights: order.weights.iter().map(|(name, weights)| (name.clone(), weights.to_string())).collect(),
        checkpoint: args.checkpoint,
        output: absolute(&args.output)?,
        learned: absolute(&args.learned)?,
    })
}

fn settings(job: &Job<'_>, spec: &Spec) -> Settings {
    Settings::new(spec.checkpoint, job.order.cancel.clone())
}

/// The weights that were kept with a run.
pub(crate) fn weights(spec: &Spec) -> Result<Vec<(String, Weights)>> {
    spec.weights().map_err(|(name, error)| anyhow!(error).context(format!("the stored weights {name}")))
}

/// The arguments that would have begun a run, for what looks at arguments.
pub(crate) fn arguments(spec: &Spec, store: &StoreArgs) -> SolveArgs {
    SolveArgs {
        problem: spec.problem.clone(),
        search: Some(spec.search.clone()),
        time: spec.time,
        playouts: spec.playouts,
        target: spec.target,
        seed: Some(spec.seed),
        threads: None,
        device: match spec.device {
            Device::Cpu => DeviceChoice::Cpu,
            Device::Cuda => DeviceChoice::Cuda,
        },
        runs: spec.runs,
        from: spec.from_file.clone(),
        json: false,
        output: spec.output.as_ref().map(PathBuf::from),
        learned: spec.learned.as_ref().map(PathBuf::from),
        checkpoint: spec.checkpoint,
        no_store: false,
        store: store.clone(),
    }
}
