//! The paper that the pictures of this crate are drawn on.

use std::fmt::{self, Write};

/// Free paper around the drawing.
const MARGIN: f64 = 40.0;

/// The height of the title.
const HEADER: f64 = 34.0;

/// The colours of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    /// The background.
    pub paper: &'static str,
    /// What helps the eye and should not be noticed.
    pub grid: &'static str,
    /// Writing.
    pub ink: &'static str,
    /// Writing that matters less.
    pub faint: &'static str,
    /// Lines.
    pub line: &'static str,
    /// What should be noticed.
    pub accent: &'static str,
}

impl Colours {
    /// Blue on white.
    pub const LIGHT: Colours = Colours {
        paper: "#fff",
        grid: "#e3e8ee",
        ink: "#1d2733",
        faint: "#66727f",
        line: "#3f78b5",
        accent: "#d9480f",
    };

    /// The same for dark pages.
    pub const DARK: Colours = Colours {
        paper: "#12171e",
        grid: "#242c37",
        ink: "#e8eef4",
        faint: "#93a1af",
        line: "#5f9fd8",
        accent: "#ffb454",
    };

    /// Black on white.
    pub const PRINT: Colours =
        Colours { paper: "#fff", grid: "#ccc", ink: "#000", faint: "#666", line: "#000", accent: "#000" };
}

/// How a picture should look.
///
/// ```
/// use nestling_puzzles::{Colours, Style};
/// let style = Style { colours: Colours::DARK, ..Style::default() };
/// assert_eq!(style.width, 1000);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// The width in pixels.
    pub width: u32,
    /// The colours.
    pub colours: Colours,
    /// Show only so many moves.
    pub up_to: Option<usize>,
    /// A line below the picture.
    pub caption: Option<String>,
}

impl Style {
    /// The moves to be shown.
    pub fn shown<'a, M>(&self, moves: &'a [M]) -> &'a [M] {
        &moves[..self.up_to.unwrap_or(moves.len()).min(moves.len())]
    }
}

impl Default for Style {
    fn default() -> Self {
        Style { width: 1000, colours: Colours::LIGHT, up_to: None, caption: None }
    }
}

/// An SVG picture being made. Its drawing has the origin at its upper left corner.
///
/// ```
/// use nestling_puzzles::{Sheet, Style};
/// let mut sheet = Sheet::new(300.0, 100.0, "Here & there", &Style::default());
/// sheet.put(format_args!("<circle cx=\"50\" cy=\"50\" r=\"40\"/>\n"));
/// sheet.text((150.0, 50.0), 16, "start", "a < b");
/// let picture = sheet.finished();
/// assert!(picture.contains("Here &amp; there") && picture.contains("a &lt; b"));
/// ```
#[derive(Debug)]
pub struct Sheet {
    text: String,
    ink: &'static str,
}

impl Sheet {
    /// Paper for a drawing of this size.
    pub fn new(width: f64, height: f64, title: &str, style: &Style) -> Self {
        let Colours { paper, ink, faint, .. } = style.colours;
        let caption = style.caption.as_deref().filter(|caption| !caption.trim().is_empty());
        let (wide, footer) = (width + 2.0 * MARGIN, if caption.is_some() { 24.0 } else { 0.0 });
        let high = height + 2.0 * MARGIN + HEADER + footer;
        let mut sheet = Sheet { text: String::new(), ink };
        let pixels = f64::from(style.width);
        sheet.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{pixels}\" height=\"{:.2}\" viewBox=\"0 0 {wide:.1} {high:.1}\" \
             role=\"img\" font-family=\"Roboto Condensed,Arial Narrow,sans-serif\" font-weight=\"500\">\n",
            pixels * high / wide
        ));
        let title = escaped(title);
        sheet.put(format_args!(
            "<title>{title}</title>\n<rect width=\"{wide:.1}\" height=\"{high:.1}\" fill=\"{paper}\"/>\n"
        ));
        sheet.put(format_args!("<text x=\"{MARGIN}\" y=\"36\" font-size=\"22\" fill=\"{ink}\">{title}</text>\n"));
        if let Some(caption) = caption {
            let (y, caption) = (high - MARGIN / 2.0, escaped(caption));
            sheet.put(format_args!(
                "<text x=\"{MARGIN}\" y=\"{y:.1}\" font-size=\"16\" fill=\"{faint}\">{caption}</text>\n"
            ));
        }
        sheet.put(format_args!("<g transform=\"translate({MARGIN} {})\">\n", MARGIN + HEADER));
        sheet
    }

    /// Appends elements.
    pub fn put(&mut self, elements: fmt::Arguments<'_>) {
        self.text.write_fmt(elements).expect("strings take everything");
    }

    /// Writes in ink; the anchor is `start`, `middle` or `end`.
    pub fn text(&mut self, (x, y): (f64, f64), size: u32, anchor: &str, words: &str) {
        let (ink, words) = (self.ink, escaped(words));
        self.put(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{ink}\">{words}</text>\n"
        ));
    }

    /// The picture.
    pub fn finished(mut self) -> String {
        self.text += "</g>\n</svg>\n";
        self.text
    }
}

/// The text as XML, in one line: marks escaped, and what XML cannot hold replaced.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            _ => escaped.push(character),
        }
    }
    escaped
}
