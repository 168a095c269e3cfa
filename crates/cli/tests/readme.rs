//! What README.md shows is what the binary prints, but for times and rates; and docs/MAP.md has every file.

mod common;

use std::path::Path;
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

/// The map names every file and folder of the sources, in the section of its crate.
#[test]
fn the_map_is_complete() {
    let map = include_str!("../../../docs/MAP.md");
    let names = |folder: &Path| -> Vec<String> {
        let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
        entries.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
    };
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for name in names(crates) {
        let (_, section) = map.split_once(&format!("## `crates/{name}`")).unwrap_or_else(|| panic!("no {name}"));
        let section = section.split("\n## ").next().unwrap();
        let mut words = section.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect::<Vec<_>>();
        words.extend(["lib", "main"]);
        for file in names(&crates.join(&name).join("src")) {
            assert!(words.contains(&file.as_str()), "docs/MAP.md has no {file} in the section of crates/{name}");
        }
    }
}
