//! Whether a puzzle has one solution, as a puzzle should.

use nestling::Problem;
use nestling_presentation::{Meaning, Solutions};

use super::Assignment;

/// Counts the solutions of a puzzle whose score is 0 when it is solved, depth first; `None` if it takes more than `nodes` states.
///
/// ```
/// use nestling_puzzles::sudoku::Sudoku;
/// use nestling_presentation::Solutions;
/// use nestling_puzzles::solutions;
/// let count = |text| solutions(&Sudoku::read(text).unwrap()[0], 1000);
/// assert_eq!(count("1... ..3. .4.. ...2"), Some(Solutions::One));
/// assert_eq!(count(".... .... .... ...."), Some(Solutions::Several));
/// ```
pub fn solutions<P: Problem<Move = Assignment>>(puzzle: &P, mut nodes: u64) -> Option<Solutions> {
    let mut found = 0;
    // A state is put here with every move that is still to be tried in it, so that there are at most as many as free cells.
    let mut path: Vec<(P, Vec<Assignment>)> = Vec::new();
    let mut enter = |state: P, path: &mut Vec<(P, Vec<Assignment>)>| {
        nodes = nodes.checked_sub(1)?;
        let mut moves = Vec::new();
        state.legal_moves(&mut moves);
        found += usize::from(moves.is_empty() && state.score() == 0.0);
        path.push((state, moves));
        Some(found)
    };
    let mut count = enter(puzzle.clone(), &mut path)?;
    while let Some((state, moves)) = path.last_mut() {
        let Some(played) = moves.pop() else {
            path.pop();
            continue;
        };
        // The last move needs no copy of the state to come back to.
        let mut next = if moves.is_empty() { path.pop()?.0 } else { state.clone() };
        next.play(played);
        count = enter(next, &mut path)?;
        if count > 1 {
            return Some(Solutions::Several);
        }
    }
    Some(if count == 0 { Solutions::None } else { Solutions::One })
}

/// The states that counting solutions may look at: about a second.
pub(crate) const NODES: u64 = 500_000;

/// What the score of a constraint problem means, which is 0 or 1 + its free cells.
pub(crate) fn cells_left(score: f64, proven: bool) -> Meaning {
    let free = (score - 1.0).max(0.0);
    let words = match (score, proven) {
        (0.0, _) => "solved".to_owned(),
        (_, true) => "has no solution: all possibilities were tried".to_owned(),
        (_, false) if free == 1.0 => "not solved, 1 cell free".to_owned(),
        (_, false) => format!("not solved, {free} cells free"),
    };
    Meaning { words, solved: score == 0.0, parts: vec![("cells_free", free)] }
}
