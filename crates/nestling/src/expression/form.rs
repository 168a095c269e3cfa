//! How a search or a player is written: its name, its arguments and its options, with their types, ranges, defaults and help.

use std::any::TypeId;

use super::Search;

/// The form of a search, or of a [player](crate::duel::PlayerKind), with which expressions are read, printed and checked, and help and
/// menus are written.
///
/// ```
/// use nestling::search::{Argument, Form};
/// const FORM: Form = Form {
///     name: "anneal",
///     example: "anneal(1000)",
///     about: "changes the ending of its game, and accepts worse games too while it is hot",
///     arguments: &[Argument::integer("steps", 1, u64::MAX).symbol("n")],
///     options: &[Argument::positive("heat").default_number(1.0).about("the loss that is accepted with probability 1/e at first")],
///     ..Form::EMPTY
/// };
/// assert_eq!(FORM.usage(), "anneal(n)");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The name it is written with: ASCII letters, digits and `_`.
    pub name: &'static str,
    /// The simplest way to write it.
    pub example: &'static str,
    /// A description: a sentence without its subject and its full stop.
    pub about: &'static str,
    /// The arguments in brackets, in this order.
    pub arguments: &'static [Argument],
    /// The options that may follow as `name=value`, in any order; at most one of them is a search. Every search also has `playout=` and
    /// `weights=`, every player `from=` and `before=`.
    pub options: &'static [Argument],
    /// Its entry in the app's menu; none if it is only useful around other searches.
    pub menu: Option<Menu>,
}

/// A search in a menu, and the choices for its first argument.
#[derive(Clone, Copy, Debug)]
pub struct Menu {
    /// The name people choose it by.
    pub title: &'static str,
    /// A description: a sentence for people who do not know the search.
    pub about: &'static str,
    /// The label of the choice.
    pub choice: &'static str,
    /// The choices, as they are written in an expression.
    pub choices: &'static [&'static str],
    /// The preselected choice.
    pub usual: &'static str,
}

/// An argument or an option.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Its name: in an option, in messages, and for programs.
    pub name: &'static str,
    /// Its symbol, usually one letter, in a [usage](Form::usage).
    pub symbol: &'static str,
    /// Its meaning, in a few words.
    pub about: &'static str,
    /// The type of its value.
    pub kind: Type,
    /// Its value if it is left out.
    pub default: DefaultValue,
    /// The remedy if the number is out of range, as in "use repeat(k, uct(n))".
    pub remedy: &'static str,
    /// The name of the argument that this option replaces; empty if there is none.
    pub instead_of: &'static str,
}

/// The type of an argument.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// A whole number from `least` to `most`.
    Integer {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// One or several whole numbers of at least 1, up to this many.
    Integers {
        /// How many at most.
        most: usize,
    },
    /// A finite number above 0.
    Positive,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A number from 0 to 1.
    Share,
    /// A time such as `1s` or `250ms`, up to a day.
    Time,
    /// The name of something that the game or the problem has.
    Name,
    /// The name of a file: weights for a search, games for a player.
    File,
    /// The name of a file of games, for a search.
    Games,
    /// The name of a playout policy: `playout=NAME` without the `playout=`.
    Policy,
    /// Another search.
    Search {
        /// Whether it must return a game, not an estimate.
        game: bool,
        /// Whether it must end without a budget.
        ends: bool,
    },
    /// Several searches that return games.
    Searches {
        /// How many at least.
        least: usize,
        /// How many at most.
        most: usize,
    },
}

/// The value of an argument that is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DefaultValue {
    /// It cannot be left out.
    Required,
    /// No value.
    Absent,
    /// A whole number.
    Integer(u64),
    /// A number.
    Number(f64),
    /// A word.
    Word(&'static str),
}

impl Form {
    /// An empty form, for the fields that a form leaves out.
    pub const EMPTY: Form = Form { name: "", example: "", about: "", arguments: &[], options: &[], menu: None };

