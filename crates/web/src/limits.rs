//! How much may be asked for. Everything here is generous to a person and a stop to a script gone wild.

use std::time::Duration;

use nestling::{Kind, Search};

use crate::refusal::{Answer, Refusal};

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

/// The longest search.
pub(crate) const TIME: Duration = Duration::from_secs(30 * 86_400);

/// How long the body of a request may take to arrive.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// How long requests that are under way when the server stops may take.
pub(crate) const FAREWELL: Duration = Duration::from_secs(2);

/// The longest hint.
pub(crate) const HINT: f64 = 10.0;

/// The nodes that solving one move of an analysis may take: some tenths of a second.
pub(crate) const ANALYSIS: u64 = 3_000_000;

/// The width of a picture in pixels.
pub(crate) const WIDTH: std::ops::RangeInclusive<u32> = 100..=4000;

/// Runs in a list.
pub(crate) const RUNS: usize = 500;

/// The nodes that the trees of a search may have, and the states of a beam: some hundred megabytes.
const NODES: u64 = 2_000_000;
const BEAM: u64 = 20_000;

/// The longest text of a search.
const EXPRESSION: usize = 2000;

/// Reads a search, and refuses what would not end well here whatever its budget: files, and trees that do not fit in memory.
pub(crate) fn search(text: &str) -> Answer<Search> {
    if text.len() > EXPRESSION {
        return Err(Refusal::impossible(format!("the search is longer than {EXPRESSION} characters")));
    }
    let search: Search = text.parse().map_err(|error| Refusal::impossible(format!("the search, {error}")))?;
    if let Some(file) = search.files().first() {
        let reason = format!("the search reads the file {file}; that is for the command line");
        return Err(Refusal::impossible(reason));
    }
    for part in std::iter::successors(Some(&search), |part| part.inner()) {
        match part.kind {
            Kind::Uct { simulations, trees, .. } if simulations.saturating_mul(trees) > NODES => {
                let reason = format!("{part} would need too much memory here; repeat(uct({NODES})) is the most");
                return Err(Refusal::impossible(reason));
            }
            Kind::Beam { width, .. } if width > BEAM => {
                return Err(Refusal::impossible(format!("{part} is too wide here; beam({BEAM}) is the most")));
            }
            _ => {}
        }
    }
    Ok(search)
}
