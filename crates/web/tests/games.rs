//! Games come in, are replayed by the rules, and go out in every format.

use serde_json::json;

use crate::common::{Serving, record};

#[test]
fn the_rules_have_the_last_word() {
    let serving = Serving::start();
    let start = serving.post("/api/games/position", &json!({ "problem": "morpion-5t", "moves": [] })).json();
    assert_eq!((start["score"].as_i64(), start["legal_moves"].as_array().unwrap().len()), (Some(0), 28));
    let moves = record(&serving, "morpion-5t", "rosin178");
    let whole = serving.post("/api/games/position", &json!({ "problem": "morpion-5t", "moves": moves })).json();
    assert_eq!((whole["score"].as_i64(), whole["complete"].as_bool()), (Some(178), Some(true)));
    assert_eq!(whole["legal_moves"], json!([]));
    let twice = json!({ "problem": "morpion-5t", "moves": [moves[0], moves[0]] });
    serving.post("/api/games/position", &twice).refused(422, &["illegal, move 2"]);
    let other = json!({ "problem": "morpion-6t", "moves": [] });
    serving.post("/api/games/position", &other).refused(404, &["there is no problem"]);
}

/// Every format that is offered gives a file, and every file gives the game.
#[test]
fn files_there_and_back() {
    let serving = Serving::start();
    for (problem, name) in [("morpion-5d", "rosin82"), ("morpion-4t", "hyyroporanen62")] {
        let moves = record(&serving, problem, name);
        let known = serving.get(&format!("/api/problem?problem={problem}")).json();
        let formats = known["formats"].as_array().unwrap();
        assert!(formats.len() >= 7, "{formats:?}");
        for format in formats {
            let order = json!({
                "problem": problem, "moves": moves, "format": format["name"], "width": 300,
                "provenance": { "author": "somebody" },
            });
            let file = serving.post("/api/games/export", &order);
            assert_eq!(file.status, 200, "{format}: {}", file.text());
            let disposition = file.header("content-disposition").unwrap();
            assert!(disposition.contains(&format!("{}\"", format["extension"].as_str().unwrap())), "{disposition}");
            let opened = serving.ask("POST", &format!("/api/games/open?problem={problem}"), &[], &file.body);
            assert_eq!(opened.status, 200, "{format}: {}", opened.text());
            let opened = opened.json();
            assert_eq!((&opened["moves"], &opened["format"]), (&json!(moves), &format["name"]));
            assert_eq!((&opened["record"], &opened["provenance"]["author"]), (&json!(name), &json!("somebody")));
        }
    }
}

#[test]
fn what_is_no_game_is_named() {
    let serving = Serving::start();
    serving.ask("POST", "/api/games/open", &[], b"").refused(422, &["the text is empty"]);
    serving.ask("POST", "/api/games/open", &[], b"hello").refused(422, &["not the beginning of a game"]);
    let illegal = b"(28,28)\n(28,24) | +2\n(28,24) | +2\n";
    serving.ask("POST", "/api/games/open", &[], illegal).refused(422, &["illegal, move 2"]);
    let large = vec![b' '; (8 << 20) + 1];
    serving.ask("POST", "/api/games/open", &[], &large).refused(413, &["the body"]);
    let export = |change: serde_json::Value| {
        let mut order = json!({ "problem": "morpion-5d", "moves": [], "format": "png" });
        order.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        serving.post("/api/games/export", &order)
    };
    export(json!({ "format": "doc" })).refused(422, &["there is no format doc"]);
    export(json!({ "width": 100_000 })).refused(422, &["100 to 4000 pixels"]);
    export(json!({ "theme": "neon" })).refused(422, &["there is no theme"]);
    export(json!({ "up_to": 1 })).refused(422, &["no move 1"]);
    export(json!({ "colour": "red" })).refused(400, &["unknown field `colour`"]);
    export(json!({ "provenance": [null] })).refused(400, &["expected a map"]);
    serving.post("/api/games/position", &json!(["morpion-5d", []])).refused(400, &["expected a map"]);
}

/// Names lead to no files: neither those that are asked for nor those inside of games.
#[test]
fn no_file_is_read() {
    let serving = Serving::start();
    for problem in ["sudoku:/etc/passwd", "samegame:Cargo.toml", "tsptw:../../README.md", "kakuro:x%231"] {
        serving.get(&format!("/api/problem?problem={problem}")).refused(422, &["files cannot be read here"]);
    }
    let game = b"# problem: sudoku:/etc/passwd\nr1c1=1\n";
    serving.ask("POST", "/api/games/open", &[], game).refused(422, &["files cannot be read here"]);
    let search = json!({ "problem": "morpion-5d", "search": "nrpa(2, warm=/etc/passwd)", "seconds": 1 });
    serving.post("/api/runs", &search).refused(422, &["/etc/passwd", "command line"]);
    assert_eq!(serving.get("/api/problem?problem=samegame:seed=7").status, 200);
}

