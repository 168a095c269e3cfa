//! Running: what is missing is run, once, the same on any number of threads, within its time.

use std::time::Duration;

use crate::common::{experiment, fill_key, judged, run, seconds, store};
use nestling::Cancel;
use nestling_lab::{Experiment, LabEffort, OpenClaim, Reading, Runner, Verdict, open_claims, samples};
use nestling_registry::{Device, Registry};
use nestling_store::Store;

fn small() -> Experiment {
    experiment(
        "
[[series]]
name = \"levels\"
problem = \"left-move:12\"
search = \"nested({level})\"
runs = 30
track = true
over = { level = [0, 1] }

[[series]]
name = \"exact\"
problem = \"left-move:12\"
exact = \"nested(1)\"
runs = 1
",
    )
}

/// The readings of a row, times apart.
fn readings(store: &Store, experiment: &Experiment, series: usize, row: usize) -> Vec<Reading> {
    let key = experiment.row(series, row).sizes[0].definition.key();
    let mut samples = samples(store, &key).unwrap().0;
    assert_eq!(samples.len(), 1);
    let steady = |reading: Reading| Reading {
        seconds: None,
        track: reading.track.iter().map(|point| nestling_lab::Point { seconds: 0.0, ..*point }).collect(),
        ..reading
    };
    samples.remove(0).readings.into_values().map(steady).collect()
}

#[test]
fn readings_do_not_depend_on_the_threads() {
    let experiment = small();
    let ((_one, mut alone), (_other, mut together)) = (store(), store());
    run(&mut alone, &experiment, LabEffort::Full, 1);
    run(&mut together, &experiment, LabEffort::Full, 3);
    for row in 0..2 {
        let expected = readings(&alone, &experiment, 0, row);
        assert_eq!(expected.len(), 30);
        assert_eq!(expected, readings(&together, &experiment, 0, row));
    }
    let key = experiment.row(1, 0).sizes[0].definition.key();
    let exact = samples(&alone, &key).unwrap().0.remove(0).distribution.unwrap();
    assert!((exact.iter().sum::<f64>() - 1.0).abs() < 1e-9 && exact.len() == 13);
}

#[test]
fn what_is_there_is_not_run_again() {
    let experiment = small();
    let (_folder, mut store) = store();
    run(&mut store, &experiment, LabEffort::Full, 2);
    let bundles = |store: &Store| store.readings(&experiment.row(0, 1).sizes[0].definition.key()).unwrap();
    let before = bundles(&store);
    let done = run(&mut store, &experiment, seconds(5), 2);
    assert_eq!(bundles(&store), before, "nothing was missing");
    assert!(done.iter().all(|row| row.runs.0 == row.runs.1), "{done:?}");
}

/// An interrupted experiment has the same result as an uninterrupted one.
#[test]
fn an_interruption_costs_nothing_that_is_finished() {
    let experiment = experiment(
        "
[[series]]
name = \"levels\"
problem = \"left-move:30\"
search = \"nested({level})\"
runs = 1000
over = { level = [1, 2] }
",
    );
    let ((_one, mut whole), (_other, mut cut)) = (store(), store());
    run(&mut whole, &experiment, LabEffort::Full, 1);
    let (registry, cancel) = (Registry::standard(), Cancel::new());
    let mut ticks = 0;
    let mut runner = Runner {
        registry: &registry,
        store: &mut cut,
        seed: 1,
        workers: 1,
        device: Device::Cpu,
        cluster: None,
        effort: LabEffort::Full,
        cancel: cancel.clone(),
    };
    runner
        .run(&[&experiment], &mut |_| {
            ticks += 1;
            // Two are told of before anything is run.
            if ticks == 4 {
                cancel.cancel();
            }
        })
        .unwrap();
    run(&mut cut, &experiment, LabEffort::Full, 2);
    for row in 0..2 {
        assert_eq!(readings(&whole, &experiment, 0, row), readings(&cut, &experiment, 0, row));
    }
}

