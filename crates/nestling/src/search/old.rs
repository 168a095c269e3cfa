//! Reads checkpoints of format 2, whose frames were nested without tags: every kind of frame had a number. The numbers below and the states
//! they stand for define that format and must not change.

use std::cell::Cell;

use serde::{Deserialize, Deserializer};

use super::accelerated::Accelerated;
use super::beam::Beaming;
use super::dfs::Walk;
use super::lookahead::Looking;
use super::mean::Averaging;
use super::nrpa::Learning;
use super::playout::Playing;
use super::portfolio::Turns;
use super::repeat::Repeating;
use super::step::Stepping;
use super::uct::{Growing, Tree};
use super::{Frame, accelerated, playout, uct};
use crate::problem::Move;

thread_local! {
    static IS_OLD: Cell<bool> = const { Cell::new(false) };
}

/// Whether frames are now read in format 2.
pub(super) fn is_read() -> bool {
    IS_OLD.get()
}

/// Calls a function that reads frames in format 2.
pub(crate) fn read<T>(read: impl FnOnce() -> T) -> T {
    struct Back;
    impl Drop for Back {
        fn drop(&mut self) {
            IS_OLD.set(false);
        }
    }
    IS_OLD.set(true);
    let _back = Back;
    read()
}

#[derive(Deserialize)]
#[serde(bound = "M: Move")]
enum Old<M: Move> {
    Games(Playing<M>),
    Repeat(Repeating<M>),
    Mean(Averaging<M>),
    Step(Box<Stepping<M>>),
    Lookahead(Box<Looking<M>>),
    Nrpa(Box<Learning<M>>),
    Uct(Growing<M>),
    Tree(Tree<M>),
    Dfs(Walk<M>),
    Beam(Box<Beaming<M>>),
    Accelerated(Accelerated<M>),
    Portfolio(Box<Turns<M>>),
}

/// A frame of format 2, converted to the present one.
pub(super) fn frame<'de, M: Move, D: Deserializer<'de>>(deserializer: D) -> Result<Frame<M>, D::Error> {
    Ok(match Old::<M>::deserialize(deserializer)? {
        Old::Games(state) => Frame::new(playout::TAG, 1, state),
        Old::Repeat(state) => Frame::new("repeat", 1, state),
        Old::Mean(state) => Frame::new("mean", 1, state),
        Old::Step(state) => Frame::new("step", 1, *state),
        Old::Lookahead(state) => Frame::new("lookahead", 1, *state),
        Old::Nrpa(state) => Frame::new("nrpa", 1, *state),
        Old::Uct(state) => Frame::new("uct", 1, state),
        Old::Tree(state) => Frame::new(uct::TREE, 1, state),
        Old::Dfs(state) => Frame::new("dfs", 1, state),
        Old::Beam(state) => Frame::new("beam", 1, *state),
        Old::Accelerated(state) => Frame::new(accelerated::TAG, 1, state),
        Old::Portfolio(state) => Frame::new("portfolio", 1, *state),
    })
}
