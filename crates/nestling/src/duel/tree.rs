//! The tree of one search: nodes and edges in arenas, grown by simulations.
//!
//! **Counts are on edges, values on nodes.** The value of a node is the mean of all simulations through it, whichever parent they came
//! from; how often an edge was walked is counted on the edge alone. So positions that are reached in several ways can share one node, and
//! every parent's bound still depends on its own visits.

use rustc_hash::FxHashMap;

use super::EndingCounts;
use super::adaptation::Adaptation;
use super::edges::{Edge, Edges, NONE, root_of_log};
use super::uct::TreeSettings;
use crate::bounded::make_room;
use crate::game::{Ending, Game, Player, PlayerResult, Proof, Solver};
use crate::stream::Rng;
use crate::watch::Cancel;

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub tally: EndingCounts,
    /// The index of its first edge. Its edges are consecutive, tried ones first.
    pub edges: u32,
    /// How many edges it has; none before the first simulation passes through.
    pub count: u32,
    /// How many of them were tried.
    pub tried: u32,
    pub turn: Player,
    /// Its value with best play, once proven.
    pub proof: Option<NodeProof>,
}

/// A [`Proof`] in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeProof {
    pub ending: Ending,
    pub moves: u16,
}

impl From<NodeProof> for Proof {
    fn from(proof: NodeProof) -> Self {
        Proof { ending: proof.ending, moves: proof.moves.into() }
    }
}

/// A tree, the state at its root, and the buffers of a simulation.
pub(super) struct Tree<G: Game> {
    pub nodes: Vec<Node>,
    pub edges: Edges<G::Move>,
    pub root: u32,
    /// The state of the root. With symmetry it may be another state of the same class than the one on the board.
    pub start: G,
    /// Nodes by the keys of their states, if transpositions are on.
    pub table: Option<FxHashMap<u128, u32>>,
    /// The bytes that the arenas may take.
    pub memory: usize,
    /// The arenas are pruned when they take this many bytes.
    pub limit: usize,
    pub solver: Option<Box<dyn Solver<G>>>,
    /// Playouts that learn, if the strategy has them.
    adaptation: Option<Adaptation<G>>,
    /// The current state of the walk.
    pub state: G,
    moves: Vec<G::Move>,
    keys: Vec<u128>,
    path: Vec<(u32, u32)>,
}

/// The most nodes for solving a leaf, the time of some dozens of simulations; an unsolved leaf is played out.
const LEAF_NODES: u64 = 300;

/// Leaves are solved this many stages later than moves at the root, because they are so many more.
const LATER: u32 = 3;

impl<G: Game> Tree<G> {
    pub fn new(start: &G, plan: &TreeSettings, cancel: &Cancel) -> Self {
        let mut tree = Tree {
            nodes: Vec::new(),
            edges: Edges::new(),
            root: 0,
            start: start.clone(),
            table: (plan.transpositions && start.key().is_some()).then(FxHashMap::default),
            memory: plan.memory,
            limit: plan.memory,
            solver: plan.exact.and_then(|_| start.solver(cancel)),
            adaptation: plan.adapt.map(Adaptation::new),
            state: start.clone(),
            moves: Vec::new(),
            keys: Vec::new(),
            path: Vec::new(),
        };
        tree.plant(start, plan);
        tree
    }

    /// Drops everything and begins at a state.
    pub fn plant(&mut self, start: &G, plan: &TreeSettings) {
        self.nodes.clear();
        self.edges.clear();
        self.table.iter_mut().for_each(FxHashMap::clear);
        self.start = if self.moves_frames(plan) { start.canonical() } else { start.clone() };
        self.root = 0;
        self.nodes.push(node_of(&self.start));
        if let (Some(table), Some(key)) = (&mut self.table, self.start.key()) {
            table.insert(key, 0);
        }
    }

    /// Whether walks continue from the representatives of states, which is necessary if symmetric states share a node.
    fn moves_frames(&self, plan: &TreeSettings) -> bool {
        plan.symmetry && self.table.is_some()
    }

