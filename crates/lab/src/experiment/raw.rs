//! An experiment's file as it is written, before anything in it is looked up.

use indexmap::IndexMap;
use serde::Deserialize;
use toml::Spanned;

use super::{AxisValue, Kind, Measure, PlotKind};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Experiment {
    pub title: String,
    pub paper: String,
    pub source: Vec<String>,
    pub note: Option<String>,
    #[serde(default)]
    pub rounds: bool,
    #[serde(default)]
    pub known_values: bool,
    pub series: Vec<Spanned<Series>>,
    #[serde(default)]
    pub claim: Vec<Spanned<Claim>>,
    #[serde(default)]
    pub plot: Vec<Spanned<Plot>>,
    #[serde(default)]
    pub games: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Series {
    pub name: Spanned<String>,
    pub problem: Option<Spanned<String>>,
    pub search: Option<Spanned<String>>,
    pub exact: Option<Spanned<String>>,
    pub technique: Option<Spanned<String>>,
    pub player: Option<Spanned<String>>,
    pub opponent: Option<Spanned<String>>,
    pub not_run: Option<String>,
    pub no_smaller: Option<Spanned<String>>,
    pub variant: Option<String>,
    pub runs: Option<Spanned<u64>>,
    pub least: Option<Spanned<u64>>,
    pub share: Option<Spanned<f64>>,
    pub parts: Option<Spanned<u64>>,
    pub time: Option<Spanned<String>>,
    pub playouts: Option<Spanned<AxisValue>>,
    pub warm: Option<Spanned<String>>,
    pub expect: Option<Spanned<String>>,
    #[serde(default)]
    pub track: bool,
    #[serde(default)]
    pub over: IndexMap<String, Spanned<Vec<AxisValue>>>,
    #[serde(default)]
    pub instead: Vec<Spanned<Instead>>,
}

/// A smaller size for when there is no time for the whole one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Instead {
    pub what: String,
    pub problem: Option<Spanned<String>>,
    pub search: Option<Spanned<String>>,
    pub time: Option<Spanned<String>>,
    pub playouts: Option<Spanned<AxisValue>>,
    pub expect: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    pub text: Option<String>,
    pub of: Spanned<String>,
    pub than: Option<Spanned<String>>,
    pub what: Option<Measure>,
    pub kind: Spanned<Kind>,
    pub published: Option<Spanned<PublishedFigure>>,
    pub precision: Option<Spanned<f64>>,
    pub target: Option<f64>,
    pub part: Option<Spanned<u64>>,
    #[serde(alias = "within")]
    pub margin: Option<Spanned<f64>>,
    pub margin_why: Option<String>,
    pub why: Option<String>,
}

/// One number, a list of them, or lists of lists; a text stands if none can be read.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum PublishedFigure {
    Whole(i64),
    Number(f64),
    Illegible(String),
    List(Vec<PublishedFigure>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plot {
    pub title: Option<String>,
    pub kind: PlotKind,
    pub series: Option<Vec<Spanned<String>>>,
    pub x: Option<Spanned<String>>,
    pub y: Option<Measure>,
    #[serde(default)]
    pub log_x: bool,
    #[serde(default)]
    pub log_y: bool,
}