    /// The arguments and then the options.
    pub fn all(&self) -> impl Iterator<Item = &'static Argument> {
        self.arguments.iter().chain(self.options)
    }

    /// How it is written, arguments by their symbols.
    ///
    /// ```
    /// use nestling::Search;
    /// assert_eq!(Search::playout().repeat(3).form().usage(), "repeat(n, s)");
    /// assert_eq!(Search::reflexive([1]).form().usage(), "reflexive(n1, n2, …)");
    /// ```
    pub fn usage(&self) -> String {
        let written = |argument: &&Argument| !matches!(argument.kind, Type::Policy);
        let arguments: Vec<String> = self.arguments.iter().filter(written).map(Argument::usage).collect();
        if arguments.is_empty() { self.name.to_owned() } else { format!("{}({})", self.name, arguments.join(", ")) }
    }

    /// An option, and its index in [`all`](Form::all).
    pub(crate) fn place_of_option(&self, name: &str) -> Option<(usize, &'static Argument)> {
        self.all().enumerate().skip(self.arguments.len()).find(|(_, option)| option.name == name)
    }

    /// The option that replaces an argument.
    pub(crate) fn substitute(&self, name: &str) -> Option<&'static Argument> {
        self.all().find(|argument| argument.instead_of == name)
    }

    /// The argument that cannot be combined with this one: the one it replaces, or the one that replaces it.
    pub(crate) fn rival(&self, name: &str) -> Option<&'static str> {
        let own = self.all().find(|argument| argument.name == name && !argument.instead_of.is_empty());
        own.map(|argument| argument.instead_of).or_else(|| self.substitute(name).map(|argument| argument.name))
    }

    /// Whether it has searches as arguments. A search that takes another search only as an option plays games itself.
    pub(crate) fn takes_searches(&self) -> bool {
        self.arguments.iter().any(|argument| argument.is_search())
    }
}

/// Arguments of each type; all are required until a default is given.
impl Argument {
    /// A whole number.
    pub const fn integer(name: &'static str, least: u64, most: u64) -> Self {
        Argument::of(name, Type::Integer { least, most })
    }

    /// A finite number above 0.
    pub const fn positive(name: &'static str) -> Self {
        Argument::of(name, Type::Positive)
    }

    /// `on` or `off`.
    pub const fn switch(name: &'static str, default: bool) -> Self {
        Argument::of(name, Type::Word(&["on", "off"])).default_word(if default { "on" } else { "off" })
    }

    /// One of some words; the first one is the default.
    pub const fn word(name: &'static str, words: &'static [&'static str]) -> Self {
        Argument::of(name, Type::Word(words)).default_word(words[0])
    }

    /// A number from 0 to 1.
    pub const fn share(name: &'static str) -> Self {
        Argument::of(name, Type::Share)
    }

    /// A time.
    pub const fn time(name: &'static str) -> Self {
        Argument::of(name, Type::Time)
    }

    /// A file, which may be left out.
    pub const fn file(name: &'static str) -> Self {
        Argument::of(name, Type::File).optional()
    }

    /// A file of games.
    pub const fn games(name: &'static str) -> Self {
        Argument::of(name, Type::Games)
    }

    /// Another search.
    pub const fn search(name: &'static str) -> Self {
        Argument::of(name, Type::Search { game: false, ends: false }).symbol("s")
    }

    /// An argument of any type.
    pub const fn of(name: &'static str, kind: Type) -> Self {
        Argument { name, symbol: name, about: "", kind, default: DefaultValue::Required, remedy: "", instead_of: "" }
    }
}

/// Further properties of an argument.
impl Argument {
    /// Sets the meaning.
    #[must_use]
    pub const fn about(self, about: &'static str) -> Self {
        Argument { about, ..self }
    }

    /// Sets the symbol in a usage.
    #[must_use]
    pub const fn symbol(self, symbol: &'static str) -> Self {
        Argument { symbol, ..self }
    }

    /// Sets what to do instead if the number is out of range.
    #[must_use]
    pub const fn remedy(self, remedy: &'static str) -> Self {
        Argument { remedy, ..self }
    }

