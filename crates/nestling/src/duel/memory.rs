//! A tree that begins with games that were played before, each worth as much as its weight says.
//!
//! The paper's idea for the opening, where a tree is so wide that it learns little from one search: store the results of
//! earlier games, build an initial tree from them, and weigh them differently from games that are played now.

use std::collections::HashMap;

use super::edges::NONE;
use super::tree::{Node, Tree};
use super::uct::Plan;
use crate::game::{Ending, Game};

/// A game that was played before, from the state where a strategy begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Past<M> {
    /// Its moves.
    pub moves: Vec<M>,
    /// How it ended.
    pub ending: Ending,
}

/// Games that were played before, by the names that strategies call them by.
pub type Memories<M> = HashMap<String, Vec<Past<M>>>;

impl<G: Game> Tree<G> {
    /// Adds games to a tree that has just been planted at `start`.
    pub fn remember(&mut self, start: &G, games: &[Past<G::Move>], weight: f64, plan: &Plan) {
        for past in games {
            self.follow(start, past, plan);
        }
        for node in &mut self.nodes {
            node.tally = node.tally.weighted(weight);
        }
        for node in 0..self.nodes.len() {
            self.weigh_edges(node, weight, plan);
        }
    }

    /// Counts one game at every node on its way, down to the first new one.
    fn follow(&mut self, start: &G, past: &Past<G::Move>, plan: &Plan) {
        self.begin();
        let (mut node, mut board) = (self.root, start.clone());
        for &played in &past.moves {
            board.play(played);
            let Some(edge) = self.edge_to(node, played, &board, plan) else { break };
            self.nodes[node as usize].tally.add(past.ending);
            self.edges.ways[edge as usize].visits += 1;
            node = self.step(edge, plan);
            // As in a simulation, a game adds one node.
            if self.nodes[node as usize].tally.visits() == 0 {
                break;
            }
        }
        self.nodes[node as usize].tally.add(past.ending);
    }

    /// The edge from a node, where the walk has arrived, that leads to `after`; it counts as tried.
    fn edge_to(&mut self, node: u32, played: G::Move, after: &G, plan: &Plan) -> Option<u32> {
        self.expand_if_new(node, plan);
        let index = self.place_of(node, &self.state, played, after, plan.symmetry)?;
        let Node { edges, tried, .. } = self.nodes[node as usize];
        if index < tried {
            return Some(edges + index);
        }
        self.edges.ways.swap((edges + index) as usize, (edges + tried) as usize);
        self.nodes[node as usize].tried += 1;
        Some(edges + tried)
    }

    /// Multiplies the visits of a node's edges. Those of which nothing is left count as not tried.
    fn weigh_edges(&mut self, node: usize, weight: f64, plan: &Plan) {
        let Node { edges, tried, turn, .. } = self.nodes[node];
        self.nodes[node].tried = 0;
        for index in 0..tried {
            let way = &mut self.edges.ways[(edges + index) as usize];
            let left = self.nodes[way.child as usize].tally.visits();
            way.visits = ((f64::from(way.visits) * weight).round() as u32).min(left);
            if way.visits == 0 {
                way.child = NONE;
                continue;
            }
            let place = edges + self.nodes[node].tried;
            self.edges.ways.swap((edges + index) as usize, place as usize);
            self.nodes[node].tried += 1;
            self.settle(place, turn, plan);
        }
    }
}
