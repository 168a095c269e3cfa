//! Ways to play, as people write them: `random`, `uct(1000)`, `uct(time=1s, exact=9)`, `alphabeta(4)`.
//!
//! ```
//! use nestling::duel::Strategy;
//! let strategy: Strategy = "uct(1000, draw=0.5, turn=joined)".parse()?;
//! assert_eq!(strategy.to_string(), "uct(1000, turn=joined)");
//! # Ok::<(), nestling::ParseError>(())
//! ```

mod parse;
mod print;

use std::time::Duration;

/// A way to play, as people write it: a name, then in brackets what it needs, then its options in any order.
///
/// | expression | meaning | options and their defaults |
/// |---|---|---|
/// | `random` | any legal move | |
/// | a policy of the game | in Quarto `first`, `playout`, `second` | |
/// | `uct(n)`, `uct(time=1s)` | a tree, grown by n simulations or for some time before each move | see [`Uct`] |
/// | `alphabeta(d)` | all moves d deep, what lies beyond being a draw | |
/// | `exact` | the game's exact solver | |
///
/// All take `from=N` and `before=s`: until the game has come to stage N (in Quarto: N pieces are on the board) `s` plays;
/// without `before` that is the last of the game's own policies.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    /// What plays.
    pub kind: Kind,
    /// The stage of the game from which on it does.
    pub from: u32,
    /// What plays before that.
    pub before: Option<Box<Strategy>>,
}

/// The kinds of players.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `random`, or a policy of the game.
    Policy(String),
    /// `uct(n)`: upper confidence bounds applied to trees.
    Uct(Uct),
    /// `alphabeta(d)`: a search of limited depth.
    AlphaBeta {
        /// How many moves it looks ahead.
        depth: u32,
    },
    /// `exact`: the game's solver.
    Exact,
}

/// `uct(n)` with all that changes its results.
///
/// ```
/// use nestling::duel::{Strategy, Turns, Uct};
/// let paper = Strategy::from(Uct { turn: Turns::Joined, draw: 0.0, proof: false, ..Uct::new(1000) });
/// assert_eq!(paper.to_string(), "uct(1000, turn=joined, draw=0, proof=off)");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Uct {
    /// How long each tree grows before a move.
    pub budget: Budget,
    /// `turn=split|joined`: whether two moves in a row of the same player are two levels of the tree or one.
    pub turn: Turns,
    /// `draw=0.5`: what a draw is worth, with 1 for a win and 0 for a loss.
    pub draw: f64,
    /// `final=visits|value`: which move is played in the end.
    pub last: Final,
    /// `c=5` or `epsilon=E`: how simulations walk down the tree.
    pub walk: Walk,
    /// `policy=NAME`: the game's policy for playouts; `None` is the game's default.
    pub policy: Option<String>,
    /// `transpositions=off|on`: whether a position that is reached in several ways has one node.
    pub transpositions: bool,
    /// `symmetry=off|on`: whether moves to symmetric positions are one move, and with transpositions symmetric positions
    /// one position.
    pub symmetry: bool,
    /// `proof=on|off`: whether proven wins, losses and draws are backed up through the tree.
    pub proof: bool,
    /// `exact=N`: from stage N of the game on the game's solver plays what wins and leaves out what loses, and simulations
    /// compare the rest. Before, it takes the place of playouts at leaves that are a few stages later still.
    pub exact: Option<u32>,
    /// `games=FILE`: games that were played before, from which the trees begin.
    pub games: Option<String>,
    /// `weight=0.1`: what each of them is worth, in simulations.
    pub weight: f64,
    /// `trees=1`: independent trees whose counts are added; each grows by the whole budget.
    pub trees: u32,
    /// `memory=1024`: the MiB that the trees may take together; they are pruned when they would take more.
    pub memory: u64,
}

/// How long a search goes on before each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So many simulations per tree.
    Simulations(u64),
    /// So much time.
    Time(Duration),
}

/// How moves in a row of the same player are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turns {
    /// One after the other.
    #[default]
    Split,
    /// Together; see [`Joined`](super::Joined).
    Joined,
}

/// Which move is played after a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Final {
    /// The one with most visits; of those the one with the highest value.
    #[default]
    Visits,
    /// The one with the highest value; of those the one with most visits.
    Value,
}

/// How a simulation chooses among moves that were all tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Walk {
    /// The highest upper confidence bound, μ + sqrt(ln t / (c·s)).
    Bound {
        /// The larger it is, the less is explored.
        c: f64,
    },
    /// The highest mean, or with some probability any move.
    Greedy {
        /// That probability.
        epsilon: f64,
    },
}

const DEFAULT_DRAW: f64 = 0.5;
const DEFAULT_WALK: Walk = Walk::Bound { c: 5.0 };
const DEFAULT_WEIGHT: f64 = 0.1;
const DEFAULT_TREES: u32 = 1;
const DEFAULT_MEMORY: u64 = 1024;

impl Uct {
    /// So many simulations before each move, everything else being the default.
    pub fn new(simulations: u64) -> Self {
        Uct {
            budget: Budget::Simulations(simulations),
            turn: Turns::Split,
            draw: DEFAULT_DRAW,
            last: Final::Visits,
            walk: DEFAULT_WALK,
            policy: None,
            transpositions: false,
            symmetry: false,
            proof: true,
            exact: None,
            games: None,
            weight: DEFAULT_WEIGHT,
            trees: DEFAULT_TREES,
            memory: DEFAULT_MEMORY,
        }
    }
}

impl From<Kind> for Strategy {
    fn from(kind: Kind) -> Self {
        Strategy { kind, from: 0, before: None }
    }
}

impl From<Uct> for Strategy {
    fn from(uct: Uct) -> Self {
        Kind::Uct(uct).into()
    }
}

impl Strategy {
    /// `random`, or a policy of the game.
    pub fn policy(name: &str) -> Self {
        Kind::Policy(name.to_owned()).into()
    }

    /// Whether it, or what plays before it, goes by the clock, so that its games cannot be repeated.
    pub fn is_timed(&self) -> bool {
        let timed = matches!(&self.kind, Kind::Uct(Uct { budget: Budget::Time(_), .. }));
        timed || self.before.as_ref().is_some_and(|before| before.is_timed())
    }

    /// The names of the games that it, or what plays before it, mentions.
    pub fn files(&self) -> Vec<&str> {
        let own = if let Kind::Uct(uct) = &self.kind { uct.games.as_deref() } else { None };
        own.into_iter().chain(self.before.iter().flat_map(|before| before.files())).collect()
    }

    /// How many threads it can use at once.
    pub fn width(&self) -> usize {
        let own = if let Kind::Uct(uct) = &self.kind { uct.trees as usize } else { 1 };
        own.max(self.before.as_ref().map_or(1, |before| before.width()))
    }
}