    /// One simulation: down the tree to a new node, a playout from there, and the ending counted at every node on the path.
    pub fn simulate(&mut self, plan: &TreeSettings, rng: &mut Rng) {
        self.begin();
        let mut node = self.root;
        let ending = loop {
            let Node { proof, tally, .. } = self.nodes[node as usize];
            if let Some(proof) = proof {
                break proof.ending;
            }
            if tally.visits() == 0 && node != self.root {
                break match &mut self.adaptation {
                    Some(adaptation) => adaptation.playout(&mut self.state, plan.policy, rng),
                    None => self.state.playout(plan.policy, rng, &mut self.moves),
                };
            }
            self.expand_if_new(node, plan);
            let edge = self.choose(node, plan, rng);
            if let Some(adaptation) = &mut self.adaptation {
                adaptation.note(&self.state, plan.policy, self.edges.rows[edge as usize].played);
            }
            self.path.push((node, edge));
            node = self.step(edge, plan);
        };
        if let Some(adaptation) = &mut self.adaptation {
            adaptation.adapt(ending);
        }
        self.back_up(node, ending, plan);
        if self.bytes() > self.limit {
            self.prune();
        }
    }

    /// Sets the walk back to the root.
    pub fn begin(&mut self) {
        self.state.clone_from(&self.start);
        self.path.clear();
    }

    /// Gives the current node of the walk its edges, if it has none yet: none of them tried, and one edge for all moves that lead to
    /// symmetric states.
    #[inline]
    pub fn expand_if_new(&mut self, node: u32, plan: &TreeSettings) {
        if self.nodes[node as usize].count == 0 {
            self.expand(node, plan);
        }
    }

    fn expand(&mut self, node: u32, plan: &TreeSettings) {
        self.state.legal_moves(&mut self.moves);
        if let Some(policy) = plan.children {
            self.state.consider(policy, &mut self.moves);
        }
        if plan.symmetry {
            let (state, keys) = (&self.state, &mut self.keys);
            keys.clear();
            self.moves.retain(|&played| {
                let key = class_after(state, played);
                let new = key.is_none_or(|key| !keys.contains(&key));
                keys.extend(key);
                new
            });
        }
        let Node { edges, count, tried, .. } = &mut self.nodes[node as usize];
        (*edges, *count, *tried) = (self.edges.rows.len() as u32, self.moves.len() as u32, 0);
        self.edges.add(&self.moves);
    }

    /// An untried edge, each with the same probability; if all were tried, the most promising one.
    fn choose(&mut self, node: u32, plan: &TreeSettings, rng: &mut Rng) -> u32 {
        let Node { edges, count, tried, tally, turn, .. } = self.nodes[node as usize];
        if tried < count {
            let drawn = rng.below((count - tried) as usize) as u32;
            self.edges.rows.swap((edges + tried) as usize, (edges + tried + drawn) as usize);
            self.nodes[node as usize].tried += 1;
            return edges + tried;
        }
        let row = edges as usize..(edges + count) as usize;
        if self.table.is_some() {
            for edge in row.clone() {
                self.edges.means[edge] = self.mean(self.edges.rows[edge].child, turn, plan);
            }
        }
        if let Some(epsilon) = plan.epsilon {
            if rng.unit() < epsilon {
                return edges + rng.below(count as usize) as u32;
            }
            return self.edges.greatest(row, 0.0) as u32;
        }
        let breadth = root_of_log(tally.visits()) * plan.exploration;
        self.edges.greatest(row, breadth) as u32
    }

