//! Conjectures about graphs that a tree refutes: build the tree vertex by vertex, and score how far it is beyond the bound of the conjecture.
//!
//! Wagner, *Constructions in combinatorics via neural networks*, 2021, found the first counter-examples by learning; Roucairol and Cazenave,
//! *Refutation of spectral graph theory conjectures with Monte Carlo search*, 2022, found them by nested search and NRPA.

mod eigenvalues;
mod presentation;
mod rules;
mod twins;

use std::sync::Arc;

use nestling::{Certificate, Illegal, Problem};

use crate::graph::Graph;

pub use eigenvalues::eigenvalues;
use twins::Twins;

/// The most vertices of a tree.
pub const LARGEST_TREE: usize = 300;

/// A tree refutes a conjecture if its score is larger than this. Eigenvalues are computed with an error of less than 1e-9; the rules check that.
pub const TOLERANCE: f64 = 1e-6;

/// The score of trees that are too small for the conjecture.
const TOO_SMALL: f64 = -1000.0;

/// A conjecture of Aouchiche and Hansen about connected graphs with n vertices that is known to be false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conjecture {
    /// λ₁ + μ ≥ √(n − 1) + 1 for n ≥ 3: λ₁ is the largest eigenvalue of the adjacency matrix, μ the size of a largest matching.
    Matching,
    /// π + ∂ₖ > 0 for n ≥ 4, with k = ⌊2D/3⌋: π is the proximity, the least average distance of a vertex to all others; D the diameter; ∂ₖ the
    /// k-th largest eigenvalue of the distance matrix.
    Proximity,
}

impl Conjecture {
    /// All of them with their names.
    pub const ALL: [(&'static str, Conjecture); 2] =
        [("matching", Conjecture::Matching), ("proximity", Conjecture::Proximity)];

    /// The number of vertices of the first counter-example that was published.
    pub fn published_size(self) -> usize {
        match self {
            Conjecture::Matching => 19,
            Conjecture::Proximity => 203,
        }
    }

    /// The conjecture as a formula.
    pub fn formula(self) -> &'static str {
        match self {
            Conjecture::Matching => "λ₁ + μ ≥ √(n − 1) + 1",
            Conjecture::Proximity => "π + ∂ₖ > 0, k = ⌊2D/3⌋",
        }
    }
}

/// A conjecture and a tree that grows until it has some number of vertices.
///
/// A move joins a new vertex to one that is there. The score, to be made large, is by how much the tree breaks the inequality: a positive one
/// refutes the conjecture.
///
/// The playout policy `stay` mostly continues the last move: after a vertex that was joined to the newest one it makes a path longer, after
/// any other it joins another leaf to the same vertex. It is the default for the conjecture on the proximity.
///
/// ```
/// use nestling::Problem;
/// use nestling_puzzles::conjecture::{Conjecture, ConjectureTree};
/// // Two stars with eight leaves each, and a vertex that joins their centres: λ₁ = √10, μ = 2.
/// let mut tree = ConjectureTree::new(Conjecture::Matching, 19);
/// [[0, 0].as_slice(), &[1; 8], &[2; 8]].concat().into_iter().for_each(|parent| tree.play(parent));
/// assert!((tree.score() - (18f64.sqrt() + 1.0 - 10f64.sqrt() - 2.0)).abs() < 1e-12);
/// ```
#[derive(Debug)]
pub struct ConjectureTree {
    shared: Arc<(Conjecture, usize)>,
    /// By vertex: the one that it was joined to; of the first vertex itself.
    parents: Vec<u16>,
}

clone_state!(ConjectureTree: shared [shared], owned [parents], plain []);

impl ConjectureTree {
    /// A tree of one vertex that will have so many.
    ///
    /// # Panics
    ///
    /// If there are less than 4 vertices, or too many.
    pub fn new(conjecture: Conjecture, vertices: usize) -> Self {
        assert!((4..=LARGEST_TREE).contains(&vertices), "from 4 to {LARGEST_TREE} vertices");
        let mut parents = Vec::with_capacity(vertices);
        parents.push(0);
        ConjectureTree { shared: Arc::new((conjecture, vertices)), parents }
    }

