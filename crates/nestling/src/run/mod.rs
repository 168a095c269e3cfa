//! A run and its settings: seed, threads, budget, listeners. [`drive`] carries it out; searches only search.

mod drive;
mod ledger;
mod stepper;
mod task;
mod task_stepper;
mod threads;
mod work;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::accelerator::Accelerator;
use crate::certified::Certified;
use crate::checkpoint::CheckpointError;
use crate::expression::Search;
use crate::journal::{Find, Improvement, Journal, Spent};
use crate::problem::{Illegal, Problem};
use crate::scores::Scores;
use crate::search::plan::Files;
use crate::search::planner::PlanFn;
use crate::search::task::News;
use crate::search::{PlanError, Searches, Standard};
use crate::watch::Cancel;
use crate::weights::Weights;

pub use ledger::Ledger;
pub use stepper::Stepper;
pub use task::{ReportHeader, TaskError, TaskSpec};
pub use task_stepper::TaskStepper;

/// Why a run could not be started, or its result cannot be trusted.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The expression does not fit the problem.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The moves to start from break the rules.
    #[error("the game to start from is illegal: {0}")]
    From(#[source] Illegal),
    /// A file of games is empty.
    #[error("{0}: the file contains no game")]
    NoGames(String),
    /// A game of a file breaks the rules.
    #[error("{name}: game {number} is illegal: {error}")]
    Games {
        /// The file.
        name: String,
        /// The number of the game in it, from 1.
        number: usize,
        /// The error.
        error: Illegal,
    },
    /// The run cannot be resumed from the checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A task or its report cannot be read, belongs to another run, or cannot be trusted.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// `repeat(s)` without any budget.
    #[error("{0} never ends; give it a budget: time, playouts or a target")]
    Endless(String),
    /// The target is better than a proven bound.
    #[error("no game reaches {target}: it is proven that none is better than {bound}")]
    Unreachable {
        /// The target.
        target: f64,
        /// The problem's bound.
        bound: f64,
    },
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// The system's message.
        reason: String,
    },
    /// The device that should run the search cannot.
    #[error("{0}")]
    Accelerator(String),
    /// The workers that should make the tasks cannot.
    #[error("{0}")]
    Workers(String),
    /// A stepper does not support this.
    #[error("a stepper does not support {0}")]
    NoSteps(&'static str),
    /// The search broke a rule of its trait: a defect of the algorithm.
    #[error("the search {search} is faulty: {reason}; please report this to its author")]
    Faulty {
        /// The algorithm.
        search: String,
        /// Which rule it broke.
        reason: &'static str,
    },
    /// The plain rules refuse a game that the search reported: a defect of the problem's engine.
    #[error("the rules refuse a game the search found (score {score}): {why}; please report this")]
    Uncertified {
        /// The score the search claimed.
        score: f64,
        /// The message of the rules.
        why: String,
    },
}

/// Events during a run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A better game, certified.
    Improvement(Improvement),
    /// A game that reaches the score of [`Run::keep`], certified.
    Find(Find),
    /// The current state, ten times a second.
    Progress {
        /// Time since the run began.
        elapsed: Duration,
        /// Playouts played by all threads.
        playouts: u64,
        /// The best score seen by any thread.
        best: Option<f64>,
    },
    /// The journal could not store something; the run continues.
    JournalFailed(String),
    /// The device that runs the search has failed, with the reason; the run ends with what it had found.
    Failed(String),
    /// An error elsewhere that costs time, but does not change the result: a worker is gone, a report was refused. The run continues.
    Trouble(String),
}

/// A function that wraps the work of a searching thread; it calls its argument once.
pub type Around<'a> = &'a (dyn Fn(&mut dyn FnMut()) + Sync);

type Listener<'a> = Box<dyn FnMut(&Event) + 'a>;

