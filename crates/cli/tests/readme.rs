//! What README.md shows is what the binary prints, but for times and rates.

mod common;

use std::process::Command;

/// Replaces what depends on the machine: a number with a unit of time, a rate, an estimate.
fn steady(line: &str) -> String {
    if let Some((what, _)) = line.split_once(" playouts in ") {
        return format!("{what} playouts in some time");
    }
    if line.trim_start().starts_with("costs") { "costs something".to_owned() } else { line.trim_end().to_owned() }
}

/// Every `console` block: each `$ command` line prints the lines that follow it.
#[test]
fn the_readme_is_true() {
    let readme = include_str!("../../../README.md");
    let binary = assert_cmd::cargo::cargo_bin("nestling");
    let blocks: Vec<&str> =
        readme.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 3);
    for block in blocks {
        let (command, shown) = block.split_once('\n').unwrap();
        let command = command.strip_prefix("$ nestling ").unwrap();
        let script = format!("'{}' {command}", binary.display());
        let output = Command::new("sh")
            .args(["-c", &script])
            .env("NO_COLOR", "1")
            .env("NESTLING_STORE", common::store())
            .output()
            .unwrap();
        let printed = common::stdout(&output);
        let lines = |text: &str| text.trim_end().lines().map(steady).collect::<Vec<_>>();
        assert_eq!(lines(&printed), lines(shown), "{command}");
    }
}
