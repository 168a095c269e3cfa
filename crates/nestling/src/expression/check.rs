//! The limits of arguments and options, with the same messages for parsed text and for expressions built in Rust.

use std::fmt::Display;
use std::time::Duration;

use super::form::{Argument, DefaultValue, Form, Type};
use super::{Search, Value};

/// Why a search cannot be run on any problem. From [`Search::check`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct InvalidSearch {
    /// One line that names the cause, such as `the level of nested must be at most 32, found 40`.
    pub message: String,
}

/// How deep searches may be nested: far more than is useful, and safe for recursion on any stack.
pub(crate) const MAX_DEPTH: usize = 64;
pub(super) const TOO_DEEP: &str = "expected searches nested at most 64 deep, found a deeper one";

/// The range of a whole number and its name in messages.
pub(crate) struct IntegerRange {
    pub what: String,
    pub least: u64,
    pub most: u64,
    pub remedy: &'static str,
}

impl IntegerRange {
    pub fn new(what: impl Into<String>, least: u64, most: u64) -> IntegerRange {
        IntegerRange { what: what.into(), least, most, remedy: "" }
    }

    /// The limit of an argument that is a whole number or a list of them.
    pub(super) fn of(argument: &Argument, form: &Form) -> IntegerRange {
        let (least, most) = match argument.kind {
            Type::Integer { least, most } => (least, most),
            _ => (1, u64::MAX),
        };
        IntegerRange { what: argument.called(form), least, most, remedy: argument.remedy }
    }

    /// The value, or a message; `None` is a number larger than `u64`, `found` is how to show it.
    pub fn check(&self, value: Option<u64>, found: impl Display) -> Result<u64, String> {
        let IntegerRange { what, least, most, remedy } = self;
        match value {
            Some(value) if value < *least => Err(format!("{what} must be at least {least}, found {found}")),
            Some(value) if value <= *most => Ok(value),
            _ if remedy.is_empty() => Err(format!("{what} must be at most {most}, found {found}")),
            _ => Err(format!("{what} must be at most {most}, found {found} ({remedy})")),
        }
    }
}

/// The value of a constant, or a message if it is not a finite number above 0.
pub(crate) fn positive(what: &str, value: f64, found: impl Display) -> Result<f64, String> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(format!("{what} must be a finite number above 0, found {found}"))
    }
}

/// The value, or a message if it is not a number from 0 to 1.
pub(crate) fn share(what: &str, value: f64, found: impl Display) -> Result<f64, String> {
    match value {
        0.0..=1.0 => Ok(value),
        _ => Err(format!("{what} must be a number from 0 to 1, found {found}")),
    }
}

/// The value, or a message if it is not a valid time.
pub(crate) fn time(what: &str, value: Duration, found: impl Display) -> Result<Duration, String> {
    match value.as_millis() {
        1..=86_400_000 => Ok(value),
        _ => Err(format!("{what} must lie between 1ms and 24h, found {found}")),
    }
}

/// The message for two arguments that replace each other and were both given.
pub(crate) fn both(one: &str, other: &str) -> String {
    format!("expected {one} or {other}, found both")
}

/// Control characters are refused so that a printed expression is always one harmless line.
pub(crate) fn name(what: &str, name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err(format!("{what} must not be empty"));
    }
    match name.chars().find(|character| character.is_control()) {
        Some(control) => Err(format!("{what} must not contain control characters, found {control:?}")),
        None => Ok(()),
    }
}

/// Whether a search can be an argument of the form `outer`; a message if not.
pub(super) fn inside(outer: &Form, argument: &Argument, inner: &Search) -> Result<(), String> {
    let (game, ends) = match argument.kind {
        Type::Search { game, ends } => (game, ends),
        _ => (true, false),
    };
    let culprit = |is_so: fn(&Search) -> bool| inner.parts().filter(|part| is_so(part)).last().map(Search::form);
    if let Some(form) = culprit(Search::is_estimate).filter(|_| game && inner.is_estimate()) {
        let (outer, found, usage) = (outer.name, form.name, form.usage());
        return Err(format!(
            "{outer} needs a search that returns moves, found {found}; write step(lookahead({usage}))"
        ));
    }
    if let Some(form) = culprit(Search::is_endless).filter(|_| ends && inner.is_endless()) {
        let missing = form.arguments.iter().find(|argument| argument.default == DefaultValue::Absent);
        let without = missing.map_or(String::new(), |argument| format!(" without a {}", argument.name));
        let (outer, found, usage) = (outer.name, form.name, form.usage());
        return Err(format!("{outer} needs a search that ends, found {found}{without}; write {usage}"));
    }
    Ok(())
}

pub(super) fn too_many(argument: &Argument, form: &Form, most: usize) -> String {
    let plural = if argument.name.ends_with('s') { "" } else { "s" };
    format!("expected at most {most} {}{plural} of {}, found more", argument.name, form.name)
}

