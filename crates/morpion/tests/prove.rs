//! Law: the prover agrees with a plain search that visits every set of lines, on whether a longer game continues a position.

use std::collections::{BTreeSet, HashSet};

use nestling::{Problem, Run, Stream};
use nestling_morpion::{Board, MorpionGame, Move, ProofStep, Prover, Rules, Variant, published};

use crate::common::{legal, random_game};

/// The moves of the longest continuation, by trying all orders of moves; positions with the same lines are visited once.
fn longest(board: &Board, most: usize) -> Option<usize> {
    fn visit(board: &Board, start: usize, seen: &mut HashSet<Vec<Move>>, most: usize) -> Option<usize> {
        let mut lines = board.moves_played()[start..].to_vec();
        lines.sort();
        if !seen.insert(lines) || seen.len() > most {
            return (seen.len() <= most).then_some(0);
        }
        let mut best = board.moves_played().len() - start;
        for next in legal(board) {
            let mut after = board.clone();
            after.play(next);
            best = best.max(visit(&after, start, seen, most)?);
        }
        Some(best)
    }
    visit(board, board.moves_played().len(), &mut HashSet::new(), most)
}

/// Proves as much of a game as the plain search can confirm, and returns the number of moves and whether a longer game was found.
fn compare(game: &MorpionGame, most: usize) -> (usize, bool) {
    let mut prover = Prover::new(game).unwrap();
    let count = game.moves.len();
    for tail in 1..=count {
        let board = Board::after(game.variant, &game.moves[..count - tail]).unwrap();
        let Some(longest) = longest(&board, most) else { return (tail - 1, false) };
        match prover.step(&mut |_| true) {
            ProofStep::Proven => assert_eq!(longest, tail, "the last {tail} moves of {game:?}"),
            ProofStep::Longer(moves) => {
                assert!(longest > tail, "the last {tail} moves of {game:?}");
                assert!(moves.len() > count && moves.len() <= count - tail + longest);
                assert_eq!(moves[..count - tail], game.moves[..count - tail]);
                let certificate = Rules::new(game.variant).certify(&moves).unwrap();
                assert!(certificate.terminal && certificate.score == moves.len() as f64);
                return (tail, true);
            }
            other => panic!("{other:?} after {tail} moves of {game:?}"),
        }
        assert_eq!(prover.proven(), tail);
    }
    (count, false)
}

#[test]
fn random_games_have_longer_ones_where_the_plain_search_finds_them() {
    let games = if cfg!(debug_assertions) { 40 } else { 300 };
    for variant in Variant::ALL {
        let mut longer = 0;
        for seed in 0..games {
            let moves = random_game(variant, Stream::new(7).child(seed));
            longer += usize::from(compare(&MorpionGame { variant, moves }, 4_000).1);
        }
        assert!(longer > 0, "{variant}: the test never saw a longer game");
    }
}

#[test]
fn the_tails_of_the_records_are_best_as_the_plain_search_confirms() {
    let most = if cfg!(debug_assertions) { 10_000 } else { 30_000 };
    for record in published() {
        let (tail, _) = compare(&record.reading.game, most);
        assert!(tail >= 9, "{}: {tail}", record.id);
    }
}

/// A game made longer move by move until its tail is best: the plain search and the prover agree all the way.
#[test]
fn improved_games_end_with_proven_tails() {
    for variant in Variant::ALL {
        let mut moves = random_game(variant, Stream::new(11));
        loop {
            let game = MorpionGame { variant, moves };
            compare(&game, 1_000);
            let mut prover = Prover::new(&game).unwrap();
            let step = loop {
                match prover.step(&mut |positions| positions < 2_000) {
                    ProofStep::Proven => {}
                    other => break other,
                }
            };
            let ProofStep::Longer(longer) = step else { break };
            assert!(longer.len() > game.moves.len());
            moves = longer;
        }
    }
}

/// In another order of its moves the game is the same, and what is proven is what the plain search confirms.
#[test]
fn the_order_of_moves_is_free() {
    let variants = Variant::ALL.map(|variant| MorpionGame { variant, moves: random_game(variant, Stream::new(5)) });
    let records = published().into_iter().map(|record| record.reading.game);
    for game in variants.into_iter().chain(records) {
        let mut prover = Prover::new(&game).unwrap();
        for tail in 1..=12 {
            let step = prover.step_in_any_order(&mut |_| true);
            let moves = prover.moves().to_vec();
            assert!(Rules::new(game.variant).certify(&moves).unwrap().terminal);
            let before = Board::after(game.variant, &moves[..moves.len() - tail]).unwrap();
            let Some(longest) = longest(&before, 5_000) else { break };
            match step {
                ProofStep::Proven => assert_eq!(longest, tail, "{game:?}"),
                ProofStep::Longer(_) => {
                    assert!(longest > tail, "{game:?}");
                    break;
                }
                other => panic!("{other:?}"),
            }
        }
        let (mut lines, mut reordered) = (game.moves.clone(), prover.moves().to_vec());
        lines.sort();
        reordered.sort();
        assert_eq!(lines, reordered, "the moves are the same");
    }
}

