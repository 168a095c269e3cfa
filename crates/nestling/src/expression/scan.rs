//! Reading the text of an expression by characters and values; shared by the languages of searches and of players.

use std::time::Duration;

use super::check::{self, IntegerRange};
use super::error::{ParseError, alternatives, quoted, shortened};
use super::is_bare_character;

/// A text and the position of the next character.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    /// The offset, in bytes, of the next character.
    pub at: usize,
}

pub(crate) type Parsed<T> = Result<T, ParseError>;

/// The values.
impl Scanner<'_> {
    pub fn integer(&mut self, limit: &IntegerRange) -> Parsed<u64> {
        self.skip_space();
        let word = self.word();
        let digits: String = word.chars().filter(|&character| character != '_').collect();
        if !word.starts_with(|first: char| first.is_ascii_digit()) || !digits.bytes().all(|byte| byte.is_ascii_digit())
        {
            return Err(self.expected(format!("{}, a whole number", limit.what)));
        }
        let value =
            limit.check(digits.parse().ok(), shortened(word)).map_err(|message| self.error(self.at, message))?;
        self.at += word.len();
        Ok(value)
    }

    /// A number that passes a check; the check also gets the number as it was written.
    pub fn number(&mut self, key: &str, check: impl Fn(f64, String) -> Result<f64, String>) -> Parsed<f64> {
        self.skip_space();
        let word = self.prefix(|character| is_bare_character(character) || character == '+');
        let Ok(value) = word.replace('_', "").parse() else {
            return Err(self.expected(format!("a number for {key}")));
        };
        let value = check(value, shortened(word)).map_err(|message| self.error(self.at, message))?;
        self.at += word.len();
        Ok(value)
    }

    /// A time such as `1s`, `250ms` or `1.5s`.
    pub fn time(&mut self, key: &str) -> Parsed<Duration> {
        self.skip_space();
        let word = self.word();
        let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
        let seconds = units.iter().find_map(|(unit, seconds)| {
            let number = word.strip_suffix(unit)?;
            // The standard library also reads inf and 1e3.
            let plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            number.parse::<f64>().ok().filter(|_| plain).map(|number| number * seconds)
        });
        let Some(seconds) = seconds else {
            return Err(self.expected(format!("a time such as 1s or 250ms for {key}")));
        };
        let time = Duration::from_millis((seconds * 1000.0).round() as u64);
        let time = check::time(key, time, self.found()).map_err(|message| self.error(self.at, message))?;
        self.at += word.len();
        Ok(time)
    }

    pub fn choice<T: Copy>(&mut self, key: &str, choices: &[(&str, T)]) -> Parsed<T> {
        self.skip_space();
        let word = self.word();
        let Some((_, value)) = choices.iter().find(|(name, _)| *name == word) else {
            let names: Vec<String> = choices.iter().map(|(name, _)| name.to_string()).collect();
            return Err(self.expected(format!("{} for {key}", alternatives(&names))));
        };
        self.at += word.len();
        Ok(*value)
    }

    /// A name or file for `key`, bare or in quotes; `what` describes it in messages.
    pub fn name(&mut self, key: &str, what: &str) -> Parsed<String> {
        self.skip_space();
        let start = self.at;
        if self.eat('"') {
            let name = self.rest_of_quoted(start)?;
            check::name(key, &name).map_err(|message| self.error(start, message))?;
            return Ok(name);
        }
        let word = self.word();
        if word.is_empty() {
            return Err(self.expected(format!("{what} for {key}")));
        }
        self.at += word.len();
        Ok(word.to_string())
    }

    fn rest_of_quoted(&mut self, start: usize) -> Parsed<String> {
        let mut name = String::new();
        let mut characters = self.text[self.at..].char_indices();
        while let Some((offset, character)) = characters.next() {
            match character {
                '"' => {
                    self.at += offset + 1;
                    return Ok(name);
                }
                '\\' => match characters.next() {
                    Some((_, escaped @ ('"' | '\\'))) => name.push(escaped),
                    _ => {
                        self.at += offset + 1;
                        return Err(self.expected("\\\\ for a backslash or \\\" for a quote"));
                    }
                },
                _ => name.push(character),
            }
        }
        Err(self.error(start, "expected a closing quote for this one, found the end".to_string()))
    }
}

/// The characters.
impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Self {
        Scanner { text, at: 0 }
    }

    /// Makes sure that nothing is left.
    pub fn end(&mut self) -> Parsed<()> {
        if self.peek().is_none() { Ok(()) } else { Err(self.expected("the end")) }
    }

    pub fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    pub fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.text[self.at..].chars().next()
    }

    pub fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// The next characters as long as they are wanted; the position stays.
    fn prefix(&self, wanted: fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        &rest[..rest.find(|character| !wanted(character)).unwrap_or(rest.len())]
    }

    pub fn word(&self) -> &'a str {
        self.prefix(is_bare_character)
    }

    pub fn at_number(&mut self) -> bool {
        self.peek().is_some_and(|next| next.is_ascii_digit() || next == '-')
    }

    /// Whether a word and `=` follow.
    pub fn is_option(&self) -> bool {
        self.text[self.at + self.word().len()..].trim_start().starts_with('=')
    }

    pub fn found(&self) -> String {
        match (self.word(), self.text[self.at..].chars().next()) {
            (_, None) => "the end".to_string(),
            ("", Some(character)) => quoted(character.encode_utf8(&mut [0; 4])),
            (word, _) => quoted(word),
        }
    }

    pub fn expected(&self, what: impl std::fmt::Display) -> ParseError {
        self.error(self.at, format!("expected {what}, found {}", self.found()))
    }

    pub fn error(&self, at: usize, message: String) -> ParseError {
        ParseError::new(self.text, at, message)
    }
}

/// A question to append to a message about a wrong word.
pub(crate) fn hint(nearest: Option<&str>, suffix: &str) -> String {
    nearest.map_or(String::new(), |word| format!("; did you mean {word}{suffix}?"))
}
