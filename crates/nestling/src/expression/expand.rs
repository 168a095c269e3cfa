//! What an expression stands for: `nested` and `reflexive` written out, and `playout=` and `weights=` handed down to
//! where the games are played.

use super::{Games, Kind, Search};

impl Games {
    /// These, and for what they leave open the enclosing search's; policy and weights each by itself.
    fn or(self, outer: Games) -> Games {
        Games { policy: self.policy.or(outer.policy), weights: self.weights.or(outer.weights) }
    }
}

impl Search {
    /// One level of writing out, so that the kind is never `Nested` or `Reflexive` and the search inside is complete in
    /// itself: it can be run without a look at what encloses it.
    ///
    /// For that, `games` of a combinator (`repeat`, `mean`, `step`, `lookahead`) move to the search inside where that
    /// leaves them open. A combinator plays no games itself, so its own `games` are then empty.
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

    /// The whole expression written out: no `nested`, no `reflexive`, and `games` only where games are played.
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

    /// The files the expression mentions, `weights=` and `warm=`, in the order they are written, each once.
    ///
    /// ```
    /// use nestling::Search;
    /// let search: Search = "repeat(nrpa(2, warm=a.bin, weights=b.bin), weights=a.bin)".parse()?;
    /// assert_eq!(search.files(), ["a.bin", "b.bin"]);
    /// # Ok::<(), nestling::ParseError>(())
    /// ```
    pub fn files(&self) -> Vec<&str> {
        let outermost_first: Vec<&Search> = self.chain().collect();
        let mut files: Vec<&str> = Vec::new();
        for search in outermost_first.into_iter().rev() {
            let warm = match &search.kind {
                Kind::Nrpa { warm, .. } => warm.as_deref(),
                _ => None,
            };
            for file in warm.into_iter().chain(search.games.weights.as_deref()) {
                if !files.contains(&file) {
                    files.push(file);
                }
            }
        }
        files
    }

    fn into_core(self) -> Search {
        let Search { kind, games } = self;
        match kind {
            Kind::Nested { level: 0, .. } => Search { kind: Kind::Playout, games },
            Kind::Nested { level, memory, ties } => {
                let inner = Search { kind: Kind::Nested { level: level - 1, memory, ties }, games };
                inner.lookahead().ties(ties).step().memory(memory)
            }
            Kind::Reflexive { mut counts } => {
                let Some(times) = counts.pop() else { return Search { kind: Kind::Playout, games } };
                let kind = if counts.is_empty() { Kind::Playout } else { Kind::Reflexive { counts } };
                Search { kind, games }.repeat(times).step()
            }
            mut kind => match kind.inner_mut() {
                Some(inner) => {
                    inner.games = std::mem::take(&mut inner.games).or(games);
                    kind.into()
                }
                None => Search { kind, games },
            },
        }
    }

    fn into_expanded(self) -> Search {
        let mut core = self.into_core();
        if let Some(inner) = core.kind.inner_mut() {
            *inner = std::mem::replace(inner, Search::playout()).into_expanded();
        }
        core
    }
}

impl Kind {
    fn inner_mut(&mut self) -> Option<&mut Search> {
        match self {
            Kind::Repeat { search, .. }
            | Kind::Mean { search, .. }
            | Kind::Step { search, .. }
            | Kind::Lookahead { search, .. } => Some(search),
            _ => None,
        }
    }
}
