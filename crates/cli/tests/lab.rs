//! The lab as a user runs it.

use crate::common::{nestling, results, stderr, stdout};

/// The lab says once that the processor runs what no GPU can, or could.
#[test]
fn the_lab_runs_on_the_processor_what_a_gpu_cannot_make() {
    let experiment = "
title = \"A test\"
paper = \"by hand\"
source = [\"a test\"]
[[series]]
name = \"playouts\"
problem = \"left-move:12\"
search = \"playout\"
runs = 5
";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, experiment).unwrap();
    let path = path.to_str().unwrap();
    let output = nestling(&["lab", "run", "--experiments", path, "--all", "--full", "--json", "--device", "auto"]);
    assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains("the processor"), "{}", stderr(&output));
    let row: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&row["device"], &row["runs"]), (&"cpu".into(), &5.into()));
}

/// The command that stands beside a run makes the run again.
#[test]
fn every_exported_run_can_be_made_again() {
    let experiment = "
title = \"A test\"
paper = \"by hand\"
source = [\"a test\"]
[[series]]
name = \"search, with a comma\"
problem = \"samegame:seed={run},size=5x5\"
search = \"repeat(nested(1))\"
playouts = 200
runs = 3
[[series]]
name = \"games\"
problem = \"quarto\"
player = \"uct(20)\"
opponent = \"second\"
runs = 4
";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, experiment).unwrap();
    let path = path.to_str().unwrap();
    assert!(nestling(&["lab", "run", "--experiments", path, "--all", "--full"]).status.success());
    let csv = stdout(&nestling(&["lab", "export", "--experiments", path]));
    assert!(csv.starts_with("experiment,row,size,run,seed,score,"), "{csv}");
    let mut made = 0;
    for line in csv.lines().skip(1) {
        let line = line.replace("\"search, with a comma\"", "search");
        let (score, command) = (line.split(',').nth(5).unwrap(), command_of(&line));
        let arguments: Vec<&str> = command.iter().skip(1).map(String::as_str).chain(["--json"]).collect();
        let output = nestling(&arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        if arguments[0] == "solve" {
            assert_eq!(results(&output)[0]["score"].as_f64(), score.parse().ok(), "{line}");
        }
        made += 1;
    }
    assert_eq!(made, 7);
}

/// A night's budget goes to the claims without a verdict, and ends when there are none left.
#[test]
fn the_lab_stops_when_everything_is_decided() {
    let experiment = "
title = \"A test\"
paper = \"by hand\"
source = [\"a test\"]
[[series]]
name = \"levels\"
problem = \"left-move:30\"
search = \"nested({level})\"
runs = 20
over = { level = [0, 1] }
[[series]]
name = \"of no claim\"
problem = \"left-move:40\"
search = \"nested(2)\"
[[claim]]
of = \"levels[level=1]\"
than = \"levels[level=0]\"
kind = \"better\"
";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, experiment).unwrap();
    let run = ["lab", "run", "--experiments", path.to_str().unwrap(), "--until-decided", "--budget", "60s"];
    let output = nestling(&run);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("no claim is open that the runs its file asks for could decide"),
        "{}",
        stderr(&output)
    );
    let text = stdout(&output);
    assert!(text.contains("20 of 20") && !text.contains("of no claim"), "{text}");
    let both = nestling(&[&run[..5], &["--full"]].concat());
    assert_eq!(both.status.code(), Some(2));
    assert!(["--until-decided", "--full"].iter().all(|flag| stderr(&both).contains(flag)), "{}", stderr(&both));
}

/// The words of the last field of a line, as a shell would split it.
fn command_of(line: &str) -> Vec<String> {
    let start = line.find("nestling ").unwrap();
    let command = line[start..].trim_end_matches('"').replace("\"\"", "\"");
    let mut words = Vec::new();
    for (index, part) in command.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}
