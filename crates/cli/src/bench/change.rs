//! Two results of the benches, row by row. Ratios are compared, not times: both sides of a ratio were measured in the same rounds, so other
//! machines and other loads have much the same ratios.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::rounds::Ratio;
use crate::{json, text};

/// The rows that `--json` has printed into a file.
pub(super) fn read(path: &Path) -> Result<Vec<Value>> {
    let name = text::name(path);
    let content = std::fs::read_to_string(path).with_context(|| format!("{name}: cannot be read"))?;
    let rows: Vec<Value> = content.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let lines = content.lines().count();
    let is_whole = !rows.is_empty() && rows.len() == lines && rows.iter().all(|row| ratio(row).is_some());
    ensure!(is_whole, "{name}: not a result of the benches; write one with: {} bench --json > {name}", text::program());
    Ok(rows)
}

fn ratio(row: &Value) -> Option<Ratio> {
    let [median, low, high] = ["ratio", "ratio_low", "ratio_high"].map(|key| row[key].as_f64());
    Some(Ratio { median: median?, interval: low.zip(high) })
}

/// What tells a row from the others: all of its words.
fn words(row: &Value) -> Vec<&str> {
    row.as_object().into_iter().flatten().filter_map(|(_, value)| value.as_str()).collect()
}

/// What can be said about two ratios.
fn verdict(before: Ratio, after: Ratio) -> &'static str {
    match before.interval.zip(after.interval) {
        None => "too few rounds",
        Some(((_, high), (low, _))) if low > high => "higher",
        Some(((low, _), (_, high))) if high < low => "lower",
        Some(_) => "no change shown",
    }
}

pub(super) fn print(before: &[Value], after: &[Value], is_json: bool) -> Result<()> {
    let mut rows = Vec::new();
    for new in after {
        let Some(old) = before.iter().find(|old| words(old) == words(new)) else { continue };
        let (Some(old), Some(new_ratio)) = (ratio(old), ratio(new)) else { continue };
        rows.push((words(new), old, new_ratio));
    }
    ensure!(!rows.is_empty(), "the two results have no bench in common");
    if is_json {
        for (words, before, after) in rows {
            let bounds = |ratio: Ratio| ratio.interval.unzip();
            let figures = |ratio: Ratio| json!([bounds(ratio).0, ratio.median, bounds(ratio).1]);
            let verdict = verdict(before, after);
            json::print(
                &json!({ "bench": words, "before": figures(before), "after": figures(after), "verdict": verdict }),
            )?;
        }
        return Ok(());
    }
    let figures = |ratio: Ratio| match ratio.interval {
        Some((low, high)) => format!("{:.3} ({low:.3} to {high:.3})", ratio.median),
        None => format!("{:.3}", ratio.median),
    };
    let lines = rows.into_iter().map(|(words, before, after)| {
        [words.join(", "), figures(before), figures(after), verdict(before, after).to_owned()]
    });
    text::print("\nRatios with their 95 % confidence intervals, where there were six rounds or more\n\n")?;
    Ok(text::print(&text::table(["bench", "before", "after", "verdict"], lines))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_separate_intervals_are_a_change() {
        let ratio = |median: f64| Ratio { median, interval: Some((median - 0.1, median + 0.1)) };
        assert_eq!(verdict(ratio(1.0), ratio(1.3)), "higher");
        assert_eq!(verdict(ratio(1.3), ratio(1.0)), "lower");
        assert_eq!(verdict(ratio(1.0), ratio(1.15)), "no change shown");
        assert_eq!(verdict(Ratio { median: 1.0, interval: None }, ratio(2.0)), "too few rounds");
    }

    #[test]
    fn rows_are_told_apart_by_their_words() {
        let row = json!({ "table": "engine", "variant": "5D", "ours_ns": 3.0, "ratio": 2.0 });
        assert_eq!(words(&row), ["engine", "5D"]);
        assert_eq!(ratio(&row), Some(Ratio { median: 2.0, interval: None }));
        assert_eq!(ratio(&json!({ "table": "engine" })), None);
    }

    #[test]
    fn a_file_of_something_else_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for text in ["", "hello\n", "{}\n"] {
            std::fs::write(file.path(), text).unwrap();
            assert!(read(file.path()).unwrap_err().to_string().contains("bench --json"), "{text:?}");
        }
        let row = r#"{"table":"engine","ratio":2.0,"ratio_low":1.9,"ratio_high":2.1}"#;
        std::fs::write(file.path(), format!("{row}\n{row}\n")).unwrap();
        assert_eq!(read(file.path()).unwrap().len(), 2);
    }
}
