//! Leftmost path: go down a binary tree and count the moves until the first one to the right.
//!
//! The other problem of the analysis in Cazenave, *Nested Monte-Carlo Search*, 2009. In a tree of depth n sampling finds the end
//! of the path with probability 2⁻ⁿ, depth-first search that takes the moves in random order visits more than 2ⁿ⁻² leaves on
//! average, and nested search of level 1 always finds it, playing n(n − 1) moves.

use nestling::{Problem, Stream};

use crate::left_move::Branch;

/// A binary tree of some depth; the score is the number of moves before the first one to the right. It has no bound, for the
/// reason that [`LeftMove`](crate::LeftMove) has none.
///
/// ```
/// use nestling::Run;
/// use nestling_puzzles::LeftmostPath;
/// let outcome = Run::new(&LeftmostPath::new(60), "nested(1)".parse()?).seed(1).start()?;
/// assert_eq!((outcome.score().unwrap(), outcome.counts.moves), (60.0, 60 * 59));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LeftmostPath {
    depth: u32,
    ply: u32,
    on_path: u32,
    /// Where the order of the moves is drawn from; without it the left one is first.
    order: Option<Stream>,
}

impl LeftmostPath {
    /// A tree of this depth.
    pub fn new(depth: u32) -> Self {
        LeftmostPath { depth, ply: 0, on_path: 0, order: None }
    }

    /// The same tree with its moves in random order at every node, for searches that take them in order.
    ///
    /// ```
    /// use nestling::Run;
    /// use nestling_puzzles::LeftmostPath;
    /// let outcome = Run::new(&LeftmostPath::shuffled(10, 3), "dfs".parse()?).start()?;
    /// assert_eq!((outcome.score(), outcome.counts.playouts), (Some(10.0), 1024));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shuffled(depth: u32, seed: u64) -> Self {
        LeftmostPath { order: Some(Stream::new(seed)), ..LeftmostPath::new(depth) }
    }

    /// The number of moves of a game.
    pub fn depth(&self) -> u32 {
        self.depth
    }
}

impl Problem for LeftmostPath {
    type Move = Branch;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<Branch>) {
        moves.clear();
        if self.ply < self.depth {
            moves.extend(Branch::BOTH);
            if self.order.is_some_and(|order| order.rng().below(2) == 1) {
                moves.swap(0, 1);
            }
        }
    }

    fn play(&mut self, side: Branch) {
        self.on_path += u32::from(side == Branch::Left && self.on_path == self.ply);
        self.ply += 1;
        self.order = self.order.map(|order| order.child(side as u64));
    }

    fn score(&self) -> f64 {
        self.on_path.into()
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
