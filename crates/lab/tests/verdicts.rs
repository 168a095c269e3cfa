//! The rule for verdicts, kind by kind, on readings that are made up.

use crate::common::{SERIES, experiment, fill, judged, store};
use nestling_lab::{ExperimentResults, Judgement, RowOutcome, Subject, Verdict, judge, samples};

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
fn a_single_run_is_an_ordinary_result() {
    let single = |published| format!("kind = \"single-run\"\npublished = {published}");
    check(&single(50), &spread(), &[], Verdict::Reproduced);
    check(&single(42), &spread(), &[], Verdict::Reproduced);
    // Five of a hundred runs do not show that more than 5 % of all are as low, nor that fewer are.
    check(&single(41), &spread(), &[], Verdict::Undecided);
    check(&single(30), &spread(), &[], Verdict::Better);
    check(&single(70), &spread(), &[], Verdict::Contradicted);
    check(&single(50), &spread()[..99], &[], Verdict::Undecided);
}

#[test]
fn a_mean_lies_within_its_margin() {
    let mean = |published| format!("kind = \"mean\"\nmargin = 2\npublished = {published}");
    // 50.5 ± 1.15
    check(&mean("51.0"), &spread(), &[], Verdict::Reproduced);
    check(&mean("52.3"), &spread(), &[], Verdict::Undecided);
    check(&mean("54.5"), &spread(), &[], Verdict::Contradicted);
    check(&mean("49.2"), &spread(), &[], Verdict::Better);
    check(&format!("{}\nprecision = 2", mean("52.3")), &spread(), &[], Verdict::Reproduced);
    check(&mean("51.0"), &spread()[..60], &[], Verdict::Undecided);
}

/// Few runs, or a wide spread, do not make two numbers the same.
#[test]
fn low_power_is_not_agreement() {
    let mean = "kind = \"mean\"\nmargin = 1\nprecision = 0\npublished = 50";
    let judgement = verdict_on(mean, &spread(), &[]);
    assert_eq!(judgement.verdict, Some(Verdict::Undecided), "{judgement:?}");
    // The 90 % interval reaches 0.96 from the mean, which is half a unit from the nearer edge, and needs about four times the runs.
    let more = judgement.more.unwrap();
    assert!((200..=400).contains(&more.runs), "{more:?}");
    // Runs of a tenth of a second.
    assert!((more.core_hours.unwrap() - more.runs as f64 * 0.1 / 3600.0).abs() < 1e-9);
    let judgement = verdict_on(mean, &spread()[..40], &[]);
    assert_eq!((judgement.verdict, judgement.more.unwrap().runs), (Some(Verdict::Undecided), 60));
    let shifted: Vec<f64> = spread().iter().map(|score| score + 1.0).collect();
    check("than = \"other\"\nkind = \"alike\"\nmargin = 1.5", &spread(), &shifted, Verdict::Undecided);
    check("kind = \"share\"\ntarget = 61\nmargin = 0.001\npublished = 0.001", &spread(), &[], Verdict::Undecided);
}

#[test]
fn times_have_a_direction() {
    let time = |published| format!("kind = \"time\"\npublished = {published}");
    check(&time("9.5"), &spread(), &[], Verdict::Better);
    check(&time("0.100"), &spread(), &[], Verdict::Reproduced);
    check(&time("0.05"), &spread(), &[], Verdict::Contradicted);
    check(&time("9.5"), &spread()[..99], &[], Verdict::Undecided);
    // A hundred runs of a tenth of a second.
    check("kind = \"total-time\"\npublished = 11.0", &spread(), &[], Verdict::Reproduced);
    check("kind = \"total-time\"\npublished = 20.0", &spread(), &[], Verdict::Better);
    check("kind = \"total-time\"\npublished = 11.0", &spread()[..90], &[], Verdict::Undecided);
    assert_eq!(verdict_on(&time("9.5"), &spread(), &[]).subject, Subject::Time);
    assert_eq!(verdict_on("kind = \"record\"\npublished = 60", &spread(), &[]).subject, Subject::Result);
    // What is reached in a given time depends on the machine; a game that was found does not.
    let timed = |kind: &str| {
        let text = format!(
            "
[[series]]
name = \"timed\"
problem = \"left-move:60\"
search = \"repeat(playout)\"
time = \"1s\"
[[claim]]
of = \"timed\"
kind = \"{kind}\"
published = 60
"
        );
        let experiment = experiment(&text);
        judged(&store().1, &experiment)[0].subject
    };
    assert_eq!((timed("above"), timed("record")), (Subject::Time, Subject::Result));
}

