//! Sudoku as people see it.

use nestling::{Illegal, Problem, state_after};
use nestling_presentation::{Canvas, Meaning, Mistakes, MoveReason, Picture, Presentation, Solutions};
use serde_json::{Value, json};

use super::{Sudoku, draw, svg};
use crate::domains::{Assignment, cells_left, count, mistakes};
use crate::logic;

/// Techniques are used in grids up to this size.
const LARGEST_REASONED: usize = 25;

impl Presentation for Sudoku {
    fn view(&self, moves: &[Assignment]) -> Option<Value> {
        let state = state_after(self, moves);
        let possible: Vec<Vec<u8>> = (0..state.values().len()).map(|cell| state.possible(cell)).collect();
        Some(json!({
            "order": self.order(), "givens": self.givens(), "values": state.values(), "possible": possible,
        }))
    }

    fn solutions(&self) -> Option<Solutions> {
        count(self)
    }

    fn mistakes(&self, moves: &[Assignment]) -> Option<Mistakes> {
        mistakes(self, moves)
    }

    fn reasons(&self, moves: &[Assignment]) -> Option<Vec<MoveReason>> {
        // On larger grids, looking for triples and fishes can take minutes.
        (self.side() <= LARGEST_REASONED).then(|| logic::reasons(state_after(self, moves).position(), logic::SUDOKU))
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
        Sudoku::parse(self, texts)
    }

    /// Cells may be filled in any order.
    fn code_of(&self, text: &str) -> Result<u64, String> {
        Sudoku::parse(self, &[text]).map(|moves| self.code(moves[0])).map_err(|illegal| illegal.reason)
    }
}
