//! The laws of engines are strict enough: an honest engine passes, and each way to be wrong is found.

use nestling::conformance::{WithoutEngines, check};
use nestling::engine::{Batch, PlayoutPolicy, Rule, play_batch};
use nestling::engine::{Codes, Exponential, INDEX_BITS, Learner, Recording};
use nestling::{Problem, Rng, Run};

use crate::common::LeftMove;

/// What is wrong with an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Flaw {
    None,
    /// Its batches leave the weights out.
    Weights,
    /// It takes one random number too many before a game of NRPA's.
    Draw,
    /// It tells NRPA that the other move was played.
    Span,
    /// The problem has a bias for all moves, which the engine leaves out.
    Bias,
    /// The same, but not for the first moves.
    LaterBias,
}

/// A left-move game with an engine for both seams.
#[derive(Clone, Debug)]
struct Fast {
    game: LeftMove,
    depth: u32,
    ply: u32,
    flaw: Flaw,
}

fn fast(flaw: Flaw) -> Fast {
    Fast { game: LeftMove::new(12), depth: 12, ply: 0, flaw }
}

impl Problem for Fast {
    type Move = bool;

    fn legal_moves(&self, moves: &mut Vec<bool>) {
        self.game.legal_moves(moves);
    }

    fn play(&mut self, left: bool) {
        self.game.play(left);
        self.ply += 1;
    }

    fn score(&self) -> f64 {
        self.game.score()
    }

    fn code(&self, left: bool) -> u64 {
        self.game.code(left)
    }

    fn bias(&self, left: bool) -> f64 {
        let biased = self.flaw == Flaw::Bias || self.flaw == Flaw::LaterBias && self.ply > 0;
        if biased && left { 1.5 } else { 0.0 }
    }

    fn playouts(&self, batch: &mut Batch<'_, bool>) {
        if self.flaw != Flaw::Weights || batch.policy().weights.is_none() || batch.first_move(0).is_some() {
            return play_batch(self, batch);
        }
        let unweighted = PlayoutPolicy { weights: None, ..batch.policy().clone() };
        while !batch.is_over() {
            let mut one = Batch::alone(&unweighted, self.goal(), batch.stream(batch.played()));
            play_batch(self, &mut one);
            let (score, moves) = one.best().expect("a game was played");
            batch.record(score, moves.len(), |game| game.extend_from_slice(moves));
        }
    }

    fn learner(&self, rule: Rule) -> Option<Box<dyn Learner<bool> + '_>> {
        (rule == Rule::Uniform).then(|| Box::new(Engine { start: self, moves: Vec::new() }) as _)
    }
}

struct Engine<'a> {
    start: &'a Fast,
    moves: Vec<bool>,
}

impl Learner<bool> for Engine<'_> {
    fn play(&mut self, codes: &Codes, policy: &[f64], rng: &mut Rng) -> Option<(f64, usize)> {
        self.moves.clear();
        if self.start.flaw == Flaw::Draw {
            rng.unit();
        }
        let mut state = self.start.game.clone();
        for _ in self.start.ply..self.start.depth {
            let mut clock = |left| Exponential::new().draw(rng) / codes.value(policy, state.code(left));
            let [left, right] = [true, false].map(|left| clock(left).to_bits() >> INDEX_BITS);
            self.moves.push(left <= right);
            state.play(left <= right);
        }
        Some((state.score(), self.moves.len()))
    }

    fn record(&mut self, codes: &mut Codes, mut game: Recording<'_, bool>) {
        let mut state = self.start.game.clone();
        for (step, &played) in (0..).zip(&self.moves) {
            for left in [true, false] {
                let is_played = (left == played) != (self.start.flaw == Flaw::Span);
                game.span(codes.number(state.code(left)), step, step + 1, is_played);
            }
            state.play(played);
        }
        game.moves(self.moves.iter().copied());
        game.end(state.score());
    }
}

#[test]
fn the_laws_find_flaws_of_engines() {
    let found = |flaw| check(&fast(flaw), 20).map_err(|violation| violation.law);
    assert_eq!(found(Flaw::None), Ok(()));
    assert_eq!(found(Flaw::Weights), Err("an engine plays the games of the plain playouts"));
    for flaw in [Flaw::Draw, Flaw::Span, Flaw::LaterBias] {
        assert_eq!(found(flaw), Err("an engine learns as the plain playouts do"), "{flaw:?}");
    }
}

/// A bias counts in NRPA although the problem has an engine that knows nothing of it.
#[test]
fn a_bias_is_not_lost_to_an_engine() {
    let (biased, unbiased) = (fast(Flaw::Bias), fast(Flaw::None));
    let first = |problem: &Fast| Run::new(problem, "nrpa(0)".parse().unwrap()).seed(3).start().unwrap().answer;
    let plain = Run::new(&WithoutEngines(biased.clone()), "nrpa(0)".parse().unwrap()).seed(3).start().unwrap().answer;
    assert_eq!(first(&biased), plain);
    assert_ne!(first(&biased), first(&unbiased));
    check(&biased, 20).unwrap();
}
