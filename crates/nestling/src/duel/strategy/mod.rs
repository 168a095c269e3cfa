//! Strategies as people write them: `random`, `uct(1000)`, `uct(time=1s, exact=9)`, `alphabeta(4)`.
//!
//! ```
//! use nestling::duel::Strategy;
//! let strategy: Strategy = "uct(1000, draw=0.5, turn=joined)".parse()?;
//! assert_eq!(strategy.to_string(), "uct(1000, turn=joined)");
//! assert_eq!(strategy, Strategy::uct(1000).with("turn", "joined"));
//! # Ok::<(), nestling::ParseError>(())
//! ```

mod parse;
mod print;

use std::any::TypeId;
use std::borrow::Cow;
use std::fmt;

pub use parse::PlayerCatalogue;

use super::kind::{PlayerNature, nature_of};
use super::{PlayerKind, StrategyError};
use crate::expression::Value;
use crate::expression::check::{self, IntegerRange, MAX_DEPTH};
use crate::expression::form::{Form, Type};
use crate::expression::value::values_by_name;

/// A strategy as people write it: a name, then in brackets its arguments, then its options in any order.
///
/// | expression | meaning | options and their defaults |
/// |---|---|---|
/// | `random` | any legal move | |
/// | a policy of the game | in Quarto `first`, `playout`, `second` | |
/// | `uct(n)`, `uct(time=1s)` | a tree, grown by n simulations or for some time before each move | see [`UctPlayer`](super::UctPlayer) |
/// | `alphabeta(d)` | all moves d deep; a state at that depth counts as a draw | |
/// | `exact` | the game's exact solver | |
///
/// All take `from=N` and `before=s`: `s` plays until the game reaches stage N (in Quarto: N pieces are on the board). Without `before` that
/// is the last of the game's own policies. A [`PlayerCatalogue`] knows other players too, yours among them.
#[derive(Clone)]
pub struct Strategy {
    nature: &'static PlayerNature,
    /// The name as written; it differs from the form's name only for policies of the game.
    name: Cow<'static, str>,
    /// One for each argument and option of the form.
    values: Vec<Value>,
    /// The stage of the game from which on this strategy plays.
    pub(super) from: u32,
    /// The player before that stage.
    pub(super) before: Option<Box<Strategy>>,
}

/// The last stage that `from=` may name.
const MAX_STAGE: u64 = 1_000_000;

fn stage_limit() -> IntegerRange {
    IntegerRange::new("from", 0, MAX_STAGE)
}

fn too_deep() -> String {
    format!("expected players nested at most {MAX_DEPTH} deep, found a deeper one")
}

/// Strategies of any kind. Values are not checked here but by [`Strategy::check`].
///
/// ```
/// use nestling::duel::{Strategy, UctPlayer};
/// use std::time::Duration;
/// let strategy = Strategy::of::<UctPlayer>().with("time", Duration::from_secs(1)).with("proof", false);
/// assert_eq!(strategy.to_string(), "uct(time=1s, proof=off)");
/// assert!(strategy.is_timed());
/// ```
impl Strategy {
    /// A strategy of this kind with default options. Required arguments are still missing.
    pub fn of<K: PlayerKind>() -> Self {
        Strategy::new(nature_of::<K>())
    }

    fn new(nature: &'static PlayerNature) -> Self {
        let values = nature.form.all().map(Value::default_of).collect();
        Strategy { nature, name: Cow::Borrowed(nature.form.name), values, from: 0, before: None }
    }

    /// The same by another name, for a kind that takes any.
    pub(super) fn called(mut self, name: &str) -> Self {
        if name != self.name {
            self.name = Cow::Owned(name.to_owned());
        }
        self
    }

    /// `from=N`: it plays from stage N of the game on.
    ///
    /// ```
    /// use nestling::duel::Strategy;
    /// let strategy = Strategy::exact().from_stage(9).before(Strategy::uct(1000));
    /// assert_eq!(strategy.to_string(), "exact(from=9, before=uct(1000))");
    /// ```
    #[must_use]
    pub fn from_stage(mut self, stage: u32) -> Self {
        self.from = stage;
        self
    }

    /// `before=s`: what plays until then.
    #[must_use]
    pub fn before(mut self, strategy: Strategy) -> Self {
        self.before = Some(Box::new(strategy));
        self
    }
}

values_by_name!(Strategy);

/// Properties that need no game.
impl Strategy {
    /// The form it is written in.
    pub fn form(&self) -> &'static Form {
        self.nature.form
    }

    /// The name it is written with.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a strategy of this kind.
    pub fn is_of<K: PlayerKind>(&self) -> bool {
        (self.nature.id)() == TypeId::of::<K>()
    }

    /// This strategy, the one before it, and so on.
    fn stages(&self) -> impl Iterator<Item = &Strategy> {
        std::iter::successors(Some(self), |strategy| strategy.before.as_deref())
    }

    /// Whether this strategy, or one before it, has a time budget, so that its games cannot be repeated.
    pub fn is_timed(&self) -> bool {
        self.stages().any(|strategy| (strategy.nature.is_timed)(strategy))
    }

    /// The names of the files of games that this strategy, or one before it, mentions.
    pub fn files(&self) -> Vec<&str> {
        self.stages().flat_map(Strategy::own_files).collect()
    }

    fn own_files(&self) -> impl Iterator<Item = &str> {
        self.form().all().zip(&self.values).filter_map(|(argument, value)| match (argument.kind, value) {
            (Type::File, Value::Name(file)) => Some(file.as_str()),
            _ => None,
        })
    }

    /// How many threads it can use at once.
    pub fn width(&self) -> usize {
        self.stages().map(|strategy| (strategy.nature.width)(strategy)).max().unwrap_or(1)
    }

    /// Checks what can be checked without a game: that nothing is missing, ranges of numbers, the depth. A parsed strategy has passed; this
    /// is for one built in Rust.
    ///
    /// ```
    /// use nestling::duel::Strategy;
    /// assert!(Strategy::uct(1000).check().is_ok());
    /// let error = Strategy::uct(1000).with("draw", 2.0).check().unwrap_err();
    /// assert_eq!(error.to_string(), "draw must be a number from 0 to 1, found 2");
    /// ```
    ///
    /// # Errors
    ///
    /// The outermost error.
    pub fn check(&self) -> Result<(), StrategyError> {
        let one = |strategy: &Strategy| {
            check::values(strategy.form(), &strategy.values)?;
            stage_limit().check(Some(strategy.from.into()), strategy.from).map(drop)
        };
        let deep = if self.stages().nth(MAX_DEPTH).is_some() { Err(too_deep()) } else { Ok(()) };
        deep.and_then(|()| self.stages().try_for_each(one)).map_err(|message| StrategyError { message })
    }
}

impl PartialEq for Strategy {
    fn eq(&self, other: &Self) -> bool {
        (self.nature.id)() == (other.nature.id)()
            && self.name == other.name
            && self.values == other.values
            && self.from == other.from
            && self.before == other.before
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
