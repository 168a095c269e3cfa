//! Runs that are kept, as a user sees them.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{refused, results, stderr, stdout};
use nestling::Spent;
use nestling_registry::{Registry, RunSpec};
use nestling_store::{Recorder, RecorderSettings, Store};
use serde_json::Value;
use tempfile::TempDir;

/// A store of its own for each test.
struct Kept {
    _folder: TempDir,
    path: PathBuf,
}

impl Kept {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs.db");
        Kept { _folder: folder, path }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("nestling"));
        command.args(arguments).env("NESTLING_STORE", &self.path).env("NO_COLOR", "1").stdin(Stdio::null());
        command.env("LC_ALL", "C.UTF-8");
        command
    }

    fn nestling(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn spawn(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn store(&self) -> Store {
        Store::open(&self.path).unwrap()
    }

    /// Waits until the store has a checkpoint of its first run.
    fn checkpoint(&self) {
        self.wait_for("a checkpoint", |store| matches!(store.checkpoint(1, 0), Ok(Some(_))));
    }

    fn wait_for(&self, what: &str, there: impl Fn(&Store) -> bool) {
        let began = Instant::now();
        while !Store::look(&self.path).is_ok_and(|store| store.is_some_and(|store| there(&store))) {
            assert!(began.elapsed() < Duration::from_secs(60), "{what} did not come");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

const RUN: [&str; 10] =
    ["solve", "morpion-5d", "-s", "nrpa(3, iterations=60)", "--seed", "7", "--checkpoint", "50ms", "--threads", "1"];

fn with<'a>(arguments: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [arguments, more].concat()
}

/// What an outcome is, but for times.
fn essence(result: &Value) -> Vec<Value> {
    ["score", "moves", "playouts", "playout_moves", "stop", "proven"].map(|field| result[field].clone()).to_vec()
}

fn signal(child: &Child, name: &str) {
    Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
}

/// Ctrl-C, kill -9, then on to the end: the result of the run that was left alone, and little played twice.
#[test]
fn an_interrupted_run_goes_on() {
    let kept = Kept::new();
    let alone = results(&kept.nestling(&with(&RUN, &["--no-store", "--json"]))).remove(0);
    assert!(!kept.path.exists(), "--no-store leaves no trace");

    let child = kept.spawn(&RUN);
    kept.checkpoint();
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stdout(&output).contains("stored as run 1; continue it: nestling runs resume 1\n"), "{}", stdout(&output));
    assert!(stdout(&kept.nestling(&["runs", "list"])).contains("interrupted just now"));

    let child = kept.spawn(&["runs", "resume", "--threads", "1"]);
    kept.wait_for("a second process", |store| store.legs(1).is_ok_and(|legs| legs.len() == 2 && legs[1].playouts > 0));
    signal(&child, "-KILL");
    child.wait_with_output().unwrap();

    let last = kept.nestling(&["runs", "resume", "--json", "--threads", "2"]);
    assert!(last.status.success(), "{}", stderr(&last));
    assert!(stderr(&last).contains("continuing run 1"), "{}", stderr(&last));
    assert_eq!(essence(&results(&last)[0]), essence(&alone));
    let shown: Value = serde_json::from_str(&stdout(&kept.nestling(&["runs", "show", "1", "--json"]))).unwrap();
    assert_eq!((shown["state"].as_str(), shown["best"].as_i64()), (Some("done"), alone["best_seen"].as_i64()));
    refused(&kept.nestling(&["runs", "resume", "1"]), 2, &["run 1 is done", "its search has ended", "runs show 1"]);
    refused(&kept.nestling(&["runs", "resume"]), 2, &["no run is interrupted"]);
    refused(&kept.nestling(&["runs", "resume", "9"]), 2, &["no run 9", "runs list"]);
}

/// A budget in time is continued, not begun again, and can be raised afterwards; so can one in playouts.
#[test]
fn budgets_are_continued() {
    let kept = Kept::new();
    let child =
        kept.spawn(&["solve", "morpion-5d", "-s", "repeat(nested(2))", "--time", "8s", "--checkpoint", "100ms"]);
    let second = Duration::from_secs(1);
    kept.wait_for(
        "a checkpoint after a second",
        |store| matches!(store.checkpoint(1, 0), Ok(Some(taken)) if taken.spent.time > second),
    );
    signal(&child, "-KILL");
    child.wait_with_output().unwrap();
    let output = kept.nestling(&["runs", "resume", "--json"]);
    let result = results(&output).remove(0);
    assert_eq!(result["stop"], "time");
    let (whole, leg) = (result["seconds"].as_f64().unwrap(), kept.store().legs(1).unwrap().pop().unwrap());
    // The clock of the budget starts with the program, the reported time a little later, with the run.
    assert!(whole > 7.5 && whole - leg.time.as_secs_f64() > 1.0, "{whole} s: the second before {leg:?} counts");
    refused(&kept.nestling(&["runs", "resume", "1"]), 2, &["its time is used up", "--time"]);
    let more = kept.nestling(&["runs", "resume", "1", "--time", "9s", "--json"]);
    assert!(results(&more)[0]["seconds"].as_f64().unwrap() > 8.5, "{}", stdout(&more));
    refused(&kept.nestling(&["runs", "resume", "1", "--time", "2s"]), 2, &["run 1 has already used", "give it more"]);

    let budget = ["solve", "morpion-5d", "-s", "repeat(nested(1))", "--seed", "5", "--checkpoint", "50ms", "--json"];
    let alone = results(&kept.nestling(&with(&budget, &["--playouts", "600000", "--no-store"]))).remove(0);
    kept.nestling(&with(&budget, &["--playouts", "400000"]));
    let more = kept.nestling(&["runs", "resume", "2", "--playouts", "600000", "--json"]);
    assert_eq!(essence(&results(&more)[0]), essence(&alone), "{}", stderr(&more));
}

/// A run brings along what it began with: the files with its weights, the game that it follows and its start may be gone.
#[test]
fn a_run_needs_none_of_its_files() {
    let kept = Kept::new();
    let file = |name: &str| kept.path.with_file_name(name).to_str().unwrap().to_owned();
    let (game, policy, best) = (file("game.psol"), file("policy.txt"), file("best.psol"));
    let made = kept.nestling(
        &[
            &["solve", "morpion-5d", "-s", "nrpa(2)", "--seed", "1", "--no-store"][..],
            &["-o", &game, "--learned", &policy],
        ]
        .concat(),
    );
    assert!(made.status.success(), "{}", stderr(&made));
    let search = format!("nrpa(3, iterations=30, warm=\"{game}\", weights=\"{policy}\")");
    let from = format!("{game}@20");
    let solve = ["solve", "morpion-5d", "-s", &search, "--from", &from, "--seed", "2", "--checkpoint", "50ms"];
    let alone = results(&kept.nestling(&with(&solve, &["--no-store", "--json"]))).remove(0);
    let mut child = kept.spawn(&with(&solve, &["-o", &best]));
    kept.checkpoint();
    child.kill().unwrap();
    child.wait().unwrap();
    for gone in [&game, &policy] {
        std::fs::remove_file(gone).unwrap();
    }
    let resumed = kept.nestling(&["runs", "resume", "--json"]);
    assert!(resumed.status.success(), "{}", stderr(&resumed));
    assert_eq!(essence(&results(&resumed)[0]), essence(&alone));
    let verified = stdout(&kept.nestling(&["verify", &best]));
    assert!(verified.contains(&format!(" {} moves", alone["score"])), "{verified}: -o is kept to as well");
}

/// Two processes share a store; on one run the second is refused, by the name of the first.
#[test]
fn one_run_has_one_process() {
    let kept = Kept::new();
    let child =
        kept.spawn(&["solve", "morpion-5d", "-s", "repeat(nested(1))", "--time", "10m", "--checkpoint", "50ms"]);
    // The first checkpoint says that run 1 is the child's; only then may another process take a number.
    kept.checkpoint();
    let other = kept.spawn(&["solve", "morpion-4d", "-s", "nested(2)", "--seed", "1", "--checkpoint", "50ms"]);
    let holder = kept.store().legs(1).unwrap().remove(0).process.to_string();
    let again = kept.nestling(&["runs", "resume", "1"]);
    refused(&again, 2, &["run 1", "in use by", &format!("process {holder}")]);
    refused(&kept.nestling(&["runs", "delete", "1"]), 2, &["run 1", "in use by"]);
    let list = stdout(&kept.nestling(&["runs", "list"]));
    assert!(list.contains(&format!("running, process {holder}")), "{list}");
    for mut child in [child, other] {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let list = stdout(&kept.nestling(&["runs", "list"]));
    assert!(list.contains("interrupted") && !list.contains("running"), "{list}");
    assert!(kept.nestling(&["runs", "delete", "1"]).status.success());
    refused(&kept.nestling(&["runs", "show", "1"]), 2, &["no run 1"]);
}

/// A disk that is full while the run is being written: it continues and reports this, what was stored stays, and in the end no line says
/// that the run is stored.
#[test]
fn a_full_disk_stops_nothing() {
    let kept = Kept::new();
    let binary = assert_cmd::cargo::cargo_bin("nestling");
    // No file may grow beyond 200 blocks, of 512 or 1024 bytes; a signal that would end the process is ignored.
    let script = format!("trap '' XFSZ; ulimit -f 200; exec '{}' \"$@\"", binary.display());
    drop(kept.store());
    let output = Command::new("sh")
        .args(["-c", &script, "nestling"])
        .args(RUN)
        .args(["--json"])
        .env("NESTLING_STORE", &kept.path)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let message = stderr(&output);
    assert!(message.contains("cannot be stored for now") && message.contains("not stored"), "{message}");
    assert!(stdout(&output).contains("{\"event\":\"not_stored\""), "{}", stdout(&output));
    assert!(message.lines().count() <= 4, "said often: {message}");
    let alone = results(&kept.nestling(&with(&RUN, &["--no-store", "--json"]))).remove(0);
    assert_eq!(essence(&results(&output)[0]), essence(&alone));
    kept.store().check().unwrap();
    if kept.store().run(1).is_ok() {
        let resumed = kept.nestling(&["runs", "resume", "1", "--json"]);
        assert_eq!(essence(&results(&resumed)[0]), essence(&alone), "{}", stderr(&resumed));
    }
}

/// A damaged store is refused by name; one can solve without it, and save what is left.
#[test]
fn a_damaged_store_is_salvaged() {
    let kept = Kept::new();
    kept.nestling(&["solve", "morpion-5d", "-s", "nested(2)", "--seed", "1", "--checkpoint", "20ms"]);
    assert!(kept.store().run(1).is_ok(), "it took longer than a moment");
    drop(rusqlite_free(&kept.path));
    let bytes = std::fs::read(&kept.path).unwrap();
    std::fs::write(&kept.path, &bytes[..bytes.len() - 3 * 4096]).unwrap();
    let solve = ["solve", "morpion-5d", "-s", "nested(1)", "--seed", "1"];
    refused(&kept.nestling(&solve), 2, &["runs.db", "damaged", "runs salvage", "--no-store"]);
    assert!(kept.nestling(&with(&solve, &["--no-store"])).status.success());
    let salvaged = kept.nestling(&["runs", "salvage"]);
    assert!(salvaged.status.success(), "{}", stderr(&salvaged));
    assert!(stdout(&salvaged).contains("runs.db.damaged"), "{}", stdout(&salvaged));
    assert!(stdout(&salvaged).contains("kept: 1 run, "), "{}", stdout(&salvaged));
    assert!(stdout(&salvaged).contains("missing"), "{}", stdout(&salvaged));
    assert!(kept.nestling(&solve).status.success());
    assert!(stdout(&kept.nestling(&["runs", "salvage"])).contains("whole"));
}

/// Makes sure that all of the store is in its one file.
fn rusqlite_free(path: &Path) -> Store {
    let store = Store::open(path).unwrap();
    assert!(store.check().is_ok());
    store
}

/// A store that cannot be opened is named, with the way around it.
#[test]
fn a_store_that_cannot_be_opened() {
    let kept = Kept::new();
    let solve = ["solve", "morpion-5d", "-s", "nested(1)", "--seed", "1", "--store", "/dev/null/runs.db"];
    refused(&kept.nestling(&solve), 2, &["/dev/null/runs.db", "--no-store"]);
    assert!(kept.nestling(&with(&solve, &["--no-store"])).status.success());
    refused(&kept.nestling(&["runs", "show", "1"]), 2, &["runs.db", "no runs are stored there yet"]);
    assert!(stdout(&kept.nestling(&["runs", "list"])).contains("no runs are stored in"));
    std::fs::write(
        &kept.path,
        "something else altogether, and long enough that it might be a database of some kind or other",
    )
    .unwrap();
    refused(&kept.nestling(&["runs", "list"]), 2, &["runs.db", "damaged"]);
    let bytes = std::fs::read(&kept.path).unwrap();
    refused(&kept.nestling(&["runs", "salvage"]), 2, &["runs.db", "no row can be read", "--store"]);
    assert_eq!(std::fs::read(&kept.path).unwrap(), bytes);
    assert_eq!(kept.path.parent().unwrap().read_dir().unwrap().count(), 1, "nothing was put beside it");
}

/// Several runs are deleted together or not at all; a number that is given twice counts once.
#[test]
fn runs_are_deleted_together() {
    let kept = Kept::new();
    for _ in 0..3 {
        kept.store().add(&RunSpec::new("morpion-5d").search("nested(1)")).unwrap();
    }
    let left = || kept.store().runs().unwrap().iter().map(|run| run.id).collect::<Vec<_>>();
    refused(&kept.nestling(&["runs", "delete", "1", "99"]), 2, &["there is no run 99", "runs list"]);
    assert_eq!(left(), [3, 2, 1]);
    let lease = kept.store().take(3).unwrap();
    refused(&kept.nestling(&["runs", "delete", "1", "3"]), 2, &["run 3", "in use by"]);
    assert_eq!((left(), lease.run()), (vec![3, 2, 1], 3));
    let twice = kept.nestling(&["runs", "delete", "2", "1", "2"]);
    assert!(twice.status.success(), "{}", stderr(&twice));
    assert_eq!(left(), [3]);
}

/// A checkpoint of another version is refused, never misread.
#[test]
fn checkpoints_of_other_versions_are_refused() {
    let kept = Kept::new();
    let spec = RunSpec { seed: Some(7), ..RunSpec::new("morpion-5d").search("nrpa(3, iterations=40)") };
    let settings = RecorderSettings {
        min_duration: Duration::ZERO,
        ..RecorderSettings::new(Duration::from_secs(10), nestling::Cancel::new())
    };
    let recorder = Recorder::begin(kept.store(), spec, settings);
    let problem = Registry::standard().open("morpion-5d").unwrap();
    let mut journal = recorder.journal(problem.as_ref(), 0, 7, Spent::default());
    let mut bytes = b"nestling".to_vec();
    bytes.extend(77u32.to_le_bytes());
    bytes.extend([0; 100]);
    nestling::Journal::checkpoint(&mut journal, &bytes, Spent::default()).unwrap();
    recorder.finish(false).unwrap();
    refused(&kept.nestling(&["runs", "resume", "1"]), 2, &["format 77", "the version that wrote it"]);
    refused(&kept.nestling(&["runs", "resume", "1"]), 2, &["format 77"]);
    assert!(kept.store().checkpoint(1, 0).unwrap().is_some(), "it is still there for the version that can read it");
}

/// A batch that is killed continues with the run it had reached; its distribution is that of an uninterrupted batch.
#[test]
fn a_batch_goes_on() {
    let kept = Kept::new();
    let batch =
        ["solve", "morpion-5d", "-s", "nrpa(2)", "--runs", "30", "--seed", "3", "--checkpoint", "50ms", "--json"];
    let alone = kept.nestling(&with(&batch, &["--no-store"]));
    let summary = |output: &Output| stdout(output).lines().last().unwrap().to_owned();

    let mut child = kept.spawn(&batch);
    let began = Instant::now();
    while !(kept.path.exists() && kept.store().run(1).is_ok_and(|run| run.finished >= 5)) {
        assert!(began.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = kept.store().run(1).unwrap().finished;
    let shown = stdout(&kept.nestling(&["runs", "show", "1"]));
    assert!(shown.contains(&format!("{before} of 30 runs")) && shown.contains("█"), "{shown}");

    let rest = kept.nestling(&["runs", "resume", "--json", "--threads", "1"]);
    assert_eq!(summary(&rest), summary(&alone));
    assert_eq!(results(&rest).len() as u64, 30 - before, "what was finished is not done again");
    assert!(essence_of_batch(&rest).iter().all(|run| essence_of_batch(&alone).contains(run)));
    refused(&kept.nestling(&["runs", "resume", "1"]), 2, &["run 1 is done", "30 runs"]);
}

fn essence_of_batch(output: &Output) -> Vec<(Value, Vec<Value>)> {
    results(output).iter().map(|run| (run["run"].clone(), essence(run))).collect()
}

/// Fewer runs than threads: every core works, and the answer is the same.
#[test]
fn a_small_batch_uses_all_threads() {
    let kept = Kept::new();
    let batch = ["solve", "morpion-5d", "-s", "nested(1)", "--runs", "2", "--seed", "3", "--no-store", "--json"];
    let run = |threads| essence_of_batch(&kept.nestling(&with(&batch, &["--threads", threads])));
    assert_eq!(run("1"), run("5"));
}

/// Tables for people, JSON and CSV for programs, charts.
#[test]
fn runs_are_exported() {
    let kept = Kept::new();
    let game = kept.path.with_file_name("game.psol");
    kept.nestling(&RUN);
    // A batch of thousands is kept, however short it is.
    kept.nestling(&["solve", "morpion-5d", "-s", "playout", "--runs", "3000", "--seed", "1"]);
    let export = |run: &str, name: &str| {
        let file = kept.path.with_file_name(name);
        let output = kept.nestling(&["runs", "export", run, file.to_str().unwrap()]);
        assert!(output.status.success(), "{}", stderr(&output));
        std::fs::read_to_string(file).unwrap()
    };
    let whole: Value = serde_json::from_str(&export("1", "run.json")).unwrap();
    let steps = whole["improvements"].as_array().unwrap();
    assert_eq!(whole["results"][0]["score"], steps.last().unwrap()["score"]);
    assert_eq!(whole, serde_json::from_str::<Value>(&stdout(&kept.nestling(&["runs", "export", "1"]))).unwrap());
    let table = export("1", "run.csv");
    assert!(table.starts_with("run,seconds,playouts,score,found,moves\n"), "{table}");
    assert_eq!(table.lines().count(), 1 + steps.len());
    assert_eq!(export("2", "batch.csv").lines().count(), 3001);
    let chart = export("1", "run.svg");
    assert!(
        chart.starts_with("<svg")
            && chart.contains("nrpa(3, iterations=60) on morpion-5d, seed 7")
            && chart.contains("<polyline")
    );
    assert!(export("2", "batch.svg").contains("3000 of 3000 runs"));
    assert_eq!(export("1", "again.svg"), chart, "the same text each time");
    export("1", "game.psol");
    let verified = stdout(&kept.nestling(&["verify", game.to_str().unwrap()]));
    assert!(verified.contains(&format!("legal, morpion-5d, {} moves", whole["best"])), "{verified}");
    let list = stdout(&kept.nestling(&["runs", "list", "--json"]));
    assert_eq!(list.lines().count(), 2, "{list}");
}

/// One run, one number of playouts: on the terminal, as JSON, in the list, by itself and exported.
#[test]
fn playouts_are_counted_once() {
    let kept = Kept::new();
    let solve =
        ["solve", "morpion-5d", "-s", "repeat(nested(2))", "--seed", "1", "--threads", "2", "--checkpoint", "20ms"];
    let budgets = [["--time", "400ms"], ["--playouts", "500000"], ["--target", "68"]];
    for (run, budget) in (1..).step_by(2).zip(budgets) {
        let people = stdout(&kept.nestling(&with(&solve, &budget)));
        let programs = results(&kept.nestling(&with(&solve, &[&budget[..], &["--json"]].concat()))).remove(0);
        let (_, told) =
            people.rsplit_once(" playouts in ").map(|(before, _)| before.rsplit_once(": ").unwrap()).unwrap();
        for (run, played) in [(run, told.replace(',', "")), (run + 1, programs["playouts"].to_string())] {
            let id = run.to_string();
            let read = |arguments: &[&str]| -> Value {
                let text = stdout(&kept.nestling(arguments));
                text.lines()
                    .find_map(|line| serde_json::from_str::<Value>(line).ok().filter(|row| row["id"] == run))
                    .unwrap()
            };
            assert_eq!(read(&["runs", "list", "--json"])["playouts"].to_string(), played, "{budget:?}");
            assert_eq!(read(&["runs", "show", &id, "--json"])["playouts"].to_string(), played, "{budget:?}");
            let exported: Value = serde_json::from_str(&stdout(&kept.nestling(&["runs", "export", &id]))).unwrap();
            assert_eq!(exported["playouts"].to_string(), played, "{budget:?}");
            assert_eq!(exported["results"][0]["playouts"].to_string(), played, "{budget:?}");
        }
    }
}

/// The best game so far is equalled, and bettered, with a word about it.
#[test]
fn feats_are_told() {
    let kept = Kept::new();
    let solve = |search: &str, seed: &str| {
        let run = ["solve", "morpion-5d", "-s", search, "--seed", seed, "--checkpoint", "20ms"];
        stdout(&kept.nestling(&run))
    };
    // Runs of less than 50 ms are not stored.
    let first = solve("nrpa(3, iterations=40)", "1");
    assert!(!first.contains("so far"), "there was nothing before: {first}");
    assert!(solve("nrpa(3, iterations=40)", "1").contains("equals the best of your runs so far (run 1)"));
    // A resumed run is not compared with itself.
    let begun = ["solve", "morpion-4d", "-s", "repeat(nested(1))", "--seed", "1", "--checkpoint", "20ms"];
    kept.nestling(&with(&begun, &["--playouts", "200000"]));
    let gone_on = stdout(&kept.nestling(&["runs", "resume", "3", "--playouts", "201000"]));
    assert!(gone_on.contains("repeat it") && !gone_on.contains("so far"), "{gone_on}");
    let scores = kept.store().hall_of_fame("morpion-5d", 1).unwrap();
    let better = solve("repeat(20, nrpa(3, iterations=40))", "1");
    assert!(
        better.contains(&format!("is the best of your runs so far; the previous best was {} (run 1)", scores[0].score)),
        "{better}"
    );
}
