//! The problem of CONTRIBUTING.md: it compiles, keeps the laws, and is the text that people read there.

#[allow(dead_code)]
#[path = "../examples/own_problem.rs"]
mod example;

use nestling::{Event, Run, Stop, conformance};
use nestling_registry::{Controls, Registry, RunSpec};

#[test]
fn keeps_the_laws() {
    conformance::check(&example::open("").unwrap(), 50).unwrap();
    conformance::check(&example::open("100").unwrap(), 50).unwrap();
    assert!(example::open("much").is_err());
}

#[test]
fn is_solved() {
    let problem = example::open("").unwrap();
    let outcome = Run::new(&problem, "repeat(nrpa(2))".parse().unwrap()).playouts(100_000).start().unwrap();
    assert_eq!((outcome.score(), outcome.stop, outcome.proven), (Some(0.0), Stop::Bound, true));
}

/// Its best score is -0.0, which must not be shown.
#[test]
fn zero_has_no_sign() {
    let registry = Registry::standard().with("knapsack", "numbers that fill a capacity", example::open);
    let asked = RunSpec { playouts: Some(100_000), ..RunSpec::new("knapsack").search("repeat(nrpa(2))") };
    let ready = registry.ready(asked).unwrap().with(0, 1);
    let mut announced = Vec::new();
    let mut listener = |event: &Event| {
        if let Event::Improvement(improvement) = event {
            announced.push(improvement.score().to_string());
        }
    };
    let outcome = ready.start(Controls { listener: Some(&mut listener), ..Controls::default() }).unwrap();
    let score = outcome.score().unwrap().to_string();
    assert_eq!((score.as_str(), announced.last().unwrap().as_str()), ("0", "0"));
    assert_eq!(ready.problem().certify(outcome.texts()).unwrap().score().to_string(), "0");
}

#[test]
fn stands_in_the_guide() {
    let guide = include_str!("../../../CONTRIBUTING.md");
    let shown = [
        ("crates/cli/examples/own_problem.rs", include_str!("../examples/own_problem.rs")),
        ("examples/annealing/src/lib.rs", include_str!("../../../examples/annealing/src/lib.rs")),
        ("examples/annealing/src/main.rs", include_str!("../../../examples/annealing/src/main.rs")),
    ];
    for (file, source) in shown {
        assert!(guide.contains(source), "CONTRIBUTING.md shows another text than {file}");
    }
}
