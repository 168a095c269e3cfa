//! The store as a user meets it: gone, full, forbidden, read-only, damaged.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{refused, results, stderr, stdout};
use nestling_store::Store;
use nestling_testing::{Need, skip};
use serde_json::Value;
use tempfile::TempDir;

const RUN: [&str; 10] =
    ["solve", "morpion-5d", "-s", "nrpa(3, iterations=40)", "--seed", "7", "--checkpoint", "50ms", "--threads", "1"];

/// One that searches until it is killed.
const LONG_RUN: [&str; 8] = ["solve", "morpion-5d", "-s", "repeat(nested(1))", "--time", "10m", "--checkpoint", "50ms"];

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    (folder, path)
}

fn command(store: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("nestling"));
    command.args(arguments).env("NESTLING_STORE", store).env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

fn nestling(store: &Path, arguments: &[&str]) -> Output {
    command(store, arguments).output().unwrap()
}

/// Waits until a run has a checkpoint.
fn wait_for_checkpoint(store: &Path) {
    let began = Instant::now();
    let there =
        || Store::look(store).ok().flatten().is_some_and(|store| store.checkpoint(1, 0).is_ok_and(|c| c.is_some()));
    while !there() {
        assert!(began.elapsed() < Duration::from_secs(60), "no checkpoint came");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A store that is deleted during a run: the result is printed, without claiming that it is stored, and the exit code is 2.
#[test]
fn a_run_whose_store_was_deleted_is_not_kept() {
    for as_json in [false, true] {
        let (folder, path) = folder();
        // If time has ended a run, a line says how to continue it.
        let run = ["solve", "morpion-5d", "-s", "repeat(nested(1))", "--time", "3s", "--checkpoint", "50ms"];
        let run = [&run[..], if as_json { &["--json"] } else { &[] }].concat();
        let child = command(&path, &run).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_for_checkpoint(&path);
        for entry in folder.path().read_dir().unwrap() {
            std::fs::remove_file(entry.unwrap().path()).unwrap();
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("run 1 is not stored"), "{}", stderr(&output));
        assert!(stderr(&output).contains("was deleted or replaced"), "{}", stderr(&output));
        assert!(!stdout(&output).contains("stored as run"), "{}", stdout(&output));
        if as_json {
            let events: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert!(events.iter().any(|event| event["event"] == "not_stored" && event["id"] == 1));
            assert_eq!(results(&output).len(), 1);
        } else {
            assert!(stdout(&output).contains("repeat it:"), "{}", stdout(&output));
        }
    }
}

/// A path that cannot be looked at is an error, never "no runs".
#[test]
fn a_folder_without_permission_is_not_empty() {
    let nowhere = Path::new("/dev/null/runs.db");
    for arguments in [&["runs", "list"][..], &["runs", "show", "1"], &["runs", "salvage"], &["records"]] {
        refused(&nestling(nowhere, arguments), 2, &["/dev/null/runs.db", "cannot be opened"]);
    }
    let (folder, path) = folder();
    assert!(nestling(&path, &RUN).status.success());
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o000)).unwrap();
    for arguments in [&["runs", "list"][..], &["runs", "show", "1"], &["runs", "salvage"], &["records"]] {
        let Some(output) = as_nobody(command(&path, arguments)) else { break };
        refused(&output, 2, &["runs.db", "cannot be opened", "denied"]);
    }
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
}

/// Runs a command as an unprivileged user. Root may do everything, so that permissions mean nothing to it.
fn as_nobody(mut command: Command) -> Option<Output> {
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    if is_root {
        command.uid(65_534).gid(65_534).current_dir("/");
    }
    match command.output() {
        Ok(output) => Some(output),
        Err(error) => {
            skip(Need::System, &format!("nobody may not run the program: {error}"));
            None
        }
    }
}

/// What a store says, in the words of the commands that look at it.
fn looks(store: &Path, run: impl Fn(Command) -> Option<Output>) -> Option<Vec<String>> {
    let looks = [&["runs", "list"][..], &["runs", "show", "1"], &["runs", "export", "1"], &["records", "--json"]];
    looks
        .iter()
        .map(|arguments| {
            let output = run(command(store, arguments))?;
            assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
            Some(stdout(&output))
        })
        .collect()
}

