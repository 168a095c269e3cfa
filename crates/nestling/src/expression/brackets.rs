//! Parsing the arguments and options in brackets after a name, by its form; shared by the parsers of searches and of players.

use super::check::{self, IntegerRange};
use super::error::{alternatives, nearest};
use super::form::{Argument, DefaultValue, Form, Type};
use super::scan::{Parsed, Scanner, hint};
use super::{Value, is_bare_character};

pub(crate) const A_FILE: &str = "a file";
pub(crate) const A_POLICY: &str = "the name of a policy";

/// The arguments and options.
impl Scanner<'_> {
    /// Passes the opening bracket, which may be missing if no argument is required.
    pub fn open(&mut self, form: &Form) -> Parsed<bool> {
        let opened = self.eat('(');
        if !opened && form.arguments.iter().any(|argument| argument.default == DefaultValue::Required) {
            return Err(self.expected(format!("\"(\" after {}, as in {}", form.name, form.example)));
        }
        Ok(opened)
    }

    /// Whether the next argument is given by position. If so, it is marked as given and the comma before it is passed. An optional argument
    /// is skipped if the text there cannot be its value.
    pub fn reaches(
        &mut self,
        form: &'static Form,
        argument: &'static Argument,
        given: &mut Vec<&'static str>,
    ) -> Parsed<bool> {
        let before_comma = self.at;
        let comma = given.is_empty() || self.eat(',');
        let required = argument.default == DefaultValue::Required && form.substitute(argument.name).is_none();
        if !required && (!comma || !self.is_there(argument)) {
            self.at = before_comma;
            return Ok(false);
        }
        if !comma {
            let what = if argument.is_search() { "a search".to_owned() } else { argument.called(form) };
            return Err(self.expected(format!("\",\" and {what}")));
        }
        given.push(if matches!(argument.kind, Type::Policy) { "playout" } else { argument.name });
        Ok(true)
    }

    /// Whether the next text can be this argument.
    fn is_there(&mut self, argument: &Argument) -> bool {
        let next = self.peek();
        match argument.kind {
            Type::Integer { .. } | Type::Integers { .. } => self.at_number(),
            _ => next == Some('"') || next.is_some_and(is_bare_character) && !self.is_option(),
        }
    }

    /// Passes the name of the next option, the comma before it and the `=` after it; `None` is the closing bracket. `name` is the name of
    /// the expression, `common` are the options that every expression has.
    pub fn option(
        &mut self,
        name: &str,
        form: &'static Form,
        common: &[&'static str],
        given: &mut Vec<&'static str>,
    ) -> Parsed<Option<&'static str>> {
        if self.eat(')') {
            return Ok(None);
        }
        if !given.is_empty() && !self.eat(',') {
            return Err(self.expected("\",\" or \")\""));
        }
        self.skip_space();
        let start = self.at;
        let word = self.word();
        let allowed = || form.options.iter().map(|option| option.name).chain(common.iter().copied());
        let Some(key) = allowed().find(|option| *option == word) else {
            let names: Vec<String> = allowed().map(|option| format!("{option}=")).collect();
            let hint = hint(nearest(word, allowed()), "=");
            let (names, found) = (alternatives(&names), self.found());
            return Err(self.error(start, format!("expected an option of {name} ({names}), found {found}{hint}")));
        };
        if given.contains(&key) {
            return Err(self.error(start, format!("expected {key} only once, found it again")));
        }
        if let Some(rival) = form.rival(key).filter(|rival| given.contains(rival)) {
            return Err(self.error(start, check::both(rival, key)));
        }
        given.push(key);
        self.at += key.len();
        if !self.eat('=') {
            return Err(self.expected(format!("\"=\" after {key}")));
        }
        Ok(Some(key))
    }

    /// The value of an argument that is not a search.
    pub fn value(&mut self, form: &Form, argument: &Argument) -> Parsed<Value> {
        let name = argument.name;
        Ok(match argument.kind {
            Type::Integer { .. } => Value::Integer(self.integer(&IntegerRange::of(argument, form))?),
            Type::Integers { most } => Value::Integers(self.integers(form, argument, most)?),
            Type::Positive => Value::Number(self.number(name, |value, found| check::positive(name, value, found))?),
            Type::Share => Value::Number(self.number(name, |value, found| check::share(name, value, found))?),
            Type::Time => Value::Time(self.time(name)?),
            Type::Word(words) => {
                let choices: Vec<(&str, &'static str)> = words.iter().map(|&word| (word, word)).collect();
                Value::Word(self.choice(name, &choices)?)
            }
            Type::File | Type::Games => Value::Name(self.name(name, A_FILE)?),
            _ => Value::Name(self.name(name, &format!("the name of a {name}"))?),
        })
    }

    fn integers(&mut self, form: &Form, argument: &Argument, most: usize) -> Parsed<Vec<u64>> {
        let limit = IntegerRange::of(argument, form);
        let mut values = vec![self.integer(&limit)?];
        loop {
            let before_comma = self.at;
            if !(self.eat(',') && self.at_number()) {
                self.at = before_comma;
                return Ok(values);
            }
            if values.len() == most {
                return Err(self.error(self.at, check::too_many(argument, form, most)));
            }
            values.push(self.integer(&limit)?);
        }
    }
}
