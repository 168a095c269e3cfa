//! Parsing expressions: recursive descent straight over the characters.
//!
//! The text is read once from left to right, so the time is linear, and the depth is limited, so the stack is safe.

use std::str::FromStr;

use super::check::{self, Limit};
use super::error::{ParseError, alternatives, nearest, quoted, shortened};
use super::{Kind, Search, Ties, is_bare_character};

/// A search's name, how it is written at its simplest, and the options it has beside those of every search.
struct Form {
    name: &'static str,
    example: &'static str,
    options: &'static [&'static str],
}

const fn form(name: &'static str, example: &'static str, options: &'static [&'static str]) -> Form {
    Form { name, example, options }
}

const FORMS: [Form; 11] = [
    form("playout", "playout", &[]),
    form("repeat", "repeat(100, playout)", &[]),
    form("mean", "mean(10, playout)", &[]),
    form("step", "step(lookahead(playout))", &["memory"]),
    form("lookahead", "lookahead(playout)", &["ties"]),
    form("nested", "nested(2)", &["memory", "ties"]),
    form("reflexive", "reflexive(100, 1000)", &[]),
    form("nrpa", "nrpa(3)", &["iterations", "alpha", "warm"]),
    form("uct", "uct(10000)", &["c", "trees"]),
    form("dfs", "dfs", &[]),
    form("beam", "beam(100)", &["samples"]),
];

const ANY_SEARCH: &str = "a search such as playout, nested(2) or nrpa(3)";

impl Form {
    fn options(&self) -> impl Iterator<Item = &'static str> {
        self.options.iter().copied().chain(["playout", "weights"])
    }
}

impl FromStr for Search {
    type Err = ParseError;

