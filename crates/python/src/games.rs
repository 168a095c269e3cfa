//! Games in files, puzzles in names, and charts.

use nestling_presentation::chart::{Chart, Histogram, Series};
use nestling_registry::json;
use pyo3::prelude::*;
use serde_json::json;

use crate::opened::Opened;
use crate::{REGISTRY, refused};

/// The games that stand in a file one after another.
#[pyfunction]
pub fn games(file: &[u8]) -> Vec<&[u8]> {
    REGISTRY.games(file)
}

/// Finds out what a file is a game of, replays it by the plain rules, and says what it is worth, as JSON.
#[pyfunction]
#[pyo3(signature = (file, problem = None))]
pub fn verify(file: &[u8], problem: Option<&Opened>) -> PyResult<String> {
    let verified = match problem {
        Some(opened) => {
            opened.or_its_error(opened.registry().verify_as(file, opened.problem.as_ref()).map_err(refused))?
        }
        None => REGISTRY.verify(file).map_err(refused)?,
    };
    let opened = match problem {
        Some(opened) => std::sync::Arc::clone(&opened.problem),
        None => REGISTRY.open(&verified.problem).map_err(refused)?.into(),
    };
    let record = verified.record(opened.as_ref()).map_err(refused)?;
    let mut object = json::verdict(None, &verified, opened.as_ref(), record.as_ref().map(|(record, _)| record));
    object["moves"] = json!(verified.game.texts());
    object["origin"] = json!(verified.provenance);
    Ok(object.to_string())
}

/// The name of a problem that carries its text along.
#[pyfunction]
pub fn pasted(problem: &str, text: &str) -> PyResult<String> {
    nestling_registry::pasted(problem, text).map_err(refused)
}

/// The score over time, as SVG.
#[pyfunction]
pub fn curve(title: &str, x: &str, y: &str, points: Vec<(f64, f64)>, end: f64) -> String {
    Chart::new(title).axes(x, y).with(Series::steps("", points).until(end)).svg()
}

/// How often each score was reached, as SVG.
#[pyfunction]
pub fn histogram(title: &str, x: &str, scores: Vec<f64>) -> String {
    Histogram::new(title, x, &scores).svg()
}
