//! The exact laws of the left-move and leftmost-path problems: means, playout counts and move counts.

mod common;

use common::{LeftMove, LeftmostPath, run};
use nestling::{Problem, Stream};

/// The mean score of a search over many seeds, and its standard error.
fn mean<P: Problem>(problem: &P, search: &str, count: u64) -> (f64, f64) {
    let scores = (0..count).map(|number| {
        let seed = Stream::new(2009).child(number).seed();
        run(problem, search, seed).start().expect("the run is valid").result.score
    });
    let (sum, squares) = scores.fold((0.0, 0.0), |(sum, squares), score| (sum + score, squares + score * score));
    let mean = sum / count as f64;
    (mean, ((squares / count as f64 - mean * mean).max(0.0) / count as f64).sqrt())
}

#[track_caller]
fn check(depth: u32, search: &str, count: u64, expected: f64) {
    let (mean, error) = mean(&LeftMove::new(depth), search, count);
    assert!((mean - expected).abs() <= 4.0 * error + 1e-12, "{search}: {mean} ± {error}, should be {expected}");
}

/// Means at depth 60 are those of the reference table, for every rule for ties, with and without memory.
#[test]
fn means_at_depth_60() {
    check(60, "nested(0)", 2000, 30.0);
    let table = [
        ("first", [41.2287, 43.7534, 42.4553, 50.5689]),
        ("random", [37.7949, 39.0277, 42.3791, 50.2487]),
        ("last", [34.3611, 35.0421, 42.3037, 49.9355]),
    ];
    for (ties, [one_without, two_without, one_with, two_with]) in table {
        check(60, &format!("nested(1, memory=off, ties={ties})"), 2000, one_without);
        check(60, &format!("nested(2, memory=off, ties={ties})"), 120, two_without);
        check(60, &format!("nested(1, ties={ties})"), 2000, one_with);
        check(60, &format!("nested(2, ties={ties})"), 120, two_with);
    }
}

/// Level 3 without memory, where the error of a wrong rule for ties would have grown to ten moves.
#[test]
fn level_three_without_memory() {
    check(60, "nested(3, memory=off)", 8, 45.7044);
    check(60, "nested(3, memory=off, ties=last)", 8, 35.6048);
}

/// At depths 3 and 4 the means are small fractions.
#[test]
fn small_depths() {
    check(3, "nested(1)", 5000, 2.8125);
    check(3, "nested(1, ties=random)", 5000, 2.671875);
    check(3, "nested(2, ties=random)", 5000, 2.9453125);
    check(4, "nested(1)", 5000, 3.60791015625);
    // Here every search finds the best: the error is 0.
    check(3, "nested(2)", 1000, 3.0);
    check(4, "nested(2)", 1000, 4.0);
}

/// A level l search of depth n plays 2^l·C(n, l) games.
#[test]
fn playout_counts() {
    for depth in 0..9_u64 {
        for level in 0..=4_u64 {
            let choose = (0..level).fold(1, |product, k| product * depth.saturating_sub(k) / (k + 1));
            let problem = LeftMove::new(depth as u32);
            for options in ["", ", memory=off", ", ties=random"] {
                let search = format!("nested({level}{options})");
                let counts = run(&problem, &search, 5).start().expect("the run is valid").counts;
                assert_eq!(counts.playouts, (1 << level) * choose, "{search} at depth {depth}");
            }
        }
    }
}

/// On the leftmost path every level from 1 on finds the end by every rule, and level 1 plays n(n−1) moves to do it.
#[test]
fn leftmost_path_is_always_found() {
    for depth in [1, 2, 7, 20] {
        let problem = LeftmostPath::new(depth, false);
        for ties in ["first", "random", "last"] {
            for (level, memory) in [(1, "on"), (1, "off"), (2, "on"), (2, "off")] {
                let search = format!("nested({level}, memory={memory}, ties={ties})");
                for seed in 0..20 {
                    let outcome = run(&problem, &search, seed).start().expect("the run is valid");
                    assert_eq!(outcome.result.score, f64::from(depth), "{search} at depth {depth}");
                    if level == 1 {
                        assert_eq!(outcome.counts.moves, u64::from(depth * (depth - 1)), "{search} at depth {depth}");
                    }
                }
            }
        }
    }
}
