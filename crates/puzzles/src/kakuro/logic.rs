//! Kakuros as people solve them.

use std::sync::Arc;

use super::Kakuro;
use super::layout::{Layout, NONE, Square};
use crate::logic::{Grading, KAKURO, Level, Position, Unit, UnitKind, grade};

/// The lines of a layout, with their sums.
pub(super) fn units(layout: &Layout) -> Vec<Unit> {
    let across = |index: usize| layout.lines_of.iter().any(|lines| usize::from(lines[0]) == index);
    let unit = |(index, line): (usize, &super::layout::Line)| Unit {
        kind: if across(index) { UnitKind::Row } else { UnitKind::Column },
        name: line.name.clone(),
        cells: line.cells.iter().map(|&cell| cell.into()).collect(),
        sum: line.sum,
    };
    layout.lines.iter().enumerate().map(unit).collect()
}

impl Kakuro {
    pub(super) fn position(&self) -> Position {
        let layout = &self.layout;
        let is_cell = |cell: usize| layout.places[cell] == Square::White && layout.lines_of[cell] != [NONE; 2];
        Position::new((layout.width, 0), self.values(), is_cell, layout.values, Arc::new(units(layout)))
    }

    /// The level of the Kakuro, and the techniques that it needs.
    ///
    /// ```
    /// use nestling_puzzles::{logic::Level, kakuro::{Kakuro, SumBounds}};
    /// let kakuro = Kakuro::read("3 4\n4\n3\n", None, SumBounds::Both).unwrap().remove(0);
    /// assert_eq!(kakuro.grading().level, Level::Easy);
    /// ```
    pub fn grading(&self) -> Grading {
        grade(self.position(), KAKURO, Level::Extreme)
    }
}
