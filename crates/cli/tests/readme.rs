//! README.md and docs/GUIDE.md show what the binary prints, but for times and rates; their other commands work, and those of
//! docs/FIRST_STEPS.md; docs/SUMMARY.md and `nestling help` have every page.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const README: &str = include_str!("../../../README.md");
const GUIDE: &str = include_str!("../../../docs/GUIDE.md");
const FIRST_STEPS: &str = include_str!("../../../docs/FIRST_STEPS.md");
const CLUSTER: &str = include_str!("../../../docs/CLUSTER.md");

/// Replaces what depends on the machine: a number with a unit of time, a rate, an estimate.
fn steady(line: &str) -> String {
    if let Some((what, _)) = line.split_once(" playouts in ") {
        return format!("{what} playouts in some time");
    }
    if line.trim_start().starts_with("costs") { "costs something".to_owned() } else { line.trim_end().to_owned() }
}

/// The code blocks of a document in one language.
fn blocks<'a>(document: &'a str, language: &str) -> Vec<&'a str> {
    let start = format!("```{language}\n");
    document.split(start.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// Every `console` block: each `$ command` line prints the lines that follow it.
#[test]
fn the_documents_are_true() {
    let binary = assert_cmd::cargo::cargo_bin("nestling");
    let [readme, guide] = [README, GUIDE].map(|document| blocks(document, "console"));
    assert_eq!((readme.len(), guide.len()), (1, 2));
    for block in readme.into_iter().chain(guide) {
        let (command, shown) = block.split_once('\n').unwrap();
        let command = command.strip_prefix("$ nestling ").unwrap();
        let script = format!("'{}' {command}", binary.display());
        let output = Command::new("sh")
            .args(["-c", &script])
            .env("NO_COLOR", "1")
            .env("LC_ALL", "C.UTF-8")
            .env("NESTLING_STORE", crate::common::store())
            .output()
            .unwrap();
        let printed = crate::common::stdout(&output);
        let lines = |text: &str| text.trim_end().lines().map(steady).collect::<Vec<_>>();
        assert_eq!(lines(&printed), lines(shown), "{command}");
    }
}

/// Commands that cannot be tried here: a server that runs until it is stopped (`play.rs` and the tests of the app try it).
const UNTRIED: [&str; 1] = ["nestling play"];

/// Every line of the `sh` blocks that starts the program, without the comment behind it.
fn commands(document: &str) -> Vec<&str> {
    let lines = blocks(document, "sh").into_iter().flat_map(str::lines).filter(|line| line.starts_with("nestling "));
    lines.map(|line| line.split(" #").next().unwrap().trim_end()).collect()
}

/// The same command with a budget that a test has; a run is kept if it takes a second.
fn quick(command: &str) -> String {
    let is = |word: &str| command.split(' ').any(|other| other == word);
    let time = if is("resume") { "6s" } else { "1100ms" };
    // A network is not trained on fewer than ten games.
    let runs = if is("learn") { "10" } else { "2" };
    let budgets = [("--time", time), ("--games", "2"), ("--runs", runs), ("--budget", "1s")];
    let mut words: Vec<&str> = Vec::new();
    for word in command.split(' ') {
        let budget = words.last().and_then(|last| budgets.iter().find(|(option, _)| option == last));
        words.push(budget.map_or(word, |(_, budget)| budget));
    }
    let unbounded = is("solve") && !is("--time") && !is("dfs");
    let budget = if unbounded { " --playouts 300" } else { "" };
    words.join(" ").replace("time=1s", "time=20ms") + budget
}

/// Runs a line as a shell does, in a folder, with the binary as `nestling`.
fn shell(line: &str, folder: &Path) -> Command {
    let binary = assert_cmd::cargo::cargo_bin("nestling");
    let before = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(binary.parent().unwrap().to_owned()).chain(std::env::split_paths(&before));
    let path = std::env::join_paths(folders).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(folder).env("PATH", path);
    command.env("NO_COLOR", "1").env("NESTLING_STORE", folder.join("runs.db"));
    command
}

fn run(line: &str, folder: &Path) -> Output {
    // Whoever plays on the terminal leaves at once.
    let leaving = if line.contains("--terminal") { "echo quit | " } else { "" };
    shell(&format!("{leaving}{line}"), folder).stdin(Stdio::null()).output().unwrap()
}

/// Makes run 1, interrupted: killed when the store has it.
fn interrupt_a_run(folder: &Path) {
    let line = "exec nestling solve morpion-5d -s 'repeat(nrpa(2))' --seed 1 --time 4s --json";
    let mut child = shell(line, folder).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("\"event\":\"stored\"")), "the run was not kept");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The commands of docs/CLUSTER.md, one after another, with smaller searches.
