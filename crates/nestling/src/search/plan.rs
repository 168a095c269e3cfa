//! Searches made ready for one problem: names and files resolved, what they mean written out.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::algorithm::Searches;
use super::found::Found;
use super::frame::Frame;
use super::task::{SearchReport, Task};
use crate::estimate::{Estimate, Profile};
use crate::expression::{InvalidSearch, Search};
use crate::playout::{PlayoutPolicy, Rule};
use crate::problem::{Problem, is_over};
use crate::run::RunError;
use crate::stream::Stream;
use crate::weights::Weights;

/// The contents of files, by the names under which expressions mention them.
#[derive(Clone, Debug)]
pub struct Files<M> {
    /// Weights, `weights=` and `warm=`.
    pub weights: HashMap<String, Arc<Weights>>,
    /// Games from the problem's beginning, `replay(FILE)`.
    pub games: HashMap<String, Arc<[Vec<M>]>>,
}

impl<M> Default for Files<M> {
    fn default() -> Self {
        Files { weights: HashMap::new(), games: HashMap::new() }
    }
}

/// An expression that does not fit the problem.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// The expression is nonsense for any problem.
    #[error(transparent)]
    Search(#[from] InvalidSearch),
    /// The problem has no such playout policy.
    #[error("no playout policy \"{name}\" for this problem; it has {}", known.join(", "))]
    UnknownPolicy {
        /// The name in the expression.
        name: String,
        /// The names it might have been.
        known: Vec<&'static str>,
    },
    /// The expression mentions a file of weights that was not given to the run.
    #[error("the weights \"{0}\" were not given to the run (Run::weights)")]
    MissingWeights(String),
    /// The network of a file is for other features than the problem's.
    #[error("the network \"{file}\" knows {found} features, and moves of this problem have {}; train one on this problem with `nestling learn`", if *wanted == 0 { "none".to_owned() } else { wanted.to_string() })]
    OtherFeatures {
        /// The file.
        file: String,
        /// The features that the network knows.
        found: usize,
        /// Those of the problem.
        wanted: usize,
    },
    /// A search that learns weights of codes cannot start from a network.
    #[error("warm=: \"{0}\" is a network, which does not weigh codes; use it as weights={0}")]
    NetworkAsStart(String),
    /// The expression mentions a file of games that was not given to the run.
    #[error("the games \"{0}\" were not given to the run (Run::games)")]
    MissingGames(String),
    /// The problem has no such bias.
    #[error("no bias \"{name}\" for this problem; it has {}", if known.is_empty() { "none".to_owned() } else { known.join(", ") })]
    UnknownBias {
        /// The name in the expression.
        name: String,
        /// The names it might have been.
        known: &'static [&'static str],
    },
    /// Moves are to share codes with symmetric ones, but none are known.
    #[error("codes=symmetric: no symmetries of this problem are known; leave it out")]
    NoSymmetry,
    /// Two options that exclude each other.
    #[error("{search}: {one}= cannot be used together with {other}=; leave one of them out")]
    Excluded {
        /// The name of the search.
        search: &'static str,
        /// One option.
        one: &'static str,
        /// The other.
        other: &'static str,
    },
    /// Positions are to be merged, but the problem does not tell them apart.
    #[error("merge=on: this problem does not say which of its positions are the same; leave merge=on out")]
    NoPositions,
    /// Games are to be improved, but the problem knows no small changes of them.
    #[error(
        "improve: it is not known how games of this problem are changed a little (Problem::improver); use another search"
    )]
    NoImprover,
    /// The search is of an algorithm that the run does not know.
    #[error("the search {0} is not in the set of this run (Run::of)")]
    NotInSet(String),
    /// The algorithm says neither what its searches mean nor how they run.
    #[error("the search {0} has neither a meaning nor a plan")]
    NoPlan(String),
}

/// A search made ready for a problem. It is a pure function of a state and a stream: it can run anywhere, and be run again.
///
/// All that a search knows between two playouts is its frame. When it is told to stop, the frame is part of its report; given the
/// frame back it goes on as if nothing had happened. A checkpoint is no more than this.
pub trait Plan<P: Problem>: Send + Sync {
    /// Where a search stands; with serde it can be written down.
    type Frame: Serialize + DeserializeOwned + Send + Sync + 'static;

    /// Changes whenever the meaning of a frame does, so that an old one is refused rather than misread.
    const FRAME_VERSION: u32 = 1;

    /// Searches from a state, or goes on from the frame where it was interrupted.
    ///
    /// All randomness comes from `stream` and its [children](Stream::child). Between playouts it asks
    /// [`task.stop`](Task::stop) whether to go on.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame>;

