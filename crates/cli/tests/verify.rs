//! `nestling verify` and the other small commands, as a user runs them, with good games and a corpus of broken ones.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::common::{file, nestling, nestling_fed, refused, refused_at, results, stderr, stdout};
use nestling_testing::data;

const GAME: &str = "# variant: 5D\n(28,28)\n(28,24) | +2\n(29,28) - -2\n";

/// The record games of the data are legal, and count what they are known for.
#[test]
fn records() {
    let Some(folder) = data() else { return };
    let games = [
        ("5T-178-rosin", "5t, 178"),
        ("5T-170-bruneau", "5t, 170"),
        ("5D-82-rosin", "5d, 82"),
        ("5D-80-gillioz-68245", "5d, 80"),
    ];
    let paths = games.map(|(name, _)| folder.join(format!("morpion/{name}.psol")).to_str().unwrap().to_owned());
    let output = nestling(&[&["verify"][..], &paths.each_ref().map(String::as_str)].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for (line, (_, what)) in stdout(&output).lines().zip(games) {
        assert!(line.contains(&format!("legal, morpion-{what} moves, complete")), "{line}");
    }
    // Two moves swapped: move 20 needs the dot of an earlier one.
    let text = std::fs::read_to_string(&paths[0]).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.swap(1, 20);
    let (_kept, swapped) = file(lines.join("\n").as_bytes());
    refused(&nestling(&["verify", &swapped]), 1, &["game.psol", "illegal", "move 1: "]);
}

#[test]
fn standard_input_and_json() {
    let output = nestling_fed(&["verify", "-", "--json"], GAME.as_bytes());
    let object: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let wanted = serde_json::json!({
        "file": "-", "legal": true, "problem": "morpion-5d", "score": 2, "complete": false, "format": "pentasol", "record": null
    });
    assert_eq!(object, wanted);
}

/// Broken files: exit code 1 for an illegal game, 2 for a file that is not a game, one line with the position.
#[test]
fn broken_files() {
    let huge_line = [b"(28,28)\n", "7".repeat(10 << 20).as_bytes()].concat();
    let brackets = "(".repeat(10_000);
    let cases: &[(&[u8], i32, &[&str])] = &[
        (b"", 2, &["the text is empty"]),
        (b"# only a comment\n", 2, &["line 1", "pentasol, msr"]),
        (b"(28,28)\n(28,24) | +2\n(29,", 2, &["line 3"]),
        (b"(28,28)\n(28,24) | +2\n(29,28) - ", 2, &["line 3"]),
        (b"(28,28)\n\0\0\0\0\n", 2, &["line 2"]),
        (b"\xff\xfe(28,28)", 2, &["line 1"]),
        (b"(28,28)\n(28,24) | +9\n", 2, &["line 2"]),
        (b"(28,28)\n(99999999999999999999,24) | +2\n", 2, &["line 2"]),
        (b"(28,28)\n(28,24) | +2\n(28,24) | +2\n", 1, &["move 2", "(28,24)"]),
        (b"(28,28)\n(28,24) | +2\n(28,29) | -2\n", 1, &["move 2", "overlaps line 1"]),
        (b"(28,28)\n(50,50) | +2\n", 1, &["move 1"]),
        (b"# variant: 4T\n(28,28)\n(28,24) | +2\n", 2, &["line 3"]),
        (b"# problem: tetris\nleft\n", 2, &["tetris", "there are"]),
        (&huge_line, 2, &["line 2"]),
        (brackets.as_bytes(), 2, &["line 1"]),
    ];
    for (contents, code, words) in cases {
        let (_kept, path) = file(contents);
        refused(&nestling(&["verify", &path]), *code, &[&["game.psol"], *words].concat());
    }
    refused(&nestling(&["verify", "/nowhere.psol"]), 2, &["/nowhere.psol"]);
    refused(&nestling(&["verify", "/"]), 2, &["/"]);
}

/// Broken expressions, through the binary: one line with the column, and the place shown.
#[test]
fn broken_expressions() {
    let deep = format!("{}playout{}", "step(".repeat(10_000), ")".repeat(10_000));
    let long = format!("nested({})", "1".repeat(100_000));
    for text in [
        "",
        "(",
        "nested",
        "nested(",
        "nested(2))",
        "repeat(0, playout)",
        "nested(2, ties=best)",
        "\u{1b}[31m",
        &deep,
        &long,
    ] {
        refused_at(&nestling(&["explain", text, "morpion-5d"]), 2, &["column"]);
    }
}

#[test]
fn explanations() {
    let output = nestling(&["explain", "reflexive(100, 1000)", "morpion-5d"]);
    let text = stdout(&output);
    assert!(text.contains("step(repeat(1000, step(repeat(100, playout))))"), "{text}");
    assert!(text.contains("playouts"), "{text}");
    refused(&nestling(&["explain", "nested(2)"]), 2, &["nested(2) is a search", "explain 'nested(2)' morpion-5d"]);
    refused(&nestling(&["explain", "nested(2)", "morpion-5d", "--time", "1s"]), 2, &["--time"]);
    let refused = nestling(&["explain", "nested(9)", "morpion-5t"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stdout(&refused).contains("refused"), "{}", stdout(&refused));
}

/// The search that a run without one makes is the one that is explained.
#[test]
fn default_searches_are_explained() {
    for problem in ["morpion-5d", "samegame:seed=1", "sudoku:order=3,empty=40,seed=1"] {
        let explained = nestling(&["explain", problem, "--playouts", "200"]);
        assert_eq!(explained.status.code(), Some(0), "{}", stderr(&explained));
        let text = stdout(&explained);
        let (search, rest) = text.split_once('\n').unwrap();
        assert!(rest.starts_with("  why       "), "{text}");
        let made = nestling(&["solve", problem, "--playouts", "200", "--seed", "1", "--json", "--no-store"]);
        assert_eq!(results(&made).remove(0)["search"], search);
    }
}

#[test]
fn shells_and_manuals() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(stdout(&nestling(&["completions", shell])).contains("nestling"));
    }
    assert!(stdout(&nestling(&["man"])).contains(".TH nestling 1"));
    assert!(stdout(&nestling(&["man", "solve"])).contains("\\-\\-playouts"));
    let problems = stdout(&nestling(&["problems"]));
    assert!(problems.lines().any(|line| line.starts_with("morpion-5t ") && line.contains(" Morpion Solitaire")));
}

