//! The help of the program, of every command and of its subcommands is checked in as docs/help, so that a change of it shows. `UPDATE=1 cargo
//! test --test all help::` writes the files anew.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assert_cmd::Command;

fn help(arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("nestling").unwrap();
    let output = command
        .args(arguments)
        .arg("--help")
        .env_remove("COLUMNS")
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = crate::common::stdout(&output);
    // Trailing blanks would not survive an editor.
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The commands that the program's own help lists.
fn commands(help: &str) -> Vec<&str> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").collect()
}

#[test]
fn help_is_as_checked_in() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/help");
    let mut texts = BTreeMap::from([("nestling.txt".to_owned(), help(&[]))]);
    for name in commands(&texts["nestling.txt"].clone()) {
        let text = help(&[name]);
        for part in commands(&text) {
            texts.insert(format!("{name}-{part}.txt"), help(&[name, part]));
        }
        texts.insert(format!("{name}.txt"), text);
    }
    for name in ["solve.txt", "runs-resume.txt", "lab-compare.txt"] {
        assert!(texts.contains_key(name), "{:?}", texts.keys());
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        for (name, text) in &texts {
            std::fs::write(folder.join(name), text).unwrap();
        }
    }
    let mut there = BTreeMap::new();
    for entry in std::fs::read_dir(&folder).expect("docs/help is there") {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        there.insert(name, std::fs::read_to_string(&path).unwrap());
    }
    for (name, text) in &texts {
        assert_eq!(there.get(name), Some(text), "docs/help/{name} is out of date; UPDATE=1 updates it");
    }
    assert_eq!(there.len(), texts.len(), "docs/help has a file of a command that no longer exists: {:?}", there.keys());
}

/// `nestling help` shows the help of a command, and the pages of the documentation.
#[test]
fn help_has_commands_and_pages() {
    let shown = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("nestling").unwrap();
        let output = command.args(arguments).env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8").output().unwrap();
        (output.status.code(), crate::common::stdout(&output), crate::common::stderr(&output))
    };
    let same = |one: &[&str], other: &[&str]| assert_eq!(shown(one).1, shown(other).1, "{one:?}");
    same(&["help", "solve"], &["solve", "--help"]);
    same(&["help", "runs", "list"], &["runs", "list", "--help"]);
    let (code, page, _) = shown(&["help", "concepts"]);
    assert_eq!(code, Some(0));
    assert!(page.contains("A search is an expression") && !page.contains("](") && !page.contains('\u{1b}'), "{page}");
    for wrong in [&["help", "nothing"][..], &["help", "runs", "nothing"], &["help", "concepts", "more"]] {
        let (code, _, message) = shown(wrong);
        assert_eq!((code, message.lines().count()), (Some(2), 1), "{message}");
    }
}

/// Whoever asks for help gets an example.
#[test]
fn every_command_has_an_example() {
    let whole = help(&[]);
    for name in commands(&whole) {
        let text = help(&[name]);
        assert!(text.contains(&format!("  nestling {name}")), "{name} has no example:\n{text}");
    }
}
