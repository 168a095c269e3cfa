//! `nestling solve`, as a user runs it.

use std::time::{Duration, Instant};

use crate::common::{file, nestling, nestling_fed, refused, refused_at, results, stderr, stdout};
use nestling_testing::data;
use serde_json::Value;

/// Every field but times and rates.
fn without_times(mut result: Value) -> Value {
    result.as_object_mut().unwrap().remove("seconds");
    result
}

/// One seed, one outcome: twice, with one thread and with two.
#[test]
fn same_seed_same_outcome() {
    let searches = [
        ("nested(2)", None),
        ("nrpa(2)", None),
        ("reflexive(10, 10)", None),
        ("uct(1000)", None),
        ("repeat(8, nested(1))", None),
        ("repeat(nested(1))", Some("20000")),
        ("nested(3)", Some("20000")),
        ("repeat(nrpa(1))", Some("1234")),
        ("uct(200, trees=3, playout=mobility)", None),
        ("beam(3)", Some("5000")),
    ];
    for problem in ["morpion-5d", "morpion-5t"] {
        for (search, playouts) in searches {
            let run = |threads: &str| {
                let mut arguments = vec!["solve", problem, "-s", search, "--seed", "7", "--json", "--threads", threads];
                if let Some(playouts) = playouts {
                    arguments.extend(["--playouts", playouts]);
                }
                let output = nestling(&arguments);
                assert!(output.status.success(), "{}", stderr(&output));
                without_times(results(&output).remove(0))
            };
            let first = run("1");
            assert_eq!(first, run("2"), "{problem} {search}");
            assert_eq!(first, run("1"), "{problem} {search}");
            if let Some(playouts) = playouts {
                assert_eq!(first["playouts"].to_string(), playouts, "{problem} {search}");
            }
        }
    }
}

/// The seed of task k of `repeat` is a seed: run k of a batch repeats by itself.
#[test]
fn runs_of_a_batch_repeat_alone() {
    let batch = nestling(&["solve", "morpion-5d", "-s", "nested(1)", "--runs", "5", "--seed", "3", "--json"]);
    let repeated = nestling(&["solve", "morpion-5d", "-s", "repeat(5, nested(1))", "--seed", "3", "--json"]);
    let runs = results(&batch);
    assert_eq!(runs.len(), 5);
    let best = runs.iter().map(|run| run["score"].as_i64().unwrap()).max();
    assert_eq!(results(&repeated)[0]["score"].as_i64(), best);
    let seed = runs[3]["seed"].to_string();
    let alone = nestling(&["solve", "morpion-5d", "-s", "nested(1)", "--seed", &seed, "--json"]);
    assert_eq!(results(&alone)[0]["moves"], runs[3]["moves"]);
    let summary: Value = serde_json::from_str(stdout(&batch).lines().last().unwrap()).unwrap();
    assert_eq!((summary["event"].as_str(), summary["runs"].as_u64()), (Some("summary"), Some(5)));
    assert_eq!(summary["max"].as_i64(), best);
}

/// The time is used, and what the run says repeats it, does.
#[test]
fn time_is_used_and_the_result_repeats() {
    let began = Instant::now();
    let output = nestling(&["solve", "morpion-5d", "--time", "2s", "--json"]);
    let took = began.elapsed();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let result = results(&output).remove(0);
    assert!(took >= Duration::from_secs(2), "{took:?}");
    assert_eq!(result["stop"], "time");
    let [search, seed, playouts] = ["search", "seed", "playouts"].map(|key| match &result["recipe"][key] {
        Value::String(text) => text.clone(),
        number => number.to_string(),
    });
    let again = nestling(&["solve", "morpion-5d", "-s", &search, "--seed", &seed, "--playouts", &playouts, "--json"]);
    assert_eq!(results(&again)[0]["moves"], result["moves"]);
}

/// A finished run ends with the picture, the score beside the record, and how to repeat it.
#[test]
fn people_get_a_picture() {
    let output = nestling(&["solve", "morpion-5d", "-s", "nested(1)", "--seed", "1"]);
    let text = stdout(&output);
    for part in ["●───", "morpion-5d: ", "the record of 82", "seed 1", "repeat it: nestling solve morpion-5d"] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
    assert!(stderr(&output).is_empty(), "progress is for terminals: {}", stderr(&output));
}