/// Every row of the bench has its figures; what they are is for people to read.
#[test]
#[ignore = "a minute or two; scripts/soak runs it"]
fn benches_run() {
    let output = nestling(&["bench", "--quick", "--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let rows: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (table, least, figures) in [
        ("engine", 12, ["ours_ns", "paper_ns", "ratio"]),
        ("threads", 6, ["one_ns", "all_ns", "ratio"]),
        ("paper", 10, ["technique_ns", "proposal_ns", "ratio"]),
    ] {
        let rows: Vec<_> = rows.iter().filter(|row| row["table"] == table).collect();
        assert!(rows.len() >= least, "{table} has {} rows", rows.len());
        assert!(rows.iter().all(|row| figures.iter().all(|&figure| row[figure].as_f64().unwrap() > 0.0)), "{table}");
    }
}

/// The first row of the first table; the benches are stopped then.
#[test]
fn benches_begin() {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("nestling"));
    let mut bench = command.args(["bench", "--quick", "--json"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(bench.stdout.take().unwrap()).read_line(&mut line).unwrap();
    bench.kill().unwrap();
    bench.wait().unwrap();
    let row: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(row["table"], "engine");
    assert!(["ours_ns", "paper_ns", "ratio"].iter().all(|&figure| row[figure].as_f64().unwrap() > 0.0), "{row}");
    refused(&nestling(&["bench", "--quick", "--deep"]), 2, &["--quick", "--deep"]);
}
