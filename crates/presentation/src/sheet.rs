//! The paper that pictures are drawn on.

use std::fmt::{self, Write};

use crate::picture::Picture;
use crate::theme::Colours;

/// Free paper around the drawing.
const MARGIN: f64 = 40.0;

/// The height of the title.
const HEADER: f64 = 34.0;

/// An SVG picture being made. Its drawing has the origin at its upper left corner.
///
/// ```
/// use nestling_presentation::{Sheet, Picture};
/// let mut sheet = Sheet::new(300.0, 100.0, "Here & there", &Picture::default());
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
    pub fn new(width: f64, height: f64, title: &str, picture: &Picture) -> Self {
        let Colours { paper, ink, faint, .. } = picture.theme.colours();
        let caption = picture.caption.as_deref().filter(|caption| !caption.trim().is_empty());
        let (wide, footer) = (width + 2.0 * MARGIN, if caption.is_some() { 24.0 } else { 0.0 });
        let high = height + 2.0 * MARGIN + HEADER + footer;
        let mut sheet = Sheet { text: String::new(), ink };
        let pixels = f64::from(picture.width);
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
pub fn escaped(text: &str) -> String {
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
