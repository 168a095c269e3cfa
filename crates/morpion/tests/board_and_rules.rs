//! The law: the engine lists the same moves in the same order as the plain rules, in every position of every game.

use crate::common;

use crate::common::{legal, random_rest};
use nestling::{Problem, Rng, Stream};
use nestling_morpion::{Board, Cell, Direction, Line, Move, Rules, Symmetry, Variant, notation::pentasol};

/// Plays a game on both, comparing everything; returns it.
fn play_both(variant: Variant, mut choose: impl FnMut(&[Move]) -> usize) -> Vec<Move> {
    let (mut board, mut rules) = (Board::new(variant), Rules::new(variant));
    loop {
        let moves = legal(&board);
        assert_eq!(moves, legal(&rules), "{variant} after {:?}", board.moves_played());
        if moves.is_empty() {
            break;
        }
        let played = moves[choose(&moves)];
        board.play(played);
        rules.play(played);
        assert_eq!(board.score(), rules.score());
    }
    board.moves_played().to_vec()
}

fn the_same_random_games(games: u64) {
    for variant in Variant::ALL {
        for game in 0..games {
            let mut rng = Stream::new(1).child(game).rng();
            play_both(variant, |moves| rng.below(moves.len()));
        }
    }
}

#[test]
fn random_games_are_the_same() {
    the_same_random_games(1_000);
}

#[test]
#[ignore = "half a minute; scripts/soak runs it"]
fn many_random_games_are_the_same() {
    the_same_random_games(10_000);
}

/// How far beyond the cross a game reaches to one of the four sides: its dots' greatest distance, and their sum.
fn reach(variant: Variant, moves: &[Move], side: u64) -> (i16, i16) {
    let last = variant.box_side() as i16 - 1;
    let beyond = |dot: Cell| [dot.x - last, -dot.x, dot.y - last, -dot.y][side as usize].max(0);
    let distances = || moves.iter().map(|played| beyond(played.dot()));
    (distances().max().unwrap_or(0), distances().sum())
}

/// A game that goes far to one side: a nested search of level 1 for just that. Always playing the outermost move leads
/// nowhere, because the dots that carry the figure outwards have to be won inside first.
fn steered(variant: Variant, side: u64, rng: &mut Rng) -> Vec<Move> {
    let (mut board, mut best) = (Board::new(variant), Vec::new());
    loop {
        let moves = legal(&board);
        if moves.is_empty() {
            return best;
        }
        for &tried in &moves {
            let mut next = board.clone();
            next.play(tried);
            let game = random_rest(next, rng);
            if best.is_empty() || reach(variant, &game, side) > reach(variant, &best, side) {
                best = game;
            }
        }
        board.play(best[board.moves_played().len()]);
    }
}

/// Plays a known game on both.
fn replay_both(variant: Variant, game: &[Move]) {
    let mut next = game.iter();
    let replayed = play_both(variant, |moves| {
        let next = next.next().expect("the game is complete");
        moves.iter().position(|played| played == next).expect("the move is legal")
    });
    assert_eq!(replayed, game);
}

#[test]
fn games_steered_to_one_side() {
    for variant in Variant::ALL {
        for game in 0..100 {
            let rng = &mut Stream::new(2).child(game).rng();
            replay_both(variant, &steered(variant, game % 4, rng));
        }
    }
}

#[test]
fn a_game_that_leaves_the_first_window() {
    // Found by a policy-adapting search for a game like this: few games ever come so far.
    let game = pentasol::read(include_str!("games/5T-far-to-the-right.psol")).unwrap();
    // Eleven cells of the first window are beyond the cross, but five of them are margin.
    assert!(reach(game.variant, &game.moves, 0).0 > 6);
    for symmetry in Symmetry::ALL {
        replay_both(game.variant, &symmetry.game(game.variant, &game.moves));
    }
}

#[test]
fn a_clone_goes_its_own_way() {
    let start = Board::new(Variant::FiveT);
    let first_moves = legal(&start);
    let mut scratch = start.clone();
    for game in 0..100 {
        scratch.clone_from(&start);
        assert_eq!(legal(&scratch), first_moves);
        let mut rng = Stream::new(3).child(game).rng();
        for _ in 0..20 {
            let moves = legal(&scratch);
            scratch.play(moves[rng.below(moves.len())]);
        }
        let copy = scratch.clone();
        assert_eq!(legal(&copy), legal(&scratch));
        assert_eq!(copy.moves_played(), scratch.moves_played());
        assert_eq!(legal(&Board::after(Variant::FiveT, copy.moves_played()).unwrap()), legal(&copy));
    }
    assert_eq!(legal(&start), first_moves);
}

#[test]
fn codes_tell_lines_apart_and_mostly_are_dense() {
    let board = Board::new(Variant::FiveT);
    let mut codes = std::collections::HashSet::new();
    for direction in Direction::ALL {
        for (x, y) in (-40..50).flat_map(|x| (-40..50).map(move |y| (x, y))) {
            let code = board.code(Move { line: Line { start: Cell { x, y }, direction }, hole: 0 });
            let inside = (-27..37).contains(&x) && (-27..37).contains(&y);
            assert_eq!(code < board.dense_codes() as u64, inside, "({x},{y})");
            assert!(codes.insert(code), "({x},{y})");
        }
    }
    for played in legal(&board) {
        assert_eq!(board.code(played), board.code(Move { hole: 9, ..played }), "the code is that of the line");
    }
}

#[test]
fn certificates() {
    for variant in Variant::ALL {
        let game = common::random_game(variant, Stream::new(4));
        for problem in [Board::new(variant), Board::after(variant, &game[..7]).unwrap()] {
            let rest = &game[problem.moves_played().len()..];
            let whole = problem.certify(rest).unwrap();
            assert_eq!((whole.score, whole.terminal), (game.len() as f64, true));
            let part = problem.certify(&rest[..5]).unwrap();
            assert_eq!((part.score, part.terminal), (problem.score() + 5.0, false));
            let repeated = [&rest[..5], &rest[2..3]].concat();
            let illegal = problem.certify(&repeated).unwrap_err();
            assert_eq!(illegal.index, 5);
            assert!(illegal.reason.contains("there is already a dot at ("), "{}", illegal.reason);
        }
        assert_eq!(Rules::new(variant).certify(&game).unwrap().score, game.len() as f64);
        assert_eq!(Board::after(variant, &[game[0], game[0]]).unwrap_err().index, 1);
    }
}
