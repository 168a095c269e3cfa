//! Experiments as data: what is run, what was published, how it is judged and drawn.
//!
//! An experiment is one TOML file; [`Experiment::read`] checks all of it and names file, line and field of what is wrong. The
//! fields are described in `docs/LAB.md`.

mod check;
mod definition;
mod error;
mod expand;
mod raw;

use std::fmt;

use serde::Deserialize;

pub use definition::{Definition, SearchDefinition};
pub use error::ExperimentError;

use crate::words::figure;

/// A table or figure of a paper, or a question of one's own.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// Its short name: that of its file.
    pub id: String,
    /// The title.
    pub title: String,
    /// The paper it is from: the name of one of [`papers`](crate::papers), or any text.
    pub paper: String,
    /// The tables and figures there.
    pub sources: Vec<String>,
    /// A note for the reader.
    pub note: Option<String>,
    /// Whether the rows take turns, so that what disturbs one disturbs the others too.
    pub rounds: bool,
    /// Whether its claims are no document's, but values that others have found: they are counted apart.
    pub known_values: bool,
    /// The series of runs.
    pub series: Vec<RowSeries>,
    /// The published claims.
    pub claims: Vec<Claim>,
    /// The plots.
    pub plots: Vec<Plot>,
    /// The series whose best game is drawn.
    pub games: Vec<usize>,
}

/// Rows that differ in a few values.
#[derive(Clone, Debug, PartialEq)]
pub struct RowSeries {
    /// Its name.
    pub name: String,
    /// The axes in which the rows differ.
    pub axes: Vec<String>,
    /// The rows, in the order of the values, the last axis first.
    pub rows: Vec<Row>,
    /// Why it is not what the paper describes, if it is not.
    pub variant: Option<String>,
}

/// One thing that is run, again and again.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its value on each axis.
    pub values: Vec<AxisValue>,
    /// The sizes at which the row can be run, the full size first; empty if it cannot be run.
    pub sizes: Vec<Size>,
    /// Why it cannot.
    pub not_run: Option<String>,
    /// Why it has no smaller size, where its runs may be too long for a budget.
    pub no_smaller: Option<String>,
    /// How often the paper ran it, or how often it is worth running.
    pub runs: u64,
    /// With fewer runs there is no point.
    pub least: u64,
    /// How much of a budget it gets, beside other rows.
    pub share: f64,
}

/// A size that a row can be run at.
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    /// The exact definition of the runs.
    pub definition: Definition,
    /// The reduction compared with the paper; nothing for the full size.
    pub instead: Option<String>,
    /// About how many seconds a run takes, where the program cannot tell by itself.
    pub expect: Option<f64>,
}

/// A value on an axis.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum AxisValue {
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

impl AxisValue {
    /// As people read it.
    pub fn words(&self) -> String {
        self.number().map_or_else(|| self.to_string(), figure)
    }

    /// As a number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            AxisValue::Whole(whole) => Some(*whole as f64),
            AxisValue::Number(number) => Some(*number),
            AxisValue::Text(_) => None,
        }
    }
}

impl fmt::Display for AxisValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AxisValue::Whole(whole) => whole.fmt(f),
            AxisValue::Number(number) => number.fmt(f),
            AxisValue::Text(text) => text.fmt(f),
        }
    }
}

/// The measured quantity of a claim or a plot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// The score of a run.
    #[default]
    Score,
    /// How long a run took, on one thread.
    Seconds,
    /// Its playouts.
    Playouts,
    /// The moves of its playouts.
    Moves,
    /// Nanoseconds a move of a playout.
    Nanoseconds,
    /// The playouts until its best score was found, where its improvements are kept.
    Found,
    /// The share of the time that an activity takes, in per cent.
    Percent,
    /// The number of possible moves.
    Children,
    /// Whether it found a solution.
    Solved,
    /// Whether the player won.
    Wins,
    /// Whether neither player won.
    Draws,
    /// Whether the opponent won.
    Losses,
}

/// The kind of a claim; [`judge`](crate::judge) has the rule for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The result of one run.
    SingleRun,
    /// The mean of many runs.
    Mean,
    /// The sum over all parts, each run once.
    Total,
    /// The time of a run.
    Time,
    /// The time of all runs together.
    TotalTime,
    /// In how many of all runs something came about.
    Count,
    /// The share of the runs that reach `target`.
    Share,
    /// A bound that the median of the runs lies below.
    Below,
    /// A bound that the mean of the runs lies above.
    Above,
    /// The best of all.
    Record,
    /// How many times as much as another row.
    Ratio,
    /// Better than another row.
    Better,
    /// No better and no worse than another row, give or take the margin.
    Alike,
    /// The same in every run.
    Always,
    /// The distribution that was computed, give or take the margin.
    Distribution,
    /// The best of its series.
    Best,
    /// Grows in proportion to its axis.
    Linear,
    /// Grows in a straight line along the logarithm of its axis.
    LogLinear,
    /// Rises and falls again along its axis.
    Peak,
    /// Only shown: there is nothing to judge by.
    Shown,
}

