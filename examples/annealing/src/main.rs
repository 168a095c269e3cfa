//! The whole command line and the app, with `anneal` among the searches.

use std::process::ExitCode;

use annealing::Anneal;
use nestling_registry::Registry;

fn main() -> ExitCode {
    nestling_cli::main_with(Registry::with_searches::<(Anneal,)>())
}
