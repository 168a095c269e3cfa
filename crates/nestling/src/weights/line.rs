//! One line of a file of weights: a move by its code or its text, and its weight.

use std::fmt;

/// The largest weight; exponentials of larger ones could exceed the range of a double.
pub(crate) const LARGEST_WEIGHT: f64 = 300.0;

const EXPECTED: &str = "expected a move, or its code, and its weight, such as \"17 2.5\"";

/// A line of a file of weights.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightsLine {
    /// The move.
    pub name: MoveName,
    /// Its weight.
    pub weight: f64,
}

/// A move as a file of weights names it.
///
/// ```
/// use nestling::MoveName;
/// let name = |text: &str| MoveName::Text(text.to_owned()).to_string();
/// assert_eq!([name("go left"), name("17"), name("#1")], ["go left", "\"17\"", "\"#1\""]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveName {
    /// By its [code](crate::Problem::code).
    Code(u64),
    /// By its [text](crate::Problem::move_text), in quotes where it would be ambiguous.
    Text(String),
}

impl WeightsLine {
    /// Reads a line; `None` if it has only a comment, or nothing.
    ///
    /// # Errors
    ///
    /// When it does not have this form, or the weight is not between -300 and 300.
    pub fn read(line: &str) -> Result<Option<Self>, String> {
        let (name, rest) = match line.trim_start().strip_prefix('"') {
            Some(quoted) => {
                let (text, rest) = until_quote(quoted).ok_or("the quotation mark at its beginning is not closed")?;
                (MoveName::Text(text), without_comment(rest))
            }
            None => match without_comment(line).rsplit_once(char::is_whitespace) {
                None if without_comment(line).is_empty() => return Ok(None),
                None => return Err(EXPECTED.to_owned()),
                Some((name, weight)) => {
                    let name = name.trim_end();
                    (name.parse().map_or_else(|_| MoveName::Text(name.to_owned()), MoveName::Code), weight)
                }
            },
        };
        let weight: f64 = rest.parse().map_err(|_| EXPECTED.to_owned())?;
        if !weight.is_finite() || weight.abs() > LARGEST_WEIGHT {
            return Err("a weight lies between -300 and 300".to_owned());
        }
        Ok(Some(WeightsLine { name, weight }))
    }
}

fn without_comment(text: &str) -> &str {
    text.split('#').next().unwrap_or_default().trim()
}

/// A text up to its closing quotation mark, and the rest.
fn until_quote(quoted: &str) -> Option<(String, &str)> {
    let (mut text, mut characters) = (String::new(), quoted.char_indices());
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((text, &quoted[at + 1..])),
            '\\' => text.push(characters.next()?.1),
            _ => text.push(character),
        }
    }
    None
}

impl fmt::Display for MoveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveName::Code(code) => write!(f, "{code}"),
            MoveName::Text(text) => {
                let is_plain = text.trim() == text
                    && !text.is_empty()
                    && !text.starts_with('"')
                    && !text.contains('#')
                    && text.parse::<u64>().is_err();
                if is_plain {
                    return f.write_str(text);
                }
                write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
            }
        }
    }
}

impl fmt::Display for WeightsLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.weight)
    }
}
