//! The binary, as a user runs it.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::PathBuf;
use std::process::Output;
use std::sync::OnceLock;

use assert_cmd::Command;
use serde_json::Value;

/// Runs `nestling` with these arguments.
pub fn nestling(arguments: &[&str]) -> Output {
    nestling_fed(arguments, b"")
}

/// Runs `nestling` with something on standard input.
pub fn nestling_fed(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::cargo_bin("nestling").unwrap();
    command.env("NESTLING_STORE", store());
    command.args(arguments).write_stdin(input).env("NO_COLOR", "1").env("RUST_BACKTRACE", "0").output().unwrap()
}

/// The store of this test process, so that no test touches the user's.
pub fn store() -> &'static std::path::Path {
    static STORE: OnceLock<PathBuf> = OnceLock::new();
    STORE.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("store-{}", std::process::id()));
        // A folder of an earlier process that had the same number.
        let _ = std::fs::remove_dir_all(&folder);
        folder.join("runs.db")
    })
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
    let events = stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    events.into_iter().filter(|event| event["event"] == "result").collect()
}

/// The exit code is `code`, nothing panicked, and standard error is one line that contains every one of `words`.
pub fn refused(output: &Output, code: i32, words: &[&str]) {
    let message = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert_eq!(message.lines().count(), 1, "not one line: {message}");
    assert!(!message.contains("panicked"), "{message}");
    assert!(message.len() < 600, "{} characters are no message", message.len());
    assert!(message.chars().all(|character| character == '\n' || !character.is_control()), "{message:?}");
    for word in words {
        assert!(message.contains(word), "{word:?} is not in: {message}");
    }
}

/// The folder with the benchmark data; without it a test says so and passes.
pub fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("NESTLING_DATA").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: NESTLING_DATA is not set");
    }
    folder
}

/// A file of one's own, gone after the test.
pub fn file(contents: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.psol");
    std::fs::write(&path, contents).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}