/// A puzzle that comes as text has a name that carries it: it can be searched, saved and opened again anywhere.
#[test]
fn puzzles_come_as_text() {
    let serving = Serving::start();
    let text = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n";
    let opened = serving.post("/api/puzzles", &json!({ "problem": "sudoku", "text": text })).json();
    let name = opened["problem"].as_str().unwrap().to_owned();
    assert!(name.starts_with("sudoku:text=") && opened["view"]["givens"][0] == 5, "{opened}");
    let solutions = serving.get(&format!("/api/puzzles/solutions?problem={name}")).json();
    assert_eq!(solutions["solutions"], "one");
    let run = serving.begin(json!({ "problem": name, "search": "repeat(nested(1))", "playouts": 100_000, "seed": 1 }));
    let account = serving.until(run, "done");
    assert_eq!(account["best"], 0, "{account}");
    let moves = &account["results"][0]["moves"];
    let order = json!({ "problem": name, "moves": moves, "format": "json" });
    let file = serving.post("/api/games/export", &order);
    let elsewhere = Serving::start();
    let verdict = elsewhere.ask("POST", "/api/games/open", &[], &file.body).json();
    assert_eq!((&verdict["problem"], &verdict["score"]), (&json!(name), &json!(0)));

    let paste = |problem: &str, text: &str| serving.post("/api/puzzles", &json!({ "problem": problem, "text": text }));
    paste("sudoku", "1.1.\n....\n....\n....\n").refused(422, &["no solution: 1 is twice in row 1, at r1c1 and r1c3"]);
    paste("samegame", "012\n01\n").refused(422, &["line 2: 2 cells, but the rows above have 3"]);
    paste("tsptw", "hello").refused(422, &["line 1", "is neither a number of places"]);
    paste("sudoku", " \n").refused(422, &["the text is empty"]);
    paste("morpion-5d", "1").refused(422, &["morpion-5d"]);
    paste("sudokus", "1").refused(404, &["did you mean sudoku?"]);
    let book = |rest: &str| serving.get(&format!("/api/puzzles/book?kind=sudoku&level=medium&seed=1&{rest}"));
    assert!(book("count=2&as=svg").text().starts_with("<svg"));
    assert_eq!(book("count=2&as=svg").body, book("count=2&as=svg").body);
    assert_eq!(book("count=1&as=pdf").header("content-type"), Some("application/pdf"));
    book("count=61&as=pdf").refused(422, &["1 to 60 puzzles"]);
    book("count=1&as=doc").refused(422, &["pdf or svg"]);
    let several = serving.get("/api/puzzles/solutions?problem=sudoku:seed=1,order=3,empty=95").json();
    assert_eq!(several["solutions"], "several");
    let none = serving.get("/api/puzzles/solutions?problem=morpion-5d").json();
    assert_eq!(none["solutions"], json!(null));
}

