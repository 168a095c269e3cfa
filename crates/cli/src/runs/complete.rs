//! Completion in shells for `nestling runs`: the numbers of runs.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::Command;
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use nestling_store::{State, Store};

use crate::complete::{attach, candidate};
use crate::stored::{self, StoreArgs};

/// How many runs are offered.
const RUNS: usize = 100;

/// The command `runs`, with candidates.
pub(crate) fn with_candidates(command: Command) -> Command {
    ["show", "resume", "export", "delete", "tasks", "collect", "recheck"].into_iter().fold(command, |command, name| {
        let offered = ArgValueCandidates::new(move || runs(["resume", "tasks", "collect"].contains(&name)));
        command.mut_subcommand(name, |command| attach(command, "id", &offered))
    })
}

/// The runs of the store that the command line names, the newest first. A store that cannot be read has nothing to offer: this is no
/// place to say why.
fn runs(only_interrupted: bool) -> Vec<CompletionCandidate> {
    let store = StoreArgs {
        store: named_store(std::env::args_os()).or_else(|| std::env::var_os("NESTLING_STORE").map(PathBuf::from)),
    };
    let Ok(path) = stored::path(&store) else { return Vec::new() };
    let runs = Store::look(&path).and_then(|store| store.map_or(Ok(Vec::new()), |store| store.newest(RUNS)));
    let wanted = |state: &State| !only_interrupted || *state != State::Done;
    let runs = runs.unwrap_or_default().into_iter().filter(|run| wanted(&run.state));
    runs.map(|run| candidate(&run.id.to_string(), &format!("{} on {}", run.spec.expression(), run.spec.problem)))
        .collect()
}

/// The file behind `--store` in the words so far.
fn named_store(words: impl Iterator<Item = OsString>) -> Option<PathBuf> {
    let words: Vec<OsString> = words.collect();
    let apart = words.iter().position(|word| word == "--store").and_then(|at| words.get(at + 1)).cloned();
    let joined = |word: &OsString| {
        word.to_str().and_then(|word| word.strip_prefix("--store=")).map(OsStr::new).map(OsStr::to_owned)
    };
    apart.or_else(|| words.iter().find_map(joined)).map(PathBuf::from)
}
