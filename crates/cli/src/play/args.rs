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

In the browser: the server answers only this machine, unless --listen is given. The connection is
not encrypted: use --listen only in networks you trust. Ctrl-C stops the server; its searches are
stored and can be resumed.

On the terminal: type a move such as DTQF or a1, or a command: hint, undo, level NAME, moves,
save FILE, new, help, quit")]
pub(crate) struct PlayArgs {
    /// The page to open: morpion, quarto, samegame, sudoku, tours, problems or runs [default: the first page]. With --terminal,
    /// the game: quarto or quarto:squares
    pub what: Option<String>,
    #[command(flatten)]
    pub browser: BrowserArgs,
    /// Play a two-player game on the terminal
    #[arg(long, conflicts_with_all = ["port", "no_browser", "listen"])]
    pub terminal: bool,
    #[command(flatten)]
    pub seats: TerminalArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BrowserArgs {
    /// The port [default: 8178, or a free port if 8178 is in use]
    #[arg(long, value_name = "N", value_parser = within(0..=u16::MAX), allow_hyphen_values = true)]
    pub port: Option<u16>,
    /// Print the address, but open no browser
    #[arg(long)]
    pub no_browser: bool,
    /// Listen on this IP address, to serve other machines too; the printed addresses
    /// then contain a token, which every request needs
    #[arg(long, value_name = "ADDR", value_parser = address, allow_hyphen_values = true)]
    pub listen: Option<IpAddr>,
    #[command(flatten)]
    pub store: StoreArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "On the terminal")]
pub(crate) struct TerminalArgs {
    /// The strength of the computer; `help` while playing lists the levels [default: a medium level]
    #[arg(long, value_name = "NAME", requires = "terminal")]
    pub level: Option<String>,
    /// The computer's player, instead of a level; `nestling match --help` lists the players
    #[arg(long, value_name = "PLAYER", requires = "terminal", conflicts_with = "level")]
    pub opponent: Option<String>,
    /// Which side you play [default: first]
    #[arg(long, value_enum, requires = "terminal")]
    pub seat: Option<HumanSides>,
    /// The random seed of the computer's moves [default: chosen at random and printed]
    #[arg(long, value_name = "N", requires = "terminal", value_parser = within(0..=u64::MAX), allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// The number of threads [default: all cores]
    #[arg(long, value_name = "N", requires = "terminal", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    /// Use ASCII characters only; the default where the locale is not UTF-8
    #[arg(long, requires = "terminal")]
    pub ascii: bool,
}

/// Which players are people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HumanSides {
    /// You play, and make the first move
    First,
    /// You play, and the computer begins
    Second,
    /// Two people play
    Both,
    /// The computer plays against itself
    None,
}

fn address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| "an IP address such as 0.0.0.0 or ::1".to_owned())
}
