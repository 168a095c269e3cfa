//! The rule for verdicts, kind by kind, on readings that are made up.

use crate::common::{SERIES, experiment, fill, judged, store};
use nestling_lab::{Judgement, Outcome, Results, Verdict, judge, samples};

/// The verdict on a claim when the first two series have these scores, each run having taken a tenth of a second.
fn verdict_on(claim: &str, one: &[f64], other: &[f64]) -> Judgement {
    let experiment = experiment(&format!("{SERIES}\n[[claim]]\nof = \"one\"\n{claim}"));
    let (_folder, mut store) = store();
    fill(&mut store, &experiment, 0, 0, one, 0.1);
    if !other.is_empty() {
        fill(&mut store, &experiment, 1, 0, other, 0.1);
    }
    judged(&store, &experiment).remove(0)
}

fn check(claim: &str, one: &[f64], other: &[f64], verdict: Verdict) {
    let judgement = verdict_on(claim, one, other);
    assert_eq!(judgement.verdict, Some(verdict), "{claim}: {judgement:?}");
    assert!(!judgement.why.is_empty(), "{claim}: a verdict has a reason");
}

/// A hundred scores from 41 to 60, five of each.
fn spread() -> Vec<f64> {
    (0..100).map(|index| f64::from(41 + index % 20)).collect()
}

#[test]
fn a_single_run_lies_in_the_central_95_percent() {
    let single = |published| format!("kind = \"single-run\"\npublished = {published}");
    check(&single(50), &spread(), &[], Verdict::Reproduced);
    check(&single(41), &spread(), &[], Verdict::Reproduced);
    check(&single(30), &spread(), &[], Verdict::Better);
    check(&single(70), &spread(), &[], Verdict::NotReproduced);
    // Of few runs, a prediction: mean 50, deviation 3.16, 8 degrees of freedom.
    let few: Vec<f64> = (46..=54).map(f64::from).collect();
    check(&single(56), &few, &[], Verdict::Reproduced);
    check(&single(58), &few, &[], Verdict::NotReproduced);
    check(&single(50), &few[..4], &[], Verdict::Reduced);
}

#[test]
fn a_mean_lies_in_its_interval() {
    let mean = |published| format!("kind = \"mean\"\npublished = {published}");
    // 50.5 ± 1.15
    check(&mean("51.6"), &spread(), &[], Verdict::Reproduced);
    check(&mean("52.3"), &spread(), &[], Verdict::NotReproduced);
    check(&mean("49.2"), &spread(), &[], Verdict::Better);
    check(&format!("{}\nprecision = 2", mean("52.3")), &spread(), &[], Verdict::Reproduced);
}

#[test]
fn times_have_a_direction() {
    let time = |published| format!("kind = \"time\"\npublished = {published}");
    check(&time("9.5"), &spread(), &[], Verdict::Better);
    check(&time("0.08"), &spread(), &[], Verdict::Reproduced);
    check(&time("0.05"), &spread(), &[], Verdict::NotReproduced);
    // A hundred runs of a tenth of a second.
    check("kind = \"total-time\"\npublished = 11.0", &spread(), &[], Verdict::Better);
    check("kind = \"total-time\"\npublished = 11.0", &spread()[..90], &[], Verdict::Reduced);
}

#[test]
fn records_are_beaten_or_not() {
    let record = |published| format!("kind = \"record\"\npublished = {published}");
    check(&record(60), &spread(), &[], Verdict::Reproduced);
    check(&record(59), &spread(), &[], Verdict::Better);
    check(&record(61), &spread(), &[], Verdict::NotReproduced);
    check(&record(50), &[50.0], &[], Verdict::Reproduced);
    // The runs that are missing may find it.
    check(&record(61), &spread()[..99], &[], Verdict::Reduced);
    check(&record(59), &spread()[..99], &[], Verdict::Better);
}

#[test]
fn shares_and_constants() {
    let share = |published: f64| format!("kind = \"share\"\ntarget = 56\npublished = {published}");
    check(&share(0.25), &spread(), &[], Verdict::Reproduced);
    check(&share(0.5), &spread(), &[], Verdict::NotReproduced);
    check(&share(0.01), &spread(), &[], Verdict::NotReproduced);
    check("kind = \"always\"\npublished = 7", &[7.0; 3], &[], Verdict::Reproduced);
    check("kind = \"always\"\npublished = 7", &[7.0, 7.0, 8.0], &[], Verdict::NotReproduced);
    check("kind = \"always\"\nwhat = \"moves\"\npublished = 1000", &[7.0; 3], &[], Verdict::Reproduced);
}

