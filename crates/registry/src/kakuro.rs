//! Kakuro as people see it.

use nestling::Illegal;
use nestling_puzzles::Assignment;
use nestling_puzzles::kakuro::{Bounds, Kakuro, draw, svg};

use crate::exhibit::{Canvas, Exhibit, Picture, cells_left as verdict};
use crate::parameters::{Parameters, number};
use crate::{Refusal, Registry};

/// Adds `kakuro`.
pub(crate) fn register(registry: Registry) -> Registry {
    let summary = "Kakuro; cells left free (seed=0, size=8, values=9; FILE#N, values=9; bounds=both, strong or weak)";
    registry.with("kakuro", summary, open)
}

fn open(text: &str) -> Result<Kakuro, Refusal> {
    let parameters = Parameters::new(text, "kakuro", &["seed", "size", "values", "bounds"])?;
    parameters.only_without_file(&["seed", "size"])?;
    let choices = [("both", Bounds::Both), ("strong", Bounds::Strong), ("weak", Bounds::Weak)];
    let bounds = parameters.choice("bounds", &choices)?;
    let values =
        parameters.option("values").map(|text| number("values", text, 1..=usize::from(u8::MAX))).transpose()?;
    if parameters.has_file() {
        let (text, number) = parameters.read()?;
        let kakuros = Kakuro::read(&text, values, bounds).map_err(|error| match error.is_contradiction() {
            true => Refusal::Unsolvable(parameters.in_file(error)),
            false => Refusal::Parameters(parameters.in_file(error)),
        })?;
        return Ok(parameters.pick(kakuros, number)?);
    }
    let size = parameters.number("size", 8, 1..=usize::MAX)?;
    let seed = parameters.number("seed", 0, 0..=u64::MAX)?;
    Ok(Kakuro::seeded(size, values.unwrap_or(9), seed, bounds).map_err(|error| error.to_string())?)
}

impl Exhibit for Kakuro {
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
