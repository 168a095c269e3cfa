//! Games as pictures, for the terminal and as SVG.

use std::fmt::Write;

use nestling::Problem;

use super::{Cell, Rules, SameGame};
use crate::grid::{CELL, Grid};
use nestling_presentation::Picture;

/// The colours of cells, told apart also by those who see few of them.
const PALETTE: [(u8, u8, u8); super::MAX_COLOURS] = [
    (0x4e, 0x79, 0xa7),
    (0xf2, 0x8e, 0x2b),
    (0x59, 0xa1, 0x4f),
    (0xe1, 0x57, 0x59),
    (0xed, 0xc9, 0x48),
    (0xb0, 0x7a, 0xa1),
    (0x76, 0xb7, 0xb2),
    (0xff, 0x9d, 0xa7),
    (0x9c, 0x75, 0x5f),
    (0xba, 0xb0, 0xac),
    (0x1f, 0x4e, 0x79),
    (0x8c, 0xd1, 0x7d),
    (0x86, 0xbc, 0xb6),
    (0xd3, 0x72, 0x95),
    (0x49, 0x98, 0x94),
    (0xd4, 0xa6, 0xc8),
];

/// The colour of writing on a cell.
fn ink((red, green, blue): (u8, u8, u8)) -> &'static str {
    let light = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
    if light > 140_000 { "#111" } else { "#fff" }
}

/// The moves of a game on its board: by cell of the start, which move took it away.
struct MovesOnBoard {
    start: Rules,
    end: Rules,
    taken: Vec<Vec<Option<usize>>>,
}

impl MovesOnBoard {
    fn new(game: &SameGame, moves: &[Cell]) -> MovesOnBoard {
        let start = game.rules();
        let mut taken: Vec<Vec<Option<usize>>> =
            start.columns().iter().map(|column| vec![None; column.len()]).collect();
        let mut end = start.clone();
        for (index, &played) in moves.iter().enumerate() {
            for Cell { column, row } in end.remove(played) {
                taken[usize::from(column)][usize::from(row)] = Some(index + 1);
            }
        }
        MovesOnBoard { start, end, taken }
    }

    fn rows(&self) -> usize {
        self.start.columns().iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// The board at the start, every cell with the number of the move that takes it; what is left over keeps its symbol.
///
/// ```
/// use nestling_puzzles::samegame::{SameGameBoard, Cell, SameGame, draw};
/// let game = SameGame::new(SameGameBoard::read("011\n001\n")?.remove(0), false);
/// assert_eq!(draw(&game, &[Cell { column: 0, row: 0 }], false), " 1 :1 :1\n 1  1 :1\n");
/// # Ok::<(), nestling_puzzles::samegame::BoardError>(())
/// ```
pub fn draw(game: &SameGame, moves: &[Cell], colour: bool) -> String {
    let plan = MovesOnBoard::new(game, moves);
    let width = moves.len().to_string().len().max(2);
    let mut text = String::new();
    for row in (0..plan.rows()).rev() {
        let mut line = String::new();
        for (cells, taken) in plan.start.columns().iter().zip(&plan.taken) {
            let Some(&(symbol, _)) = cells.get(row) else {
                line += &" ".repeat(width + 1);
                continue;
            };
            let shown = taken[row].map_or(format!(":{symbol:x}"), |number| number.to_string());
            if colour {
                let (red, green, blue) = PALETTE[usize::from(symbol)];
                let ink = if ink(PALETTE[usize::from(symbol)]) == "#fff" { 97 } else { 30 };
                let _ = write!(line, "\x1b[48;2;{red};{green};{blue};{ink}m{shown:>width$} \x1b[0m");
            } else {
                let _ = write!(line, "{shown:>width$} ");
            }
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// A game as SVG: the board at the start with the numbers of the moves that take the cells, or the position after so many moves as
/// the style asks for.
pub fn svg(game: &SameGame, moves: &[Cell], options: &Picture) -> String {
    let shown = options.shown(moves);
    let plan = MovesOnBoard::new(game, shown);
    let (columns, rows) = (plan.start.columns().len(), plan.rows());
    let (position, of) = match options.up_to {
        Some(_) => (plan.end.columns(), format!("{} of {} moves", shown.len(), moves.len())),
        None => (plan.start.columns(), format!("{} moves", moves.len())),
    };
    let mut picture = Grid::new((columns, rows), &format!("SameGame, {} points, {of}", plan.end.score()), options);
    for (column, cells) in position.iter().enumerate() {
        for (row, &(symbol, origin)) in cells.iter().enumerate() {
            let number = plan.taken[usize::from(origin.column)][usize::from(origin.row)];
            square(&mut picture, (column, rows - 1 - row), symbol, number, options.up_to.is_none());
        }
    }
    picture.finished()
}

/// A cell; one that is left over at the end is drawn as a ring.
fn square(picture: &mut Grid, place: (usize, usize), symbol: u8, number: Option<usize>, finished: bool) {
    let (red, green, blue) = PALETTE[usize::from(symbol)];
    let colour = format!("#{red:02x}{green:02x}{blue:02x}");
    let (x, y) = picture.corner(place.0, place.1);
    let is_left = finished && number.is_none();
    let (inset, paint) = if is_left {
        (5, format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"6\""))
    } else {
        (2, format!("fill=\"{colour}\""))
    };
    let (x, y, side) = (x + inset, y + inset, CELL - 2 * inset);
    picture.put(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"6\" {paint}/>"));
    if let Some(number) = number {
        picture.centred(place, 18, ink((red, green, blue)), &number.to_string());
    }
}