    /// Walks along an edge to the next node, which is created, or found in the table, at the first visit.
    #[inline]
    pub fn step(&mut self, edge: u32, plan: &TreeSettings) -> u32 {
        let Edge { played, child: known, .. } = self.edges.rows[edge as usize];
        self.state.play(played);
        if self.moves_frames(plan) {
            self.state = self.state.canonical();
        }
        if known != NONE {
            return known;
        }
        let new = self.nodes.len() as u32;
        let child = match (&mut self.table, self.state.key()) {
            (Some(table), Some(key)) => *table.entry(key).or_insert(new),
            _ => new,
        };
        if child == new {
            let mut node = node_of(&self.state);
            if node.proof.is_none() {
                node.proof = self.solved_leaf(plan);
            }
            make_room(&mut self.nodes, 1);
            self.nodes.push(node);
        }
        self.edges.rows[edge as usize].child = child;
        child
    }

    /// The solver's answer for `self.state`, late in the game, where it is quick and playouts are unreliable; not while the solver screens
    /// the moves at the root. Draws are still played out, because some draws are more difficult for the opponent than others.
    fn solved_leaf(&mut self, plan: &TreeSettings) -> Option<NodeProof> {
        let from = plan.exact.filter(|&from| self.start.stage() < from)?;
        if self.state.stage() < from.saturating_add(LATER) {
            return None;
        }
        let ending = self.solver.as_mut()?.ending(&self.state, LEAF_NODES)?;
        (ending != Ending::Draw).then_some(NodeProof { ending, moves: 0 })
    }

    fn back_up(&mut self, leaf: u32, mut ending: Ending, plan: &TreeSettings) {
        self.nodes[leaf as usize].tally.add(ending);
        while let Some((node, edge)) = self.path.pop() {
            let child = self.edges.rows[edge as usize].child;
            if plan.proof && self.nodes[child as usize].proof.is_some() {
                self.nodes[node as usize].proof = self.prove(node, child);
                // A proven result replaces that of this playout.
                ending = self.nodes[node as usize].proof.map_or(ending, |proof| proof.ending);
            }
            self.nodes[node as usize].tally.add(ending);
            self.edges.rows[edge as usize].visits += 1;
            self.settle(edge, self.nodes[node as usize].turn, plan);
        }
    }

    /// Updates the numbers that a walk compares for an edge, from its visits and its child.
    #[inline]
    pub fn settle(&mut self, edge: u32, mover: Player, plan: &TreeSettings) {
        let Edge { visits, child, .. } = self.edges.rows[edge as usize];
        self.edges.means[edge as usize] = self.mean(child, mover, plan);
        self.edges.spreads[edge as usize] = 1.0 / (visits as f32).sqrt();
    }

    /// The value of a node to the player who moves there. A proven loss is chosen only if there is no other move.
    fn mean(&self, child: u32, mover: Player, plan: &TreeSettings) -> f32 {
        let Node { tally, proof, .. } = self.nodes[child as usize];
        match proof {
            Some(proof) if plan.proof => match proof.ending.seen_by(mover) {
                PlayerResult::Win => f32::INFINITY,
                PlayerResult::Draw => plan.draw as f32,
                PlayerResult::Loss => f32::NEG_INFINITY,
            },
            _ => tally.value(mover, plan.draw) as f32,
        }
    }

    /// The proof of a node that follows from the proof of one of its children: one win is enough, any other result needs all children.
    fn prove(&self, node: u32, child: u32) -> Option<NodeProof> {
        let Node { edges, count, tried, turn, .. } = self.nodes[node as usize];
        let later = |proof: NodeProof| NodeProof { moves: proof.moves.saturating_add(1), ..proof };
        let proven = self.nodes[child as usize].proof?;
        if proven.ending == Ending::Win(turn) {
            return Some(later(proven));
        }
        let mut best = Some(proven).filter(|_| tried == count)?;
        for edge in &self.edges.rows[edges as usize..(edges + count) as usize] {
            let proof = self.nodes[edge.child as usize].proof?;
            if Proof::from(proof).rank(turn) > Proof::from(best).rank(turn) {
                best = proof;
            }
        }
        Some(later(best))
    }

