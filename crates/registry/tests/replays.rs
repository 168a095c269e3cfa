//! A game that was found is replayed once by the plain rules, however it is used afterwards.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use nestling::{Certificate, Event, Illegal, Problem, Provenance};
use nestling_registry::{Canvas, Controls, Picture, Presentation, Registry, RunSpec};

/// Pick digits; counts how often a game of it is replayed or played move by move outside of a search.
#[derive(Clone)]
struct Digits {
    left: u32,
    sum: u32,
    replays: Arc<AtomicU64>,
}

impl Problem for Digits {
    type Move = u32;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<u32>) {
        moves.clear();
        moves.extend((0..10).filter(|_| self.left > 0));
    }

    fn play(&mut self, digit: u32) {
        self.left -= 1;
        self.sum += digit;
    }

    fn score(&self) -> f64 {
        self.sum.into()
    }

    fn certify(&self, moves: &[u32]) -> Result<Certificate, Illegal> {
        if !moves.is_empty() {
            self.replays.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Certificate { score: f64::from(moves.iter().sum::<u32>()), terminal: moves.len() == self.left as usize })
    }
}

impl Presentation for Digits {
    fn parse(&self, texts: &[&str]) -> Result<Vec<u32>, Illegal> {
        // Reading texts must replay a game whose moves were not kept.
        self.replays.fetch_add(1, Ordering::Relaxed);
        let read =
            |(index, text): (usize, &&str)| text.parse().map_err(|_| Illegal { index, reason: "no digit".to_owned() });
        texts.iter().enumerate().map(read).collect()
    }
}

#[test]
fn an_improvement_is_replayed_once() {
    let replays = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&replays);
    let registry = Registry::standard().with("digits", "digits with a large sum", move |_| {
        Ok(Digits { left: 12, sum: 0, replays: Arc::clone(&counted) })
    });
    let asked =
        RunSpec { seed: Some(1), playouts: Some(3_000), ..RunSpec::new("digits").search("nrpa(2, iterations=50)") };
    let ready = registry.ready(asked).unwrap();
    let (problem, text) = (ready.problem(), registry.format(ready.problem(), "json").unwrap());
    replays.store(0, Ordering::Relaxed);
    let mut improvements = 0;
    let outcome = ready.start(Controls {
        listener: Some(&mut |event: &Event| {
            // What a store, a file, a page and a terminal do with it.
            if let Event::Improvement(improvement) = event {
                improvements += 1;
                let game = &improvement.game;
                problem.identity(game).unwrap();
                registry.write(text, problem, game, &Provenance::default(), &Picture::default()).unwrap();
                problem.draw(game, Canvas { width: 80, color: false, ascii: true }).unwrap();
                problem.compare(game, game).unwrap();
            }
        }),
        ..Controls::default()
    });
    let outcome = outcome.unwrap();
    problem.identity(outcome.game().unwrap()).unwrap();
    assert!(improvements > 5);
    // The moves to start from, none here, are read once, too.
    assert_eq!(replays.load(Ordering::Relaxed), improvements + 1);
}
