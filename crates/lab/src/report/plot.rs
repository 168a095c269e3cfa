//! Plots of what was measured.

use nestling_presentation::chart::{Chart, Palette, Series as Curve, ticks};

use crate::experiment::{Experiment, Kind, Plot, PlotKind};
use crate::reading::Reading;
use crate::results::{ExperimentResults, Measured};
use crate::statistics::Summary;

/// The most bars of a histogram that can be told apart.
const BARS: f64 = 120.0;

/// Places along a curve of progress.
const PLACES: usize = 80;

/// A plot as SVG; none if there is nothing to draw.
pub(super) fn draw(
    experiment: &Experiment,
    plot: &Plot,
    results: &ExperimentResults,
    palette: Palette,
) -> Option<String> {
    let drawing = PlotDrawing { experiment, plot, results };
    let curves = match plot.kind {
        PlotKind::Histogram => drawing.histogram(),
        PlotKind::Curve => drawing.curve(),
        PlotKind::Progress => drawing.progress(),
        PlotKind::Solved => drawing.solved(),
    };
    if curves.is_empty() {
        return None;
    }
    let (x, y) = drawing.axes();
    let chart = Chart::new(&plot.title).axes(&x, &y).logarithmic(plot.log_x, plot.log_y).palette(palette);
    Some(curves.into_iter().fold(chart, Chart::with).svg())
}

struct PlotDrawing<'a> {
    experiment: &'a Experiment,
    plot: &'a Plot,
    results: &'a ExperimentResults,
}

impl<'a> PlotDrawing<'a> {
    fn axes(&self) -> (String, String) {
        let y = self.plot.y.name();
        match self.plot.kind {
            PlotKind::Histogram => (y.to_owned(), "share of the runs, %".to_owned()),
            PlotKind::Curve => (self.plot.x.clone(), format!("mean {y}")),
            PlotKind::Progress => (self.plot.x.clone(), "mean best score".to_owned()),
            PlotKind::Solved => ("seconds".to_owned(), "solved, %".to_owned()),
        }
    }

    /// All rows of the plot's series that have been run.
    fn rows(&self) -> Vec<(String, &'a Measured)> {
        let mut rows = Vec::new();
        for &series in &self.plot.series {
            for row in 0..self.experiment.series[series].rows.len() {
                if let Some(measured) = self.results.measured(series, row) {
                    let less = measured.instead.as_ref().map_or(String::new(), |less| format!(" ({less})"));
                    rows.push((format!("{}{less}", self.experiment.label(series, row)), measured));
                }
            }
        }
        rows
    }

    fn histogram(&self) -> Vec<Curve> {
        let rows = self.rows();
        let sampled = || rows.iter().filter(|(_, measured)| measured.sample.distribution.is_none());
        let all: Vec<f64> = sampled().flat_map(|(_, measured)| measured.values(self.plot.y)).collect();
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let whole = all.iter().all(|value| value.fract() == 0.0);
        // Bars over whole numbers where there are not too many of them.
        let (first, width) = match ticks(least, greatest, 40)[..] {
            _ if whole && greatest - least < BARS => (least - 0.5, 1.0),
            [first, second, ..] => (first, second - first),
            _ => (least - 0.5, 1.0),
        };
        let bars = ((greatest - first) / width).floor() as usize + 1;
        let outline = |name: &str, values: Vec<f64>| {
            let mut heights = vec![0.0; bars];
            for value in &values {
                heights[((value - first) / width).floor() as usize] += 100.0 / values.len() as f64;
            }
            let begin = heights.iter().position(|height| *height > 0.0).unwrap_or(0);
            let end = heights.iter().rposition(|height| *height > 0.0).map_or(0, |last| last + 1);
            Curve::outline(name, first + begin as f64 * width, width, &heights[begin..end])
        };
        let curve = |(name, measured): &(String, &Measured)| match &measured.sample.distribution {
            None => outline(name, measured.values(self.plot.y)),
            Some(distribution) => {
                let likely = distribution.iter().enumerate().filter(|(_, share)| **share > 1e-4);
                Curve::line(name, likely.map(|(score, share)| (score as f64, 100.0 * share)).collect())
            }
        };
        rows.iter().map(curve).collect()
    }

