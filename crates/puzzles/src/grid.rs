//! The common parts of pictures of grids.

use std::fmt;

use nestling_presentation::{Picture, Sheet};

/// The side of a cell in pictures.
pub(crate) const CELL: usize = 40;

/// Titles need some width, however small the grid.
const NARROWEST: usize = 360;

/// A picture of a grid being made.
pub(crate) struct Grid {
    sheet: Sheet,
    left: usize,
}

impl Grid {
    pub fn new((columns, rows): (usize, usize), title: &str, picture: &Picture) -> Self {
        let width = (columns * CELL).max(NARROWEST);
        let sheet = Sheet::new(width as f64, (rows * CELL) as f64, title, picture);
        Grid { sheet, left: (width - columns * CELL) / 2 }
    }

    /// The upper left corner of a cell; rows from above.
    pub fn corner(&self, column: usize, row: usize) -> (usize, usize) {
        (self.left + column * CELL, row * CELL)
    }

    /// Adds a line of SVG.
    pub fn put(&mut self, element: fmt::Arguments<'_>) {
        self.sheet.put(format_args!("{element}\n"));
    }

    /// Fills a cell.
    pub fn fill(&mut self, (column, row): (usize, usize), colour: &str) {
        let (x, y) = self.corner(column, row);
        self.put(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\"/>"));
    }

    /// Adds a text in the middle of a cell.
    pub fn centred(&mut self, (column, row): (usize, usize), size: usize, colour: &str, text: &str) {
        let (x, y) = self.corner(column, row);
        let (x, y) = (x + CELL / 2, y + CELL / 2 + size * 36 / 100);
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\" font-size=\"{size}\" text-anchor=\"middle\">{text}</text>"
        ));
    }

    /// The picture.
    pub fn finished(self) -> String {
        self.sheet.finished()
    }
}

/// A description of the result of a constraint problem's game.
pub(crate) fn result(free: usize, solved: bool) -> String {
    match (solved, free) {
        (true, _) => "solved".to_owned(),
        (false, 1) => "1 cell free".to_owned(),
        (false, free) => format!("{free} cells free"),
    }
}