/// Methods of a builder, each of which sets one field to what is made of its argument.
macro_rules! setters {
    ($($(#[$doc:meta])* $field:ident: $type:ty = $value:expr;)*) => {
        $($(#[$doc])* #[must_use] pub fn $field(mut self, $field: $type) -> Self {
            self.$field = $value;
            self
        })*
    };
}
pub(crate) use setters;

/// A search about to be run on a problem.
///
/// ```
/// use nestling::{Problem, Run};
/// # #[derive(Clone)] struct LeftMove { depth: u32, lefts: u32 }
/// # impl Problem for LeftMove {
/// #     type Move = bool;
/// #     fn legal_moves(&self, moves: &mut Vec<bool>) { moves.clear(); if self.depth > 0 { moves.extend([true, false]) } }
/// #     fn play(&mut self, left: bool) { self.depth -= 1; self.lefts += u32::from(left); }
/// #     fn score(&self) -> f64 { self.lefts.into() }
/// # }
/// let problem = LeftMove { depth: 10, lefts: 0 };
/// let outcome = Run::new(&problem, "nrpa(2)".parse()?).seed(7).playouts(5_000).start()?;
/// assert_eq!(outcome.score(), Some(10.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Run<'a, P: Problem> {
    problem: &'a P,
    search: Search,
    plan: PlanFn<P>,
    seed: u64,
    threads: usize,
    from: Vec<P::Move>,
    time: Option<Duration>,
    began: Option<Instant>,
    playouts: Option<u64>,
    target: Option<f64>,
    keep: Option<f64>,
    cancel: Cancel,
    around: Option<Around<'a>>,
    scores: Option<Scores>,
    accelerator: Option<Box<dyn Accelerator<P::Move> + 'a>>,
    files: Files<P::Move>,
    on_event: Option<Listener<'a>>,
    journal: Option<(&'a mut dyn Journal, Duration)>,
    resume: Option<Vec<u8>>,
    spent: Spent,
    /// Games to be kept that were not announced yet, the best first.
    finds: VecDeque<News<P::Move>>,
    /// Where such games are collected if the run is a task for others: they are part of its report.
    gathered: Option<Arc<task::Finds<P::Move>>>,
    /// The game that was verified last.
    certified: Option<Certified<P::Move>>,
}

impl<'a, P: Problem> Run<'a, P> {
    /// A run of `search` on `problem` with seed 0, one thread and no budget.
    pub fn new(problem: &'a P, search: Search) -> Self {
        Run::of::<Standard>(problem, search)
    }

    /// The same, with an expression of searches of this set rather than of [Nestling's own](Standard). Only these are compiled for the
    /// problem.
    pub fn of<S: Searches>(problem: &'a P, search: Search) -> Self {
        Run {
            problem,
            search,
            plan: S::plan,
            seed: 0,
            threads: 1,
            from: Vec::new(),
            time: None,
            began: None,
            playouts: None,
            target: None,
            keep: None,
            cancel: Cancel::new(),
            around: None,
            scores: None,
            accelerator: None,
            files: Files::default(),
            on_event: None,
            journal: None,
            resume: None,
            spent: Spent::default(),
            finds: VecDeque::new(),
            gathered: None,
            certified: None,
        }
    }

    setters! {
        /// The seed; the same seed and a budget in playouts give the same outcome.
        seed: u64 = seed;
        /// How many threads to use (at least 1). The outcome does not depend on it, unless time, a person, or a target without a budget in
        /// playouts ends the run.
        threads: usize = threads.max(1);
        /// Starts the search after these moves of a game.
        from: &[P::Move] = from.to_vec();
        /// Stops after this time, within some hundredths of a second unless a single move takes longer.
        time: Duration = Some(time);
        /// When the clock of the [time](Run::time) started; by default at [`start`](Run::start). Elapsed times are always counted from
        /// [`start`](Run::start).
        began: Instant = Some(began);
        /// Stops after exactly this many playouts.
        playouts: u64 = Some(playouts);
        /// Stops at a game that reaches this score. With a budget in [playouts](Run::playouts) that is the first one in the order of tasks,
        /// and the outcome does not depend on the threads. Without such a budget the run ends as soon as any thread has found such a game;
        /// the [recipe](crate::Outcome::recipe) finds it again. The same holds for the problem's [bound](Problem::bound).
        target: f64 = Some(target);
        /// Reports the games that reach this score, not only those that are better than all before: `pool` reports every game that enters
        /// it with such a score, other searches only better ones. The search itself is the same. If it finds more such games than can be
        /// verified in time, the best are reported.
        keep: f64 = Some(keep);
        /// Lets `cancel` stop the run from another thread or a signal handler.
        cancel: Cancel = cancel;
        /// Wraps everything that the searching thread does, if a problem's methods need something that takes long to get, such as the lock
        /// of an interpreter. For runs with one [thread](Run::threads).
        around: Around<'a> = Some(around);
        /// Collects the scores of single playouts while they are played.
        scores: Scores = Some(scores);
        /// Lets a device beside the processor run the search. The device was opened for the same problem, expression, seed and start. A
        /// budget in playouts then ends with the round that spends it.
        accelerator: Box<dyn Accelerator<P::Move> + 'a> = Some(accelerator);
        /// Continues from a checkpoint of the same problem, search, seed and start.
        resume: Vec<u8> = Some(resume);
        /// All files that the expression mentions; see [`weights`](Run::weights) and [`games`](Run::games).
        files: Files<P::Move> = files;
        /// What the run had spent when that checkpoint was written: times and playouts are counted on from there, and of a budget in time
        /// only the rest is left. (A budget in playouts is stored in the checkpoint.)
        spent: Spent = spent;
    }

    /// The weights that the expression calls `name` (`weights=name`, `warm=name`).
    #[must_use]
    pub fn weights(mut self, name: &str, weights: Weights) -> Self {
        self.files.weights.insert(name.to_owned(), Arc::new(weights));
        self
    }

    /// The games that the expression calls `name` (`replay(name)`), each from the problem's beginning.
    #[must_use]
    pub fn games(mut self, name: &str, games: Vec<Vec<P::Move>>) -> Self {
        self.files.games.insert(name.to_owned(), games.into());
        self
    }

    /// Calls `listener` with every event, from the thread that called [`start`](Run::start).
    #[must_use]
    pub fn on_event(mut self, listener: impl FnMut(&Event) + 'a) -> Self {
        self.on_event = Some(Box::new(listener));
        self
    }

    /// Stores improvements, and every `interval` the whole state of the search, in `journal`. If checkpoints are so large that they would
    /// take more than a hundredth of the run, they are made less often.
    #[must_use]
    pub fn journal(mut self, journal: &'a mut dyn Journal, interval: Duration) -> Self {
        self.journal = Some((journal, interval));
        self
    }
}
