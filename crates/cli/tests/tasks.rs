//! Runs divided into tasks, as a user sees them: files made by other processes, which may be killed, and collected.
#![cfg(unix)]

use std::collections::VecDeque;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{events, refused, stderr, stdout};
use nestling::Stream;
use nestling_store::Store;
use serde_json::Value;
use tempfile::TempDir;

/// A folder with a store and the files of tasks.
pub struct Array(TempDir);

impl Array {
    pub fn new() -> Self {
        Array(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("nestling"));
        command
            .args(arguments)
            .env("NESTLING_STORE", self.path("runs.db"))
            .env("NO_COLOR", "1")
            .env("LC_ALL", "C.UTF-8");
        command.current_dir(self.0.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn nestling(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    #[track_caller]
    fn done(&self, arguments: &[&str]) -> String {
        let output = self.nestling(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        stdout(&output)
    }

    /// Stores a run, and divides it into files.
    pub fn divide(&self, solve: &[&str], files: &str) -> usize {
        self.done(&[solve, &["--later", "--checkpoint", "20ms"]].concat());
        self.done(&["runs", "tasks", "1", "--count", files, "-o", "tasks"]);
        std::fs::read_dir(self.path("tasks")).unwrap().count()
    }

    /// Makes all files by four processes at a time, each of which may be killed before it is done; how many were.
    fn torment(&self, files: usize, longest: u64) -> u32 {
        let mut rng = Stream::new(5).rng();
        let (mut left, mut killed): (VecDeque<usize>, u32) = ((0..files).collect(), 0);
        let mut running: Vec<(usize, Child, Instant)> = Vec::new();
        while !left.is_empty() || !running.is_empty() {
            while running.len() < 4
                && let Some(file) = left.pop_front()
            {
                let child = self.command(&["task", &format!("tasks/{file}.task"), "-q"]).spawn().unwrap();
                let killed_at = Instant::now() + Duration::from_millis(rng.below(longest as usize) as u64);
                running.push((file, child, killed_at));
            }
            std::thread::sleep(Duration::from_millis(2));
            running.retain_mut(|(file, child, killed_at)| match child.try_wait().unwrap() {
                Some(status) => {
                    if !status.success() {
                        killed += 1;
                        left.push_back(*file);
                    }
                    false
                }
                None => {
                    // In the end everybody is left alone.
                    if Instant::now() > *killed_at && killed < 3 * files as u32 {
                        child.kill().unwrap();
                    }
                    true
                }
            });
        }
        killed
    }

    /// The result of a run, without times and what depends on them.
    pub fn result(output: &Output) -> Vec<Value> {
        let mut results: Vec<Value> = events(output);
        results.retain(|event| event["event"] == "result" || event["event"] == "summary");
        for result in &mut results {
            result.as_object_mut().unwrap().remove("seconds");
        }
        results
    }
}

/// The run on one thread, on two, and as files that are made by killed processes, late, doubled and broken.
fn law(solve: &[&str], files: &str, longest: u64) {
    let array = Array::new();
    let alone = |threads| array.nestling(&[solve, &["--json", "-q", "--no-store", "--threads", threads]].concat());
    let expected = Array::result(&alone("1"));
    assert!(!expected.is_empty());
    assert_eq!(expected, Array::result(&alone("2")));
    let made = array.divide(solve, files);
    // A report from before all workers were killed, and an unfinished one, are collected meanwhile.
    array.done(&["task", "tasks/0.task"]);
    let first = array.done(&["runs", "collect", "1", "tasks"]);
    assert!(first.contains(&format!("not finished: 1-{}\n", made - 1)), "{first}");
    std::fs::copy(array.path("tasks/0.report"), array.path("tasks/again.report")).unwrap();
    let killed = array.torment(made, longest);
    println!("{solve:?}: {made} files, {killed} kills");
    let whole = std::fs::read(array.path("tasks/1.report")).unwrap();
    std::fs::write(array.path("tasks/1.report"), &whole[..whole.len() / 2]).unwrap();
    let broken = array.nestling(&["runs", "collect", "1", "tasks"]);
    refused(&broken, 1, &["tasks/1.report: the report is damaged"]);
    array.done(&["task", "tasks/1.task", "-q"]);
    let collected = array.nestling(&["runs", "collect", "1", "tasks", "--json", "-q"]);
    assert!(collected.status.success(), "{}", stderr(&collected));
    let found = Array::result(&collected);
    match solve.contains(&"--runs") {
        false => assert_eq!(expected, found),
        // Runs that were kept before are not reported again; the store has all of them.
        true => {
            assert_eq!(expected.last(), found.last(), "the summary");
            let store = Store::open(&array.path("runs.db")).unwrap();
            for (expected, kept) in expected.iter().zip(store.outcomes(1).unwrap()) {
                assert_eq!(expected["score"].as_f64(), kept.outcome.score());
                assert_eq!(expected["playouts"].as_u64(), Some(kept.outcome.counts.playouts));
                assert_eq!(expected["playout_moves"].as_u64(), Some(kept.outcome.counts.moves));
            }
        }
    }
    assert!(array.done(&["runs", "collect", "1", "tasks"]).contains("is done"), "late reports do no harm");
    assert!(array.done(&["runs", "recheck", "1", "--tasks", "tasks", "--share", "10%"]).contains("all the same"));
}

#[test]
fn repetitions_are_a_job_array() {
    law(&["solve", "morpion-5d", "-s", "repeat(40, nrpa(2, iterations=40))", "--seed", "7"], "8", 60);
}

#[test]
fn batches_are_a_job_array() {
    law(&["solve", "morpion-5d", "-s", "nrpa(2, iterations=30)", "--runs", "20", "--seed", "8"], "5", 60);
}

#[test]
fn pools_are_a_job_array() {
    law(&["solve", "morpion-5d", "-s", "repeat(4, pool(8000))", "--seed", "9"], "4", 100);
}

#[test]
fn means_are_a_job_array() {
    law(&["solve", "bus:seed=7,stops=20,buses=5", "-s", "mean(30, nested(1))", "--seed", "3"], "6", 40);
}

#[test]
fn a_search_in_one_piece_is_one_task() {
    law_of_one(&["solve", "left-move:12", "-s", "nrpa(3, iterations=20)", "--seed", "3"]);
}

fn law_of_one(solve: &[&str]) {
    let array = Array::new();
    let expected = Array::result(&array.nestling(&[solve, &["--json", "-q", "--no-store"]].concat()));
    assert_eq!(array.divide(solve, "100"), 1);
    array.torment(1, 30);
    assert_eq!(expected, Array::result(&array.nestling(&["runs", "collect", "1", "tasks", "--json"])));
}

/// The sizes that people have: minutes. `scripts/soak` makes them.
#[test]
#[ignore = "takes minutes"]
fn large_job_arrays() {
    law(&["solve", "morpion-5d", "-s", "repeat(200, nrpa(2))", "--seed", "7"], "20", 1_500);
    law(&["solve", "morpion-5d", "-s", "nrpa(2)", "--runs", "100", "--seed", "7"], "20", 1_000);
    law(&["solve", "morpion-5d", "-s", "repeat(8, pool(1000000))", "--seed", "7"], "20", 20_000);
    law(&["solve", "bus:seed=7", "-s", "mean(1000, nested(1))", "--seed", "7"], "20", 500);
}

/// A budget in playouts ends the run in the middle of a task; what was made beyond it does not count. That task was made with more
/// playouts than its turn leaves it, so the run is not over yet.
#[test]
fn a_budget_cuts_in_order() {
    let array = Array::new();
    let solve = ["solve", "morpion-5d", "-s", "repeat(nrpa(1))", "--playouts", "750", "--seed", "4"];
    let expected = Array::result(&array.nestling(&[&solve[..], &["--json", "-q", "--no-store"]].concat()));
    array.divide(&solve, "20");
    array.torment(20, 50);
    let collected = array.done(&["runs", "collect", "1", "tasks"]);
    assert!(collected.contains("more tasks:"), "{collected}");
    assert_eq!(expected, Array::result(&array.nestling(&["runs", "resume", "1", "--json", "-q"])));
}

/// A run goes from a process to tasks and back.
#[test]
fn a_run_goes_to_tasks_and_back() {
    let array = Array::new();
    let solve = ["solve", "morpion-5d", "-s", "repeat(12, nrpa(2, iterations=30))", "--seed", "5"];
    let expected = Array::result(&array.nestling(&[&solve[..], &["--json", "-q", "--no-store"]].concat()));
    array.divide(&solve, "12");
    for file in [2, 5, 11] {
        array.done(&["task", &format!("tasks/{file}.task")]);
    }
    array.done(&["runs", "collect", "1", "tasks"]);
    let resumed = array.nestling(&["runs", "resume", "1", "--json", "-q"]);
    assert_eq!(expected, Array::result(&resumed));
}

/// Tasks bring along what their search has learned from a game.
#[test]
fn tasks_need_no_games_to_follow() {
    let array = Array::new();
    array.done(&["records", "rosin82", "-o", "game.psol"]);
    let solve = ["solve", "morpion-5d", "-s", "repeat(4, nrpa(1, iterations=20, warm=game.psol))", "--seed", "5"];
    let expected = Array::result(&array.nestling(&[&solve[..], &["--json", "-q", "--no-store"]].concat()));
    assert_eq!(array.divide(&solve, "4"), 4);
    std::fs::remove_file(array.path("game.psol")).unwrap();
    (0..4).for_each(|file| drop(array.done(&["task", &format!("tasks/{file}.task")])));
    let collected = array.nestling(&["runs", "collect", "1", "tasks", "--json", "-q"]);
    assert_eq!(expected, Array::result(&collected), "{}", stderr(&collected));
}

#[test]
fn what_cannot_be_is_refused() {
    let array = Array::new();
    array.done(&["solve", "left-move:9", "-s", "repeat(nested(1))", "--time", "1h", "--later"]);
    refused(&array.nestling(&["runs", "tasks", "1", "-o", "tasks"]), 2, &["a time limit cannot be divided"]);
    array.done(&["solve", "left-move:9", "-s", "repeat(3, nested(1))", "--seed", "1", "--later"]);
    array.done(&["runs", "tasks", "2", "-o", "tasks"]);
    refused(
        &array.nestling(&["runs", "tasks", "2", "-o", "tasks"]),
        2,
        &["tasks: already contains tasks", "another folder"],
    );
    refused(&array.nestling(&["runs", "tasks", "9", "-o", "others"]), 2, &["9"]);
    refused(&array.nestling(&["runs", "collect", "2", "nowhere"]), 2, &["nowhere: cannot be read"]);
    let write = |name: &str, text: &[u8]| std::fs::write(array.path(name), text).unwrap();
    write("notes.txt", b"my notes, which are dear to me");
    refused(&array.nestling(&["task", "notes.txt"]), 2, &["notes.txt: not a file of tasks"]);
    refused(&array.nestling(&["task", "missing.task"]), 2, &["missing.task: cannot be read"]);
    refused(
        &array.nestling(&["task", "tasks/0.task", "-o", "notes.txt"]),
        2,
        &["notes.txt", "is not a report", "--force"],
    );
    refused(&array.nestling(&["task", "tasks/0.task", "-o", "tasks/0.task"]), 2, &["both input and output"]);
    array.done(&["task", "tasks/0.task"]);
    refused(
        &array.nestling(&["task", "tasks/1.task", "-o", "tasks/0.report"]),
        2,
        &["tasks/0.report: the report belongs to task 0"],
    );
    // A report of another run is named, and the others count.
    array.done(&["solve", "left-move:9", "-s", "repeat(3, nested(1))", "--seed", "2", "--later"]);
    refused(
        &array.nestling(&["runs", "collect", "3", "tasks"]),
        1,
        &["tasks/0.report: the report belongs to another run"],
    );
    let damaged = [&std::fs::read(array.path("tasks/1.task")).unwrap()[..40], &[0; 300]].concat();
    write("tasks/1.task", &damaged);
    refused(&array.nestling(&["task", "tasks/1.task"]), 2, &["tasks/1.task", "damaged"]);
    assert_eq!(std::fs::read(array.path("notes.txt")).unwrap(), b"my notes, which are dear to me");
}

/// A run that was changed behind our back is found out: by its tasks, its outcomes, its checkpoints.
#[test]
fn rechecks_find_what_differs() {
    let array = Array::new();
    let solve = |seed: &'static str| {
        ["solve", "morpion-5d", "-s", "repeat(6, nrpa(1))", "--seed", seed, "--later"].map(str::to_owned).to_vec()
    };
    for seed in ["1", "2"] {
        array.done(&solve(seed).iter().map(String::as_str).collect::<Vec<_>>());
        array.done(&["runs", "tasks", seed, "-o", &format!("tasks{seed}")]);
        for file in 0..6 {
            array.done(&["task", &format!("tasks{seed}/{file}.task")]);
        }
    }
    let recheck = ["runs", "recheck", "1", "--tasks", "tasks1", "--share", "100%"];
    assert!(array.done(&recheck).contains("6 of 6 finished tasks of tasks1 made again: all the same"));
    // Somebody hands in the report of another task as this one's.
    std::fs::copy(array.path("tasks1/3.report"), array.path("tasks1/2.report")).unwrap();
    let found = array.nestling(&recheck);
    assert_eq!(found.status.code(), Some(1));
    assert!(stdout(&found).contains("DIFFERENT: tasks1/2.report, task 3, made by "), "{}", stdout(&found));
    let batch = ["solve", "morpion-5d", "-s", "nrpa(1)", "--runs", "9", "--seed", "3", "-q", "--checkpoint", "50ms"];
    array.done(&batch);
    let stored = array.done(&["runs", "list", "--json", "--all"]);
    if stored.contains("\"runs\":9") {
        assert!(
            array
                .done(&["runs", "recheck", "3", "--share", "50%"])
                .contains("5 of 9 finished runs made again: all the same")
        );
    }
}

/// A stretch between two checkpoints, on two threads, has the same result when it is made again.
#[test]
fn stretches_between_checkpoints_are_made_again() {
    let array = Array::new();
    let solve =
        ["solve", "morpion-5d", "-s", "repeat(nrpa(2, iterations=50))", "--time", "1500ms", "--seed", "3", "-q"];
    array.done(&[&solve[..], &["--checkpoint", "100ms", "--threads", "2"]].concat());
    let found = array.done(&["runs", "recheck", "1"]);
    assert!(found.contains("playouts made again: all the same"), "{found}");
    refused(&array.nestling(&["runs", "recheck", "7"]), 2, &["7"]);
}

/// Good games that are not the best come back with the reports of a hunt.
#[test]
fn hunts_keep_their_games() {
    let array = Array::new();
    let hunt = ["hunt", "morpion-5d", "--device", "cpu", "-s", "repeat(pool(5000))", "--keep", "55", "--target", "82"];
    array.divide(&[&hunt[..], &["--seed", "5"]].concat(), "2");
    array.done(&["task", "tasks/0.task", "-q"]);
    let collected = array.done(&["runs", "collect", "1", "tasks"]);
    assert!(collected.contains("not finished: 1\n"), "{collected}");
    let kept = Store::open(&array.path("runs.db")).unwrap().hall_of_fame("morpion-5d", 1_000).unwrap();
    assert!(kept.len() > 10, "{} games", kept.len());
    assert!(kept.iter().all(|game| game.score >= 55.0 && game.run == 1));
}

/// Whatever becomes of a report, what is whole in it counts once, and people are told what to do next.
#[test]
fn damaged_reports_cost_only_themselves() {
    let array = Array::new();
    array.divide(&["solve", "morpion-5d", "-s", "repeat(6, nrpa(1))", "--seed", "7"], "2");
    array.done(&["task", "tasks/0.task", "-q"]);
    let whole = std::fs::read(array.path("tasks/0.report")).unwrap();
    let write = |bytes: &[u8]| std::fs::write(array.path("tasks/0.report"), bytes).unwrap();
    let mut flipped = whole.clone();
    flipped[60] ^= 1;
    write(&flipped);
    let collected = array.nestling(&["runs", "collect", "1", "tasks"]);
    refused(&collected, 1, &["tasks/0.report: the report is damaged: its checksum does not match"]);
    assert!(
        stdout(&collected).contains("2 of 6 tasks done; reports in tasks: 2 finished, 1 refused"),
        "{}",
        stdout(&collected)
    );
    // What was whole stays in the file while the damaged one is made again, even if that is interrupted.
    let mut making = array.command(&["task", "tasks/0.task", "-q"]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(30));
    making.kill().unwrap();
    making.wait().unwrap();
    let collected = stdout(&array.nestling(&["runs", "collect", "1", "tasks"]));
    assert!(collected.contains("2 of 6 tasks done") || collected.contains("3 of 6 tasks done"), "{collected}");
    for length in [1, 7, 8, 12, 16, 40] {
        write(&whole[..length]);
        let made = array.nestling(&["task", "tasks/0.task", "-q"]);
        assert!(made.status.success(), "{length} bytes: {}", stderr(&made));
    }
    let played = || {
        let collected = array.nestling(&["runs", "collect", "1", "tasks", "--json"]);
        events(&collected)[0]["playouts"].as_u64().unwrap()
    };
    assert_eq!((played(), played()), (300, 300), "what comes twice counts once");
    std::fs::write(array.path("tasks/1.task"), "damaged").unwrap();
    refused(
        &array.nestling(&["runs", "collect", "1", "tasks"]),
        1,
        &["tasks/1.task: the task is damaged", "another folder"],
    );
    std::fs::remove_file(array.path("tasks/1.task")).unwrap();
    let collected = array.done(&["runs", "collect", "1", "tasks"]);
    assert!(collected.contains("3 of 6 tasks done") && collected.contains("runs resume 1"), "{collected}");
}

/// What would be refused when the run starts is refused when it is stored for later.
#[test]
fn what_cannot_start_is_not_stored() {
    let array = Array::new();
    let later = |options: &[&str]| array.nestling(&[&["solve", "morpion-5d", "--later"], options].concat());
    refused(&later(&["-s", "repeat(nested(1))", "--target", "200"]), 2, &["no game reaches 200"]);
    refused(&later(&["-s", "repeat(nested(1))"]), 2, &["never ends by itself"]);
    let timed = later(&["--time", "1h", "-s", "repeat(nested(1))"]);
    assert!(!stdout(&timed).contains("runs tasks") && stdout(&timed).contains("runs resume 1"), "{}", stdout(&timed));
    let endless = later(&["-s", "repeat(playout)", "-p", "1000", "--seed", "4"]);
    assert!(stdout(&endless).contains("seed 4"), "{}", stdout(&endless));
    let divided = array.done(&["runs", "tasks", "2", "--count", "3", "-o", "a b"]);
    assert!(divided.contains("3 tasks in 3 files"), "{divided}");
    assert!(
        divided.contains(r"sbatch --array=0-2 --wrap 'nestling task '\''a b'\''/$SLURM_ARRAY_TASK_ID.task'"),
        "{divided}"
    );
}