#[test]
fn the_commands_of_the_cluster_page_work() {
    let folder = tempfile::tempdir().unwrap();
    let lines = blocks(CLUSTER, "sh").into_iter().flat_map(str::lines);
    let lines: Vec<String> = lines.map(|line| line.replace("200, nrpa(3)", "40, nrpa(1)")).collect();
    assert!(lines.len() >= 5, "{lines:?}");
    for line in lines {
        let output = run(&line, folder.path());
        assert!(output.status.success(), "{line}: {}", crate::common::stderr(&output));
    }
}

/// Every command works from a fresh clone, those of README.md, then those of docs/GUIDE.md and docs/FIRST_STEPS.md, one after another, with the files that the
/// clone has and those that earlier commands make.
#[test]
fn the_commands_of_the_documents_work() {
    let folder = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    std::fs::create_dir(folder.path().join("examples")).unwrap();
    // The folders among them are crates.
    for path in examples.read_dir().unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
        std::fs::copy(&path, folder.path().join("examples").join(path.file_name().unwrap())).unwrap();
    }
    std::fs::create_dir(folder.path().join("examples/models")).unwrap();
    for path in examples.join("models").read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        std::fs::copy(&path, folder.path().join("examples/models").join(path.file_name().unwrap())).unwrap();
    }
    interrupt_a_run(folder.path());
    let (readme, guide) = (commands(README), commands(GUIDE));
    assert!(readme.len() >= 5, "{readme:?}");
    assert!(guide.len() >= 25, "{guide:?}");
    let commands = [readme, guide, commands(FIRST_STEPS)].concat();
    for untried in UNTRIED {
        assert!(commands.contains(&untried), "{untried} is in neither document");
    }
    for command in commands.into_iter().filter(|command| !UNTRIED.contains(command)) {
        let line = quick(command);
        let output = run(&line, folder.path());
        if (command.contains("--device cuda") || command.starts_with("nestling hunt")) && !output.status.success() {
            // Without a GPU it says so; with one, or in a hunt, it may miss the target in so short a time.
            let refusal = crate::common::stderr(&output);
            assert!(output.status.code() == Some(1) || refusal.contains("--device cuda: "), "{line}: {refusal}");
            continue;
        }
        assert!(
            output.status.success(),
            "{line}: {}{}",
            crate::common::stdout(&output),
            crate::common::stderr(&output)
        );
    }
    for made in ["best.png", "tour.svg", "day.svg", "games.jsonl", "record.png", "score.svg", "report/index.html"] {
        assert!(folder.path().join(made).exists(), "{made} was not made");
    }
}

/// A page that is in neither would not be found.
#[test]
fn every_page_is_in_the_summary_and_in_the_help() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let summary = std::fs::read_to_string(folder.join("SUMMARY.md")).unwrap();
    let topics = |file: &str| nestling_docs::PAGES.iter().any(|page| page.file == file);
    let pages = files_below(&folder).into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    for page in pages.filter(|path| !path.ends_with("SUMMARY.md")) {
        let name = page.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/");
        assert!(summary.contains(&format!("]({name})")), "docs/SUMMARY.md has no link to {name}");
        assert!(name.contains('/') || topics(&name), "docs/lib.rs has no topic for {name}");
    }
}

/// The site makes a page for each problem of this table.
#[test]
fn every_problem_is_in_the_table_of_problems() {
    let section = include_str!("../../../docs/ALGORITHMS.md").split("\n## Problems\n").nth(1).unwrap();
    let table = section.split("\n\n").find(|part| part.starts_with("\n|") || part.starts_with('|')).unwrap();
    let firsts = table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let cells: Vec<&str> = firsts.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    for (name, _) in nestling_registry::Registry::standard().list() {
        let is_it = |cell: &&str| cell.split(':').next() == Some(name);
        assert!(cells.iter().any(is_it), "the table of docs/ALGORITHMS.md has no row for {name}");
    }
}

/// What takes minutes is marked as slow, with how long.
#[test]
fn slow_commands_are_marked() {
    let lines = README.lines().chain(GUIDE.lines());
    let slow: Vec<&str> = lines.filter(|line| line.starts_with("nestling match") && line.contains("time=1s")).collect();
    assert!(!slow.is_empty());
    for line in slow {
        assert!(line.contains("# slow, about ") && line.contains("minutes"), "{line}");
    }
}

/// The files below a folder, at any depth.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}