/// What does not fit a budget takes a smaller size, or says what it would have needed.
#[test]
fn budgets_are_kept_and_what_they_cost_is_said() {
    let experiment = experiment(
        "
[[series]]
name = \"level 5\"
problem = \"morpion-5d\"
search = \"nested(5)\"
[[series.instead]]
what = \"level 0 instead of 5\"
search = \"nested(0)\"

[[series]]
name = \"level 6\"
problem = \"morpion-5d\"
search = \"nested(6)\"

[[series]]
name = \"elsewhere\"
problem = \"samegame:there is no such file\"
search = \"playout\"

[[series]]
name = \"no end\"
problem = \"morpion-5d\"
search = \"repeat(nested(1))\"
time = \"1000s\"
expect = \"1ms\"
",
    );
    let (_folder, mut store) = store();
    let done = run(&mut store, &experiment, seconds(4), 2);
    assert_eq!(done[0].instead.as_deref(), Some("level 0 instead of 5"));
    assert!(done[0].runs.0 > 0);
    assert!(done[1].remark.as_ref().is_some_and(|remark| remark.contains("the budget allowed")), "{:?}", done[1]);
    assert!(done[2].remark.as_ref().is_some_and(|remark| remark.contains("no such file")), "{:?}", done[2]);
    assert!(done[3].remark.as_ref().is_some_and(|remark| remark.contains("was stopped")), "{:?}", done[3]);
    // The remarks are in the store for the report.
    let key = experiment.row(1, 0).sizes[0].definition.key();
    assert_eq!(samples(&store, &key).unwrap().1, done[1].remark);
}

/// The full size looks cheap and never ends; the smaller one gets its turn within the budget.
#[test]
fn what_turns_out_too_long_is_run_smaller() {
    let experiment = experiment(
        "
[[series]]
name = \"endless\"
problem = \"morpion-5d\"
search = \"repeat(playout)\"
time = \"1000s\"
expect = \"1ms\"
runs = 5
[[series.instead]]
what = \"100 ms instead of 1,000 s\"
time = \"100ms\"
expect = \"100ms\"
[[claim]]
of = \"endless\"
kind = \"record\"
published = 1000
",
    );
    let (_folder, mut store) = store();
    let done = run(&mut store, &experiment, seconds(6), 1).remove(0);
    assert_eq!((done.instead.as_deref(), done.runs), (Some("100 ms instead of 1,000 s"), (5, 5)), "{done:?}");
    assert!(done.remark.as_ref().is_some_and(|remark| remark.contains("full size was stopped")), "{done:?}");
    assert_eq!(judged(&store, &experiment)[0].verdict, Some(Verdict::ReducedSize));
}

/// A smaller size of one row may be what another row is.
#[test]
fn two_rows_that_run_the_same_lose_nothing() {
    let experiment = experiment(
        "
[[series]]
name = \"level 0\"
problem = \"morpion-5d\"
search = \"nested(0)\"
runs = 20

[[series]]
name = \"level 6\"
problem = \"morpion-5d\"
search = \"nested(6)\"
runs = 40
[[series.instead]]
what = \"level 0 instead of 6\"
search = \"nested(0)\"
",
    );
    let (_folder, mut store) = store();
    let done = run(&mut store, &experiment, seconds(5), 2);
    assert_eq!((done[0].runs, done[1].runs), ((20, 20), (40, 40)), "{done:?}");
    assert_eq!(readings(&store, &experiment, 0, 0).len(), 40);
}

/// What another process puts into the store while this one is at work is left alone, and what is around it is kept.
#[test]
fn two_processes_lose_nothing() {
    let experiment = small();
    let (folder, mut store) = store();
    let mut other = Store::open(&folder.path().join("runs.db")).unwrap();
    let (registry, key) = (Registry::standard(), experiment.row(0, 0).sizes[0].definition.key());
    let mut told = 0;
    let mut runner = Runner {
        registry: &registry,
        store: &mut store,
        seed: 1,
        workers: 1,
        device: Device::Cpu,
        cluster: None,
        effort: LabEffort::Full,
        cancel: Cancel::new(),
    };
    let done = runner.run(&[&experiment], &mut |_| {
        told += 1;
        // When the second row is looked at, it is known what the first one has.
        if told == 2 {
            let data = r#"{"score": [7, 8], "seconds": [1, 1], "playouts": [1, 1], "moves": [1, 1]}"#;
            assert!(other.add_readings(&key, 1, 3, 2, data).unwrap());
        }
    });
    assert_eq!(done.unwrap()[0].runs, (30, 30));
    let scores: Vec<f64> = readings(&store, &experiment, 0, 0).iter().map(|reading| reading.score).collect();
    assert_eq!((scores.len(), &scores[3..5]), (30, &[7.0, 8.0][..]));
    let counts: Vec<u64> = store.readings(&key).unwrap().iter().map(|bundle| bundle.count).collect();
    assert_eq!(counts, [2, 3, 25], "no number is there twice");
}

