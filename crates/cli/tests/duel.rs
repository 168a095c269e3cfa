//! `match` and `play`, as a user runs them.

use crate::common::{nestling, nestling_fed, refused, refused_at, results, stderr, stdout};
use serde_json::Value;

fn succeeds(arguments: &[&str]) -> String {
    let output = nestling(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// What does not depend on the clock.
fn timeless(result: &Value) -> Value {
    let mut result = result.clone();
    result.as_object_mut().unwrap().remove("seconds");
    result
}

#[test]
fn a_match_says_what_it_came_to() {
    let text = succeeds(&["match", "quarto", "uct(100)", "random", "--games", "20", "--seed", "1"]);
    for words in ["going first", "going second", "total", "score ", "95 % confidence", "quarto: 20 games in "] {
        assert!(text.contains(words), "{words:?} is not in: {text}");
    }
    assert!(text.ends_with("repeat it: nestling match quarto 'uct(100)' random --games 20 --seed 1\n"), "{text}");
    let timed = succeeds(&["match", "quarto", "uct(time=1ms)", "random", "--games", "2", "--seed", "1"]);
    assert!(timed.contains("quarto: 2 games in ") && !timed.contains("repeat it"), "{timed}");
}

/// Waits until a process has a handler for Ctrl-C, before which it would simply be killed.
#[cfg(unix)]
fn until_it_hears(process: u32) {
    let pause = std::time::Duration::from_millis(100);
    let hears = || {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        Some(u64::from_str_radix(caught.trim(), 16).ok()? & 1 << 1 != 0)
    };
    // Elsewhere than on Linux nothing tells, and half a second must do.
    assert!((0..600).any(|turn| {
        std::thread::sleep(pause);
        hears().unwrap_or(turn == 5)
    }));
}

/// What a match prints that is interrupted once it has printed so many lines.
#[cfg(unix)]
fn interrupted(arguments: &[&str], lines: usize) -> String {
    use std::io::{BufRead, BufReader, Read};
    let mut running = std::process::Command::new(assert_cmd::cargo::cargo_bin("nestling"))
        .args(arguments)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let (mut output, mut text) = (BufReader::new(running.stdout.take().unwrap()), String::new());
    until_it_hears(running.id());
    for _ in 0..lines {
        output.read_line(&mut text).unwrap();
    }
    assert!(std::process::Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap().success());
    output.read_to_string(&mut text).unwrap();
    assert_eq!(running.wait().unwrap().code(), Some(130), "{text}");
    text
}

/// Players who would think for years stop when they are told to, and the match says that it was interrupted.
#[cfg(unix)]
#[test]
fn an_interrupted_match_says_so() {
    for player in ["alphabeta(99)", "uct(time=1h)", "exact(from=4, before=uct(time=1h))"] {
        let text = interrupted(&["match", "quarto", player, "random", "--games", "2", "--seed", "2"], 0);
        assert!(text.starts_with("quarto: interrupted after 0 of 2 games in "), "{text}");
    }
    let endless = ["match", "quarto", "random", "random", "--games", "1000000000", "--seed", "2", "--json"];
    let text = interrupted(&endless, 3);
    let result: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let games = result["games"].as_u64().unwrap();
    assert_eq!(text.lines().count() as u64, games + 1, "every game that counts was printed");
    assert!((3..1_000_000_000).contains(&games), "{result}");
    assert_eq!((&result["games_wanted"], &result["finished"]), (&Value::from(1_000_000_000), &Value::from(false)));
    assert_eq!(result["stop"], "cancelled");
}

/// What repeats an interrupted match plays the games that it has played.
#[cfg(unix)]
#[test]
fn an_interrupted_match_is_repeated_as_far_as_it_went() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl").to_str().unwrap().to_owned();
    let endless = ["match", "quarto", "random", "random", "--games", "1000000000", "--seed", "2", "-o", &file];
    let text = interrupted(&endless, 0);
    let games = std::fs::read_to_string(&file).unwrap().lines().count();
    assert!(text.ends_with(&format!("match quarto random random --games {games} --seed 2\n")), "{text}");
    let all = text.lines().find(|line| line.starts_with("quarto: interrupted after ")).unwrap();
    assert!(all.replace(',', "").contains(&format!("after {games} of 1000000000 games in ")), "{text}");
}

#[test]
fn the_threads_make_no_difference_to_a_match() {
    let arguments =
        ["match", "quarto:squares", "uct(50, trees=2)", "second", "-g", "12", "--seed", "5", "--opening", "3"];
    let run = |threads| nestling(&[&arguments[..], &["--json", "--threads", threads]].concat());
    let (one, many) = (run("1"), run("3"));
    let games =
        |output| stdout(output).lines().filter(|line| line.contains("\"game\"")).map(String::from).collect::<Vec<_>>();
    assert_eq!(games(&one), games(&many));
    assert_eq!(games(&one).len(), 12);
    let result = &results(&one)[0];
    assert_eq!(timeless(result), timeless(&results(&many)[0]));
    assert_eq!((&result["games_wanted"], &result["stop"]), (&Value::from(12), &Value::from("finished")));
    assert_eq!(result["players"], serde_json::json!(["uct(50, trees=2)", "second"]));
    let sum =
        |key: &str| ["going_first", "going_second"].iter().map(|seat| result[seat][key].as_u64().unwrap()).sum::<u64>();
    for key in ["wins", "draws", "losses"] {
        assert_eq!(result[key].as_u64(), Some(sum(key)), "{key}");
    }
    let first: Value = serde_json::from_str(&games(&one)[0]).unwrap();
    let second: Value = serde_json::from_str(&games(&one)[1]).unwrap();
    assert_eq!((first["first"].as_str(), second["first"].as_str()), (Some("A"), Some("B")));
    assert_eq!(first["moves"].as_array().unwrap()[..3], second["moves"].as_array().unwrap()[..3]);
}

#[test]
fn the_games_of_a_match_are_kept_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl").to_str().unwrap().to_owned();
    succeeds(&["match", "quarto", "second", "playout", "--games", "6", "--seed", "3", "-o", &file]);
    let verified = succeeds(&["verify", &file]);
    assert_eq!(verified.lines().count(), 6, "{verified}");
    assert!(verified.lines().all(|line| line.contains("legal, quarto, ") && line.ends_with("complete")), "{verified}");
    let third = format!("{file}#3");
    let shown = succeeds(&["show", &third]);
    assert!(shown.contains("description: second against playout, game 3 of a match"), "{shown}");
    let game = folder.path().join("third.game").to_str().unwrap().to_owned();
    succeeds(&["convert", &third, &game]);
    assert!(succeeds(&["verify", &game]).contains("legal, quarto"));
    let player = format!("uct(20, games=\"{file}\", weight=2)");
    succeeds(&["match", "quarto", &player, "random", "--games", "2", "--seed", "1"]);

    let all = succeeds(&["show", &file]);
    assert_eq!(all.matches("of a match").count(), 6, "{all}");
    assert!(all.contains("games.jsonl: 6 games; "), "{all}");
    refused(&nestling(&["convert", &file, &game]), 2, &["the file contains 6 games; choose one, as in", "#1"]);
    refused(&nestling(&["show", &format!("{file}#7")]), 2, &["the file contains 6 games"]);
    refused(
        &nestling(&["match", "quarto:squares", &player, "random"]),
        2,
        &["#1", "a game of quarto, not of quarto:squares"],
    );
    refused(
        &nestling(&["match", "quarto", "uct(9, games=none.jsonl)", "random"]),
        2,
        &["none.jsonl", "cannot be opened"],
    );
    refused(&nestling(&["match", "quarto", "random", "random", "-o", "games.txt"]), 2, &["-o games.txt", ".jsonl"]);
}

