//! Playouts and searches have the means of REFERENCE 1 and 2, and find games that the plain rules accept.

use nestling::Problem;
use nestling_lab::baseline::{BaselineError, BaselineGame, Technique, nested, nrpa, uniform, weighted};
use nestling_morpion::{Rules, Variant};

/// Reference means and standard deviations of random games, from 10⁶ games.
const RANDOM: [(Variant, f64, f64); 2] = [(Variant::FiveD, 42.90, 13.6), (Variant::FiveT, 53.62, 17.75)];

fn random_games_have_the_reference_lengths(games: u64) {
    for (variant, mean, deviation) in RANDOM {
        let error = deviation * (1.0 / games as f64 + 1e-6f64).sqrt();
        let check = |name: &str, moves: u64| {
            let found = moves as f64 / games as f64;
            assert!((found - mean).abs() < 4.0 * error, "{variant} {name}: {found} instead of {mean} ± {error}");
        };
        check("uniform", uniform(variant, Technique::RangeQuery, games, 1).unwrap());
        check("uniform, plain lists", uniform(variant, Technique::PlainLists, games, 2).unwrap());
        check("uniform, sorted lists", uniform(variant, Technique::SortedLists, games, 3).unwrap());
        check("weighted", weighted(variant, Technique::RangeQuery, games, 4).unwrap());
    }
}

#[test]
fn some_random_games_have_the_reference_lengths() {
    random_games_have_the_reference_lengths(10_000);
}

#[test]
#[ignore = "half a minute; scripts/soak runs it"]
fn many_random_games_have_the_reference_lengths() {
    random_games_have_the_reference_lengths(100_000);
}

/// A search whose mean is known: runs to make, the reference mean, rounded to a tenth, and the standard deviation of one
/// run, from 80 to 300 runs. A few runs would be a poor estimate of it.
struct Known {
    variant: Variant,
    runs: u64,
    mean: f64,
    deviation: f64,
}

impl Known {
    /// The runs must be within four standard errors of the mean, and their games legal and complete.
    fn check(&self, search: impl Fn(u64) -> Result<BaselineGame, BaselineError>) {
        let start = Rules::new(self.variant);
        let mut sum = 0.0;
        for seed in 0..self.runs {
            let found = search(seed).unwrap();
            if seed < 100 {
                let certificate = start.certify(&found.game).expect("a legal game");
                assert!(certificate.terminal && certificate.score == found.score() as f64, "seed {seed}");
            }
            assert!(found.played >= found.score() as u64);
            sum += found.score() as f64;
        }
        let (mean, error) = (sum / self.runs as f64, self.deviation / (self.runs as f64).sqrt());
        assert!((mean - self.mean).abs() < 4.0 * error + 0.05, "{mean} ± {error} instead of {}", self.mean);
    }
}

/// The searches whose means are known, each with a share of its runs: all of them, or a tenth for every day.
fn searches_have_the_reference_means(share: u64) {
    let known = |variant, runs: u64, mean, deviation| Known { variant, runs: (runs / share).max(1), mean, deviation };
    let (disjoint, touching) = (Variant::FiveD, Variant::FiveT);
    known(disjoint, 1_000, 61.0, 1.25).check(|seed| nested(disjoint, 1, seed));
    known(touching, 1_000, 84.5, 3.63).check(|seed| nested(touching, 1, seed));
    known(disjoint, 6, 66.6, 1.47).check(|seed| nested(disjoint, 2, seed));
    known(disjoint, 30, 68.3, 2.52).check(|seed| nrpa(disjoint, 2, seed));
}

#[test]
#[ignore = "some seconds; scripts/soak runs it"]
fn a_few_searches_have_the_reference_means() {
    searches_have_the_reference_means(10);
}

#[test]
#[ignore = "a minute; scripts/soak runs it"]
fn many_searches_have_the_reference_means() {
    searches_have_the_reference_means(1);
}

#[test]
fn level_0_is_a_playout() {
    for found in [nested(Variant::FiveT, 0, 5).unwrap(), nrpa(Variant::FiveT, 0, 5).unwrap()] {
        assert_eq!(found.played, found.score() as u64);
        assert!(Rules::new(Variant::FiveT).certify(&found.game).unwrap().terminal);
    }
}

#[test]
fn the_seed_decides() {
    assert_eq!(nested(Variant::FiveD, 1, 3), nested(Variant::FiveD, 1, 3));
    assert_ne!(nested(Variant::FiveD, 1, 3), nested(Variant::FiveD, 1, 4));
    assert_eq!(nrpa(Variant::FiveD, 1, 3), nrpa(Variant::FiveD, 1, 3));
}

#[test]
fn every_technique_plays_both_variants_and_no_other() {
    for technique in Technique::ALL {
        for (variant, mean, deviation) in RANDOM {
            let moves = uniform(variant, technique, 100, 9).unwrap();
            assert_eq!(uniform(variant, technique, 100, 9), Ok(moves));
            assert!((moves as f64 / 100.0 - mean).abs() < 4.0 * deviation / 10.0, "{technique:?} {variant}");
        }
        assert_eq!(uniform(Variant::FourT, technique, 1, 1), Err(BaselineError::Variant(Variant::FourT)));
    }
    assert_eq!(nested(Variant::FourD, 1, 1), Err(BaselineError::Variant(Variant::FourD)));
}
