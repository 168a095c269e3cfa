//! Search expressions: the papers' algorithms as a few combinators, built in Rust or parsed from text.
//!
//! ```
//! use nestling::Search;
//! let search: Search = "repeat(100, nested(2, memory=off))".parse()?;
//! assert_eq!(search.to_string(), "repeat(100, nested(2, memory=off))");
//! assert_eq!(search, Search::nested(2).memory(false).repeat(100));
//! # Ok::<(), nestling::ParseError>(())
//! ```

mod build;
pub(crate) mod check;
pub(crate) mod error;
mod expand;
mod parse;
pub(crate) mod print;
pub(crate) mod scan;

pub use check::InvalidSearch;
pub use error::ParseError;

const DEFAULT_ITERATIONS: u64 = 100;
const DEFAULT_TRIES: u64 = 1;
const DEFAULT_ALPHA: f64 = 1.0;
const DEFAULT_C: f64 = 0.1;
const DEFAULT_TREES: u64 = 1;
const DEFAULT_SAMPLES: u64 = 4;

/// A search, as people write it: what to do ([`Kind`]) and how the games at its bottom are played ([`Games`]).
///
/// A search is a name, then in brackets what it needs, then its options in any order. White space is free. Every search
/// takes `playout=NAME` and `weights=FILE`, which hold for all the games at its bottom unless a search further inside
/// says otherwise.
///
/// | expression | options and their defaults |
/// |---|---|
/// | `playout`, `playout(NAME)` | the name may also be written `playout=NAME` |
/// | `repeat(n, s)`, `repeat(s)` | |
/// | `mean(n, s)` | |
/// | `step(s)` | `memory=on` |
/// | `lookahead(s)` | `ties=first` |
/// | `nested(l)` | `memory=on`, `ties=first` |
/// | `reflexive(n1, n2, …)` | |
/// | `nrpa(l)` | `iterations=100`, `alpha=1`, `tries=1`, `warm=FILE` |
/// | `uct(n)` | `c=0.1`, `trees=1` |
/// | `dfs` | |
/// | `beam(w)` | `samples=4` |
///
/// Whole numbers may be written with separators, `10_000`. Names and files made of ASCII letters, digits and `_./-` are
/// written bare; any other goes in double quotes, where `\"` is a quote and `\\` a backslash.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// What to do.
    pub kind: Kind,
    /// How the games at the bottom are played, where this expression says so; else the enclosing one decides, else the
    /// problem.
    pub games: Games,
}

/// How the games at the bottom of a search are played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Games {
    /// `playout=NAME`: a playout policy of the problem, or `uniform`, or `mobility`.
    pub policy: Option<String>,
    /// `weights=FILE`: weights for the codes of the moves; a move is drawn with probability ∝ exp(weight + bias).
    pub weights: Option<String>,
}

/// The combinators. The meaning of each is in `docs/ALGORITHMS.md`.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `playout`: one game to the end.
    Playout,
    /// `repeat(n, s)` or `repeat(s)`: `s`, n times or until the budget ends; the best.
    Repeat {
        /// How often; `None` is until the budget ends.
        times: Option<u64>,
        /// What to repeat.
        search: Box<Search>,
    },
    /// `mean(n, s)`: `s`, n times, each on newly drawn hidden randomness; the average.
    Mean {
        /// How often.
        times: u64,
        /// What to average.
        search: Box<Search>,
    },
    /// `step(s)`: a whole game; before each move run `s`, follow the best sequence so far.
    Step {
        /// What to run before each move.
        search: Box<Search>,
        /// Whether the best sequence is remembered from step to step.
        memory: bool,
    },
    /// `lookahead(s)`: play each legal move, then `s`; the best.
    Lookahead {
        /// What to run after each move.
        search: Box<Search>,
        /// Which of equally good moves wins.
        ties: Ties,
    },
    /// `nested(l)`: nested Monte-Carlo search.
    Nested {
        /// The level; 0 is a playout.
        level: u32,
        /// Whether each level remembers its best sequence.
        memory: bool,
        /// Which of equally good moves wins.
        ties: Ties,
    },
    /// `reflexive(n1, n2, …)`: reflexive Monte-Carlo search.
    Reflexive {
        /// Games per step at the ground level, meta-games per step at the next, and so on. Never empty.
        counts: Vec<u64>,
    },
    /// `nrpa(l)`: nested rollout policy adaptation.
    Nrpa {
        /// The level; 0 is a playout.
        level: u32,
        /// Iterations per level.
        iterations: u64,
        /// The step of the gradient.
        alpha: f64,
        /// Playouts before each adapt of level 1.
        tries: u64,
        /// `warm=FILE`: the weights to start from; `None` is the uniform policy.
        warm: Option<String>,
    },
    /// `uct(n)`: upper confidence bounds applied to trees.
    Uct {
        /// Simulations per tree.
        simulations: u64,
        /// The constant of the exploration term sqrt(ln t / (c·s)).
        c: f64,
        /// Independent trees.
        trees: u64,
    },
    /// `dfs`: depth first in the problem's own order.
    Dfs,
    /// `beam(w)`: the w best states per depth, by the mean of a few playouts.
    Beam {
        /// States kept per depth.
        width: u64,
        /// Playouts per state.
        samples: u64,
    },
}

/// Which of several equally good moves a lookahead takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The first in the problem's order.
    #[default]
    First,
    /// Each with the same probability.
    Random,
    /// The last in the problem's order.
    Last,
}

impl Search {
    /// The search inside a combinator; `None` for the searches that play games themselves or stand for an expansion.
    ///
    /// ```
    /// use nestling::Search;
    /// assert_eq!(Search::dfs().repeat(3).inner(), Some(&Search::dfs()));
    /// assert_eq!(Search::nested(3).inner(), None);
    /// ```
    pub fn inner(&self) -> Option<&Search> {
        match &self.kind {
            Kind::Repeat { search, .. }
            | Kind::Mean { search, .. }
            | Kind::Step { search, .. }
            | Kind::Lookahead { search, .. } => Some(search),
            _ => None,
        }
    }

    /// Whether only a budget can end this search: somewhere it repeats without a count.
    ///
    /// ```
    /// use nestling::Search;
    /// assert!(Search::nested(1).forever().is_endless());
    /// assert!(!Search::nested(1).repeat(100).is_endless());
    /// ```
    pub fn is_endless(&self) -> bool {
        self.chain().any(|search| matches!(search.kind, Kind::Repeat { times: None, .. }))
    }

    /// This search, the one inside it, and so on to the innermost.
    fn chain(&self) -> impl Iterator<Item = &Search> {
        std::iter::successors(Some(self), |search| search.inner())
    }
}

impl Kind {
    /// The name the search is written with.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Playout => "playout",
            Kind::Repeat { .. } => "repeat",
            Kind::Mean { .. } => "mean",
            Kind::Step { .. } => "step",
            Kind::Lookahead { .. } => "lookahead",
            Kind::Nested { .. } => "nested",
            Kind::Reflexive { .. } => "reflexive",
            Kind::Nrpa { .. } => "nrpa",
            Kind::Uct { .. } => "uct",
            Kind::Dfs => "dfs",
            Kind::Beam { .. } => "beam",
        }
    }
}

impl Ties {
    /// The word the choice is written with.
    pub fn name(self) -> &'static str {
        match self {
            Ties::First => "first",
            Ties::Random => "random",
            Ties::Last => "last",
        }
    }
}

/// Whether a name or file may be written without quotes.
fn is_bare(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_bare_character)
}

fn is_bare_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_./-".contains(character)
}