/// "Less than a second" is no value of a second.
#[test]
fn bounds_are_bounds() {
    let below = |bound: f64| format!("kind = \"below\"\nwhat = \"seconds\"\npublished = {bound}");
    check(&below(0.11), &spread(), &[], Verdict::Reproduced);
    check(&below(0.09), &spread(), &[], Verdict::Contradicted);
    check("kind = \"above\"\npublished = 49", &spread(), &[], Verdict::Reproduced);
    check("kind = \"above\"\npublished = 50", &spread(), &[], Verdict::Undecided);
    check("kind = \"above\"\npublished = 52", &spread(), &[], Verdict::Contradicted);
}

#[test]
fn records_are_beaten_or_not() {
    let record = |published| format!("kind = \"record\"\npublished = {published}");
    check(&record(60), &spread(), &[], Verdict::Reproduced);
    check(&record(59), &spread(), &[], Verdict::Better);
    // More runs may find it.
    check(&record(61), &spread(), &[], Verdict::Undecided);
    check(&record(50), &[50.0], &[], Verdict::Reproduced);
    check(&record(59), &spread()[..99], &[], Verdict::Better);
}

#[test]
fn shares_and_constants() {
    let share =
        |published: f64| format!("kind = \"share\"\ntarget = 56\nmargin = 0.1\nprecision = 0\npublished = {published}");
    check(&share(0.25), &spread(), &[], Verdict::Reproduced);
    check(&share(0.5), &spread(), &[], Verdict::Contradicted);
    check(&share(0.01), &spread(), &[], Verdict::Contradicted);
    check(&share(0.2), &spread(), &[], Verdict::Undecided);
    let always = |rest: &str| format!("kind = \"always\"\nmargin = 0.03\n{rest}");
    check(&always("published = 7"), &[7.0; 100], &[], Verdict::Reproduced);
    check(&always("published = 7"), &[7.0; 99], &[], Verdict::Undecided);
    check("kind = \"always\"\npublished = 7", &[7.0; 100], &[], Verdict::Undecided);
    check(&always("published = 7"), &[7.0, 7.0, 8.0], &[], Verdict::Contradicted);
    check(&always("what = \"moves\"\npublished = 1000"), &[7.0; 100], &[], Verdict::Reproduced);
}

#[test]
fn rows_are_compared() {
    let lower: Vec<f64> = spread().iter().map(|score| score - 5.0).collect();
    check("than = \"other\"\nkind = \"better\"", &spread(), &lower, Verdict::Reproduced);
    check("than = \"other\"\nkind = \"better\"", &lower, &spread(), Verdict::Contradicted);
    check("than = \"other\"\nkind = \"better\"", &spread(), &spread(), Verdict::Undecided);
    check("than = \"other\"\nkind = \"alike\"\nmargin = 2", &spread(), &spread(), Verdict::Reproduced);
    check("than = \"other\"\nkind = \"alike\"\nmargin = 1", &spread(), &lower, Verdict::Contradicted);
    check("than = \"other\"\nkind = \"alike\"\nmargin = 7", &spread(), &lower, Verdict::Reproduced);
    let ratio = |published: f64| {
        format!("than = \"other\"\nwhat = \"seconds\"\nkind = \"ratio\"\nmargin = 1.2\npublished = {published}")
    };
    check(&ratio(1.1), &spread(), &spread(), Verdict::Reproduced);
    check(&ratio(1.4), &spread(), &spread(), Verdict::Contradicted);
    check(&ratio(0.5), &spread(), &spread(), Verdict::Contradicted);
    // 1 is not within a factor of 1.7 of 2, although it would be of 1.5, which 2 may have been rounded from.
    check(&ratio(2.0).replace("1.2", "1.7"), &spread(), &spread(), Verdict::Contradicted);
}