/// A run that panics costs its row, not the whole command.
#[test]
fn a_run_that_breaks_down_is_told() {
    let registry = Registry::standard().with("brittle", "breaks in run 3", |text| {
        assert!(text != "3", "this is what the test is about");
        Ok(nestling_puzzles::LeftMove::new(12))
    });
    let text = "
title = \"A test\"
paper = \"by hand\"
source = [\"a test\"]
[[series]]
name = \"brittle\"
problem = \"brittle:{run}\"
search = \"playout\"
runs = 10
[[series]]
name = \"sound\"
problem = \"left-move:12\"
search = \"playout\"
runs = 10
";
    let experiment = Experiment::read("test.toml", text, &registry).unwrap();
    let (_folder, mut store) = store();
    let (effort, cancel) = (LabEffort::Full, Cancel::new());
    let device = Device::Cpu;
    let mut runner =
        Runner { registry: &registry, store: &mut store, seed: 1, workers: 2, device, cluster: None, effort, cancel };
    let done = runner.run(&[&experiment], &mut |_| {}).unwrap();
    assert_eq!(done[0].remark.as_deref(), Some("run 3 broke down; please report this"));
    assert!(done[0].runs.0 >= 3 && done[0].runs.0 < 10, "{done:?}");
    assert_eq!((done[1].runs, done[1].remark.as_ref()), ((10, 10), None));
}

/// Time goes to claims without a verdict, at the full size; what is decided, or belongs to no claim, is left alone.
#[test]
fn time_is_spent_where_it_decides() {
    let experiment = experiment(
        "
[[series]]
name = \"levels\"
problem = \"left-move:12\"
search = \"nested({level})\"
runs = 30
over = { level = [0, 1] }
[[series.instead]]
what = \"4 moves\"
problem = \"left-move:4\"

[[series]]
name = \"of no claim\"
problem = \"left-move:13\"
search = \"nested(1)\"

[[series]]
name = \"only shown\"
problem = \"left-move:14\"
search = \"nested(1)\"

[[series]]
name = \"too long\"
problem = \"morpion-5d\"
search = \"nested(6)\"

[[series]]
name = \"broken\"
problem = \"samegame:there is no such file\"
search = \"playout\"

[[claim]]
of = \"levels[level=1]\"
than = \"levels[level=0]\"
kind = \"better\"
[[claim]]
of = \"only shown\"
kind = \"shown\"
[[claim]]
of = \"too long\"
kind = \"mean\"
margin = 1
published = 80
[[claim]]
of = \"broken\"
kind = \"mean\"
margin = 1
published = 80
",
    );
    let (_folder, mut store) = store();
    // Of one row a smaller size is there, which decides nothing.
    fill_key(&mut store, &experiment.row(0, 0).sizes[1].definition.key(), &[2.0; 30], 0.001);
    let open = open_claims(&store, [&experiment]).unwrap();
    assert_eq!(open.len(), 3, "{open:?}");
    let done = run(&mut store, &experiment, LabEffort::UntilDecided(Duration::from_secs(20)), 2);
    assert_eq!(judged(&store, &experiment)[0].verdict, Some(Verdict::Reproduced));
    let rows: Vec<(&str, (u64, u64))> = done.iter().map(|row| (&*row.row, row.runs)).collect();
    assert_eq!(rows, [("broken", (0, 100)), ("levels, level 0", (30, 30)), ("levels, level 1", (30, 30))], "{done:?}");
    let open = open_claims(&store, [&experiment]).unwrap();
    assert_eq!(open.len(), 2, "{open:?}");
    assert_eq!(open[0].more.runs, 100);
    let hours = |claim: &OpenClaim<'_>| claim.more.core_hours.is_some_and(|hours| hours > 24.0);
    assert!(open.iter().any(hours), "the cost of what was too long is known: {open:?}");
    let nothing = run(&mut store, &experiment, LabEffort::UntilDecided(Duration::from_secs(20)), 2);
    assert_eq!(nothing.iter().map(|row| &*row.row).collect::<Vec<_>>(), ["broken"], "what is decided is not run again");
}

/// Why a row has no smaller size is said where a run of it was too long.
#[test]
fn rows_without_a_smaller_size_say_why() {
    let experiment = experiment(
        "
[[series]]
name = \"level 6\"
problem = \"morpion-5d\"
search = \"nested(6)\"
expect = \"1000h\"
no_smaller = \"lower levels have rows of their own\"
",
    );
    let (_folder, mut store) = store();
    let done = run(&mut store, &experiment, seconds(1), 1).remove(0);
    let remark = done.remark.unwrap();
    assert!(remark.ends_with("; there is no smaller size: lower levels have rows of their own"), "{remark}");
}
