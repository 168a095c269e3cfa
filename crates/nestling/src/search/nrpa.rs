//! Nested rollout policy adaptation: each level adapts the playout policy towards its best sequence.
//!
//! Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, 2011. Policies store e = exp(weight), as in Buzer and Cazenave,
//! *Playout Optimization for Monte-Carlo Search Algorithms*, 2022, IV.C: then a playout needs no exponential, and an adapt needs one per
//! code instead of one per legal move.
//!
//! The options are parts of NRPA's successors; docs/ALGORITHMS.md defines each and names its paper. Without options it is Rosin's NRPA.

mod beam;
mod level;
mod searching;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use self::beam::BeamAdaptation;
use self::level::{LevelNotes, LevelRules};
use self::searching::{FrameCodes, Searching};
use super::{Algorithm, Argument, Form, Menu, Plan, PlanError, Planned, Planner, Profile, Type};
use super::{FrameCheck, SearchProgress, SearchReport, Task, require};
use crate::codes::Codes;
use crate::estimate::Estimate;
use crate::expression::Search;
use crate::learner::Trace;
use crate::math::{exp, ln};
use crate::playout::PlayoutPolicy;
use crate::problem::{Move, Problem, is_over};
use crate::run::Run;
use crate::stream::Stream;
use crate::weights::Weights;

/// `nrpa(l)`: nested rollout policy adaptation.
pub struct Nrpa;

impl Algorithm for Nrpa {
    const FORM: Form = Form {
        name: "nrpa",
        example: "nrpa(3)",
        about: "nested rollout policy adaptation: each level learns a playout policy from its best game",
        arguments: &[Argument::integer("level", 0, 32).symbol("l").about("0 is a playout")],
        options: &[
            Argument::integer("iterations", 1, u64::MAX).default_integer(100).about("iterations per level"),
            Argument::positive("alpha").default_number(1.0).about("the step size of the gradient"),
            Argument::integer("tries", 1, 1_000_000)
                .default_integer(1)
                .about("playouts before each adaptation at level 1"),
            Argument::file("warm").about("weights or games to start from; if not given, all moves are equally likely"),
            Argument::positive("temperature")
                .default_number(1.0)
                .about("a move of weight w is drawn with probability ∝ exp(w / temperature)"),
            Argument::positive("clamp").optional().about("weights stay between -clamp and clamp"),
            Argument::of("bias", Type::Name)
                .optional()
                .about("biases of the problem that are added to the weights: a name, several as \"a+b\", or all"),
            Argument::switch("learn_bias", false)
                .about("whether the weights of the biases, 1 at first, are learned too"),
            Argument::word("codes", &["own", "symmetric"])
                .about("whether a move shares its weight with the moves that are symmetric to it"),
            Argument::word("adapt", &["always", "improved"])
                .about("whether a level adapts in every iteration or only after it has found a better game"),
            Argument::positive("stopping").optional().about(
                "a level begins to adapt when optimal stopping with this constant has accepted one of its results; 2.3 in the paper",
            ),
            Argument::integer("repetitions", 1, u64::MAX)
                .optional()
                .about("a level ends when its best score has been found again this many times, instead of after its iterations"),
            Argument::switch("explore", false)
                .about("whether a game of level 1 that ends in the same state as an earlier one is played differently from a random move on"),
            Argument::integer("beam", 1, 1_000)
                .default_integer(1)
                .about("how many games each level keeps, each with a policy of its own"),
            Argument::switch("diverse", false)
                .about("whether the games that a level keeps must end in different states"),
        ],
        menu: Some(Menu {
            title: "Policy adaptation (NRPA)",
            about: "Learns from its best game which moves to prefer.",
            choice: "Level",
            choices: &["1", "2", "3", "4", "5"],
            usual: "3",
        }),
    };

    const LEARNS: bool = true;

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        let adaptation = Adaptation::new(search, planner)?;
        match search.integer("beam") {
            1 if adaptation.needs_notes() => planner.ready(search, AdaptationWithNotes(adaptation)),
            1 => planner.ready(search, adaptation),
            size => planner.ready(search, BeamAdaptation::new(adaptation, search, size as usize)?),
        }
    }
}

