//! Running: what is missing is run, once, the same on any number of threads, within its time.

mod common;

use std::time::{Duration, Instant};

use common::{experiment, run, seconds, store};
use nestling::Cancel;
use nestling_lab::{Effort, Experiment, Reading, Runner, samples};
use nestling_registry::Registry;
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
        seconds: 0.0,
        track: reading.track.iter().map(|point| nestling_lab::Point { seconds: 0.0, ..*point }).collect(),
        ..reading
    };
    samples.remove(0).readings.into_values().map(steady).collect()
}

#[test]
fn readings_do_not_depend_on_the_threads() {
    let experiment = small();
    let ((_one, mut alone), (_other, mut together)) = (store(), store());
    run(&mut alone, &experiment, Effort::Full, 1);
    run(&mut together, &experiment, Effort::Full, 3);
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
    run(&mut store, &experiment, Effort::Full, 2);
    let bundles = |store: &Store| store.readings(&experiment.row(0, 1).sizes[0].definition.key()).unwrap();
    let before = bundles(&store);
    let done = run(&mut store, &experiment, seconds(5), 2);
    assert_eq!(bundles(&store), before, "nothing was missing");
    assert!(done.iter().all(|row| row.runs.0 == row.runs.1), "{done:?}");
}

/// An interrupted experiment comes to what one comes to that was left alone.
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
    run(&mut whole, &experiment, Effort::Full, 1);
    let (registry, cancel) = (Registry::standard(), Cancel::new());
    let mut ticks = 0;
    let mut runner = Runner {
        registry: &registry,
        store: &mut cut,
        seed: 1,
        workers: 1,
        effort: Effort::Full,
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
    run(&mut cut, &experiment, Effort::Full, 2);
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
    let began = Instant::now();
    let done = run(&mut store, &experiment, seconds(4), 2);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert_eq!(done[0].instead.as_deref(), Some("level 0 instead of 5"));
    assert!(done[0].runs.0 > 0);
    assert!(done[1].remark.as_ref().is_some_and(|remark| remark.contains("the budget had")), "{:?}", done[1]);
    assert!(done[2].remark.as_ref().is_some_and(|remark| remark.contains("no such file")), "{:?}", done[2]);
    assert!(done[3].remark.as_ref().is_some_and(|remark| remark.contains("was stopped")), "{:?}", done[3]);
    // The remarks are in the store for the report.
    let key = experiment.row(1, 0).sizes[0].definition.key();
    assert_eq!(samples(&store, &key).unwrap().1, done[1].remark);
}
