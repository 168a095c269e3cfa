//! What shells complete, asked as their scripts ask.

use std::process::Command;

use crate::common::{nestling, stderr, stdout};

/// The candidates for the last of these words, as a shell gets them.
fn candidates(shell: &str, words: &[&str], store: &str) -> Vec<String> {
    let output = Command::new(assert_cmd::cargo::cargo_bin("nestling"))
        .args(["--", "nestling"])
        .args(words)
        .env("NESTLING_COMPLETE", shell)
        .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
        .env("_CLAP_IFS", "\n")
        .env("NESTLING_STORE", store)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    // Some shells get a description behind each, after a tab or a colon.
    let bare = |line: &str| line.split(['\t', ':']).next().unwrap().to_owned();
    stdout(&output).lines().map(bare).filter(|line| !line.starts_with('-')).collect()
}

const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

#[test]
fn names_are_completed() {
    let cases: [(&[&str], &[&str]); 9] = [
        (&["sol"], &["solve"]),
        (&["solve", "morpion-5"], &["morpion-5t", "morpion-5d"]),
        (&["explain", "nested(1)", "samegam"], &["samegame"]),
        (&["explain", "samegam"], &["samegame"]),
        (&["lab", "compare", "leftm"], &["leftmost-path"]),
        (&["records", "rosin17"], &["rosin178", "rosin177a", "rosin177b", "rosin172", "rosin170a"]),
        (&["match", ""], &["quarto"]),
        (&["solve", "morpion-5d", "--device", "c"], &["cpu", "cuda"]),
        (&["lab", "run", "reflexive-table-"], &["reflexive-table-1", "reflexive-table-2", "reflexive-table-3"]),
    ];
    for shell in SHELLS {
        for (words, wanted) in cases {
            assert_eq!(candidates(shell, words, "/nowhere"), wanted, "{shell}: {words:?}");
        }
        assert!(!candidates(shell, &["solve", ""], "/nowhere").contains(&"quarto".to_owned()), "it is a game for two");
    }
}

/// The runs of the store that is meant, by variable or by flag; those that can be resumed where that is asked for.
#[test]
fn runs_are_completed() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db").to_str().unwrap().to_owned();
    assert_eq!(candidates("bash", &["runs", "show", ""], &store), [""; 0], "there is no store yet");
    assert!(!std::path::Path::new(&store).exists(), "and none is made");
    for _ in 0..2 {
        let solve = ["solve", "morpion-5d", "-s", "repeat(nested(1))", "--time", "1500ms", "--checkpoint", "20ms"];
        assert!(nestling(&[&solve[..], &["--store", &store]].concat()).status.success());
    }
    let interrupted = nestling_store::Store::open(std::path::Path::new(&store)).unwrap();
    interrupted_run(interrupted);
    for shell in SHELLS {
        for command in ["show", "export", "delete"] {
            assert_eq!(candidates(shell, &["runs", command, ""], &store), ["3", "2", "1"], "{shell}");
        }
        assert_eq!(candidates(shell, &["runs", "resume", ""], &store), ["3"], "{shell}");
        assert_eq!(candidates(shell, &["runs", "--store", &store, "show", "2"], "/nowhere"), ["2"], "{shell}");
    }
}

/// Adds a run that nobody works on.
fn interrupted_run(mut store: nestling_store::Store) {
    let spec = nestling_registry::RunSpec::new("morpion-5d").search("nested(1)");
    assert_eq!(store.add(&spec).unwrap(), 3);
}

/// A store that is damaged has no runs to offer, and prints nothing while a person types.
#[test]
fn a_damaged_store_offers_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("runs.db");
    std::fs::write(&store, "something else altogether, long enough to be taken for a database of some kind or other")
        .unwrap();
    assert_eq!(candidates("bash", &["runs", "show", ""], store.to_str().unwrap()), [""; 0]);
}

/// The scripts ask the program; bash is tried for real where it is there.
#[test]
fn scripts_ask_the_program() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&nestling(&["completions", shell]));
        assert!(script.contains("NESTLING_COMPLETE") && script.contains("nestling"), "{shell}: {script}");
    }
    let binary = assert_cmd::cargo::cargo_bin("nestling");
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let script = "source <(nestling completions bash); COMP_WORDS=(nestling solve morpion-4); COMP_CWORD=2; COMP_TYPE=9
        _clap_complete_nestling nestling morpion-4 solve; echo \"${COMPREPLY[*]}\"";
    match Command::new("bash").args(["-c", script]).env("PATH", path).output() {
        Ok(output) => assert_eq!(stdout(&output), "morpion-4t morpion-4d\n", "{}", stderr(&output)),
        Err(_) => nestling_testing::skip(nestling_testing::Need::System, "there is no bash here"),
    }
}
