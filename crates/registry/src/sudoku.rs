//! Sudoku as people see it.

use nestling::{Illegal, Problem};
use nestling_puzzles::sudoku::{MAX_SEEDED_ORDER, Sudoku, draw, svg};
use nestling_puzzles::{Assignment, Solutions, solutions};
use serde_json::{Value, json};

use crate::exhibit::{Canvas, Exhibit, NODES, Picture, cells_left as verdict};
use crate::parameters::{Parameters, Reach};
use crate::{Refusal, Registry};

/// Adds `sudoku`.
pub(crate) fn register(registry: Registry) -> Registry {
    registry.with_files("sudoku", "Sudoku of any order; cells left free (seed=0, order=4, empty=66; FILE#N)", open)
}

fn open(text: &str, reach: Reach) -> Result<Sudoku, Refusal> {
    let parameters = Parameters::new(text, "sudoku", &["seed", "order", "empty"])?;
    parameters.only_without_file(&["seed", "order", "empty"])?;
    if parameters.has_file() {
        let (text, number) = parameters.read(reach)?;
        let sudokus = Sudoku::read(&text).map_err(|error| match error.is_contradiction() {
            true => Refusal::Unsolvable(parameters.in_file(error)),
            false => Refusal::Parameters(parameters.in_file(error)),
        })?;
        return Ok(parameters.pick(sudokus, number)?);
    }
    let order = parameters.number("order", 4, 2..=MAX_SEEDED_ORDER)?;
    let percent = parameters.number("empty", 66, 0..=100)?;
    let empty = (order.pow(4) * percent + 50) / 100;
    let seed = parameters.number("seed", 0, 0..=u64::MAX)?;
    Ok(Sudoku::seeded(order, empty, seed).map_err(|error| error.to_string())?)
}

impl Exhibit for Sudoku {
    fn view(&self, moves: &[Assignment]) -> Option<Value> {
        let mut state = self.clone();
        moves.iter().for_each(|&played| state.play(played));
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
        Some(svg(self, moves, &picture.style()?))
    }

    fn verdict(&self, score: f64, proven: bool) -> Option<String> {
        Some(verdict(score, proven))
    }

    fn parse(&self, texts: &[&str]) -> Result<Vec<Assignment>, Illegal> {
        Sudoku::parse(self, texts)
    }
}
