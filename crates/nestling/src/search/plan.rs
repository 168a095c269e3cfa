//! Searches planned for one problem: names and files resolved, meanings written out.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::found::Found;
use super::frame::{Frame, FrameCheck};
use super::report::SearchReport;
use super::task::Task;
use crate::estimate::{Estimate, Profile};
use crate::expression::{InvalidSearch, Search};
use crate::playout::PlayoutPolicy;
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

/// Why a search cannot be run on a problem.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The expression is invalid for every problem.
    #[error(transparent)]
    Search(#[from] InvalidSearch),
    /// The problem has no such playout policy.
    #[error("no playout policy \"{name}\" for this problem; it has {}", known.join(", "))]
    UnknownPolicy {
        /// The name in the expression.
        name: String,
        /// The names that the problem has.
        known: Vec<&'static str>,
    },
    /// The expression mentions a file of weights that was not given to the run.
    #[error("the weights \"{0}\" were not given to the run (Run::weights)")]
    MissingWeights(String),
    /// The network of a file has other features than the problem.
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
        /// The names that the problem has.
        known: &'static [&'static str],
    },
    /// Moves should share codes with symmetric ones, but no symmetries are known.
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
    /// Positions should be merged, but the problem does not identify them.
    #[error("merge=on: this problem does not identify equal positions (Problem::position); leave merge=on out")]
    NoPositions,
    /// Games should be improved, but the problem has no improver.
    #[error("improve: this problem has no improver of games (Problem::improver); use another search")]
    NoImprover,
    /// States should be judged by their outlook, but the problem has none.
    #[error("by=outlook: this problem cannot estimate the outlook of a state (Problem::outlook); leave by=outlook out")]
    NoOutlook,
    /// A formula is needed, but the problem has none.
    #[error("cdcl: this problem has no formula (Problem::formula); use another search")]
    NoFormula,
    /// The run's set does not contain the algorithm of the search.
    #[error("the search {0} is not in the set of this run (Run::of)")]
    NotInSet(String),
    /// The algorithm defines neither a meaning nor a plan.
    #[error("the search {0} has neither a meaning nor a plan")]
    NoPlan(String),
}

/// A search planned for a problem. It is a pure function of a state and a stream: it can run anywhere, and be run again.
///
/// The frame is the whole state of a search between two playouts. When the search is told to stop, the frame is part of its report; given
/// the frame, it continues as if it had not been interrupted. Checkpoints consist of frames.
pub trait Plan<P: Problem>: Send + Sync {
    /// The state of a search; serde writes it to checkpoints.
    type Frame: Serialize + DeserializeOwned + Send + Sync + 'static;

    /// Changes whenever the meaning of a frame changes, so that an old frame is refused rather than misread.
    const FRAME_VERSION: u32 = 1;

    /// Searches from a state, or continues from the frame of an interruption.
    ///
    /// All randomness comes from `stream` and its [children](Stream::child). Between playouts it calls [`task.stop`](Task::stop) and stops
    /// if that returns a reason.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame>;

    /// Checks a frame that was read from bytes before the search continues from it. A checksum detects accidents, but anyone can compute it:
    /// **a search that would panic or run forever with an impossible frame must refuse it here.** That is the case if it uses numbers of the
    /// frame as indices, plays its moves, or waits for a count.
    ///
    /// # Errors
    ///
    /// What is wrong with the frame, in a few words.
    fn check_frame(&self, _state: &P, _frame: &Self::Frame) -> FrameCheck {
        Ok(())
    }

    /// The expected cost for a start at every depth of a typical game. By default it is unknown.
    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        profile.unknown()
    }

    /// Whether it plays any games from a state. If it plays none, its result is that of the state, and repeating it would never spend a
    /// budget.
    fn plays(&self, _state: &P) -> bool {
        true
    }

    /// Whether it takes so little time that handing it to another thread is not worthwhile.
    fn is_light(&self) -> bool {
        false
    }

    /// Whether it goes along a game, so that its cost depends on the states of that game.
    fn goes_along(&self) -> bool {
        false
    }

    /// The policy, if it is a single playout: many of them are played as one batch.
    fn as_playout(&self) -> Option<&PlayoutPolicy> {
        None
    }

    /// The kind of its tasks, which decides whether other processes can make parts of it.
    fn parts(&self) -> Parts {
        Parts::Dependent
    }
}

/// The kind of a search's tasks. If they do not depend on each other, and the search only runs them [in order](super::Split::in_order),
/// other processes can make them; see [`Ledger`](crate::Ledger).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parts {
    /// One task, or tasks that depend on those before them.
    Dependent,
    /// Tasks that depend only on their index, and find games.
    Games,
    /// Tasks that depend only on their index, and find numbers: their games are not games of the problem itself.
    Numbers,
}

/// A [`Plan`] with the type of its frame erased.
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
        let check = |frame: &T::Frame| Plan::check_frame(self, state, frame);
        let frame = match Frame::open(frame, tag, T::FRAME_VERSION, task, check) {
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

/// The rule that a user's search has broken, if any: other searches rely on these rules.
fn broken_rule<P: Problem, F>(report: &SearchReport<P::Move, F>, state: &P) -> Option<&'static str> {
    match (&report.result, &report.cut) {
        (None, None) => Some("it ended without a result and without a reason"),
        (Some(Found::Game(line)), None) if line.moves.is_empty() && !is_over(state) => {
            Some("it returned a game without moves where there are legal moves")
        }
        _ => None,
    }
}

/// A search that is ready to run, with the expression that repeats it separately.
pub struct Planned<'a, P: Problem> {
    search: Search,
    /// The tag of its frames.
    tag: &'static str,
    plan: Box<dyn AnyPlan<P> + 'a>,
}

/// The methods of [`Plan`], for a search of any algorithm.
impl<'a, P: Problem> Planned<'a, P> {
    pub(super) fn new(search: &Search, plan: impl Plan<P> + 'a) -> Self {
        Planned { search: search.clone(), tag: search.name(), plan: Box::new(plan) }
    }

    /// The same plan of a search that is short for this one.
    pub(super) fn named(self, short: &Search) -> Self {
        Planned { search: short.clone(), ..self }
    }
}

impl<P: Problem> Planned<'_, P> {
    /// The expression.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// Searches from a state, or continues from a frame.
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

    /// Whether handing it to another thread is not worthwhile.
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

    /// The kind of its tasks.
    pub fn parts(&self) -> Parts {
        self.plan.parts()
    }

    pub(crate) fn tag(&self) -> &'static str {
        self.tag
    }
}
