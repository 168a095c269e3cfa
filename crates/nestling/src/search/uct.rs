//! UCT for one agent: a tree grown by simulations; each child is rated by its mean plus a bonus for few visits.
//!
//! Cazenave, *Reflexive Monte-Carlo Search*, 2007, table 3: μ + sqrt(log t / (C·s)), the mean on the problem's own scale;
//! after Kocsis and Szepesvári, *Bandit based Monte-Carlo Planning*, 2006.

use serde::{Deserialize, Serialize};

use super::{
    Algorithm, Argument, Form, Found, Frame, Menu, Parts, Plan, PlanError, Planned, Planner, Profile, Reason, TaskSlot,
};
use super::{FrameCheck, ILLEGAL, SearchProgress, SearchReport, Split, Task, require};
use crate::bounded::{self, DEFAULT_MEMORY, MOST_MEMORY, PLACE_BYTES, Places, WeightsByVisits, make_room};
use crate::checkpoint::CheckpointError;
use crate::estimate::Estimate;
use crate::expression::Search;
use crate::math::ln;
use crate::playout::{PlayoutPolicy, Scratch, play_out};
use crate::problem::{Move, Problem};
use crate::stream::{Rng, Stream};

/// `uct(n)`: upper confidence bounds applied to trees.
pub struct Uct;

impl Algorithm for Uct {
    const FORM: Form = Form {
        name: "uct",
        example: "uct(10000)",
        about: "grows a search tree by n simulations, which mostly follow the moves with good scores",
        arguments: &[Argument::integer("simulations", 1, 100_000_000)
            .symbol("n")
            .remedy("use repeat(k, uct(n))")
            .about("simulations per tree")],
        options: &[
            Argument::positive("c")
                .default_number(0.1)
                .about("a larger c explores less: the value of a move is μ + sqrt(ln t / (c·s)), with its mean μ, its visits s and the visits t of its position"),
            Argument::integer("trees", 1, 1024).default_integer(1).about("independent trees"),
            Argument::integer("memory", 1, MOST_MEMORY)
                .default_integer(DEFAULT_MEMORY)
                .about("the memory of a tree in MiB; when it is full, the least visited parts are removed"),
        ],
        menu: Some(Menu {
            title: "Tree search (UCT)",
            about: "Grows a tree, mostly where the scores are good.",
            choice: "Simulations",
            choices: &["1000", "10000", "100000", "1000000"],
            usual: "10000",
        }),
    };

    fn plan<'a, P: Problem>(search: &Search, planner: &Planner<'a, P>) -> Result<Planned<'a, P>, PlanError> {
        let trees = Trees {
            simulations: search.integer("simulations"),
            c: search.number("c"),
            trees: search.integer("trees"),
            memory: bounded::bytes(search.integer("memory")),
            policy: planner.policy(search)?,
            alone: search.clone().trees(1),
        };
        planner.ready(search, trees)
    }

    fn memory(search: &Search) -> u64 {
        let tree = bounded::bytes(search.integer("memory")) as u64;
        let grown = search.integer("simulations").saturating_mul(NODE_BYTES as u64);
        tree.min(grown).saturating_mul(search.integer("trees"))
    }
}

/// Upper confidence bounds applied to trees.
///
/// # Panics
///
/// The options panic when the search has none of their name.
impl Search {
    /// Upper confidence bounds applied to trees.
    pub fn uct(simulations: u64) -> Search {
        Search::of::<Uct>().with("simulations", simulations)
    }

    /// `c=`, of `uct`.
    #[must_use]
    pub fn c(self, value: f64) -> Search {
        self.with("c", value)
    }

    /// `trees=`, of `uct`.
    #[must_use]
    pub fn trees(self, value: u64) -> Search {
        self.with("trees", value)
    }

    /// `memory=`, of `uct`, in MiB for each tree.
    #[must_use]
    pub fn tree_memory(self, value: u64) -> Search {
        self.with("memory", value)
    }
}

