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

pub mod bus;
mod domains;
mod excerpt;
mod features;
mod grid;
pub mod kakuro;
pub mod left_move;
pub mod leftmost_path;
pub mod samegame;
pub mod sudoku;
pub mod tsptw;

pub use bus::Bus;
pub use domains::{Assignment, solutions};
pub use left_move::LeftMove;
pub use leftmost_path::LeftmostPath;
pub use tsptw::Tsptw;
