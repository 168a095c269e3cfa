//! Parsing expressions: recursive descent straight over the characters.
//!
//! The text is read once from left to right, so the time is linear, and the depth is limited, so the stack is safe.

use std::str::FromStr;

use super::check::{self, Limit};
use super::error::{ParseError, alternatives, nearest, quoted};
use super::scan::{Parsed, Scanner, hint};
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
    form("nrpa", "nrpa(3)", &["iterations", "alpha", "tries", "warm"]),
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
        let mut scanner = Scanner::new(text);
        let search = scanner.search(1)?;
        scanner.end()?;
        Ok(search)
    }
}

/// The grammar.
impl Scanner<'_> {
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
            ("tries", Kind::Nrpa { tries, .. }) => *tries = self.integer(&check::TRIES)?,
            ("c", Kind::Uct { c, .. }) => *c = self.positive(key)?,
            ("trees", Kind::Uct { trees, .. }) => *trees = self.integer(&check::TREES)?,
            ("samples", Kind::Beam { samples, .. }) => *samples = self.integer(&check::SAMPLES)?,
            _ => unreachable!("every option of every form is handled"),
        }
        Ok(())
    }
}