struct Trees {
    simulations: u64,
    c: f64,
    trees: u64,
    /// The bytes that a tree may take.
    memory: usize,
    policy: PlayoutPolicy,
    /// The same with one tree.
    alone: Search,
}

/// The tag of the frames of single trees.
pub(super) const TREE: &str = "tree of uct";

/// Several independent trees; for one agent only the best game of all simulations counts.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Growing<M> {
    tally: SearchProgress<M>,
    split: Split<M>,
}

/// One tree. Only moves that have been tried have a node, so n simulations make at most n + 1 of them.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "M: Move")]
pub(super) struct Tree<M> {
    tally: SearchProgress<M>,
    next: u64,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Node {
    /// The newest child and the next older sibling; 0, the root, stands for none.
    child: u32,
    sibling: u32,
    /// Which of the parent's legal moves leads here.
    choice: u32,
    children: u32,
    visits: u32,
    /// The sum of the simulations' scores, larger being better.
    sum: f64,
}

/// The memory that a node takes, and what pruning needs for it.
const NODE_BYTES: usize = size_of::<Node>() + PLACE_BYTES;

impl<P: Problem> Plan<P> for Trees {
    type Frame = Growing<P::Move>;

    /// Grows the trees from a state; the best game of all simulations.
    fn run(
        &self,
        task: &Task<'_, P::Move>,
        state: &P,
        stream: Stream,
        frame: Option<Self::Frame>,
    ) -> SearchReport<P::Move, Self::Frame> {
        let mut this = frame.unwrap_or_else(|| Growing { tally: SearchProgress::default(), split: Split::default() });
        // A single tree draws from the search's own stream, so that each of several can be grown again separately.
        let stream_of = |tree| if self.trees == 1 { stream } else { stream.child(tree) };
        let tally = &mut this.tally;
        let spent = tally.counts.playouts;
        let cut = this.split.in_order(
            task,
            self.trees,
            spent,
            self.trees > 1,
            |index, task, frame| {
                let new = || Tree { tally: SearchProgress::default(), next: 0, nodes: vec![Node::default()] };
                match Frame::open(frame, TREE, 1, task, |tree: &Tree<_>| tree.check(self.simulations)) {
                    Ok(tree) => tree.unwrap_or_else(new).grow(self, task, state, stream_of(index)),
                    Err(failed) => *failed,
                }
            },
            |_, report| tally.absorb(task, &[], &report.tally),
        );
        let Some(cut) = cut else {
            let best = this.tally.seen.clone().expect("at least one simulation was asked for");
            return this.tally.finished(Found::Game(best));
        };
        let alone = |index| TaskSlot { path: &[], alone: Some((&self.alone, stream_of(index))) };
        let tally = cut.added_to(this.tally.clone(), task, alone);
        tally.cut(cut.reason, this)
    }

    fn check_frame(&self, _: &P, frame: &Self::Frame) -> FrameCheck {
        frame.split.check(self.trees, |report| report.tally.seen.is_some())?;
        require(frame.split.next == 0 || frame.tally.seen.is_some(), "its trees have no game")
    }

    fn cost(&self, profile: &Profile<'_, P>) -> Vec<Estimate> {
        // Walking the tree costs about as much again as the moves played in it.
        let games = self.simulations as f64 * self.trees as f64;
        profile.playouts(games, 1.5 * profile.seconds_per_move(&self.policy))
    }