/// Small numbers in words.
pub(super) fn in_words(number: usize) -> String {
    ["none", "one", "two", "three", "four"].get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

impl Search {
    /// Checks what can be checked without a problem: ranges of numbers, names that can be written, the depth. A parsed
    /// search has passed; this is for one built in Rust.
    ///
    /// ```
    /// use nestling::Search;
    /// assert!(Search::nested(3).check().is_ok());
    /// let error = Search::nested(40).check().unwrap_err();
    /// assert_eq!(error.to_string(), "the level of nested must be at most 32, found 40");
    /// ```
    ///
    /// # Errors
    ///
    /// The first error found: the values of a search, then the searches inside it, then whether they are allowed there.
    pub fn check(&self) -> Result<(), InvalidSearch> {
        self.check_within(MAX_DEPTH).map_err(|message| InvalidSearch { message })
    }

    fn check_within(&self, depth: usize) -> Result<(), String> {
        let below = depth.checked_sub(1).ok_or_else(|| TOO_DEEP.to_string())?;
        let form = self.form();
        values(form, &self.values)?;
        self.games.policy.as_deref().map_or(Ok(()), |policy| name("playout", policy))?;
        self.games.weights.as_deref().map_or(Ok(()), |file| name("weights", file))?;
        // The meaning of a search, and so whether it is allowed inside another, is defined only if its values are valid.
        self.inner().iter().try_for_each(|search| search.check_within(below))?;
        self.check_searches(form)?;
        (1..MAX_DEPTH).try_fold(self.clone(), |search, _| search.meaning()).map_or(Ok(()), |_| Err(TOO_DEEP.to_owned()))
    }

    /// Whether the number and the kinds of the searches inside are those of the form.
    fn check_searches(&self, form: &Form) -> Result<(), String> {
        let mut left = self.inner.as_slice();
        for argument in form.all().filter(|argument| argument.is_search()) {
            let (least, most) = match argument.kind {
                Type::Searches { least, most } => (least, most),
                _ => (usize::from(argument.default == DefaultValue::Required), 1),
            };
            if left.len() < least {
                let (least, plural) = (in_words(least), if least == 1 { "" } else { "es" });
                return Err(format!("expected at least {least} search{plural} of {}, found fewer", form.name));
            }
            let count = if matches!(argument.kind, Type::Search { .. }) { left.len().min(1) } else { left.len() };
            if count > most {
                return Err(too_many(argument, form, most));
            }
            let (these, others) = left.split_at(count);
            these.iter().try_for_each(|search| inside(form, argument, search))?;
            left = others;
        }
        if left.is_empty() { Ok(()) } else { Err(format!("{} takes no further search, found {}", form.name, left[0])) }
    }
}

/// Checks the values of an expression, one for each argument and option of its form: each value, and those that exclude each other.
pub(crate) fn values(form: &Form, values: &[Value]) -> Result<(), String> {
    let is_given = |name: &str| {
        form.all().zip(values).any(|(argument, value)| argument.name == name && *value != Value::default_of(argument))
    };
    for (argument, value) in form.all().zip(values) {
        match form.substitute(argument.name) {
            Some(other) if is_given(other.name) && is_given(argument.name) => {
                return Err(both(argument.name, other.name));
            }
            Some(other) if is_given(other.name) => {}
            Some(other) if argument.default == DefaultValue::Required && *value == Value::Absent => {
                return Err(needs_one_of(form, argument, other));
            }
            _ => check_value(form, argument, value)?,
        }
    }
    Ok(())
}

/// The message if neither a required argument nor the option that replaces it is given.
fn needs_one_of(form: &Form, argument: &Argument, other: &Argument) -> String {
    let (name, one, other, example) = (form.name, argument.name, other.name, other.example());
    format!("{name} needs {one} or a {other}, as in {} or {name}({other}={example})", form.example)
}

fn check_value(form: &Form, argument: &Argument, value: &Value) -> Result<(), String> {
    let number = |value: u64| IntegerRange::of(argument, form).check(Some(value), value).map(drop);
    match (argument.kind, value) {
        (Type::Integer { .. }, Value::Integer(value)) => number(*value),
        (Type::Positive, Value::Number(value)) => positive(argument.name, *value, value).map(drop),
        (Type::Share, Value::Number(value)) => share(argument.name, *value, value).map(drop),
        (Type::Time, Value::Time(value)) => time(argument.name, *value, format_args!("{value:?}")).map(drop),
        (Type::Word(words), Value::Word(word)) if words.contains(word) => Ok(()),
        (Type::File | Type::Games | Type::Name, Value::Name(file)) => name(argument.name, file),
        (Type::Integers { most }, Value::Integers(values)) => {
            if values.is_empty() {
                return Err(format!("expected at least one {} of {}, found none", argument.name, form.name));
            }
            if values.len() > most {
                return Err(too_many(argument, form, most));
            }
            values.iter().try_for_each(|&value| number(value))
        }
        (Type::Policy | Type::Search { .. } | Type::Searches { .. }, Value::Absent) => Ok(()),
        (_, Value::Absent) if argument.default != DefaultValue::Required => Ok(()),
        (_, Value::Absent) => Err(format!("expected {}, found nothing", argument.called(form))),
        (_, other) => Err(format!("{} cannot be {other:?}", argument.called(form))),
    }
}
