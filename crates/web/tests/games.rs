//! Games come in, are replayed by the rules, and go out in every format.

mod common;

use common::{Serving, record};
use serde_json::json;

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
    serving.ask("POST", "/api/games/open", &[], b"").refused(422, &["nothing in it"]);
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
        serving.get(&format!("/api/problem?problem={problem}")).refused(422, &["files are not read here"]);
    }
    let game = b"# problem: sudoku:/etc/passwd\nr1c1=1\n";
    serving.ask("POST", "/api/games/open", &[], game).refused(422, &["files are not read here"]);
    let search = json!({ "problem": "morpion-5d", "search": "nrpa(2, warm=/etc/passwd)", "seconds": 1 });
    serving.post("/api/runs", &search).refused(422, &["/etc/passwd", "command line"]);
    assert_eq!(serving.get("/api/problem?problem=samegame:seed=7").status, 200);
}