#[test]
fn rows_are_compared() {
    let lower: Vec<f64> = spread().iter().map(|score| score - 5.0).collect();
    check("than = \"other\"\nkind = \"better\"", &spread(), &lower, Verdict::Reproduced);
    check("than = \"other\"\nkind = \"better\"", &lower, &spread(), Verdict::NotReproduced);
    check("than = \"other\"\nkind = \"better\"", &spread(), &spread(), Verdict::NotReproduced);
    check("than = \"other\"\nkind = \"alike\"\nwithin = 1", &spread(), &spread(), Verdict::Reproduced);
    check("than = \"other\"\nkind = \"alike\"\nwithin = 1", &spread(), &lower, Verdict::NotReproduced);
    check("than = \"other\"\nkind = \"alike\"\nwithin = 6", &spread(), &lower, Verdict::Reproduced);
    let ratio =
        |published: f64| format!("than = \"other\"\nwhat = \"seconds\"\nkind = \"ratio\"\npublished = {published}");
    check(&ratio(1.4), &spread(), &spread(), Verdict::Reproduced);
    check(&ratio(0.5), &spread(), &spread(), Verdict::NotReproduced);
}

#[test]
fn what_is_missing_is_not_run() {
    let judgement = verdict_on("than = \"other\"\nkind = \"better\"", &spread(), &[]);
    assert_eq!((judgement.verdict, judgement.ours), (Some(Verdict::NotRun), None));
    assert_eq!(judgement.why, "not run yet");
    let judgement = verdict_on("kind = \"shown\"", &spread(), &[]);
    assert_eq!(judgement.verdict, None, "what is only shown has no verdict");
}

/// The verdict on a claim about the series with an axis, whose rows have these scores.
fn verdict_along(claim: &str, scores: [f64; 4]) -> Option<Verdict> {
    let experiment = experiment(&format!("{SERIES}\n[[claim]]\n{claim}"));
    let (_folder, mut store) = store();
    for (row, score) in scores.into_iter().enumerate() {
        let around: Vec<f64> = (0..20).map(|index| score + f64::from(index % 3) - 1.0).collect();
        fill(&mut store, &experiment, 2, row, &around, 0.1);
    }
    judged(&store, &experiment)[0].verdict
}

#[test]
fn shapes_of_curves() {
    let linear = "of = \"depth\"\nkind = \"linear\"";
    assert_eq!(verdict_along(linear, [5.0, 10.0, 15.0, 20.0]), Some(Verdict::Reproduced));
    assert_eq!(verdict_along(linear, [5.0, 30.0, 5.0, 20.0]), Some(Verdict::NotReproduced));
    let logarithm = |depth: f64| 50.0 * depth.ln();
    let along = [10.0, 20.0, 30.0, 40.0].map(logarithm);
    assert_eq!(verdict_along("of = \"depth\"\nkind = \"log-linear\"", along), Some(Verdict::Reproduced));
    let peak = "of = \"depth\"\nkind = \"peak\"";
    assert_eq!(verdict_along(peak, [5.0, 10.0, 15.0, 6.0]), Some(Verdict::Reproduced));
    assert_eq!(verdict_along(peak, [5.0, 10.0, 15.0, 20.0]), Some(Verdict::NotReproduced));
    let best = "of = \"depth[depth=30]\"\nkind = \"best\"";
    assert_eq!(verdict_along(best, [5.0, 10.0, 15.0, 6.0]), Some(Verdict::Reproduced));
    assert_eq!(verdict_along(best, [5.0, 10.0, 15.0, 20.0]), Some(Verdict::NotReproduced));
}

