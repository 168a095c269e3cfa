//! The problem of CONTRIBUTING.md: it compiles, keeps the laws, and is the text that people read there.

#[allow(dead_code)]
#[path = "../examples/own_problem.rs"]
mod own_problem;

use nestling::{Run, Stop, conformance};

#[test]
fn keeps_the_laws() {
    conformance::check(&own_problem::open("").unwrap(), 50).unwrap();
    conformance::check(&own_problem::open("100").unwrap(), 50).unwrap();
    assert!(own_problem::open("much").is_err());
}

#[test]
fn is_solved() {
    let problem = own_problem::open("").unwrap();
    let outcome = Run::new(&problem, "repeat(nrpa(2))".parse().unwrap()).playouts(100_000).start().unwrap();
    assert_eq!((outcome.result.score, outcome.stop, outcome.proven), (0.0, Stop::Bound, true));
}

#[test]
fn stands_in_the_guide() {
    let guide = include_str!("../../../CONTRIBUTING.md");
    let source = include_str!("../examples/own_problem.rs");
    assert!(guide.contains(source), "CONTRIBUTING.md shows another text than crates/cli/examples/own_problem.rs");
}
