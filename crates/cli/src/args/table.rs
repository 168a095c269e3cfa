//! The flags of the command about games for two.

use std::path::PathBuf;

use clap::Args;

use super::{ForceArgs, MOST_MOVES, count, within};

/// Help about a match, with these players.
pub(super) fn match_help(players: &str) -> String {
    format!(
        "\
Players:
{players}  Quarto adds three players from the paper on UCT. `first` wins at once if it can. `playout` also
  gives, if it can, a safe piece: one with which the opponent cannot win at once. `second` also
  places its own piece so that a safe piece is left to give, if it can.
  Every player has the options from=STAGE and before=PLAYER: before that stage of the game, PLAYER
  chooses the moves. In Quarto the stage is the number of pieces on the board.

Examples:
  nestling match quarto 'uct(1000)' second --games 1000 --seed 1
  nestling match quarto:squares 'uct(500, symmetry=on)' 'uct(500)' --opening 4 -o games.jsonl
  nestling show games.jsonl#3            the third game
  nestling verify games.jsonl            all of them

Ctrl-C ends a match; the result counts the finished games.

Exit codes: 0 done; 2 bad usage; 130 interrupted"
    )
}

#[derive(Debug, Args)]
pub(crate) struct MatchArgs {
    /// The game, such as quarto or quarto:squares
    pub game: String,
    /// One player
    #[arg(value_name = "A")]
    pub one: String,
    /// The other player
    #[arg(value_name = "B")]
    pub other: String,
    /// The number of games; the players alternate in moving first
    #[arg(short, long, value_name = "N", value_parser = count, allow_hyphen_values = true, default_value = "100")]
    pub games: u64,
    /// Begin games with this many random moves; each opening is played twice, the second time with the players swapped
    #[arg(long, value_name = "MOVES", value_parser = within(0..=MOST_MOVES), allow_hyphen_values = true, default_value = "0")]
    pub opening: usize,
    /// The random seed; the same seed gives the same games, unless a player has a time limit [default: chosen at random and printed]
    #[arg(long, value_name = "N", value_parser = within(0..=u64::MAX), allow_hyphen_values = true)]
    pub seed: Option<u64>,
    /// The number of threads; the result does not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16), allow_hyphen_values = true)]
    pub threads: Option<u16>,
    /// Print games and the result as JSON, one object per line
    #[arg(long)]
    pub json: bool,
    /// Write the games to this file as JSON, one game per line
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub force: ForceArgs,
}
