//! The tree of one search: nodes and edges in arenas, grown by simulations.
//!
//! **Counts are on edges, values on nodes.** A node is worth what all simulations through it came to, whichever parent they
//! came from; how often an edge was walked is counted on the edge alone. So positions that are reached in several ways can
//! share one node, and every parent's bound is still about its own visits.

use rustc_hash::FxHashMap;

use super::EndingCounts;
use super::adaptation::Adaptation;
use super::edges::{Edge, Edges, NONE, root_of_log};
use super::uct::Plan;
use crate::bounded::make_room;
use crate::game::{Ending, Game, Player, PlayerResult, Proof, Solver};
use crate::stream::Rng;
use crate::watch::Cancel;

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub tally: EndingCounts,
    /// The first of its edges, which lie in a row; those that were tried come first.
    pub edges: u32,
    /// How many edges it has; none before a simulation passes through.
    pub count: u32,
    /// How many of them were tried.
    pub tried: u32,
    pub turn: Player,
    /// What it comes to with best play, once known.
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
    /// The state of the root. With symmetry it may be another of its class than the state on the board.
    pub start: G,
    /// Nodes by the keys of their states, where transpositions are to be found.
    pub table: Option<FxHashMap<u128, u32>>,
    /// The bytes that the arenas may take.
    pub memory: usize,
    /// They are pruned when they take this many.
    pub limit: usize,
    pub solver: Option<Box<dyn Solver<G>>>,
    /// Playouts that learn, where they are wanted.
    adaptation: Option<Adaptation<G>>,
    /// Where the walk has arrived.
    pub state: G,
    moves: Vec<G::Move>,
    keys: Vec<u128>,
    path: Vec<(u32, u32)>,
}

/// Solving a leaf may take this many nodes, the time of some dozens of simulations; after that it is played out.
const LEAF_NODES: u64 = 300;

/// Leaves are solved so many stages later than moves at the root, because there are so many more of them.
const LATER: u32 = 3;

