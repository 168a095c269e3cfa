//! What every chart has around it: title, axes, grid.

use crate::scale::{Scale, label, number};

const WIDTH: u32 = 640;
const HEIGHT: u32 = 400;

/// Where the plot begins and ends, across and (upwards) along the page.
pub(crate) const X: (f64, f64) = (72.0, 620.0);
pub(crate) const Y: (f64, f64) = (344.0, 44.0);

pub(crate) struct Frame<'a> {
    pub title: &'a str,
    pub x_label: &'a str,
    pub y_label: &'a str,
    pub x: Scale,
    pub y: Scale,
}

impl Frame<'_> {
    /// The whole document, `body` in the plot.
    pub fn around(&self, body: &str) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
             <text x=\"{}\" y=\"26\" font-size=\"15\" text-anchor=\"middle\">{}</text>\n",
            number((X.0 + X.1) / 2.0),
            escaped(self.title)
        );
        for &tick in &self.y.ticks {
            let (y, label) = (self.y.at(tick), label(tick, &self.y.ticks));
            svg += &format!(
                "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\" stroke=\"#ddd\"/>\
                 <text x=\"{3}\" y=\"{4}\" text-anchor=\"end\">{label}</text>\n",
                number(X.0),
                number(X.1),
                number(y),
                number(X.0 - 8.0),
                number(y + 4.0)
            );
        }
        for &tick in &self.x.ticks {
            let (x, label) = (self.x.at(tick), label(tick, &self.x.ticks));
            svg += &format!(
                "<line x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#222\"/>\
                 <text x=\"{0}\" y=\"{3}\" text-anchor=\"middle\">{label}</text>\n",
                number(x),
                number(Y.0),
                number(Y.0 + 5.0),
                number(Y.0 + 20.0)
            );
        }
        svg += body;
        svg += &format!(
            "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\" stroke=\"#222\"/>\n\
             <text x=\"{3}\" y=\"{4}\" text-anchor=\"middle\">{5}</text>\n\
             <text transform=\"translate(18 {6}) rotate(-90)\" text-anchor=\"middle\">{7}</text>\n</svg>\n",
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
}

/// Text as XML takes it.
pub(crate) fn escaped(text: &str) -> String {
    let visible = text.chars().map(|character| if character.is_control() { ' ' } else { character });
    visible.collect::<String>().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
