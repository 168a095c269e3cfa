//! Puzzles and optimisation problems for Nestling, a module each.

/// `Clone` for a state that searches copy all the time: `clone_from` copies into the vectors that are there, and leaves alone what both
/// share already, so that threads do not meet at its counter.
macro_rules! clone_state {
    ($state:ident: shared [$($shared:ident),*], owned [$($owned:ident),*], plain [$($plain:ident),*]) => {
        impl Clone for $state {
            fn clone(&self) -> Self {
                let $state { $($shared,)* $($owned,)* $($plain,)* } = self;
                $state { $($shared: $shared.clone(),)* $($owned: $owned.clone(),)* $($plain: *$plain,)* }
            }

            fn clone_from(&mut self, source: &Self) {
                $(if !std::sync::Arc::ptr_eq(&self.$shared, &source.$shared) {
                    self.$shared = source.$shared.clone();
                })*
                $(self.$owned.clone_from(&source.$owned);)*
                $(self.$plain = source.$plain;)*
            }
        }
    };
}

mod book;
pub mod bus;
pub mod colouring;
pub mod conjecture;
mod domains;
mod excerpt;
mod features;
mod generated;
pub mod golomb;
pub mod graph;
mod grid;
pub mod grown;
pub mod kakuro;
pub mod left_move;
pub mod leftmost_path;
pub mod logic;
#[cfg(feature = "models")]
pub mod model;
pub mod samegame;
pub mod schur;
pub mod snake;
pub mod sudoku;
pub mod tsptw;

pub use book::book;
pub use bus::Bus;
pub use domains::{Assignment, solutions};
pub use generated::{GeneratedPuzzle, NoPuzzle, PuzzleKind, generate};
pub use golomb::Golomb;
pub use grown::{CapSet, GrownSet, NoThreeInLine, SidonSet};
pub use left_move::LeftMove;
pub use leftmost_path::LeftmostPath;
pub use schur::WeakSchur;
pub use snake::Snake;
pub use tsptw::Tsptw;
