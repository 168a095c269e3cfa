//! `nestling play`: in the browser, or on the terminal.

pub(crate) mod args;
mod browser;
mod terminal;

use anyhow::Result;
use nestling_registry::Registry;

use self::args::PlayArgs;
use crate::failure::Exit;

pub(crate) fn play(args: &PlayArgs, registry: Registry) -> Result<Exit> {
    if args.terminal {
        terminal::play(args.what.as_deref().unwrap_or("quarto"), &args.seats, &registry)
    } else {
        browser::play(args.what.as_deref().unwrap_or_default(), &args.browser, registry)
    }
}
