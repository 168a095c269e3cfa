//! Runs by name: what is asked for ([`RunSpec`]), and what that comes to once it is decided ([`Ready`]).

mod ready;
mod spec;
mod tasks;

pub use ready::{Controls, Ready, RunRefused, all_threads, drawn_seed};
pub use spec::RunSpec;
pub use tasks::{Tasks, host};
