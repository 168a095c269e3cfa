//! Quarto as people see it.

use nestling::duel::Strategy;
use nestling_quarto::{Move, Position, Variant, draw, won_text};

use crate::Refusal;
use crate::exhibit::Canvas;
use crate::table::{Level, Tabletop};

/// The game of `quarto` or `quarto:squares`.
pub(crate) fn open(parameters: &str) -> Result<Position, Refusal> {
    match parameters {
        "" => Ok(Position::new(Variant::Lines)),
        _ => parameters
            .parse()
            .map(Position::new)
            .map_err(|unknown: nestling_quarto::UnknownWord| unknown.to_string().into()),
    }
}

/// From people who are new to the game to a player that makes no mistake.
const LEVELS: [(&str, &str); 6] = [
    ("beginner", "first"),
    ("easy", "playout"),
    ("medium", "second"),
    ("hard", "uct(1000)"),
    ("expert", "uct(20000, exact=8)"),
    ("perfect", "uct(20000, exact=0)"),
];

impl Tabletop for Position {
    fn draw(&self, moves: &[Move], canvas: Canvas) -> String {
        let mut position = *self;
        moves.iter().for_each(|&played| position.play(played));
        draw(&position, canvas.ascii)
    }

    fn task(&self) -> String {
        match self.hand() {
            Some(piece) => format!("place {piece}"),
            None => "give a piece".to_owned(),
        }
    }

    fn deed(&self, played: Move) -> String {
        match (played, self.hand()) {
            (Move::Place(cell), Some(piece)) => format!("places {piece} on {cell}"),
            (Move::Place(cell), None) => format!("places a piece on {cell}"),
            (Move::Give(piece), _) => format!("gives {piece}"),
        }
    }

    fn reason(&self) -> Option<String> {
        let lines = won_text(self);
        if lines.is_empty() { None } else { Some(lines.join("; ")) }
    }

    fn levels(&self) -> Vec<Level> {
        let level = |(name, strategy): (&str, &str)| Level { name: name.to_owned(), strategy: constant(strategy) };
        LEVELS.map(level).into()
    }

    fn advisor(&self) -> Strategy {
        constant("uct(20000, exact=5)")
    }
}

fn constant(strategy: &str) -> Strategy {
    strategy.parse().expect("the strategies of levels are constants")
}
