//! Games as pictures: for the terminal, and as SVG.

use crate::geometry::Cell;

mod animation;
mod caption;
mod svg;
mod terminal;
mod theme;

pub use svg::svg;
pub use terminal::{DrawOptions, draw};

/// How far from the cross a picture reaches. No known game comes near; moves that no rule has seen might.
const FARTHEST: u16 = 300;

fn near(cell: Cell) -> bool {
    cell.x.unsigned_abs().max(cell.y.unsigned_abs()) <= FARTHEST
}

/// The smallest box around the cross's corner and some cells: its top left and its bottom right.
fn corners(cells: impl Iterator<Item = Cell>) -> (Cell, Cell) {
    let start = Cell { x: 0, y: 0 };
    cells.fold((start, start), |(low, high), Cell { x, y }| {
        (Cell { x: low.x.min(x), y: low.y.min(y) }, Cell { x: high.x.max(x), y: high.y.max(y) })
    })
}
