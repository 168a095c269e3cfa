//! Sudokus as pictures, for the terminal and as SVG.

use nestling::{Problem, state_after};

use super::Sudoku;
use super::read::letter;
use crate::domains::Assignment;
use crate::grid::{CELL, Grid, result};
use nestling_presentation::{Colours, Picture};

/// A value as one symbol, or a number where there are too many.
pub(crate) fn symbol(value: u8, side: usize) -> String {
    match usize::from(value) {
        0 => ".".to_owned(),
        value if value < 10 || side > 35 => value.to_string(),
        value => letter(value).to_string(),
    }
}

/// The grid after some moves, with frames around the boxes; with `colour`, found values stand out.
///
/// ```
/// use nestling_puzzles::{Assignment, sudoku::{Sudoku, draw}};
/// let sudoku = Sudoku::read("1...\n..3.\n.4..\n...2\n").unwrap().remove(0);
/// let picture = draw(&sudoku, &[Assignment { cell: 3, value: 4 }], false);
/// assert_eq!(picture, "1 . | . 4\n. . | 3 .\n----+----\n. 4 | . .\n. . | . 2\n");
/// ```
pub fn draw(sudoku: &Sudoku, moves: &[Assignment], colour: bool) -> String {
    let (order, side) = (sudoku.order(), sudoku.side());
    let filled = state_after(sudoku, moves);
    let width = symbol(side as u8, side).len();
    let mut text = String::new();
    for (row, values) in filled.values().chunks(side).enumerate() {
        if row > 0 && row % order == 0 {
            let dashes = "-".repeat(order * (width + 1));
            let middle = vec![format!("-{dashes}"); order.saturating_sub(2)];
            let parts = [vec![dashes.clone()], middle, vec![dashes]].concat();
            text += &format!("{}\n", parts.join("+"));
        }
        let cell = |column: usize| {
            let shown = format!("{:>width$}", symbol(values[column], side));
            let found = values[column] > 0 && sudoku.givens()[row * side + column] == 0;
            if colour && found { format!("\x1b[1;34m{shown}\x1b[0m") } else { shown }
        };
        let part = |part: usize| (part * order..(part + 1) * order).map(cell).collect::<Vec<_>>().join(" ");
        text += &format!("{}\n", (0..order).map(part).collect::<Vec<_>>().join(" | "));
    }
    text
}

impl std::fmt::Display for Sudoku {
    /// The values so far, as [`Sudoku::read`] reads them.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for row in self.values().chunks(self.side()) {
            let symbols: Vec<String> = row.iter().map(|&value| symbol(value, self.side())).collect();
            writeln!(f, "{}", symbols.join(if self.side() > 35 { " " } else { "" }))?;
        }
        Ok(())
    }
}

/// The grid after some moves as SVG: givens on grey, found values in the colour of lines.
pub fn svg(sudoku: &Sudoku, moves: &[Assignment], options: &Picture) -> String {
    let (order, side) = (sudoku.order(), sudoku.side());
    let filled = state_after(sudoku, options.shown(moves));
    let free = filled.values().iter().filter(|&&value| value == 0).count();
    let title = format!("Sudoku {side} × {side}, {}", result(free, filled.score() == 0.0));
    let mut picture = Grid::new((side, side), &title, options);
    let Colours { ink, grid, line: found, .. } = options.theme.colours();
    for (cell, &value) in filled.values().iter().enumerate().filter(|&(_, &value)| value > 0) {
        let (place, is_given) = ((cell % side, cell / side), sudoku.givens()[cell] > 0);
        if is_given {
            picture.fill(place, grid);
        }
        picture.centred(place, 24, if is_given { ink } else { found }, &symbol(value, side));
    }
    let ((left, top), length) = (picture.corner(0, 0), side * CELL);
    for line in 0..=side {
        let width = if line % order == 0 { 3 } else { 1 };
        let (x, y) = picture.corner(line, line);
        picture.put(format_args!(
            "<path stroke=\"{ink}\" stroke-width=\"{width}\" stroke-linecap=\"square\" d=\"M{x} {top}v{length}M{left} {y}h{length}\"/>"
        ));
    }
    picture.finished()
}
