//! Games as pictures for the terminal.
//!
//! The wide picture gives every cell four columns and two rows, so that lines of all directions and the numbers of the
//! moves can be seen. The compact one has two columns and one row for a cell, which leaves the dots and the horizontal
//! lines.

use super::{corners, near};
use crate::geometry::{Cell, Direction, Line, Move};
use crate::variant::Variant;

/// How many of the last moves stand out in colour.
const RECENT: usize = 10;

/// How to draw a game.
#[derive(Clone, Copy, Debug)]
pub struct DrawOptions {
    /// The number of columns to be had. If the wide picture does not fit, the compact one is drawn, fit or not.
    pub width: usize,
    /// Use ASCII characters only.
    pub ascii: bool,
    /// Use ANSI colours: the last ten moves stand out. Without it there are no escape codes.
    pub color: bool,
}

/// A picture of the position after some moves, cropped to the figure. Every row ends with a line break.
///
/// ```
/// use nestling_morpion::{DrawOptions, draw, notation::pentasol};
/// let game = pentasol::read("# variant: 4D\n(28,28)\n(26,27) | +1\n").unwrap();
/// let picture = draw(game.variant, &game.moves, &DrawOptions { width: 12, ascii: true, color: false });
/// assert_eq!(format!("\n{picture}"), "
///     O O O
/// o   O   O
/// O O O   O O O
/// O           O
/// O O O   O O O
///     O   O
///     O O O
/// ");
/// ```
pub fn draw(variant: Variant, moves: &[Move], options: &DrawOptions) -> String {
    let cross = variant.cross();
    let dots = moves.iter().map(|played| played.dot()).filter(|dot| near(*dot));
    let (low, high) = corners(cross.iter().copied().chain(dots));
    let size = (usize::from(high.x.abs_diff(low.x)), usize::from(high.y.abs_diff(low.y)));
    let wide = TextCanvas::WIDE.width(size.0) <= options.width;
    let mut canvas = TextCanvas::new(if wide { TextCanvas::WIDE } else { TextCanvas::COMPACT }, low, size);

    let ink = |index: usize| if index + RECENT >= moves.len() { Ink::Recent } else { Ink::Plain };
    for (index, played) in moves.iter().enumerate() {
        canvas.line(played.line, variant.line_length(), ink(index));
    }
    for dot in &cross {
        canvas.dot(*dot, "●", Ink::Cross);
    }
    for (index, played) in moves.iter().enumerate() {
        let number = (index + 1).to_string();
        canvas.dot(played.dot(), if wide && number.len() <= 3 { &number } else { "○" }, ink(index));
    }
    canvas.text(options)
}

#[derive(Clone, Copy, PartialEq)]
enum Ink {
    Plain,
    Cross,
    Recent,
}

impl Ink {
    /// The ANSI code that switches it on.
    fn code(self) -> &'static str {
        match self {
            Ink::Plain => "",
            Ink::Cross => "\x1b[1;36m",
            Ink::Recent => "\x1b[1;33m",
        }
    }
}

/// The columns and rows from one cell to the next, and the columns kept free on both sides for long numbers.
#[derive(Clone, Copy)]
struct Scale {
    across: usize,
    down: usize,
    border: usize,
}

impl Scale {
    fn width(self, cells: usize) -> usize {
        cells * self.across + 1 + 2 * self.border
    }
}

struct TextCanvas {
    scale: Scale,
    corner: Cell,
    rows: Vec<Vec<(char, Ink)>>,
}

impl TextCanvas {
    const WIDE: Scale = Scale { across: 4, down: 2, border: 1 };
    const COMPACT: Scale = Scale { across: 2, down: 1, border: 0 };

    fn new(scale: Scale, corner: Cell, (across, down): (usize, usize)) -> TextCanvas {
        let row = vec![(' ', Ink::Plain); scale.width(across)];
        TextCanvas { scale, corner, rows: vec![row; down * scale.down + 1] }
    }

    /// The column and row of a cell; `None` for one that is not in the picture.
    fn place(&self, cell: Cell) -> Option<(usize, usize)> {
        let right = usize::try_from(i32::from(cell.x) - i32::from(self.corner.x)).ok()?;
        let down = usize::try_from(i32::from(cell.y) - i32::from(self.corner.y)).ok()?;
        let (column, row) = (self.scale.border + right * self.scale.across, down * self.scale.down);
        (row < self.rows.len() && column + self.scale.border < self.rows[0].len()).then_some((column, row))
    }

    fn dot(&mut self, cell: Cell, text: &str, ink: Ink) {
        let Some((column, row)) = self.place(cell) else { return };
        let from = column - (text.chars().count() - 1) / 2;
        for (place, character) in self.rows[row][from..].iter_mut().zip(text.chars()) {
            *place = (character, ink);
        }
    }

    fn line(&mut self, line: Line, length: usize, ink: Ink) {
        for cell in line.cells(length - 1) {
            let ends = self.place(cell).zip(self.place(cell.along(line.direction, 1)));
            if let Some((from, to)) = ends {
                self.segment(line.direction, from, to, ink);
            }
        }
    }

    /// Joins two neighbouring cells, given by column and row.
    fn segment(&mut self, direction: Direction, from: (usize, usize), to: (usize, usize), ink: Ink) {
        if direction == Direction::Horizontal {
            self.rows[from.1][from.0 + 1..to.0].fill(('─', ink));
        } else if self.scale.down == 2 {
            let place = &mut self.rows[from.1.midpoint(to.1)][from.0.midpoint(to.0)];
            let character = match (direction, place.0) {
                (Direction::Vertical, _) => '│',
                (Direction::Falling, '╱') | (Direction::Rising, '╲') => '╳',
                (Direction::Falling, _) => '╲',
                _ => '╱',
            };
            *place = (character, ink);
        }
    }

    fn text(&self, options: &DrawOptions) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let end = row.iter().rposition(|(character, _)| *character != ' ').map_or(0, |last| last + 1);
            let mut current = Ink::Plain;
            for &(character, ink) in &row[..end] {
                // A blank shows no ink, so it need not change it.
                if options.color && ink != current && character != ' ' {
                    text += if current == Ink::Plain { "" } else { "\x1b[0m" };
                    text += ink.code();
                    current = ink;
                }
                text.push(if options.ascii { in_ascii(character) } else { character });
            }
            text += if current == Ink::Plain { "\n" } else { "\x1b[0m\n" };
        }
        text
    }
}

fn in_ascii(character: char) -> char {
    match character {
        '●' => 'O',
        '○' => 'o',
        '─' => '-',
        '│' => '|',
        '╲' => '\\',
        '╱' => '/',
        '╳' => 'X',
        other => other,
    }
}
