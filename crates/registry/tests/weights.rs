//! Weights in words, and games in place of weights.

use nestling::Weights;
use nestling_registry::{
    Controls, Instance, Registry, RunSpec, WeightsRefused, read_weights, weights_header, weights_of_games,
};

fn open(name: &str) -> Box<dyn Instance> {
    Registry::standard().open(name).unwrap()
}

/// The moves of some game.
fn game(problem: &str) -> Vec<String> {
    let asked = RunSpec { seed: Some(1), ..RunSpec::new(problem).search("playout") };
    let outcome = Registry::standard().ready(asked).unwrap().start(Controls::default()).unwrap();
    outcome.answer.game().unwrap().texts().to_vec()
}

/// The codes of the legal moves after each move of a game, beside what their texts lead to.
fn codes(problem: &dyn Instance, game: &[String]) -> Vec<(usize, u64, Result<u64, String>)> {
    let at =
        |depth: usize| problem.coded_moves(&problem.certify(&game[..depth]).unwrap(), &Weights::default()).unwrap();
    let both =
        |depth: usize| at(depth).into_iter().map(move |played| (depth, played.code, problem.code_of(&played.text)));
    (0..=game.len()).flat_map(both).collect()
}

#[test]
fn texts_have_the_codes_of_their_moves() {
    for name in ["morpion-5d", "morpion-5t", "morpion-4d", "sudoku:order=3,empty=40", "kakuro:size=6"] {
        for (depth, code, found) in codes(open(name).as_ref(), &game(name)) {
            assert_eq!(found, Ok(code), "{name} after {depth} moves");
        }
    }
    for name in ["tsptw:places=8", "left-move:5", "samegame:size=6x6", "bus:stops=6,buses=2"] {
        for (depth, code, found) in codes(open(name).as_ref(), &game(name)) {
            assert!(depth > 0 || found == Ok(code), "{name}: {found:?}");
        }
        let unknown = open(name).code_of("nowhere").unwrap_err();
        assert!(unknown.contains("nowhere is not one of the") && unknown.contains("codes"), "{unknown}");
    }
    assert!(open("sudoku:order=3").code_of("r1c1=10").is_err());
    assert!(open("morpion-5d").code_of("(28,24) | +3").unwrap_err().contains("no line"));
}

/// Whether a file is weights or games shows in what it contains, even if it is broken.
#[test]
fn weights_and_games_are_told_apart() {
    let registry = Registry::standard();
    let [morpion, places] = ["morpion-5d", "left-move:3"].map(open);
    let holds = |text: &str| registry.holds_weights(text.as_bytes(), morpion.as_ref());
    for weights in [
        "17 2.5\n",
        "17 many\n",
        "",
        "# nothing\n",
        "# weights: morpion-5t\n(28,28)\n",
        "(28,24) | +2 1.5\n",
        "\u{feff}(28,24) | +2 1.5\n",
        "# mine\n(28,24) | +2 a lot\n(29,28) - -2  -1e0 # rarely\n",
    ] {
        assert!(holds(weights), "{weights:?}");
    }
    for games in [
        "(28,28)\n(28,24) | +2\n",
        "(28,24) | +2\n(29,28) - -2\n",
        "(28,28)\n(28,24) | +",
        "(28",
        "# problem: morpion-5d\n(28,24) | +2 1.5\n",
        "{\"format\": \"nestling-game-1\"",
        "[{}, {}]",
    ] {
        assert!(!holds(games), "{games:?}");
    }
    assert!(registry.holds_weights(b"left 2\n", places.as_ref()));
    assert!(!registry.holds_weights(b"# problem: left-move:3\nleft\n", places.as_ref()));
    assert!(registry.holds_weights(b"\xff\xfe", places.as_ref()));
}

#[test]
fn broken_weights_are_refused() {
    let problem = open("left-move:3");
    let refused = |bytes: &[u8]| read_weights(bytes, problem.as_ref()).unwrap_err();
    assert_eq!(refused(b"\xff"), WeightsRefused::NotText);
    assert_eq!(refused(b"# weights: left-move:3\n\n"), WeightsRefused::Empty);
    assert!(matches!(refused(b"# weights: left-move:4\nleft 1\n"), WeightsRefused::OtherProblem { .. }));
    let words = refused(b"left 1\nup 2\n").to_string();
    assert!(words.contains("line 2: up is not one of the 2 legal moves of the start, such as left"), "{words}");
    let twice = refused(b"left 1\nleft 2\n").to_string();
    assert!(twice.contains("line 2: left has the code 0, which has a weight in line 1"), "{twice}");
}

/// Games give the weights that NRPA would have learned from them, also after a start, and weights survive being written.
#[test]
fn games_stand_for_weights() {
    let problem = open("morpion-5d");
    let [start, moves] = [vec![], game("morpion-5d")].map(|moves| problem.certify(&moves).unwrap());
    let known = [moves.clone()];
    let weights = weights_of_games(&known, problem.as_ref(), &[]).unwrap();
    assert_eq!(weights, problem.weights_towards(&known, &start).unwrap());
    let file = format!("{}{weights}", weights_header(problem.as_ref()));
    assert_eq!(read_weights(file.as_bytes(), problem.as_ref()).unwrap(), weights);
    assert_eq!(weights.to_string().parse::<Weights>().unwrap(), weights);
    let later = weights_of_games(&known, problem.as_ref(), &moves.texts()[..20]).unwrap();
    assert!(later.len() < weights.len() && !later.is_empty());
    let over = weights_of_games(&known, problem.as_ref(), moves.texts()).unwrap_err();
    assert_eq!(over, WeightsRefused::NothingToFollow);
    let nothing = weights_of_games(&[start], problem.as_ref(), &[]).unwrap_err();
    assert_eq!(nothing, WeightsRefused::NothingToFollow);
    // A solved Sudoku may be filled in in any order; a search fills it in in its own.
    let sudoku = open("sudoku:order=2,empty=8");
    let asked = RunSpec { seed: Some(1), ..RunSpec::new(sudoku.name()).search("dfs") };
    let solved = Registry::standard().ready(asked).unwrap().start(Controls::default()).unwrap();
    let mut moves = solved.answer.game().unwrap().texts().to_vec();
    let in_order = weights_of_games(&[sudoku.certify(&moves).unwrap()], sudoku.as_ref(), &[]).unwrap();
    moves.reverse();
    let turned = weights_of_games(&[sudoku.certify(&moves).unwrap()], sudoku.as_ref(), &[]).unwrap();
    assert_eq!(in_order, turned);
}
