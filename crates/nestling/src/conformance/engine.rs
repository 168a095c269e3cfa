//! The laws of a problem's engines: each engine gives exactly what the problem's own methods give.

use std::sync::Arc;

use super::{Violation, holds};
use crate::clauses::Formula;
use crate::expression::Search;
use crate::improver::Improver;
use crate::playout::{Batch, PlayoutPolicy, Rule, play_batch};
use crate::problem::{Certificate, Goal, Illegal, Problem};
use crate::run::Run;
use crate::search::{Nrpa, Playout, Pool, Ties};
use crate::stream::{Rng, Stream};
use crate::suggestion::{Allowance, Suggestion};
use crate::weights::Weights;

/// Methods that are forwarded to the problem inside.
macro_rules! forwarded {
    ($(fn $name:ident(&self $(, $argument:ident: $type:ty)*) $(-> $result:ty)?;)*) => {
        $(fn $name(&self $(, $argument: $type)*) $(-> $result)? {
            self.0.$name($($argument),*)
        })*
    };
}

/// A problem without its engines: every method is forwarded to the problem except [`Problem::playouts`], [`Problem::learner`] and
/// [`Problem::priority_player`], which keep their defaults.
///
/// ```
/// use nestling::{Run, conformance::WithoutEngines};
/// # #[derive(Clone)] struct LeftMove { depth: u32, lefts: u32 }
/// # impl nestling::Problem for LeftMove {
/// #     type Move = bool;
/// #     fn legal_moves(&self, moves: &mut Vec<bool>) { moves.clear(); if self.depth > 0 { moves.extend([true, false]) } }
/// #     fn play(&mut self, left: bool) { self.depth -= 1; self.lefts += u32::from(left); }
/// #     fn score(&self) -> f64 { self.lefts.into() }
/// # }
/// let problem = LeftMove { depth: 10, lefts: 0 };
/// let fast = Run::new(&problem, "nrpa(2)".parse()?).start()?;
/// let plain = Run::new(&WithoutEngines(problem), "nrpa(2)".parse()?).start()?;
/// assert_eq!(fast.answer, plain.answer);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct WithoutEngines<P>(pub P);

impl<P: Problem> Problem for WithoutEngines<P> {
    type Move = P::Move;

    const PLAIN_TEXTS: bool = P::PLAIN_TEXTS;

    forwarded! {
        fn legal_moves(&self, moves: &mut Vec<P::Move>);
        fn score(&self) -> f64;
        fn goal(&self) -> Goal;
        fn code(&self, played: P::Move) -> u64;
        fn dense_codes(&self) -> usize;
        fn bias(&self, played: P::Move) -> f64;
        fn biases(&self) -> &'static [&'static str];
        fn named_bias(&self, bias: usize, played: P::Move) -> f64;
        fn feature_count(&self) -> usize;
        fn features(&self, played: P::Move, features: &mut Vec<u32>);
        fn symmetric_code(&self, played: P::Move) -> Option<u64>;
        fn policies(&self) -> &'static [&'static str];
        fn default_policy(&self) -> &'static str;
        fn prefer(&self, policy: usize, moves: &mut Vec<P::Move>, weights: &mut Vec<f64>);
        fn bound(&self) -> Option<f64>;
        fn outlook(&self) -> Option<f64>;
        fn default_search(&self, allowance: Allowance) -> Suggestion;
        fn move_text(&self, played: P::Move) -> String;
        fn key(&self, moves: &[P::Move]) -> u64;
        fn position(&self) -> Option<u128>;
        fn certify(&self, moves: &[P::Move]) -> Result<Certificate, Illegal>;
    }

    fn improver(&self) -> Option<Box<dyn Improver<P::Move> + '_>> {
        self.0.improver()
    }

    fn formula(&self) -> Option<Formula<P::Move>> {
        self.0.formula()
    }

    fn play(&mut self, played: P::Move) {
        self.0.play(played);
    }

    fn redraw(&mut self, rng: &mut Rng) {
        self.0.redraw(rng);
    }
}

/// Checks every engine with every rule, with and without weights, from this state.
pub(super) fn engines<P: Problem>(state: &P) -> Result<(), Violation> {
    let weights = Arc::new(some_weights(state));
    let own = (0..state.policies().len()).map(Rule::Own);
    for rule in [Rule::Uniform, Rule::Mobility].into_iter().chain(own) {
        for weights in [None, Some(Arc::clone(&weights))] {
            batches(state, &PlayoutPolicy { rule, weights })?;
        }
    }
    let mut names = ["uniform", "mobility"].into_iter().chain(state.policies().iter().copied());
    names.try_for_each(|name| learning(state, name, &weights))?;
    following(state)
}

