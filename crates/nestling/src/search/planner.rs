//! From an expression to a plan for one problem.

use std::sync::Arc;

use super::algorithm::Searches;
use super::plan::{Files, Plan, PlanError, Planned};
use crate::expression::Search;
use crate::playout::{PlayoutPolicy, Rule};
use crate::problem::Problem;
use crate::weights::Weights;

/// The function with which a set of searches plans one of them.
pub(crate) type PlanFn<P> = for<'a> fn(&Search, &Planner<'a, P>) -> Option<Result<Planned<'a, P>, PlanError>>;

/// Checks whether a search of a set can be run on a problem, as a run does when it starts. The files that it mentions need not exist.
///
/// # Errors
///
/// When it does not.
pub fn check<S: Searches, P: Problem>(problem: &P, search: &Search) -> Result<(), PlanError> {
    without_files::<S, P>(problem, search).map(drop)
}

/// A search planned for everything except running: with empty weights and no games in place of every file.
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

/// Plans searches; given to [`Algorithm::plan`](super::Algorithm::plan).
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

    /// Plans a search, for example one inside another: `planner.plan(&search.inner()[0])`.
    ///
    /// # Errors
    ///
    /// When it cannot be run on the problem.
    pub fn plan(&self, search: &Search) -> Result<Planned<'a, P>, PlanError> {
        let mut whole = search.clone();
        // The meaning of a search may itself be short for another. That this ends is checked with the expression.
        while let Some(meaning) = whole.meaning() {
            whole = meaning;
        }
        // The searches inside get its `games`; it keeps them too, because it may play games itself.
        let core = whole.core().played_by(whole.games);
        let planned = (self.plan)(&core, self).unwrap_or_else(|| Err(PlanError::NotInSet(core.name().to_owned())))?;
        Ok(planned.named(search))
    }

    /// Plans all the searches inside one.
    ///
    /// # Errors
    ///
    /// When one cannot be run on the problem.
    pub fn plan_inner(&self, search: &Search) -> Result<Vec<Planned<'a, P>>, PlanError> {
        search.inner().iter().map(|inner| self.plan(inner)).collect()
    }

    /// Plans the only search inside one.
    ///
    /// # Errors
    ///
    /// When it cannot be run on the problem.
    ///
    /// # Panics
    ///
    /// When there is none because the form has no such argument.
    pub fn plan_only(&self, search: &Search) -> Result<Planned<'a, P>, PlanError> {
        self.plan(&search.inner()[0])
    }

    /// Wraps a plan as the return value of [`Algorithm::plan`](super::Algorithm::plan).
    ///
    /// # Errors
    ///
    /// None; it is a `Result` so that it can be returned directly.
    pub fn ready(&self, search: &Search, plan: impl Plan<P> + 'a) -> Result<Planned<'a, P>, PlanError> {
        Ok(Planned::new(search, plan))
    }

    /// The weights of a file that the search mentions.
    ///
    /// # Errors
    ///
    /// When they were not given to the run, or have a network with other features than the problem's.
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

    /// How the games of a search are played: its `playout=` and `weights=`, or the problem's defaults.
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