    /// Means along an axis, one curve for every value of the others.
    fn curve(&self) -> Vec<Curve> {
        let mut curves = Vec::new();
        for &index in &self.plot.series {
            let series = &self.experiment.series[index];
            let axis = series.axes.iter().position(|axis| *axis == self.plot.x).expect("checked when it was read");
            let others = |row: usize| -> String {
                let named = series.axes.iter().zip(&series.rows[row].values).enumerate().filter(|(at, _)| *at != axis);
                let words: Vec<String> = named.map(|(_, (name, value))| format!("{name} {value}")).collect();
                [vec![series.name.clone()], words].concat().join(", ")
            };
            let mut names: Vec<String> = (0..series.rows.len()).map(others).collect();
            names.dedup();
            for name in names {
                let along = (0..series.rows.len()).filter(|&row| others(row) == name);
                let points = along.filter_map(|row| {
                    let measured = self.results.measured(index, row).filter(|measured| measured.instead.is_none())?;
                    Some((series.rows[row].values[axis].number()?, measured.summary(self.plot.y)?))
                });
                let points: Vec<(f64, Summary)> = points.collect();
                if !points.is_empty() {
                    curves.push(mean_curve(&name, &points));
                }
            }
            // Without anything of ours there would be nothing to compare with.
            if !curves.is_empty() {
                curves.extend(self.published(index, axis));
            }
        }
        curves
    }

    /// The published numbers of a series, as marks.
    fn published(&self, series: usize, axis: usize) -> Option<Curve> {
        let comparable = |kind| matches!(kind, Kind::SingleRun | Kind::Mean | Kind::Time | Kind::Shown);
        let claim = self.experiment.claims.iter().find(|claim| {
            claim.of.series == series
                && claim.what == self.plot.y
                && comparable(claim.kind)
                && !claim.published.is_empty()
        })?;
        let rows = &self.experiment.series[series].rows;
        let marks = claim.of.rows.iter().zip(&claim.published);
        let marks = marks.filter_map(|(&row, published)| Some((rows[row].values[axis].number()?, (*published)?.value)));
        Some(Curve::marks("published", marks.collect()))
    }

    /// The mean of the best scores so far.
    fn progress(&self) -> Vec<Curve> {
        let seconds = self.plot.x == "seconds";
        let curve =
            |(name, measured): (String, &Measured)| progress_curve(&name, measured.sample.readings.values(), seconds);
        self.rows().into_iter().filter_map(curve).collect()
    }

    /// How many were solved after which time.
    fn solved(&self) -> Vec<Curve> {
        let curve = |(name, measured): (String, &Measured)| {
            let readings = measured.sample.readings.values();
            let mut times: Vec<f64> =
                readings.clone().filter(|reading| reading.solved).filter_map(|one| one.seconds).collect();
            times.sort_by(f64::total_cmp);
            let end = readings.filter_map(|reading| reading.seconds).fold(0.0, f64::max);
            let share = |solved: usize| 100.0 * (solved + 1) as f64 / measured.sample.count() as f64;
            let points = times.into_iter().enumerate().map(|(index, time)| (time.max(1e-6), share(index))).collect();
            Curve::steps(&name, points).until(end)
        };
        self.rows().into_iter().map(curve).collect()
    }
}

/// Means with a band of their 95 % intervals.
fn mean_curve(name: &str, points: &[(f64, Summary)]) -> Curve {
    let interval = |(x, summary): &(f64, Summary)| {
        let interval = summary.interval();
        (*x, interval.low, interval.high)
    };
    let means = points.iter().map(|(x, summary)| (*x, summary.mean)).collect();
    Curve::line(name, means).band(points.iter().map(interval).collect())
}

/// The mean of the best scores so far along time or playouts, where all runs have one and none is over.
pub(crate) fn progress_curve<'a>(
    name: &str,
    readings: impl Iterator<Item = &'a Reading>,
    seconds: bool,
) -> Option<Curve> {
    let runs: Vec<(Vec<(f64, f64)>, f64)> = readings.map(|reading| track(reading, seconds)).collect();
    let begin = runs.iter().filter_map(|(track, _)| Some(track.first()?.0)).fold(0.0, f64::max);
    let end = runs.iter().map(|(_, end)| *end).fold(f64::INFINITY, f64::min);
    let begin = begin.max(end * 1e-4);
    if runs.iter().any(|(track, _)| track.is_empty()) || begin <= 0.0 || begin >= end {
        return None;
    }
    let place = |index: usize| begin * (end / begin).powf(index as f64 / (PLACES - 1) as f64);
    let mean = |x: f64| {
        // The last place is a product of roundings.
        let best = runs.iter().filter_map(|(track, _)| track.iter().rev().find(|point| point.0 <= x * 1.000_001));
        Summary::new(best.map(|point| point.1)).map(|summary| (x, summary))
    };
    let points: Vec<(f64, Summary)> = (0..PLACES).map(place).filter_map(mean).collect();
    Some(mean_curve(name, &points))
}

/// The improvements of a run along time or playouts, and where it ended.
fn track(reading: &Reading, seconds: bool) -> (Vec<(f64, f64)>, f64) {
    let x = |at: f64, playouts: u64| if seconds { at } else { playouts as f64 };
    let points = reading.track.iter().map(|point| (x(point.seconds, point.playouts), point.score)).collect();
    (points, x(reading.seconds.unwrap_or_default(), reading.playouts))
}