    fn parts(&self) -> Parts {
        Parts::Games
    }
}

impl<M: Move> Tree<M> {
    fn grow<P: Problem<Move = M>>(
        mut self,
        plan: &Trees,
        task: &Task<'_, M>,
        start: &P,
        stream: Stream,
    ) -> SearchReport<M> {
        let mut simulation = Simulation {
            start,
            state: start.clone(),
            scratch: Scratch::new(),
            game: Vec::new(),
            path: Vec::new(),
            tried: Vec::new(),
        };
        loop {
            let stop = task.stop(&self.tally);
            if self.next == plan.simulations && stop != Some(Reason::Target) {
                break;
            }
            if let Some(reason) = stop {
                return self.tally.clone().cut(reason, self.into_frame());
            }
            self.prune_if_full(plan.memory / NODE_BYTES);
            let mut rng = stream.child(self.next).rng();
            if !self.descend(plan.c, &mut simulation, &mut rng) {
                return task.fail(CheckpointError::Damaged(format!("its state of {TREE}: {ILLEGAL}")).into());
            }
            let Simulation { state, scratch, game, path, .. } = &mut simulation;
            if let Err(reason) = play_out(state, &plan.policy, Some(task.watch), &mut rng, scratch, game) {
                self.take_back(path);
                return self.tally.clone().cut(reason, self.into_frame());
            }
            self.next += 1;
            let score = state.score();
            for &node in path.iter() {
                let node = &mut self.nodes[node as usize];
                node.visits += 1;
                node.sum += task.goal().value(score);
            }
            task.shared.show(score);
            self.tally.count(task, 1, game.len() as u64, Some((score, game)));
        }
        let best = self.tally.seen.clone().expect("at least one simulation was asked for");
        self.tally.finished(Found::Game(best))
    }

    /// Whether it can be a tree of so many simulations: every node but the root is the child of one other, and comes after it and after its
    /// older siblings.
    fn check(&self, simulations: u64) -> FrameCheck {
        let Tree { tally, next, nodes } = self;
        let root = nodes.first().ok_or("a tree without a root")?;
        let counted = *next == tally.counts.playouts && *next == u64::from(root.visits) && *next <= simulations;
        require(counted && tally.seen.is_some() == (*next > 0), "the simulations of a tree do not match its counts")?;
        let mut has_parent = vec![false; nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            let (mut next, mut newer, mut children, mut visits) = (node.child as usize, nodes.len(), 0, 0);
            while next != 0 {
                let is_new = (index + 1..newer).contains(&next) && !std::mem::replace(&mut has_parent[next], true);
                require(is_new, "the nodes of a tree are not in order")?;
                visits += u64::from(nodes[next].visits);
                children += 1;
                (newer, next) = (next, nodes[next].sibling as usize);
            }
            let counted = children == node.children && visits <= u64::from(node.visits);
            require(counted, "the counts of a node do not match its children")?;
        }
        require(has_parent[1..].iter().all(|&has| has), "a node of a tree has no parent")
    }

    fn into_frame(self) -> Frame<M> {
        Frame::new(TREE, 1, self)
    }

    /// From the root down to a new node, or to the end of the game. False if the tree has a move that is not legal: that is not checked in
    /// advance, because it takes as long as growing the tree again.
    fn descend<P: Problem<Move = M>>(&mut self, c: f64, simulation: &mut Simulation<'_, P>, rng: &mut Rng) -> bool {
        let Simulation { start, state, scratch, game, path, tried } = simulation;
        state.clone_from(start);
        game.clear();
        path.clear();
        path.push(0);
        let mut node = 0;
        loop {
            state.legal_moves(&mut scratch.moves);
            let legal = scratch.moves.len() as u32;
            if legal == 0 {
                return true;
            }
            let is_new = self.nodes[node as usize].children < legal;
            node = if is_new { self.expand(node, legal, tried, rng) } else { self.select(node, c) };
            path.push(node);
            let Some(&played) = scratch.moves.get(self.nodes[node as usize].choice as usize) else { return false };
            state.play(played);
            game.push(played);
            if is_new {
                return true;
            }
        }
    }

    fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let mut next = self.nodes[node as usize].child;
        std::iter::from_fn(move || {
            let child = next;
            next = self.nodes[child as usize].sibling;
            (child != 0).then_some(child)
        })
    }

