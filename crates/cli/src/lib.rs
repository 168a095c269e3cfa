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
#[cfg(feature = "lab")]
mod bench;
mod bundle;
mod cluster;
mod complete;
mod contest;
mod convert;
mod distribution;
mod explain;
mod failure;
mod files;
mod games;
mod held;
mod help;
mod hunt;
mod interrupt;
mod json;
mod keeper;
#[cfg(feature = "lab")]
mod lab;
mod learn;
mod output;
#[cfg(feature = "web")]
mod play;
mod problem;
mod progress;
mod prove;
mod puzzle;
mod records;
mod report;
#[cfg(feature = "store")]
mod runs;
mod show;
#[cfg(feature = "web")]
mod site;
mod solve;
#[cfg_attr(not(feature = "store"), path = "not_stored.rs")]
mod stored;
mod task;
mod text;
mod usage;
mod verify;
mod weights;

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, anyhow};
use clap::{CommandFactory, FromArgMatches};

use args::{Cli, Command};
pub use cluster::OpenWorkers;
use failure::Exit;
use nestling::ParseError;
use nestling::duel::Players;
use nestling::search::Searches;
use nestling_registry::{OpenError, Registry};

/// Runs the command line on the problems of a registry.
pub fn main_with<S: Searches, W: Players>(registry: Registry<S, W>) -> ExitCode {
    run(registry.closed(), Instant::now()).into()
}

/// The same inside another program, such as an interpreter: with these words instead of the process's, the first being the name that
/// people know it by, and with a cluster for `--on`. It returns the exit code.
pub fn main_inside<S: Searches, W: Players>(
    registry: Registry<S, W>,
    words: Vec<OsString>,
    cluster: Option<OpenWorkers>,
) -> u8 {
    let began = Instant::now();
    text::use_words(words);
    cluster::offer(cluster);
    run(registry.closed(), began) as u8
}

fn run(registry: Registry, began: Instant) -> Exit {
    text::use_ascii(text::has_plain_locale(|name| {
        std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
    }));
    match complete::answer(&registry) {
        Ok(false) => {}
        Ok(true) => return Exit::Done,
        Err(error) => {
            anstream::eprintln!("{}: {error}", text::program());
            return Exit::Bad;
        }
    }
    if let Some(page) = help::page(&text::words()) {
        return ended(help::show(page).map_err(Into::into));
    }
    let matches = match args::with_help(Cli::command(), &registry).try_get_matches_from(text::words()) {
        Ok(matches) => matches,
        Err(error) => return refuse(&error),
    };
    let result = Cli::from_arg_matches(&matches).map_err(|error| anyhow!(usage::line(&error)));
    ended(result.and_then(|cli| dispatch(cli.command, registry, began)))
}

/// The exit code, after a message if there was an error.
fn ended(result: Result<Exit>) -> Exit {
    match result {
        Ok(exit) => exit,
        Err(error) if is_broken_pipe(&error) => Exit::Done,
        Err(error) => {
            anstream::eprintln!("{}: {}", text::program(), text::without_codes(&format!("{error:#}")));
            if let Some(mistake) = error.downcast_ref::<ParseError>() {
                mistake.picture().lines().for_each(|line| anstream::eprintln!("  {line}"));
            }
            let unsolvable = matches!(error.downcast_ref(), Some(OpenError::Unsolvable { .. }));
            if unsolvable { Exit::Negative } else { Exit::Bad }
        }
    }
}

fn dispatch(command: Command, registry: Registry, began: Instant) -> Result<Exit> {
    match command {
        Command::Solve(args) => solve::solve(&args, &registry, began),
        Command::Hunt(args) => hunt::hunt(*args, &registry, began),
        Command::Explain(args) => explain::explain(&args, &registry),
        Command::Match(args) => contest::contest(&args, &registry),
        Command::Verify(args) => verify::verify(&args, &registry),
        Command::Puzzle(args) => puzzle::puzzle(&args),
        Command::Prove(args) => prove::prove(&args, &registry),
        Command::Show(args) => show::show(&args, &registry),
        Command::Convert(args) => convert::convert(&args, &registry),
        Command::Records(args) => records::records(&args, &registry),
        Command::Weights(args) => weights::weights(&args, &registry),
        Command::Learn(args) => learn::learn(&args, &registry),
        #[cfg(feature = "store")]
        Command::Runs(args) => runs::runs(&args, &registry),
        Command::Task(args) => task::task(&args, &registry),
        #[cfg(feature = "web")]
        Command::Play(args) => play::play(&args, registry),
        #[cfg(feature = "web")]
        Command::Site(args) => site::site(&args, &registry),
        #[cfg(feature = "lab")]
        Command::Lab(args) => lab::lab(&args, &registry),
        #[cfg(feature = "lab")]
        Command::Bench(args) => bench::bench(&args),
        Command::Problems { json } => problems(&registry, json),
        Command::Completions { shell } => completions(shell),
        Command::Man { command } => manual(command.as_deref(), &registry),
    }
}

/// Help and version as they are; a mistake as one line that says what to do.
fn refuse(error: &clap::Error) -> Exit {
    if error.use_stderr() && error.kind() != clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        anstream::eprintln!("{}: {}", text::program(), usage::line(error));
        return Exit::Bad;
    }
    // A reader that has closed the pipe, such as `head`, is not an error.
    let _ = error.print();
    if error.use_stderr() { Exit::Bad } else { Exit::Done }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(broken))
}

fn problems(registry: &Registry, json: bool) -> Result<Exit> {
    let width = registry.list().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, summary) in registry.list() {
        if json {
            json::print(&serde_json::json!({ "name": name, "summary": summary }))?;
        } else {
            text::print(&format!("{name:width$}  {summary}\n"))?;
        }
    }
    Ok(Exit::Done)
}

fn completions(shell: clap_complete::Shell) -> Result<Exit> {
    let script = complete::script(&shell.to_string())?;
    text::print_as_it_is(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

fn manual(command: Option<&str>, registry: &Registry) -> Result<Exit> {
    let mut root = args::with_help(Cli::command(), registry);
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
    text::print_as_it_is(&String::from_utf8_lossy(&roff))?;
    Ok(Exit::Done)
}
