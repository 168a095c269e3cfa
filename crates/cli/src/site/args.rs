//! The flags of `nestling site`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::args::ForceArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nestling site -o public
  nestling site -o public --engine target/engine/nestling.wasm
  nestling site -o public --game rosin178.psol --address https://example.org/nestling

Any file server can serve the folder, from any path. The pages search in the browser, keep their
runs there, and contact no other server. They need https or localhost to work without a network and
to share searches between tabs.

The pages need two engines in WebAssembly. nestling.wasm has the problems that have a page of their
own; it is the file next to this program, unless --engine names another file. others.wasm has all
other problems; it is the file next to nestling.wasm. scripts/site builds both engines.")]
pub(crate) struct SiteArgs {
    /// The folder to write; it is created if it is missing. In an existing site, files of the same name are replaced
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
    /// The engine for browsers, in WebAssembly
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub engine: Option<PathBuf>,
    /// Add a page that shows this game in link previews, and leads people to the board; can be given more than once
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub game: Vec<PathBuf>,
    /// The address that the folder will have (for link previews)
    #[arg(long, value_name = "URL", requires = "game", value_parser = address, allow_hyphen_values = true)]
    pub address: Option<String>,
    #[command(flatten)]
    pub force: ForceArgs,
}

/// The address of a folder on the web.
fn address(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or_default();
    match rest.is_empty() || rest.contains(|c: char| c.is_whitespace() || c.is_control()) {
        true => Err("an address such as https://example.org/nestling/".to_owned()),
        false => Ok(text.to_owned()),
    }
}