    /// Makes `after`, the state after a move, the root and keeps its part of the tree.
    pub fn advance(&mut self, played: G::Move, after: &G, plan: &TreeSettings) {
        let found = match &self.table {
            Some(table) => {
                let start = if plan.symmetry { after.canonical() } else { after.clone() };
                start.key().and_then(|key| table.get(&key)).map(|&node| (node, start))
            }
            None => self.tried_edge_to(played, after, plan.symmetry).map(|edge| {
                let mut start = self.start.clone();
                start.play(edge.played);
                (edge.child, start)
            }),
        };
        match found.filter(|_| plan.keeps_tree) {
            Some((node, start)) => (self.root, self.start) = (node, start),
            None => self.plant(after, plan),
        }
    }

    fn tried_edge_to(&self, played: G::Move, after: &G, symmetry: bool) -> Option<Edge<G::Move>> {
        let Node { edges, tried, .. } = self.nodes[self.root as usize];
        let index = self.place_of(self.root, &self.start, played, after, symmetry).filter(|&index| index < tried)?;
        Some(self.edges.rows[(edges + index) as usize])
    }

    /// The edge of a node that leads from its state in the tree to `after` on the board: the move that was `played`, or with symmetry an
    /// equivalent one.
    pub fn place_of(&self, node: u32, state: &G, played: G::Move, after: &G, symmetry: bool) -> Option<u32> {
        let Node { edges, count, .. } = self.nodes[node as usize];
        let class = if symmetry { after.canonical().key() } else { None };
        let mut row = self.edges.rows[edges as usize..(edges + count) as usize].iter();
        let leads_there = |edge: &Edge<G::Move>| match class {
            Some(_) => class_after(state, edge.played) == class,
            None => edge.played == played,
        };
        row.position(leads_there).map(|index| index as u32)
    }

    /// Prepares the root for a search, which must find the move that achieves the proven result.
    pub fn open(&mut self) {
        self.nodes[self.root as usize].proof = None;
        self.adaptation.iter_mut().for_each(Adaptation::forget);
    }

    /// Restricts the root to the edges that lead to one of these moves, which must be legal.
    pub fn restrict(&mut self, kept: impl Fn(&G, G::Move) -> bool, plan: &TreeSettings) {
        self.begin();
        self.expand_if_new(self.root, plan);
        let Node { edges, count, tried, .. } = self.nodes[self.root as usize];
        let (mut new_count, mut new_tried) = (0, 0);
        for index in 0..count {
            let from = (edges + index) as usize;
            if kept(&self.start, self.edges.rows[from].played) {
                let to = (edges + new_count) as usize;
                self.edges.rows.swap(from, to);
                self.edges.means.swap(from, to);
                self.edges.spreads.swap(from, to);
                new_count += 1;
                new_tried += u32::from(index < tried);
            }
        }
        let root = &mut self.nodes[self.root as usize];
        (root.count, root.tried) = (new_count, new_tried);
    }

    /// Whether more simulations are useless, because the root is proven, or because its counters are full.
    pub fn is_done(&self) -> bool {
        let root = &self.nodes[self.root as usize];
        root.proof.is_some() || root.tally.visits() >= u32::MAX / 2
    }

    /// The moves that were tried at the root, with their nodes.
    pub fn tried(&self) -> impl Iterator<Item = (Edge<G::Move>, Node)> {
        let Node { edges, tried, .. } = self.nodes[self.root as usize];
        let row = &self.edges.rows[edges as usize..(edges + tried) as usize];
        row.iter().map(|edge| (*edge, self.nodes[edge.child as usize]))
    }
}

fn node_of<G: Game>(state: &G) -> Node {
    let proof = state.ending().map(|ending| NodeProof { ending, moves: 0 });
    Node { tally: EndingCounts::default(), edges: 0, count: 0, tried: 0, turn: state.turn(), proof }
}

/// A key for the class of the state after a move.
pub(crate) fn class_after<G: Game>(state: &G, played: G::Move) -> Option<u128> {
    let mut after = state.clone();
    after.play(played);
    after.canonical().key()
}
