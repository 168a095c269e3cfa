//! The solver against minimax and against values that others have found.

use crate::common::random_position;
use nestling::{Cancel, Ending, Game, PlayerResult, Proof};
use nestling_quarto::{Limit, Move, Position, QuartoSolver, Transcript, Variant};

/// Minimax with nothing clever.
fn minimax(position: &Position) -> Proof {
    if let Some(ending) = position.ending() {
        return Proof { ending, moves: 0 };
    }
    let after = |played| {
        let mut next = *position;
        next.play(played);
        let solved = minimax(&next);
        Proof { moves: solved.moves + 1, ..solved }
    };
    position.moves().map(after).max_by_key(|solved| solved.rank(position.turn())).expect("the game is not over")
}

#[test]
fn late_positions_come_to_what_minimax_says() {
    let mut solver = QuartoSolver::new(12);
    let mut verdicts = [0; 3];
    for (variant, seed) in Variant::ALL.into_iter().flat_map(|variant| (0..250).map(move |seed| (variant, seed))) {
        let position = random_position(variant, 10 + seed as usize % 5, seed % 3 == 0, seed);
        let solved = solver.solve(&position, Limit::NONE).unwrap();
        assert_eq!(solved, minimax(&position), "{variant:?}, seed {seed}: {position:?}");
        verdicts[solved.ending.seen_by(position.turn()) as usize] += 1;
    }
    assert!(verdicts.iter().all(|&count| count > 20), "too few of a kind: {verdicts:?}");
}

/// With the test above this makes earlier positions right, down from those that minimax can reach.
#[test]
fn earlier_positions_come_to_what_their_best_moves_come_to() {
    let mut solver = QuartoSolver::new(18);
    for (variant, seed) in Variant::ALL.into_iter().flat_map(|variant| (0..50).map(move |seed| (variant, seed))) {
        let position = random_position(variant, 6 + seed as usize % 5, seed % 3 == 0, seed);
        let moves = solver.moves(&position, Limit::NONE).unwrap();
        let best = moves.into_iter().map(|(_, solved)| solved).max_by_key(|solved| solved.rank(position.turn()));
        assert_eq!(solver.solve(&position, Limit::NONE), best, "{variant:?}, seed {seed}: {position:?}");
    }
}

#[test]
fn every_move_comes_to_what_minimax_says() {
    let mut solver = QuartoSolver::new(12);
    for (variant, seed) in Variant::ALL.into_iter().flat_map(|variant| (0..20).map(move |seed| (variant, seed))) {
        let position = random_position(variant, 12, seed % 2 == 0, seed);
        let moves = solver.moves(&position, Limit::NONE).unwrap();
        assert_eq!(moves.len(), position.moves().count());
        for (played, solved) in moves {
            let mut next = position;
            next.play(played);
            let expected = minimax(&next);
            assert_eq!(solved, Proof { moves: expected.moves + 1, ..expected }, "{variant:?}, seed {seed}, {played}");
        }
    }
}

/// The verdicts of the player who gives on every piece.
fn gifts(history: &str) -> Vec<(usize, PlayerResult)> {
    let position = history.parse::<Transcript>().unwrap().position();
    let moves = QuartoSolver::new(18).moves(&position, Limit::NONE).unwrap();
    let gift = |(played, solved): &(Move, Proof)| match played {
        Move::Give(piece) => (piece.index(), solved.ending.seen_by(position.turn())),
        Move::Place(_) => panic!("a piece has to be given"),
    };
    moves.iter().map(gift).collect()
}

#[test]
fn known_values() {
    use PlayerResult::{Draw, Loss};
    let history = "2 15 14 7 5 0 10 1 9 14 15 5 4 10 8 6 7 4 3 2";
    assert_eq!(gifts(history), [(0, Draw), (1, Loss), (6, Draw), (11, Loss), (12, Loss), (13, Draw)]);
    let with_squares = format!("quarto squares {history}");
    assert_eq!(gifts(&with_squares), [(0, Loss), (1, Draw), (6, Loss), (11, Draw), (12, Loss), (13, Loss)]);
    let all_lose = gifts("0 0 2 1 4 2 1 4 3 5 5 6");
    assert_eq!(all_lose.len(), 10);
    assert!(all_lose.iter().all(|(_, verdict)| *verdict == Loss));

    let position = "0 0 2 1 4 2 6".parse::<Transcript>().unwrap().position();
    let solved = QuartoSolver::new(18).solve(&position, Limit::NONE).unwrap();
    assert_eq!(solved, Proof { ending: Ending::Win(position.turn()), moves: 1 });
}

#[test]
fn symmetric_positions_come_to_the_same_whatever_was_asked_before() {
    let mut warm = QuartoSolver::new(16);
    for (variant, seed) in Variant::ALL.into_iter().flat_map(|variant| (0..10).map(move |seed| (variant, seed))) {
        let position = random_position(variant, 7, seed % 2 == 0, seed);
        let solved = QuartoSolver::new(16).solve(&position, Limit::NONE);
        let canonical = position.canonical();
        assert_eq!(warm.solve(&canonical, Limit::NONE), solved, "{variant:?}, seed {seed}");
        assert_eq!(warm.solve(&position, Limit::NONE), solved, "{variant:?}, seed {seed}");
    }
}

#[test]
fn a_limit_in_nodes_is_kept_and_costs_nothing_but_the_answer() {
    let position = random_position(Variant::Lines, 5, false, 1);
    let mut solver = QuartoSolver::new(16);
    assert_eq!(solver.solve(&position, Limit::nodes(5000)), None);
    assert!(solver.nodes() <= 5001, "{}", solver.nodes());
    assert_eq!(solver.solve(&position, Limit::until(&|| true)), None);
    assert!(solver.nodes() <= 5001 + 4096);
    assert_eq!(solver.solve(&position, Limit::NONE), QuartoSolver::new(16).solve(&position, Limit::NONE));
}

/// The solver of searches gives up when it is cancelled: it asks every 4,096 nodes whether it is, and looks at none after that.
#[test]
fn a_cancelled_solver_gives_up() {
    let position = random_position(Variant::Lines, 4, false, 1);
    let asked = std::cell::Cell::new(0);
    let third = || {
        asked.set(asked.get() + 1);
        asked.get() == 3
    };
    let mut solver = QuartoSolver::new(16);
    assert_eq!(solver.solve(&position, Limit::nodes(u64::MAX).or_until(&third)), None);
    assert_eq!((asked.get(), solver.nodes()), (3, 3 * 4096));
    let cancel = Cancel::new();
    let mut solver = position.solver(&cancel).unwrap();
    cancel.cancel();
    assert_eq!((solver.solve(&position, u64::MAX), solver.ending(&position, u64::MAX)), (None, None));
}
