//! Ctrl-C.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use nestling::Cancel;

use crate::failure::Exit;

/// Presses the switch at the first Ctrl-C, and leaves at the second.
pub(crate) fn listen(cancel: &Cancel) -> Result<()> {
    let interrupted = cancel.clone();
    let first = OnceLock::new();
    ctrlc::set_handler(move || {
        // The second time a person means it; but a signal to a whole group of processes may come twice at once.
        if interrupted.is_cancelled() && first.get_or_init(Instant::now).elapsed() > Duration::from_secs(1) {
            std::process::exit(Exit::Interrupted as i32);
        }
        first.get_or_init(Instant::now);
        interrupted.cancel();
    })
    .context("cannot listen for Ctrl-C")
}
