//! Completion in shells: besides commands, flags and files, the names of problems, records and experiments, and the numbers of runs.
//!
//! The script of a shell asks this program itself, with the words of the command line so far, whenever the user presses Tab.

use anyhow::{Result, anyhow};
use clap::{Arg, Command, CommandFactory};
use clap_complete::engine::{ArgValueCandidates, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};
use nestling_registry::Registry;

use crate::args::Cli;
use crate::text;

/// The variable by which a script says that it asks.
const ASKED: &str = "NESTLING_COMPLETE";

/// Answers a shell, if one asks.
pub(crate) fn answer(registry: &Registry) -> Result<bool> {
    let asked = CompleteEnv::with_factory(|| command(registry)).var(ASKED);
    let folder = std::env::current_dir().ok();
    asked.try_complete(text::words(), folder.as_deref()).map_err(|error| anyhow!("{error}"))
}

/// The script for a shell.
pub(crate) fn script(shell: &str) -> Result<Vec<u8>> {
    let shells = Shells::builtins();
    let shell = shells.completer(shell).ok_or_else(|| anyhow!("there is no script for {shell}"))?;
    let mut script = Vec::new();
    shell.write_registration(ASKED, "nestling", "nestling", "nestling", &mut script)?;
    Ok(script)
}

/// The command line, with candidates for what only this program knows.
fn command(registry: &Registry) -> Command {
    let listed = |games: bool| -> Vec<(String, String)> {
        let is_game = |name: &str| registry.open(name).is_ok_and(|problem| problem.table().is_some());
        let named = registry.list().filter(|(name, _)| is_game(name) == games);
        named.map(|(name, summary)| (name.to_owned(), summary.to_owned())).collect()
    };
    let (problems, games) = (listed(false), listed(true));
    let commands: Vec<_> =
        Cli::command().get_subcommands().map(|command| (command.get_name().to_owned(), String::new())).collect();
    let command = Cli::command()
        .mut_subcommand("solve", |command| offer(command, "problem", &problems))
        .mut_subcommand("hunt", |command| offer(command, "problem", &problems))
        .mut_subcommand("weights", |command| offer(command, "problem", &problems))
        // Without a search the problem comes first.
        .mut_subcommand("explain", |command| offer(offer(command, "search", &problems), "problem", &problems))
        .mut_subcommand("match", |command| offer(command, "game", &games))
        .mut_subcommand("records", |command| offer(command, "name", &records(registry)))
        .mut_subcommand("man", |command| offer(command, "command", &commands));
    #[cfg(feature = "lab")]
    let command = command.mut_subcommand("lab", |lab| crate::lab::with_candidates(lab, &problems));
    #[cfg(feature = "store")]
    let command = command.mut_subcommand("runs", crate::runs::complete::with_candidates);
    command
}

/// Names with what they stand for, as candidates for an argument.
pub(crate) fn offer(command: Command, argument: &'static str, names: &[(String, String)]) -> Command {
    let names = names.to_vec();
    let candidates = ArgValueCandidates::new(move || {
        names.iter().map(|(name, about)| candidate(name, about)).collect::<Vec<CompletionCandidate>>()
    });
    attach(command, argument, &candidates)
}

/// The same command, with candidates for an argument. `Command::mut_arg` would change the order of the arguments.
pub(crate) fn attach(command: Command, argument: &str, candidates: &ArgValueCandidates) -> Command {
    command.mut_args(|other: Arg| if other.get_id() == argument { other.add(candidates.clone()) } else { other })
}

pub(crate) fn candidate(value: &str, about: &str) -> CompletionCandidate {
    CompletionCandidate::new(value).help((!about.is_empty()).then(|| about.to_owned().into()))
}

fn records(registry: &Registry) -> Vec<(String, String)> {
    let problems = registry.list().filter_map(|(name, _)| registry.open(name).ok());
    problems.flat_map(|problem| problem.published()).map(|game| (game.id, game.name)).collect()
}
