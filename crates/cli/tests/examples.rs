//! The short programs in `examples` work. (`own_problem.rs` tests that with a problem, `examples/annealing` has tests of its own.)

use std::time::Duration;

use nestling::Stop;
use nestling_registry::RunSpec;
use nestling_store::Store;

#[allow(dead_code)]
#[path = "../examples/events.rs"]
mod events;
#[allow(dead_code)]
#[path = "../examples/match_of_two.rs"]
mod match_of_two;
#[allow(dead_code)]
#[path = "../examples/read_store.rs"]
mod read_store;

/// A listener ends the run at the first game that is long enough.
#[test]
fn a_listener_ends_a_run() {
    assert_eq!(events::search(60.0, Duration::from_secs(600)).unwrap(), Stop::Cancelled);
}

#[test]
fn a_match_is_won() {
    assert!(match_of_two::play(6).unwrap() > 0.7);
}

#[test]
fn a_store_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let listed = || {
        let mut text = Vec::new();
        read_store::list(&path, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    };
    assert!(listed().ends_with("no store yet; `nestling solve` makes one\n"));
    Store::open(&path).unwrap().add(&RunSpec::new("morpion-5d").search("nrpa(2)")).unwrap();
    assert_eq!(listed(), "run 1: morpion-5d by Some(\"nrpa(2)\"), nothing yet\n");
}
