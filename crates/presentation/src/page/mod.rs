//! Pages to print, as SVG and PDF.

mod pdf;

use std::fmt::Write;

use crate::sheet::escaped;

pub use pdf::pdf;

/// The size of A4 in points.
const WIDTH: f32 = 595.0;
const HEIGHT: f32 = 842.0;

/// The space between pages in an SVG.
const GAP: f32 = 20.0;

/// How a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Begins there.
    Start,
    /// Has its middle there.
    Middle,
    /// Ends there.
    End,
}

/// What is on a page; greys go from 0, black, to 1, white.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Rectangle { corner: (f32, f32), size: (f32, f32), grey: f32 },
    Line { from: (f32, f32), to: (f32, f32), width: f32, grey: f32 },
    Text { at: (f32, f32), size: f32, anchor: Anchor, grey: f32, words: String },
}

/// A page of A4. Lengths are in points; the origin is the upper left corner.
///
/// ```
/// use nestling_presentation::{Anchor, Page, pages_as_svg, pdf};
/// let mut page = Page::default();
/// page.line((50.0, 50.0), (545.0, 50.0), 1.0, 0.0);
/// page.text((50.0, 80.0), 12.0, Anchor::Start, 0.0, "3 < 4");
/// assert!(pages_as_svg(&[page.clone()]).contains("3 &lt; 4"));
/// assert!(pdf(&[page], "Numbers").starts_with(b"%PDF"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Page {
    shapes: Vec<Shape>,
}

impl Page {
    /// Width and height.
    pub const SIZE: (f32, f32) = (WIDTH, HEIGHT);

    /// Fills a rectangle.
    pub fn rectangle(&mut self, corner: (f32, f32), size: (f32, f32), grey: f32) {
        self.shapes.push(Shape::Rectangle { corner, size, grey });
    }

    /// Draws a line.
    pub fn line(&mut self, from: (f32, f32), to: (f32, f32), width: f32, grey: f32) {
        self.shapes.push(Shape::Line { from, to, width, grey });
    }

    /// Writes a text; `at` is on its baseline. Only characters of Latin-1 are shown.
    pub fn text(&mut self, at: (f32, f32), size: f32, anchor: Anchor, grey: f32, words: &str) {
        self.shapes.push(Shape::Text { at, size, anchor, grey, words: words.to_owned() });
    }
}

/// Pages as one SVG, below each other.
pub fn pages_as_svg(pages: &[Page]) -> String {
    let height = pages.len() as f32 * (HEIGHT + GAP) + GAP;
    let wide = WIDTH + 2.0 * GAP;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{height}\" viewBox=\"0 0 {wide} {height}\" \
         font-family=\"Helvetica,Arial,sans-serif\">\n<rect width=\"{wide}\" height=\"{height}\" fill=\"#d8d8d8\"/>\n"
    );
    let mut put = |line: String| writeln!(svg, "{line}").expect("strings take everything");
    for (number, page) in pages.iter().enumerate() {
        let top = GAP + number as f32 * (HEIGHT + GAP);
        put(format!(
            "<g transform=\"translate({GAP} {top})\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>"
        ));
        page.shapes.iter().for_each(|shape| put(element(shape)));
        put("</g>".to_owned());
    }
    svg + "</svg>\n"
}

fn element(shape: &Shape) -> String {
    let colour = |grey: f32| {
        let part = (grey * 255.0).round() as u8;
        format!("#{part:02x}{part:02x}{part:02x}")
    };
    match shape {
        Shape::Rectangle { corner: (x, y), size: (width, height), grey } => {
            format!(
                "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"{}\"/>",
                colour(*grey)
            )
        }
        Shape::Line { from: (x, y), to: (x2, y2), width, grey } => format!(
            "<path d=\"M{x:.2} {y:.2}L{x2:.2} {y2:.2}\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linecap=\"square\"/>",
            colour(*grey)
        ),
        Shape::Text { at: (x, y), size, anchor, grey, words } => {
            let anchor = ["start", "middle", "end"][*anchor as usize];
            format!(
                "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size:.2}\" text-anchor=\"{anchor}\" fill=\"{}\">{}</text>",
                colour(*grey),
                escaped(words)
            )
        }
    }
}
