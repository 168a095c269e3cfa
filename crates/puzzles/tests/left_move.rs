//! The laws of left move and leftmost path: exact distributions, playout counts and move counts.

use crate::common::{run, scores};
use nestling::{Problem, Ties, conformance};
use nestling_puzzles::left_move::{Branch, NestedModel, mean_score, score_distribution};
use nestling_puzzles::{LeftMove, LeftmostPath};

const TIES: [(Ties, &str); 3] = [(Ties::First, "first"), (Ties::Random, "random"), (Ties::Last, "last")];

fn exact(depth: usize, level: u32, memory: bool, ties: Ties) -> Vec<f64> {
    score_distribution(depth, NestedModel { level, memory, ties }).unwrap()
}

#[test]
fn conforms() {
    for depth in [0, 1, 12] {
        conformance::check(&LeftMove::new(depth), 50).unwrap();
        conformance::check(&LeftmostPath::new(depth), 50).unwrap();
    }
}

/// The means at depth 60, levels 0 to 4 without memory and 1 and 2 with it.
#[test]
fn exact_means_at_depth_60() {
    let table = [
        [30.0, 41.2287, 43.7534, 45.7044, 47.5000, 42.4553, 50.5689],
        [30.0, 37.7949, 39.0277, 39.8784, 40.6162, 42.3791, 50.2487],
        [30.0, 34.3611, 35.0421, 35.6048, 36.1350, 42.3037, 49.9355],
    ];
    for ((ties, name), row) in TIES.into_iter().zip(table) {
        let searches = (0..=4).map(|level| (level, false)).chain([(1, true), (2, true)]);
        for ((level, memory), expected) in searches.zip(row) {
            let distribution = exact(60, level, memory, ties);
            let (total, found) = (distribution.iter().sum::<f64>(), mean_score(&distribution));
            assert!((total - 1.0).abs() < 1e-12, "level {level}, memory {memory}, ties {name}: sums to {total}");
            assert!((found - expected).abs() <= 0.5e-4, "level {level}, memory {memory}, ties {name}: {found}");
        }
    }
}

/// At depths 3 and 4 the means are small fractions.
#[test]
fn exact_means_at_small_depths() {
    let with_memory = |depth, level, ties| mean_score(&exact(depth, level, true, ties));
    assert_eq!((with_memory(3, 1, Ties::First), with_memory(3, 2, Ties::First)), (2.8125, 3.0));
    assert_eq!((with_memory(3, 1, Ties::Random), with_memory(3, 2, Ties::Random)), (2.671875, 2.9453125));
    assert_eq!((with_memory(4, 1, Ties::First), with_memory(4, 2, Ties::First)), (3.60791015625, 4.0));
    assert_eq!((exact(0, 2, true, Ties::Last), exact(1, 2, true, Ties::Last)), (vec![1.0], vec![0.0, 1.0]));
    let error = score_distribution(9, NestedModel { level: 3, memory: true, ties: Ties::First }).unwrap_err();
    assert!(error.to_string().ends_with("up to level 2, not for level 3"));
}

