//! Turns a request into a run: defaults, limits and refusals are all here.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nestling::{
    Allowance, Around, Cancel, Estimate, Event, Goal, Illegal, Journal, Outcome, ParseError, RunError, Scores, Search,
    Suggestion, Weights, WeightsError,
};

use super::{Resume, RunSpec, Workers};
use crate::instance::Instance;
use crate::{Device, OpenError, Registry};

/// The default time of a run without any budget.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// A search without a budget that would take longer is refused: ten years.
const LONGEST: Duration = Duration::from_secs(315_576_000);

const TIME_RANGE: &str = "the time must be more than zero and at most ten years";

/// Why a run that was asked for is not made.
#[derive(Debug, thiserror::Error)]
pub enum RunRefused {
    /// The problem cannot be opened.
    #[error(transparent)]
    Problem(#[from] OpenError),
    /// The search cannot be read; the error [points](ParseError::picture) at the culprit.
    #[error("the search: {0}")]
    Search(#[from] ParseError),
    /// The game to start from is illegal.
    #[error("the game to start from is illegal: {0}")]
    From(Illegal),
    /// A file of weights is none.
    #[error("the weights {name}: {error}")]
    Weights {
        /// How the search calls them.
        name: String,
        /// The error.
        error: WeightsError,
    },
    /// The search does not fit the problem, or the run cannot be made.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The device cannot make the search.
    #[error("the device {device}: {reason}")]
    Device {
        /// The device.
        device: Device,
        /// Why.
        reason: String,
    },
    /// Searches are for one player.
    #[error("{problem} is a two-player game; searches are for problems with one player")]
    GameForTwo {
        /// The game.
        problem: String,
    },
    /// Without a budget the search would not end.
    #[error("{search} never ends by itself; give it a time, playouts or a target")]
    Endless {
        /// The search.
        search: String,
    },
    /// Without a budget the search would not end in a time that makes sense.
    #[error(
        "{search} would take more than ten years on {problem}; give it a time, playouts or a target, or lower its levels"
    )]
    TooLong {
        /// The search.
        search: String,
        /// The problem.
        problem: String,
        /// How long it would take.
        seconds: f64,
    },
    /// It makes no sense otherwise.
    #[error("{0}")]
    Senseless(String),
}

/// A run that has been decided on and checked: ready to start.
#[derive(Clone)]
pub struct Ready {
    pub(super) problem: Arc<dyn Instance>,
    spec: RunSpec,
    search: Search,
    reason: Option<String>,
    weights: Vec<(String, Weights)>,
    expected: Option<Estimate>,
    /// Which run of the batch it is.
    number: u64,
    /// Whether it is one task, even if its search could be divided.
    is_whole: bool,
}

/// Callbacks and switches of a run: to watch it, stop it, and store what it finds.
#[derive(Default)]
pub struct Controls<'a> {
    /// Stops the run from outside.
    pub cancel: Cancel,
    /// Shows the scores of single playouts.
    pub scores: Option<Scores>,
    /// When the clock of the budget in time started; otherwise it starts with the run.
    pub began: Option<Instant>,
    /// The checkpoint to resume from.
    pub resume: Option<Resume>,
    /// Hears of everything.
    pub listener: Option<&'a mut dyn FnMut(&Event)>,
    /// Keeps what must not be lost.
    pub journal: Option<&'a mut dyn Journal>,
    /// Wraps all that the searching thread does; see [`Run::around`](nestling::Run::around).
    pub around: Option<Around<'a>>,
    /// Make the tasks of the run, instead of this process. The outcome is the same; single playouts are not seen.
    pub workers: Option<&'a mut dyn Workers>,
}