/// A target ends the run; a target that is missed is exit code 1.
#[test]
fn targets() {
    let run = |target| {
        nestling(&["solve", "morpion-5d", "-s", "repeat(10, nested(1))", "--seed", "1", "--target", target, "--json"])
    };
    let reached = run("55");
    assert_eq!(reached.status.code(), Some(0));
    assert_eq!(results(&reached)[0]["stop"], "target");
    let missed = run("82");
    assert_eq!(missed.status.code(), Some(1));
    assert_eq!(results(&missed)[0]["stop"], "finished");
}

/// The file of `-o` has the result, and the plain rules agree; `--from` continues from it.
#[test]
fn games_are_kept_and_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game.psol");
    let game = game.to_str().unwrap();
    let solved = nestling(&["solve", "morpion-4t", "-s", "nested(2)", "--seed", "5", "-o", game, "--json"]);
    let result = results(&solved).remove(0);
    let verified = stdout(&nestling(&["verify", game]));
    assert!(verified.contains(&format!("legal, morpion-4t, {} moves, complete", result["score"])), "{verified}");

    let from = format!("{game}@20");
    let search = ["-s", "repeat(50, playout)", "--seed", "1", "--json"];
    let on = nestling(&[&["solve", "morpion-4t", "--from", &from][..], &search[..]].concat());
    let on = results(&on).remove(0);
    assert_eq!(on["moves"].as_array().unwrap()[..20], result["moves"].as_array().unwrap()[..20]);
    assert!(on["moves"].as_array().unwrap().len() > 20);

    // What would take forever from the start does not near the end of a game.
    let near = format!("{game}@{}", result["score"].as_u64().unwrap() - 4);
    refused(&nestling(&["solve", "morpion-4t", "-s", "nested(7)"]), 2, &["would take about"]);
    assert!(nestling(&["solve", "morpion-4t", "-s", "nested(7)", "--from", &near]).status.success());

    let overwriting = nestling(&["solve", "morpion-4t", "--from", game, "-o", game]);
    refused(&overwriting, 2, &["game.psol", "is both input and output"]);
    let beyond = nestling(&["solve", "morpion-4t", "--from", &format!("{game}@9999")]);
    refused(&beyond, 2, &["has only", "9999"]);
    let other = nestling(&["solve", "morpion-5t", "--from", game]);
    refused(&other, 2, &["game of morpion-4t, not of morpion-5t"]);
}

/// A learned policy is kept, and starts the next search warm.
#[test]
fn policies_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("policy.txt");
    let policy = policy.to_str().unwrap();
    let learning = nestling(&["solve", "morpion-5d", "-s", "nrpa(2)", "--seed", "1", "--learned", policy, "--json"]);
    assert!(learning.status.success(), "{}", stderr(&learning));
    let search = format!("nrpa(1, iterations=10, warm=\"{policy}\")");
    let warm = nestling(&["solve", "morpion-5d", "-s", &search, "--seed", "2", "--json"]);
    let cold = nestling(&["solve", "morpion-5d", "-s", "nrpa(1, iterations=10)", "--seed", "2", "--json"]);
    let score = |output| results(output)[0]["score"].as_i64().unwrap();
    assert!(score(&warm) > score(&cold), "{} and {}", score(&warm), score(&cold));
    let weighted =
        nestling(&["solve", "morpion-5d", "-s", &format!("repeat(10, playout, weights=\"{policy}\")"), "--json"]);
    assert!(score(&weighted) > score(&cold), "{} and {}", score(&weighted), score(&cold));

    refused(&nestling(&["solve", "morpion-5d", "-s", "nested(1)", "--learned", policy]), 2, &["--learned", "nrpa"]);
    // Nothing is written over what was read or learned before.
    let cold = ["solve", "morpion-5d", "-s", "nrpa(1)", "--seed", "1"];
    refused(&nestling(&[&cold[..], &["--learned", "a.psol", "-o", "a.psol"]].concat()), 2, &["a.psol", "same file"]);
    let before = std::fs::read(policy).unwrap();
    for option in ["-o", "--learned"] {
        refused(&nestling(&["solve", "morpion-5d", "-s", &search, option, policy]), 2, &["is both input and output"]);
    }
    refused(&nestling(&[&cold[..], &["--learned", policy]].concat()), 2, &["policy.txt", "exists already", "--force"]);
    let nothing = nestling(&[&cold[..], &["--time", "1ns", "--learned", policy, "--force"]].concat());
    assert!(nothing.status.success() && stderr(&nothing).contains("nothing was learned"), "{}", stderr(&nothing));
    assert_eq!(std::fs::read(policy).unwrap(), before);
    let (_kept, broken) = file(b"17 2.5\n18 many\n");
    let search = format!("nrpa(1, warm=\"{broken}\")");
    refused(&nestling(&["solve", "morpion-5d", "-s", &search]), 2, &["not a file of weights", "line 2"]);
}