#[test]
fn bad_players_and_games_are_refused_in_a_line() {
    for (arguments, words) in [
        (&["match", "quarto", "uct(100)", "secnd"][..], &["player \"secnd\"", "did you mean second?"][..]),
        (&["match", "quarto", "random", "uct(5, policy=none)"], &["there is no policy \"none\""]),
        (&["match", "quarto", "random", "random", "--games", "0"], &["--games", "from 1 on"]),
        (
            &["match", "quarto:cubes", "random", "random"],
            &["quarto: \"cubes\" is not a variant: there are lines and squares"],
        ),
        (&["match", "morpion-5d", "random", "random"], &["morpion-5d is not a two-player game"]),
        (&["match", "quatro", "random", "random"], &["did you mean quarto?"]),
        (&["solve", "quarto"], &["quarto is a two-player game; try nestling match quarto"]),
        (&["explain", "nested(1)", "quarto"], &["quarto is a two-player game"]),
        (&["play", "quarto", "--level", "easy"], &["--terminal"]),
        (&["play", "quarto", "--terminal", "--level", "godlike"], &["the levels are beginner, easy"]),
        (&["play", "quarto", "--terminal", "--opponent", "me"], &["there is no player \"me\""]),
        (&["play", "morpion-5t", "--terminal"], &["is not a two-player game"]),
    ] {
        refused(&nestling(arguments), 2, words);
    }
    for (player, words) in [
        ("utc(100)", &["player \"utc(100)\"", "did you mean uct?"][..]),
        ("uct(100, depth=3)", &["column 10", "expected an option of uct", "\"depth\""]),
        ("uct(0)", &["at least 1, found 0"]),
    ] {
        refused_at(&nestling(&["match", "quarto", player, "second"]), 2, words);
    }
}

