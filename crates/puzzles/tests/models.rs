//! Models: the examples and their best scores, compiled expressions against the interpreter of CEL, and what is refused.

use nestling::conformance::check;
use nestling::{Problem, Rng, Run, Stream};
use nestling_puzzles::model::Model;

const KNAPSACK: &str = include_str!("../../../examples/models/knapsack.toml");
const ASSIGNMENT: &str = include_str!("../../../examples/models/assignment.toml");
const COLOURING: &str = include_str!("../../../examples/models/colouring.toml");
const ROUND_TRIP: &str = include_str!("../../../examples/models/round-trip.toml");
const BIN_PACKING: &str = include_str!("../../../examples/models/bin-packing.toml");

fn best(text: &str, search: &str) -> f64 {
    let model = Model::read(text).unwrap();
    Run::new(&model, search.parse().unwrap()).seed(1).start().unwrap().score().unwrap()
}

#[test]
fn the_examples_conform() {
    for text in [KNAPSACK, ASSIGNMENT, COLOURING, ROUND_TRIP, BIN_PACKING] {
        check(&Model::read(text).unwrap(), 5).unwrap();
    }
}

#[test]
fn a_knapsack_takes_ten_lines_and_its_best_load_is_found() {
    assert_eq!(KNAPSACK.lines().count(), 10);
    let (weights, values) = ([9, 5, 4, 2, 1, 3, 2, 6, 3, 7], [30, 18, 11, 9, 4, 12, 5, 21, 8, 16]);
    let sum =
        |set: u32, numbers: &[i32]| (0..10).filter(|item| set >> item & 1 == 1).map(|item| numbers[item]).sum::<i32>();
    let most = (0..1 << 10).filter(|&set| sum(set, &weights) <= 20).map(|set| sum(set, &values)).max().unwrap();
    assert_eq!(best(KNAPSACK, "repeat(5, nrpa(2))"), f64::from(most));
}

#[test]
fn the_best_assignment_and_colouring_are_found() {
    let cost = [
        [14, 5, 8, 7, 15, 9],
        [2, 12, 6, 5, 3, 11],
        [7, 8, 3, 9, 7, 6],
        [2, 4, 6, 10, 1, 8],
        [9, 13, 4, 8, 6, 3],
        [11, 7, 10, 2, 9, 5],
    ];
    fn least(cost: &[[i32; 6]; 6], worker: usize, taken: u32) -> i32 {
        let free = (0..6).filter(|job| taken >> job & 1 == 0);
        free.map(|job| cost[worker][job] + least(cost, worker + 1, taken | 1 << job)).min().unwrap_or(0)
    }
    let least = f64::from(least(&cost, 0, 0));
    assert_eq!(best(ASSIGNMENT, "repeat(5, nrpa(2))"), least);
    assert_eq!(best(ASSIGNMENT, "dfs"), least);
    assert_eq!(best(BIN_PACKING, "repeat(20, nrpa(2))"), 5.0);
    assert_eq!(best(ROUND_TRIP, "repeat(5, nrpa(2))"), best(ROUND_TRIP, "dfs"));
    // The Petersen graph has chromatic number 3.
    assert_eq!(best(COLOURING, "repeat(5, nested(1))"), 3.0);
}