/// Smaller sizes are shown, and never count as reproduced.
#[test]
fn smaller_sizes_are_reduced() {
    let text = "
[[series]]
name = \"level 2\"
problem = \"left-move:60\"
search = \"nested(2)\"
[[series.instead]]
what = \"level 1 instead of 2\"
search = \"nested(1)\"
[[claim]]
of = \"level 2\"
kind = \"mean\"
published = 50.5
";
    let experiment = experiment(text);
    let (_folder, mut store) = store();
    crate::common::fill_key(&mut store, &experiment.row(0, 0).sizes[1].definition.key(), &spread(), 0.1);
    let judgement = judged(&store, &experiment).remove(0);
    assert_eq!(judgement.verdict, Some(Verdict::Reduced));
    assert_eq!(judgement.why, "level 1 instead of 2");
    // As soon as there are enough of the whole size, those count.
    crate::common::fill_key(&mut store, &experiment.row(0, 0).sizes[0].definition.key(), &spread(), 0.1);
    assert_eq!(judged(&store, &experiment)[0].verdict, Some(Verdict::Reproduced));
}

/// Totals over parts, counts of solutions and of lost games.
#[test]
fn parts_are_added_up() {
    let text = "
[[series]]
name = \"boards\"
problem = \"left-move:{part}\"
search = \"playout\"
parts = 2
runs = 6
[[claim]]
of = \"boards\"
kind = \"total\"
published = 110
";
    let totals = experiment(text);
    let (_folder, mut store) = store();
    fill(&mut store, &totals, 0, 0, &[10.0, 100.0, 12.0, 98.0, 11.0, 99.0], 0.1);
    let judgement = judged(&store, &totals).remove(0);
    assert_eq!((judgement.verdict, judgement.value), (Some(Verdict::Reproduced), Some(110.0)));
    let text = "
[[series]]
name = \"games\"
problem = \"quarto\"
player = \"random\"
opponent = \"second\"
runs = 100
[[claim]]
of = \"games\"
part = 1
what = \"losses\"
kind = \"count\"
published = 30
";
    let games = experiment(text);
    // The player loses all games with the first move, and wins the others.
    let scores: Vec<f64> = (0..100).map(|number| f64::from(number % 2)).collect();
    fill(&mut store, &games, 0, 0, &scores, 0.1);
    let judgement = judged(&store, &games).remove(0);
    assert_eq!((judgement.verdict, judgement.value), (Some(Verdict::NotReproduced), Some(50.0)));
}

/// Rows that share a definition may want more runs of it, or fewer.
#[test]
fn runs_beyond_those_of_the_row_do_not_count() {
    let few = experiment(
        "
[[series]]
name = \"few\"
problem = \"left-move:60\"
search = \"nested(1)\"
runs = 6
[[claim]]
of = \"few\"
kind = \"record\"
published = 46
",
    );
    let (_folder, mut store) = store();
    fill(&mut store, &few, 0, 0, &spread()[..5], 0.1);
    let key = few.row(0, 0).sizes[0].definition.key();
    let game = |number, score| serde_json::json!({ "number": number, "problem": "left-move:60", "goal": "Max", "score": score, "moves": [] });
    for (number, score) in [(5, 46.0), (6, 60.0)] {
        let data = serde_json::json!({
            "score": [score], "seconds": [0.1], "playouts": [1], "moves": [1], "best": game(number, score),
        });
        assert!(store.add_readings(&key, 1, number, 1, &data.to_string()).unwrap());
    }
    let judgement = judged(&store, &few).remove(0);
    assert_eq!((judgement.verdict, judgement.runs), (Some(Verdict::Reproduced), Some((6, 6))), "{judgement:?}");
    let results = Results::load(&store, &few).unwrap();
    assert_eq!(results.measured(0, 0).unwrap().sample.best.as_ref().unwrap().score, 46.0);
    assert_eq!(samples(&store, &key).unwrap().0[0].best.as_ref().unwrap().score, 60.0);
}

#[test]
fn readings_outdate_the_remark_before_them() {
    let (_folder, mut store) = store();
    assert!(store.add_readings("key", 1, 0, 0, "there was no time").unwrap());
    assert_eq!(samples(&store, "key").unwrap().1.as_deref(), Some("there was no time"));
    crate::common::fill_key(&mut store, "key", &spread(), 0.1);
    assert_eq!(samples(&store, "key").unwrap().1, None);
    assert!(store.add_readings("key", 1, 0, 0, "a run was stopped").unwrap());
    assert_eq!(samples(&store, "key").unwrap().1.as_deref(), Some("a run was stopped"));
}

