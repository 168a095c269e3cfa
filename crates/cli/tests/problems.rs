//! Problems with parameters and files of their own, as a user names them.

use std::path::Path;

use crate::common::{file, nestling, refused, results, stderr, stdout};
use nestling_testing::data;

/// One clear line and exit code 2 for everything that makes no sense.
#[test]
fn bad_parameters_are_refused() {
    let cases: &[(&str, &[&str])] = &[
        ("left-move:-3", &["left-move", "-3", "from 1 to 1000000"]),
        ("left-move:0", &["from 1 to 1000000"]),
        ("leftmost-path:99999999999999999999", &["leftmost-path", "from 1 to 1000000"]),
        ("left-move:6\u{7}0", &["from 1 to 1000000"]),
        ("tsptw:nowhere.txt", &["nowhere.txt: no such file", "NESTLING_DATA"]),
        ("tsptw:places=1", &["places=1", "from 2 to 1000"]),
        ("tsptw:places=-4", &["places=-4", "from 2 to 1000"]),
        ("tsptw:places=5,colour=3", &["no parameter \"colour\"", "places, seed"]),
        ("tsptw:seed=1,seed=2", &["seed is given twice"]),
        ("bus:stops=-4", &["stops=-4", "whole number"]),
        ("bus:stops=61", &["stops is 61", "even"]),
        ("bus:buses=99999999", &["buses=99999999", "from 2 to 200"]),
        ("bus:buses=9999", &["buses=9999", "from 2 to 200"]),
        ("bus:begin=250,end=250", &["end=250", "from 251 to 2001"]),
        ("bus:begin=400", &["end is 300", "from 401 to 2001"]),
        ("bus:hold=5", &["hold=5", "from 1 to 4"]),
        ("bus:travel=5", &["travel=1-5"]),
        ("bus:travel=5-1", &["longest travel time is 1"]),
        ("bus:wheels=4", &["no parameter \"wheels\"", "stops"]),
    ];
    for (problem, words) in cases {
        refused(&nestling(&["solve", problem, "-s", "playout"]), 2, words);
    }
}

/// The same for files.
#[test]
fn bad_instances_are_refused() {
    let cases: &[(&str, &[&str])] = &[
        ("", &["line 1", "the text is empty"]),
        ("2\n0 %\n1 0\n0 9\n0 9\n", &["line 2", "\"%\" is not a number"]),
        ("2\n0 1\n1 0\n0 9\n9 0\n", &["line 5", "closes at 0, before it opens at 9"]),
        ("2\n0 1\n1 0 7\n0 9\n0 9\n", &["line 3", "the matrix must be square"]),
        ("-2\n0 1\n1 0\n0 9\n0 9\n", &["line 1", "\"-2\" is neither a number of places"]),
        ("2\n0 1e99\n1 0\n0 9\n0 9\n", &["line 2", "1e99 is too large"]),
        ("name,x,y,earliest,latest\na,0,0,0,9\nb,1,1,5,4\n", &["line 3", "closes at 4"]),
        ("name,x,y,earliest,latest\na,0,0,0,9\nb,NaN,1,0,9\n", &["line 3", "\"NaN\" is not a number", "a coordinate"]),
        ("name,earliest,latest,a\na,0,9,0\nb,0,9,1\n", &["line 1", "square"]),
    ];
    for (text, words) in cases {
        let (_folder, path) = file(text.as_bytes());
        let problem = format!("tsptw:{path}");
        refused(&nestling(&["solve", &problem, "-s", "playout"]), 2, words);
    }
}

/// A table of one's own: solved, written, verified from the file, and drawn with its game inside.
#[test]
fn a_tour_of_ones_own() {
    let table = "name,x,y,earliest,latest\ndepot,0,0,0,100\nmill,3,4,0,10\nfarm,3,0,20,30\n";
    let (folder, path) = file(table.as_bytes());
    let problem = format!("tsptw:{path}");
    let picture = folder.path().join("tour.svg").display().to_string();
    let solved = nestling(&["solve", &problem, "-s", "nrpa(1)", "--seed", "1", "-o", &picture, "--json"]);
    assert!(solved.status.success(), "{}", stderr(&solved));
    let result = results(&solved).remove(0);
    assert_eq!((result["score"].as_f64(), result["moves"][0].as_str()), (Some(12.0), Some("mill")));
    let verified = nestling(&["verify", &picture]);
    assert!(
        verified.status.success() && stdout(&verified).contains("12"),
        "{}{}",
        stdout(&verified),
        stderr(&verified)
    );
    let shown = stdout(&nestling(&["show", &picture]));
    assert!(shown.contains("farm") && shown.contains("waits 11.00"), "{shown}");
}