#[test]
fn broken_games_are_refused_in_a_line() {
    let game = |moves: &str| format!("# problem: quarto\n{}\n", moves.replace(' ', "\n")).into_bytes();
    for (moves, code, words) in [
        ("DTQF a1 DTQF", 1, &["move 3", "DTQF is on a1 already"][..]),
        ("DTQF a1 LSRH a1", 1, &["move 4", "a1 is taken by DTQF"]),
        ("DTQF LSRH", 1, &["move 2", "cannot be given before"]),
        ("DTQF z9", 1, &["move 2", "\"z9\" is not a cell"]),
        ("nonsense", 1, &["move 1", "\"nonsense\" is not a piece"]),
        ("LSRH a1 LSRF b1 LSQH c1 LSQF d1 DTQF", 1, &["move 9", "the game is over: it has been won"]),
    ] {
        refused(&nestling_fed(&["verify", "-"], &game(moves)), code, words);
    }
    let unfinished = stdout(&nestling_fed(&["verify", "-"], &game("DTQF a1")));
    assert_eq!(unfinished, "-: legal, quarto, nobody has won yet, legal moves are left\n");
}

/// Plays `input` against an opponent that is always the same.
fn played(arguments: &[&str], input: &str) -> String {
    let arguments = [&["play", "quarto", "--terminal", "--ascii", "--seed", "1"][..], arguments].concat();
    let output = nestling_fed(&arguments, input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn a_game_on_the_terminal() {
    let win = "LSRH\na1\nLSRF\nb1\nLSQH\nc1\nLSQF\nd1\n";
    let text = played(&["--seat", "both"], win);
    assert!(text.contains("first: give a piece: LSRH LSRF"), "{text}");
    assert!(text.contains("second: place LSRH: a1 b1 c1 d1"), "{text}");
    assert!(text.contains("the first player wins: a1 b1 c1 d1: all short and light"), "{text}");
    let after = played(&["--seat", "both"], &format!("{win}d2\nundo\nmoves\nd2\n"));
    assert!(after.contains("the game is over"), "{after}");
    assert!(after.contains("LSRH a1 LSRF b1 LSQH c1 LSQF\n"), "what was undone is not in the moves: {after}");
}

#[test]
fn mistakes_leave_a_game_unharmed() {
    let text = played(&["--seat", "both"], "a1\nDTQF\nDTQF\nb2\nDTQF\nxyz\n\nLSRH\nb2\nmoves\n");
    for words in [
        "there is no piece to place on a1: one has to be given first",
        "DTQF cannot be given before DTQF is placed",
        "piece DTQF is on b2 already",
        "\"xyz\" is not a piece",
        "b2 is taken by DTQF",
        "DTQF b2 LSRH\n",
    ] {
        assert!(text.contains(words), "{words:?} is not in: {text}");
    }
}

#[test]
fn the_computer_plays_hints_and_changes_its_level() {
    let text = played(&["--level", "beginner"], "hint\n0\nlevel wizard\nlevel hard\nundo\nundo\nhelp\nquit\n");
    assert!(text.contains("of 100 points)") || text.contains("for sure)"), "{text}");
    assert!(text.contains("the computer places LSRH on ") && text.contains("the computer gives "), "{text}");
    assert!(text.contains("level \"wizard\": the levels are beginner, easy, medium, hard, expert, perfect"), "{text}");
    assert!(text.contains("the computer plays at level hard now"), "{text}");
    assert!(text.contains("there is no move to take back"), "{text}");
    assert!(text.contains("save FILE"), "{text}");
    assert_eq!(text, played(&["--level", "beginner"], "hint\n0\nlevel wizard\nlevel hard\nundo\nundo\nhelp\nquit\n"));
}

#[test]
fn a_game_can_be_watched_and_saved() {
    let text = played(&["--seat", "none", "--level", "medium"], "");
    assert!(text.contains("wins: ") || text.contains("a draw"), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.json").to_str().unwrap().to_owned();
    let text = played(&["--seat", "both"], &format!("DTQF\na1\nsave {file}\nsave {file}.doc\nsave\n"));
    assert!(text.contains("written to ") && text.contains("there is no format .doc"), "{text}");
    assert!(succeeds(&["show", &file]).contains("nobody has won yet"));
}
