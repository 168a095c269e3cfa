//! Quarto as people see it.

use nestling::duel::Strategy;
use nestling_presentation::{Canvas, GamePresentation, OpponentLevel, Picture};
use serde_json::{Value, json};

use crate::picture;
use crate::{Cell, Move, Position, Trait, draw, won_text};

/// From people who are new to the game to a player that makes no mistake.
const LEVELS: [(&str, &str, &str); 6] = [
    ("beginner", "first", "completes a line if it can; otherwise plays anything, and may hand you the piece you need"),
    ("easy", "playout", "hands you no piece that wins at once while it has another; places anywhere"),
    ("medium", "second", "also places so that it keeps a harmless piece to give; looks no further ahead"),
    ("hard", "uct(1000)", "plays a thousand games in its head before each move; overlooks long traps"),
    (
        "expert",
        "uct(20000, exact=4)",
        "plays twenty thousand games in its head, and makes no mistake once four pieces are placed",
    ),
    ("perfect", "uct(20000, exact=0)", "never makes a mistake: at best you get a draw"),
];

impl GamePresentation for Position {
    fn draw(&self, moves: &[Move], canvas: Canvas) -> String {
        let mut position = *self;
        moves.iter().for_each(|&played| position.play(played));
        draw(&position, canvas.ascii)
    }

    fn picture(&self, moves: &[Move], picture: &Picture) -> Option<String> {
        Some(picture::svg(self, moves, picture.still()?))
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

    fn levels(&self) -> Vec<OpponentLevel> {
        LEVELS.map(|(name, strategy, about)| OpponentLevel::new(name, strategy, about)).into()
    }

    fn advisor(&self) -> Strategy {
        "uct(20000, exact=5)".parse().expect("it is a constant")
    }

    fn view(&self) -> Option<Value> {
        let won = self.won_lines().into_iter().map(|(cells, traits)| {
            json!({
                "cells": cells.iter().map(|cell| cell.to_string()).collect::<Vec<_>>(),
                "shared": traits.into_iter().map(Trait::name).collect::<Vec<_>>(),
            })
        });
        Some(json!({
            "board": Cell::ALL.iter().map(|cell| self.at(cell).map(|piece| piece.to_string())).collect::<Vec<_>>(),
            "hand": self.hand().map(|piece| piece.to_string()),
            "left": self.left().iter().map(|piece| piece.to_string()).collect::<Vec<_>>(),
            "turn": self.turn().to_string(),
            "won": won.collect::<Vec<_>>(),
        }))
    }
}
