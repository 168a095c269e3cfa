//! What a tree forgets when its memory is full: first what the game has left behind, then what was visited least.

use super::edges::{Edges, NONE, Way};
use super::tree::{Node, Tree};
use crate::game::Game;

impl<G: Game> Tree<G> {
    /// The memory that nodes, edges and table take.
    pub fn bytes(&self) -> usize {
        // A hash table keeps about half of its places free.
        let table = self.table.as_ref().map_or(0, |table| table.len() * 2 * size_of::<(u128, u32)>());
        self.nodes.len() * size_of::<Node>() + self.edges.ways.len() * Edges::<G::Move>::BYTES + table
    }

    /// Keeps the part of the tree below the root, and of that only the edges of nodes that were visited often, about half of what
    /// the memory holds. A node whose edges are dropped keeps its value and its proof, and grows new edges when it is visited
    /// again.
    pub fn prune(&mut self) {
        let least = self.least_visits();
        let mut new_places = vec![u32::MAX; self.nodes.len()];
        let mut kept = vec![self.root];
        new_places[self.root as usize] = 0;
        let mut edges = Edges::new();
        let mut nodes: Vec<Node> = Vec::new();
        while let Some(&old) = kept.get(nodes.len()) {
            let mut node = self.nodes[old as usize];
            let row = node.edges as usize..(node.edges + node.count) as usize;
            node.edges = edges.ways.len() as u32;
            if node.tally.visits() < least && old != self.root {
                (node.count, node.tried) = (0, 0);
                nodes.push(node);
                continue;
            }
            edges.means.extend_from_slice(&self.edges.means[row.clone()]);
            edges.spreads.extend_from_slice(&self.edges.spreads[row.clone()]);
            for &way in &self.edges.ways[row] {
                let mut child = NONE;
                if way.child != NONE {
                    let place = &mut new_places[way.child as usize];
                    if *place == u32::MAX {
                        *place = kept.len() as u32;
                        kept.push(way.child);
                    }
                    child = *place;
                }
                edges.ways.push(Way { child, ..way });
            }
            nodes.push(node);
        }
        (self.nodes, self.edges, self.root) = (nodes, edges, 0);
        if let Some(table) = &mut self.table {
            table.retain(|_, node| new_places[*node as usize] != u32::MAX);
            table.values_mut().for_each(|node| *node = new_places[*node as usize]);
            table.shrink_to_fit();
        }
        // Where even the root's own edges are too many for the memory, pruning at every simulation would not help.
        self.limit = self.memory.max(2 * self.bytes());
    }

    /// The number of visits, a power of two, from which on nodes keep their edges so that half of the memory is free again.
    fn least_visits(&self) -> u32 {
        let mut weights = [0; 33];
        let mut reached = vec![false; self.nodes.len()];
        let mut waiting = vec![self.root];
        while let Some(node) = waiting.pop() {
            let Node { edges, tried, count, tally, .. } = self.nodes[node as usize];
            weights[tally.visits().checked_ilog2().map_or(0, |power| power as usize + 1)] +=
                tried as usize * size_of::<Node>() + count as usize * Edges::<G::Move>::BYTES;
            for way in &self.edges.ways[edges as usize..(edges + tried) as usize] {
                if !std::mem::replace(&mut reached[way.child as usize], true) {
                    waiting.push(way.child);
                }
            }
        }
        let (mut power, mut sum) = (32, weights[32]);
        while power > 0 && sum + weights[power - 1] <= self.memory / 2 {
            power -= 1;
            sum += weights[power];
        }
        power.checked_sub(1).map_or(0, |power| 1 << power)
    }
}
