//! The meaning of an expression: searches that are short for another search, such as `nested`, are written out, and `playout=` and
//! `weights=` are passed down to the playouts.

use std::collections::HashSet;

use super::form::Type;
use super::{PlayoutOptions, Search, Value};

impl PlayoutOptions {
    /// These options; those that are missing are taken from the enclosing search, policy and weights independently.
    fn or(self, outer: PlayoutOptions) -> PlayoutOptions {
        PlayoutOptions { policy: self.policy.or(outer.policy), weights: self.weights.or(outer.weights) }
    }
}

impl Search {
    /// Writes out one level: a search that is short for another, such as `nested` or `reflexive`, becomes that one; in any other, the
    /// searches inside become complete, so that they can be run without the enclosing search.
    ///
    /// For that, the `games` of a search are passed to the searches inside that leave them open.
    ///
    /// ```
    /// use nestling::Search;
    /// let search: Search = "nested(2, memory=off, playout=mobility)".parse()?;
    /// assert_eq!(search.core().to_string(), "step(lookahead(nested(1, memory=off, playout=mobility)), memory=off)");
    /// let search: Search = "reflexive(100, 1000)".parse()?;
    /// assert_eq!(search.core().to_string(), "step(repeat(1000, reflexive(100)))");
    /// # Ok::<(), nestling::ParseError>(())
    /// ```
    pub fn core(&self) -> Search {
        self.clone().into_core()
    }

    /// The whole expression written out: no `nested`, no `reflexive`, and `games` only on the searches that play games.
    ///
    /// It means the same as the expression, but it can be nested deeper than [`Search::check`] allows: twice the level.
    ///
    /// ```
    /// use nestling::Search;
    /// let search: Search = "repeat(5, nested(1), playout=mobility)".parse()?;
    /// assert_eq!(search.expand().to_string(), "repeat(5, step(lookahead(playout(mobility))))");
    /// # Ok::<(), nestling::ParseError>(())
    /// ```
    pub fn expand(&self) -> Search {
        self.clone().into_expanded()
    }

    /// The files of weights that the expression mentions (`weights=` and `warm=`), in the order they are written, without repetitions.
    ///
    /// ```
    /// use nestling::Search;
    /// let search: Search = "repeat(nrpa(2, warm=a.bin, weights=b.bin), weights=a.bin)".parse()?;
    /// assert_eq!(search.weight_files(), ["a.bin", "b.bin"]);
    /// # Ok::<(), nestling::ParseError>(())
    /// ```
    pub fn weight_files(&self) -> Vec<&str> {
        self.mentioned(&|search| {
            let own = search.names(|kind| matches!(kind, Type::File));
            own.chain(search.games.weights.as_deref()).collect()
        })
    }

    /// The files of games that the expression mentions (`replay(FILE)`), in the order they are written, without repetitions.
    ///
    /// ```
    /// use nestling::Search;
    /// let search: Search = "repeat(pool(first=replay(a.psol)))".parse()?;
    /// assert_eq!(search.game_files(), ["a.psol"]);
    /// # Ok::<(), nestling::ParseError>(())
    /// ```
    pub fn game_files(&self) -> Vec<&str> {
        self.mentioned(&|search| search.names(|kind| matches!(kind, Type::Games)).collect())
    }

    /// All files that the expression mentions.
    pub fn files(&self) -> Vec<&str> {
        self.weight_files().into_iter().chain(self.game_files()).collect()
    }

    /// The files that the searches inside mention, then those of this one, without repetitions.
    fn mentioned<'a>(&'a self, of: &dyn Fn(&'a Search) -> Vec<&'a str>) -> Vec<&'a str> {
        let mut files: Vec<&str> = self.inner().iter().flat_map(|inner| inner.mentioned(of)).collect();
        files.extend(of(self));
        let mut seen = HashSet::new();
        files.retain(|file| seen.insert(*file));
        files
    }

    /// The names among the values whose arguments have a certain type.
    fn names(&self, is_wanted: fn(Type) -> bool) -> impl Iterator<Item = &str> {
        let own = self.form().all().zip(&self.values).filter(move |(argument, _)| is_wanted(argument.kind));
        own.filter_map(|(_, value)| if let Value::Name(file) = value { Some(file.as_str()) } else { None })
    }

    fn into_core(mut self) -> Search {
        if let Some(meaning) = self.meaning() {
            return meaning;
        }
        for search in &mut self.inner {
            search.games = std::mem::take(&mut search.games).or(self.games.clone());
        }
        if self.form().takes_searches() {
            self.games = PlayoutOptions::default();
        }
        self
    }

    fn into_expanded(self) -> Search {
        let mut core = self.into_core();
        for inner in &mut core.inner {
            *inner = std::mem::replace(inner, Search::playout()).into_expanded();
        }
        core
    }
}