/// A different weight for each of the moves along one game.
fn some_weights<P: Problem>(start: &P) -> Weights {
    let (mut state, mut moves, mut codes) = (start.clone(), Vec::new(), Vec::new());
    loop {
        state.legal_moves(&mut moves);
        codes.extend(moves.iter().map(|&played| state.code(played)));
        let Some(&first) = moves.first() else { break };
        state.play(first);
    }
    codes.sort_unstable();
    codes.dedup();
    let mut rng = Stream::new(13).rng();
    codes.into_iter().map(|code| (code, 4.0 * rng.unit() - 2.0)).collect()
}

/// [`Problem::playouts`] plays the games of [`play_batch`].
fn batches<P: Problem>(state: &P, policy: &PlayoutPolicy) -> Result<(), Violation> {
    let (goal, mut moves) = (state.goal(), Vec::new());
    state.legal_moves(&mut moves);
    for ties in [Ties::First, Ties::Random, Ties::Last] {
        same_games(state, policy, || Batch::after_each(policy, goal, Stream::new(11), &moves, ties))?;
    }
    same_games(state, policy, || Batch::alone(policy, goal, Stream::new(14)))?;
    same_games(state, policy, || Batch::repeated(policy, goal, Stream::new(12), 3, 40))
}

fn same_games<'a, P: Problem>(
    state: &P,
    policy: &PlayoutPolicy,
    batch: impl Fn() -> Batch<'a, P::Move>,
) -> Result<(), Violation> {
    let (mut engine, mut plain) = (batch(), batch());
    state.playouts(&mut engine);
    play_batch(state, &mut plain);
    let same = engine.best() == plain.best()
        && engine.moves_played() == plain.moves_played()
        && engine.sum() == plain.sum()
        && engine.played() == plain.played();
    holds("an engine plays the games of the plain playouts", same, || {
        format!("{:?}{}", policy.rule, if policy.weights.is_some() { " with weights" } else { "" })
    })
}

/// [`Problem::learner`] plays and adapts as NRPA does with the problem's own methods, a bias included: the same games, and the
/// same weights learned from them.
fn learning<P: Problem>(state: &P, rule: &str, weights: &Weights) -> Result<(), Violation> {
    let plain = WithoutEngines(state.clone());
    let several = Search::nrpa(2).iterations(6).policy(rule);
    let one = Search::nrpa(1).iterations(8).tries(3).policy(rule);
    let given = several.clone().weights("given");
    let warm = several.clone().warm("given");
    let biased = |bias: &&'static str| several.clone().with("bias", *bias);
    let names = state.biases().iter().chain(if state.biases().is_empty() { &[][..] } else { &["all"] });
    let biased: Vec<Search> = names.map(biased).collect();
    for search in [several, one, given, warm].into_iter().chain(biased) {
        let same = same_outcome(state, &plain, &search, weights);
        holds("an engine learns as the plain playouts do", same, || search.to_string())?;
    }
    Ok(())
}

/// [`Problem::priority_player`] plays the games of `pool` that the problem's own methods play.
fn following<P: Problem>(state: &P) -> Result<(), Violation> {
    let plain = WithoutEngines(state.clone());
    let search = Search::pool(600).with("starts", 10_u64).with("cycle", 12_800_u64);
    let same = same_outcome(state, &plain, &search, &Weights::default());
    holds("an engine plays by priorities as the plain playouts do", same, || search.to_string())
}

/// The searches that use engines. Compiling only these for every problem saves much time.
type Engines = (Playout, Nrpa, Pool);

/// Checks that a search finds, counts and learns the same on a problem with its engines and on one without. A state from which no run can
/// start, such as the end of a game, passes.
fn same_outcome<P: Problem>(state: &P, plain: &WithoutEngines<P>, search: &Search, weights: &Weights) -> bool {
    let engine = Run::of::<Engines>(state, search.clone()).seed(15).weights("given", weights.clone()).start();
    let without = Run::of::<Engines>(plain, search.clone()).seed(15).weights("given", weights.clone()).start();
    let found = |outcome: crate::Outcome<P::Move>| (outcome.answer, outcome.counts, outcome.learned);
    match (engine.map(found), without.map(found)) {
        (Ok(engine), Ok(plain)) => engine == plain,
        (Err(engine), Err(plain)) => engine.to_string() == plain.to_string(),
        _ => false,
    }
}
