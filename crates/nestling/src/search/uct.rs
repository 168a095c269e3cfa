//! UCT for one agent: a tree grown by simulations, each child worth its mean and a bonus for being little known.
//!
//! Cazenave, *Reflexive Monte-Carlo Search*, 2007, table 3: μ + sqrt(log t / (C·s)), the mean on the problem's own scale;
//! after Kocsis and Szepesvári, *Bandit based Monte-Carlo Planning*, 2006.

use serde::{Deserialize, Serialize};

use super::split::{Place, Split};
use super::{Frame, Report, Tally, Task};
use crate::expression::Search;
use crate::math::ln;
use crate::plan::UctPlan;
use crate::playout::{Scratch, play_out};
use crate::problem::Problem;
use crate::stream::{Rng, Stream};
use crate::watch::Reason;

/// Several independent trees; for one agent only the best game of all simulations counts.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Uct<M> {
    tally: Tally<M>,
    split: Split<M>,
}

/// One tree. Only moves that have been tried have a node, so n simulations make at most n + 1 of them.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Tree<M> {
    tally: Tally<M>,
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

/// Grows the plan's trees from a state; the best game of all simulations.
pub(crate) fn uct<P: Problem>(
    plan: &UctPlan,
    search: &Search,
    task: &Task<'_, P::Move>,
    state: &P,
    stream: Stream,
    frame: Option<Frame<P::Move>>,
) -> Report<P::Move> {
    let mut this = match frame {
        Some(Frame::Uct(frame)) => frame,
        _ => Uct { tally: Tally::default(), split: Split::default() },
    };
    // One tree draws from the search's own stream, so that each of several can be grown again alone.
    let stream_of = |tree| if plan.trees == 1 { stream } else { stream.child(tree) };
    let tally = &mut this.tally;
    let spent = tally.counts.playouts;
    let cut = this.split.in_order(
        task,
        plan.trees,
        spent,
        plan.trees > 1,
        |index, task, frame| {
            let tree = match frame {
                Some(Frame::Tree(tree)) => tree,
                _ => Tree { tally: Tally::default(), next: 0, nodes: vec![Node::default()] },
            };
            tree.grow(plan, task, state, stream_of(index))
        },
        |_, report| tally.absorb(task, &[], &report.tally),
    );
    let Some(cut) = cut else {
        let best = this.tally.seen.clone().expect("at least one simulation was asked for");
        return this.tally.finished(best);
    };
    let alone = search.clone().trees(1);
    let tally =
        cut.added_to(this.tally.clone(), task, |index| Place { path: &[], alone: Some((&alone, stream_of(index))) });
    tally.cut(cut.reason, Frame::Uct(this))
}

impl<M: Copy> Tree<M> {
    fn grow<P: Problem<Move = M>>(
        mut self,
        plan: &UctPlan,
        task: &Task<'_, M>,
        start: &P,
        stream: Stream,
    ) -> Report<M> {
        let mut simulation = Simulation {
            start,
            state: start.clone(),
            scratch: Scratch::new(),
            game: Vec::new(),
            path: Vec::new(),
            tried: Vec::new(),
        };
        loop {
            if self.tally.seen.as_ref().is_some_and(|seen| task.reached(seen.score)) {
                return self.tally.clone().cut(Reason::Target, Frame::Tree(self));
            }
            if self.next == plan.simulations {
                break;
            }
            let left = self.tally.left(task.limit);
            if let Some(reason) = task.watch.reason().or((left == 0).then_some(Reason::Playouts)) {
                return self.tally.clone().cut(reason, Frame::Tree(self));
            }
            let mut rng = stream.child(self.next).rng();
            self.next += 1;
            self.descend(plan.c, &mut simulation, &mut rng);
            let Simulation { state, scratch, game, path, .. } = &mut simulation;
            play_out(state, &plan.policy, &mut rng, scratch, game);
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
        self.tally.finished(best)
    }

    /// From the root down to a new node, or to the end of the game.
    fn descend<P: Problem<Move = M>>(&mut self, c: f64, simulation: &mut Simulation<'_, P>, rng: &mut Rng) {
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
                return;
            }
            let is_new = self.nodes[node as usize].children < legal;
            node = if is_new { self.expand(node, legal, tried, rng) } else { self.select(node, c) };
            path.push(node);
            let played = scratch.moves[self.nodes[node as usize].choice as usize];
            state.play(played);
            game.push(played);
            if is_new {
                return;
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
        self.nodes.push(Node { sibling: self.nodes[node as usize].child, choice, ..Node::default() });
        let parent = &mut self.nodes[node as usize];
        parent.child = child;
        parent.children += 1;
        child
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
