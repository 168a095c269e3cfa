//! The frame of every chart: title, axes, grid, legend.

use super::palette::{Palette, dashes};
use super::scale::{Scale, number};
use crate::sheet::escaped;

const WIDTH: u32 = 640;
const HEIGHT: u32 = 400;

/// Where the plot begins and ends, across and (upwards) along the page.
pub(crate) const X: (f64, f64) = (72.0, 620.0);
pub(crate) const Y: (f64, f64) = (344.0, 44.0);

/// The height of a line of the legend, and about how wide a character is.
const LINE: u32 = 18;
const CHARACTER: f64 = 6.4;

pub(crate) struct ChartFrame<'a> {
    pub title: &'a str,
    pub x_label: &'a str,
    pub y_label: &'a str,
    pub x: Scale,
    pub y: Scale,
    pub palette: Palette,
    /// The names of the curves; none if there is only one.
    pub legend: Vec<&'a str>,
}

impl ChartFrame<'_> {
    /// The whole document, `body` in the plot.
    pub fn around(&self, body: &str) -> String {
        let Palette { paper, ink, grid, .. } = self.palette;
        let (legend, lines) = self.legend();
        let height = HEIGHT + lines * LINE + if lines > 0 { 6 } else { 0 };
        // A title that is too long for the page is squeezed.
        let size = (15.0 * 90.0 / self.title.chars().count().max(90) as f64).max(9.0);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\" fill=\"{ink}\">\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"{paper}\"/>\n\
             <text x=\"{}\" y=\"26\" font-size=\"{}\" text-anchor=\"middle\">{}</text>\n",
            number(f64::from(WIDTH) / 2.0),
            number(size),
            escaped(self.title)
        );
        for &tick in &self.y.ticks {
            let (y, label) = (self.y.at(tick), self.y.label(tick));
            svg += &format!(
                "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\" stroke=\"{grid}\"/>\
                 <text x=\"{3}\" y=\"{4}\" text-anchor=\"end\">{label}</text>\n",
                number(X.0),
                number(X.1),
                number(y),
                number(X.0 - 8.0),
                number(y + 4.0)
            );
        }
        for &tick in &self.x.ticks {
            let (x, label) = (self.x.at(tick), self.x.label(tick));
            svg += &format!(
                "<line x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\" stroke=\"{ink}\"/>\
                 <text x=\"{0}\" y=\"{3}\" text-anchor=\"middle\">{label}</text>\n",
                number(x),
                number(Y.0),
                number(Y.0 + 5.0),
                number(Y.0 + 20.0)
            );
        }
        svg += body;
        svg += &format!(
            "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\" stroke=\"{ink}\"/>\n\
             <text x=\"{3}\" y=\"{4}\" text-anchor=\"middle\">{5}</text>\n\
             <text transform=\"translate(18 {6}) rotate(-90)\" text-anchor=\"middle\">{7}</text>\n{legend}</svg>\n",
            number(X.0),
            number(X.1),
            number(Y.0),
            number((X.0 + X.1) / 2.0),
            HEIGHT - 12,
            escaped(self.x_label),
            number((Y.0 + Y.1) / 2.0),
            escaped(self.y_label)
        );
        svg
    }

    /// Names below the plot, in as many lines as they need.
    fn legend(&self) -> (String, u32) {
        let (mut text, mut x, mut line) = (String::new(), X.0, 0);
        for (index, name) in self.legend.iter().enumerate() {
            let width = 44.0 + CHARACTER * name.chars().count() as f64;
            if x + width > f64::from(WIDTH) && x > X.0 {
                (x, line) = (X.0, line + 1);
            }
            let (color, y) = (self.palette.curve(index), HEIGHT + line * LINE);
            text += &format!(
                "<line x1=\"{}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\" stroke=\"{color}\" stroke-width=\"2\"{}/>{}\
                 <text x=\"{}\" y=\"{}\">{}</text>\n",
                number(x),
                number(x + 26.0),
                dashes(index),
                mark(index, x + 13.0, f64::from(y), color).trim_end(),
                number(x + 32.0),
                y + 4,
                escaped(name)
            );
            x += width;
        }
        (text, if self.legend.is_empty() { 0 } else { line + 1 })
    }
}

/// A different mark for each of the first few curves.
pub(crate) fn mark(index: usize, x: f64, y: f64, color: &str) -> String {
    let shape = match index % 4 {
        0 => "M-4,0 L0,-4 L4,0 L0,4 Z",
        1 => "M-3.5,-3.5 L3.5,-3.5 L3.5,3.5 L-3.5,3.5 Z",
        2 => "M-4,3.5 L0,-4 L4,3.5 Z",
        _ => {
            "M-4,-1.3 L-1.3,-1.3 L-1.3,-4 L1.3,-4 L1.3,-1.3 L4,-1.3 L4,1.3 L1.3,1.3 L1.3,4 L-1.3,4 L-1.3,1.3 L-4,1.3 Z"
        }
    };
    format!("<path d=\"{shape}\" transform=\"translate({} {})\" fill=\"{color}\"/>\n", number(x), number(y))
}
