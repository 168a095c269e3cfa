//! The command line of Nestling, for its own problems and anyone's.
//!
//! ```no_run
//! use nestling_registry::Registry;
//! fn main() -> std::process::ExitCode {
//!     nestling_cli::main_with(Registry::standard()) // .with("my-problem", …)
//! }
//! ```

mod args;
mod batch;
mod bench;
mod contest;
mod convert;
mod distribution;
mod explain;
mod failure;
mod files;
mod interrupt;
mod json;
mod keeper;
mod lab;
mod play;
mod progress;
mod records;
mod report;
mod runs;
mod show;
mod solve;
mod stored;
mod text;
mod verify;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, anyhow};
use clap::{CommandFactory, FromArgMatches};

use args::{Cli, Command};
use failure::Exit;
use nestling_registry::{OpenError, Registry};

/// Runs the command line on the problems of a registry.
pub fn main_with(registry: Registry) -> ExitCode {
    let began = Instant::now();
    let matches = match Cli::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return usage(&error),
    };
    let result = Cli::from_arg_matches(&matches).map_err(|error| anyhow!(text::one_line(&error.to_string())));
    match result.and_then(|cli| dispatch(cli.command, registry, began)) {
        Ok(exit) => exit.into(),
        Err(error) if is_broken_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            anstream::eprintln!("{}: {error:#}", text::program());
            let unsolvable = matches!(error.downcast_ref(), Some(OpenError::Unsolvable { .. }));
            if unsolvable { Exit::Negative.into() } else { Exit::Bad.into() }
        }
    }
}

fn dispatch(command: Command, registry: Registry, began: Instant) -> Result<Exit> {
    match command {
        Command::Solve(args) => solve::solve(&args, &registry, began),
        Command::Explain(args) => explain::explain(&args, &registry),
        Command::Match(args) => contest::contest(&args, &registry),
        Command::Verify(args) => verify::verify(&args, &registry),
        Command::Show(args) => show::show(&args, &registry),
        Command::Convert(args) => convert::convert(&args, &registry),
        Command::Records(args) => records::records(&args, &registry),
        Command::Runs(args) => runs::runs(&args, &registry),
        Command::Play(args) => play::play(&args, registry),
        Command::Lab(args) => lab::lab(&args, &registry),
        Command::Bench(args) => bench::bench(&args),
        Command::Problems { json } => problems(&registry, json),
        Command::Completions { shell } => completions(shell),
        Command::Man { command } => manual(command.as_deref()),
    }
}

/// Help and version as they are; a mistake as one line that says what to do.
fn usage(error: &clap::Error) -> ExitCode {
    if error.use_stderr() && error.kind() != clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        anstream::eprintln!("{}: {}", text::program(), text::one_line(&error.to_string()));
        return Exit::Bad.into();
    }
    // A reader that has left, such as `head`, is no failure of ours.
    let _ = error.print();
    if error.use_stderr() { Exit::Bad.into() } else { Exit::Done.into() }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(broken))
}

fn problems(registry: &Registry, json: bool) -> Result<Exit> {
    let width = registry.list().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, summary) in registry.list() {
        if json {
            text::print(&format!("{}\n", serde_json::json!({ "name": name, "summary": summary })))?;
        } else {
            text::print(&format!("{name:width$}  {summary}\n"))?;
        }
    }
    Ok(Exit::Done)
}

fn completions(shell: clap_complete::Shell) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "nestling", &mut script);
    text::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

fn manual(command: Option<&str>) -> Result<Exit> {
    let mut root = Cli::command();
    root.build();
    let page = match command {
        None => root,
        Some(name) => {
            let names: Vec<_> = root.get_subcommands().map(|command| command.get_name().to_owned()).collect();
            let found = root.find_subcommand(name).cloned();
            found.ok_or_else(|| anyhow!("there is no command {name:?}; there are {}", names.join(", ")))?
        }
    };
    let mut roff = Vec::new();
    clap_mangen::Man::new(page).render(&mut roff)?;
    text::print(&String::from_utf8_lossy(&roff))?;
    Ok(Exit::Done)
}
