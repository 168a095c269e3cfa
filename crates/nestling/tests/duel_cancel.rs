//! Once a search is cancelled it looks at hardly anything more. What it looks at is counted, since time would depend on the machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::tables::{TicTacToe, minimax};
use nestling::duel::{Setting, Strategy};
use nestling::engine::Solver;
use nestling::{Cancel, Ending, Game, Player, Proof, Stream};

/// Noughts and crosses that counts the calls for its moves or its solver, and cancels the search at one of them.
#[derive(Clone)]
struct Watched {
    game: TicTacToe,
    looks: Arc<AtomicU64>,
    last: u64,
    cancel: Cancel,
}

impl Watched {
    fn look(&self) {
        if self.looks.fetch_add(1, Ordering::Relaxed) + 1 == self.last {
            self.cancel.cancel();
        }
    }
}

impl Game for Watched {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        self.look();
        self.game.legal_moves(moves);
    }

    fn play(&mut self, played: u8) {
        self.game.play(played);
    }

    fn turn(&self) -> Player {
        self.game.turn()
    }

    fn ending(&self) -> Option<Ending> {
        self.game.ending()
    }

    fn solver(&self, _cancel: &Cancel) -> Option<Box<dyn Solver<Self>>> {
        Some(Box::new(Patient))
    }
}

/// A solver that never stops by itself, so that its caller has to.
struct Patient;

impl Solver<Watched> for Patient {
    fn solve(&mut self, state: &Watched, _nodes: u64) -> Option<Proof> {
        state.look();
        Some(minimax(&state.game))
    }
}

/// How many looks a player takes who is cancelled at the `last` of them.
fn looks(player: &str, last: u64) -> u64 {
    let cancel = Cancel::new();
    let watched = Watched { game: TicTacToe::new(), looks: Arc::default(), last, cancel: cancel.clone() };
    let strategy: Strategy = player.parse().unwrap();
    let mut agent = strategy.agent(&watched, &Setting { cancel: cancel.clone(), ..Setting::default() }).unwrap();
    let played = agent.choose(Stream::new(1)).played;
    assert!(cancel.is_cancelled() && played < 9, "{player} was not cancelled");
    watched.looks.load(Ordering::Relaxed)
}

#[test]
fn whoever_solves_asks_no_more() {
    assert_eq!(looks("exact", 4), 4);
    assert_eq!(looks("exact", 9), 9);
    // The tree looks once at the moves that are left.
    assert!(looks("uct(1000000, exact=0)", 4) <= 5);
    assert!(looks("uct(1000000, exact=0, trees=3)", 6) <= 9);
}

#[test]
fn alpha_beta_looks_no_further() {
    assert_eq!(looks("alphabeta(9)", 1000), 1000);
}

#[test]
fn simulations_end() {
    // At most 64 simulations of nine moves each, and the first ones.
    assert!(looks("uct(1000000, proof=off)", 2000) <= 2000 + 64 * 10);
}
