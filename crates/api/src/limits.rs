//! How much may be asked for.

use nestling_registry::{Registry, RunSpec};

use crate::refusal::{Refusal, RequestResult};

/// The longest hint, in seconds.
pub(crate) const HINT: f64 = 10.0;

/// The nodes that solving one move of an analysis may take: some tenths of a second.
pub(crate) const ANALYSIS: u64 = 3_000_000;

/// The width of a picture in pixels.
pub(crate) const WIDTH: std::ops::RangeInclusive<u32> = 100..=4000;

/// The bytes that a search may hold by itself: some hundred megabytes.
const MEMORY: u64 = 320 << 20;

/// The longest text of a search.
const EXPRESSION: usize = 2000;

/// Refuses what is for the command line alone, and what would not end well here whatever its budget.
///
/// # Errors
///
/// With the reason.
pub fn check_spec(spec: &RunSpec, registry: &Registry) -> RequestResult<()> {
    let RunSpec { runs, weights, games, output, learned, from_file, threads, checkpoint, .. } = spec;
    let usual = RunSpec::new("");
    let files =
        output.is_some() || learned.is_some() || from_file.is_some() || !weights.is_empty() || !games.is_empty();
    if files || *runs != usual.runs || *threads != usual.threads || *checkpoint != usual.checkpoint {
        let reason = "runs, threads, checkpoint, weights, games, output, learned and from_file are allowed only on the command line";
        return Err(Refusal::impossible(reason));
    }
    spec.search.as_deref().map_or(Ok(()), |text| check_search(text, registry))
}

/// Reads a search, and refuses files, and what does not fit in memory.
///
/// # Errors
///
/// With the reason.
pub fn check_search(text: &str, registry: &Registry) -> RequestResult<()> {
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