impl<'a> Controls<'a> {
    /// The same for a run with a journal that is resumed from its checkpoint.
    #[must_use]
    pub fn kept_by<'b>(self, journal: &'b mut dyn Journal, resume: Option<Resume>) -> Controls<'b>
    where
        'a: 'b,
    {
        let Controls { cancel, scores, began, listener, around, workers, .. } = self;
        // The compiler shortens the life of a reference only outside of its `Option`.
        let listener = listener.map(|listener| listener as &mut dyn FnMut(&Event));
        let workers = workers.map(|workers| workers as &mut dyn Workers);
        Controls { cancel, scores, began, resume, listener, journal: Some(journal), around, workers }
    }
}

impl<S, W> Registry<S, W> {
    /// Prepares a run: opens its problem, chooses what the request leaves open, and refuses invalid requests, before any work is done.
    ///
    /// # Errors
    ///
    /// When it is refused; the error names the culprit and the remedy.
    pub fn ready(&self, asked: RunSpec) -> Result<Ready, RunRefused> {
        let problem = self.open(&asked.problem)?;
        self.ready_on(problem.into(), asked)
    }

    /// The same on a problem that is open.
    ///
    /// # Errors
    ///
    /// When it is refused.
    pub fn ready_on(&self, problem: Arc<dyn Instance>, asked: RunSpec) -> Result<Ready, RunRefused> {
        let ready = self.decide(problem, asked)?;
        // Only a search without a budget needs to be known beforehand, and only the processor's speed is.
        if ready.spec.is_bounded() || !ready.spec.device.is_cpu() {
            return Ok(ready);
        }
        let estimate = ready.estimate()?;
        match ready.refusal(&estimate) {
            Some(refused) => Err(refused),
            None => Ok(Ready { expected: Some(estimate), ..ready }),
        }
    }

    /// Chooses what the request leaves open, and refuses what is invalid at any cost. That is enough for a run that was prepared before
    /// and is resumed, and for explaining a run that is not made.
    ///
    /// # Errors
    ///
    /// When it cannot be made here.
    pub fn decide(&self, problem: Arc<dyn Instance>, asked: RunSpec) -> Result<Ready, RunRefused> {
        check_budget(&asked)?;
        if problem.table().is_some() {
            return Err(RunRefused::GameForTwo { problem: problem.name().to_owned() });
        }
        let usual = asked.search.is_none() && !asked.is_bounded();
        let time = asked.time.or(usual.then_some(DEFAULT_TIME));
        let text = asked.search.as_deref();
        let (search, reason) = match text.map(|text| self.searches().parse(text)).transpose()? {
            Some(search) => (search, None),
            None => {
                let allowance = Allowance::new(time, asked.playouts);
                let Suggestion { search, reason } = asked.device.suggestion(problem.as_ref(), allowance);
                // As the text says that is kept: a search of the same name in the registry's set would be taken up later.
                (self.searches().parse(&search.to_string())?, Some(reason))
            }
        };
        problem.check(&search).map_err(RunError::from)?;
        if !asked.device.is_cpu() {
            let device = asked.device;
            let usable = device.check().and_then(|()| problem.gpu_check(&search));
            usable.map_err(|reason| RunRefused::Device { device, reason })?;
        }
        let weights = asked.weights.iter().map(|(name, text)| match text.parse() {
            Ok(weights) => Ok((name.clone(), weights)),
            Err(error) => Err(RunRefused::Weights { name: name.clone(), error }),
        });
        let weights: Vec<(String, Weights)> = weights.collect::<Result<_, _>>()?;
        if let Some((name, _)) =
            weights.iter().find(|(_, weights)| weights.network().is_some() && !asked.device.is_cpu())
        {
            let reason = format!("{name} is a network, which only the processor can use");
            return Err(RunRefused::Device { device: asked.device, reason });
        }
        let from = problem.certify(&asked.from).map_err(RunRefused::From)?.texts().to_vec();
        let spec = RunSpec {
            problem: problem.name().to_owned(),
            minimise: problem.goal() == Goal::Min,
            search: Some(search.to_string()),
            seed: Some(asked.seed.unwrap_or_else(drawn_seed)),
            time,
            from,
            ..asked
        };
        Ok(Ready { problem, spec, search, reason, weights, expected: None, number: 0, is_whole: false })
    }
}

