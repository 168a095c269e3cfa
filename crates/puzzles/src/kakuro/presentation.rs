//! Kakuro as people see it.

use nestling::{Illegal, Problem, state_after};
use nestling_presentation::{Canvas, Meaning, Mistakes, MoveReason, Picture, Presentation, Solutions};
use serde_json::{Value, json};

use super::{Kakuro, Square, draw, svg};
use crate::domains::{Assignment, cells_left, count, mistakes};
use crate::logic;

impl Presentation for Kakuro {
    fn view(&self, moves: &[Assignment]) -> Option<Value> {
        let state = state_after(self, moves);
        let place = |(cell, &place): (usize, &Square)| match place {
            Square::White => json!({ "value": state.values()[cell], "possible": state.possible(cell) }),
            Square::Black { down, across } => json!({ "down": down, "across": across }),
        };
        let places: Vec<Value> = self.places().iter().enumerate().map(place).collect();
        Some(json!({ "width": self.width(), "largest": self.largest(), "places": places }))
    }

    fn solutions(&self) -> Option<Solutions> {
        count(self)
    }

    fn mistakes(&self, moves: &[Assignment]) -> Option<Mistakes> {
        mistakes(self, moves)
    }

    fn reasons(&self, moves: &[Assignment]) -> Option<Vec<MoveReason>> {
        Some(logic::reasons(state_after(self, moves).position(), logic::KAKURO))
    }

    fn draw(&self, moves: &[Assignment], canvas: Canvas) -> String {
        draw(self, moves, canvas.color)
    }

    fn picture(&self, moves: &[Assignment], picture: &Picture) -> Option<String> {
        Some(svg(self, moves, picture.still()?))
    }

    fn meaning(score: f64, proven: bool) -> Option<Meaning> {
        Some(cells_left(score, proven))
    }

    fn parse(&self, texts: &[&str]) -> Result<Vec<Assignment>, Illegal> {
        Kakuro::parse(self, texts)
    }

    /// Cells may be filled in any order.
    fn code_of(&self, text: &str) -> Result<u64, String> {
        Kakuro::parse(self, &[text]).map(|moves| self.code(moves[0])).map_err(|illegal| illegal.reason)
    }
}