/// A run without a result has no score, misses every target, and promises nothing.
#[test]
fn nothing_is_no_result() {
    let run =
        ["solve", "tsptw:places=12", "-s", "mean(900, playout)", "--playouts", "50", "--target", "5", "--seed", "3"];
    let told = nestling(&run);
    assert_eq!(told.status.code(), Some(1), "{}", stderr(&told));
    assert!(stdout(&told).contains("no game was finished"), "{}", stdout(&told));
    let result = results(&nestling(&[&run[..], &["--json"]].concat())).remove(0);
    assert!(result["score"].is_null() && result["best_seen"].is_null() && result["recipe"].is_null(), "{result}");
    assert!(!stdout(&told).contains("repeat it"), "{}", stdout(&told));
    let batch = nestling(&[&run[..], &["--json", "--runs", "3"]].concat());
    assert!(results(&batch).iter().all(|result| result["score"].is_null()) && !stdout(&batch).contains("summary"));
    let none = nestling(&["solve", "morpion-5d", "-s", "playout", "--time", "1ns"]);
    assert!(!stdout(&none).contains("repeat it"), "{}", stdout(&none));
    let estimate = nestling(&["solve", "bus", "-s", "repeat(mean(2, playout))", "--playouts", "5", "--seed", "1"]);
    assert!(stdout(&estimate).contains("estimate"), "{}", stdout(&estimate));
}

/// Nonsense is refused before anything starts, in one line that names the culprit and the remedy.
#[test]
fn nonsense_is_refused() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["solve", "morpion-5x"], &["morpion-5x", "did you mean", "morpion-5d"]),
        (&["solve", "tetris"], &["tetris", "there are", "morpion-4d"]),
        (&["solve", "morpion-5d:7"], &["morpion-5d", "no parameters"]),
        (&["solve", "morpion-5d", "--threads", "0"], &["--threads", "found \"0\"", "from 1 to 1024"]),
        (&["solve", "morpion-5d", "--time", "0s"], &["--time", "30s"]),
        (&["solve", "morpion-5d", "--time", "30"], &["--time", "30s"]),
        (&["solve", "morpion-5d", "--time=-3s"], &["--time", "30s"]),
        (&["solve", "morpion-5d", "--time", "-1s"], &["--time: expected a time such as 30s", "found \"-1s\""]),
        (&["solve", "morpion-5d", "--playouts", "0"], &["--playouts", "from 1 on"]),
        (&["solve", "morpion-5d", "--playouts", "many"], &["--playouts", "whole number"]),
        (&["solve", "morpion-5d", "--runs", "0"], &["--runs"]),
        (&["solve", "morpion-5d", "--target", "NaN"], &["--target", "number"]),
        (&["solve", "morpion-5d", "--seed", "-1"], &["--seed: expected a whole number from 0", "found \"-1\""]),
        (&["solve", "morpion-5d", "-s", "nested(7)"], &["nested(7)", "years", "--time"]),
        (&["solve", "morpion-5d", "-s", "repeat(nested(1))"], &["never ends", "--time"]),
        (&["solve", "morpion-5d", "-s", "playout(tabu)"], &["tabu", "uniform, mobility"]),
        (&["solve", "morpion-5d", "-s", "nrpa(1, warm=nowhere.txt)"], &["nowhere.txt"]),
        (&["solve", "morpion-5d", "-o", "/nowhere/game.psol"], &["/nowhere"]),
        (&["solve", "morpion-5d", "--from", "nowhere.psol@3"], &["nowhere.psol"]),
        (&["solve", "morpion-5d", "-o", "/dev/full"], &["/dev/full", "not a regular file"]),
        (&["solve", "morpion-5d", "-o", "-"], &["-o -", "file"]),
        (&["solve", "morpion-5d", "-o", "/"], &["folder"]),
        (&["solve", "morpion-5d", "--target", "85"], &["85", "proven", "84"]),
        (&["solve", "MORPION5D"], &["did you mean morpion-5d?"]),
        (&["lab", "compare", "left-move", "playout", "nested(1)", "-o", "/nowhere/a.png"], &["a.png", "write an .svg"]),
        (&["lab", "compare", "left-move", "playout", "nested(1)", "-o", "-"], &["-: a file is needed"]),
        (&["solve"], &["PROBLEM"]),
        (&["slove"], &["slove", "solve"]),
        (&["explain", "nested(1)", "morpoin-5d"], &["morpion-5d"]),
        (&["man", "slove"], &["slove", "solve"]),
    ];
    for (arguments, words) in cases {
        refused(&nestling(arguments), 2, words);
    }
    let (_folder, game) = file(b"(28,28)\n(28,24) | +2\n");
    let from = |count: &str| nestling(&["solve", "morpion-5d", "--from", &format!("{game}@{count}")]);
    for count in ["abc", "-1", "", "1.5"] {
        refused(&from(count), 2, &["--from: expected a number of moves after @", &format!("found {count:?}")]);
    }
}

