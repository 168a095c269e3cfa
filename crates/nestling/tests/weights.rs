//! Weights that known games teach, and weights as text.

use std::collections::BTreeMap;

use crate::common::{LeftMove, Maze, Order, run};
use nestling::{Goal, Problem, Weights};

/// The definition, in the plainest form and with the exponential of the system.
fn plainly<P: Problem>(problem: &P, games: &[Vec<P::Move>]) -> BTreeMap<u64, f64> {
    let (mut weights, mut legal) = (BTreeMap::new(), Vec::new());
    for _ in 0..100 {
        let before: BTreeMap<u64, f64> = weights.clone();
        for game in games {
            let mut state = problem.clone();
            for &played in game {
                state.legal_moves(&mut legal);
                let value =
                    |other: P::Move| (before.get(&state.code(other)).copied().unwrap_or(0.0) + state.bias(other)).exp();
                let z: f64 = legal.iter().map(|&other| value(other)).sum();
                for &other in &legal {
                    let change = f64::from(u8::from(other == played)) - value(other) / z;
                    *weights.entry(state.code(other)).or_default() += change / games.len() as f64;
                }
                state.play(played);
            }
        }
    }
    weights
}

#[track_caller]
fn agrees<P: Problem>(problem: &P, count: u64) {
    let game = |seed| run(problem, "playout", seed).start().unwrap().moves().to_vec();
    let games: Vec<Vec<P::Move>> = (0..count).map(game).collect();
    let weights = Weights::towards_all(problem, games.iter().map(Vec::as_slice));
    let expected = plainly(problem, &games);
    assert_eq!(weights.len(), expected.len());
    for (code, weight) in weights.iter() {
        assert!((weight - expected[&code]).abs() < 1e-9, "{code}: {weight}, not {}", expected[&code]);
    }
    let backwards = Weights::towards_all(problem, games.iter().rev().map(Vec::as_slice));
    assert!(weights.iter().all(|(code, weight)| (weight - backwards.get(code)).abs() < 1e-9), "the order is nothing");
    if let [game] = &games[..] {
        assert_eq!(weights, Weights::towards(problem, game), "to the last bit");
        let playout = |seed| run(problem, "playout(weights=w)", seed).weights("w", weights.clone()).start().unwrap();
        let followed = (0..20).filter(|&seed| playout(seed).moves() == game).count();
        assert!(followed > 10, "the policy nearly always plays the game that it follows, not {followed} of 20 times");
    }
}

#[test]
fn games_become_weights() {
    for count in [1, 2, 5] {
        agrees(&LeftMove::new(12), count);
        agrees(&Maze::new(12, 12, Goal::Max), count);
        agrees(&Order::new(), count);
    }
    assert!(Weights::towards_all(&Order::new(), []).is_empty());
}

/// From a later state only the moves count that can still be played, in the order in which they can.
#[test]
fn moves_that_cannot_be_played_are_left_out() {
    let mut problem = Order::new();
    problem.play(3);
    let whole = Weights::towards(&problem, &[3, 0, 1, 2, 9, 4, 5, 6]);
    assert_eq!(whole, Weights::towards(&problem, &[0, 1, 2, 4, 5, 6]));
    assert!(Weights::towards(&problem, &[3, 9]).is_empty());
}

#[test]
fn moves_have_codes_or_texts() {
    let code_of = |text: &str| match text {
        "go left" => Ok(1),
        "17" => Ok(2),
        "a # b" => Ok(3),
        "a \"b\" \\" => Ok(4),
        other => Err(format!("no move {other:?}")),
    };
    let text = "# a comment\n\n go left   2.5 # often\n\"17\" -1\n17 4\n\"a # b\" 1e1#\n\"a \\\"b\\\" \\\\\" 0\r\n";
    let weights = Weights::read(text, code_of).unwrap();
    assert_eq!(weights.to_string(), "1 2.5\n2 -1\n3 10\n4 0\n17 4\n");
    for (text, line, reason) in [
        ("go left", 1, "expected a move"),
        ("17", 1, "expected a move, or its code, and its weight"),
        ("17 2.5\n18 many", 2, "expected a move"),
        ("17 2.5\n18 301", 2, "between -300 and 300"),
        ("17 nan", 1, "between -300 and 300"),
        ("go left 1\nturn 2", 2, "no move \"turn\""),
        ("go left 1\n1 1", 2, "1 has the code 1, which has a weight in line 1"),
        ("go left 1\n\n\"go left\" 1", 3, "go left has the code 1, which has a weight in line 1"),
        ("\"go left 1", 1, "not closed"),
        ("\"go left\"", 1, "expected a move"),
    ] {
        match Weights::read(text, code_of) {
            Err(error) => assert!(error.line == line && error.reason.contains(reason), "{text:?}: {error}"),
            Ok(weights) => panic!("{text:?} is read as {weights}"),
        }
    }
    assert!("go left 1".parse::<Weights>().unwrap_err().to_string().contains("code weight"));
}

/// A fuzzer found a name with a control character, which the message repeated.
#[test]
fn messages_have_no_control_characters() {
    let error = Weights::read("a\u{c}b 1\na\u{c}b 2\n", |_| Ok(17)).unwrap_err().to_string();
    assert!(error.contains("a\u{fffd}b has the code 17") && !error.contains('\u{c}'), "{error:?}");
}