#[test]
fn a_game_with_moves_left_is_not_best() {
    let record = published().swap_remove(0).reading.game;
    let game = MorpionGame { variant: record.variant, moves: record.moves[..170].to_vec() };
    let mut prover = Prover::new(&game).unwrap();
    let ProofStep::Longer(moves) = prover.step(&mut |_| true) else { panic!("the game can be continued") };
    assert!(moves.len() > 170 && moves[..170] == game.moves);
}

#[test]
fn illegal_games_are_refused() {
    let mut game = published().swap_remove(0).reading.game;
    game.moves.swap(0, 177);
    assert!(Prover::new(&game).is_err());
}

/// Golden numbers: a change of the search shows here.
#[test]
fn the_last_sixty_moves_of_the_longest_game_are_best() {
    let record = published().into_iter().find(|record| record.id == "rosin178").unwrap();
    let mut prover = Prover::new(&record.reading.game).unwrap();
    while prover.proven() < 60 {
        assert_eq!(prover.step(&mut |_| true), ProofStep::Proven);
    }
    assert_eq!(prover.positions(), 744);
}

#[test]
fn a_stopped_proof_goes_on_where_it_was() {
    let game = published().swap_remove(0).reading.game;
    let mut prover = Prover::new(&game).unwrap();
    let mut steps = 0;
    while prover.step(&mut |positions| positions < 300) == ProofStep::Proven {
        steps += 1;
    }
    assert_eq!((prover.proven(), prover.positions()), (steps, 300));
    let mut resumed = Prover::new(&game).unwrap();
    resumed.resume(prover.proven(), prover.positions());
    assert_eq!(resumed.step(&mut |_| true), prover.step(&mut |_| true));
    assert_eq!(resumed.positions(), prover.positions());
    resumed.resume(game.moves.len(), 0);
    assert_eq!(resumed.step(&mut |_| true), ProofStep::Whole);
}

/// Without a move and all that depend on it a game is legal, and what is left has nothing to do with the move.
#[test]
fn a_move_comes_last_with_all_that_depend_on_it() {
    for record in published() {
        let game = record.reading.game;
        let prover = Prover::new(&game).unwrap();
        for place in 0..game.moves.len() {
            let (other, removed) = prover.without(place);
            let kept = &other.moves()[..game.moves.len() - removed];
            assert!(Rules::new(game.variant).certify(other.moves()).unwrap().terminal, "{}", record.id);
            assert!(!kept.contains(&game.moves[place]) && removed <= game.moves.len() - place);
            let sorted = |moves: &[Move]| moves.iter().map(|played| format!("{played:?}")).collect::<BTreeSet<_>>();
            assert_eq!(sorted(other.moves()), sorted(&game.moves), "{}", record.id);
        }
    }
}

/// Depth-first search with merged positions finds what the prover proves: no longer end of the record of 4D.
#[test]
fn merged_positions_prove_the_same() {
    let game = published().into_iter().find(|record| record.id == "hyyroporanen35").unwrap().reading.game;
    let board = Board::new(game.variant);
    let merged = Run::new(&board, "dfs(merge=on)".parse().unwrap()).from(&game.moves[..15]).start().unwrap();
    assert!(merged.proven);
    let plain = Run::new(&board, "dfs".parse().unwrap()).from(&game.moves[..24]).start().unwrap();
    let merged_too = Run::new(&board, "dfs(merge=on)".parse().unwrap()).from(&game.moves[..24]).start().unwrap();
    assert_eq!((plain.score(), plain.proven), (merged_too.score(), true));
    let mut prover = Prover::new(&game).unwrap();
    while prover.proven() < 20 {
        assert_eq!(prover.step(&mut |_| true), ProofStep::Proven);
    }
    assert_eq!(merged.score(), Some(35.0));
}

/// What is proven of a game without one of its moves is what the plain search finds.
#[test]
fn without_a_move_nothing_longer_is_left_as_the_plain_search_confirms() {
    let record = published().into_iter().find(|record| record.id == "hyyroporanen35").unwrap().reading.game;
    let random = [Variant::FourD, Variant::FiveD]
        .map(|variant| MorpionGame { variant, moves: random_game(variant, Stream::new(5)) });
    let (mut proven, mut longer) = (0, 0);
    for game in [vec![record], random.to_vec()].concat() {
        let prover = Prover::new(&game).unwrap();
        for place in (0..game.moves.len()).rev() {
            let (mut other, removed) = prover.without(place);
            let kept = &other.moves()[..game.moves.len() - removed];
            let Some(found) = longest(&Board::after(game.variant, kept).unwrap(), 20_000) else { continue };
            let mut step = ProofStep::Proven;
            while step == ProofStep::Proven && other.proven() < removed {
                step = other.step(&mut |_| true);
            }
            assert_eq!(step == ProofStep::Proven, found == removed, "move {place}");
            if found == removed { proven += 1 } else { longer += 1 }
        }
    }
    assert!(proven > 20 && longer > 5, "{proven} {longer}");
}