    /// Adds a child for one of the moves not tried yet, all equally likely.
    fn expand(&mut self, node: u32, legal: u32, tried: &mut Vec<u32>, rng: &mut Rng) -> u32 {
        let untried = legal - self.nodes[node as usize].children;
        let mut choice = rng.below(untried as usize) as u32;
        tried.clear();
        tried.extend(self.children(node).map(|child| self.nodes[child as usize].choice));
        tried.sort_unstable();
        for &tried in tried.iter() {
            choice += u32::from(tried <= choice);
        }
        let child = self.nodes.len() as u32;
        make_room(&mut self.nodes, 1);
        self.nodes.push(Node { sibling: self.nodes[node as usize].child, choice, ..Node::default() });
        let parent = &mut self.nodes[node as usize];
        parent.child = child;
        parent.children += 1;
        child
    }

    /// Removes the node that an abandoned simulation has added, if any; the simulation will be made again.
    fn take_back(&mut self, path: &[u32]) {
        if let &[.., parent, child] = path
            && self.nodes[child as usize].visits == 0
        {
            let added = self.nodes.pop().expect("the new node is the last");
            let parent = &mut self.nodes[parent as usize];
            parent.child = added.sibling;
            parent.children -= 1;
        }
    }

    /// If there are more than `most` nodes, drops the children of the least visited nodes, so that half of the nodes are left. A node
    /// without its children keeps its own value, and tries its moves again when it is visited again. The root always keeps its children. If
    /// they alone are more than half of the nodes, the number of nodes may double before the next pruning.
    fn prune_if_full(&mut self, most: usize) {
        if self.nodes.len() < most.max(2 * (self.nodes[0].children as usize + 1)) {
            return;
        }
        let mut weights = WeightsByVisits::new();
        self.nodes.iter().for_each(|node| weights.add(node.visits, node.children as usize));
        let least = weights.least(most / 2);
        let mut places = Places::new(self.nodes.len());
        places.keep(0);
        // Children come after their parents.
        for node in 0..self.nodes.len() as u32 {
            if places.keeps(node) && (node == 0 || self.nodes[node as usize].visits >= least) {
                self.children(node).for_each(|child| _ = places.keep(child));
            } else {
                let node = &mut self.nodes[node as usize];
                (node.child, node.children) = (0, 0);
            }
        }
        places.compact(&mut self.nodes, 0);
        for node in &mut self.nodes {
            (node.child, node.sibling) = (places.of(node.child), places.of(node.sibling));
        }
    }

    fn select(&self, node: u32, c: f64) -> u32 {
        let log = ln(f64::from(self.nodes[node as usize].visits));
        let worth = |child: u32| {
            let Node { visits, sum, .. } = self.nodes[child as usize];
            let visits = f64::from(visits);
            sum / visits + (log / (c * visits)).sqrt()
        };
        let worths = self.children(node).map(|child| (child, worth(child)));
        worths.reduce(|best, other| if other.1 > best.1 { other } else { best }).expect("a tried node has children").0
    }
}

