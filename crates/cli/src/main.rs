//! The binary `nestling`.

use std::process::ExitCode;

fn main() -> ExitCode {
    nestling_cli::main_with(nestling_registry::Registry::standard())
}
