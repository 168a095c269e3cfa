//! `nestling hunt`.

use std::collections::BTreeSet;

use crate::common::{nestling, refused, stderr, stdout, store};
use nestling_registry::Registry;
use nestling_store::Store;

/// The families of the games in the hall of fame that score at least so much.
fn families(least: f64) -> (usize, BTreeSet<Vec<u8>>) {
    let problem = Registry::standard().open("morpion-5d").unwrap();
    let hall = Store::open(&store()).unwrap().hall_of_fame("morpion-5d", usize::MAX).unwrap();
    let good: Vec<_> = hall.iter().filter(|game| game.score >= least).collect();
    let family = |game: &&nestling_store::FamousGame| problem.family(&problem.certify(&game.moves).unwrap()).unwrap();
    (good.len(), good.iter().map(family).collect())
}

/// Of every family a game is kept, none twice, also after the hunt was resumed; the summary tells what was seen.
#[test]
fn good_games_are_kept_by_family() {
    let search = "repeat(pool(60000, cycle=60000))";
    let hunt = ["hunt", "morpion-5d", "-s", search, "--seed", "3", "--keep", "70", "--target", "84", "--device", "cpu"];
    let output = nestling(&[&hunt[..], &["--time", "3s", "--threads", "1"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let told = stdout(&output);
    assert!(
        told.contains("searches by their best score: ") && told.contains("families by their best score: "),
        "{told}"
    );
    let (games, families_before) = families(70.0);
    assert!(games > 10, "{games}");
    assert_eq!(games, families_before.len(), "no family is kept twice");
    let output = nestling(&["runs", "resume", "1", "--time", "12s", "--threads", "1"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let (games, after) = families(70.0);
    assert_eq!(games, after.len(), "no family is kept twice");
    assert_ne!(after, families_before, "the hunt went on");
}

#[test]
fn scores_that_make_no_sense_are_refused() {
    refused(&nestling(&["hunt", "morpion-4d"]), 2, &["morpion-4d", "proven", "35"]);
    refused(&nestling(&["hunt", "bus"]), 2, &["no record is known", "--target", "--keep"]);
    refused(&nestling(&["hunt", "morpion-5d", "--keep", "90"]), 2, &["--keep 90"]);
    let beyond = ["hunt", "morpion-5d", "--target", "100000", "--device", "cpu"];
    refused(&nestling(&beyond), 2, &["100000", "proven", "84"]);
}

/// The games of one problem, published and found here, are listed by its name.
#[test]
fn the_games_of_a_problem_are_listed() {
    let listed = nestling(&["records", "morpion-5t"]);
    assert!(listed.status.success(), "{}", stderr(&listed));
    let told = stdout(&listed);
    assert!(told.contains("rosin178") && !told.contains("rosin82") && !told.contains("left-move"), "{told}");
    refused(&nestling(&["records", "morpion-5t", "-o", "a.psol"]), 2, &["morpion-5t", "no games of your own runs"]);
    refused(&nestling(&["records", "rosin178", "--json"]), 2, &["--json", "rosin178"]);
}

/// What was found is written to one file, and a hunt begins with it.
#[test]
fn a_hunt_begins_with_known_games() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let found = file("found.psol");
    let before = ["hunt", "morpion-5d", "-s", "repeat(pool(60000, cycle=60000))", "--keep", "65", "--time", "2s"];
    nestling(&[&before[..], &["--seed", "1", "--device", "cpu", "--threads", "1"]].concat());
    assert!(nestling(&["records", "morpion-5d", "-o", &found]).status.success());
    let verified = stdout(&nestling(&["verify", &found]));
    let games = verified.lines().filter(|line| line.contains("found.psol#")).count();
    assert!(games >= 2, "{verified}");
    refused(&nestling(&["records", "morpion-5d", "-o", &found]), 2, &["found.psol", "exists", "--force"]);
    refused(&nestling(&["records", "morpion-5d", "-o", &file("found.svg")]), 2, &["found.svg", "one game"]);
    let best =
        verified.lines().filter_map(|line| line.split_whitespace().find_map(|word| word.parse::<u32>().ok())).max();
    let best = best.unwrap_or_else(|| panic!("{verified}")).to_string();
    let hunt = ["hunt", "morpion-5d", "--from-games", &found, "--target", &best, "--keep", &best, "--device", "cpu"];
    let hunted = nestling(&[&hunt[..], &["--time", "60s", "--seed", "1", "--threads", "1"]].concat());
    assert!(hunted.status.success(), "the best of the file is found at once: {}{}", stdout(&hunted), stderr(&hunted));
    assert!(stdout(&hunted).contains(&format!("searches by their best score: {best} (1)")), "{}", stdout(&hunted));
    refused(&nestling(&["hunt", "morpion-5t", "--from-games", &found]), 2, &["found.psol#1", "morpion-5d"]);
    refused(&nestling(&["hunt", "morpion-5d", "--from-games", &file("none.psol")]), 2, &["none.psol"]);
}