    /// The expected cost when it is started at every depth of a typical game. The default says that nothing is known.
    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        profile.unknown()
    }

    /// Whether it plays any games from a state. Where it plays none, its result is the state's, and repeating it would never use up a
    /// budget.
    fn plays(&self, _state: &P) -> bool {
        true
    }

    /// Whether it takes so little time that handing it to another thread would not pay.
    fn is_light(&self) -> bool {
        false
    }

    /// Whether it goes along a game, so that its cost depends on what lies there.
    fn goes_along(&self) -> bool {
        false
    }

    /// The policy, if it is a single playout: many of them are played as one batch.
    fn as_playout(&self) -> Option<&PlayoutPolicy> {
        None
    }

    /// What it is made of, which decides whether other processes can make parts of it.
    fn parts(&self) -> Parts {
        Parts::Dependent
    }
}

/// What a search is made of. Where its tasks do not depend on each other, and it does nothing but run them
/// [in order](super::Split::in_order), each can be made by another process; see [`Ledger`](crate::Ledger).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// One piece of work, or tasks that depend on those before them.
    Dependent,
    /// Tasks that depend on nothing but their index, and find games.
    Games,
    /// Tasks that depend on nothing but their index, and find numbers: their games are not those of the problem.
    Numbers,
}

/// A [`Plan`] with its frame's type forgotten.
trait AnyPlan<P: Problem>: Send + Sync {
    fn run(
        &self,
        tag: &'static str,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Frame<P::Move>>,
    ) -> SearchReport<P::Move>;
    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate>;
    fn plays(&self, state: &P) -> bool;
    fn is_light(&self) -> bool;
    fn goes_along(&self) -> bool;
    fn as_playout(&self) -> Option<&PlayoutPolicy>;
    fn parts(&self) -> Parts;
}

impl<P: Problem, T: Plan<P>> AnyPlan<P> for T {
    fn run(
        &self,
        tag: &'static str,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Frame<P::Move>>,
    ) -> SearchReport<P::Move> {
        let frame = match Frame::open(frame, tag, T::FRAME_VERSION, task) {
            Ok(frame) => frame,
            Err(failed) => return *failed,
        };
        let report = Plan::run(self, task, state, stream, frame);
        match broken_rule(&report, state) {
            Some(reason) => task.fail(RunError::Faulty { search: tag.to_owned(), reason }),
            None => report.map_frame(|own| Frame::new(tag, T::FRAME_VERSION, own)),
        }
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        Plan::cost(self, profile)
    }

    fn plays(&self, state: &P) -> bool {
        Plan::plays(self, state)
    }

    fn is_light(&self) -> bool {
        Plan::is_light(self)
    }

    fn goes_along(&self) -> bool {
        Plan::goes_along(self)
    }

    fn as_playout(&self) -> Option<&PlayoutPolicy> {
        Plan::as_playout(self)
    }

    fn parts(&self) -> Parts {
        Plan::parts(self)
    }
}

/// The rule that a search of somebody's own has broken, if it has: others rely on these.
fn broken_rule<P: Problem, F>(report: &SearchReport<P::Move, F>, state: &P) -> Option<&'static str> {
    match (&report.result, &report.cut) {
        (None, None) => Some("it ended without a result and without a reason"),
        (Some(Found::Game(line)), None) if line.moves.is_empty() && !is_over(state) => {
            Some("it returned a game without moves where there are legal moves")
        }
        _ => None,
    }
}

/// A search that is ready to run, with the expression that repeats it by itself.
pub struct Planned<'a, P: Problem> {
    search: Search,
    /// The tag of its frames.
    tag: &'static str,
    plan: Box<dyn AnyPlan<P> + 'a>,
}

/// The same as [`Plan`] has, for a search of any algorithm.
impl<P: Problem> Planned<'_, P> {
    /// The expression.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// Searches from a state, or goes on from a frame.
    pub fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Frame<P::Move>>,
    ) -> SearchReport<P::Move> {
        self.plan.run(self.tag, task, state, stream, frame)
    }

    /// The expected cost at every depth of a typical game.
    pub fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        self.plan.cost(profile)
    }

    /// Whether it plays any games from a state.
    pub fn plays(&self, state: &P) -> bool {
        self.plan.plays(state)
    }

    /// Whether handing it to another thread would not pay.
    pub fn is_light(&self) -> bool {
        self.plan.is_light()
    }

    /// Whether it goes along a game.
    pub fn goes_along(&self) -> bool {
        self.plan.goes_along()
    }

    /// The policy, if it is a single playout.
    pub fn as_playout(&self) -> Option<&PlayoutPolicy> {
        self.plan.as_playout()
    }

    /// What it is made of.
    pub fn parts(&self) -> Parts {
        self.plan.parts()
    }

    pub(crate) fn tag(&self) -> &'static str {
        self.tag
    }
}

/// How a set of searches makes one of them ready.
pub(crate) type PlanFn<P> = for<'a> fn(&Search, &Planner<'a, P>) -> Option<Result<Planned<'a, P>, PlanError>>;

/// Whether a search of a set fits a problem: what a run finds out when it starts. The files that it mentions need not be there.
///
/// # Errors
///
/// When it does not.
pub fn check<S: Searches, P: Problem>(problem: &P, search: &Search) -> Result<(), PlanError> {
    without_files::<S, P>(problem, search).map(drop)
}

