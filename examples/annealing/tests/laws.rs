//! The search keeps the laws of every search, alone and inside others.

use annealing::Anneal;
use nestling::search::{And, Catalogue, Standard};
use nestling::{Problem, conformance};

type Ours = And<(Anneal,), Standard>;

/// Pick numbers whose sum comes as close to the capacity as possible without exceeding it.
#[derive(Clone)]
struct Knapsack {
    capacity: u32,
    left: Vec<u32>,
}

impl Problem for Knapsack {
    type Move = u32;

    fn legal_moves(&self, moves: &mut Vec<u32>) {
        moves.clear();
        moves.extend(self.left.iter().filter(|&&weight| weight <= self.capacity));
    }

    fn play(&mut self, weight: u32) {
        self.left.retain(|&other| other != weight);
        self.capacity -= weight;
    }

    fn score(&self) -> f64 {
        -f64::from(self.capacity)
    }
}

#[test]
fn the_laws_are_kept() {
    let problem = Knapsack { capacity: 2000, left: (1..30).map(|k| k * k * 37 % 1009).collect() };
    let searches = Catalogue::of::<Ours>();
    for text in ["anneal(300)", "anneal(300, heat=40)", "repeat(10, anneal(40))", "step(anneal(20), memory=off)"] {
        conformance::search::<Ours, _>(&problem, &searches.parse(text).unwrap(), 400).unwrap();
    }
}

#[test]
fn mistakes_are_named() {
    let error = Catalogue::of::<Ours>().parse("anneal(0)").unwrap_err();
    assert_eq!(error.message, "the steps of anneal must be at least 1, found 0");
    let error = Catalogue::of::<Ours>().parse("aneal(10)").unwrap_err();
    assert!(error.message.ends_with("did you mean anneal?"), "{error}");
}
