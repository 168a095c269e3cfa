//! The binary, as a user runs it.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::PathBuf;
use std::process::Output;
use std::sync::atomic::{AtomicU32, Ordering};

use assert_cmd::Command;
use serde_json::Value;

/// Runs `nestling` with these arguments.
pub fn nestling(arguments: &[&str]) -> Output {
    nestling_fed(arguments, b"")
}

/// Runs `nestling` with something on standard input.
pub fn nestling_fed(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::cargo_bin("nestling").unwrap();
    command.env("NESTLING_STORE", store()).env("LC_ALL", "C.UTF-8");
    command.args(arguments).write_stdin(input).env("NO_COLOR", "1").env("RUST_BACKTRACE", "0").output().unwrap()
}

/// The store of this test, so that no test touches the user's or another test's.
pub fn store() -> PathBuf {
    thread_local! {
        static STORE: PathBuf = {
            static NEXT: AtomicU32 = AtomicU32::new(0);
            let name = format!("store-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
            let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
            // A folder of an earlier process that had the same number.
            let _ = std::fs::remove_dir_all(&folder);
            folder.join("runs.db")
        };
    }
    STORE.with(PathBuf::clone)
}

/// Standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Standard error as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The `result` events of a run with `--json`.
pub fn results(output: &Output) -> Vec<Value> {
    events(output).into_iter().filter(|event| event["event"] == "result").collect()
}

/// The exit code is `code`, nothing panicked, and standard error is one line that contains every one of `words`.
pub fn refused(output: &Output, code: i32, words: &[&str]) {
    assert_eq!(stderr(output).lines().count(), 1, "not one line: {}", stderr(output));
    refused_first(output, code, words);
}

/// The same for an expression: below the line, the expression is shown with a mark under the culprit. Returns these two lines.
pub fn refused_at(output: &Output, code: i32, words: &[&str]) -> String {
    refused_first(output, code, words);
    let message = stderr(output);
    let lines: Vec<&str> = message.lines().collect();
    assert!(lines.len() == 3 && lines[2].trim() == "^", "no picture: {message}");
    lines[1..].join("\n")
}

/// What the first line of standard error says.
fn refused_first(output: &Output, code: i32, words: &[&str]) {
    let message = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert!(!message.contains("panicked"), "{message}");
    assert!(message.len() < 600, "{} characters are no message", message.len());
    assert!(message.chars().all(|character| character == '\n' || !character.is_control()), "{message:?}");
    let first = message.lines().next().unwrap_or_default();
    for word in words {
        assert!(first.contains(word), "{word:?} is not in: {message}");
    }
}

/// The events of a run with `--json`.
pub fn events(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A file of one's own, gone after the test.
pub fn file(contents: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.psol");
    std::fs::write(&path, contents).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}
