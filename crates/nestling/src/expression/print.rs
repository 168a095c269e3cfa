//! Printing expressions: one canonical text for each search, which parses back to the same.

use std::fmt::{Display, Formatter, Result};

use super::form::{Argument, Form, Type};
use super::{Search, Value, is_bare};

impl Display for Search {
    /// The canonical text: options only where they differ from the default, in a fixed order, `playout=` and `weights=`
    /// last. For every search that passes [`Search::check`] it parses back to an equal one.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        let form = self.form();
        formatter.write_str(form.name)?;
        let mut arguments = Arguments::new(formatter);
        let (mut policy, mut inner) = (self.games.policy.as_deref(), self.inner.as_slice());
        for (argument, value) in form.arguments.iter().zip(&self.values) {
            match argument.kind {
                Type::Policy => policy.take().map_or(Ok(()), |policy| arguments.positional(Name(policy)))?,
                Type::Search { .. } | Type::Searches { .. } => {
                    let count = if matches!(argument.kind, Type::Search { .. }) { 1 } else { inner.len() };
                    let (these, others) = inner.split_at(count.min(inner.len()));
                    these.iter().try_for_each(|search| arguments.positional(search))?;
                    inner = others;
                }
                _ => arguments.value(None, value)?,
            }
        }
        arguments.options(form, &self.values)?;
        let options = form.options.iter().filter(|option| option.is_search());
        options.zip(inner).try_for_each(|(option, search)| arguments.option(option.name, search))?;
        if let Some(policy) = policy {
            arguments.option("playout", Name(policy))?;
        }
        if let Some(weights) = &self.games.weights {
            arguments.option("weights", Name(weights))?;
        }
        arguments.close()
    }
}

/// The arguments and options in brackets; the brackets are left out if they are empty.
pub(crate) struct Arguments<'a, 'b> {
    formatter: &'a mut Formatter<'b>,
    any: bool,
}

impl Arguments<'_, '_> {
    /// The options of a form that differ from their defaults; `values` begins with those of the arguments.
    pub fn options(&mut self, form: &Form, values: &[Value]) -> Result {
        let options = form.options.iter().zip(&values[form.arguments.len()..]);
        let mut changed = options.filter(|(option, value)| **value != Value::default_of(option));
        changed.try_for_each(|(option, value)| self.value(Some(option), value))
    }

    /// The value of an argument, or that of an option after its name; nothing if there is no value.
    pub fn value(&mut self, option: Option<&Argument>, value: &Value) -> Result {
        match value {
            Value::Absent => Ok(()),
            Value::Integer(value) => self.named(option, value),
            Value::Integers(values) => {
                let texts: Vec<String> = values.iter().map(u64::to_string).collect();
                self.named(option, texts.join(", "))
            }
            Value::Number(value) => self.named(option, Number(*value)),
            Value::Word(word) => self.named(option, word),
            Value::Name(name) => self.named(option, Name(name)),
            Value::Time(time) if time.subsec_millis() == 0 => self.named(option, format_args!("{}s", time.as_secs())),
            Value::Time(time) => self.named(option, format_args!("{}ms", time.as_millis())),
        }
    }

    fn named(&mut self, option: Option<&Argument>, value: impl Display) -> Result {
        match option {
            Some(option) => self.option(option.name, value),
            None => self.positional(value),
        }
    }
}

impl<'a, 'b> Arguments<'a, 'b> {
    pub fn new(formatter: &'a mut Formatter<'b>) -> Self {
        Arguments { formatter, any: false }
    }

    pub fn option(&mut self, key: &str, value: impl Display) -> Result {
        self.positional(format_args!("{key}={value}"))
    }

    pub fn positional(&mut self, value: impl Display) -> Result {
        self.formatter.write_str(if self.any { ", " } else { "(" })?;
        self.any = true;
        write!(self.formatter, "{value}")
    }

    pub fn close(self) -> Result {
        self.formatter.write_str(if self.any { ")" } else { "" })
    }
}

/// A name or file, in quotes where it needs them.
struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        if is_bare(self.0) {
            return formatter.write_str(self.0);
        }
        write!(formatter, "\"{}\"", self.0.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

/// The shortest decimal that reads back as the same number.
struct Number(f64);

impl Display for Number {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        // Without an exponent 1e300 would take 301 digits.
        if self.0 == 0.0 || (1e-5..1e16).contains(&self.0) {
            write!(formatter, "{}", self.0)
        } else {
            write!(formatter, "{:e}", self.0)
        }
    }
}
