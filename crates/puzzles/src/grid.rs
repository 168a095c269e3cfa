//! What pictures of grids have in common.

use std::fmt::Write;

/// How a picture should look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvgStyle {
    /// The width in pixels.
    pub width: u32,
    /// The colour of the paper.
    pub paper: &'static str,
    /// The colour of the writing.
    pub ink: &'static str,
    /// A text below the picture.
    pub caption: Option<String>,
}

/// The side of a cell in pictures.
pub(crate) const CELL: usize = 40;
const MARGIN: usize = 30;
const HEADER: usize = 34;

/// A picture being written: a title and a result above a grid, a caption below it.
pub(crate) struct Sheet<'a> {
    columns: usize,
    rows: usize,
    style: &'a SvgStyle,
    body: String,
}

impl<'a> Sheet<'a> {
    pub fn new(columns: usize, rows: usize, style: &'a SvgStyle) -> Self {
        Sheet { columns, rows, style, body: String::new() }
    }

    fn width(&self) -> usize {
        (self.columns * CELL + 2 * MARGIN).max(420)
    }

    /// The upper left corner of a cell; rows from above.
    pub fn corner(&self, column: usize, row: usize) -> (usize, usize) {
        ((self.width() - self.columns * CELL) / 2 + column * CELL, HEADER + MARGIN + row * CELL)
    }

    /// Adds a line of SVG.
    pub fn put(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(element);
        self.body.push('\n');
    }

    /// Adds a text in the middle of a cell.
    pub fn centred(&mut self, (column, row): (usize, usize), size: usize, colour: &str, text: &str) {
        let (x, y) = self.corner(column, row);
        let (x, y) = (x + CELL / 2, y + CELL / 2 + size * 36 / 100);
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\" font-size=\"{size}\" text-anchor=\"middle\">{text}</text>"
        ));
    }

    /// The whole picture.
    pub fn finish(self, title: &str, result: &str) -> String {
        let SvgStyle { width: wide, paper, ink, caption } = self.style;
        let width = self.width();
        let below = HEADER + 2 * MARGIN + self.rows * CELL;
        let height = below + if caption.is_some() { 10 } else { 0 };
        let high = *wide as usize * height / width;
        let (line, right) = (HEADER + 4, width - MARGIN);
        let caption = caption.as_ref().map_or(String::new(), |caption| {
            let (line, caption) = (below - 2, escaped(caption));
            format!("<text x=\"{MARGIN}\" y=\"{line}\" fill=\"{ink}\" font-size=\"17\">{caption}</text>\n")
        });
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" font-family=\"Roboto Condensed,Arial Narrow,sans-serif\" font-weight=\"500\">\n\
             <title>{title}, {result}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"{paper}\"/>\n{}\
             <g fill=\"{ink}\" font-size=\"24\">\n<text x=\"{MARGIN}\" y=\"{line}\">{title}</text>\n\
             <text x=\"{right}\" y=\"{line}\" text-anchor=\"end\">{result}</text>\n</g>\n{caption}</svg>\n",
            self.body
        )
    }
}

fn escaped(text: &str) -> String {
    let shown = |symbol: char| if symbol.is_control() { ' ' } else { symbol };
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").chars().map(shown).collect()
}

/// What a game of a constraint problem has come to, in words.
pub(crate) fn result(free: usize, solved: bool) -> String {
    match (solved, free) {
        (true, _) => "solved".to_owned(),
        (false, 1) => "1 cell free".to_owned(),
        (false, free) => format!("{free} cells free"),
    }
}