/// A random expression for a number, or for a truth value.
fn expression(rng: &mut Rng, depth: usize, truth: bool) -> String {
    let number = |rng: &mut Rng| expression(rng, depth.saturating_sub(1), false);
    if truth {
        let (left, right) = (number(rng), number(rng));
        let comparison = ["<", "<=", ">", ">=", "==", "!="][rng.below(6)];
        return match rng.below(if depth == 0 { 1 } else { 7 }) {
            0 | 1 => format!("({left} {comparison} {right})"),
            2 => format!("({left} in row)"),
            3 => format!("row.all(v, v {comparison} {left})"),
            4 => format!("played.exists(v, 1 / (v - 1) {comparison} {right})"),
            5 => format!("({left} {comparison} {right} || 1 % step == 0)"),
            _ => format!("!(count {comparison} {right} && row[{left}] > 1)"),
        };
    }
    if depth == 0 {
        return ["1", "2.5", "step", "count", "row[1]", "table[1][0]", "size(played)", "length", "-3"][rng.below(9)]
            .to_owned();
    }
    let (left, right) = (number(rng), number(rng));
    match rng.below(12) {
        0 => format!("({left} + {right})"),
        1 => format!("({left} * {right})"),
        2 => format!("({left} - {right})"),
        3 => format!("({left} / {right})"),
        4 => format!("({left} % {right})"),
        5 => format!("max({left}, floor({right}))"),
        6 => format!("row.sum(v, v * {left})"),
        7 => format!("range(3).count(v, v < {left})"),
        8 => format!("table[{left}].max(v, v + {right})"),
        9 => format!("({} ? {left} : {right})", expression(rng, depth - 1, true)),
        10 => format!("row[floor({left})]"),
        _ => format!("sqrt(abs({left})) + min(row.min(), {right}) + played.sum()"),
    }
}

/// A game verified by the interpreter has the score that was computed by the compiled expression; where one has no value, the other has none.
#[test]
fn compiled_expressions_agree_with_the_interpreter() {
    let (mut computed, mut without_value) = (0, 0);
    for number in 0..400 {
        let mut rng = Stream::new(number).rng();
        let score = expression(&mut rng, 3, false);
        // At the start the score is 0, so that reading accepts expressions without a value later.
        let text = format!(
            "choices = 3\nlength = 4\nscore = \"step < 4 ? 0 : {score}\"\ndata = {{ row = [3, 0, 2, 7.5], table = [[1, 2], [3], [4, 5, 6]] }}\n\
             state = {{ count = {{ start = 1, next = \"count + choice\" }} }}"
        );
        let Ok(mut model) = Model::read(&text) else {
            without_value += 1;
            continue;
        };
        let start = model.clone();
        let moves: Vec<u16> = (0..4).map(|_| rng.below(3) as u16).collect();
        moves.iter().for_each(|&choice| model.play(choice));
        match start.certify(&moves) {
            Ok(certificate) => {
                assert_eq!((certificate.score, certificate.terminal), (model.score(), true), "{score}");
                *if certificate.score == -1e100 { &mut without_value } else { &mut computed } += 1;
            }
            Err(refused) => panic!("{score}: {refused}"),
        }
    }
    assert!(computed > 100 && without_value > 20, "{computed} computed, {without_value} without a value");
}

/// A comparison with what is not a number has no value, for the interpreter too: `max()` of nothing is minus infinity.
#[test]
fn comparisons_of_no_number_have_no_value() {
    let text =
        "choices = 3\nlength = 2\nlegal = \"step * played.max() >= 5 ? false : true\"\nscore = \"played.sum()\"\n";
    let told = refused(text);
    assert!(told.contains("line 3: legal: it has no value at the start"), "{told}");
    let large = refused("choices = 2\nlength = 1\nscore = \"played.sum() == 0 ? 1e308 : -1e308\"\n");
    assert!(large.contains("between -1e100 and 1e100"), "{large}");
}

fn refused(text: &str) -> String {
    Model::read(text).unwrap_err().to_string()
}

