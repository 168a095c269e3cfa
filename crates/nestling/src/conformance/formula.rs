//! The laws of a problem's formula: its solutions are the games that reach the bound.

use super::{Violation, holds};
use crate::clauses::{ClauseSolver, ClauseVerdict};
use crate::problem::{Problem, state_after};
use crate::search::solution;

/// How many solutions are looked at.
const SOLUTIONS: usize = 5;

/// The conflicts that looking for each of them may take.
const CONFLICTS: u64 = 2_000;

/// Checks the laws of a state's formula, if it has one.
pub(super) fn solutions<P: Problem>(state: &P) -> Result<(), Violation> {
    let (Some(formula), Some(bound)) = (state.formula(), state.bound()) else { return Ok(()) };
    let mut solver = ClauseSolver::new(&formula, 1);
    for number in 0..SOLUTIONS {
        if solver.search((number as u64 + 1) * CONFLICTS, &|| false) != Some(ClauseVerdict::Solved) {
            break;
        }
        let game = solution(state, &formula, &solver);
        let place = || format!("solution {number}: {:?} with the score {}", game.moves, game.score);
        let is_solved = state.goal().reaches(game.score, bound);
        holds("a solution of the formula leads to a game that reaches the bound", is_solved, place)?;
        let is_legal = state.certify(&game.moves).is_ok_and(|certificate| certificate.score == game.score);
        holds("the rules allow what the solver plays", is_legal, place)?;
        accepts(state, &game.moves)?;
        solver.exclude_solution();
    }
    Ok(())
}

/// With the first half of the moves of a solution played, the formula still has a solution.
fn accepts<P: Problem>(state: &P, game: &[P::Move]) -> Result<(), Violation> {
    let half = state_after(state, &game[..game.len() / 2]);
    let law = "the formula of a state allows every game from there that reaches the bound";
    let Some(formula) = half.formula() else {
        return holds("a state that follows one with a formula has one too", false, || format!("{game:?}"));
    };
    let mut solver = ClauseSolver::new(&formula, 2);
    let verdict = solver.search(CONFLICTS, &|| false);
    holds(law, verdict != Some(ClauseVerdict::Refuted), || format!("refuted after {:?}", &game[..game.len() / 2]))
}