/// A search made ready for all but running: with empty weights and no games in place of every file.
pub(crate) fn without_files<'a, S: Searches, P: Problem>(
    problem: &'a P,
    search: &Search,
) -> Result<Planned<'a, P>, PlanError> {
    search.check()?;
    let files = Files {
        weights: search.weight_files().into_iter().map(|name| (name.to_owned(), Arc::default())).collect(),
        games: search.game_files().into_iter().map(|name| (name.to_owned(), Arc::from([]))).collect(),
    };
    Planner::of::<S>(problem, files).plan(search)
}

/// What an algorithm makes its plans with.
pub struct Planner<'a, P: Problem> {
    problem: &'a P,
    files: Files<P::Move>,
    plan: PlanFn<P>,
}

impl<'a, P: Problem> Planner<'a, P> {
    pub(crate) fn new(problem: &'a P, files: Files<P::Move>, plan: PlanFn<P>) -> Self {
        Planner { problem, files, plan }
    }

    /// One for the searches of a set.
    pub(crate) fn of<S: Searches>(problem: &'a P, files: Files<P::Move>) -> Self {
        Planner::new(problem, files, S::plan)
    }

    /// The problem.
    pub fn problem(&self) -> &'a P {
        self.problem
    }

    /// Makes a search ready, one inside another for example: `planner.plan(&search.inner()[0])`.
    ///
    /// # Errors
    ///
    /// When it does not fit the problem.
    pub fn plan(&self, search: &Search) -> Result<Planned<'a, P>, PlanError> {
        let mut whole = search.clone();
        // What a search stands for may itself stand for another. That this ends is checked with the expression.
        while let Some(meaning) = whole.meaning() {
            whole = meaning;
        }
        // The searches inside get its `games`; it keeps them, for it may play some itself.
        let core = whole.core().played_by(whole.games);
        let planned = (self.plan)(&core, self).unwrap_or_else(|| Err(PlanError::NotInSet(core.name().to_owned())))?;
        Ok(Planned { search: search.clone(), ..planned })
    }

    /// All the searches inside one, ready.
    ///
    /// # Errors
    ///
    /// When one does not fit the problem.
    pub fn plan_inner(&self, search: &Search) -> Result<Vec<Planned<'a, P>>, PlanError> {
        search.inner().iter().map(|inner| self.plan(inner)).collect()
    }

    /// The only search inside one, ready.
    ///
    /// # Errors
    ///
    /// When it does not fit the problem.
    ///
    /// # Panics
    ///
    /// When there is none: the form asks for none.
    pub fn plan_only(&self, search: &Search) -> Result<Planned<'a, P>, PlanError> {
        self.plan(&search.inner()[0])
    }

    /// A plan as what [`Algorithm::plan`](super::Algorithm::plan) returns.
    ///
    /// # Errors
    ///
    /// None; it is a result so that it can be returned as it is.
    pub fn ready(&self, search: &Search, plan: impl Plan<P> + 'a) -> Result<Planned<'a, P>, PlanError> {
        Ok(Planned { search: search.clone(), tag: search.name(), plan: Box::new(plan) })
    }

    /// The weights of a file that the search mentions.
    ///
    /// # Errors
    ///
    /// When they were not given to the run, or have a network for other features than the problem's.
    pub fn weights(&self, file: &str) -> Result<Arc<Weights>, PlanError> {
        let weights = self.files.weights.get(file).ok_or_else(|| PlanError::MissingWeights(file.to_owned()))?;
        let wanted = self.problem.feature_count();
        match weights.network().map(|network| network.features()).filter(|&found| found != wanted) {
            Some(found) => Err(PlanError::OtherFeatures { file: file.to_owned(), found, wanted }),
            None => Ok(Arc::clone(weights)),
        }
    }

    /// The games of a file that the search mentions, each from the problem's beginning.
    ///
    /// # Errors
    ///
    /// When they were not given to the run.
    pub fn games(&self, file: &str) -> Result<Arc<[Vec<P::Move>]>, PlanError> {
        self.files.games.get(file).cloned().ok_or_else(|| PlanError::MissingGames(file.to_owned()))
    }

    /// How the games of a search are played: its `playout=` and `weights=`, or what is usual for the problem.
    ///
    /// # Errors
    ///
    /// When the problem has no such policy, or the weights were not given.
    pub fn policy(&self, search: &Search) -> Result<PlayoutPolicy, PlanError> {
        let problem = self.problem;
        let rule = match search.games.policy.as_deref().unwrap_or(problem.default_policy()) {
            "uniform" => Rule::Uniform,
            "mobility" => Rule::Mobility,
            own => match problem.policies().iter().position(|&policy| policy == own) {
                Some(index) => Rule::Own(index),
                None => {
                    let known = ["uniform", "mobility"].into_iter().chain(problem.policies().iter().copied()).collect();
                    return Err(PlanError::UnknownPolicy { name: own.to_owned(), known });
                }
            },
        };
        let weights = search.games.weights.as_ref().map(|name| self.weights(name)).transpose()?;
        Ok(PlayoutPolicy { rule, weights })
    }
}