#[test]
fn bad_models_are_refused_in_one_line_with_its_number() {
    let with = |lines: &str| refused(&format!("choices = 3\nlength = 2\n{lines}"));
    let cases = [
        (refused(""), "line 1: choices is missing"),
        (refused("choices = ["), "line 1: "),
        (refused("choices = [\"a\", \"a\"]\nscore = \"1\""), "line 1: choices: \"a\" is there twice"),
        (refused("choices = 0\nscore = \"1\""), "line 1: choices: a whole number from 1"),
        (refused("choices = 3\nscore = \"1\""), "line 1: length is missing"),
        (with(""), "line 1: score is missing"),
        (with("score = 1"), "line 3: invalid type"),
        (with("scoer = \"1\""), "line 3: unknown field `scoer`"),
        (with("score = \"1 +\""), "line 3: score: character 4: "),
        (with("score = \"step > 1\""), "line 3: score: the expression is true or false, but should be a number"),
        (with("score = \"choice\""), "line 3: score: choice has no value here"),
        (with("score = \"played\""), "line 3: score: played is a list"),
        (with("score = \"x\"\ndata = { x = [1] }"), "line 3: score: x is a list"),
        (with("score = \"'text'\""), "line 3: score: texts are not values here"),
        (with("score = \"[1, 2].sum()\""), "line 3: score: lists are not written inside expressions"),
        (with("score = \"played.map(x, x).sum()\""), "line 3: score: map and filter are not supported"),
        (with("score = \"open('/etc/passwd')\""), "line 3: score: texts are not values"),
        (with("score = \"exp(1)\""), "line 3: score: there is no function exp"),
        (with("score = \"played[5]\""), "line 3: score: it has no value at the start: an index is outside of its list"),
        (with("score = \"1 / 0\""), "line 3: score: it has no value at the start: a division by zero"),
        (with("score = \"1\"\nlegal = \"choice > 2\""), "line 4: no choice is legal at the start"),
        (
            with("score = \"1\"\nlegal = \"choice\""),
            "line 4: legal: the expression is a number, but should be true or false",
        ),
        (with("score = \"1\"\ngoal = \"best\""), "line 4: goal: write \"max\" or \"min\""),
        (with("score = \"1\"\n[data]\nstep = 1"), "line 5: data.step: this word has a meaning of its own"),
        (with("score = \"1\"\n[data]\nx = [1, [2]]"), "line 5: data.x: a list has only numbers, or only lists"),
        (with("score = \"1\"\n[data]\nx = \"a\""), "line 5: data.x: data are numbers"),
        (with("score = \"1\"\n[state]\nx = 1"), "line 5: state.x: write { start = 0"),
        (with("score = \"1\"\n[state]\nx = { start = [1, 2], next = \"1\" }"), "line 5: state.x: a list needs at"),
        (
            with("score = \"1\"\n[state.x]\nstart = [1, 2]\nnext = \"1\"\nat = \"2\""),
            "line 4: state.x.at: it has no value",
        ),
        (with("score = \"range(9999).sum(a, range(9999).sum(b, a * b))\""), "line 3: score: computing it can take"),
    ];
    for (message, wanted) in cases {
        assert!(message.starts_with(wanted), "{message}\n{wanted}");
        assert!(!message.contains('\n') && message.chars().count() < 250, "{message}");
    }
}

/// Expressions that would be deep trees, long loops or huge texts are refused before they do harm.
#[test]
fn hostile_expressions_are_refused() {
    let many = |part: &str, count: usize| part.repeat(count);
    let texts = [
        many("(", 100_000),
        many("[", 1500),
        many("!", 1500) + "true",
        many("-", 1999) + "1",
        "1".to_owned() + &many("+1", 1900),
        "a".to_owned() + &many(".a", 1900),
        "played".to_owned() + &many("[0]", 1300),
        many("true ? ", 500) + "1" + &many(": 1", 500),
        many("played.sum(a, ", 30) + "1" + &many(")", 30),
        many("f(", 41) + &many(")", 41),
        "\u{0}\u{7f}".to_owned(),
        many("`", 300),
        "'".to_owned() + &many("x", 3000),
        "0".to_owned() + &many(" in a", 790),
        "1e999".to_owned(),
        "99999999999999999999".to_owned(),
    ];
    for text in texts {
        let quoted =
            text.replace('\\', "\\\\").replace('"', "\\\"").replace('\u{0}', "\\u0000").replace('\u{7f}', "\\u007f");
        let message = refused(&format!("choices = 2\nlength = 2\nscore = \"{quoted}\""));
        assert!(message.starts_with("line 3: score: ") && message.len() < 400, "{message}");
    }
    // As deep as they may be, they are computed.
    let deep = many("(", 25) + "step" + &many(")", 25) + &many(" + 1", 125);
    assert!(Model::read(&format!("choices = 2\nlength = 2\nscore = \"{deep}\"")).is_ok());
}

