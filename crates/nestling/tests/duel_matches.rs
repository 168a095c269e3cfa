//! Matches, and the texts of strategies.

use std::time::Duration;

use crate::tables::{Doubles, TicTacToe};
use nestling::duel::{self, Contest, Played, Side, Standing, UctPlayer};
use nestling::{Cancel, Game, PlayerResult};
use proptest::prelude::*;

fn strategy(text: &str) -> duel::Strategy {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn contest(game: &TicTacToe, threads: usize, opening: usize) -> (Standing, Vec<Played<u8>>) {
    let mut games = Vec::new();
    let sides = [strategy("uct(50)"), strategy("winning")];
    let contest = Contest::new(game, sides).games(30).seed(7).threads(threads).opening(opening);
    let standing = contest.play(|played| games.push(played.clone())).unwrap();
    (standing, games)
}

#[test]
fn threads_make_no_difference() {
    let game = TicTacToe::new();
    let alone = contest(&game, 1, 0);
    assert_eq!(contest(&game, 4, 0), alone);
    assert!(alone.1.iter().enumerate().all(|(index, played)| played.number == index as u64));
}

#[test]
fn seats_alternate_and_openings_come_in_pairs() {
    let game = TicTacToe::new();
    let (standing, games) = contest(&game, 2, 3);
    assert_eq!((standing.as_first.games(), standing.as_second.games()), (15, 15));
    for pair in games.chunks(2) {
        assert_eq!((pair[0].first, pair[1].first), (Side::A, Side::B));
        assert_eq!(pair[0].opening, 3);
        assert_eq!(pair[0].moves[..3], pair[1].moves[..3]);
    }
    assert!(games.chunks(2).any(|pair| pair[0].moves[..3] != games[0].moves[..3]), "pairs differ");
    let wins = games.iter().filter(|played| played.verdict(Side::A) == PlayerResult::Win).count() as u64;
    assert_eq!(standing.total().wins, wins);
    for played in &games {
        assert_eq!(game.certify(&played.moves), Ok(Some(played.ending)));
    }
}

#[test]
fn an_opening_never_ends_the_game() {
    let sides = [strategy("random"), strategy("random")];
    let check = |played: &Played<u8>| assert!(played.opening < played.moves.len());
    Contest::new(&TicTacToe::new(), sides).games(40).opening(8).play(check).unwrap();
}

#[test]
fn what_plays_before_a_stage() {
    let sides = [strategy("exact(from=4, before=random)"), strategy("winning")];
    let standing = Contest::new(&TicTacToe::new(), sides).games(60).seed(2).play(|_| {}).unwrap();
    let usual = [strategy("exact(from=9)"), strategy("winning")];
    let even = Contest::new(&TicTacToe::new(), usual).games(400).seed(2).play(|_| {}).unwrap();
    assert!(standing.score() > 0.6, "{standing:?}");
    let (low, high) = even.interval();
    assert!(low < 0.5 && high > 0.5, "its own last policy plays before: {even:?}");
}

#[test]
fn cancelling_ends_a_match() {
    let (cancel, game) = (Cancel::new(), TicTacToe::new());
    let sides = [strategy("random"), strategy("random")];
    let mut games = 0;
    let contest = Contest::new(&game, sides).games(1_000_000).threads(2).cancel(cancel.clone());
    let standing = contest.play(|_| {
        games += 1;
        if games == 10 {
            cancel.cancel();
        }
    });
    assert_eq!(standing.unwrap().total().games(), games);
    assert!((10..1_000_000).contains(&games));
}

#[test]
fn a_wrong_player_is_refused_before_any_game() {
    let sides = [strategy("random"), strategy("exact")];
    let error = Contest::new(&Doubles::new(5), sides).play(|_| panic!("a game was played")).unwrap_err();
    assert_eq!(error.to_string(), "exact: this game has no exact solver; use uct(1000)");
}

#[test]
fn strategies_read_and_print() {
    for text in [
        "random",
        "second",
        "uct(1000)",
        "uct(10, turn=joined, draw=0, final=value, c=2.5, policy=first, children=policy, tree=new, transpositions=on, symmetry=on, proof=off, exact=9, games=old.jsonl, weight=0.5, trees=4, memory=64)",
        "uct(time=1s, epsilon=0.1)",
        "uct(time=250ms, from=3, before=random)",
        "alphabeta(4)",
        "exact(from=6, before=uct(10, from=2, before=first))",
    ] {
        assert_eq!(strategy(text).to_string(), text);
    }
    assert_eq!(strategy(" uct ( 1_000 , c = 5 , draw=0.5, turn=split ) "), duel::Strategy::uct(1000));
    assert_eq!(strategy("uct(time=0.5s)").to_string(), "uct(time=500ms)");
    assert_eq!(strategy("uct(time=1.5m)").to_string(), "uct(time=90s)");
    assert_eq!(strategy("exact()"), duel::Strategy::exact());
}

#[test]
fn nonsense_is_refused_in_a_line() {
    for (text, message) in [
        ("", "column 1: expected a player such as random, uct(1000) or alphabeta(3), found the end"),
        ("1000", "column 1: expected a player such as random, uct(1000) or alphabeta(3), found \"1000\""),
        ("uct", "column 4: expected \"(\" after uct, as in uct(1000), found the end"),
        ("uct()", "column 1: uct needs simulations or a time, as in uct(1000) or uct(time=1s)"),
        ("uct(0)", "column 5: the simulations of uct must be at least 1, found 0"),
        ("uct(-5)", "column 5: expected the simulations of uct, a whole number, found \"-5\""),
        (
            "utc(1000)",
            "column 1: expected a player such as random, uct(1000) or alphabeta(3), found \"utc\" with a number; did you mean uct?",
        ),
        ("uct(10, time=1s)", "column 9: expected simulations or time, found both"),
        ("uct(10, c=1, epsilon=0.5)", "column 14: expected c or epsilon, found both"),
        ("uct(10, c=1, c=2)", "column 14: expected c only once, found it again"),
        ("uct(10, draw=2)", "column 14: draw must be a number from 0 to 1, found 2"),
        ("uct(10, draw=NaN)", "column 14: draw must be a number from 0 to 1, found NaN"),
        ("uct(10, turn=both)", "column 14: expected split or joined for turn, found \"both\""),
        ("uct(time=soon)", "column 10: expected a time such as 1s or 250ms for time, found \"soon\""),
        ("uct(time=99h)", "column 10: time must lie between 1ms and 24h, found \"99h\""),
        ("uct(10, trees=2000)", "column 15: trees of uct must be at most 1024, found 2000"),
        ("alphabeta", "column 10: expected \"(\" after alphabeta, as in alphabeta(3), found the end"),
        ("alphabeta(0)", "column 11: the depth of alphabeta must be at least 1, found 0"),
        ("alphabeta(3, c=2)", "column 14: expected an option of alphabeta (from= or before=), found \"c\""),
        ("random) x", "column 7: expected the end, found \")\""),
        ("uct(10", "column 7: expected \",\" or \")\", found the end"),
        (
            "exact(form=6)",
            "column 7: expected an option of exact (from= or before=), found \"form\"; did you mean from=?",
        ),
    ] {
        let error = text.parse::<duel::Strategy>().expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
    let deep = "exact(before=".repeat(1000);
    assert!(deep.parse::<duel::Strategy>().unwrap_err().message.contains("nested at most"));
}

fn any_uct() -> impl Strategy<Value = duel::Strategy> {
    let budget = prop_oneof![
        (1..=100_000_000u64).prop_map(duel::Strategy::uct),
        (1..=86_400_000u64)
            .prop_map(|millis| duel::Strategy::of::<UctPlayer>().with("time", Duration::from_millis(millis)))
    ];
    let walk =
        prop_oneof![(1e-9..1e9f64).prop_map(|c| ("c", c)), (0.0..=1.0f64).prop_map(|epsilon| ("epsilon", epsilon))];
    let switches = any::<[bool; 5]>();
    let names = (proptest::option::of("[a-z]{1,9}"), proptest::option::of("[ -~]{1,9}"));
    let numbers = (0.0..=1.0f64, 1e-9..1e9f64, proptest::option::of(0..99u32), 1..=1024u32, 1..=65_536u64);
    (budget, walk, switches, names, numbers).prop_map(|(budget, (walk, constant), switches, names, numbers)| {
        let [joined, value, transpositions, symmetry, proof] = switches;
        let (draw, weight, exact, trees, memory) = numbers;
        let mut uct = budget
            .with(walk, constant)
            .with("turn", if joined { "joined" } else { "split" })
            .with("draw", draw)
            .with("final", if value { "value" } else { "visits" })
            .with("transpositions", transpositions)
            .with("symmetry", symmetry)
            .with("proof", proof)
            .with("weight", weight)
            .with("trees", trees)
            .with("memory", memory);
        let (policy, games) = names;
        for (option, name) in [("policy", policy), ("games", games)] {
            uct = name.map_or(uct.clone(), |name| uct.with(option, name));
        }
        exact.map_or(uct.clone(), |stage| uct.with("exact", stage))
    })
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(uct in any_uct(), from in 0..99u32) {
        let strategy = uct.from_stage(from).before(duel::Strategy::policy("random"));
        prop_assert_eq!(strategy.check(), Ok(()));
        prop_assert_eq!(strategy.to_string().parse::<duel::Strategy>().unwrap(), strategy);
    }

    #[test]
    fn reading_never_panics(text in "[a-z(),=0-9. ]{0,40}") {
        let _ = text.parse::<duel::Strategy>();
    }
}
