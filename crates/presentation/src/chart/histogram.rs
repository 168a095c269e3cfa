//! How often which values came.

use super::Palette;
use super::frame::{self, ChartFrame};
use super::scale::{Scale, number, ticks};

/// The most bars that can still be told apart.
const BARS: f64 = 60.0;

/// A histogram: one bar for each whole number where there are not too many, otherwise bars of a round width.
///
/// ```
/// use nestling_presentation::chart::Histogram;
/// let histogram = Histogram::new("100 runs", "moves", &[61.0, 60.0, 61.0, 64.0]);
/// assert_eq!(histogram.bars(), [(60.0, 1), (61.0, 2), (62.0, 0), (63.0, 0), (64.0, 1)]);
/// assert!(histogram.svg().contains("100 runs"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    title: String,
    x: String,
    /// The beginning of the first bar, and the width of bars.
    first: f64,
    width: f64,
    counts: Vec<u64>,
}

impl Histogram {
    /// The histogram of some values; those that are not finite are left out.
    pub fn new(title: &str, x: &str, values: &[f64]) -> Self {
        let values: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut histogram =
            Histogram { title: title.to_owned(), x: x.to_owned(), first: 0.0, width: 1.0, counts: Vec::new() };
        if values.is_empty() {
            return histogram;
        }
        let whole = values.iter().all(|value| value.fract() == 0.0);
        if whole && greatest - least < BARS || least == greatest {
            histogram.first = least;
        } else {
            match ticks(least, greatest, 30)[..] {
                [first, second, ..] if second > first => (histogram.first, histogram.width) = (first, second - first),
                // They differ by less than a bar can be wide, or by more than a number can be: one bar.
                _ => return Histogram { first: least, counts: vec![values.len() as u64], ..histogram },
            }
        }
        let bar = |value: f64| ((value - histogram.first) / histogram.width).floor() as usize;
        histogram.counts = vec![0; bar(greatest) + 1];
        for value in values {
            histogram.counts[bar(value)] += 1;
        }
        histogram
    }

    /// Where each bar begins, and how many values it stands for.
    pub fn bars(&self) -> Vec<(f64, u64)> {
        let begin = |index: usize| self.first + index as f64 * self.width;
        self.counts.iter().enumerate().map(|(index, &count)| (begin(index), count)).collect()
    }

    /// The histogram as an SVG document.
    pub fn svg(&self) -> String {
        // A bar of width 1 stands over its whole number, wider ones between their edges.
        let shift = if self.width == 1.0 { 0.5 } else { 0.0 };
        let bars: Vec<(f64, u64)> = self.bars().into_iter().map(|(begin, count)| (begin - shift, count)).collect();
        let edges = bars.iter().flat_map(|&(begin, _)| [begin, begin + self.width]);
        // Ticks between whole numbers would mean nothing.
        let heights = bars.iter().map(|&(_, count)| count as f64).chain([0.0, 5.0]);
        let (x, y) = (Scale::new(edges, frame::X, false), Scale::new(heights, frame::Y, false));
        let (palette, legend) = (Palette::LIGHT, Vec::new());
        let frame = ChartFrame { title: &self.title, x_label: &self.x, y_label: "runs", x, y, palette, legend };
        let mut body = String::new();
        for (begin, count) in bars.into_iter().filter(|&(_, count)| count > 0) {
            let (left, right) = (frame.x.at(begin), frame.x.at(begin + self.width));
            let top = frame.y.at(count as f64);
            body += &format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                number(left + 0.5),
                number(top),
                number((right - left - 1.0).max(1.0)),
                number(frame::Y.0 - top),
                palette.curve(0)
            );
        }
        frame.around(&body)
    }
}
