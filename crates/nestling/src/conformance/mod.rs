//! The laws every problem, every game and every search must keep. The test of a new one is one call.
//!
//! ```
//! # use nestling::Problem;
//! # #[derive(Clone)] struct LeftMove { depth: u32, lefts: u32 }
//! # impl Problem for LeftMove {
//! #     type Move = bool;
//! #     fn legal_moves(&self, moves: &mut Vec<bool>) { moves.clear(); if self.depth > 0 { moves.extend([true, false]) } }
//! #     fn play(&mut self, left: bool) { self.depth -= 1; self.lefts += u32::from(left); }
//! #     fn score(&self) -> f64 { self.lefts.into() }
//! # }
//! nestling::conformance::check(&LeftMove { depth: 10, lefts: 0 }, 100).unwrap();
//! ```

mod engine;
mod formula;
mod game;
mod improver;
mod search;

use std::collections::{HashMap, HashSet};

use crate::problem::{Problem, state_after};
use crate::stream::Stream;

pub use engine::WithoutEngines;
pub use game::check_game;
pub use search::search;

/// A game with more moves than this counts as endless.
const ENDLESS: usize = 1_000_000;

/// A law that a problem breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{law}: {detail}")]
pub struct Violation {
    /// The law, in words.
    pub law: &'static str,
    /// Where and how it is broken.
    pub detail: String,
}

fn holds(law: &'static str, kept: bool, detail: impl FnOnce() -> String) -> Result<(), Violation> {
    if kept { Ok(()) } else { Err(Violation { law, detail: detail() }) }
}

/// Checks every law of a problem along `games` random games from its start.
pub fn check<P: Problem>(problem: &P, games: u64) -> Result<(), Violation> {
    let moves = check_rules(problem, games)?;
    check_engines(problem)?;
    check_engines(&state_after(problem, &moves[..moves.len() / 2]))
}

/// The same without the laws of engines; returns the last of the games.
///
/// # Errors
///
/// The first law that is broken.
pub fn check_rules<P: Problem>(problem: &P, games: u64) -> Result<Vec<P::Move>, Violation> {
    let (mut moves, mut futures) = (Vec::new(), HashMap::new());
    for game in 0..games {
        moves = walk(problem, Stream::new(game))?;
        positions(problem, &moves, &mut futures)?;
        certificates(problem, &moves)?;
        replay(problem, &moves)?;
    }
    Ok(moves)
}

/// Compares a problem's engines with its own methods from one state: [`playouts`](Problem::playouts) of every kind of batch, by every
/// policy, with weights and without; [`learner`](Problem::learner) and [`priority_player`](Problem::priority_player), which must play the
/// same games; and the laws of [`improver`](Problem::improver) and [`formula`](Problem::formula). [`check`] does this too, from the start and from the middle of a game.
///
/// # Errors
///
/// The first law that is broken.
pub fn check_engines<P: Problem>(state: &P) -> Result<(), Violation> {
    engine::engines(state)?;
    improver::improving(state)?;
    formula::solutions(state)
}

/// Plays a random game, looking at every state on the way.
fn walk<P: Problem>(problem: &P, stream: Stream) -> Result<Vec<P::Move>, Violation> {
    let mut rng = stream.rng();
    let mut state = problem.clone();
    let (mut moves, mut game) = (Vec::new(), Vec::new());
    loop {
        state.legal_moves(&mut moves);
        one_state(&state, &moves, game.len())?;
        if moves.is_empty() {
            let score = state.score();
            holds("a score is a number", !score.is_nan(), || format!("NaN after {} moves", game.len()))?;
            let bound = state.bound().unwrap_or(score);
            let kept = !state.goal().better(score, bound);
            holds("no game is better than the bound", kept, || format!("{score} is better than {bound}"))?;
            return Ok(game);
        }
        holds("games end", game.len() < ENDLESS, || format!("a random game has over {ENDLESS} moves"))?;
        let played = moves[rng.below(moves.len())];
        let mut copy = state.clone();
        copy.play(played);
        let mut after = Vec::new();
        state.legal_moves(&mut after);
        let kept = after == moves;
        holds("playing on a clone leaves the original alone", kept, || format!("after {} moves", game.len()))?;
        state.play(played);
        game.push(played);
    }
}

/// States of the same position have the same legal moves, and after the same game the same score. The game is also played in another order,
/// as far as that is possible: move `i` before move `i - 1`.
fn positions<P: Problem>(
    problem: &P,
    game: &[P::Move],
    futures: &mut HashMap<u128, (HashSet<P::Move>, u64)>,
) -> Result<(), Violation> {
    if problem.position().is_none() {
        return Ok(());
    }
    let mut legal = Vec::new();
    let mut look = |state: &P| {
        state.legal_moves(&mut legal);
        let law = "states of the same position have the same future";
        let position = state.position();
        holds("a problem tells all of its positions or none", position.is_some(), || format!("{legal:?}"))?;
        let now = (legal.iter().copied().collect(), state.score().to_bits());
        let known = futures.entry(position.unwrap_or_default()).or_insert_with(|| now.clone());
        holds(law, *known == now, || format!("with the legal moves {legal:?} and others"))
    };
    let mut state = problem.clone();
    for pair in game.windows(2) {
        look(&state)?;
        let mut swapped = state.clone();
        if legal_now(&swapped).contains(&pair[1]) {
            swapped.play(pair[1]);
            if legal_now(&swapped).contains(&pair[0]) {
                swapped.play(pair[0]);
                look(&swapped)?;
            }
        }
        state.play(pair[0]);
    }
    Ok(())
}

