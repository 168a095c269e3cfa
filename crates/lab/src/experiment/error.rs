//! What is wrong with an experiment's file, and where.

use std::ops::Range;

/// A file that is no experiment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {field}: {reason}")]
pub struct ExperimentError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The field.
    pub field: String,
    /// What is wrong with it.
    pub reason: String,
}

/// A file's name and text, to say where something is.
pub(super) struct Source<'a> {
    pub file: &'a str,
    pub text: &'a str,
}

impl Source<'_> {
    pub fn error(&self, span: Range<usize>, field: &str, reason: impl ToString) -> ExperimentError {
        let line = 1 + self.text[..span.start.min(self.text.len())].matches('\n').count();
        let reason = reason.to_string().lines().map(str::trim).collect::<Vec<_>>().join("; ");
        ExperimentError { file: self.file.to_owned(), line, field: field.to_owned(), reason }
    }

    /// What the parser says; the field is the key of that line.
    pub fn parser(&self, error: &toml::de::Error) -> ExperimentError {
        let span = error.span().unwrap_or(0..0);
        let before = &self.text[..span.start.min(self.text.len())];
        let line = self.text[before.rfind('\n').map_or(0, |end| end + 1)..].lines().next().unwrap_or_default();
        let key = line.split('=').next().unwrap_or_default().trim();
        self.error(span, if key.is_empty() { "the file" } else { key }, error.message())
    }
}
