//! What several tests need.
#![allow(dead_code, reason = "each test file uses a part of it")]

use nestling::{Certified, Provenance, Stream};
use nestling_registry::{Instance, Picture, Registry};

/// A game of some problem, by name.
pub struct Sample {
    pub name: String,
    pub problem: Box<dyn Instance>,
    pub game: Certified,
    pub provenance: Provenance,
}

/// A random game.
pub fn random_game(registry: &Registry, problem: &str) -> Certified {
    let (problem, mut moves, mut rng) = (registry.open(problem).unwrap(), Vec::new(), Stream::new(0).rng());
    loop {
        let game = problem.certify(&moves).unwrap();
        let mut legal = problem.legal_moves(&game).unwrap();
        if legal.is_empty() {
            return game;
        }
        moves.push(legal.swap_remove(rng.below(legal.len())));
    }
}

/// The published records (a random game of a problem that has none), and the games of the benchmark data where it is there.
pub fn samples(registry: &Registry) -> Vec<Sample> {
    let mut samples = Vec::new();
    for (name, _) in registry.list() {
        let published = registry.open(name).unwrap().published();
        if published.is_empty() {
            let problem = registry.open(name).unwrap();
            let (game, provenance) = (random_game(registry, name), Provenance::default());
            samples.push(Sample { name: name.to_owned(), problem, game, provenance });
        }
        for record in published {
            let problem = registry.open(name).unwrap();
            let game = problem.certify(&record.moves).unwrap();
            samples.push(Sample { name: record.id, problem, game, provenance: record.provenance });
        }
    }
    let Some(folder) = nestling_testing::data() else { return samples };
    for entry in std::fs::read_dir(folder.join("morpion")).unwrap() {
        let path = entry.unwrap().path();
        let verdict = registry.verify(&std::fs::read(&path).unwrap()).unwrap();
        let problem = registry.open(&verdict.problem).unwrap();
        let (game, provenance) = (verdict.game, verdict.provenance);
        samples.push(Sample { name: path.display().to_string(), problem, game, provenance });
    }
    samples
}

/// A provenance with something in every field.
pub fn full_provenance() -> Provenance {
    Provenance {
        search: Some("repeat(nrpa(3, iterations=50))".into()),
        seed: Some(u64::MAX),
        playouts: Some(6_208_052),
        nodes: Some(1),
        seconds: Some(0.1 + 0.2),
        program: Some("nestling 0.1.0".into()),
        date: Some("2026-06-14T10:30:00Z".into()),
        author: Some("Zoë <O'Neil> & \"Ω\" -->".into()),
        description: Some("]]> # not: a comment, {json}".into()),
        source: Some("https://example.org/?a=1&b=2#c".into()),
        transcriber: Some("someone".into()),
        tags: vec!["one".into(), "two, three".into()],
    }
}

/// Pictures small enough to be made by the hundred.
pub fn small() -> Picture {
    Picture { width: 100, ..Picture::default() }
}