fn legal_now<P: Problem>(state: &P) -> Vec<P::Move> {
    let mut legal = Vec::new();
    state.legal_moves(&mut legal);
    legal
}

fn one_state<P: Problem>(state: &P, moves: &[P::Move], depth: usize) -> Result<(), Violation> {
    let place = || format!("after {depth} moves");
    let mut again = moves.to_vec();
    state.legal_moves(&mut again);
    holds("legal_moves replaces the contents of its argument, always the same", again == moves, place)?;
    let distinct: HashSet<_> = moves.iter().collect();
    holds("the legal moves are distinct", distinct.len() == moves.len(), place)?;
    let texts: HashSet<_> = moves.iter().map(|&played| state.move_text(played)).collect();
    holds("the texts of the legal moves are distinct", texts.len() == moves.len(), place)?;
    holds("the text of a move is one line", texts.iter().all(|text| !text.contains(['\n', '\r'])), place)?;
    let bounded = moves.iter().all(|&played| state.bias(played).abs() <= 300.0);
    holds("a bias lies between -300 and 300", bounded, place)?;
    let is_finite = |bias: usize| moves.iter().all(|&played| state.named_bias(bias, played).is_finite());
    holds("biases are finite numbers", (0..state.biases().len()).all(is_finite), place)?;
    let outlook = state.outlook();
    holds("an outlook is a number", outlook.is_none_or(|outlook| !outlook.is_nan()), place)?;
    let mut features = Vec::new();
    moves.iter().for_each(|&played| state.features(played, &mut features));
    let known = features.iter().all(|&feature| (feature as usize) < state.feature_count());
    holds("the numbers of features are below feature_count", known, place)?;
    for (index, name) in state.policies().iter().enumerate() {
        let (mut kept, mut weights) = (moves.to_vec(), Vec::new());
        state.prefer(index, &mut kept, &mut weights);
        let policy = || format!("policy {name} after {depth} moves");
        let mut rest = moves.iter();
        let ordered = kept.iter().all(|kept| rest.any(|legal| legal == kept));
        holds("a policy keeps some of the legal moves in their order", ordered, policy)?;
        holds("a policy leaves a move if there is one", kept.is_empty() == moves.is_empty(), policy)?;
        let weighted = weights.is_empty() || weights.len() == kept.len();
        let positive = weights.iter().all(|&weight| weight > 0.0 && weight.is_finite());
        holds("a policy gives every move it keeps a positive weight, or none", weighted && positive, policy)?;
    }
    Ok(())
}

fn certificates<P: Problem>(problem: &P, game: &[P::Move]) -> Result<(), Violation> {
    let score = state_after(problem, game).score();
    match problem.certify(game) {
        Ok(certificate) => {
            let kept = certificate.score == score && certificate.terminal;
            holds("the rules agree with the engine", kept, || format!("{certificate:?}, but the score is {score}"))?;
        }
        Err(illegal) => holds("the rules allow what the engine plays", false, || illegal.to_string())?,
    }
    if let Some((_, shorter)) = game.split_last() {
        let unfinished = problem.certify(shorter).is_ok_and(|certificate| !certificate.terminal);
        holds("a game without its last move is legal and not over", unfinished, || format!("{} moves", shorter.len()))?;
    }
    Ok(())
}

/// The same moves give the same lists and codes again, also in a state that `clone_from` has overwritten.
fn replay<P: Problem>(problem: &P, game: &[P::Move]) -> Result<(), Violation> {
    let (mut first, mut second) = (problem.clone(), problem.clone());
    game.iter().for_each(|&played| second.play(played));
    second.clone_from(problem);
    let (mut moves, mut again) = (Vec::new(), Vec::new());
    for (depth, &played) in game.iter().enumerate() {
        first.legal_moves(&mut moves);
        second.legal_moves(&mut again);
        let place = || format!("after {depth} moves");
        holds("the same moves lead to the same list of moves", moves == again, place)?;
        let codes = moves.iter().all(|&candidate| first.code(candidate) == second.code(candidate));
        holds("the same moves have the same codes", codes, place)?;
        let alike = !P::PLAIN_TEXTS || first.move_text(played) == problem.move_text(played);
        holds("with PLAIN_TEXTS, the text of a move is the same in every state", alike, place)?;
        first.play(played);
        second.play(played);
    }
    Ok(())
}
