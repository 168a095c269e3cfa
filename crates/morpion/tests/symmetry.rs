//! The eight symmetries: games stay legal, and are recognised in every image and order.

use crate::common::{any_game, random_game};
use nestling::{Problem, Stream};
use nestling_morpion::{Board, Figure, FigureLikeness, Move, Symmetry, Variant, compare, published};
use proptest::prelude::*;

/// The same lines in another order: every move as late as the others allow, the last first among equals.
fn reordered(variant: Variant, moves: &[Move]) -> Vec<Move> {
    let (mut board, mut left) = (Board::new(variant), moves.to_vec());
    let mut order = Vec::new();
    while !left.is_empty() {
        let mut legal = Vec::new();
        board.legal_moves(&mut legal);
        let next = left.iter().rposition(|played| legal.contains(played)).expect("the first one left is legal");
        let played = left.remove(next);
        board.play(played);
        order.push(played);
    }
    order
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn images_are_legal_and_the_same_game(game in any_game()) {
        let figure = Figure::new(game.variant, &game.moves);
        for symmetry in Symmetry::ALL {
            let image = symmetry.game(game.variant, &game.moves);
            let certificate = Board::new(game.variant).certify(&image).unwrap();
            prop_assert_eq!((certificate.score, certificate.terminal), (game.moves.len() as f64, true));
            prop_assert_eq!(&Figure::new(game.variant, &image), &figure);
            let FigureLikeness::SameGame(found) = compare(game.variant, &game.moves, &image) else { panic!("{symmetry}") };
            prop_assert_eq!(found.game(game.variant, &game.moves), image);
        }
    }

    #[test]
    fn other_orders_are_the_same_lines(game in any_game(), index in 0..8usize) {
        let symmetry = Symmetry::ALL[index];
        let other = symmetry.game(game.variant, &reordered(game.variant, &game.moves));
        prop_assert_eq!(Figure::new(game.variant, &other).key(), Figure::new(game.variant, &game.moves).key());
        prop_assert!(matches!(
            compare(game.variant, &game.moves, &other),
            FigureLikeness::SameGame(_) | FigureLikeness::SameLines(_)
        ));
    }
}

#[test]
fn the_eight_are_a_group_of_different_ones() {
    let game = random_game(Variant::FiveT, Stream::new(1));
    let image = |symmetry: Symmetry, game: &[Move]| symmetry.game(Variant::FiveT, game);
    let images = Symmetry::ALL.map(|symmetry| image(symmetry, &game));
    for (index, one) in images.iter().enumerate() {
        assert!(!images[..index].contains(one));
        assert!(Symmetry::ALL.iter().all(|&symmetry| images.contains(&image(symmetry, one))));
    }
    let names: std::collections::BTreeSet<_> = Symmetry::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(names.len(), 8);
}

/// What the names say, at a dot above the left arm of the top: (3,-1).
#[test]
fn names_are_true() {
    use nestling_morpion::Cell;
    let cases = [
        ("mirrored left to right", (6, -1)),
        ("mirrored top to bottom", (3, 10)),
        ("turned by half a turn", (6, 10)),
        ("turned by a quarter turn to the right", (10, 3)),
        ("turned by a quarter turn to the left", (-1, 6)),
        ("mirrored along the falling diagonal", (-1, 3)),
        ("mirrored along the rising diagonal", (10, 6)),
    ];
    for (name, (x, y)) in cases {
        let symmetry = Symmetry::ALL.into_iter().find(|symmetry| symmetry.to_string() == name).unwrap();
        assert_eq!(symmetry.cell(Variant::FiveT, Cell { x: 3, y: -1 }), Cell { x, y }, "{name}");
    }
}

#[test]
fn different_games_differ() {
    let [one, other] = [1, 2].map(|seed| random_game(Variant::FiveD, Stream::new(seed)));
    assert_eq!(compare(Variant::FiveD, &one, &other), FigureLikeness::Different);
    assert_eq!(compare(Variant::FiveD, &one, &one[1..]), FigureLikeness::Different);
    let records = published();
    let figures: std::collections::HashSet<Figure> =
        records.iter().map(|record| Figure::new(record.reading.game.variant, &record.reading.game.moves)).collect();
    assert_eq!(figures.len(), records.len(), "the published records are distinct games");
}

/// Where a dot can be reached along two lines, the games differ in lines but not in dots.
#[test]
fn the_same_dots_with_other_lines() {
    let moves = random_game(Variant::FiveT, Stream::new(3));
    let choice = (0..moves.len()).find_map(|played| {
        let mut legal = Vec::new();
        Board::after(Variant::FiveT, &moves[..played]).unwrap().legal_moves(&mut legal);
        let pairs = legal.iter().flat_map(|one| legal.iter().map(move |other| (*one, *other)));
        let (one, other) = pairs.into_iter().find(|(one, other)| one.dot() == other.dot() && one.line != other.line)?;
        Some([one, other].map(|last| [&moves[..played], &[last]].concat()))
    });
    let [one, other] = choice.expect("some dot can be reached along two lines");
    assert_eq!(compare(Variant::FiveT, &one, &other), FigureLikeness::SameDots(Symmetry::IDENTITY));
    assert_ne!(Figure::new(Variant::FiveT, &one), Figure::new(Variant::FiveT, &other));
}
