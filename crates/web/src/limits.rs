//! How much may be asked for. Everything here is generous to a person and a stop to a script gone wild.

use std::time::Duration;

use nestling_registry::{Registry, RunSpec};

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

/// The connections that one address may have of so many: half of them, so that nobody takes all.
pub(crate) fn share(connections: usize) -> usize {
    connections / 2
}

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

/// The bytes that a search may hold by itself: some hundred megabytes.
const MEMORY: u64 = 320 << 20;

/// The longest text of a search.
const EXPRESSION: usize = 2000;

/// Refuses what is for the command line alone, and what would not end well here whatever its budget.
pub(crate) fn asked(spec: &RunSpec, registry: &Registry) -> Answer<()> {
    let RunSpec { runs, weights, games, output, learned, from_file, threads, checkpoint, .. } = spec;
    let usual = RunSpec::new("");
    let files =
        output.is_some() || learned.is_some() || from_file.is_some() || !weights.is_empty() || !games.is_empty();
    if files || *runs != usual.runs || *threads != usual.threads || *checkpoint != usual.checkpoint {
        let reason = "runs, threads, checkpoint, weights, games, output, learned and from_file are allowed only on the command line";
        return Err(Refusal::impossible(reason));
    }
    spec.search.as_deref().map_or(Ok(()), |text| search(text, registry))
}

/// Reads a search, and refuses files, and what does not fit in memory.
pub(crate) fn search(text: &str, registry: &Registry) -> Answer<()> {
    if text.len() > EXPRESSION {
        return Err(Refusal::impossible(format!("the search is longer than {EXPRESSION} characters")));
    }
    let search = registry.searches().parse(text);
    let search = search.map_err(|error| Refusal::impossible(format!("the search, {error}")))?;
    if let Some(file) = search.files().first() {
        let reason = format!("the search reads the file {file}; that is allowed only on the command line");
        return Err(Refusal::impossible(reason));
    }
    if let Some(part) = search.parts().find(|part| part.memory_needed() > MEMORY) {
        let (most, needed) = (MEMORY >> 20, part.memory_needed() >> 20);
        let reason =
            format!("{part} may take {needed} MiB of memory, but only {most} MiB are allowed here; lower its numbers");
        return Err(Refusal::impossible(reason));
    }
    Ok(())
}
