//! Whether a puzzle has one solution, as a puzzle should, and which moves contradict it.

use nestling::engine::{ClauseSolver, ClauseVerdict};
use nestling::{Problem, state_after};
use nestling_presentation::{Meaning, Mistakes, Solutions};

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
const NODES: u64 = 500_000;

/// The conflicts that the exact solver may take: a second or a few.
const CONFLICTS: u64 = 30_000;

/// How many solutions a puzzle has, and one of them.
pub(crate) struct Solved {
    pub count: Solutions,
    /// Empty if there is none.
    pub solution: Vec<Assignment>,
}

/// Solves a puzzle by its formula; `None` if it has none, or that takes too long.
pub(crate) fn solve<P: Problem<Move = Assignment>>(puzzle: &P) -> Option<Solved> {
    let formula = puzzle.formula()?;
    let mut solver = ClauseSolver::new(&formula, 1);
    if solver.search(CONFLICTS, &|| false)? == ClauseVerdict::Refuted {
        return Some(Solved { count: Solutions::None, solution: Vec::new() });
    }
    let numbered = (0..).zip(formula.moves());
    let solution = numbered.filter(|&(number, _)| solver.is_true(number)).map(|(_, &played)| played).collect();
    solver.exclude_solution();
    let count = match solver.search(2 * CONFLICTS, &|| false)? {
        ClauseVerdict::Solved => Solutions::Several,
        ClauseVerdict::Refuted => Solutions::One,
    };
    Some(Solved { count, solution })
}

/// How many solutions a puzzle has, by its formula or depth first.
pub(crate) fn count<P: Problem<Move = Assignment>>(puzzle: &P) -> Option<Solutions> {
    match solve(puzzle) {
        Some(solved) => Some(solved.count),
        None => solutions(puzzle, NODES),
    }
}

/// Which moves contradict the solution; with several solutions, the first after which there is none.
pub(crate) fn mistakes<P: Problem<Move = Assignment>>(puzzle: &P, moves: &[Assignment]) -> Option<Mistakes> {
    let Solved { count, solution } = solve(puzzle)?;
    match count {
        Solutions::None => return Some(Mistakes::Unsolvable),
        Solutions::One => {
            let is_wrong = |&index: &usize| !solution.contains(&moves[index]);
            return Some(Mistakes::Moves((0..moves.len()).filter(is_wrong).collect()));
        }
        Solutions::Several => {}
    }
    // Of two neighbours the first leaves a solution, the second does not.
    let leaves = |moves: &[Assignment]| Some(solve(&state_after(puzzle, moves))?.count != Solutions::None);
    if leaves(moves)? {
        return Some(Mistakes::Moves(Vec::new()));
    }
    let (mut good, mut bad) = (0, moves.len());
    while bad - good > 1 {
        let middle = good.midpoint(bad);
        if leaves(&moves[..middle])? { good = middle } else { bad = middle }
    }
    Some(Mistakes::Moves(vec![bad - 1]))
}

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
