//! How much may be asked for. Everything here is generous to a person and a stop to a script gone wild.

use std::time::Duration;

/// Bytes of a request that is JSON: a game of thousands of moves has room.
pub(crate) const BODY: usize = 1 << 20;

/// Bytes of a file that is opened.
pub(crate) const FILE: usize = 8 << 20;

/// Searches at once.
pub(crate) const SEARCHES: usize = 4;

/// Hints at once.
pub(crate) const HINTS: usize = 2;

/// Streams of events at once.
pub(crate) const STREAMS: usize = 64;

/// How long the headers of a request may take to arrive, and how long its body.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Connections at once.
pub(crate) const CONNECTIONS: usize = 512;

/// The file handles that the store, the searches and everything else need.
const OTHER_FILES: u64 = 96;

/// Connections that are told at the same time that there are too many.
pub(crate) const REFUSALS: usize = 16;

/// As many of the wanted connections as a process may have that may open so many files.
pub(crate) fn connections(wanted: usize, files: Option<u64>) -> usize {
    let fit = files.map_or(u64::MAX, |files| files - OTHER_FILES.min(files / 2));
    wanted.min(usize::try_from(fit).unwrap_or(usize::MAX)).max(2)
}

/// The connections that one address may have of so many: half of them, so that one client cannot take all.
pub(crate) fn share(connections: usize) -> usize {
    connections / 2
}

/// How long requests that are under way when the server stops may take.
pub(crate) const FAREWELL: Duration = Duration::from_secs(2);

/// Runs in a list.
pub(crate) const RUNS: usize = 500;
