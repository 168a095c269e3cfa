//! The laws of every problem, kept by the engine and by the plain rules.

use nestling::Run;
use nestling::conformance::check;
use nestling_morpion::{Board, Rules, Variant};

#[test]
fn the_engine_conforms() {
    for variant in Variant::ALL {
        check(&Board::new(variant), 100).unwrap();
    }
}

#[test]
fn a_search_finds_the_same_game_on_both() {
    for (variant, search) in [(Variant::FourD, "nested(1)"), (Variant::FourT, "nrpa(1)"), (Variant::FiveD, "nrpa(1)")] {
        let search = || search.parse().unwrap();
        let on_board = Run::new(&Board::new(variant), search()).seed(7).start().unwrap();
        let by_rules = Run::new(&Rules::new(variant), search()).seed(7).start().unwrap();
        assert_eq!((on_board.score(), on_board.moves()), (by_rules.score(), by_rules.moves()), "{variant}");
    }
}

#[test]
fn the_plain_rules_conform() {
    // The shortest games: the mobility playouts among the laws try every move of every position.
    check(&Rules::new(Variant::FourD), 10).unwrap();
}
