//! `nestling learn`: a network from games, and searches that play by it.

use crate::common::{events, nestling, refused, refused_at, results, stderr, stdout};
use serde_json::Value;
use tempfile::TempDir;

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

/// A small training with some more words.
fn learn(words: &[&str]) -> std::process::Output {
    nestling(
        &[&["learn", "morpion-4d", "--epochs", "2", "--hidden", "8", "--rate", "0.03", "--seed", "1", "-q"], words]
            .concat(),
    )
}

fn solved(search: &str, more: &[&str]) -> Value {
    let output = nestling(&[&["solve", "morpion-4d", "-s", search, "--seed", "1", "--json"], more].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    results(&output).remove(0)
}

/// Games are made and learned from; the network does not depend on the threads, and searches play by it.
#[test]
fn a_network_is_trained_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second, plot] = ["one.nn", "two.nn", "training.svg"].map(|name| path(&folder, name));
    let games = ["-s", "nrpa(1, iterations=20)", "--runs", "20"];
    let output = learn(&[&games[..], &["-o", &first, "--plot", &plot, "--threads", "1"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("of 18 games") && stdout(&output).contains("In 2 other games"),
        "{}",
        stdout(&output)
    );
    assert!(std::fs::read_to_string(&plot).unwrap().contains("games kept apart"));
    let output = learn(&[&games[..], &["-o", &second, "--threads", "2", "--json"]].concat());
    let told = events(&output);
    assert_eq!(told.iter().filter(|event| event["event"] == "epoch").count(), 2);
    assert!(told[2]["validation_loss"].as_f64() < told[2]["uniform_loss"].as_f64(), "{}", told[2]);
    let text = std::fs::read_to_string(&first).unwrap();
    assert!(text.starts_with("# network: morpion-4d\n"), "{text}");
    assert_eq!(text, std::fs::read_to_string(&second).unwrap());

    let search = format!("repeat(20, playout(weights=\"{first}\"))");
    let by_network = solved(&search, &["--no-store"]);
    assert_ne!(by_network["moves"], solved("repeat(20, playout)", &["--no-store"])["moves"]);
    let shown = nestling(&["weights", "morpion-4d", "--weights", &first]);
    assert!(shown.status.success(), "{}", stderr(&shown));
    let edited = nestling(&["weights", "morpion-4d", "--weights", &first, "-o", &path(&folder, "table.txt")]);
    refused(&edited, 2, &["one.nn", "is a network", "leave -o out"]);
}

/// A stored run keeps its network, and games of a store can be learned from.
#[test]
fn stores_have_networks_and_games() {
    let folder = tempfile::tempdir().unwrap();
    let [network, store] = ["policy.nn", "runs.db"].map(|name| path(&folder, name));
    let output = learn(&["-s", "nrpa(1, iterations=20)", "--runs", "20", "-o", &network]);
    assert!(output.status.success(), "{}", stderr(&output));
    let search = format!("nrpa(2, iterations=20, weights=\"{network}\")");
    let whole = solved(&search, &["--no-store"]);
    let later = nestling(&["solve", "morpion-4d", "-s", &search, "--seed", "1", "--store", &store, "--later"]);
    assert!(later.status.success(), "{}", stderr(&later));
    std::fs::remove_file(&network).unwrap();
    let resumed = nestling(&["runs", "resume", "1", "--store", &store, "--json"]);
    assert!(resumed.status.success(), "{}", stderr(&resumed));
    assert_eq!(results(&resumed)[0]["moves"], whole["moves"]);
    refused(&learn(&["--games", &store, "-o", &network]), 2, &["too few to learn from", "at least 10"]);
}

#[test]
fn mistakes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let network = path(&folder, "policy.nn");
    refused(&learn(&["--runs", "9", "-o", &network]), 2, &["--runs", "10"]);
    refused(&learn(&["--runs", "10", "-o", "-"]), 2, &["-o -", "name a file"]);
    let words = |problem: &'static str| ["learn", problem, "--runs", "10", "-o", &network];
    refused(&nestling(&words("left-move:10")), 2, &["left-move:10", "no features"]);
    refused(&nestling(&words("nonsense")), 2, &["nonsense"]);
    refused(&learn(&["--games", &path(&folder, "none.psol"), "-o", &network]), 2, &["none.psol"]);
    refused(&learn(&["--games", "x.psol", "--runs", "30", "-o", &network]), 2, &["--games", "--runs"]);
    refused_at(&learn(&["-s", "nrpa(2", "-o", &network]), 2, &["the search", "column 7"]);
    let rate = ["learn", "morpion-4d", "--rate", "7", "-o", &network];
    refused(&nestling(&rate), 2, &["--rate", "above 0"]);
    refused(&learn(&["-s", "nrpa(1, weights=missing.nn)", "-o", &network]), 2, &["missing.nn"]);
    refused(&learn(&["-s", "nrpa(1)", "-o", &network, "--plot", &network]), 2, &["policy.nn", "-o and --plot"]);
    refused(&nestling(&["learn", "samegame:seed={run}", "--games", "x.db", "-o", &network]), 2, &["{run}"]);
    std::fs::write(&network, "mine").unwrap();
    refused(&learn(&["--games", &network, "-o", &network]), 2, &["policy.nn", "both input and output"]);
    refused(&learn(&["--runs", "10", "-s", "nrpa(1)", "-o", &network]), 2, &["policy.nn", "--force"]);
    assert_eq!(std::fs::read_to_string(&network).unwrap(), "mine");
}