    /// Reads an expression, written as [`Search`] says.
    fn from_str(text: &str) -> Result<Search, ParseError> {
        let mut parser = Parser { text, at: 0 };
        let search = parser.search(1)?;
        match parser.peek() {
            None => Ok(search),
            Some(_) => Err(parser.expected("the end")),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    /// The offset, in bytes, of the next character.
    at: usize,
}

type Parsed<T> = Result<T, ParseError>;

/// The grammar.
impl Parser<'_> {
    fn search(&mut self, depth: usize) -> Parsed<Search> {
        let form = self.search_name(depth)?;
        if !self.eat('(') {
            return match form.name {
                "playout" => Ok(Search::playout()),
                "dfs" => Ok(Search::dfs()),
                name => Err(self.expected(format!("\"(\" after {name}, as in {}", form.example))),
            };
        }
        let mut given = Vec::new();
        let mut search = match form.name {
            "playout" => self.playout(&mut given)?,
            "dfs" => Search::dfs(),
            name => self.required(name, depth)?,
        };
        let mut first = given.is_empty() && matches!(search.kind, Kind::Playout | Kind::Dfs);
        while !self.eat(')') {
            if !first && !self.eat(',') {
                return Err(self.expected("\",\" or \")\""));
            }
            first = false;
            self.option(form, &mut given, &mut search)?;
        }
        Ok(search)
    }

    fn search_name(&mut self, depth: usize) -> Parsed<&'static Form> {
        self.skip_space();
        let start = self.at;
        let word = self.word();
        if !word.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return Err(self.expected(ANY_SEARCH));
        }
        if self.is_option() {
            return Err(self.error(start, format!("expected {ANY_SEARCH}, found the option {}", quoted(word))));
        }
        if depth > check::MAX_DEPTH {
            return Err(self.error(start, check::TOO_DEEP.to_string()));
        }
        let Some(form) = FORMS.iter().find(|form| form.name == word) else {
            let names = FORMS.map(|form| form.name.to_string());
            let hint = hint(nearest(word, FORMS.iter().map(|form| form.name)), "");
            let (allowed, found) = (alternatives(&names), quoted(word));
            return Err(self.error(start, format!("expected a search ({allowed}), found {found}{hint}")));
        };
        self.at += word.len();
        Ok(form)
    }

    /// The bare policy of `playout(mobility)`, if there is one.
    fn playout(&mut self, given: &mut Vec<&'static str>) -> Parsed<Search> {
        let mut search = Search::playout();
        let next = self.peek();
        if next == Some('"') || next.is_some_and(is_bare_character) && !self.is_option() {
            search = search.policy(self.name("playout")?);
            given.push("playout");
        }
        Ok(search)
    }

    /// The arguments a search cannot do without.
    fn required(&mut self, name: &str, depth: usize) -> Parsed<Search> {
        Ok(match name {
            "repeat" if self.at_number() => {
                let times = self.integer(&check::REPEAT)?;
                self.after_comma(depth)?.repeat(times)
            }
            "repeat" => self.search(depth + 1)?.forever(),
            "mean" => {
                let times = self.integer(&check::MEAN)?;
                let start = self.at;
                let inner = self.after_comma(depth)?;
                check::end_of(&inner).map_err(|message| self.error(start, message))?;
                inner.mean(times)
            }
            "step" => {
                let start = self.at;
                let inner = self.search(depth + 1)?;
                check::moves_of(&inner).map_err(|message| self.error(start, message))?;
                inner.step()
            }
            "lookahead" => self.search(depth + 1)?.lookahead(),
            "nested" => Search::nested(self.level(&check::NESTED_LEVEL)?),
            "reflexive" => Search::reflexive(self.counts()?),
            "nrpa" => Search::nrpa(self.level(&check::NRPA_LEVEL)?),
            "uct" => Search::uct(self.integer(&check::SIMULATIONS)?),
            "beam" => Search::beam(self.integer(&check::WIDTH)?),
            _ => unreachable!("every form is handled"),
        })
    }

    fn after_comma(&mut self, depth: usize) -> Parsed<Search> {
        if self.eat(',') { self.search(depth + 1) } else { Err(self.expected("\",\" and a search")) }
    }

    fn level(&mut self, limit: &Limit) -> Parsed<u32> {
        Ok(u32::try_from(self.integer(limit)?).expect("the limit is below"))
    }

    fn counts(&mut self) -> Parsed<Vec<u64>> {
        let mut counts = vec![self.integer(&check::REFLEXIVE)?];
        loop {
            let before_comma = self.at;
            if !(self.eat(',') && self.at_number()) {
                self.at = before_comma;
                return Ok(counts);
            }
            if counts.len() == check::MAX_COUNTS {
                return Err(self.error(self.at, check::TOO_MANY_COUNTS.to_string()));
            }
            counts.push(self.integer(&check::REFLEXIVE)?);
        }
    }

    fn option(&mut self, form: &Form, given: &mut Vec<&'static str>, search: &mut Search) -> Parsed<()> {
        self.skip_space();
        let start = self.at;
        let word = self.word();
        let Some(key) = form.options().find(|option| *option == word) else {
            let allowed: Vec<String> = form.options().map(|option| format!("{option}=")).collect();
            let hint = hint(nearest(word, form.options()), "=");
            let (name, allowed, found) = (form.name, alternatives(&allowed), self.found());
            return Err(self.error(start, format!("expected an option of {name} ({allowed}), found {found}{hint}")));
        };
        if given.contains(&key) {
            return Err(self.error(start, format!("expected {key} only once, found it again")));
        }
        given.push(key);
        self.at += key.len();
        if !self.eat('=') {
            return Err(self.expected(format!("\"=\" after {key}")));
        }
        match (key, &mut search.kind) {
            ("playout", _) => search.games.policy = Some(self.name(key)?),
            ("weights", _) => search.games.weights = Some(self.name(key)?),
            ("warm", Kind::Nrpa { warm, .. }) => *warm = Some(self.name(key)?),
            ("memory", Kind::Step { memory, .. } | Kind::Nested { memory, .. }) => {
                *memory = self.choice(key, &[("on", true), ("off", false)])?;
            }
            ("ties", Kind::Lookahead { ties, .. } | Kind::Nested { ties, .. }) => {
                *ties = self.choice(key, &[Ties::First, Ties::Random, Ties::Last].map(|ties| (ties.name(), ties)))?;
            }
            ("iterations", Kind::Nrpa { iterations, .. }) => *iterations = self.integer(&check::ITERATIONS)?,
            ("alpha", Kind::Nrpa { alpha, .. }) => *alpha = self.positive(key)?,
            ("c", Kind::Uct { c, .. }) => *c = self.positive(key)?,
            ("trees", Kind::Uct { trees, .. }) => *trees = self.integer(&check::TREES)?,
            ("samples", Kind::Beam { samples, .. }) => *samples = self.integer(&check::SAMPLES)?,
            _ => unreachable!("every option of every form is handled"),
        }
        Ok(())
    }
}

