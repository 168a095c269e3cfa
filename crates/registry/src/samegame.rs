//! SameGame as people see it.

use nestling::Illegal;
use nestling_puzzles::samegame::{Board, Cell, MAX_COLOURS, SameGame, draw, svg};
use serde_json::{Value, json};

use crate::exhibit::{Canvas, Exhibit, Picture};
use crate::format::shown;
use crate::parameters::{Parameters, Reach};
use crate::{Refusal, Registry};

/// Adds `samegame`.
pub(crate) fn register(registry: Registry) -> Registry {
    registry.with_files(
        "samegame",
        "SameGame: groups of one colour, (n-2)² points (seed=0, size=15x15, colours=5, penalty=off; FILE#N)",
        open,
    )
}

fn open(text: &str, reach: Reach) -> Result<SameGame, Refusal> {
    let parameters = Parameters::new(text, "samegame", &["seed", "size", "colours", "penalty"])?;
    parameters.only_without_file(&["seed", "size", "colours"])?;
    let penalty = parameters.choice("penalty", &[("off", false), ("on", true)])?;
    let board = if parameters.has_file() {
        let (text, number) = parameters.read(reach)?;
        let boards = Board::read(&text).map_err(|error| parameters.in_file(error))?;
        parameters.pick(boards, number)?
    } else {
        let (columns, rows) = size(parameters.option("size").unwrap_or("15x15"))?;
        let colours = parameters.number("colours", 5, 1..=MAX_COLOURS)?;
        let seed = parameters.number("seed", 0, 0..=u64::MAX)?;
        Board::seeded(columns, rows, colours, seed).map_err(|error| error.to_string())?
    };
    Ok(SameGame::new(board, penalty))
}

/// `20x10`: columns and rows.
fn size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once('x').and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
    sides.ok_or_else(|| format!("size={}: write columns and rows, such as size=20x10", shown(text, 40)))
}

impl Exhibit for SameGame {
    fn view(&self, moves: &[Cell]) -> Option<Value> {
        let mut rules = self.rules();
        moves.iter().for_each(|&cell| drop(rules.remove(cell)));
        let colours = |column: &Vec<(u8, Cell)>| column.iter().map(|&(colour, _)| colour).collect::<Vec<_>>();
        Some(json!({
            "width": self.board().columns(),
            "height": self.board().rows(),
            "columns": rules.columns().iter().map(colours).collect::<Vec<_>>(),
        }))
    }

    fn draw(&self, moves: &[Cell], canvas: Canvas) -> String {
        draw(self, moves, canvas.color)
    }

    fn picture(&self, moves: &[Cell], picture: &Picture) -> Option<String> {
        Some(svg(self, moves, &picture.style()?))
    }

    fn unit(&self) -> Option<&'static str> {
        Some("points")
    }

    /// Any cell of a group stands for it.
    fn parse(&self, texts: &[&str]) -> Result<Vec<Cell>, Illegal> {
        let mut state = self.rules();
        let cell = |(index, text): (usize, &&str)| {
            let illegal = |reason: &str| Illegal { index, reason: format!("{}: {reason}", shown(text, 40)) };
            let cell = text.parse::<Cell>().map_err(|reason| illegal(&reason))?;
            let group = state.group(cell);
            match group.len() {
                0 => Err(illegal("there is no cell")),
                1 => Err(illegal("the cell has no neighbour of its colour")),
                _ => {
                    state.remove(cell);
                    Ok(group[0])
                }
            }
        };
        texts.iter().enumerate().map(cell).collect()
    }
}
