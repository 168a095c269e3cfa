//! Building expressions in Rust: a constructor for each search, a method for each combinator and option.

use super::{
    DEFAULT_ALPHA, DEFAULT_C, DEFAULT_ITERATIONS, DEFAULT_SAMPLES, DEFAULT_TREES, DEFAULT_TRIES, Games, Kind, Search,
    Ties,
};

impl From<Kind> for Search {
    /// A search that leaves it to the enclosing one, or to the problem, how games are played.
    fn from(kind: Kind) -> Search {
        Search { kind, games: Games::default() }
    }
}

/// The searches that stand by themselves. Values are not checked here but by [`Search::check`].
///
/// ```
/// use nestling::Search;
/// assert_eq!(Search::reflexive([100, 1000]).to_string(), "reflexive(100, 1000)");
/// assert_eq!(Search::nrpa(3).iterations(50).policy("mobility").to_string(), "nrpa(3, iterations=50, playout=mobility)");
/// ```
impl Search {
    /// One game to the end.
    pub fn playout() -> Search {
        Kind::Playout.into()
    }

    /// Nested Monte-Carlo search.
    pub fn nested(level: u32) -> Search {
        Kind::Nested { level, memory: true, ties: Ties::First }.into()
    }

    /// Reflexive Monte-Carlo search: games per step at the ground level first.
    pub fn reflexive(counts: impl Into<Vec<u64>>) -> Search {
        Kind::Reflexive { counts: counts.into() }.into()
    }

    /// Nested rollout policy adaptation.
    pub fn nrpa(level: u32) -> Search {
        Kind::Nrpa { level, iterations: DEFAULT_ITERATIONS, alpha: DEFAULT_ALPHA, tries: DEFAULT_TRIES, warm: None }
            .into()
    }

    /// Upper confidence bounds applied to trees.
    pub fn uct(simulations: u64) -> Search {
        Kind::Uct { simulations, c: DEFAULT_C, trees: DEFAULT_TREES }.into()
    }

    /// Depth first in the problem's own order.
    pub fn dfs() -> Search {
        Kind::Dfs.into()
    }

    /// Beam search that keeps the `width` best states per depth.
    pub fn beam(width: u64) -> Search {
        Kind::Beam { width, samples: DEFAULT_SAMPLES }.into()
    }
}

/// The combinators: each wraps the search it is called on.
///
/// ```
/// use nestling::Search;
/// assert_eq!(Search::playout().lookahead().step().repeat(100).to_string(), "repeat(100, step(lookahead(playout)))");
/// ```
impl Search {
    /// This search, `times` times; the best.
    pub fn repeat(self, times: u64) -> Search {
        Kind::Repeat { times: Some(times), search: Box::new(self) }.into()
    }

    /// This search, until the budget ends; the best.
    pub fn forever(self) -> Search {
        Kind::Repeat { times: None, search: Box::new(self) }.into()
    }

    /// This search, `times` times, each on newly drawn hidden randomness; the average.
    pub fn mean(self, times: u64) -> Search {
        Kind::Mean { times, search: Box::new(self) }.into()
    }

    /// A whole game: this search before each move.
    pub fn step(self) -> Search {
        Kind::Step { search: Box::new(self), memory: true }.into()
    }

    /// Each legal move, then this search; the best.
    pub fn lookahead(self) -> Search {
        Kind::Lookahead { search: Box::new(self), ties: Ties::First }.into()
    }
}

/// The options. They hold for the search they are called on, not for one inside it.
///
/// ```
/// use nestling::{Search, Ties};
/// let search = Search::nested(2).ties(Ties::Random).repeat(100).weights("learnt.bin");
/// assert_eq!(search.to_string(), "repeat(100, nested(2, ties=random), weights=learnt.bin)");
/// ```
///
/// # Panics
///
/// All but `policy` and `weights` panic with "NAME has no option OPTION" when called on a search of another kind.
impl Search {
    /// `playout=NAME`: the policy of the games at the bottom.
    pub fn policy(mut self, name: impl Into<String>) -> Search {
        self.games.policy = Some(name.into());
        self
    }

    /// `weights=FILE`: the weights of the games at the bottom.
    pub fn weights(mut self, file: impl Into<String>) -> Search {
        self.games.weights = Some(file.into());
        self
    }

    /// `memory=on` or `off`, of `step` and `nested`.
    pub fn memory(self, value: bool) -> Search {
        self.set("memory", value, |kind| match kind {
            Kind::Step { memory, .. } | Kind::Nested { memory, .. } => Some(memory),
            _ => None,
        })
    }

    /// `ties=`, of `lookahead` and `nested`.
    pub fn ties(self, value: Ties) -> Search {
        self.set("ties", value, |kind| match kind {
            Kind::Lookahead { ties, .. } | Kind::Nested { ties, .. } => Some(ties),
            _ => None,
        })
    }

    /// `iterations=`, of `nrpa`.
    pub fn iterations(self, value: u64) -> Search {
        self.set("iterations", value, |kind| match kind {
            Kind::Nrpa { iterations, .. } => Some(iterations),
            _ => None,
        })
    }

    /// `alpha=`, of `nrpa`.
    pub fn alpha(self, value: f64) -> Search {
        self.set("alpha", value, |kind| match kind {
            Kind::Nrpa { alpha, .. } => Some(alpha),
            _ => None,
        })
    }

    /// `tries=`, of `nrpa`.
    pub fn tries(self, value: u64) -> Search {
        self.set("tries", value, |kind| match kind {
            Kind::Nrpa { tries, .. } => Some(tries),
            _ => None,
        })
    }

    /// `warm=FILE`, of `nrpa`.
    pub fn warm(self, file: impl Into<String>) -> Search {
        self.set("warm", Some(file.into()), |kind| match kind {
            Kind::Nrpa { warm, .. } => Some(warm),
            _ => None,
        })
    }

    /// `c=`, of `uct`.
    pub fn c(self, value: f64) -> Search {
        self.set("c", value, |kind| match kind {
            Kind::Uct { c, .. } => Some(c),
            _ => None,
        })
    }

    /// `trees=`, of `uct`.
    pub fn trees(self, value: u64) -> Search {
        self.set("trees", value, |kind| match kind {
            Kind::Uct { trees, .. } => Some(trees),
            _ => None,
        })
    }

    /// `samples=`, of `beam`.
    pub fn samples(self, value: u64) -> Search {
        self.set("samples", value, |kind| match kind {
            Kind::Beam { samples, .. } => Some(samples),
            _ => None,
        })
    }

    #[track_caller]
    fn set<T>(mut self, option: &str, value: T, slot: fn(&mut Kind) -> Option<&mut T>) -> Search {
        match slot(&mut self.kind) {
            Some(slot) => *slot = value,
            None => panic!("{} has no option {option}", self.kind.name()),
        }
        self
    }
}
