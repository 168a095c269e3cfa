//! Small charts as SVG: lines, steps, marks, bands and histograms, with axes that people can read. The same data always gives
//! the same text, to the last byte, so charts can be compared and kept under version control.
//!
//! ```
//! use nestling_presentation::chart::{Chart, Series};
//! let svg = Chart::new("score over time")
//!     .axes("seconds", "moves")
//!     .with(Series::steps("run 1", vec![(0.0, 52.0), (3.5, 60.0), (9.0, 64.0)]).until(20.0))
//!     .svg();
//! assert!(svg.starts_with("<svg") && svg.contains("score over time"));
//! ```

mod frame;
mod histogram;
mod palette;
mod scale;
mod series;

pub use histogram::Histogram;
pub use palette::Palette;
pub use scale::ticks;
pub use series::Series;

use frame::ChartFrame;
use palette::dashes;
use scale::{Scale, number};

/// A chart of curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    title: String,
    x: String,
    y: String,
    log: (bool, bool),
    palette: Palette,
    series: Vec<Series>,
}

impl Chart {
    /// An empty chart.
    pub fn new(title: &str) -> Self {
        Chart {
            title: title.to_owned(),
            x: String::new(),
            y: String::new(),
            log: (false, false),
            palette: Palette::LIGHT,
            series: Vec::new(),
        }
    }

    /// Sets the labels of the axes.
    #[must_use]
    pub fn axes(mut self, x: &str, y: &str) -> Self {
        (self.x, self.y) = (x.to_owned(), y.to_owned());
        self
    }

    /// Which axes are logarithmic: the one across, the one upwards. Points that have no place on them are left out.
    #[must_use]
    pub fn logarithmic(mut self, x: bool, y: bool) -> Self {
        self.log = (x, y);
        self
    }

    /// Draws the chart in these colours.
    #[must_use]
    pub fn palette(mut self, palette: Palette) -> Self {
        self.palette = palette;
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
        let on_page = |x: f64, y: f64| (!self.log.0 || x > 0.0) && (!self.log.1 || y > 0.0);
        let corners = |series: &Series| -> Vec<(f64, f64)> {
            series.corners().into_iter().filter(|point| on_page(point.0, point.1)).collect()
        };
        let band = |series: &Series| -> Vec<(f64, f64, f64)> {
            series.band.iter().copied().filter(|&(x, low, _)| on_page(x, low)).collect()
        };
        let curves: Vec<_> = self.series.iter().map(|series| (series, corners(series), band(series))).collect();
        let bands = || curves.iter().flat_map(|(_, _, band)| band);
        let points = || curves.iter().flat_map(|(_, corners, _)| corners);
        let across = points().map(|point| point.0).chain(bands().map(|band| band.0));
        let upwards = points().map(|point| point.1).chain(bands().flat_map(|band| [band.1, band.2]));
        let names: Vec<&str> = self.series.iter().map(|series| series.name.as_str()).collect();
        let frame = ChartFrame {
            title: &self.title,
            x_label: &self.x,
            y_label: &self.y,
            x: Scale::new(across, frame::X, self.log.0),
            y: Scale::new(upwards, frame::Y, self.log.1),
            palette: self.palette,
            legend: if names.len() > 1 { names } else { Vec::new() },
        };
        let place = |x: f64, y: f64| format!("{},{}", number(frame.x.at(x)), number(frame.y.at(y)));
        let mut body = String::new();
        for (index, (_, _, band)) in curves.iter().enumerate().filter(|(_, curve)| !curve.2.is_empty()) {
            let there = band.iter().map(|&(x, _, high)| place(x, high));
            let back = band.iter().rev().map(|&(x, low, _)| place(x, low));
            let points: Vec<String> = there.chain(back).collect();
            let color = self.palette.curve(index);
            body += &format!("<polygon fill=\"{color}\" fill-opacity=\"0.18\" points=\"{}\"/>\n", points.join(" "));
        }
        for (index, (series, corners, _)) in curves.iter().enumerate() {
            let color = self.palette.curve(index);
            if !series.is_joined() || corners.len() == 1 {
                let marks = corners.iter().map(|&(x, y)| frame::mark(index, frame.x.at(x), frame.y.at(y), color));
                body.extend(marks);
                continue;
            }
            let points: Vec<String> = corners.iter().map(|&(x, y)| place(x, y)).collect();
            body += &format!(
                "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" stroke-linejoin=\"round\"{} points=\"{}\"/>\n",
                dashes(index),
                points.join(" ")
            );
        }
        frame.around(&body)
    }
}