/// How far scores are from a distribution, as a standard normal number: the statistic of the chi-squared test (scores that are
/// expected less than five times are counted together) through the Wilson–Hilferty approximation.
fn deviation(scores: &[f64], distribution: &[f64]) -> f64 {
    let count = scores.len() as f64;
    let observed = |score: usize| scores.iter().filter(|&&found| found == score as f64).count() as f64;
    let (mut terms, mut pooled) = (Vec::new(), (0.0, 0.0));
    for (score, probability) in distribution.iter().enumerate() {
        pooled = (pooled.0 + observed(score), pooled.1 + probability * count);
        if pooled.1 >= 5.0 {
            terms.push(std::mem::take(&mut pooled));
        }
    }
    match terms.last_mut() {
        Some(last) => *last = (last.0 + pooled.0, last.1 + pooled.1),
        None => return 0.0,
    }
    if terms.len() < 2 {
        return 0.0;
    }
    let freedom = (terms.len() - 1) as f64;
    let statistic: f64 = terms.iter().map(|(observed, expected)| (observed - expected).powi(2) / expected).sum();
    let spread = 2.0 / (9.0 * freedom);
    ((statistic / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

/// Simulated searches follow the exact distribution; 3.72 is passed once in ten thousand tests of a right one.
#[track_caller]
fn follows(depth: u32, level: u32, memory: bool, count: u64) {
    for (ties, name) in TIES {
        let search = format!("nested({level}, memory={}, ties={name})", if memory { "on" } else { "off" });
        let found = scores(&LeftMove::new(depth), &search, count);
        let deviation = deviation(&found, &exact(depth as usize, level, memory, ties));
        println!("{search} at depth {depth}: {count} searches, {deviation:.2} standard deviations");
        assert!(deviation < 3.72, "{search} at depth {depth}: {deviation} standard deviations away");
    }
}

/// Some searches; `many_searches_follow_the_exact_distribution` makes more.
#[test]
#[ignore = "some seconds; scripts/soak runs it"]
fn searches_follow_the_exact_distribution() {
    follows(60, 0, false, 5_000);
    for memory in [false, true] {
        follows(60, 1, memory, 1_000);
        follows(60, 2, memory, 30);
        follows(14, 2, memory, 1_000);
    }
    follows(14, 3, false, 200);
    follows(14, 4, false, 50);
}

/// A wrong rule for ties, or a wrong memory, is noticed; the means of the first two differ by 0.15, which takes 20,000 searches.
#[test]
#[ignore = "some seconds; scripts/soak runs it"]
fn another_distribution_is_noticed() {
    let found = scores(&LeftMove::new(60), "nested(1, ties=last)", 20_000);
    assert!(deviation(&found, &exact(60, 1, true, Ties::Last)) < 3.72);
    assert!(deviation(&found, &exact(60, 1, true, Ties::First)) > 3.72);
    assert!(deviation(&found, &exact(60, 1, false, Ties::Last)) > 100.0);
}

#[test]
#[ignore = "ten minutes; scripts/soak runs it"]
fn many_searches_follow_the_exact_distribution() {
    follows(60, 0, false, 20_000);
    for memory in [false, true] {
        follows(14, 2, memory, 20_000);
        follows(60, 1, memory, 20_000);
        follows(60, 2, memory, 20_000);
    }
    follows(14, 3, false, 10_000);
    follows(14, 4, false, 10_000);
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
                let counts = run(&problem, &search, 5).counts;
                assert_eq!(counts.playouts, (1 << level) * choose, "{search} at depth {depth}");
            }
        }
    }
}

/// On the leftmost path every level from 1 on finds the end by every rule, and level 1 plays n(n−1) moves to do it.
#[test]
fn leftmost_path_is_always_found() {
    for depth in [1, 2, 7, 20, 60] {
        let problem = LeftmostPath::new(depth);
        for (_, ties) in TIES {
            for (level, memory) in [(1, "on"), (1, "off"), (2, "on"), (2, "off")] {
                let search = format!("nested({level}, memory={memory}, ties={ties})");
                for seed in 0..if level == 1 { 20 } else { 2 } {
                    let outcome = run(&problem, &search, seed);
                    assert_eq!(outcome.score(), Some(f64::from(depth)), "{search} at depth {depth}");
                    if level == 1 {
                        assert_eq!(outcome.counts.moves, u64::from(depth * (depth - 1)), "{search} at depth {depth}");
                    }
                }
            }
        }
    }
}

/// What the others do there: a sample ends with probability 2^-n, and depth-first search sees every leaf unless told to stop.
#[test]
fn leftmost_path_by_sampling_and_depth_first() {
    let found = scores(&LeftmostPath::new(6), "playout", 20_000);
    let distribution: Vec<f64> = (0..=6).map(|score| 0.5_f64.powi(6.min(score + 1))).collect();
    assert!(deviation(&found, &distribution) < 3.72);
    let outcome = run(&LeftmostPath::new(10), "dfs", 1);
    assert_eq!((outcome.score(), outcome.counts.playouts, outcome.proven), (Some(10.0), 1024, true));
}

/// In random order the end of the path is any of the leaves, all equally likely.
#[test]
fn leftmost_path_in_random_order() {
    let place = |seed: u64| {
        let (mut leaf, mut position) = (0, LeftmostPath::shuffled(6, seed));
        let mut moves = Vec::new();
        for _ in 0..6 {
            position.legal_moves(&mut moves);
            assert_eq!(moves.len(), 2);
            let index = moves.iter().position(|side| *side == Branch::Left).unwrap();
            leaf = 2 * leaf + index;
            position.play(Branch::Left);
        }
        leaf
    };
    let mut counts = [0u32; 64];
    (0..6_400).for_each(|seed| counts[place(seed)] += 1);
    let squares: f64 = counts.iter().map(|count| (f64::from(*count) - 100.0).powi(2) / 100.0).sum();
    // The 99.9th percentile of chi-squared with 63 degrees of freedom.
    assert!(squares < 103.4, "{squares}");
}
