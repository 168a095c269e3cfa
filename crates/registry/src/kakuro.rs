//! Kakuro as people see it.

use nestling::{Illegal, Problem};
use nestling_puzzles::kakuro::{Bounds, Kakuro, MAX_SEEDED_SIZE, MAX_VALUES, Place, draw, svg};
use nestling_puzzles::{Assignment, Solutions, solutions};
use serde_json::{Value, json};

use crate::exhibit::{Canvas, Exhibit, NODES, Picture, cells_left as verdict};
use crate::parameters::{Parameters, Reach, number};
use crate::{Refusal, Registry};

/// Adds `kakuro`.
pub(crate) fn register(registry: Registry) -> Registry {
    let summary = "Kakuro; cells left free (seed=0, size=8, values=9; FILE#N, values=9; bounds=both, strong or weak)";
    registry.with_files("kakuro", summary, open)
}

fn open(text: &str, reach: Reach) -> Result<Kakuro, Refusal> {
    let parameters = Parameters::new(text, "kakuro", &["seed", "size", "values", "bounds"])?;
    parameters.only_without_file(&["seed", "size"])?;
    let choices = [("both", Bounds::Both), ("strong", Bounds::Strong), ("weak", Bounds::Weak)];
    let bounds = parameters.choice("bounds", &choices)?;
    let values = parameters.option("values").map(|text| number("values", text, 1..=MAX_VALUES)).transpose()?;
    if parameters.has_file() {
        let (text, number) = parameters.read(reach)?;
        let kakuros = Kakuro::read(&text, values, bounds).map_err(|error| match error.is_contradiction() {
            true => Refusal::Unsolvable(parameters.in_file(error)),
            false => Refusal::Parameters(parameters.in_file(error)),
        })?;
        return Ok(parameters.pick(kakuros, number)?);
    }
    let size = parameters.number("size", 8, 1..=MAX_SEEDED_SIZE)?;
    let seed = parameters.number("seed", 0, 0..=u64::MAX)?;
    Ok(Kakuro::seeded(size, values.unwrap_or(9), seed, bounds).map_err(|error| error.to_string())?)
}

impl Exhibit for Kakuro {
    fn view(&self, moves: &[Assignment]) -> Option<Value> {
        let mut state = self.clone();
        moves.iter().for_each(|&played| state.play(played));
        let place = |(cell, &place): (usize, &Place)| match place {
            Place::White => json!({ "value": state.values()[cell], "possible": state.possible(cell) }),
            Place::Black { down, across } => json!({ "down": down, "across": across }),
        };
        let places: Vec<Value> = self.places().iter().enumerate().map(place).collect();
        Some(json!({ "width": self.width(), "largest": self.largest(), "places": places }))
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
        Kakuro::parse(self, texts)
    }
}
