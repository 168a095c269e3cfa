//! Colourings as people see them.

use nestling::{Illegal, Problem, state_after};
use nestling_presentation::{Canvas, Picture, Presentation, Record, shown};
use serde_json::{Value, json};

use super::{Colouring, Paint};
use crate::graph::Drawing;

/// Light colours that differ well; more colours than these begin again, and are told apart by their numbers.
const PALETTE: [&str; 10] =
    ["#8ecae6", "#ffb703", "#95d5b2", "#f4978e", "#cdb4db", "#e9edc9", "#90a4f4", "#d4a373", "#f9c6d7", "#b8c0c8"];

impl Presentation for Colouring {
    /// The vertices of each colour.
    fn draw(&self, moves: &[Paint], _: Canvas) -> String {
        let state = state_after(self, moves);
        let line = |colour: u16| {
            let of_colour = (0..self.graph().vertices() as u16).filter(|&vertex| state.colour(vertex) == Some(colour));
            let vertices: Vec<String> = of_colour.map(|vertex| (vertex + 1).to_string()).collect();
            format!("colour {}: {}\n", colour + 1, vertices.join(" "))
        };
        (0..state.used).map(line).collect()
    }

    fn picture(&self, moves: &[Paint], picture: &Picture) -> Option<String> {
        let state = state_after(self, picture.still()?.shown(moves));
        let graph = self.graph();
        let title = format!("{} vertices, {} edges, {} colours", graph.vertices(), graph.edges().count(), state.used);
        let drawing = if self.shared.is_board { Drawing::board(graph) } else { Drawing::circle(graph) };
        Some(drawing.svg(&title, picture, |vertex| match state.colour(vertex) {
            Some(colour) => (PALETTE[usize::from(colour) % PALETTE.len()], (colour + 1).to_string()),
            None => ("#ffffff", String::new()),
        }))
    }

    fn view(&self, moves: &[Paint]) -> Option<Value> {
        let state = state_after(self, moves);
        let colours: Vec<_> = (0..self.graph().vertices() as u16).map(|vertex| state.colour(vertex)).collect();
        Some(json!({ "colours": colours, "edges": self.graph().edges().collect::<Vec<_>>() }))
    }

    fn record(&self) -> Option<Record> {
        let known = self.shared.known? as f64;
        Some(Record { score: known, holder: "the chromatic number".to_owned(), proven: true, bound: None })
    }

    fn unit(&self) -> Option<&'static str> {
        Some("colours")
    }

    /// Reads moves such as `5=2`: vertex 5 has colour 2.
    fn parse(&self, texts: &[&str]) -> Result<Vec<Paint>, Illegal> {
        let read = |(index, text): (usize, &&str)| self.parse_one(text).map_err(|reason| Illegal { index, reason });
        let moves = texts.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
        self.certify(&moves).map(|_| moves)
    }

    /// Vertices may be coloured in any order.
    fn code_of(&self, text: &str) -> Result<u64, String> {
        self.parse_one(text).map(|paint| self.code(paint))
    }
}

impl Colouring {
    fn parse_one(&self, text: &str) -> Result<Paint, String> {
        let parts =
            text.split_once('=').and_then(|(vertex, colour)| Some((vertex.parse().ok()?, colour.parse().ok()?)));
        let (vertices, most) = (self.graph().vertices(), self.shared.most);
        let valid = parts.filter(|&(vertex, colour): &(usize, usize)| {
            (1..=vertices).contains(&vertex) && (1..=most).contains(&colour)
        });
        let paint = valid.map(|(vertex, colour)| Paint { vertex: (vertex - 1) as u16, colour: (colour - 1) as u16 });
        paint.ok_or_else(|| {
            format!(
                "{:?} is not a move; write VERTEX=COLOUR, vertices 1 to {vertices}, colours 1 to {most}",
                shown(text, 30)
            )
        })
    }
}