#[test]
fn rows_that_are_the_same_are_not_worse() {
    let judgement = verdict_on("than = \"other\"\nkind = \"better\"", &[7.0; 10], &[7.0; 10]);
    assert_eq!(judgement.verdict, Some(Verdict::NotReproduced));
    assert!(judgement.why.starts_with("not significant"), "{}", judgement.why);
    let judgement = verdict_on("than = \"other\"\nkind = \"better\"", &[6.0; 10], &[7.0; 10]);
    assert!(judgement.why.starts_with("worse"), "{}", judgement.why);
}

/// The best of a series is not known while its rivals have been run at less than their size.
#[test]
fn rivals_at_a_smaller_size_reduce_the_best() {
    let levels = experiment(
        "
[[series]]
name = \"levels\"
problem = \"left-move:60\"
search = \"nested({level})\"
over = { level = [1, 2, 3] }
[[series.instead]]
what = \"a smaller tree\"
problem = \"left-move:30\"
[[claim]]
of = \"levels[level=1]\"
kind = \"best\"
",
    );
    let (_folder, mut store) = store();
    let lower: Vec<f64> = spread().iter().map(|score| score - 5.0).collect();
    fill(&mut store, &levels, 0, 0, &spread(), 0.1);
    fill(&mut store, &levels, 0, 1, &lower, 0.1);
    assert_eq!(judged(&store, &levels)[0].verdict, Some(Verdict::NotRun));
    crate::common::fill_key(&mut store, &levels.row(0, 2).sizes[1].definition.key(), &lower, 0.1);
    let judgement = judged(&store, &levels).remove(0);
    assert_eq!((judgement.verdict, &*judgement.why), (Some(Verdict::Reduced), "a smaller tree"));
    fill(&mut store, &levels, 0, 2, &lower, 0.1);
    assert_eq!(judged(&store, &levels)[0].verdict, Some(Verdict::Reproduced));
}

#[test]
fn times_of_different_machines_are_not_compared() {
    let verdict = |claim: &str, elsewhere: bool| {
        let experiment = experiment(&format!("{SERIES}\n[[claim]]\nof = \"one\"\nthan = \"other\"\n{claim}"));
        let (_folder, mut store) = store();
        fill(&mut store, &experiment, 0, 0, &spread(), 0.1);
        fill(&mut store, &experiment, 1, 0, &spread(), 0.1);
        let mut results = Results::load(&store, &experiment).unwrap();
        let Outcome::Measured(other) = &mut results.rows[1][0] else { panic!("it has been filled") };
        if elsewhere {
            other.sample.machine = "another".to_owned();
        }
        judge(&experiment, &experiment.claims[0], &results)[0].verdict.unwrap()
    };
    let ratio = "what = \"seconds\"\nkind = \"ratio\"\npublished = 1";
    assert_eq!((verdict(ratio, false), verdict(ratio, true)), (Verdict::Reproduced, Verdict::Reduced));
    let alike = "what = \"nanoseconds\"\nkind = \"alike\"";
    assert_eq!((verdict(alike, false), verdict(alike, true)), (Verdict::Reproduced, Verdict::Reduced));
    // Scores do not depend on the machine.
    assert_eq!(verdict("kind = \"alike\"", true), Verdict::Reproduced);
}

/// Five games, of which three are of the part that the claim is about.
#[test]
fn a_part_needs_enough_runs_of_its_own() {
    let games = experiment(
        "
[[series]]
name = \"games\"
problem = \"quarto\"
player = \"random\"
opponent = \"second\"
runs = 100
[[claim]]
of = \"games\"
part = 1
what = \"losses\"
kind = \"count\"
published = 30
",
    );
    let verdict = |count: usize| {
        let (_folder, mut store) = store();
        fill(&mut store, &games, 0, 0, &vec![0.0; count], 0.1);
        judged(&store, &games).remove(0)
    };
    let judgement = verdict(5);
    assert_eq!((judgement.verdict, &*judgement.why), (Some(Verdict::Reduced), "3 runs are too few to judge by"));
    assert_ne!(verdict(9).verdict, Some(Verdict::Reduced));
}
