//! A tree that begins with games played earlier; each counts with a weight.
//!
//! The paper's idea for the opening, where a tree is so wide that it learns little from one search: store the results of earlier games,
//! build an initial tree from them, and weight them differently from simulations.

use std::collections::HashMap;

use super::edges::NONE;
use super::tree::{Node, Tree};
use super::uct::TreeSettings;
use crate::game::{Ending, Game};

/// A game that was played earlier, from the state where a strategy begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Past<M> {
    /// Its moves.
    pub moves: Vec<M>,
    /// Its ending.
    pub ending: Ending,
}

/// Games that were played earlier, by the names that strategies use for them.
pub type Memories<M> = HashMap<String, Vec<Past<M>>>;

impl<G: Game> Tree<G> {
    /// Adds games to a new tree with the root `start`.
    pub fn remember(&mut self, start: &G, games: &[Past<G::Move>], weight: f64, plan: &TreeSettings) {
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

    /// Counts one game at every node along it, down to the first new one.
    fn follow(&mut self, start: &G, past: &Past<G::Move>, plan: &TreeSettings) {
        self.begin();
        let (mut node, mut board) = (self.root, start.clone());
        for &played in &past.moves {
            board.play(played);
            let Some(edge) = self.edge_to(node, played, &board, plan) else { break };
            self.nodes[node as usize].tally.add(past.ending);
            self.edges.rows[edge as usize].visits += 1;
            node = self.step(edge, plan);
            // As in a simulation, a game adds one node.
            if self.nodes[node as usize].tally.visits() == 0 {
                break;
            }
        }
        self.nodes[node as usize].tally.add(past.ending);
    }

    /// The edge from a node, at the current state of the walk, that leads to `after`; it counts as tried.
    fn edge_to(&mut self, node: u32, played: G::Move, after: &G, plan: &TreeSettings) -> Option<u32> {
        self.expand_if_new(node, plan);
        let index = self.place_of(node, &self.state, played, after, plan.symmetry)?;
        let Node { edges, tried, .. } = self.nodes[node as usize];
        if index < tried {
            return Some(edges + index);
        }
        self.edges.rows.swap((edges + index) as usize, (edges + tried) as usize);
        self.nodes[node as usize].tried += 1;
        Some(edges + tried)
    }

    /// Multiplies the visits of a node's edges. Edges whose visits become 0 count as not tried.
    fn weigh_edges(&mut self, node: usize, weight: f64, plan: &TreeSettings) {
        let Node { edges, tried, turn, .. } = self.nodes[node];
        self.nodes[node].tried = 0;
        for index in 0..tried {
            let edge = &mut self.edges.rows[(edges + index) as usize];
            let left = self.nodes[edge.child as usize].tally.visits();
            edge.visits = ((f64::from(edge.visits) * weight).round() as u32).min(left);
            if edge.visits == 0 {
                edge.child = NONE;
                continue;
            }
            let place = edges + self.nodes[node].tried;
            self.edges.rows.swap((edges + index) as usize, place as usize);
            self.nodes[node].tried += 1;
            self.settle(place, turn, plan);
        }
    }
}
