//! What several tests need.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::PathBuf;

use nestling::Provenance;
use nestling_registry::{Instance, Order, Picture, Registry};

/// A game of some problem, by name.
pub struct Sample {
    pub name: String,
    pub problem: Box<dyn Instance>,
    pub moves: Vec<String>,
    pub provenance: Provenance,
}

/// A random game.
pub fn random_game(problem: &dyn Instance) -> Vec<String> {
    problem.solve(&Order::new("playout".parse().unwrap()), &mut |_| (), None).unwrap().moves
}

/// The published records (a random game of a problem that has none), and the games of the benchmark data where it is there.
pub fn samples(registry: &Registry) -> Vec<Sample> {
    let mut samples = Vec::new();
    for (name, _) in registry.list() {
        let published = registry.open(name).unwrap().published();
        if published.is_empty() {
            let problem = registry.open(name).unwrap();
            let (moves, provenance) = (random_game(problem.as_ref()), Provenance::default());
            samples.push(Sample { name: name.to_owned(), problem, moves, provenance });
        }
        for game in published {
            let problem = registry.open(name).unwrap();
            samples.push(Sample { name: game.id, problem, moves: game.moves, provenance: game.provenance });
        }
    }
    let Some(folder) = std::env::var_os("NESTLING_DATA").map(PathBuf::from) else {
        eprintln!("skipped: NESTLING_DATA is not set, so only the published records are tried");
        return samples;
    };
    for entry in std::fs::read_dir(folder.join("morpion")).unwrap() {
        let path = entry.unwrap().path();
        let verdict = registry.verify(&std::fs::read(&path).unwrap()).unwrap();
        let problem = registry.open(&verdict.problem).unwrap();
        let (moves, provenance) = (verdict.moves, verdict.provenance);
        samples.push(Sample { name: path.display().to_string(), problem, moves, provenance });
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
