//! `nestling prove`, as a user runs it.

use crate::common::{events, file, nestling, nestling_fed, refused, stderr, stdout};

/// A game of 5D with the fewest moves in sight: the longer one is found at once.
const SHORT: &str = "# variant: 5D\n(28,28)\n(28,24) | +2\n(29,28) - -2\n";

#[test]
fn the_tail_of_a_record() {
    let output = nestling(&["prove", "rosin178", "--positions", "2000"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("rosin178: the last 6") && text.contains("of 178 moves are best"), "{text}");
    let output = nestling(&["prove", "hyyroporanen35", "--positions", "300", "--json"]);
    let object = &events(&output)[0];
    assert_eq!((object["problem"].as_str(), object["stop"].as_str()), (Some("morpion-4d"), Some("positions")));
    assert!(object["proven"].as_u64().unwrap() >= 10 && object["longer"].is_null(), "{object}");
}

#[test]
fn a_longer_game_is_reported_and_kept() {
    let output = nestling_fed(&["prove", "-"], SHORT.as_bytes());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    let (line, game) = text.split_once('\n').unwrap();
    assert!(line.contains("not best: a game of") && line.contains("has the same first 2 moves"), "{line}");
    assert_eq!(nestling_fed(&["verify", "-"], game.as_bytes()).status.code(), Some(0), "{game}");

    let (folder, short) = file(SHORT.as_bytes());
    let longer = folder.path().join("longer.msr").to_str().unwrap().to_owned();
    let output = nestling(&["prove", &short, "-o", &longer, "--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_eq!(events(&output)[0]["stop"], "longer game");
    assert!(stdout(&nestling(&["verify", &longer])).contains("complete"));
    refused(&nestling(&["prove", &short, "-o", &short]), 2, &["both input and output"]);
}

#[test]
fn a_checkpoint_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof.json").to_str().unwrap().to_owned();
    let proof = |game: &str, positions: &str| {
        nestling(&["prove", game, "--positions", positions, "--checkpoint", &path, "--json"])
    };
    let first = events(&proof("rosin178", "300")).remove(0);
    let second = events(&proof("rosin178", "1000")).remove(0);
    assert_eq!(second["resumed"], first["proven"]);
    assert!(second["proven"].as_u64() > first["proven"].as_u64(), "{second}");
    let free = events(&nestling(&[
        "prove",
        "rosin178",
        "--any-order",
        "--positions",
        "2000",
        "--checkpoint",
        &path,
        "--json",
    ]));
    assert_eq!(free[0]["resumed"], second["proven"]);
    let (proven, other) = (free[0]["proven"].as_u64().unwrap(), free[0]["other"].as_array().unwrap().len());
    assert_eq!(proven as usize + other, 178);
    assert!(Some(proven) > second["proven"].as_u64(), "{free:?}");
    refused(&proof("bruneau170", "300"), 2, &["not an intact checkpoint of this game"]);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("\"proven\": ", "\"proven\": 1")).unwrap();
    refused(&proof("rosin178", "300"), 2, &["not an intact checkpoint of this game"]);
}

#[test]
fn bad_input_is_refused_in_one_line() {
    refused(&nestling(&["prove", "no-such-file"]), 2, &["no-such-file", "cannot be opened"]);
    refused(&nestling_fed(&["prove", "-"], b"nonsense"), 2, &["-:"]);
    refused(&nestling_fed(&["prove", "-"], b"(28,28)\n(28,24) | +2\n(28,24) | +2\n"), 1, &["illegal", "move 2"]);
    refused(&nestling(&["prove", "rosin178", "--time", "0s"]), 2, &["--time"]);
    refused(&nestling(&["prove", "rosin178", "--positions", "0"]), 2, &["--positions"]);
}

/// Near a record no longer game is found within the search; near a shortened game there is one.
#[test]
fn every_move_is_taken_away() {
    let told = nestling(&["prove", "rosin82", "--each-move", "--positions", "2000", "--json"]);
    assert!(told.status.success(), "{}", stderr(&told));
    let told: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    let proven = told["proven_moves"].as_array().unwrap();
    assert!(proven.len() > 10 && proven.contains(&82.into()), "{told}");
    assert_eq!((&told["stop"], &told["longer"]), (&"positions".into(), &serde_json::Value::Null));
    let words = nestling(&["prove", "rosin82", "--each-move", "--positions", "2000"]);
    assert!(stdout(&words).contains(&format!("proven for {} of 82 moves", proven.len())), "{}", stdout(&words));
    let folder = tempfile::tempdir().unwrap();
    let (short, longer) = (folder.path().join("short.psol"), folder.path().join("longer.psol"));
    let solved = nestling(&["solve", "morpion-4d", "-s", "playout", "--seed", "1", "-o", short.to_str().unwrap()]);
    assert!(solved.status.success(), "{}", stderr(&solved));
    let prove = ["prove", short.to_str().unwrap(), "--each-move", "-o", longer.to_str().unwrap()];
    let found = nestling(&prove);
    assert_eq!(found.status.code(), Some(1), "{}", stdout(&found));
    assert!(stdout(&found).contains("not best"), "{}", stdout(&found));
    assert!(nestling(&["verify", longer.to_str().unwrap()]).status.success());
    refused(&nestling(&["prove", "rosin178", "--each-move", "--any-order"]), 2, &["--each-move", "--any-order"]);
}
