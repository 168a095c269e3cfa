//! Quarto keeps the laws of games, and its players play as the paper says.

use crate::common::random_position;
use nestling::conformance;
use nestling::duel::{Contest, MatchCounts, Strategy};
use nestling::{Ending, Game, Player, Stream};
use nestling_quarto::{Position, Variant};

fn results(one: &str, other: &str, games: u64) -> MatchCounts {
    let sides = [one, other].map(|text| text.parse::<Strategy>().unwrap());
    Contest::new(&Position::new(Variant::Lines), sides).games(games).seed(1).threads(2).play(|_| {}).unwrap().total()
}

#[test]
fn quarto_keeps_the_laws_of_games() {
    for variant in Variant::ALL {
        conformance::check_game(&Position::new(variant), 50).unwrap();
        for (placed, with_hand) in [(5, true), (9, false), (12, true)] {
            conformance::check_game(&random_position(variant, placed, with_hand, 4), 10).unwrap();
        }
    }
}

#[test]
fn wrong_moves_are_explained() {
    let mut position = Position::new(Variant::Lines);
    assert!(position.read_move("e5").unwrap_err().contains("is not a piece"));
    assert_eq!(position.read_move("c2").unwrap_err(), "there is no piece to place on c2: one has to be given first");
    position.give(position.left().pick(15));
    assert_eq!(position.read_move("LSRH").unwrap_err(), "LSRH cannot be given before DTQF is placed");
}

/// Random games draw with probability 414298141056/16!, the player who places first wins 48.46 %, the giver 49.56 %.
#[test]
fn random_playouts_end_as_they_should() {
    let (games, mut moves) = (200_000, Vec::new());
    let mut ends = [0.0; 3];
    for number in 0..games {
        let ending = Position::new(Variant::Lines).playout(None, &mut Stream::new(number).rng(), &mut moves);
        ends[match ending {
            Ending::Win(Player::First) => 0,
            Ending::Win(Player::Second) => 1,
            Ending::Draw => 2,
        }] += 1.0 / games as f64;
    }
    for (seen, expected) in ends.into_iter().zip([0.4956, 0.4846, 414_298_141_056.0 / 20_922_789_888_000.0]) {
        let error = (expected * (1.0 - expected) / games as f64).sqrt();
        assert!((seen - expected).abs() < 4.0 * error + 5e-5, "{ends:?}");
    }
}

/// The policies among themselves, beside what an independent program measured: 386-0-14, 876-41-83 and 340-329-331.
#[test]
fn the_papers_players_are_as_strong_as_they_should_be() {
    let near = |seen: u64, games: u64, share: f64| {
        let error = (share * (1.0 - share) * games as f64).sqrt();
        // Both numbers have an error.
        assert!((seen as f64 - share * games as f64).abs() < 6.0 * error, "{seen} of {games} instead of {share}");
    };
    let playout = results("playout", "random", 2000);
    near(playout.wins, 2000, 0.965);
    let second = results("second", "playout", 2000);
    near(second.wins, 2000, 0.876);
    near(second.losses, 2000, 0.083);
    let equal = results("second", "second", 2000);
    near(equal.draws, 2000, 0.329);
}
