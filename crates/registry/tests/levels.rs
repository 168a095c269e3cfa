//! The levels of Quarto play as their descriptions say.

use nestling::duel::{Setting, Strategy};
use nestling::{PlayerResult, Stream};
use nestling_quarto::{Limit, Position, QuartoSolver, Variant};
use nestling_registry::Registry;

/// How a level plays.
fn level(name: &str) -> Strategy {
    let quarto = Registry::standard().open("quarto").unwrap();
    let levels = quarto.table().unwrap().levels();
    levels.into_iter().find(|level| level.name == name).unwrap().strategy
}

/// The exact value of a position, to the player whose turn it is before and after a turn.
fn values(strategy: &Strategy, start: &Position, seed: u64) -> [PlayerResult; 2] {
    let mut agent = strategy.agent(start, &Setting::default()).unwrap();
    let mut position = *start;
    for stream in 0..2 {
        if position.ending().is_none() {
            let played = agent.choose(Stream::new(seed).child(stream)).played;
            position.play(played);
            agent.observe(played);
        }
    }
    let value = |position: &Position| QuartoSolver::new(16).verdict(position, Limit::NONE).unwrap().to(position.turn());
    [start, &position].map(|position| position.ending().unwrap_or_else(|| value(position)).seen_by(start.turn()))
}

/// From four pieces on the expert keeps what it has: won positions stay won, drawn ones are not lost.
#[test]
fn the_expert_makes_no_mistake_once_four_pieces_are_placed() {
    let expert = level("expert");
    let mut seen = [0; 3];
    for variant in Variant::ALL {
        for (placed, positions) in [(4, 2), (5, 6), (6, 12), (7, 12)] {
            for seed in 0..positions {
                let position = Position::random(variant, placed, true, &mut Stream::new(seed).rng());
                let [before, after] = values(&expert, &position, seed);
                assert_eq!(before, after, "{variant}, {placed} placed, seed {seed}");
                seen[before as usize] += 1;
            }
        }
    }
    let [_, drawn, won] = seen;
    assert!(drawn > 20 && won > 20, "too few of these positions can be spoilt: {seen:?}");
}
