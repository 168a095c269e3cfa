//! The bench's tables, for people or as JSON.

use anyhow::Result;
use serde_json::{Value, json};

use crate::progress::{Progress, Total};
use crate::{json, text};

/// What the columns of a table are called, by people and in JSON.
pub(super) struct Columns {
    pub table: &'static str,
    pub title: String,
    /// What tells rows of one work apart, such as the instructions.
    pub how: &'static str,
    /// Who is compared with whom: the heading, and the key in JSON.
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
    pub ratio: f64,
}

/// Where the rows go, and the sign of life meanwhile.
pub(super) struct Sheet {
    json: bool,
    progress: Progress,
}

impl Sheet {
    pub fn new(json: bool) -> Self {
        Sheet { json, progress: Progress::new(Total::Unknown) }
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
        if self.json {
            let mut object = json!({ "table": columns.table, "variant": variant, "what": what });
            object[columns.how] = json!(how);
            object[columns.left.1] = rounded(*left, 10.0);
            object[columns.right.1] = rounded(*right, 10.0);
            object["ratio"] = rounded(*ratio, 1000.0);
            return Ok(self.progress.aside(|| json::print(&object))?);
        }
        let figures = [format!("{left:.1}"), format!("{right:.1}"), format!("{ratio:.2}")];
        self.write(&line([variant, what, how, &figures[0], &figures[1], &figures[2]]))
    }

    /// Ends a table.
    pub fn end(&self) -> Result<()> {
        if self.json { Ok(()) } else { self.write("\n") }
    }

    pub fn doing(&self, what: String) {
        self.progress.doing(what);
    }

    pub fn finish(self) {
        self.progress.finish();
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
