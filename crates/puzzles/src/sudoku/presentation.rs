//! Sudoku as people see it.

use nestling::{Illegal, Problem, state_after};
use nestling_presentation::{Canvas, Meaning, Picture, Presentation, Solutions};
use serde_json::{Value, json};

use super::{Sudoku, draw, svg};
use crate::domains::{Assignment, NODES, cells_left, solutions};

impl Presentation for Sudoku {
    fn view(&self, moves: &[Assignment]) -> Option<Value> {
        let state = state_after(self, moves);
        let possible: Vec<Vec<u8>> = (0..state.values().len()).map(|cell| state.possible(cell)).collect();
        Some(json!({
            "order": self.order(), "givens": self.givens(), "values": state.values(), "possible": possible,
        }))
    }

    fn solutions(&self) -> Option<Solutions> {
        solutions(self, NODES)
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
