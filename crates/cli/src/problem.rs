//! Problems by the names that people type.

use std::borrow::Cow;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use nestling_registry::{Instance, Registry, shortened, with_input};

use crate::{files, text};

/// Opens a problem by its name.
pub(crate) fn open(name: &str, registry: &Registry) -> Result<Box<dyn Instance>> {
    Ok(registry.open(&named(name, registry)?)?)
}

/// The name that says everything: a puzzle from standard input, as in `sudoku:-`, becomes part of it, so that a run can be resumed and
/// repeated without that input.
pub(crate) fn named<'a>(name: &'a str, registry: &Registry) -> Result<Cow<'a, str>> {
    if !registry.asks_for_input(name) {
        return Ok(name.into());
    }
    let bytes = files::read(Path::new("-")).with_context(|| name.to_owned())?;
    let text = String::from_utf8(bytes);
    let text =
        text.map_err(|error| anyhow!("{name}: byte {}: not UTF-8 text", error.utf8_error().valid_up_to() + 1))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Ok(with_input(name, text).map_err(|reason| anyhow!("{name}: {reason}"))?.into())
}

/// The longest name that people are asked to type again.
const LONGEST: usize = 400;

/// A name as a word of a command that is to be repeated, and what has to be added behind the command: a long puzzle inside the name goes
/// back to standard input.
pub(crate) fn retyped(name: &str) -> (String, &'static str) {
    match name.contains(":text=") && name.len() > LONGEST {
        true => (
            text::shell_word(&shortened(name).replacen(":text=…", ":-", 1)),
            "  # with the same puzzle on standard input",
        ),
        false => (text::shell_word(name), ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_puzzles_are_not_typed_again() {
        let long = format!("samegame:text={}#2,penalty=on", "A".repeat(1000));
        assert_eq!(
            retyped(&long),
            ("'samegame:-#2,penalty=on'".to_owned(), "  # with the same puzzle on standard input")
        );
        assert_eq!(retyped("sudoku:text=AAAA"), ("sudoku:text=AAAA".to_owned(), ""));
    }
}
