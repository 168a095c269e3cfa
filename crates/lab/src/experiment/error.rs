//! Errors in the file of an experiment, with their place.

use std::ops::Range;

use nestling_presentation::shown;

/// A file that is no experiment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {field}: {reason}")]
#[non_exhaustive]
pub struct ExperimentError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The field.
    pub field: String,
    /// The error.
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
        // Both may have parts of the file, and go to a terminal.
        let (field, reason) = (shown(field, 60), shown(&reason, 1000));
        ExperimentError { file: self.file.to_owned(), line, field, reason }
    }

    /// The parser's message; the field is the key of that line.
    pub fn parser(&self, error: &toml::de::Error) -> ExperimentError {
        let span = error.span().unwrap_or(0..0);
        let before = &self.text[..span.start.min(self.text.len())];
        let line = self.text[before.rfind('\n').map_or(0, |end| end + 1)..].lines().next().unwrap_or_default();
        let key = line.split('=').next().unwrap_or_default().trim();
        self.error(span, if key.is_empty() { "the file" } else { key }, error.message())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_of_the_file_are_spelt_out() {
        let source = Source { file: "some.toml", text: "title = \"\"\"\n\"\"\"\u{14}games = []" };
        let error = source.error(0..0, "\"\"\"\u{14}games", "not \u{1b}[2J a key").to_string();
        assert!(!error.contains(char::is_control), "{error:?}");
    }
}