/// Nested rollout policy adaptation.
///
/// ```
/// use nestling::Search;
/// assert_eq!(Search::nrpa(3).iterations(50).policy("mobility").to_string(), "nrpa(3, iterations=50, playout=mobility)");
/// ```
///
/// # Panics
///
/// The options panic when the search has none of their name.
impl Search {
    /// Nested rollout policy adaptation.
    pub fn nrpa(level: u32) -> Search {
        Search::of::<Nrpa>().with("level", level)
    }

    /// `iterations=`, of `nrpa`.
    #[must_use]
    pub fn iterations(self, value: u64) -> Search {
        self.with("iterations", value)
    }

    /// `alpha=`, of `nrpa`.
    #[must_use]
    pub fn alpha(self, value: f64) -> Search {
        self.with("alpha", value)
    }

    /// `tries=`, of `nrpa`.
    #[must_use]
    pub fn tries(self, value: u64) -> Search {
        self.with("tries", value)
    }

    /// `warm=FILE`, of `nrpa`.
    #[must_use]
    pub fn warm(self, file: impl Into<String>) -> Search {
        self.with("warm", file.into())
    }
}

/// The code under which a policy stores the weight of bias number k of a search is this minus k.
const BIAS_CODE: u64 = u64::MAX;

/// How a policy is learned, with every name resolved.
struct Adaptation {
    level: u32,
    rules: LevelRules,
    /// The step size α/τ². A policy stores exp(w/τ), and w changes by α/τ times the gradient.
    alpha: f64,
    /// The step size of the weights of biases, α.
    bias_rate: f64,
    temperature: f64,
    /// The limits of a policy.
    clamp: Option<(f64, f64)>,
    warm: Option<Arc<Weights>>,
    policy: PlayoutPolicy,
    /// The numbers of the problem's biases that are used.
    biases: Vec<usize>,
    learns_biases: bool,
    symmetric: bool,
    explore: bool,
}

impl Adaptation {
    fn new<P: Problem>(search: &Search, planner: &Planner<'_, P>) -> Result<Self, PlanError> {
        let (alpha, temperature) = (search.number("alpha"), search.number("temperature"));
        let symmetric = search.word("codes") == "symmetric";
        if symmetric && !has_symmetry(planner.problem()) {
            return Err(PlanError::NoSymmetry);
        }
        let biases = biases(planner.problem(), search.name_of("bias"))?;
        let learns_biases = search.is_on("learn_bias") && !biases.is_empty();
        let mut adaptation = Adaptation {
            level: search.integer("level") as u32,
            rules: LevelRules {
                iterations: search.integer("iterations"),
                tries: search.integer("tries"),
                repetitions: search.optional_integer("repetitions"),
                stopping: search.optional_number("stopping"),
                only_after_improvement: search.word("adapt") == "improved",
            },
            alpha: alpha / (temperature * temperature),
            bias_rate: alpha,
            temperature,
            clamp: search.optional_number("clamp").map(|most| (exp(-most / temperature), exp(most / temperature))),
            warm: search.file("warm").map(|file| start_policy(planner, file)).transpose()?,
            policy: planner.policy(search)?,
            biases,
            learns_biases,
            symmetric,
            explore: search.is_on("explore"),
        };
        adaptation.warm = adaptation.start_weights();
        Ok(adaptation)
    }

    /// The weights to start from, in the policy's scale: divided by the temperature, and 1 for each bias without a weight.
    fn start_weights(&self) -> Option<Arc<Weights>> {
        if self.temperature == 1.0 && !self.learns_biases {
            return self.warm.clone();
        }
        let given = self.warm.iter().flat_map(|warm| warm.iter());
        let scaled =
            given.map(|(code, weight)| (code, if self.is_of_bias(code) { weight } else { weight / self.temperature }));
        Some(Arc::new(self.bias_codes().map(|code| (code, 1.0)).chain(scaled).collect()))
    }

    /// The codes of the weights of biases that are learned; they are numbered before all others.
    fn bias_codes(&self) -> impl Iterator<Item = u64> {
        (0..self.learned_biases() as u64).map(|number| BIAS_CODE - number)
    }

    fn is_of_bias(&self, code: u64) -> bool {
        self.bias_codes().any(|of_bias| of_bias == code)
    }

