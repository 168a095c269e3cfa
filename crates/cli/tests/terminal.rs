//! What people see: which characters, and how much.

use crate::common::{events, nestling, stderr, stdout};
use assert_cmd::Command;

/// What a command prints where these variables say which characters there are.
fn in_locale(locale: &[(&str, &str)], arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("nestling").unwrap();
    command.env("NESTLING_STORE", crate::common::store()).env("NO_COLOR", "1");
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
        command.env_remove(name);
    }
    stdout(&command.envs(locale.iter().copied()).args(arguments).output().unwrap())
}

const PICTURES: [&[&str]; 11] = [
    &["solve", "morpion-5d", "-s", "nested(1)", "--seed", "1"],
    &["solve", "morpion-4t", "-s", "nested(1)", "--seed", "1", "--runs", "20"],
    &["solve", "samegame", "-s", "playout", "--seed", "1"],
    &["solve", "sudoku:order=3", "-s", "nested(1)", "--seed", "1"],
    &["solve", "kakuro", "-s", "playout", "--seed", "1"],
    &["solve", "tsptw", "-s", "playout", "--seed", "1"],
    &["solve", "bus", "-s", "playout", "--seed", "1"],
    &["records", "rosin82"],
    &["problems"],
    &["lab", "compare", "left-move:9", "playout", "nested(1)", "--runs", "3", "--seed", "1"],
    &["play", "quarto", "--terminal", "--seat", "none", "--level", "beginner", "--seed", "1"],
];

/// A locale without UTF-8 gets ASCII; one with it, or none at all, gets lines and dots.
#[test]
fn the_locale_chooses_the_characters() {
    for arguments in PICTURES {
        for locale in [[("LC_ALL", "C")], [("LANG", "en_US.ISO-8859-1")]] {
            let text = in_locale(&locale, arguments);
            assert!(text.len() > 100 && text.is_ascii(), "{arguments:?}: {text}");
        }
    }
    for locale in [&[][..], &[("LC_ALL", "C.UTF-8"), ("LANG", "C")]] {
        assert!(in_locale(locale, PICTURES[0]).contains("●───"));
        assert!(in_locale(locale, PICTURES[1]).contains("█"));
    }
}

/// `--ascii` does the same in any locale, wherever a picture is drawn; programs always get UTF-8.
#[test]
fn people_can_ask_for_ascii() {
    for arguments in PICTURES.iter().filter(|arguments| !["problems", "lab"].contains(&arguments[0])) {
        let output = nestling(&[*arguments, &["--ascii"]].concat());
        assert!(output.stdout.is_ascii() && output.stdout.len() > 100, "{arguments:?}: {}", stdout(&output));
    }
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db").to_str().unwrap().to_owned();
    let kept = ["--time", "300ms", "--checkpoint", "20ms", "--seed", "1", "--store", &store];
    nestling(&[&["solve", "morpion-5d", "-s", "repeat(nested(1))"][..], &kept].concat());
    for command in [&["runs", "show", "1"][..], &["runs", "resume", "1", "--time", "3s"]] {
        let output = nestling(&[command, &["--ascii", "--store", &store]].concat());
        assert!(output.stdout.is_ascii() && output.stdout.len() > 500, "{command:?}: {}", stdout(&output));
    }
    let table = "name,x,y,earliest,latest\nmarché,0,0,0,100\n école,3,4,0,10\n";
    let (_file, path) = crate::common::file(table.as_bytes());
    let solve = ["solve", &format!("tsptw:{path}"), "-s", "playout", "--json", "--ascii"];
    assert!(in_locale(&[("LC_ALL", "C")], &solve).contains("école"), "names are what they are");
}

/// `--quiet` prints the result and nothing else, also for a batch, for a resumed run, and as JSON.
#[test]
fn quiet_is_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (game, store) = (file("game.psol"), file("runs.db"));
    let solve = ["solve", "morpion-5d", "-s", "nested(1)", "--seed", "1", "--quiet"];
    let quiet = nestling(&[&solve[..], &["-o", &game]].concat());
    assert_eq!(stderr(&quiet), "");
    let text = stdout(&quiet);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("morpion-5d: ") && lines[0].contains(" moves, "), "{text}");
    assert!(lines[1].starts_with("nested(1), seed 1: "), "{text}");
    assert_eq!(lines[2], format!("written to {game}"));
    let again = nestling(&[&solve[..], &["-o", &game]].concat());
    assert!(stderr(&again).is_empty() && stdout(&again).contains("is unchanged"), "{}", stderr(&again));

    let batch = stdout(&nestling(&[&solve[..], &["--runs", "5"]].concat()));
    assert!(batch.contains("5 runs, seed 1: mean ") && !batch.contains("repeat it"), "{batch}");
    let told = events(&nestling(&[&solve[..], &["--json", "--no-store"]].concat()));
    assert_eq!(told.iter().map(|event| event["event"].as_str().unwrap()).collect::<Vec<_>>(), ["result"]);
    let told = events(&nestling(&[&solve[..], &["--json", "--no-store", "--runs", "3"]].concat()));
    let kinds: Vec<&str> = told.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["result", "result", "result", "summary"]);

    let run = ["-s", "repeat(nested(1))", "--playouts", "300000", "--checkpoint", "20ms", "--store", &store];
    nestling(&[&["solve", "morpion-5d", "-q"][..], &run].concat());
    let resumed = nestling(&["runs", "resume", "1", "--playouts", "300001", "--quiet", "--store", &store]);
    assert_eq!((stdout(&resumed).lines().count(), stderr(&resumed).as_str()), (2, ""), "{}", stdout(&resumed));
    let loud = stdout(&nestling(&["solve", "morpion-5d", "-s", "nested(1)", "--seed", "1"]));
    assert!(loud.lines().count() > 10 && loud.contains("repeat it"), "{loud}");
}
