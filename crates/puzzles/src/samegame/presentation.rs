//! SameGame as people see it.

use nestling::Illegal;
use nestling_presentation::{Canvas, Picture, Presentation, shown};
use serde_json::{Value, json};

use super::{Cell, SameGame, draw, svg};

impl Presentation for SameGame {
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
        Some(svg(self, moves, picture.still()?))
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
