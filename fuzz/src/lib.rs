//! What each target does with its bytes: read them or refuse them, with a message that is fit to be shown. Anything else (a panic, a hang, a
//! checked overflow, memory out of proportion) is a finding.

mod messages;
mod problems;
mod readers;
mod requests;
mod sealed;
mod server;
mod stores;

pub use messages::messages;
pub use readers::{experiments, expressions, games, graphs, models, names, proofs, puzzles, weights};
pub use requests::requests;
pub use sealed::{checkpoints, tasks};
pub use server::server;
pub use stores::{portable, stores};

/// A message that people can read: short, and without control characters.
fn presentable(error: &impl ToString) {
    let message = error.to_string();
    assert!(message.chars().count() <= 2000 && !message.contains(|c: char| c.is_control() && c != '\n'), "{message:?}");
}