    fn learned_biases(&self) -> usize {
        if self.learns_biases { self.biases.len() } else { 0 }
    }

    /// The weights of the biases in a policy.
    fn read_bias_weights(&self, policy: &[f64], weights: &mut Vec<f64>) {
        weights.clear();
        weights.extend(policy[..self.learned_biases()].iter().map(|&e| ln(e)));
    }

    /// The code of a move.
    fn code<P: Problem>(&self, state: &P, played: P::Move) -> u64 {
        let shared = if self.symmetric { state.symmetric_code(played) } else { None };
        shared.unwrap_or_else(|| state.code(played))
    }

    /// Whether its levels need [notes](LevelNotes), which are not part of the original frame format.
    fn needs_notes(&self) -> bool {
        let LevelRules { repetitions, stopping, only_after_improvement, .. } = self.rules;
        repetitions.is_some() || stopping.is_some() || only_after_improvement || self.explore || self.learns_biases
    }

    /// A policy as weights.
    fn weights(&self, codes: &Codes, policy: &[f64]) -> Weights {
        let weights = codes.weights(policy);
        if self.temperature == 1.0 {
            return weights;
        }
        let scale = |code| if self.is_of_bias(code) { 1.0 } else { self.temperature };
        weights.iter().map(|(code, weight)| (code, weight * scale(code))).collect()
    }
}

/// The weights of a file to start from.
fn start_policy<P: Problem>(planner: &Planner<'_, P>, file: &str) -> Result<Arc<Weights>, PlanError> {
    let weights = planner.weights(file)?;
    if weights.network().is_some() { Err(PlanError::NetworkAsStart(file.to_owned())) } else { Ok(weights) }
}

/// The numbers of the biases that an option names.
fn biases<P: Problem>(problem: &P, names: Option<&str>) -> Result<Vec<usize>, PlanError> {
    let known = problem.biases();
    let number = |name: &str| {
        let found = known.iter().position(|&bias| bias == name.trim());
        found.ok_or_else(|| PlanError::UnknownBias { name: name.trim().to_owned(), known })
    };
    match names {
        None => Ok(Vec::new()),
        Some("all") if !known.is_empty() => Ok((0..known.len()).collect()),
        Some(names) => names.split('+').map(number).collect(),
    }
}

/// Whether the problem knows symmetric moves.
fn has_symmetry<P: Problem>(problem: &P) -> bool {
    let mut moves = Vec::new();
    problem.legal_moves(&mut moves);
    moves.first().is_none_or(|&played| problem.symmetric_code(played).is_some())
}

/// The state of a search: `levels[l - 1]` is that of level l.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Learning<M> {
    tally: SearchProgress<M>,
    levels: Vec<Level<M>>,
    /// The codes by number.
    codes: Vec<u64>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
struct Level<M> {
    /// Whether the level is in the middle of its iterations.
    active: bool,
    iteration: u64,
    policy: Vec<f64>,
    best: Trace<M>,
}

impl<M> Default for Level<M> {
    fn default() -> Self {
        Level { active: false, iteration: 0, policy: Vec::new(), best: Trace::default() }
    }
}

impl<M> Default for Learning<M> {
    fn default() -> Self {
        Learning { tally: SearchProgress::default(), levels: Vec::new(), codes: Vec::new() }
    }
}

/// The state of a search whose levels have [notes](LevelNotes).
type LearningWithNotes<M> = (Learning<M>, Vec<LevelNotes>);

impl Adaptation {
    /// Runs NRPA at the plan's level from its start policy.
    fn search<P: Problem>(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        (learning, mut notes): LearningWithNotes<P::Move>,
    ) -> SearchReport<P::Move, LearningWithNotes<P::Move>> {
        let Learning { tally, mut levels, codes } = learning;
        // From the end of a game nothing can be learned.
        let level = if is_over(state) { 0 } else { self.level };
        levels.resize_with(level as usize, Level::default);
        notes.resize_with(level as usize, LevelNotes::default);
        let mut search = Searching::new(self, task, state, tally, codes);
        let start_policy = search.codes.start().to_vec();
        let ended = search.level(&mut levels, &mut notes, &start_policy, stream);
        let learned = task.is_root().then(|| self.learned(&search.codes, &levels));
        let best = if ended.is_ok() { levels.pop().map(|level| level.best) } else { None };
        let report = search.report(ended, best, |tally, codes| (Learning { tally, levels, codes }, notes));
        SearchReport { learned, ..report }
    }