impl Kind {
    /// Whether it is about the shape of a whole curve.
    pub(crate) fn is_shape(self) -> bool {
        matches!(self, Kind::Linear | Kind::LogLinear | Kind::Peak)
    }

    /// Whether a claim must state its margin.
    pub(crate) fn margin(self) -> MarginRule {
        match self {
            Kind::Mean | Kind::Total | Kind::Share | Kind::Count | Kind::Alike => MarginRule::Needed,
            Kind::Ratio => MarginRule::NeededFactor,
            Kind::Time | Kind::TotalTime => MarginRule::Factor(1.25),
            Kind::Linear | Kind::LogLinear => MarginRule::Usual(0.1),
            Kind::Distribution | Kind::Always => MarginRule::Usual(0.01),
            Kind::Best => MarginRule::Usual(0.0),
            Kind::SingleRun | Kind::Below | Kind::Above | Kind::Record | Kind::Better | Kind::Peak | Kind::Shown => {
                MarginRule::None
            }
        }
    }

    /// Whether it compares rows with others.
    fn compares(self) -> bool {
        matches!(self, Kind::Ratio | Kind::Better | Kind::Alike | Kind::Distribution)
    }
}

/// The kind of margin that a claim needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MarginRule {
    /// A difference, which the file must state.
    Needed,
    /// A factor, which the file must state.
    NeededFactor,
    /// A difference; this one if the file states none.
    Usual(f64),
    /// A factor; this one if the file states none.
    Factor(f64),
    /// It has no margin.
    None,
}

/// A value that was claimed or measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The claim in words, where the table does not say it.
    pub text: Option<String>,
    /// The rows it is about.
    pub of: Selection,
    /// The rows they are compared with.
    pub than: Option<Selection>,
    /// The measured quantity.
    pub what: Measure,
    /// How.
    pub kind: Kind,
    /// The published numbers, one for each row; none where it cannot be read.
    pub published: Vec<Option<PublishedFigure>>,
    /// The score that a share is about.
    pub target: Option<f64>,
    /// The only part it is about; those of a match are the games with the first move, and those without.
    pub part: Option<u64>,
    /// The difference that does not matter; a factor for ratios and times.
    pub margin: f64,
    /// The reason for that margin.
    pub margin_why: Option<String>,
    /// Why it may not be reproduced.
    pub why: Option<String>,
}

/// A published number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedFigure {
    /// The number.
    pub value: f64,
    /// How much it may be off by rounding.
    pub precision: f64,
}

/// Some rows of a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The series.
    pub series: usize,
    /// Its rows.
    pub rows: Vec<usize>,
}

/// The kind of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlotKind {
    /// The distributions of the rows as step histograms, those computed as lines.
    Histogram,
    /// Means against an axis.
    Curve,
    /// The mean best score so far against time or playouts.
    Progress,
    /// The share of runs that are solved against time.
    Solved,
}

/// Something drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// The title above it.
    pub title: String,
    /// The kind of the plot.
    pub kind: PlotKind,
    /// The series in it.
    pub series: Vec<usize>,
    /// The axis it runs along; for progress `seconds` or `playouts`.
    pub x: String,
    /// The measured quantity.
    pub y: Measure,
    /// Whether the axis across is logarithmic.
    pub log_x: bool,
    /// Whether the axis upwards is.
    pub log_y: bool,
}

impl RowSeries {
    /// The name of a row inside its series; the name of the series if it is the only row.
    pub fn label(&self, row: usize) -> String {
        if self.axes.is_empty() {
            return self.name.clone();
        }
        let named =
            self.axes.iter().zip(&self.rows[row].values).map(|(axis, value)| format!("{axis} {}", value.words()));
        named.collect::<Vec<_>>().join(", ")
    }
}

impl Experiment {
    /// A row with its series.
    pub fn row(&self, series: usize, row: usize) -> &Row {
        &self.series[series].rows[row]
    }

    /// Whether the times of a row's runs are judged or drawn.
    pub fn uses_time(&self, series: usize, row: usize) -> bool {
        let has = |rows: &Selection| rows.series == series && rows.rows.contains(&row);
        let judged = |claim: &Claim| {
            let is_time = claim.what.is_time() || matches!(claim.kind, Kind::Time | Kind::TotalTime);
            // The best of a series is compared with all its rows.
            let is_rival = claim.kind == Kind::Best && claim.of.series == series;
            is_time && (is_rival || has(&claim.of) || claim.than.as_ref().is_some_and(has))
        };
        let drawn = |plot: &Plot| {
            let along = match plot.kind {
                PlotKind::Solved => true,
                PlotKind::Progress => plot.x == "seconds",
                PlotKind::Curve | PlotKind::Histogram => plot.y.is_time(),
            };
            along && plot.series.contains(&series)
        };
        // Rows take turns so that their times can be compared.
        self.rounds || self.claims.iter().any(judged) || self.plots.iter().any(drawn)
    }

    /// The name of a row in the experiment.
    pub fn label(&self, series: usize, row: usize) -> String {
        let label = self.series[series].label(row);
        if self.series[series].axes.is_empty() || self.series.len() == 1 {
            return label;
        }
        format!("{}, {label}", self.series[series].name)
    }
}
