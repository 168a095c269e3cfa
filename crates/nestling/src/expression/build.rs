//! Building expressions in Rust. Each algorithm's file adds a constructor for its search and a method for each of its options; all of them
//! use the methods here.

use super::{PlayoutOptions, Search, Value};
use crate::search::{Algorithm, nature_of};

/// Searches of any algorithm. [`Search::check`] checks the values, these methods do not.
///
/// ```
/// use nestling::Search;
/// use nestling::search::Nrpa;
/// let search = Search::of::<Nrpa>().with("level", 3_u64).with("iterations", 50_u64).policy("mobility");
/// assert_eq!(search.to_string(), "nrpa(3, iterations=50, playout=mobility)");
/// assert_eq!(search.integer("level"), 3);
/// ```
impl Search {
    /// A search of this algorithm with default options. Required arguments are still missing.
    pub fn of<A: Algorithm>() -> Search {
        Search::new(nature_of::<A>())
    }

    pub(super) fn new(nature: &'static super::Nature) -> Search {
        let values = nature.form.all().map(Value::default_of).collect();
        Search { nature, values, inner: Vec::new(), games: PlayoutOptions::default() }
    }

    /// The same search with these searches as its arguments.
    #[must_use]
    pub fn around(mut self, inner: impl Into<Vec<Search>>) -> Search {
        self.inner = inner.into();
        self
    }

    /// `playout=NAME`: the policy of the playouts.
    #[must_use]
    pub fn policy(mut self, name: impl Into<String>) -> Search {
        self.games.policy = Some(name.into());
        self
    }

    /// `weights=FILE`: the weights of the playouts.
    #[must_use]
    pub fn weights(mut self, file: impl Into<String>) -> Search {
        self.games.weights = Some(file.into());
        self
    }

    /// Sets policy and weights of the playouts.
    #[must_use]
    pub fn played_by(mut self, games: PlayoutOptions) -> Search {
        self.games = games;
        self
    }
}
