//! The eight symmetries of the game, and when two games are the same up to them.
//!
//! The starting cross is the same after every quarter turn and reflection, so every game has eight images. And most games can
//! be played in many orders. The [`Figure`] of a game forgets both: it is equal for all images and all orders.

use std::cmp::Ordering;
use std::fmt;

use crate::geometry::{Cell, Direction, Line, Move};
use crate::variant::Variant;

/// A quarter turn, reflection, or combination of them, of the box around the cross.
///
/// ```
/// use nestling_morpion::{Cell, Symmetry, Variant};
/// let images = Symmetry::ALL.map(|symmetry| symmetry.cell(Variant::FiveT, Cell { x: 3, y: -1 }));
/// assert_eq!(images[0], Cell { x: 3, y: -1 });
/// assert_eq!(images[1], Cell { x: 6, y: -1 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symmetry(u8);

impl Symmetry {
    /// All eight; the first changes nothing.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry(0); 8];
        let mut index = 0;
        while index < 8 {
            all[index] = Symmetry(index as u8);
            index += 1;
        }
        all
    };

    /// The one that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// The image of a cell: mirrored left to right (bit 0), top to bottom (bit 1), then along the falling diagonal (bit 2).
    #[must_use]
    pub fn cell(self, variant: Variant, cell: Cell) -> Cell {
        let last = variant.box_side() as i16 - 1;
        let mirrored = |coordinate: i16, bit: u8| {
            if self.0 & bit == 0 { coordinate } else { last.wrapping_sub(coordinate) }
        };
        let (x, y) = (mirrored(cell.x, 1), mirrored(cell.y, 2));
        if self.0 & 4 == 0 { Cell { x, y } } else { Cell { x: y, y: x } }
    }

    /// The image of a line.
    #[must_use]
    pub fn line(self, variant: Variant, line: Line) -> Line {
        let end = line.start.along(line.direction, variant.line_length() as i16 - 1);
        let ends = [line.start, end].map(|cell| self.cell(variant, cell));
        let (start, end) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let direction = match (end.x == start.x, end.y.cmp(&start.y)) {
            (true, _) => Direction::Vertical,
            (_, Ordering::Equal) => Direction::Horizontal,
            (_, Ordering::Greater) => Direction::Falling,
            (_, Ordering::Less) => Direction::Rising,
        };
        Line { start, direction }
    }

    /// The image of a move.
    #[must_use]
    pub fn played(self, variant: Variant, played: Move) -> Move {
        let line = self.line(variant, played.line);
        let is_reversed = line.start != self.cell(variant, played.line.start);
        let last = variant.line_length() as u8 - 1;
        Move { line, hole: if is_reversed { last.wrapping_sub(played.hole) } else { played.hole } }
    }

    /// The image of a game: legal when the game is, because the cross is its own image.
    #[must_use]
    pub fn game(self, variant: Variant, moves: &[Move]) -> Vec<Move> {
        moves.iter().map(|&played| self.played(variant, played)).collect()
    }
}

impl fmt::Display for Symmetry {
    /// Its description, as in "mirrored left to right".
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 8] = [
            "as it is",
            "mirrored left to right",
            "mirrored top to bottom",
            "turned by half a turn",
            "mirrored along the falling diagonal",
            "turned by a quarter turn to the left",
            "turned by a quarter turn to the right",
            "mirrored along the rising diagonal",
        ];
        formatter.pad(NAMES[usize::from(self.0)])
    }
}

/// The lines of a game, in the least of its eight images and sorted: equal for all images of a game, in all its orders.
///
/// The set of lines tells the dots too, and up to its order the whole game.
///
/// ```
/// use nestling_morpion::{Figure, Symmetry, Variant, notation::pentasol};
/// let game = pentasol::read("(28,28)\n(28,24) | +2\n(29,28) - -2\n").unwrap();
/// let figure = Figure::new(game.variant, &game.moves);
/// let mut turned = Symmetry::ALL[6].game(game.variant, &game.moves);
/// turned.reverse();
/// assert_eq!(Figure::new(game.variant, &turned), figure);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Figure {
    lines: Vec<Line>,
}

impl Figure {
    /// The figure of a game.
    pub fn new(variant: Variant, moves: &[Move]) -> Self {
        let images = Symmetry::ALL.map(|symmetry| lines_of(variant, moves, symmetry));
        Figure { lines: images.into_iter().min().expect("there are eight images") }
    }

    /// The lines in their order.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The figure as bytes, five a line: the same bytes for the same figure, here and anywhere.
    pub fn key(&self) -> Vec<u8> {
        let bytes = |line: &Line| {
            let ([x, x_low], [y, y_low]) = (line.start.x.to_be_bytes(), line.start.y.to_be_bytes());
            [x, x_low, y, y_low, line.direction as u8]
        };
        self.lines.iter().flat_map(bytes).collect()
    }
}

fn lines_of(variant: Variant, moves: &[Move], symmetry: Symmetry) -> Vec<Line> {
    let mut lines: Vec<Line> = moves.iter().map(|played| symmetry.line(variant, played.line)).collect();
    lines.sort_unstable();
    lines
}

/// The sorted dots of an image.
fn dots_of(variant: Variant, moves: &[Move], symmetry: Symmetry) -> Vec<Cell> {
    let mut dots: Vec<Cell> = moves.iter().map(|played| symmetry.cell(variant, played.dot())).collect();
    dots.sort_unstable();
    dots
}

/// The dots of a game, sorted, in the least of its eight images: equal for all games that place the same dots, up to a symmetry.
pub fn dots(variant: Variant, moves: &[Move]) -> Vec<Cell> {
    let images = Symmetry::ALL.map(|symmetry| dots_of(variant, moves, symmetry));
    images.into_iter().min().expect("there are eight images")
}

/// How much two games have in common, up to a symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureLikeness {
    /// The same moves in the same order.
    SameGame(Symmetry),
    /// The same lines, drawn in another order (and perhaps with other dots new in them).
    SameLines(Symmetry),
    /// The same dots, joined by other lines.
    SameDots(Symmetry),
    /// None of these.
    Different,
}

/// Compares two games of a variant; the symmetry is the one that takes the first to the second.
///
/// ```
/// use nestling_morpion::{FigureLikeness, Symmetry, Variant, compare, notation::pentasol};
/// let game = pentasol::read("(28,28)\n(28,24) | +2\n(29,28) - -2\n").unwrap();
/// let turned = Symmetry::ALL[3].game(game.variant, &game.moves);
/// assert_eq!(compare(game.variant, &game.moves, &turned), FigureLikeness::SameGame(Symmetry::ALL[3]));
/// ```
pub fn compare(variant: Variant, one: &[Move], other: &[Move]) -> FigureLikeness {
    if one.len() != other.len() {
        return FigureLikeness::Different;
    }
    let find = |holds: &dyn Fn(Symmetry) -> bool| Symmetry::ALL.into_iter().find(|&symmetry| holds(symmetry));
    if let Some(symmetry) = find(&|symmetry| symmetry.game(variant, one) == other) {
        return FigureLikeness::SameGame(symmetry);
    }
    let lines = lines_of(variant, other, Symmetry::IDENTITY);
    if let Some(symmetry) = find(&|symmetry| lines_of(variant, one, symmetry) == lines) {
        return FigureLikeness::SameLines(symmetry);
    }
    let dots = dots_of(variant, other, Symmetry::IDENTITY);
    match find(&|symmetry| dots_of(variant, one, symmetry) == dots) {
        Some(symmetry) => FigureLikeness::SameDots(symmetry),
        None => FigureLikeness::Different,
    }
}
