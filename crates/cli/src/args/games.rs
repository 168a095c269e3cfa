//! The flags of the commands about games that are there already.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use nestling_registry::{Picture, Theme};

use super::{AsciiArgs, ForceArgs, MOST_MOVES, count, time, within};
use crate::stored::StoreArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nestling verify *.psol
  nestling verify mine.psol --against theirs.msr
  nestling verify - --json < game.json
  nestling verify --unique sudokus.txt

For each game the output says whether it is legal, whether it is complete, and whether it is a
published record, up to symmetry and the order of moves. With --against, it also says whether both
games are the same or, for Morpion Solitaire, have the same lines in another order, or the same
dots. With --unique, it says for each Sudoku or Kakuro whether the exact solver finds one solution,
several or none.

Exit codes: 0 every game is legal, or every puzzle has exactly one solution; 1 a game is illegal, a
puzzle does not have exactly one solution, or this could not be decided; 2 a file cannot be read")]
pub(crate) struct VerifyArgs {
    /// Files with games in any format, or with puzzles; FILE#K is the K-th game or puzzle in a file, - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Compare each game with the game in this file, up to symmetry
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// Report whether the Sudokus or Kakuros in the files have exactly one solution, instead of verifying games
    #[arg(long, conflicts_with = "against")]
    pub unique: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The last K moves of a game are best if every game with the same moves before them is at most as
long. K grows by one move at a time until the limit is reached or the whole game is proven. The
search is exhaustive and keeps no table of positions: it needs little memory, and the proof does not
depend on hash values.

If a longer game is found, it is verified by an independent implementation of the rules and written
to the file of --output, or to standard output as Pentasol text.

Examples:
  nestling prove rosin178
  nestling prove game.psol --time 10m -o longer.psol
  nestling prove bruneau170 --time 8h --checkpoint bruneau.proof
  nestling prove hyyroporanen62 --any-order --positions 100_000 --json
  nestling prove game.psol --each-move        is there a longer game close to this one?

Exit codes: 0 the reported moves are best; 1 a longer game was found, or the game is illegal; 2 bad
usage or unreadable input; 130 interrupted, after reporting what is proven")]
pub(crate) struct ProveArgs {
    /// A file with a game of Morpion Solitaire in any format, or the name of a published record; FILE#K is the K-th game in a file,
    /// - is standard input
    pub game: PathBuf,
    /// Reorder the game's moves, with the same lines, so that more moves are proven in the same time
    #[arg(long)]
    pub any_order: bool,
    /// For each move, remove it and all moves that depend on it, and prove that no completion of the rest is longer than the game
    #[arg(long, conflicts_with_all = ["any_order", "checkpoint"])]
    pub each_move: bool,
    /// Stop after this time, such as 30s, 5m or 1h30m [default: 1m, if --positions is not given]
    #[arg(short, long, value_name = "TIME", value_parser = time, allow_hyphen_values = true)]
    pub time: Option<Duration>,
    /// Stop after this many positions, counted over all runs with the same checkpoint
    #[arg(short, long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub positions: Option<u64>,
    /// Write the number of proven moves to this file; if the file exists, continue from it
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// If a longer game is found, write it to this file; the file's ending decides the format
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
    /// Print the result as a JSON object
    #[arg(long)]
    pub json: bool,
    /// Print only the result: no progress
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nestling show game.psol
  nestling show game.msr --up-to 60 --ascii
  nestling show game.psol -o game.svg --animated
  nestling show game.psol -o game.gif

Exit codes: 0 done; 1 the game is illegal; 2 the file cannot be read")]
pub(crate) struct ShowArgs {
    /// A file with games in any format, pictures included; FILE#K is the K-th game in a file, - is standard input
    pub file: PathBuf,
    #[command(flatten)]
    pub ascii: AsciiArgs,
    /// Write the game to this file instead, such as a picture: .svg and .png show a position, .gif shows the moves one by one
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
    #[command(flatten)]
    pub picture: PictureArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Formats are recognised by content when reading, and chosen by the file's ending when writing:
  .psol, .txt   Pentasol text (Morpion Solitaire only; for other problems .txt is the same as .game)
  .msr          the Morpion Solitaire Record format as JSON
  .ms1          the same in its compact form
  .game         Nestling's text format, for every problem: the problem's name, one move per line
  .json         Nestling's JSON format, for every problem
  .svg, .png    a picture that contains this JSON, so that the game can be read again
  .gif          an animated picture of the moves, which contains the JSON too
All formats keep the origin of a game: search, seed, playouts, date, author.
Read, but not written: the JSON of PyMorpionSolitaire and of MorpionSolitaire for .NET.

Examples:
  nestling convert game.psol game.png --theme age
  nestling convert game.png game.msr
  nestling convert game.msr - --to pentasol

Exit codes: 0 done; 1 the game is illegal; 2 a file cannot be read or written")]
pub(crate) struct ConvertArgs {
    /// The file to read, in any format; FILE#K is the K-th game in a file, - is standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The file to write; - is standard output
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// The format to write; overrides the file's ending
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<String>,
    #[command(flatten)]
    pub force: ForceArgs,
    #[command(flatten)]
    pub picture: PictureArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  nestling records
  nestling records morpion-5d            the published records and your own best games of 5D
  nestling records rosin178
  nestling records morpion-5d#1          the best 5D game of your own runs
  nestling records bruneau170 -o bruneau.png --theme dark
  nestling records morpion-5t -o found.psol   all 5T games of your own runs in one file")]
pub(crate) struct RecordsArgs {
    /// The game to draw, or the problem whose games to list
    pub name: Option<String>,
    /// Write the game to this file instead of drawing it; if NAME is a problem, write the games that your own runs found
    #[arg(short, long, value_name = "FILE", requires = "name")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
    #[command(flatten)]
    pub ascii: AsciiArgs,
    /// List the games as JSON with their moves, one object per line
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub store: StoreArgs,
    #[command(flatten)]
    pub picture: PictureArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Pictures")]
pub(crate) struct PictureArgs {
    /// Show the position after K moves; a picture file still contains the whole game
    #[arg(long, value_name = "K", value_parser = within(0..=MOST_MOVES), allow_hyphen_values = true)]
    pub up_to: Option<usize>,
    /// The width in pixels [default: 1000]
    #[arg(long, value_name = "PIXELS", value_parser = within(100..=10_000u32), allow_hyphen_values = true)]
    pub size: Option<u32>,
    /// The colours [default: light]
    #[arg(long, value_name = "THEME", value_parser = PossibleValuesParser::new(["light", "dark", "print", "age"]).try_map(|name| name.parse::<Theme>()))]
    pub theme: Option<Theme>,
    /// Animate the moves one by one (.svg only)
    #[arg(long)]
    pub animated: bool,
    /// The text below the picture [default: the author or search that found the game]
    #[arg(long, value_name = "TEXT")]
    pub caption: Option<String>,
}

impl PictureArgs {
    /// The same for a game of this many moves.
    pub fn picture(&self, moves: usize) -> anyhow::Result<Picture> {
        if let Some(up_to) = self.up_to {
            anyhow::ensure!(up_to <= moves, "--up-to {up_to}: the game has only {moves} moves");
        }
        let usual = Picture::default();
        let (width, theme) = (self.size.unwrap_or(usual.width), self.theme.unwrap_or(usual.theme));
        let PictureArgs { up_to, animated, ref caption, .. } = *self;
        Ok(Picture { width, theme, up_to, animated, caption: caption.clone() })
    }

    /// The first option that was given.
    pub fn given(&self) -> Option<&'static str> {
        let options = [
            ("--up-to", self.up_to.is_some()),
            ("--size", self.size.is_some()),
            ("--theme", self.theme.is_some()),
            ("--animated", self.animated),
            ("--caption", self.caption.is_some()),
        ];
        options.into_iter().find(|&(_, given)| given).map(|(option, _)| option)
    }
}