/// 20 runs of 958 playouts and 20 of 61,610, with heavy tails: Welch's test of the means sees nothing.
#[test]
fn heavy_tails_are_compared_by_their_order() {
    let series = SERIES.replace("search = \"nested(1", "runs = 20\nsearch = \"nested(1");
    let claim = "[[claim]]\nof = \"one\"\nthan = \"other\"\nwhat = \"playouts\"\nkind = \"better\"";
    let experiment = experiment(&format!("{series}{claim}"));
    let (_folder, mut store) = store();
    let mut playouts = |series: usize, middle: f64| {
        let playouts: Vec<u64> = (0..20).map(|index| (middle * (f64::from(index - 10) / 4.0).exp()) as u64).collect();
        let data = serde_json::json!({ "score": vec![1; 20], "seconds": vec![0.1; 20], "playouts": playouts, "moves": vec![1; 20] });
        let key = experiment.row(series, 0).sizes[0].definition.key();
        assert!(store.add_readings(&key, 1, 0, 20, &data.to_string()).unwrap());
    };
    playouts(0, 958.0);
    playouts(1, 61_610.0);
    let judgement = judged(&store, &experiment).remove(0);
    assert_eq!(judgement.verdict, Some(Verdict::Reproduced), "{judgement:?}");
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
        let around: Vec<f64> = (0..100).map(|index| score + f64::from(index % 3) - 1.0).collect();
        fill(&mut store, &experiment, 2, row, &around, 0.1);
    }
    judged(&store, &experiment)[0].verdict
}

#[test]
fn shapes_of_curves() {
    let linear = "of = \"depth\"\nkind = \"linear\"";
    assert_eq!(verdict_along(linear, [50.0, 100.0, 150.0, 200.0]), Some(Verdict::Reproduced));
    // n(n - 1), and what falls, are not in proportion, however straight they look.
    assert_eq!(verdict_along(linear, [90.0, 380.0, 870.0, 1560.0]), Some(Verdict::Contradicted));
    assert_eq!(verdict_along(linear, [200.0, 150.0, 100.0, 50.0]), Some(Verdict::Contradicted));
    let straight = "of = \"depth\"\nkind = \"log-linear\"";
    let depths: [f64; 4] = [10.0, 20.0, 30.0, 40.0];
    assert_eq!(verdict_along(straight, depths.map(|depth| 50.0 * depth.ln())), Some(Verdict::Reproduced));
    assert_eq!(verdict_along(straight, depths.map(|depth| -50.0 * depth.ln())), Some(Verdict::Contradicted));
    assert_eq!(verdict_along(straight, depths.map(|depth| depth * depth)), Some(Verdict::Contradicted));
    assert_eq!(verdict_along(straight, depths.map(|depth| 0.3 * depth.ln())), Some(Verdict::Undecided));
    let peak = "of = \"depth\"\nkind = \"peak\"";
    assert_eq!(verdict_along(peak, [5.0, 10.0, 15.0, 6.0]), Some(Verdict::Reproduced));
    assert_eq!(verdict_along(peak, [5.0, 10.0, 15.0, 20.0]), Some(Verdict::Contradicted));
    assert_eq!(verdict_along(peak, [5.0, 5.0, 5.0, 5.0]), Some(Verdict::Undecided));
    let best = "of = \"depth[depth=30]\"\nkind = \"best\"";
    assert_eq!(verdict_along(best, [5.0, 10.0, 15.0, 6.0]), Some(Verdict::Reproduced));
    assert_eq!(verdict_along(best, [5.0, 10.0, 15.0, 20.0]), Some(Verdict::Contradicted));
    assert_eq!(verdict_along(best, [5.0, 10.0, 15.0, 15.1]), Some(Verdict::Undecided), "a higher mean proves nothing");
    assert_eq!(verdict_along(&format!("{best}\nmargin = 1"), [5.0, 10.0, 15.0, 15.1]), Some(Verdict::Reproduced));
}