/// A mistake in an expression is pointed at, whatever the command.
#[test]
fn mistakes_in_expressions_are_pointed_at() {
    let cases: [(&[&str], &[&str], &str); 5] = [
        (&["solve", "morpion-5d", "-s", "nested(2"], &["the search: column 9"], "  nested(2\n          ^"),
        (
            &["solve", "morpion-5d", "-s", "repeat(3, nestd(2))"],
            &["did you mean nested?"],
            "  repeat(3, nestd(2))\n            ^",
        ),
        (&["explain", "nested(2))", "morpion-5d"], &["column 10"], "  nested(2))\n           ^"),
        (&["lab", "compare", "left-move", "playout", "uct("], &["column 5"], "  uct(\n      ^"),
        (&["match", "quarto", "random", "utc(10)"], &["player \"utc(10)\"", "column 1"], "  utc(10)\n  ^"),
    ];
    for (arguments, words, picture) in cases {
        assert_eq!(refused_at(&nestling(arguments), 2, words), picture, "{arguments:?}");
    }
}

/// Ctrl-C prints and keeps the best so far and exits 130.
#[cfg(unix)]
#[test]
fn interruption_keeps_the_best() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game.psol");
    let child = Command::new(assert_cmd::cargo::cargo_bin("nestling"))
        .args(["solve", "morpion-5d", "--time", "1h", "--json", "-o", game.to_str().unwrap()])
        .env("NESTLING_STORE", crate::common::store())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1_500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let result = results(&output).remove(0);
    assert_eq!(result["stop"], "cancelled");
    let verified = stdout(&nestling(&["verify", game.to_str().unwrap()]));
    assert!(verified.contains(&format!(" {} moves", result["score"])), "{verified} {result}");
}

/// Without `-s` a budget in playouts decides the search, not the speed of the machine.
#[test]
fn playouts_choose_the_search() {
    for (playouts, search) in [("20", "repeat(nrpa(1))"), ("20000", "repeat(nrpa(2))")] {
        let output = nestling(&["solve", "morpion-5d", "--playouts", playouts, "--seed", "1", "--json"]);
        assert_eq!(results(&output)[0]["search"], search);
    }
}

/// The command that a run says repeats it does, also from the middle of a game and with odd file names.
#[test]
fn what_repeats_it_repeats_it() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("it's a game.psol");
    let game = game.to_str().unwrap();
    assert!(nestling(&["solve", "morpion-5d", "-s", "nested(1)", "--seed", "2", "-o", game]).status.success());
    let from = format!("{game}@30");
    let first = nestling(&["solve", "morpion-5d", "--from", &from, "-s", "nested(1)", "--seed", "2"]);
    assert!(repeats(&first).contains(" --from '"), "it names the file");
    let given = ["solve", "morpion-5d", "-s", "nested(1)", "--seed", "2", "--from", "-"];
    let first = nestling_fed(&given, b"(28,28)\n(28,24) | +2\n");
    assert!(repeats(&first).starts_with("printf "), "standard input is gone, so the moves are in the command");
}

/// Runs the command that a run says repeats it, and returns it: the picture must be the same.
fn repeats(first: &std::process::Output) -> String {
    let text = stdout(first);
    let (_, command) = text.rsplit_once("repeat it: ").unwrap_or_else(|| panic!("{text}"));
    let binary = assert_cmd::cargo::cargo_bin("nestling");
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let again = std::process::Command::new("sh")
        .args(["-c", command])
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env("NESTLING_STORE", crate::common::store())
        .output()
        .unwrap();
    let picture = |text: &str| text.split("\n\n").next().unwrap().to_owned();
    assert_eq!(picture(&stdout(&again)), picture(&text), "{command}{}", stderr(&again));
    command.to_owned()
}