/// Long games do not use up what all trials have; a game whose score has no value has the worst one, and ends no run.
#[test]
fn long_games_and_games_without_a_value_are_games() {
    let long = Model::read("choices = 2\nlength = 2000\nscore = \"step\"").unwrap();
    assert_eq!(Run::new(&long, "playout".parse().unwrap()).start().unwrap().score(), Some(2000.0));
    let fault = "choices = 3\nlength = 10\nscore = \"step < 10 ? 0 : 100 / played.sum()\"";
    let outcome = Run::new(&Model::read(fault).unwrap(), "dfs".parse().unwrap()).playouts(2).start().unwrap();
    assert_eq!(outcome.score(), Some(100.0));
    // Only after eight twos the change has no value: that ends the game.
    let changes = "choices = 3\nlength = 9\nscore = \"step\"\n\
                   state = { v = { start = 1, next = \"played.sum() < 16 ? v : 1 / (choice - choice)\" } }";
    let model = Model::read(changes).unwrap();
    let certificate = model.certify(&[2; 9]).unwrap();
    assert_eq!((certificate.score, certificate.terminal), (-1e100, true));
    assert_eq!(nestling::state_after(&model, &[2; 9]).score(), -1e100);
    let refused = model.certify(&[2; 10]).unwrap_err().to_string();
    assert!(refused.starts_with("move 10: the game is over: "), "{refused}");
    assert_eq!(model.certify(&[2; 8]).unwrap().score, 8.0);
}

/// What takes too long to compute is refused when it is read.
#[test]
fn models_that_take_too_long_are_refused() {
    let message = refused(
        "choices = 10000\nlength = 2\nlegal = \"range(1000).all(x, range(120).all(y, y >= 0))\"\nscore = \"step\"",
    );
    assert!(message.contains("use fewer choices or shorter lists"), "{message}");
}

#[test]
fn lists_in_the_state_change_element_by_element() {
    // Bin packing: three bins of capacity 10; move k puts item k into a bin.
    let text = "choices = 3\nlength = 6\nlegal = \"load[choice] + item[step] <= 10\"\nscore = \"step * 10 + load.count(x, x == 0)\"\n\
                data = { item = [6, 4, 5, 5, 3, 7] }\n[state.load]\nstart = 0\nsize = 3\nat = \"choice\"\nnext = \"load[choice] + item[step]\"\n";
    let model = Model::read(text).unwrap();
    check(&model, 20).unwrap();
    let outcome = Run::new(&model, "dfs".parse().unwrap()).start().unwrap();
    assert_eq!(outcome.score(), Some(60.0));
    let mut end = model.clone();
    outcome.moves().iter().for_each(|&bin| end.play(bin));
    assert_eq!(end.values().collect::<Vec<_>>(), [("load", &[10.0, 10.0, 10.0][..])]);
}

#[test]
fn changed_games_are_refused_by_the_certificate() {
    let model = Model::read(KNAPSACK).unwrap();
    assert_eq!(model.certify(&[0, 1, 3, 4, 5]).unwrap().score, 73.0);
    let refused = |moves: &[u16]| model.certify(moves).unwrap_err().to_string();
    assert_eq!(refused(&[0, 1, 3, 4, 7]), "move 5: jacket breaks the rule `legal`");
    assert_eq!(refused(&[0, 0]), "move 2: tent was played before, and repeat = false");
    assert_eq!(refused(&[99]), "move 1: there is no choice 99; there are 10");
}

/// Whatever stands in an expression, reading ends with a model or a message.
#[test]
fn mutated_expressions_are_read_or_refused() {
    let parts = [
        "played", "choice", ".", "(", ")", "[", "]", "all", "sum", "x", ",", "1", "2.5", "+", "-", "?", ":", "'", "\\",
        "&&", "==", "in", "é", "0x", "1u", " ", "{", "}",
    ];
    for number in 0..1500 {
        let mut rng = Stream::new(number).rng();
        let text: String = (0..1 + rng.below(12)).map(|_| parts[rng.below(parts.len())]).collect();
        let text = text.replace('\\', "\\\\");
        let read = Model::read(&format!("choices = 2\nlength = 2\nscore = \"{text}\""));
        if let Err(error) = read {
            assert!(error.to_string().starts_with("line 3: "), "{text}: {error}");
        }
    }
}
