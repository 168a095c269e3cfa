//! Small charts as SVG: lines, steps and histograms, with axes that people can read. The same data always gives the same
//! text, to the last byte, so charts can be compared and kept under version control.
//!
//! ```
//! use nestling_chart::{Chart, Series};
//! let svg = Chart::new("score over time")
//!     .axes("seconds", "moves")
//!     .with(Series::steps("run 1", vec![(0.0, 52.0), (3.5, 60.0), (9.0, 64.0)]).until(20.0))
//!     .svg();
//! assert!(svg.starts_with("<svg") && svg.contains("score over time"));
//! ```

mod frame;
mod histogram;
mod scale;

pub use histogram::Histogram;
pub use scale::ticks;

use frame::{Frame, escaped};
use scale::{Scale, number};

/// Colours that stay apart for nearly everybody (Okabe and Ito 2008).
const COLORS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Points to be joined.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    name: String,
    points: Vec<(f64, f64)>,
    steps: bool,
    until: Option<f64>,
}

impl Series {
    /// Points joined by straight lines. Those that are not finite are left out.
    pub fn line(name: &str, points: Vec<(f64, f64)>) -> Self {
        let finite = |point: &(f64, f64)| point.0.is_finite() && point.1.is_finite();
        Series { name: name.to_owned(), points: points.into_iter().filter(finite).collect(), steps: false, until: None }
    }

    /// Points that hold until the next: a score that only ever improves.
    pub fn steps(name: &str, points: Vec<(f64, f64)>) -> Self {
        Series { steps: true, ..Series::line(name, points) }
    }

    /// The last point holds until here.
    #[must_use]
    pub fn until(mut self, x: f64) -> Self {
        self.until = Some(x).filter(|x| x.is_finite());
        self
    }

    /// The corners of the curve.
    fn corners(&self) -> Vec<(f64, f64)> {
        let mut corners: Vec<(f64, f64)> = Vec::new();
        for &(x, y) in &self.points {
            if let Some(&(_, before)) = corners.last().filter(|_| self.steps) {
                corners.push((x, before));
            }
            corners.push((x, y));
        }
        if let (Some(until), Some(&(x, y))) = (self.until, corners.last())
            && until > x
        {
            corners.push((until, y));
        }
        corners
    }
}

/// A chart of lines or steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    title: String,
    x: String,
    y: String,
    series: Vec<Series>,
}

impl Chart {
    /// An empty chart.
    pub fn new(title: &str) -> Self {
        Chart { title: title.to_owned(), x: String::new(), y: String::new(), series: Vec::new() }
    }

    /// What the axes measure.
    #[must_use]
    pub fn axes(mut self, x: &str, y: &str) -> Self {
        (self.x, self.y) = (x.to_owned(), y.to_owned());
        self
    }

    /// One more curve; several get a legend.
    #[must_use]
    pub fn with(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// The chart as an SVG document.
    pub fn svg(&self) -> String {
        let curves: Vec<Vec<(f64, f64)>> = self.series.iter().map(Series::corners).collect();
        let all = || curves.iter().flatten();
        let frame = Frame {
            title: &self.title,
            x_label: &self.x,
            y_label: &self.y,
            x: Scale::around(all().map(|point| point.0), frame::X),
            y: Scale::around(all().map(|point| point.1), frame::Y),
        };
        let mut body = String::new();
        for (index, curve) in curves.iter().enumerate() {
            let color = COLORS[index % COLORS.len()];
            let points: Vec<String> =
                curve.iter().map(|&(x, y)| format!("{},{}", number(frame.x.at(x)), number(frame.y.at(y)))).collect();
            body += &format!(
                "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" stroke-linejoin=\"round\" points=\"{}\"/>\n",
                points.join(" ")
            );
        }
        if self.series.len() > 1 {
            for (index, series) in self.series.iter().enumerate() {
                let (color, y) = (COLORS[index % COLORS.len()], 64 + 18 * index);
                body += &format!(
                    "<line x1=\"84\" x2=\"104\" y1=\"{y}\" y2=\"{y}\" stroke=\"{color}\" stroke-width=\"2\"/>\
                     <text x=\"110\" y=\"{}\">{}</text>\n",
                    y + 4,
                    escaped(&series.name)
                );
            }
        }
        frame.around(&body)
    }
}
