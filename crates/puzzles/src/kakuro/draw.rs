//! Kakuros as pictures, for the terminal and as SVG.

use nestling::{Problem, state_after};

use super::{Kakuro, Square};
use crate::domains::Assignment;
use crate::grid::{CELL, Grid, result};
use nestling_presentation::{Colours, Picture};

/// The colours of black cells and of the clues on them.
const BLACK: (&str, &str) = ("#39424e", "#ffffff");

/// A place as text: its value, or its clues.
fn word(place: Square, value: u8) -> String {
    let sum = |sum: Option<u32>| sum.map_or(String::new(), |sum| sum.to_string());
    match place {
        Square::White if value > 0 => value.to_string(),
        Square::White => ".".to_owned(),
        Square::BLANK => "#".to_owned(),
        Square::Black { down, across } => format!("{}\\{}", sum(down), sum(across)),
    }
}

/// The grid after some moves. An empty grid is shown with the sums of its columns above and of its rows to the left.
///
/// ```
/// use nestling_puzzles::{Assignment, kakuro::{SumBounds, Kakuro, draw}};
/// let kakuro = Kakuro::read("3 4\n4\n3\n", None, SumBounds::Strong).unwrap().remove(0);
/// assert_eq!(draw(&kakuro, &[Assignment { cell: 4, value: 1 }], false), "  3 4\n4 1 .\n3 . .\n");
/// ```
pub fn draw(kakuro: &Kakuro, moves: &[Assignment], colour: bool) -> String {
    let filled = state_after(kakuro, moves);
    let plain = kakuro.layout.is_plain();
    let shown = |(&place, &value): (&Square, &u8)| match place {
        Square::BLANK if plain => String::new(),
        Square::Black { .. } if plain => word(place, value).replace('\\', ""),
        _ => word(place, value),
    };
    let words: Vec<String> = filled.places().iter().zip(filled.values()).map(shown).collect();
    let width = words.iter().map(String::len).max().unwrap_or(0);
    let mut text = String::new();
    for (row, values) in words.chunks(filled.width()).zip(filled.values().chunks(filled.width())) {
        let pad = |(word, &value): (&String, &u8)| match colour && value > 0 {
            true => format!("\x1b[1;34m{word:>width$}\x1b[0m"),
            false => format!("{word:>width$}"),
        };
        let line = row.iter().zip(values).map(pad).collect::<Vec<_>>().join(" ");
        text += &format!("{}\n", line.trim_end());
    }
    text
}

impl std::fmt::Display for Kakuro {
    /// The puzzle as [`Kakuro::read`] reads it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "values {}", self.largest())?;
        let rows = self.places().chunks(self.width());
        if !self.layout.is_plain() {
            for row in rows {
                writeln!(f, "{}", row.iter().map(|&place| word(place, 0)).collect::<Vec<_>>().join(" "))?;
            }
            return Ok(());
        }
        for (index, row) in rows.enumerate() {
            let sums = row.iter().filter(|&&place| place != Square::White && place != Square::BLANK);
            let sums: Vec<String> = sums.map(|&place| word(place, 0).replace('\\', "")).collect();
            debug_assert!(index == 0 || sums.len() == 1, "a row has one sum");
            writeln!(f, "{}", sums.join(" "))?;
        }
        Ok(())
    }
}

/// The grid after some moves as SVG.
pub fn svg(kakuro: &Kakuro, moves: &[Assignment], options: &Picture) -> String {
    let filled = state_after(kakuro, options.shown(moves));
    let width = filled.width();
    let title = format!("Kakuro, {}", result(filled.free(), filled.score() == 0.0));
    let mut picture = Grid::new((width, filled.places().len() / width), &title, options);
    let Colours { ink, line: found, .. } = options.theme.colours();
    for (cell, (&place, &value)) in filled.places().iter().zip(filled.values()).enumerate() {
        let at = (cell % width, cell / width);
        let (x, y) = picture.corner(at.0, at.1);
        let fill = if place == Square::White { "none" } else { BLACK.0 };
        picture.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\" stroke=\"{ink}\"/>"
        ));
        match place {
            Square::White if value > 0 => picture.centred(at, 22, found, &value.to_string()),
            Square::Black { down, across } => clues(&mut picture, (x, y), down, across),
            Square::White => {}
        }
    }
    picture.finished()
}

/// The clues of a black cell: the sum to the right above its diagonal, the sum below under it.
fn clues(picture: &mut Grid, (x, y): (usize, usize), down: Option<u32>, across: Option<u32>) {
    if down.is_none() && across.is_none() {
        return;
    }
    let colour = BLACK.1;
    picture.put(format_args!("<path stroke=\"{colour}\" stroke-opacity=\"0.5\" d=\"M{x} {y}l{CELL} {CELL}\"/>"));
    let mut text = |x: usize, y: usize, anchor: &str, sum: u32| {
        picture.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\" font-size=\"14\" text-anchor=\"{anchor}\">{sum}</text>"
        ));
    };
    if let Some(sum) = across {
        text(x + CELL - 3, y + 15, "end", sum);
    }
    if let Some(sum) = down {
        text(x + 3, y + CELL - 4, "start", sum);
    }
}
