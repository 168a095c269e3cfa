//! The values of arguments, and the methods with which algorithms and players read theirs.

use std::time::Duration;

use super::form::{Argument, DefaultValue, Type};

/// The value of an argument of a search or a player.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Left out without a default; or a search, which is in [`Search::inner`](crate::Search::inner).
    Absent,
    /// A whole number.
    Integer(u64),
    /// Several of them.
    Integers(Vec<u64>),
    /// A number.
    Number(f64),
    /// One of the words that the form allows.
    Word(&'static str),
    /// A name or a file.
    Name(String),
    /// A time, in whole milliseconds.
    Time(Duration),
}

macro_rules! value_from {
    ($($from:ty => $make:expr),* $(,)?) => {
        $(impl From<$from> for Value {
            fn from(value: $from) -> Self {
                #[allow(clippy::redundant_closure_call)]
                ($make)(value)
            }
        })*
    };
}

value_from! {
    u64 => Value::Integer,
    u32 => |value: u32| Value::Integer(value.into()),
    Vec<u64> => Value::Integers,
    f64 => Value::Number,
    bool => |value: bool| Value::Word(if value { "on" } else { "off" }),
    &'static str => Value::Word,
    String => Value::Name,
    Duration => |value: Duration| {
        Value::Time(Duration::from_millis(u64::try_from(value.as_millis()).unwrap_or(u64::MAX)))
    },
}

impl Value {
    pub(crate) fn default_of(argument: &Argument) -> Value {
        match argument.default {
            DefaultValue::Required | DefaultValue::Absent => Value::Absent,
            DefaultValue::Integer(value) => Value::Integer(value),
            DefaultValue::Number(value) => Value::Number(value),
            DefaultValue::Word(word) => Value::Word(word),
        }
    }

    /// Converts the value to this type: a word in a program may be meant as a name or a file.
    pub(crate) fn suited_to(self, kind: Type) -> Value {
        match (kind, self) {
            (Type::Name | Type::File | Type::Games, Value::Word(word)) => Value::Name(word.to_owned()),
            (_, value) => value,
        }
    }
}

/// The values of an expression by the names of their arguments: methods that searches and players share. The type needs `values`, one for
/// each argument and option of its `form()`, and a `name()`.
macro_rules! values_by_name {
    ($expression:ty) => {
        /// Options.
        impl $expression {
            /// The same with another value for an argument or option.
            ///
            /// # Panics
            ///
            /// With "NAME has no option OPTION" when there is none of that name.
            #[must_use]
            #[track_caller]
            pub fn with(mut self, name: &str, value: impl Into<$crate::expression::Value>) -> Self {
                match self.argument(name) {
                    Some((place, argument)) => self.values[place] = value.into().suited_to(argument.kind),
                    None => panic!("{} has no option {name}", self.name()),
                }
                self
            }

            fn argument(&self, name: &str) -> Option<(usize, &'static $crate::expression::form::Argument)> {
                self.form().all().enumerate().find(|(_, argument)| argument.name == name && !argument.is_search())
            }
        }

        /// Values by name. To ask for a name that the form does not have, or for the wrong type, is an error in the algorithm.
        ///
        /// # Panics
        ///
        /// In that case, with the name; and if a required value is missing, which `check` refuses.
        impl $expression {
            /// The value of an argument.
            #[track_caller]
            pub fn value(&self, name: &str) -> &$crate::expression::Value {
                match self.argument(name) {
                    Some((place, _)) => &self.values[place],
                    None => panic!("{} has no argument {name}", self.name()),
                }
            }

            /// A whole number.
            #[track_caller]
            pub fn integer(&self, name: &str) -> u64 {
                self.optional_integer(name).unwrap_or_else(|| panic!("{} lacks its {name}", self.name()))
            }

            /// A whole number that may be left out.
            #[track_caller]
            pub fn optional_integer(&self, name: &str) -> Option<u64> {
                match self.value(name) {
                    Value::Integer(value) => Some(*value),
                    Value::Absent => None,
                    other => panic!("{name} of {} is {other:?}", self.name()),
                }
            }

            /// Several whole numbers.
            #[track_caller]
            pub fn integers(&self, name: &str) -> &[u64] {
                match self.value(name) {
                    Value::Integers(values) => values,
                    other => panic!("{name} of {} is {other:?}", self.name()),
                }
            }

            /// A number.
            #[track_caller]
            pub fn number(&self, name: &str) -> f64 {
                self.optional_number(name).unwrap_or_else(|| panic!("{} lacks its {name}", self.name()))
            }

            /// A number that may be left out.
            #[track_caller]
            pub fn optional_number(&self, name: &str) -> Option<f64> {
                match self.value(name) {
                    Value::Number(value) => Some(*value),
                    Value::Absent => None,
                    other => panic!("{name} of {} is {other:?}", self.name()),
                }
            }

            /// One of the words that the form allows.
            #[track_caller]
            pub fn word(&self, name: &str) -> &'static str {
                match self.value(name) {
                    Value::Word(word) => word,
                    other => panic!("{name} of {} is {other:?}", self.name()),
                }
            }

            /// Whether a switch is on.
            #[track_caller]
            pub fn is_on(&self, name: &str) -> bool {
                self.word(name) == "on"
            }

            /// A file, if one is given.
            #[track_caller]
            pub fn file(&self, name: &str) -> Option<&str> {
                self.name_of(name)
            }

            /// The name of something, if one is given.
            #[track_caller]
            pub fn name_of(&self, name: &str) -> Option<&str> {
                match self.value(name) {
                    Value::Name(name) => Some(name),
                    Value::Absent => None,
                    other => panic!("{name} of {} is {other:?}", self.name()),
                }
            }

            /// A time, if one is given.
            #[track_caller]
            pub fn time(&self, name: &str) -> Option<std::time::Duration> {
                match self.value(name) {
                    Value::Time(time) => Some(*time),
                    Value::Absent => None,
                    other => panic!("{name} of {} is {other:?}", self.name()),
                }
            }
        }
    };
}

pub(crate) use values_by_name;
