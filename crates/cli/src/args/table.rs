//! The flags of the command about games for two.

use std::path::PathBuf;

use clap::Args;

const PLAYERS: &str = "\
Players:
  random         any legal move
  first          Quarto: wins if it can (the paper's first playout policy)
  playout        and gives no piece that wins at once (its playout policy)
  second         and places so that there is such a piece (its second program)
  uct(n)         a tree grown by n simulations before each move; uct(time=1s)
                 turn=split|joined, draw=0.5, final=visits|value,
                 c=5 or epsilon=E, policy=NAME, proof=on|off,
                 transpositions=off|on, symmetry=off|on, exact=STAGE,
                 games=FILE, weight=0.1, trees=1, memory=1024
  alphabeta(d)   all moves d deep
  exact          the game's exact solver
  All take from=STAGE and before=PLAYER, who plays until the game has come so
  far; in Quarto the stage is the number of pieces on the board.";

fn match_help() -> String {
    format!(
        "{PLAYERS}

Examples:
  nestling match quarto 'uct(1000)' second --games 1000 --seed 1
  nestling match quarto:squares 'uct(500, symmetry=on)' 'uct(500)' --opening 4 -o games.jsonl
  nestling show games.jsonl#3            the third game
  nestling verify games.jsonl            all of them

Exit codes: 0 done; 2 bad usage; 130 interrupted"
    )
}

#[derive(Debug, Args)]
#[command(after_help = match_help())]
pub(crate) struct MatchArgs {
    /// The game, such as quarto or quarto:squares
    pub game: String,
    /// One player
    #[arg(value_name = "A")]
    pub one: String,
    /// The other player
    #[arg(value_name = "B")]
    pub other: String,
    /// How many games; the players take turns to begin
    #[arg(short, long, value_name = "N", value_parser = super::count, default_value = "100")]
    pub games: u64,
    /// Both games of a pair begin with the same random moves, so many
    #[arg(long, value_name = "MOVES", default_value_t = 0)]
    pub opening: usize,
    /// The seed; the same seed gives the same games, unless a player goes by the clock. Drawn, and printed, if not given
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// How many threads; all cores if not given. The result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print games and the result as JSON, one object a line
    #[arg(long)]
    pub json: bool,
    /// Keep the games in this file, one a line, each of which is a game as JSON
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