/// A store with a finished run and one that was killed, whose data is in the log.
fn left_behind(path: &Path) {
    // Runs of less than 50 ms are not stored.
    let run = ["solve", "morpion-5d", "-s", "nrpa(3, iterations=60)", "--seed", "1", "--checkpoint", "50ms"];
    assert!(nestling(path, &run).status.success());
    let mut child = command(path, &LONG_RUN).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while Store::look(path).unwrap().unwrap().runs().unwrap().len() < 2 {
        assert!(began.elapsed() < Duration::from_secs(60), "no second run came");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A store that may be read and not written is listed, shown and exported, with what is in its log; writing to it is refused.
#[test]
fn a_store_of_somebody_else_can_be_read() {
    let (folder, path) = folder();
    left_behind(&path);
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o555)).unwrap();
    for entry in folder.path().read_dir().unwrap() {
        std::fs::set_permissions(entry.unwrap().path(), std::fs::Permissions::from_mode(0o444)).unwrap();
    }
    if let Some(seen) = looks(&path, as_nobody) {
        assert!(seen[0].contains("interrupted") && seen[0].contains("done"), "{}", seen[0]);
        for arguments in [&["runs", "delete", "1"][..], &["runs", "resume", "1"], &RUN] {
            let output = as_nobody(command(&path, arguments)).unwrap();
            refused(&output, 2, &["runs.db", "cannot be opened"]);
        }
    }
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// The same on a mount that is read-only, where not even root may write.
#[test]
fn a_store_on_a_read_only_mount_can_be_read() {
    let (folder, path) = folder();
    left_behind(&path);
    let mount = tempfile::tempdir().unwrap();
    let call = |arguments: &[&str]| {
        let status = Command::new("mount").args(arguments).arg(mount.path()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    if !call(&["--bind", folder.path().to_str().unwrap()]) {
        skip(Need::System, "nothing can be mounted here");
        return;
    }
    assert!(call(&["-o", "remount,ro,bind"]));
    let mounted = mount.path().join("runs.db");
    let with_log = looks(&mounted, |mut command| Some(command.output().unwrap())).unwrap();
    refused(&nestling(&mounted, &["runs", "delete", "1"]), 2, &["runs.db", "read-only"]);
    refused(&nestling(&mounted, &RUN), 2, &["runs.db", "cannot be opened", "--no-store"]);
    assert!(Command::new("umount").arg(mount.path()).status().unwrap().success());
    assert_eq!(looks(&path, |mut command| Some(command.output().unwrap())).unwrap(), with_log);
    assert!(!path.with_file_name("runs.db-wal").exists(), "now it is all in one file");
    assert!(call(&["--bind", folder.path().to_str().unwrap()]) && call(&["-o", "remount,ro,bind"]));
    let without = looks(&mounted, |mut command| Some(command.output().unwrap())).unwrap();
    assert!(Command::new("umount").arg(mount.path()).status().unwrap().success());
    assert_eq!(without, with_log);
}

/// After salvage dropped an outcome of a batch, the run is not done, and going on computes what is missing and no more.
#[test]
fn a_lost_outcome_is_computed_again() {
    let (_folder, path) = folder();
    let batch =
        ["solve", "morpion-5d", "-s", "nrpa(2)", "--runs", "8", "--seed", "3", "--checkpoint", "20ms", "--json"];
    let alone = nestling(&path, &batch);
    assert!(alone.status.success(), "{}", stderr(&alone));
    // A slow machine takes so many checkpoints that the copy is made, from which salvage would restore the outcome.
    let _ = std::fs::remove_file(path.with_file_name("runs.db-copy"));
    let mut bytes = std::fs::read(&path).unwrap();
    let word = b"\"recipe\":";
    let place = bytes.windows(word.len()).rposition(|window| window == word).unwrap();
    bytes[place + 2] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    refused(&nestling(&path, &["runs", "list"]), 2, &["damaged", "runs salvage"]);
    refused(&nestling(&path, &["runs", "resume", "1"]), 2, &["damaged", "runs salvage"]);
    let salvaged = stdout(&nestling(&path, &["runs", "salvage"]));
    assert!(salvaged.contains("missing: run 1: 1 of 8 outcomes\n"), "{salvaged}");
    let list = stdout(&nestling(&path, &["runs", "list"]));
    assert!(list.contains("7 of 8 runs") && list.contains("interrupted"), "{list}");
    let rest = nestling(&path, &["runs", "resume", "1", "--json"]);
    assert!(rest.status.success(), "{}", stderr(&rest));
    assert_eq!(results(&rest).len(), 1, "{}", stdout(&rest));
    let last = |output: &Output| stdout(output).lines().last().unwrap().to_owned();
    assert_eq!(last(&rest), last(&alone));
    assert!(stdout(&nestling(&path, &["runs", "list"])).contains("done"));
}

/// A first run that was killed early has everything in the log; a bit that changes there is not "no runs".
#[test]
fn a_changed_bit_in_the_log_is_not_an_empty_list() {
    let (_folder, path) = folder();
    let mut child = command(&path, &LONG_RUN).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for_checkpoint(&path);
    child.kill().unwrap();
    child.wait().unwrap();
    let log = path.with_file_name("runs.db-wal");
    let mut bytes = std::fs::read(&log).unwrap();
    bytes[32 + 24 + 100] ^= 1;
    std::fs::write(&log, &bytes).unwrap();
    for _ in 0..2 {
        refused(&nestling(&path, &["runs", "list"]), 2, &["runs.db", "writes are missing", "runs salvage"]);
    }
    refused(&nestling(&path, &RUN), 2, &["writes are missing", "--no-store"]);
    assert_eq!(std::fs::read(&log).unwrap(), bytes, "looking at it changes nothing");
    let salvaged = stdout(&nestling(&path, &["runs", "salvage"]));
    assert!(salvaged.contains("nothing is missing") && salvaged.contains("kept: 1 run, "), "{salvaged}");
    assert!(stdout(&nestling(&path, &["runs", "list"])).contains("interrupted"));
    assert!(stdout(&nestling(&path, &["runs", "salvage"])).contains("is whole: 1 run, "));
}

/// Salvage does not wait: during a run it is refused, and the message names the process.
#[test]
fn salvage_is_refused_while_a_run_goes_on() {
    let (_folder, path) = folder();
    let mut child = command(&path, &LONG_RUN).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for_checkpoint(&path);
    let output = nestling(&path, &["runs", "salvage"]);
    refused(&output, 2, &["run 1", &format!("process {}", child.id()), "salvage again"]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(stdout(&nestling(&path, &["runs", "salvage"])).contains("is whole"));
}