impl<G: Game> Tree<G> {
    pub fn new(start: &G, plan: &Plan, cancel: &Cancel) -> Self {
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

    /// Forgets everything and begins at a state.
    pub fn plant(&mut self, start: &G, plan: &Plan) {
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

    /// Whether walks go on from the representatives of states, as they must where symmetric states share a node.
    fn moves_frames(&self, plan: &Plan) -> bool {
        plan.symmetry && self.table.is_some()
    }

    /// One simulation: down the tree to a new node, a playout from there, and the ending told to every node on the way.
    pub fn simulate(&mut self, plan: &Plan, rng: &mut Rng) {
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
                adaptation.note(&self.state, plan.policy, self.edges.ways[edge as usize].played);
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

    /// Takes the walk back to the root.
    pub fn begin(&mut self) {
        self.state.clone_from(&self.start);
        self.path.clear();
    }

    /// Gives the node where the walk has arrived its edges, if it has none yet: none of them tried, and one together for moves
    /// that lead to symmetric states.
    #[inline]
    pub fn expand_if_new(&mut self, node: u32, plan: &Plan) {
        if self.nodes[node as usize].count == 0 {
            self.expand(node, plan);
        }
    }

    fn expand(&mut self, node: u32, plan: &Plan) {
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
        (*edges, *count, *tried) = (self.edges.ways.len() as u32, self.moves.len() as u32, 0);
        self.edges.add(&self.moves);
    }

    /// An edge that was not tried yet, each with the same probability, or else the most promising one.
    fn choose(&mut self, node: u32, plan: &Plan, rng: &mut Rng) -> u32 {
        let Node { edges, count, tried, tally, turn, .. } = self.nodes[node as usize];
        if tried < count {
            let drawn = rng.below((count - tried) as usize) as u32;
            self.edges.ways.swap((edges + tried) as usize, (edges + tried + drawn) as usize);
            self.nodes[node as usize].tried += 1;
            return edges + tried;
        }
        let row = edges as usize..(edges + count) as usize;
        if self.table.is_some() {
            for edge in row.clone() {
                self.edges.means[edge] = self.mean(self.edges.ways[edge].child, turn, plan);
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

    /// Walks along an edge to the next node, which is made, or found, at the first visit.
    #[inline]
    pub fn step(&mut self, edge: u32, plan: &Plan) -> u32 {
        let Edge { played, child: known, .. } = self.edges.ways[edge as usize];
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
        self.edges.ways[edge as usize].child = child;
        child
    }

    /// What the solver says of `self.state`, where playouts are not to be trusted and it is quickly done: late in the game,
    /// as long as the solver does not screen the moves at the root. Draws are played out all the same: against somebody
    /// who errs there are better and worse ones.
    fn solved_leaf(&mut self, plan: &Plan) -> Option<NodeProof> {
        let from = plan.exact.filter(|&from| self.start.stage() < from)?;
        if self.state.stage() < from.saturating_add(LATER) {
            return None;
        }
        let ending = self.solver.as_mut()?.ending(&self.state, LEAF_NODES)?;
        (ending != Ending::Draw).then_some(NodeProof { ending, moves: 0 })
    }

    fn back_up(&mut self, leaf: u32, mut ending: Ending, plan: &Plan) {
        self.nodes[leaf as usize].tally.add(ending);
        while let Some((node, edge)) = self.path.pop() {
            let child = self.edges.ways[edge as usize].child;
            if plan.proof && self.nodes[child as usize].proof.is_some() {
                self.nodes[node as usize].proof = self.prove(node, child);
                // What is proven is worth more than what this playout happened to come to.
                ending = self.nodes[node as usize].proof.map_or(ending, |proof| proof.ending);
            }
            self.nodes[node as usize].tally.add(ending);
            self.edges.ways[edge as usize].visits += 1;
            self.settle(edge, self.nodes[node as usize].turn, plan);
        }
    }

    /// Brings what a walk compares of an edge up to date with its visits and its child.
    #[inline]
    pub fn settle(&mut self, edge: u32, mover: Player, plan: &Plan) {
        let Edge { visits, child, .. } = self.edges.ways[edge as usize];
        self.edges.means[edge as usize] = self.mean(child, mover, plan);
        self.edges.spreads[edge as usize] = 1.0 / (visits as f32).sqrt();
    }

    /// What a node is worth to the player who moves there. Nobody moves into a proven loss while there is another move.
    fn mean(&self, child: u32, mover: Player, plan: &Plan) -> f32 {
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

    /// What follows for a node from one of its children being proven: one win is enough, anything else takes all children.
    fn prove(&self, node: u32, child: u32) -> Option<NodeProof> {
        let Node { edges, count, tried, turn, .. } = self.nodes[node as usize];
        let later = |proof: NodeProof| NodeProof { moves: proof.moves.saturating_add(1), ..proof };
        let proven = self.nodes[child as usize].proof?;
        if proven.ending == Ending::Win(turn) {
            return Some(later(proven));
        }
        let mut best = Some(proven).filter(|_| tried == count)?;
        for way in &self.edges.ways[edges as usize..(edges + count) as usize] {
            let proof = self.nodes[way.child as usize].proof?;
            if Proof::from(proof).rank(turn) > Proof::from(best).rank(turn) {
                best = proof;
            }
        }
        Some(later(best))
    }

    /// Makes `after`, the state after a move, the root and keeps what is known about it.
    pub fn advance(&mut self, played: G::Move, after: &G, plan: &Plan) {
        let found = match &self.table {
            Some(table) => {
                let start = if plan.symmetry { after.canonical() } else { after.clone() };
                start.key().and_then(|key| table.get(&key)).map(|&node| (node, start))
            }
            None => self.tried_way_to(played, after, plan.symmetry).map(|way| {
                let mut start = self.start.clone();
                start.play(way.played);
                (way.child, start)
            }),
        };
        match found.filter(|_| plan.keeps_tree) {
            Some((node, start)) => (self.root, self.start) = (node, start),
            None => self.plant(after, plan),
        }
    }

    fn tried_way_to(&self, played: G::Move, after: &G, symmetry: bool) -> Option<Edge<G::Move>> {
        let Node { edges, tried, .. } = self.nodes[self.root as usize];
        let index = self.place_of(self.root, &self.start, played, after, symmetry).filter(|&index| index < tried)?;
        Some(self.edges.ways[(edges + index) as usize])
    }

    /// Which of a node's edges leads from its state, as the tree has it, to `after`, as the board has it: the move that was
    /// `played`, or with symmetry one like it.
    pub fn place_of(&self, node: u32, state: &G, played: G::Move, after: &G, symmetry: bool) -> Option<u32> {
        let Node { edges, count, .. } = self.nodes[node as usize];
        let class = if symmetry { after.canonical().key() } else { None };
        let mut row = self.edges.ways[edges as usize..(edges + count) as usize].iter();
        let leads_there = |way: &Edge<G::Move>| match class {
            Some(_) => class_after(state, way.played) == class,
            None => way.played == played,
        };
        row.position(leads_there).map(|index| index as u32)
    }

    /// Makes the root ready for a search, which has to find out by which move the root comes to what was proven.
    pub fn open(&mut self) {
        self.nodes[self.root as usize].proof = None;
        self.adaptation.iter_mut().for_each(Adaptation::forget);
    }

    /// Leaves the root only those of its edges that lead to one of these moves, which must be legal.
    pub fn restrict(&mut self, kept: impl Fn(&G, G::Move) -> bool, plan: &Plan) {
        self.begin();
        self.expand_if_new(self.root, plan);
        let Node { edges, count, tried, .. } = self.nodes[self.root as usize];
        let (mut new_count, mut new_tried) = (0, 0);
        for index in 0..count {
            let from = (edges + index) as usize;
            if kept(&self.start, self.edges.ways[from].played) {
                let to = (edges + new_count) as usize;
                self.edges.ways.swap(from, to);
                self.edges.means.swap(from, to);
                self.edges.spreads.swap(from, to);
                new_count += 1;
                new_tried += u32::from(index < tried);
            }
        }
        let root = &mut self.nodes[self.root as usize];
        (root.count, root.tried) = (new_count, new_tried);
    }

    /// Whether more simulations would change nothing, because it is known what the root comes to, or could not be counted.
    pub fn is_done(&self) -> bool {
        let root = &self.nodes[self.root as usize];
        root.proof.is_some() || root.tally.visits() >= u32::MAX / 2
    }

    /// The moves that were tried at the root, with what is known about them.
    pub fn tried(&self) -> impl Iterator<Item = (Edge<G::Move>, Node)> {
        let Node { edges, tried, .. } = self.nodes[self.root as usize];
        let row = &self.edges.ways[edges as usize..(edges + tried) as usize];
        row.iter().map(|way| (*way, self.nodes[way.child as usize]))
    }
}

fn node_of<G: Game>(state: &G) -> Node {
    let proof = state.ending().map(|ending| NodeProof { ending, moves: 0 });
    Node { tally: EndingCounts::default(), edges: 0, count: 0, tried: 0, turn: state.turn(), proof }
}

/// What tells the class of the state after a move from other classes.
pub(crate) fn class_after<G: Game>(state: &G, played: G::Move) -> Option<u128> {
    let mut after = state.clone();
    after.play(played);
    after.canonical().key()
}
