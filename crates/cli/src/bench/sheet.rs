//! The bench's tables, for people or as JSON.

use std::cell::RefCell;

use anyhow::Result;
use serde_json::{Value, json};

use super::rounds::Ratio;
use crate::progress::{Progress, Total};
use crate::{json, text};

/// The names of the columns of a table, for people and in JSON.
pub(super) struct Columns {
    pub table: &'static str,
    pub title: String,
    /// The difference between rows of the same work, such as the instructions.
    pub how: &'static str,
    /// The contestants: the heading, and the key in JSON.
    pub left: (String, &'static str),
    pub right: (String, &'static str),
}

/// A row: two figures, most often nanoseconds per move, and their ratio.
pub(super) struct Row<'a> {
    pub variant: &'a str,
    pub what: &'a str,
    pub how: String,
    pub left: f64,
    pub right: f64,
    pub ratio: Ratio,
}

/// Prints the rows, and the progress meanwhile.
pub(super) struct BenchTable {
    json: bool,
    progress: Progress,
    /// All rows so far, as in JSON.
    rows: RefCell<Vec<Value>>,
}

impl BenchTable {
    pub fn new(json: bool) -> Self {
        BenchTable { json, progress: Progress::new(Total::Unknown), rows: RefCell::default() }
    }

    /// Begins a table.
    pub fn begin(&self, columns: &Columns) -> Result<()> {
        if self.json {
            return Ok(());
        }
        let headings = ["variant", "what", columns.how, &columns.left.0, &columns.right.0, "ratio"];
        self.write(&format!("{}\n\n{}", columns.title, line(headings)))
    }

    pub fn row(&self, columns: &Columns, row: &Row<'_>) -> Result<()> {
        let Row { variant, what, how, left, right, ratio } = row;
        let mut object = json!({ "table": columns.table, "variant": variant, "what": what });
        object[columns.how] = json!(how);
        object[columns.left.1] = rounded(*left, 10.0);
        object[columns.right.1] = rounded(*right, 10.0);
        object["ratio"] = rounded(ratio.median, 1000.0);
        let bound = |bound: Option<f64>| bound.map_or(Value::Null, |bound| rounded(bound, 1000.0));
        let (low, high) = ratio.interval.unzip();
        (object["ratio_low"], object["ratio_high"]) = (bound(low), bound(high));
        if self.json {
            self.progress.aside(|| json::print(&object))?;
        }
        self.rows.borrow_mut().push(object);
        if self.json {
            return Ok(());
        }
        let figures = [format!("{left:.1}"), format!("{right:.1}"), format!("{:.2}", ratio.median)];
        self.write(&line([variant, what, how, &figures[0], &figures[1], &figures[2]]))
    }

    /// Ends a table.
    pub fn end(&self) -> Result<()> {
        if self.json { Ok(()) } else { self.write("\n") }
    }

    pub fn doing(&self, what: String) {
        self.progress.doing(what);
    }

    /// Ends all tables; their rows.
    pub fn finish(self) -> Vec<Value> {
        self.progress.finish();
        self.rows.into_inner()
    }

    fn write(&self, lines: &str) -> Result<()> {
        Ok(self.progress.aside(|| text::print(lines))?)
    }
}

fn rounded(number: f64, parts: f64) -> Value {
    json!((number * parts).round() / parts)
}

fn line(cells: [&str; 6]) -> String {
    let [variant, what, how, left, right, ratio] = cells;
    format!("{variant:8} {what:24} {how:16} {left:>11} {right:>11} {ratio:>7}\n")
}
