//! Search expressions: the papers' algorithms as a few combinators, built in Rust or parsed from text.
//!
//! ```
//! use nestling::Search;
//! let search: Search = "repeat(100, nested(2, memory=off))".parse()?;
//! assert_eq!(search.to_string(), "repeat(100, nested(2, memory=off))");
//! assert_eq!(search, Search::nested(2).memory(false).repeat(100));
//! # Ok::<(), nestling::ParseError>(())
//! ```

mod brackets;
mod build;
pub(crate) mod check;
pub(crate) mod error;
mod expand;
pub(crate) mod form;
mod parse;
pub(crate) mod print;
pub(crate) mod scan;
pub(crate) mod value;

use std::any::TypeId;
use std::fmt;

pub use check::InvalidSearch;
pub use error::ParseError;
use form::{Form, Nature};
pub use parse::Catalogue;
pub use value::Value;
use value::values_by_name;

use crate::search::Algorithm;

/// A search as people write it: its algorithm, its arguments, and how its playouts are played ([`PlayoutOptions`]).
///
/// A search is a name, then in brackets its arguments, then its options in any order. White space is free. Every search takes
/// `playout=NAME` and `weights=FILE`, which apply to all its playouts unless a search further inside sets them. The searches and their
/// options are in `docs/ALGORITHMS.md`; a [`Catalogue`] lists them, yours among them.
///
/// Whole numbers may be written with separators, `10_000`. Names and files made of ASCII letters, digits and `_./-` are
/// written bare; any other goes in double quotes, where `\"` is a quote and `\\` a backslash.
#[derive(Clone)]
pub struct Search {
    nature: &'static Nature,
    /// One for each argument and option of the form; empty for those that are searches.
    values: Vec<Value>,
    /// The searches among the arguments.
    inner: Vec<Search>,
    /// How the playouts are played, if this expression sets it; otherwise the enclosing search decides, otherwise the problem.
    pub games: PlayoutOptions,
}

/// How the playouts of a search are played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayoutOptions {
    /// `playout=NAME`: a playout policy of the problem, or `uniform`, or `mobility`.
    pub policy: Option<String>,
    /// `weights=FILE`: weights for the codes of the moves; a move is drawn with probability ∝ exp(weight + bias).
    pub weights: Option<String>,
}

impl Search {
    /// The form it is written in.
    pub fn form(&self) -> &'static Form {
        self.nature.form
    }

    /// The name it is written with.
    pub fn name(&self) -> &'static str {
        self.form().name
    }

    /// Whether it is a search of this algorithm.
    pub fn is_of<A: Algorithm>(&self) -> bool {
        (self.nature.id)() == TypeId::of::<A>()
    }

    /// The search that it is short for, if it is short for one.
    pub(crate) fn meaning(&self) -> Option<Search> {
        (self.nature.meaning)(self)
    }

    /// The searches among its arguments; none if it plays games itself or is short for another search.
    ///
    /// ```
    /// use nestling::Search;
    /// assert_eq!(Search::dfs().repeat(3).inner(), [Search::dfs()]);
    /// assert_eq!(Search::nested(3).inner(), []);
    /// ```
    pub fn inner(&self) -> &[Search] {
        &self.inner
    }

    /// Whether only a budget can end this search, because it contains a repetition without a count. A portfolio that contains `dfs` ends
    /// with it.
    ///
    /// ```
    /// use nestling::Search;
    /// assert!(Search::nested(1).forever().is_endless());
    /// assert!(!Search::nested(1).repeat(100).is_endless());
    /// assert!(!Search::portfolio([Search::dfs(), Search::nested(1).forever()]).is_endless());
    /// ```
    pub fn is_endless(&self) -> bool {
        (self.nature.is_endless)(self)
    }

    /// Whether it returns an estimate, not a game, as `mean` does.
    pub fn is_estimate(&self) -> bool {
        (self.nature.is_estimate)(self)
    }

    /// Whether it visits every game, as `dfs` does, so that its result is optimal.
    pub fn is_exhaustive(&self) -> bool {
        self.nature.is_exhaustive || self.meaning().is_some_and(|meaning| meaning.is_exhaustive())
    }

    /// Whether a run of this search returns a learned policy, as `nrpa` does.
    pub fn learns(&self) -> bool {
        self.nature.learns
    }

    /// About the most bytes that it needs at once, without the searches inside it; 0 if that is negligible.
    pub fn memory_needed(&self) -> u64 {
        (self.nature.memory)(self)
    }

    /// This search and all those inside it, in the order their names are written.
    pub fn parts(&self) -> impl Iterator<Item = &Search> {
        let mut waiting = vec![self];
        std::iter::from_fn(move || {
            let next = waiting.pop()?;
            waiting.extend(next.inner().iter().rev());
            Some(next)
        })
    }
}

values_by_name!(Search);

impl PartialEq for Search {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
            && self.values == other.values
            && self.inner == other.inner
            && self.games == other.games
    }
}

impl fmt::Debug for Search {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Whether a name or file may be written without quotes.
fn is_bare(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_bare_character)
}

fn is_bare_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_./-".contains(character)
}