/// What the paper does not describe is shown, and never judged.
#[test]
fn other_variants_are_not_judged() {
    let series = SERIES.replace("name = \"one\"", "name = \"one\"\nvariant = \"the paper has no memory\"");
    let experiment =
        experiment(&format!("{series}[[claim]]\nof = \"one\"\nkind = \"mean\"\nmargin = 2\npublished = 50"));
    let (_folder, mut store) = store();
    fill(&mut store, &experiment, 0, 0, &spread(), 0.1);
    let judgement = judged(&store, &experiment).remove(0);
    assert_eq!((judgement.verdict, &*judgement.why), (Some(Verdict::OtherVariant), "the paper has no memory"));
    assert_eq!(judgement.value, Some(50.5));
}

/// Rows whose runs have the same instances are compared instance by instance.
#[test]
fn the_same_instances_are_pairs() {
    let text = "
[[series]]
name = \"one\"
problem = \"left-move:{run}\"
search = \"nested(1)\"
[[series]]
name = \"other\"
problem = \"left-move:{run}\"
search = \"playout\"
[[claim]]
of = \"one\"
than = \"other\"
kind = \"better\"
";
    let experiment = experiment(text);
    let (_folder, mut store) = store();
    let one: Vec<f64> = (0..100).map(f64::from).collect();
    let other: Vec<f64> = (0..100).map(|index| f64::from(index) - f64::from(index % 3) / 10.0).collect();
    fill(&mut store, &experiment, 0, 0, &one, 0.1);
    fill(&mut store, &experiment, 1, 0, &other, 0.1);
    let judgement = judged(&store, &experiment).remove(0);
    assert_eq!(judgement.verdict, Some(Verdict::Reproduced), "{judgement:?}");
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
margin = 2
published = 50.5
";
    let experiment = experiment(text);
    let (_folder, mut store) = store();
    crate::common::fill_key(&mut store, &experiment.row(0, 0).sizes[1].definition.key(), &spread(), 0.1);
    let judgement = judged(&store, &experiment).remove(0);
    assert_eq!(judgement.verdict, Some(Verdict::ReducedSize));
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
margin = 6
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
margin = 0.1
published = 30
";
    let games = experiment(text);
    // The player loses all games with the first move, and wins the others.
    let scores: Vec<f64> = (0..100).map(|number| f64::from(number % 2)).collect();
    fill(&mut store, &games, 0, 0, &scores, 0.1);
    let judgement = judged(&store, &games).remove(0);
    assert_eq!((judgement.verdict, judgement.value), (Some(Verdict::Contradicted), Some(50.0)));
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
    let results = ExperimentResults::load(&store, &few).unwrap();
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
    let judgement = verdict_on("than = \"other\"\nkind = \"better\"", &[7.0; 100], &[7.0; 100]);
    assert_eq!(judgement.verdict, Some(Verdict::Undecided));
    assert!(judgement.why.starts_with("no difference is shown"), "{}", judgement.why);
    let judgement = verdict_on("than = \"other\"\nkind = \"better\"", &[6.0; 100], &[7.0; 100]);
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
    assert_eq!((judgement.verdict, &*judgement.why), (Some(Verdict::ReducedSize), "a smaller tree"));
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
        let mut results = ExperimentResults::load(&store, &experiment).unwrap();
        let RowOutcome::Measured(other) = &mut results.rows[1][0] else { panic!("it has been filled") };
        if elsewhere {
            other.sample.machine = "another".to_owned();
        }
        judge(&experiment, &experiment.claims[0], &results)[0].verdict.unwrap()
    };
    let ratio = "what = \"seconds\"\nkind = \"ratio\"\nmargin = 1.2\npublished = 1";
    assert_eq!((verdict(ratio, false), verdict(ratio, true)), (Verdict::Reproduced, Verdict::Undecided));
    // Scores do not depend on the machine.
    assert_eq!(verdict("kind = \"alike\"\nmargin = 2", true), Verdict::Reproduced);
}