/// New puzzles have one solution; hints give their reasons, and mistakes are named.
#[test]
fn puzzles_are_generated_explained_and_checked() {
    let serving = Serving::start();
    let address = "/api/puzzles/new?kind=sudoku&level=medium&seed=4";
    let made = serving.get(address).json();
    assert_eq!(made, serving.get(address).json());
    let name = made["problem"].as_str().unwrap();
    assert_eq!((&made["level"], &made["size"]), (&json!("medium"), &json!(9)));
    assert!(made["techniques"].as_str().unwrap().contains("hidden single"));
    assert_eq!(serving.get(&format!("/api/puzzles/solutions?problem={name}")).json()["solutions"], "one");

    let asked = |path: &str, moves: &[String]| serving.post(path, &json!({ "problem": name, "moves": moves }));
    let mut moves = Vec::new();
    for _ in 0..6 {
        let reasons = asked("/api/puzzles/reasons", &moves).json();
        let last = reasons["steps"].as_array().unwrap().last().unwrap().clone();
        assert!(last["words"].as_str().unwrap().contains(last["cells"][0].as_str().unwrap()), "{last}");
        moves.push(last["played"].as_str().unwrap().to_owned());
    }
    let right = asked("/api/puzzles/mistakes", &moves).json();
    assert_eq!((&right["solvable"], &right["moves"]), (&json!(true), &json!([])));
    // Of pencil marks for a cell one is right, whatever the order of the others.
    let cell = moves[5].split('=').next().unwrap();
    let marks: Vec<String> = (1..=9).rev().map(|value| format!("{cell}={value}")).collect();
    let marked = json!({ "problem": name, "moves": [], "marks": marks });
    let wrong = serving.post("/api/puzzles/mistakes", &marked).json();
    let wrong: Vec<&str> = wrong["marks"].as_array().unwrap().iter().map(|mark| mark.as_str().unwrap()).collect();
    assert_eq!(wrong, marks.iter().filter(|mark| **mark != moves[5]).collect::<Vec<_>>());
    // Another value for the last cell, if the rules allow one.
    let cell = moves.pop().unwrap().split('=').next().unwrap().to_owned();
    let others = (1..=9).map(|value| [&moves[..], &[format!("{cell}={value}")]].concat());
    let found: Vec<_> = others
        .map(|moves| asked("/api/puzzles/mistakes", &moves))
        .filter(|reply| reply.status == 200)
        .map(|reply| reply.json()["moves"].as_array().unwrap().len())
        .collect();
    assert_eq!(found.iter().filter(|&&wrong| wrong == 0).count(), 1, "{found:?}");
    assert!(found.iter().all(|&wrong| wrong <= 1), "{found:?}");

    let none = serving.post("/api/puzzles/reasons", &json!({ "problem": "morpion-5d", "moves": [] })).json();
    assert_eq!(none["steps"], json!(null));
    let refused = |query: &str, words: &[&str]| serving.get(&format!("/api/puzzles/new?{query}")).refused(422, words);
    refused("kind=kakuro&level=extreme&seed=1", &["level extreme", "easy, medium, hard or expert"]);
    refused("kind=sudoku&level=hard&size=10&seed=1", &["size 10", "4, 9 or 16"]);
    refused("kind=chess&level=hard&seed=1", &["sudoku and kakuro"]);
    serving.get("/api/puzzles/new?kind=sudoku&level=hard&seed=x").refused(400, &["seed must be a whole number"]);
}

/// Files are read from the benchmark data alone, by their names.
#[test]
fn collections_are_the_only_files() {
    let serving = Serving::start();
    for name in ["samegame:Cargo.toml", "samegame:../tests/games.rs", "samegame:/etc/passwd", "samegame:.hidden"] {
        let refusal = serving.get(&format!("/api/problem?problem={name}"));
        assert_eq!(refusal.status, 422, "{name}: {}", refusal.text());
        assert!(!refusal.text().contains("line 1"), "{name} was read: {}", refusal.text());
    }
    let collections = serving.get("/api/collections?problem=samegame").json();
    if nestling_testing::data().is_none() {
        assert_eq!(collections, json!([]));
        return;
    }
    assert_eq!(collections, json!([{ "name": "standard20_compact", "puzzles": 20 }]));
    let board = json!({ "problem": "samegame:standard20_compact#20", "moves": [] });
    let start = serving.post("/api/games/position", &board).json();
    assert_eq!((start["view"]["width"].as_i64(), start["view"]["height"].as_i64()), (Some(15), Some(15)));
}

#[test]
fn levels_reply() {
    let serving = Serving::start();
    let table = serving.get("/api/table?problem=quarto").json();
    let levels: Vec<&str> =
        table["levels"].as_array().unwrap().iter().map(|level| level["name"].as_str().unwrap()).collect();
    assert_eq!(levels, ["beginner", "easy", "medium", "hard", "expert", "perfect"]);
    let ask = |path: &str, body| serving.post(path, &body);
    let turn = json!({ "problem": "quarto", "moves": ["DTQF", "a1", "DSRH", "b2", "DTRH", "c3", "DSQH"], "level": "easy", "seed": 1 });
    assert_eq!(ask("/api/table/reply", turn.clone()).json()["move"], "d4", "whoever can win does");
    let analysis = ask("/api/table/analysis", turn).json();
    let winning = analysis["opinions"].as_array().unwrap().iter().find(|opinion| opinion["move"] == "d4").unwrap();
    assert_eq!((&analysis["turn"], &winning["verdict"], &winning["in"]), (&json!("first"), &json!("win"), &json!(1)));
    let over = json!({ "problem": "quarto", "moves": ["DTQF", "a1", "DSRH", "b2", "DTRH", "c3", "DSQH", "d4"] });
    ask("/api/table/reply", over).refused(422, &["the game is over"]);
    let wrong = |moves: &[&str], level: &str| json!({ "problem": "quarto", "moves": moves, "level": level });
    ask("/api/table/reply", wrong(&["DTQF", "DTQF"], "easy")).refused(422, &["move 2"]);
    ask("/api/table/reply", wrong(&[], "brilliant")).refused(422, &["brilliant", "the levels are beginner"]);
    ask("/api/table/reply", json!({ "problem": "morpion-5d", "moves": [] })).refused(422, &["not a two-player game"]);
}