/// The same where time has cut the run: on two threads the result may come from a part of it that starts inside a game.
#[test]
fn what_time_has_cut_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("game.psol");
    let (mut parts, mut written) = (0, 0);
    for search in ["nested(4)", "nested(3)", "repeat(nrpa(4))", "step(nrpa(3))", "repeat(nested(2))"] {
        for output in [&[][..], &["-o", kept.to_str().unwrap()]] {
            let run = ["solve", "morpion-5d", "-s", search, "--time", "300ms", "--threads", "2", "--no-store"];
            let first = nestling(&[&run[..], output].concat());
            assert!(!stdout(&first).contains(": 0 playouts"), "{}", stdout(&first));
            let command = repeats(&first);
            parts += usize::from(command.starts_with("printf "));
            written += usize::from(command.contains("game.psol@"));
            let _ = std::fs::remove_file(&kept);
        }
    }
    // nested(4) finishes no task at its top in this time, so its result lies beyond the cut on any machine.
    assert!(parts > 0 && written > 0, "{parts} {written}");
}

/// A link keeps leading where it led; a finished game is not searched for long.
#[cfg(unix)]
#[test]
fn links_and_finished_games() {
    let folder = tempfile::tempdir().unwrap();
    let (game, link) = (folder.path().join("game.psol"), folder.path().join("link.psol"));
    std::fs::write(&game, "").unwrap();
    std::os::unix::fs::symlink(&game, &link).unwrap();
    let output = nestling(&["solve", "morpion-5d", "-s", "nested(1)", "--seed", "2", "-o", link.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(link.is_symlink());
    let kept = std::fs::read_to_string(&game).unwrap();
    assert!(kept.starts_with("# search: nested(1)\n# seed: 2\n") && kept.contains("\n(28,28)\n"), "{kept}");
    let over = nestling(&["solve", "morpion-5d", "--from", game.to_str().unwrap(), "--time", "1h", "--json"]);
    assert_eq!((over.status.success(), &results(&over)[0]["stop"]), (true, &Value::from("finished")));
}

/// A record game can be searched on from any move.
#[test]
fn records_can_be_searched_on() {
    let Some(folder) = data() else { return };
    let from = format!("{}@150", folder.join("morpion/5T-178-rosin.psol").display());
    let output = nestling(&["solve", "morpion-5t", "--from", &from, "-s", "nested(2)", "--seed", "1", "--json"]);
    assert!(results(&output)[0]["score"].as_i64().unwrap() >= 165, "{}", stdout(&output));
}

/// Whether the GPUs of this machine can be used; then what follows is not to be seen.
fn has_gpu() -> bool {
    let found = nestling_gpu::available().is_ok();
    if found {
        nestling_testing::skip(nestling_testing::Need::System, "there is a GPU here");
    }
    found
}

/// Without a GPU: one clear line, and nothing is searched.
#[test]
fn a_missing_gpu_is_said_in_a_line() {
    if has_gpu() {
        return;
    }
    for arguments in [
        &["solve", "morpion-5d", "--device", "cuda"][..],
        &["solve", "morpion-5t", "--device=cuda", "--time", "1s"],
        &["lab", "run", "nested-morpion-time", "--device", "cuda"],
    ] {
        refused(&nestling(arguments), 2, &["--device cuda: ", "NVIDIA"]);
    }
}

/// What GPUs do not support is refused, with what it can.
#[test]
fn a_gpu_makes_only_some_searches() {
    let on_gpu = |problem: &str, search: &str| nestling(&["solve", problem, "-s", search, "--device", "cuda"]);
    refused(
        &on_gpu("morpion-5d", "uct(1000)"),
        2,
        &["GPUs do not support uct(1000)", "nrpa(level)", "nested(level)", "repeat(n, search)"],
    );
    refused(&on_gpu("morpion-5d", "nrpa(2, playout=mobility)"), 2, &["GPUs do not support nrpa(2, playout=mobility)"]);
    refused(&on_gpu("samegame:seed=1", "nrpa(2)"), 2, &["has no kernels for GPUs", "only the processor"]);
    refused(&nestling(&["solve", "morpion-5d", "--device", "gpu"]), 2, &["gpu", "cpu, cuda or auto"]);
}

/// Left to choose, it searches on the processor, says why, and has the processor's result.
#[test]
fn the_processor_stands_in_for_a_gpu() {
    let run = |device: &str| {
        nestling(&["solve", "morpion-5d", "-s", "uct(100)", "--seed", "7", "--json", "--no-store", "--device", device])
    };
    let (chosen, processor) = (run("auto"), run("cpu"));
    assert_eq!(stderr(&chosen).lines().count(), 1);
    assert!(
        stderr(&chosen).contains("searching on the processor: GPUs do not support uct(100)"),
        "{}",
        stderr(&chosen)
    );
    let result = |output| without_times(results(output).remove(0));
    assert_eq!(result(&chosen), result(&processor));
    assert_eq!(result(&chosen)["device"], "cpu");
}
