//! One JSON object a line.

pub(crate) use nestling_registry::json::{find_event, improvement, result, score, verdict};
use serde_json::Value;

use crate::text;

pub(crate) fn print(object: &Value) -> std::io::Result<()> {
    text::print_as_it_is(&format!("{object}\n"))
}