fn check_budget(asked: &RunSpec) -> Result<(), RunRefused> {
    if asked.time.is_some_and(|time| time.is_zero() || time > LONGEST) {
        return Err(RunRefused::Senseless(TIME_RANGE.to_owned()));
    }
    if asked.playouts == Some(0) {
        return Err(RunRefused::Senseless("there must be at least one playout".to_owned()));
    }
    if asked.runs == 0 {
        return Err(RunRefused::Senseless("there must be at least one run".to_owned()));
    }
    Ok(())
}

/// A seed from the system's randomness, short enough to be read out.
pub fn drawn_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

impl Ready {
    /// The problem.
    pub fn problem(&self) -> &dyn Instance {
        self.problem.as_ref()
    }

    /// The same, shared, so that it can outlive the run.
    pub fn shared_problem(&self) -> Arc<dyn Instance> {
        Arc::clone(&self.problem)
    }

    /// The specification, with all decisions made.
    pub fn spec(&self) -> &RunSpec {
        &self.spec
    }

    /// The search.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// The reason for this search, if the user named none.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.spec.seed.unwrap_or_default()
    }

    /// How many threads.
    pub fn threads(&self) -> usize {
        self.spec.threads.unwrap_or_else(all_threads)
    }

    /// The weights that the search mentions, by name.
    pub fn weights(&self) -> &[(String, Weights)] {
        &self.weights
    }

    /// The expected cost of a search without a budget.
    pub fn expected(&self) -> Option<Estimate> {
        self.expected
    }

    /// The expected cost of the search here, on one thread of the processor.
    ///
    /// # Errors
    ///
    /// When it does not fit the problem.
    pub fn estimate(&self) -> Result<Estimate, RunError> {
        self.problem.estimate(&self.search, &self.spec.from)
    }

    /// Why the search is not made without a budget.
    pub fn refusal(&self, estimate: &Estimate) -> Option<RunRefused> {
        let (search, problem, seconds) = (self.search.to_string(), self.problem.name().to_owned(), estimate.seconds);
        if self.search.is_endless() {
            return Some(RunRefused::Endless { search });
        }
        let too_long = seconds.is_finite() && seconds > LONGEST.as_secs_f64();
        too_long.then_some(RunRefused::TooLong { search, problem, seconds })
    }

    /// One run of the batch, with so many threads.
    #[must_use]
    pub fn number(&self, number: u64, threads: usize) -> Ready {
        Ready { number, ..self.with(self.spec.seed_of(number), threads) }
    }

    /// Which run of the batch this is.
    pub(crate) fn batch_number(&self) -> u64 {
        self.number
    }

    /// The same run with another seed, on one thread and as one task of this number.
    #[must_use]
    pub fn whole(&self, number: u64, seed: u64) -> Ready {
        Ready { number, is_whole: true, ..self.with(seed, 1) }
    }

    /// Whether the whole run is one task: so is each run of a batch, and a run on a GPU.
    pub(crate) fn is_one_task(&self) -> bool {
        self.is_whole || self.spec.runs > 1 || self.spec.device == Device::Cuda
    }

    /// The same run with another seed and so many threads.
    #[must_use]
    pub fn with(&self, seed: u64, threads: usize) -> Ready {
        let (seed, threads) = (Some(seed), Some(threads));
        Ready { spec: RunSpec { seed, threads, ..self.spec.clone() }, ..self.clone() }
    }

    /// Starts the run, and waits for its end. The journal, if there is one, gets a checkpoint as often as the description says.
    ///
    /// # Errors
    ///
    /// When it cannot be started, its result is not to be trusted, or the workers fail.
    pub fn start(&self, mut controls: Controls<'_>) -> Result<Outcome, RunError> {
        match controls.workers.take() {
            Some(workers) => self.start_on(workers, controls),
            None => self.problem.run(self, controls),
        }
    }
}

/// As many threads as there are processors.
pub fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
