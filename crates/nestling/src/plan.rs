//! A search expression made ready for one problem: sugar expanded, names and files resolved.

use std::collections::HashMap;
use std::sync::Arc;

use crate::expression::{InvalidSearch, Kind, Search, Ties};
use crate::playout::{PlayoutPolicy, Rule};
use crate::problem::Problem;
use crate::weights::Weights;

/// Weights by the names under which expressions mention them.
pub(crate) type Files = HashMap<String, Arc<Weights>>;

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
}

/// A node of the plan, with the expression that repeats it by itself.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub kind: PlanKind,
    pub search: Search,
}

#[derive(Clone, Debug)]
pub(crate) enum PlanKind {
    Playout(PlayoutPolicy),
    Repeat { times: Option<u64>, child: Box<Plan> },
    Mean { times: u64, child: Box<Plan> },
    Step { memory: bool, child: Box<Plan> },
    Lookahead { ties: Ties, child: Box<Plan> },
    Nrpa(NrpaPlan),
    Uct(UctPlan),
    Dfs,
    Beam(BeamPlan),
}

#[derive(Clone, Debug)]
pub(crate) struct NrpaPlan {
    pub level: u32,
    pub iterations: u64,
    pub alpha: f64,
    pub tries: u64,
    pub warm: Option<Arc<Weights>>,
    pub policy: PlayoutPolicy,
}

#[derive(Clone, Debug)]
pub(crate) struct UctPlan {
    pub simulations: u64,
    pub c: f64,
    pub trees: u64,
    pub policy: PlayoutPolicy,
}

#[derive(Clone, Debug)]
pub(crate) struct BeamPlan {
    pub width: usize,
    pub samples: u64,
    pub policy: PlayoutPolicy,
}

impl Plan {
    pub fn new<P: Problem>(search: &Search, problem: &P, files: &Files) -> Result<Plan, PlanError> {
        search.check()?;
        Plan::node(search, problem, files)
    }

    fn node<P: Problem>(search: &Search, problem: &P, files: &Files) -> Result<Plan, PlanError> {
        let core = search.core();
        let policy = || resolve(&core, problem, files);
        let child = |inner: &Search| Plan::node(inner, problem, files).map(Box::new);
        let kind = match &core.kind {
            Kind::Playout => PlanKind::Playout(policy()?),
            Kind::Repeat { times, search } => PlanKind::Repeat { times: *times, child: child(search)? },
            Kind::Mean { times, search } => PlanKind::Mean { times: *times, child: child(search)? },
            Kind::Step { search, memory } => PlanKind::Step { memory: *memory, child: child(search)? },
            Kind::Lookahead { search, ties } => PlanKind::Lookahead { ties: *ties, child: child(search)? },
            Kind::Nrpa { level, iterations, alpha, tries, warm } => {
                let warm = warm.as_ref().map(|name| file(name, files)).transpose()?;
                let (level, iterations, alpha, tries) = (*level, *iterations, *alpha, *tries);
                PlanKind::Nrpa(NrpaPlan { level, iterations, alpha, tries, warm, policy: policy()? })
            }
            Kind::Uct { simulations, c, trees } => {
                PlanKind::Uct(UctPlan { simulations: *simulations, c: *c, trees: *trees, policy: policy()? })
            }
            Kind::Dfs => PlanKind::Dfs,
            Kind::Beam { width, samples } => {
                PlanKind::Beam(BeamPlan { width: *width as usize, samples: *samples, policy: policy()? })
            }
            Kind::Nested { .. } | Kind::Reflexive { .. } => unreachable!("core() leaves no sugar"),
        };
        Ok(Plan { kind, search: search.clone() })
    }

    /// Whether this plays any games from a state. Where it plays none, its result is the state's, and repeating it would
    /// never use up a budget.
    pub fn plays<P: Problem>(&self, state: &P) -> bool {
        let mut moves = Vec::new();
        match &self.kind {
            PlanKind::Repeat { child, .. } | PlanKind::Mean { child, .. } => child.plays(state),
            PlanKind::Step { child, .. } => {
                state.legal_moves(&mut moves);
                !moves.is_empty() && child.plays(state)
            }
            PlanKind::Lookahead { child, .. } => {
                state.legal_moves(&mut moves);
                moves.into_iter().any(|played| {
                    let mut after = state.clone();
                    after.play(played);
                    child.plays(&after)
                })
            }
            PlanKind::Beam(_) => {
                state.legal_moves(&mut moves);
                !moves.is_empty()
            }
            PlanKind::Playout(_) | PlanKind::Nrpa(_) | PlanKind::Uct(_) | PlanKind::Dfs => true,
        }
    }

    /// Whether running this takes so little time that handing it to another thread would not pay.
    pub fn is_light(&self) -> bool {
        match &self.kind {
            PlanKind::Playout(_) => true,
            PlanKind::Repeat { times: Some(times), child } => *times <= 16 && child.is_light(),
            _ => false,
        }
    }
}

fn file(name: &str, files: &Files) -> Result<Arc<Weights>, PlanError> {
    files.get(name).cloned().ok_or_else(|| PlanError::MissingWeights(name.to_owned()))
}

fn resolve<P: Problem>(search: &Search, problem: &P, files: &Files) -> Result<PlayoutPolicy, PlanError> {
    let name = search.games.policy.as_deref().unwrap_or(problem.default_policy());
    let rule = match name {
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
    let weights = search.games.weights.as_ref().map(|name| file(name, files)).transpose()?;
    Ok(PlayoutPolicy { rule, weights })
}