/// The values.
impl Parser<'_> {
    fn integer(&mut self, limit: &Limit) -> Parsed<u64> {
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

    fn positive(&mut self, key: &str) -> Parsed<f64> {
        self.skip_space();
        let word = self.prefix(|character| is_bare_character(character) || character == '+');
        let Ok(value) = word.replace('_', "").parse() else {
            return Err(self.expected(format!("a number for {key}")));
        };
        let value = check::positive(key, value, shortened(word)).map_err(|message| self.error(self.at, message))?;
        self.at += word.len();
        Ok(value)
    }

    fn choice<T: Copy>(&mut self, key: &str, choices: &[(&str, T)]) -> Parsed<T> {
        self.skip_space();
        let word = self.word();
        let Some((_, value)) = choices.iter().find(|(name, _)| *name == word) else {
            let names: Vec<String> = choices.iter().map(|(name, _)| name.to_string()).collect();
            return Err(self.expected(format!("{} for {key}", alternatives(&names))));
        };
        self.at += word.len();
        Ok(*value)
    }

    /// A name or file, bare or in quotes.
    fn name(&mut self, key: &str) -> Parsed<String> {
        self.skip_space();
        let start = self.at;
        if self.eat('"') {
            let name = self.rest_of_quoted(start)?;
            check::name(key, &name).map_err(|message| self.error(start, message))?;
            return Ok(name);
        }
        let word = self.word();
        if word.is_empty() {
            let what = if key == "playout" { "the name of a policy" } else { "a file" };
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
impl<'a> Parser<'a> {
    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// What comes next as far as its characters are wanted; it is not passed over.
    fn prefix(&self, wanted: fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        &rest[..rest.find(|character| !wanted(character)).unwrap_or(rest.len())]
    }

    fn word(&self) -> &'a str {
        self.prefix(is_bare_character)
    }

    fn at_number(&mut self) -> bool {
        self.peek().is_some_and(|next| next.is_ascii_digit() || next == '-')
    }

    /// Whether a word and `=` come next.
    fn is_option(&self) -> bool {
        self.text[self.at + self.word().len()..].trim_start().starts_with('=')
    }

    fn found(&self) -> String {
        match (self.word(), self.text[self.at..].chars().next()) {
            (_, None) => "the end".to_string(),
            ("", Some(character)) => quoted(character.encode_utf8(&mut [0; 4])),
            (word, _) => quoted(word),
        }
    }

    fn expected(&self, what: impl std::fmt::Display) -> ParseError {
        self.error(self.at, format!("expected {what}, found {}", self.found()))
    }

    fn error(&self, at: usize, message: String) -> ParseError {
        ParseError::new(self.text, at, message)
    }
}

fn hint(nearest: Option<&str>, suffix: &str) -> String {
    nearest.map_or(String::new(), |word| format!("; did you mean {word}{suffix}?"))
}
