//! The flags of `nestling play`.

use std::net::IpAddr;

use clap::{Args, ValueEnum};

use crate::args::within;
use crate::stored::StoreArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nestling play
  nestling play quarto
  nestling play runs --port 9000
  nestling play --listen 0.0.0.0 --no-browser      for other machines, with a token in the address
  nestling play quarto --terminal
  nestling play quarto --terminal --level hard --seat second
  nestling play quarto:squares --terminal --opponent 'uct(time=5s)'

In the browser: only this machine is answered unless --listen says otherwise. What is sent is not
encrypted, so listen in networks you trust. Ctrl-C stops the server; searches are kept and can be resumed.

On the terminal: a move such as DTQF or a1; hint, undo, level NAME, moves, save FILE, new, help, quit")]
pub(crate) struct PlayArgs {
    /// The page to open: morpion (if none is named), quarto, samegame, sudoku, tours, problems or runs; with --terminal the
    /// game, quarto or quarto:squares
    pub what: Option<String>,
    #[command(flatten)]
    pub browser: BrowserArgs,
    /// Play a game for two on the terminal
    #[arg(long, conflicts_with_all = ["port", "no_browser", "listen"])]
    pub terminal: bool,
    #[command(flatten)]
    pub seats: TerminalArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BrowserArgs {
    /// The port; 8178, or any that is free, if not given
    #[arg(long, value_name = "N", value_parser = within(0..=u16::MAX), allow_hyphen_values = true)]
    pub port: Option<u16>,
    /// Only print the address
    #[arg(long)]
    pub no_browser: bool,
    /// Listen on this address, for other machines too; the address that is printed then has a token
    #[arg(long, value_name = "ADDR", value_parser = address, allow_hyphen_values = true)]
    pub listen: Option<IpAddr>,
    #[command(flatten)]
    pub store: StoreArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "On the terminal")]
pub(crate) struct TerminalArgs {
    /// How strong the computer is; `help` while playing lists the levels. Otherwise one in the middle
    #[arg(long, value_name = "NAME", requires = "terminal")]
    pub level: Option<String>,
    /// A player of your own choice as opponent; `nestling match --help` lists them
    #[arg(long, value_name = "PLAYER", requires = "terminal", conflicts_with = "level")]
    pub opponent: Option<String>,
    /// Where you sit: with two people both, to watch none; first if not given
    #[arg(long, value_enum, requires = "terminal")]
    pub seat: Option<Seat>,
    /// The seed of the computer's moves. Drawn, and printed, if not given
    #[arg(long, value_name = "N", requires = "terminal", value_parser = within(0..=u64::MAX), allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// How many threads; all cores if not given
    #[arg(long, value_name = "N", requires = "terminal", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    /// Use ASCII characters only, as where the locale is not UTF-8
    #[arg(long, requires = "terminal")]
    pub ascii: bool,
}

/// Which players are people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Seat {
    /// You begin
    First,
    /// The computer begins
    Second,
    /// Two people play
    Both,
    /// The computer plays itself
    None,
}

fn address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| "an IP address such as 0.0.0.0 or ::1".to_owned())
}