    /// Whether the levels of a frame can be those of this search from this state. What a level has that is not active is never read.
    fn check_levels<P: Problem>(&self, state: &P, frame: &Learning<P::Move>) -> FrameCheck {
        let Learning { tally, levels, codes } = frame;
        let codes = FrameCodes::of(self, state, codes)?;
        require(levels.len() <= self.level as usize, "it has too many levels")?;
        for level in levels.iter().filter(|level| level.active) {
            codes.check_policy(&level.policy)?;
            require(level.iteration <= tally.counts.playouts, "its iterations do not match its count")?;
            if level.iteration > 0 {
                codes.check_game(&level.best)?;
            }
        }
        Ok(())
    }

    /// The policy of the highest level that has learned anything, as weights; empty if no level has.
    fn learned<M>(&self, codes: &Codes, levels: &[Level<M>]) -> Weights {
        let has_learned = |level: &&Level<M>| level.policy.iter().zip(codes.start()).any(|(now, start)| now != start);
        levels.iter().rev().find(has_learned).map_or_else(Weights::default, |level| self.weights(codes, &level.policy))
    }

    /// The expected cost of `games` playouts.
    fn cost_of<P: Problem>(&self, profile: &Profile<'_, P>, games: f64) -> Vec<Estimate> {
        let search = Search::nrpa(1).iterations(self.rules.iterations.min(1_000)).tries(self.rules.tries);
        let per_move = match Run::new(profile.problem(), search).time(profile.patience()).start() {
            Ok(outcome) => {
                outcome.elapsed.as_secs_f64() / (outcome.counts.moves + outcome.counts.playouts).max(1) as f64
            }
            Err(_) => profile.seconds_per_move(&self.policy),
        };
        profile.playouts(games, per_move)
    }

    fn cost<P: Problem>(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        if self.rules.repetitions.is_some() && self.level > 0 {
            return profile.unknown();
        }
        let tries = if self.level == 0 { 1.0 } else { self.rules.tries as f64 };
        self.cost_of(profile, (self.rules.iterations as f64).powi(self.level as i32) * tries)
    }
}

impl<P: Problem> Plan<P> for Adaptation {
    type Frame = Learning<P::Move>;

    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let report = self.search(task, state, stream, (frame.unwrap_or_default(), Vec::new()));
        report.map_frame(|(learning, _)| learning)
    }

    fn check_frame(&self, state: &P, frame: &Self::Frame) -> FrameCheck {
        self.check_levels(state, frame)
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        self.cost(profile)
    }
}

/// The same for levels with notes, which are part of its frames.
struct AdaptationWithNotes(Adaptation);

impl<P: Problem> Plan<P> for AdaptationWithNotes {
    type Frame = LearningWithNotes<P::Move>;

    const FRAME_VERSION: u32 = 2;

    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let (mut learning, mut notes) = frame.unwrap_or_default();
        swap_biases(&mut learning, &mut notes);
        self.0.search(task, state, stream, (learning, notes)).map_frame(|(mut learning, mut notes)| {
            swap_biases(&mut learning, &mut notes);
            (learning, notes)
        })
    }

    fn check_frame(&self, state: &P, (learning, notes): &Self::Frame) -> FrameCheck {
        require(notes.len() == learning.levels.len(), "it has other notes than levels")?;
        let mut active = learning.levels.iter().zip(notes).filter(|(level, _)| level.active);
        require(active.all(|(level, notes)| notes.are_of(level.iteration)), "its notes are impossible")?;
        let mut learning = learning.clone();
        swap_biases(&mut learning, &mut notes.clone());
        self.0.check_levels(state, &learning)
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        self.0.cost(profile)
    }
}

/// Moves the biases of the levels' games from the games to the notes, or back: a game is serialized without them.
fn swap_biases<M>(learning: &mut Learning<M>, notes: &mut [LevelNotes]) {
    for (level, notes) in learning.levels.iter_mut().zip(notes) {
        std::mem::swap(&mut level.best.biases, &mut notes.biases);
    }
}