    /// The conjecture.
    pub fn conjecture(&self) -> Conjecture {
        self.shared.0
    }

    /// The tree so far.
    pub fn tree(&self) -> Graph {
        Graph::new(self.parents.len(), (1..self.parents.len()).map(|vertex| (vertex as u16, self.parents[vertex])))
    }

    /// The size of a largest matching: from the last vertex to the first, each is matched with its parent if both are free. A child comes
    /// after its parent, so this takes a leaf of what remains each time, which is best.
    fn matching(&self) -> usize {
        let mut is_matched = vec![false; self.parents.len()];
        let mut pairs = 0;
        for vertex in (1..self.parents.len()).rev() {
            let parent = usize::from(self.parents[vertex]);
            if !is_matched[vertex] && !is_matched[parent] {
                (is_matched[vertex], is_matched[parent]) = (true, true);
                pairs += 1;
            }
        }
        pairs
    }
}

/// √(n − 1) + 1 − λ₁ − μ
fn beyond_matching(size: usize, largest: f64, matching: usize) -> f64 {
    ((size - 1) as f64).sqrt() + 1.0 - largest - matching as f64
}

/// −(π + ∂ₖ)
fn beyond_proximity(proximity: f64, eigenvalue: f64) -> f64 {
    -(proximity + eigenvalue)
}

/// The policies; see [`ConjectureTree`].
const POLICIES: &[&str] = &["stay"];

/// How many times the weight of all other moves together the move has that continues the last one, in the policy `stay`.
const STAYING: f64 = 99.0;

impl Problem for ConjectureTree {
    type Move = u16;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<u16>) {
        moves.clear();
        if self.parents.len() < self.shared.1 {
            moves.extend(0..self.parents.len() as u16);
        }
    }

    fn play(&mut self, parent: u16) {
        self.parents.push(parent);
    }

    fn score(&self) -> f64 {
        let size = self.parents.len();
        if size < 4 {
            return TOO_SMALL;
        }
        let twins = Twins::of(&self.parents);
        match self.conjecture() {
            Conjecture::Matching => beyond_matching(size, twins.largest_of_adjacency(), self.matching()),
            Conjecture::Proximity => {
                let distances = twins.distances();
                let (diameter, proximity) = twins.diameter_and_proximity(&distances);
                beyond_proximity(proximity, twins.of_distances(&distances, 2 * diameter / 3 - 1))
            }
        }
    }

    fn policies(&self) -> &'static [&'static str] {
        POLICIES
    }

    /// A counter-example to the conjecture on the proximity has very many leaves at one vertex.
    fn default_policy(&self) -> &'static str {
        match self.conjecture() {
            Conjecture::Matching => "uniform",
            Conjecture::Proximity => "stay",
        }
    }

    fn prefer(&self, _policy: usize, moves: &mut Vec<u16>, weights: &mut Vec<f64>) {
        let newest = self.parents.len() - 1;
        let last = self.parents[newest];
        let next = if usize::from(last) + 1 == newest { newest as u16 } else { last };
        let others = moves.len() as f64 - 1.0;
        weights.extend(moves.iter().map(|&parent| if parent == next { STAYING * others.max(1.0) } else { 1.0 }));
    }

    /// The vertex that is joined to, whatever the new vertex is: so NRPA learns which vertices become centres.
    fn code(&self, parent: u16) -> u64 {
        parent.into()
    }

    fn dense_codes(&self) -> usize {
        self.shared.1
    }

    fn move_text(&self, parent: u16) -> String {
        (parent + 1).to_string()
    }

    fn certify(&self, moves: &[u16]) -> Result<Certificate, Illegal> {
        rules::certify(self.conjecture(), self.shared.1, &self.parents, moves)
    }
}