    /// It replaces another argument: only one of the two can be given. A required argument may then be left out.
    ///
    /// ```
    /// use nestling::duel::Strategy;
    /// assert!("uct(1000)".parse::<Strategy>().is_ok());
    /// assert!("uct(time=1s)".parse::<Strategy>().is_ok());
    /// let error = "uct(1000, time=1s)".parse::<Strategy>().unwrap_err();
    /// assert_eq!(error.message, "expected simulations or time, found both");
    /// ```
    #[must_use]
    pub const fn instead_of(self, other: &'static str) -> Self {
        Argument { default: DefaultValue::Absent, instead_of: other, ..self }
    }

    /// It may be left out, and then has no value.
    #[must_use]
    pub const fn optional(self) -> Self {
        Argument { default: DefaultValue::Absent, ..self }
    }

    /// It may be left out, and is then this whole number.
    #[must_use]
    pub const fn default_integer(self, value: u64) -> Self {
        Argument { default: DefaultValue::Integer(value), ..self }
    }

    /// It may be left out, and is then this number.
    #[must_use]
    pub const fn default_number(self, value: f64) -> Self {
        Argument { default: DefaultValue::Number(value), ..self }
    }

    const fn default_word(self, value: &'static str) -> Self {
        Argument { default: DefaultValue::Word(value), ..self }
    }

    /// How it is written as an option, with its default or its possible values.
    ///
    /// ```
    /// use nestling::search::{Algorithm, Nested, Nrpa};
    /// let written = |options: &[nestling::search::Argument]| -> Vec<String> {
    ///     options.iter().map(|option| option.as_option()).collect()
    /// };
    /// assert_eq!(written(&Nrpa::FORM.options[..4]), ["iterations=100", "alpha=1", "tries=1", "warm=FILE"]);
    /// assert_eq!(written(Nested::FORM.options), ["memory=on|off", "ties=first|random|last"]);
    /// ```
    pub fn as_option(&self) -> String {
        let value = match (self.default, self.kind) {
            (DefaultValue::Word(default), Type::Word(words)) => {
                let others = words.iter().copied().filter(|word| *word != default);
                std::iter::once(default).chain(others).collect::<Vec<_>>().join("|")
            }
            (DefaultValue::Integer(value), _) => value.to_string(),
            (DefaultValue::Number(value), _) => value.to_string(),
            (_, Type::File | Type::Games) => "FILE".to_owned(),
            (_, Type::Time) => "TIME".to_owned(),
            (_, Type::Policy | Type::Name) => "NAME".to_owned(),
            (_, Type::Search { .. }) => "SEARCH".to_owned(),
            _ => "N".to_owned(),
        };
        format!("{}={value}", self.name)
    }

    pub(crate) fn is_search(&self) -> bool {
        matches!(self.kind, Type::Search { .. } | Type::Searches { .. })
    }

    /// Its name in messages.
    pub(crate) fn called(&self, form: &Form) -> String {
        let positional = form.arguments.iter().any(|argument| argument.name == self.name);
        match self.kind {
            Type::Integers { .. } => format!("a {} of {}", self.name, form.name),
            Type::Integer { .. } if positional => format!("the {} of {}", self.name, form.name),
            Type::Integer { .. } if form.options.iter().any(|option| option.name == self.name) => {
                format!("{} of {}", self.name, form.name)
            }
            _ => self.name.to_owned(),
        }
    }

    /// An example of its value.
    pub(super) fn example(&self) -> String {
        match self.kind {
            Type::Integer { least, .. } => least.to_string(),
            Type::Time => "1s".to_owned(),
            Type::Share | Type::Positive => "0.5".to_owned(),
            Type::Word(words) => words[0].to_owned(),
            _ => self.usage(),
        }
    }

    fn usage(&self) -> String {
        match self.kind {
            Type::Integers { .. } | Type::Searches { .. } => format!("{0}1, {0}2, …", self.symbol),
            _ => self.symbol.to_owned(),
        }
    }
}

/// The properties of an algorithm that need no problem; made from an [`Algorithm`](crate::search::Algorithm).
pub(crate) struct Nature {
    /// Tells algorithms apart.
    pub id: fn() -> TypeId,
    pub form: &'static Form,
    pub meaning: fn(&Search) -> Option<Search>,
    pub is_endless: fn(&Search) -> bool,
    pub is_estimate: fn(&Search) -> bool,
    pub is_exhaustive: bool,
    pub learns: bool,
    pub memory: fn(&Search) -> u64,
}
