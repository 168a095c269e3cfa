//! Left move: go down a binary tree and count the moves to the left.
//!
//! The problem of the analysis in Cazenave, *Nested Monte-Carlo Search*, 2009: every search could be replaced by "left", but a
//! search that does not know that gives scores whose distribution is known exactly; see [`score_distribution`].

mod exact;
mod memory;
mod presentation;

use nestling::Problem;
use serde::{Deserialize, Serialize};

pub use exact::{NestedModel, NotKnown, mean_score, score_distribution};

/// The greatest depth of a tree in these problems: far more than any search here can use.
pub const DEEPEST: u32 = 1_000_000;

/// A move in a binary tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Branch {
    /// The first move.
    Left,
    /// The second move.
    Right,
}

impl Branch {
    /// Both moves, in the order of the legal moves.
    pub const BOTH: [Branch; 2] = [Branch::Left, Branch::Right];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Branch::Left => "left",
            Branch::Right => "right",
        }
    }
}

/// A binary tree of some depth; the score is the number of moves to the left.
///
/// It has no [bound](Problem::bound), although everyone knows it: a run that stopped at the bound would not return what the
/// definition of its search returns, and to compare just that with the exact distribution is what the problem is for.
///
/// ```
/// use nestling::Run;
/// use nestling_puzzles::LeftMove;
/// let outcome = Run::new(&LeftMove::new(4), "nested(2)".parse()?).seed(1).start()?;
/// assert_eq!(outcome.score().unwrap(), 4.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LeftMove {
    depth: u32,
    ply: u32,
    lefts: u32,
}

impl LeftMove {
    /// A tree of this depth.
    pub fn new(depth: u32) -> Self {
        LeftMove { depth, ply: 0, lefts: 0 }
    }

    /// The number of moves of a game.
    pub fn depth(&self) -> u32 {
        self.depth
    }
}

impl Problem for LeftMove {
    type Move = Branch;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<Branch>) {
        moves.clear();
        if self.ply < self.depth {
            moves.extend(Branch::BOTH);
        }
    }

    fn play(&mut self, side: Branch) {
        self.ply += 1;
        self.lefts += u32::from(side == Branch::Left);
    }

    fn score(&self) -> f64 {
        self.lefts.into()
    }

    fn code(&self, side: Branch) -> u64 {
        u64::from(2 * self.ply) + side as u64
    }

    fn dense_codes(&self) -> usize {
        2 * self.depth as usize
    }

    fn move_text(&self, side: Branch) -> String {
        side.word().to_owned()
    }
}