/// A tour that misses windows is not a solution: this is shown with its score everywhere, and the exit code is 1.
#[test]
fn missed_windows_are_told_everywhere() {
    let table = "name,x,y,earliest,latest\ndepot,0,0,0,100\nmill,3,4,0,4\nfarm,3,0,0,2\nwell,0,9,0,8\n";
    let (folder, path) = file(table.as_bytes());
    let (problem, name) = (format!("tsptw:{path}"), |name: &str| folder.path().join(name).display().to_string());
    let (game, picture, store) = (name("tour.game"), name("tour.svg"), name("runs.db"));
    let words = "3 windows missed, length 21.83";
    let run = |arguments: &[&str]| nestling(&[arguments, &["--store", &store]].concat());
    let solve = ["solve", &problem, "-s", "repeat(nrpa(1))", "--seed", "1", "--time", "300ms", "--checkpoint", "20ms"];

    let solved = run(&[&solve[..], &["-o", &game]].concat());
    assert_eq!(solved.status.code(), Some(1), "{}", stderr(&solved));
    let text = stdout(&solved);
    assert!(text.contains(&format!("{problem}: {words}\n")), "{text}");
    let events = crate::common::events(&run(&[&solve[..], &["--json"]].concat()));
    for kind in ["improvement", "result"] {
        let event = events.iter().rfind(|event| event["event"] == kind).unwrap();
        assert_eq!(event["score"], 3_000_021.831, "the score stays");
        let meaning = serde_json::json!({ "words": words, "solved": false, "windows_missed": 3, "length": 21.831 });
        assert_eq!(event["meaning"], meaning, "{kind}");
    }
    let several = ["solve", &problem, "-s", "playout", "--seed", "1", "--runs", "5", "--no-store"];
    let summary = stdout(&nestling(&several));
    let median = "median: 3 windows missed, length";
    assert!(
        summary.contains("5 runs, seed 1: 0 solved, mean windows missed 3.00") && summary.contains(median),
        "{summary}"
    );
    let told = crate::common::events(&nestling(&[&several[..], &["--json"]].concat())).pop().unwrap();
    assert_eq!((told["solved"].as_u64(), told["mean_windows_missed"].as_f64()), (Some(0), Some(3.0)), "{told}");
    assert!(nestling(&["convert", &game, &picture]).status.success());
    assert!(std::fs::read_to_string(&picture).unwrap().contains(words));
    // Where the file is gone, the scores of runs still say what they mean.
    let (kept, verified) = (std::fs::read(&path).unwrap(), stdout(&nestling(&["verify", &game, &picture])));
    assert_eq!(verified.matches(words).count(), 2, "{verified}");
    assert!(stdout(&nestling(&["verify", &game, "--json"])).contains(words));
    assert!(stdout(&nestling(&["show", &game])).contains(words));
    assert!(stdout(&run(&["records"])).contains(words), "{}", stdout(&run(&["records"])));
    std::fs::remove_file(&path).unwrap();
    for command in [["runs", "list", "--all"], ["runs", "show", "1"]] {
        let text = stdout(&run(&command));
        assert!(text.contains(words) && !text.contains("3000021"), "{command:?}: {text}");
    }
    for command in [["runs", "list", "--json"], ["runs", "export", "1"]] {
        let text = stdout(&run(&command));
        assert!(text.contains(words) && text.contains("3000021.831"), "{command:?}: {text}");
    }
    std::fs::write(&path, kept).unwrap();
    let equal = stdout(&run(&solve));
    assert!(equal.contains(&format!("{words} equals the best of your runs so far (run 1)\n")), "{equal}");

    let kept = nestling(&["solve", "tsptw:places=6,seed=1", "-s", "nrpa(2)", "--seed", "1", "--no-store"]);
    assert_eq!(kept.status.code(), Some(0));
    assert!(stdout(&kept).contains(": all windows kept, length "), "{}", stdout(&kept));
    let proven = stdout(&nestling(&["solve", "tsptw:places=6,seed=1", "-s", "dfs", "--no-store"]));
    assert!(proven.contains("; proven: no tour is better\n"), "{proven}");
}

/// The benchmark instances by their names alone.
#[test]
fn benchmarks_by_name() {
    if data().is_none() {
        return;
    }
    let solved = nestling(&["solve", "tsptw:rc_201.1", "-s", "nrpa(2)", "--seed", "1", "--json"]);
    assert!(solved.status.success(), "{}", stderr(&solved));
    assert!(results(&solved)[0]["score"].as_f64().unwrap() < 1e6);
}

/// A problem without an animation is refused with a message.
#[test]
fn pictures_stand_still() {
    let folder = tempfile::tempdir().unwrap();
    let name = |name: &str| folder.path().join(name).display().to_string();
    for problem in ["bus", "tsptw"] {
        let still = name(&format!("{problem}.svg"));
        let solved = nestling(&["solve", problem, "-s", "playout", "--seed", "1", "-o", &still]);
        assert!(Path::new(&still).exists(), "{}", stderr(&solved));
        let moving = nestling(&["convert", &still, &name("moving.svg"), "--animated"]);
        refused(&moving, 2, &[problem, "no animated picture"]);
    }
}
