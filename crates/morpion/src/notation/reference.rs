//! How people number cells and write moves: relative to a reference point.

use crate::geometry::{Cell, Move};
use crate::variant::Variant;

/// The column and row that stand for the inner corner of the cross at the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub column: i32,
    pub row: i32,
}

impl Reference {
    /// The usual reference.
    pub const STANDARD: Reference = Reference { column: 28, row: 28 };

    fn column_and_row(self, variant: Variant, cell: Cell) -> (i32, i32) {
        let corner = inner_corner(variant);
        (self.column + i32::from(cell.x) - corner, self.row + i32::from(cell.y) - corner)
    }

    /// The reference point from which `cell` has this column and row.
    pub fn for_cell(variant: Variant, cell: Cell, column: i32, row: i32) -> Reference {
        let corner = inner_corner(variant);
        Reference { column: column - i32::from(cell.x) + corner, row: row - i32::from(cell.y) + corner }
    }

    /// The cell of a column and row; `None` where no game can reach.
    pub fn cell(self, variant: Variant, column: i32, row: i32) -> Option<Cell> {
        let lattice = |written: i32, reference: i32| {
            // Far more than the 2,830 cells that a game can reach, and far from where `i16` ends.
            let coordinate = i16::try_from(written - reference + inner_corner(variant)).ok()?;
            (coordinate.unsigned_abs() < 16_000).then_some(coordinate)
        };
        let (x, y) = lattice(column, self.column).zip(lattice(row, self.row))?;
        Some(Cell { x, y })
    }

    /// A cell as Pentasol numbers it: `(28,24)`.
    pub fn cell_text(self, variant: Variant, cell: Cell) -> String {
        let (column, row) = self.column_and_row(variant, cell);
        format!("({column},{row})")
    }

    /// A move as Pentasol writes it: `(28,24) | +2`.
    pub fn move_text(self, variant: Variant, played: Move) -> String {
        let (column, row) = self.column_and_row(variant, played.dot());
        let symbol = played.line.direction.symbol();
        match centre(variant) - i32::from(played.hole) {
            0 => format!("({column},{row}) {symbol} 0"),
            k => format!("({column},{row}) {symbol} {k:+}"),
        }
    }
}

/// Both coordinates of the cell that the reference point stands for.
fn inner_corner(variant: Variant) -> i32 {
    variant.line_length() as i32 - 2
}

/// The index of the cell of a line that counts as its centre: the third of five, the second of four.
pub(super) fn centre(variant: Variant) -> i32 {
    (variant.line_length() as i32 - 1) / 2
}
