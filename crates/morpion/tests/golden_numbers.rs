//! Numbers that a right implementation must hit: the counts of grids (OEIS A204107 to A204110) and the lengths of random
//! games.

use std::collections::HashSet;

use crate::common::legal;
use nestling::{Problem, Stream};
use nestling_morpion::{Board, Line, Move, Rules, Symmetry, Variant};

#[test]
fn the_crosses_and_their_moves() {
    for (variant, dots, moves) in
        [(Variant::FiveT, 36, 28), (Variant::FiveD, 36, 28), (Variant::FourT, 24, 40), (Variant::FourD, 24, 40)]
    {
        assert_eq!(variant.cross().len(), dots);
        assert_eq!(legal(&Board::new(variant)).len(), moves, "{variant}");
    }
}

/// The identity of a grid: its at most seven lines as 16-bit numbers in order, the least of the eight ways to turn it.
fn identity(turned_parents: &[Vec<u16>; 8], added: [u16; 8]) -> u128 {
    let grids = turned_parents.iter().zip(added).map(|(lines, added)| {
        let place = lines.partition_point(|line| *line < added);
        let ordered = lines[..place].iter().chain([&added]).chain(&lines[place..]);
        ordered.fold(0, |grid, line| grid << 16 | u128::from(*line))
    });
    grids.min().expect("there are eight")
}

/// The numbers of different grids after 0, 1, 2, … moves.
fn grids<P: Problem<Move = Move>>(start: &P, variant: Variant, depth: usize) -> Vec<usize> {
    // Dense codes of lines are below 2^14; one more than the code, so that no line is 0.
    let board = Board::new(variant);
    let number = |line: Line, symmetry: Symmetry| {
        let code = board.code(Move { line: symmetry.line(variant, line), hole: 0 });
        u16::try_from(code + 1).expect("a line near the cross")
    };
    let mut games: Vec<Vec<Move>> = vec![vec![]];
    let mut counts = vec![1];
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for step in 1..=depth {
        let mut seen: HashSet<u128, rustc_hash::FxBuildHasher> = HashSet::default();
        let mut longer = Vec::new();
        for game in &games {
            position.clone_from(start);
            game.iter().for_each(|played| position.play(*played));
            position.legal_moves(&mut moves);
            let parents = Symmetry::ALL.map(|symmetry| {
                let mut lines: Vec<u16> = game.iter().map(|m| number(m.line, symmetry)).collect();
                lines.sort_unstable();
                lines
            });
            for &played in &moves {
                let new = seen.insert(identity(&parents, Symmetry::ALL.map(|symmetry| number(played.line, symmetry))));
                // Of the last grids only the number is wanted.
                if new && step < depth {
                    longer.push([game, &[played][..]].concat());
                }
            }
        }
        counts.push(seen.len());
        games = longer;
    }
    counts
}

const GRIDS: [(Variant, [usize; 8]); 4] = [
    (Variant::FiveD, [1, 4, 55, 404, 2462, 11196, 41135, 122897]),
    (Variant::FiveT, [1, 4, 56, 428, 2741, 13247, 52059, 167502]),
    (Variant::FourD, [1, 5, 106, 1174, 10608, 73709, 419916, 1991917]),
    (Variant::FourT, [1, 5, 107, 1212, 11307, 82008, 492459, 2488802]),
];

fn grids_are_counted(depth: usize) {
    for (variant, expected) in GRIDS {
        assert_eq!(grids(&Board::new(variant), variant, depth), expected[..=depth], "{variant}");
    }
}

#[test]
fn grids_up_to_symmetry() {
    grids_are_counted(6);
}

#[test]
#[ignore = "half a minute; scripts/soak runs it"]
fn grids_after_seven_moves() {
    grids_are_counted(7);
}

#[test]
fn grids_up_to_symmetry_by_the_plain_rules() {
    for (variant, expected) in GRIDS {
        assert_eq!(grids(&Rules::new(variant), variant, 4), expected[..5], "{variant}");
    }
}

#[test]
fn lengths_of_random_games() {
    random_games_have_the_published_lengths(50_000);
}

#[test]
#[ignore = "a minute; scripts/soak runs it"]
fn lengths_of_a_million_random_games() {
    random_games_have_the_published_lengths(1_000_000);
}

fn random_games_have_the_published_lengths(games: u64) {
    for (variant, expected) in
        [(Variant::FiveT, 53.62), (Variant::FiveD, 42.90), (Variant::FourT, 37.19), (Variant::FourD, 24.06)]
    {
        let start = Board::new(variant);
        let (mut board, mut moves) = (start.clone(), Vec::new());
        let (mut sum, mut squares) = (0.0, 0.0);
        for game in 0..games {
            let mut rng = Stream::new(5).child(game).rng();
            board.clone_from(&start);
            loop {
                board.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                board.play(moves[rng.below(moves.len())]);
            }
            sum += board.score();
            squares += board.score() * board.score();
        }
        let mean = sum / games as f64;
        let deviation = (squares / games as f64 - mean * mean).sqrt();
        let error = deviation / (games as f64).sqrt();
        eprintln!("{variant}: mean {mean:.3} (expected {expected}), deviation {deviation:.2}");
        assert!((mean - expected).abs() < 4.0 * error, "{variant}: mean {mean}, expected {expected} ± {error}");
    }
}
