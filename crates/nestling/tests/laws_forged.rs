//! Checkpoints that somebody has forged: bytes are changed anywhere, and the checksum is made right again. A search refuses such a state, or
//! continues from it; it never panics, and never plays a move that is not legal.

use std::panic::{AssertUnwindSafe, catch_unwind};

use nestling::engine::{Formula, Improver};
use nestling::{Goal, Problem, RunError, Stream};

use crate::common::{EXPRESSIONS, LeftMove, Maze, Order, run};
use crate::old_checkpoints::with_checksum;

/// A problem that panics when it has to play a move that is not legal.
#[derive(Clone)]
pub struct Strict<P>(pub P);

impl<P: Problem> Problem for Strict<P> {
    type Move = P::Move;

    fn legal_moves(&self, moves: &mut Vec<P::Move>) {
        self.0.legal_moves(moves);
    }

    fn play(&mut self, played: P::Move) {
        let mut legal = Vec::new();
        self.0.legal_moves(&mut legal);
        assert!(legal.contains(&played), "a move that is not legal is played");
        self.0.play(played);
    }

    fn score(&self) -> f64 {
        self.0.score()
    }

    fn goal(&self) -> Goal {
        self.0.goal()
    }

    fn code(&self, played: P::Move) -> u64 {
        self.0.code(played)
    }

    fn dense_codes(&self) -> usize {
        self.0.dense_codes()
    }

    fn biases(&self) -> &'static [&'static str] {
        self.0.biases()
    }

    fn named_bias(&self, bias: usize, played: P::Move) -> f64 {
        self.0.named_bias(bias, played)
    }

    fn position(&self) -> Option<u128> {
        self.0.position()
    }

    fn formula(&self) -> Option<Formula<P::Move>> {
        self.0.formula()
    }

    fn improver(&self) -> Option<Box<dyn Improver<P::Move> + '_>> {
        self.0.improver()
    }
}

/// A run of a search that was interrupted, and its checkpoint.
fn checkpoint<P: Problem>(problem: &P, search: &str, playouts: u64) -> Option<Vec<u8>> {
    let mut stepper = run(problem, search, 5).stepper().expect("the run is valid");
    stepper.step(playouts).expect("it searches");
    stepper.checkpoint().expect("it can be written").map(|(bytes, _)| bytes)
}

/// Continues from a checkpoint for a while.
fn go_on<P: Problem>(problem: &P, search: &str, checkpoint: Vec<u8>) -> Result<(), RunError> {
    let mut stepper = run(problem, search, 5).resume(checkpoint).stepper()?;
    stepper.step(300).map(drop)
}

/// Forges checkpoints of a search: `count` of every cut, each with one to three changed bytes.
pub fn resists<P: Problem>(problem: &P, search: &str, count: u64) {
    for cut in [1, 7, 40, 130] {
        let Some(original) = checkpoint(problem, search, cut) else { continue };
        go_on(problem, search, original.clone()).unwrap_or_else(|error| panic!("{search}, cut at {cut}: {error}"));
        for trial in 0..count {
            let mut rng = Stream::new(cut).child(trial).rng();
            let mut bytes = original.clone();
            for _ in 0..1 + trial % 3 {
                let place = 20 + rng.below(bytes.len() - 20);
                bytes[place] =
                    [rng.below(256) as u8, bytes[place] ^ 1, bytes[place].wrapping_add(1), 0xff][rng.below(4)];
            }
            let forged = with_checksum(bytes);
            let ended = catch_unwind(AssertUnwindSafe(|| go_on(problem, search, forged)));
            let ended = ended.unwrap_or_else(|_| panic!("{search}, cut at {cut}, forgery {trial}: it panicked"));
            if let Err(error) = ended {
                let message = error.to_string();
                assert!(!message.contains(char::is_control), "{search}, cut at {cut}, forgery {trial}: {message:?}");
            }
        }
    }
}

#[test]
fn forged_checkpoints_of_every_search_cause_no_panic() {
    let (maze, left_move) = (Strict(Maze::new(31, 8, Goal::Max)), Strict(LeftMove::new(9)));
    for search in EXPRESSIONS.iter().chain(&["dfs", "repeat(dfs)", "step(dfs)"]) {
        resists(&maze, search, 60);
        resists(&left_move, search, 40);
    }
}

#[test]
fn forged_checkpoints_with_learned_biases_cause_no_panic() {
    let order = Strict(Order::new());
    for search in ["nrpa(2, iterations=9, bias=all, learn_bias=on)", "nrpa(3, iterations=4, bias=near)"] {
        resists(&order, search, 300);
    }
}
