//! `improve` on a problem with an improver: the laws, a simple implementation, and flaws that the conformance suite finds.

use nestling::engine::Improver;
use nestling::search::Standard;
use nestling::{Goal, Problem, Rng, Run, Stop, Stream, conformance};

use crate::common::{Maze, mix};
use crate::laws_forged::{Strict, resists};

const THINGS: u8 = 11;

/// What is wrong with an improver.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Flaw {
    None,
    /// Says that its game is better than it is.
    Boasts,
    /// Leaves the last thing out.
    Forgets,
    /// Puts one thing there twice.
    Doubles,
    /// Changes a game at random even if it should not.
    Worsens,
    /// Does not do the same twice.
    Remembers,
    /// Gives up although it was not told to.
    Tires,
}

/// Put eleven things in a row. What two neighbours cost is drawn once.
#[derive(Clone, Debug)]
struct Row {
    left: Vec<u8>,
    last: u8,
    cost: u64,
    flaw: Flaw,
}

fn row(flaw: Flaw) -> Row {
    Row { left: (0..THINGS).collect(), last: THINGS, cost: 0, flaw }
}

impl Problem for Row {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clone_from(&self.left);
    }

    fn play(&mut self, played: u8) {
        self.left.retain(|&thing| thing != played);
        self.cost += mix(u64::from(self.last), u64::from(played)) % 50;
        self.last = played;
    }

    fn score(&self) -> f64 {
        self.cost as f64
    }

    fn goal(&self) -> Goal {
        Goal::Min
    }

    fn improver(&self) -> Option<Box<dyn Improver<u8> + '_>> {
        Some(Box::new(Swaps { start: self, calls: 0 }))
    }
}

/// Exchanges two things.
struct Swaps<'a> {
    start: &'a Row,
    calls: usize,
}

impl Swaps<'_> {
    fn cost(&self, game: &[u8]) -> f64 {
        self.start.certify(game).expect("the game is legal").score
    }
}

impl Improver<u8> for Swaps<'_> {
    fn improve(&mut self, game: &mut Vec<u8>, strength: u32, rng: &mut Rng, give_up: &dyn Fn() -> bool) -> Option<f64> {
        self.calls += 1;
        let flaw = self.start.flaw;
        let len = game.len().max(1);
        let changes = if flaw == Flaw::Worsens { 1 } else { strength };
        (0..changes).for_each(|_| game.swap(rng.below(len), rng.below(len)));
        let mut cost = self.cost(game);
        let pairs = (0..len).flat_map(|one| (0..one).map(move |other| (one, other)));
        loop {
            if give_up() || flaw == Flaw::Tires {
                return None;
            }
            if flaw == Flaw::Worsens {
                break;
            }
            let before = cost;
            for (one, other) in pairs.clone() {
                game.swap(one, other);
                let changed = self.cost(game);
                if changed < cost {
                    cost = changed;
                } else {
                    game.swap(one, other);
                }
            }
            if cost == before {
                break;
            }
        }
        match flaw {
            Flaw::Forgets => drop(game.pop()),
            Flaw::Doubles => game[0] = game[1],
            Flaw::Remembers if self.calls.is_multiple_of(2) => game.reverse(),
            _ => {}
        }
        match flaw {
            Flaw::Boasts => Some(cost - 1.0),
            Flaw::Remembers => Some(self.cost(game)),
            _ => Some(cost),
        }
    }
}

#[test]
fn the_laws_find_flaws_of_improvers() {
    let found = |flaw| conformance::check(&row(flaw), 5).map_err(|violation| violation.law);
    assert_eq!(found(Flaw::None), Ok(()));
    let laws = [
        (Flaw::Boasts, "an improver claims what the rules replay"),
        (Flaw::Forgets, "an improver claims what the rules replay"),
        (Flaw::Doubles, "an improver makes legal games"),
        (Flaw::Worsens, "an improver without random changes makes no game worse"),
        (Flaw::Remembers, "an improver depends on the game, the strength and the draws alone"),
        (Flaw::Tires, "an improver gives up only when it is told to"),
    ];
    for (flaw, law) in laws {
        assert_eq!(found(flaw), Err(law), "{flaw:?}");
    }
}

#[test]
fn improve_keeps_the_laws() {
    for text in [
        "improve(0, playout)",
        "improve(200, playout)",
        "improve(playout, patience=30)",
        "repeat(improve(playout, patience=10, strength=3))",
        "repeat(improve(5, nrpa(1, iterations=7)))",
        "improve(100, repeat(9, nested(1)))",
        "step(improve(2, playout))",
        "pool(250, cycle=5000, starts=5, first=improve(3, playout))",
        "portfolio(dfs, repeat(improve(9, playout)))",
    ] {
        conformance::search::<Standard, _>(&row(Flaw::None), &text.parse().unwrap(), 300)
            .unwrap_or_else(|broken| panic!("{broken}"));
    }
}

/// The definition, written down once more: the game, its score and the playouts.
fn simple(seed: u64, count: Option<u64>, strength: u64, patience: u64) -> (Vec<u8>, f64, u64) {
    let (problem, stream) = (row(Flaw::None), Stream::new(seed));
    let first = Run::new(&problem, "playout".parse().unwrap()).seed(stream.child(0).seed()).start().unwrap();
    let (mut kept, mut score) = (first.moves().to_vec(), first.score().unwrap());
    let (mut tried, mut failed) = (0, 0);
    loop {
        let is_over = match count {
            Some(count) => tried > count,
            None => tried > 0 && failed >= patience,
        };
        if is_over {
            return (kept, score, 1 + tried);
        }
        let changes = if tried == 0 { 0 } else { 1 + failed % strength };
        let mut game = kept.clone();
        let mut rng = stream.child(1).child(tried).rng();
        let new = problem.improver().unwrap().improve(&mut game, changes as u32, &mut rng, &|| false).unwrap();
        failed = if new < score { 0 } else { failed + 1 };
        if new <= score {
            (kept, score) = (game, new);
        }
        tried += 1;
    }
}

#[test]
fn improve_is_the_simple_one() {
    for seed in 0..5 {
        for (text, count, strength, patience) in [
            ("improve(40, playout)", Some(40), 16, 0),
            ("improve(0, playout, strength=2)", Some(0), 2, 0),
            ("improve(playout, strength=3, patience=25)", None, 3, 25),
        ] {
            let problem = row(Flaw::None);
            let outcome = Run::new(&problem, text.parse().unwrap()).seed(seed).start().unwrap();
            assert_eq!(outcome.stop, Stop::Finished);
            let (moves, score, playouts) = simple(seed, count, strength, patience);
            assert_eq!((outcome.moves(), outcome.score()), (&moves[..], Some(score)), "{text}, seed {seed}");
            assert_eq!(outcome.counts.playouts, playouts, "{text}, seed {seed}");
        }
    }
}

#[test]
fn a_problem_without_an_improver_is_refused() {
    let error = Run::new(&Maze::new(1, 9, Goal::Min), "repeat(improve(playout))".parse().unwrap()).start().unwrap_err();
    assert!(error.to_string().contains("this problem has no improver of games"), "{error}");
}

#[test]
fn forged_checkpoints_cause_no_panic() {
    for search in ["improve(30, nrpa(1, iterations=9))", "repeat(improve(playout))"] {
        resists(&Strict(row(Flaw::None)), search, 300);
    }
}
