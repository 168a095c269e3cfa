//! Runs by name: the request ([`RunSpec`]), and the prepared run ([`Ready`]).

mod assorted;
mod elsewhere;
mod kept;
mod ready;
mod runs;
mod spec;
mod start_on;
mod tasks;
mod workers;

/// A checkpoint to resume from, and what had been spent when it was written.
pub type Resume = (Vec<u8>, nestling::Spent);

pub use assorted::{Assorted, AssortedRun, start_assorted_on};
pub use kept::{BatchKeeper, BatchListener, KeptBatch, OutcomeJournal};
pub use ready::{Controls, Ready, RunRefused, all_threads, drawn_seed};
pub use spec::RunSpec;
pub use start_on::RunBatch;
pub use tasks::{SteppedTask, Tasks, host};
pub use workers::{Bundle, Delivery, Workers};