/// The buffers of a simulation.
struct Simulation<'a, P: Problem> {
    start: &'a P,
    state: P,
    scratch: Scratch<P>,
    game: Vec<P::Move>,
    /// The nodes on the way down.
    path: Vec<u32>,
    tried: Vec<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::ScoredMoves;

    /// A tree in which every visited node has ten children.
    fn grown(simulations: u32, most: usize, seed: u64) -> (Tree<u8>, u32) {
        let mut tree = Tree { tally: SearchProgress::default(), next: 0, nodes: vec![Node::default()] };
        let (mut rng, mut tried, mut prunings) = (Stream::new(seed).rng(), Vec::new(), 0);
        for _ in 0..simulations {
            let before = tree.nodes.len();
            tree.prune_if_full(most);
            prunings += u32::from(tree.nodes.len() < before);
            let (mut node, mut path, mut is_new) = (0, vec![0], false);
            while !is_new && path.len() < 12 {
                is_new = tree.nodes[node as usize].children < 10;
                node = if is_new { tree.expand(node, 10, &mut tried, &mut rng) } else { tree.select(node, 5.0) };
                path.push(node);
            }
            let score = rng.unit();
            for node in path {
                tree.nodes[node as usize].visits += 1;
                tree.nodes[node as usize].sum += score;
            }
        }
        (tree, prunings)
    }

    #[test]
    fn a_tree_stays_within_its_memory_and_in_order() {
        let (tree, prunings) = grown(30_000, 2_000, 1);
        assert!(prunings > 5 && tree.nodes.len() <= 2_000, "{prunings} prunings, {} nodes", tree.nodes.len());
        assert!(tree.nodes.capacity() <= 2_250, "{} reserved", tree.nodes.capacity());
        assert_eq!(tree.nodes[0].visits, 30_000, "the root forgets nothing");
        let mut parents = vec![0; tree.nodes.len()];
        for node in 0..tree.nodes.len() as u32 {
            let mut choices: Vec<u32> = tree.children(node).map(|child| tree.nodes[child as usize].choice).collect();
            assert_eq!(choices.len(), tree.nodes[node as usize].children as usize);
            choices.sort_unstable();
            choices.dedup();
            assert_eq!(choices.len(), tree.nodes[node as usize].children as usize, "no move has two children");
            tree.children(node).for_each(|child| parents[child as usize] += 1);
            let visits = tree.children(node).map(|child| tree.nodes[child as usize].visits).sum::<u32>();
            assert!(visits <= tree.nodes[node as usize].visits);
        }
        assert!(parents[1..].iter().all(|&parents| parents == 1), "every node is the child of one other");
    }

    /// A root with more children than fit into the memory does not cause pruning at every simulation.
    #[test]
    fn a_wide_root_is_pruned_now_and_then() {
        let (tree, prunings) = grown(3_000, 4, 2);
        assert!(tree.nodes.len() <= 22 && prunings > 100 && prunings < 400, "{prunings} prunings");
    }

    /// Changes a tree, whose last node is given.
    type Forge = fn(&mut Tree<u8>, u32);

    /// A tree whose numbers somebody has changed is refused: they are indices, and a loop would never end.
    #[test]
    fn an_impossible_tree_is_refused() {
        let (mut tree, _) = grown(300, usize::MAX, 3);
        (tree.next, tree.tally.counts.playouts) = (300, 300);
        tree.tally.seen = Some(ScoredMoves::new(1.0, vec![1]));
        assert_eq!(tree.check(300), Ok(()));
        let last = tree.nodes.len() as u32 - 1;
        let forgeries: [(Forge, &str); 9] = [
            (|tree, last| tree.nodes[0].child = last + 1, "the nodes of a tree are not in order"),
            (|tree, last| tree.nodes[last as usize].child = 1, "the nodes of a tree are not in order"),
            (|tree, last| tree.nodes[last as usize].sibling = last, "the nodes of a tree are not in order"),
            (|tree, _| tree.nodes[0].children += 1, "the counts of a node do not match its children"),
            (|tree, _| tree.nodes[1].visits += 400, "the counts of a node do not match its children"),
            (|tree, _| tree.nodes[0].visits += 1, "the simulations of a tree do not match its counts"),
            (|tree, _| tree.tally.seen = None, "the simulations of a tree do not match its counts"),
            (|tree, _| tree.nodes.push(Node::default()), "a node of a tree has no parent"),
            (|tree, _| tree.nodes.clear(), "a tree without a root"),
        ];
        for (forge, message) in forgeries {
            let mut forged = Tree { tally: tree.tally.clone(), next: tree.next, nodes: tree.nodes.clone() };
            forge(&mut forged, last);
            assert_eq!(forged.check(300), Err(message));
        }
        assert!(tree.check(299).is_err(), "it has more simulations than the search");
    }
}
