//! Dropping nodes when the memory of a tree is full: first those that the game can no longer reach, then the least visited.

use super::edges::{Edges, NONE};
use super::tree::{Node, Tree};
use crate::bounded::{PLACE_BYTES, Places, WeightsByVisits};
use crate::game::Game;

impl<G: Game> Tree<G> {
    /// The bytes that nodes, edges and table take, including what pruning needs.
    pub fn bytes(&self) -> usize {
        let table = self.table.as_ref().map_or(0, |table| table_bytes(table.len()));
        let nodes = self.nodes.len() * (size_of::<Node>() + PLACE_BYTES);
        nodes + self.edges.rows.len() * Edges::<G::Move>::BYTES + table
    }

    /// Keeps the part of the tree below the root, and of that only the edges of often visited nodes: about half of the memory. A node whose
    /// edges are dropped keeps its value and its proof, and gets new edges when it is visited again. Everything is moved in place.
    pub fn prune(&mut self) {
        let mut places = self.drop_edges(self.least_visits());
        places.compact(&mut self.nodes, self.root);
        self.root = 0;
        self.compact_edges(&places);
        if let Some(table) = &mut self.table {
            table.retain(|_, node| places.keeps(*node));
            table.values_mut().for_each(|node| *node = places.of(*node));
            table.shrink_to_fit();
        }
        // If the root's edges alone exceed the memory, pruning at every simulation would not help.
        self.limit = self.memory.max(2 * self.bytes());
    }

    /// The least number of visits with which nodes keep their edges, so that half of the memory becomes free.
    fn least_visits(&self) -> u32 {
        let node_bytes =
            size_of::<Node>() + PLACE_BYTES + self.table.as_ref().map_or(0, |_| table_bytes(1 << 20) >> 20);
        let mut weights = WeightsByVisits::new();
        let mut reached = Places::new(self.nodes.len());
        let mut waiting = vec![self.root];
        while let Some(node) = waiting.pop() {
            let Node { tried, count, tally, .. } = self.nodes[node as usize];
            weights.add(tally.visits(), tried as usize * node_bytes + count as usize * Edges::<G::Move>::BYTES);
            waiting.extend(self.children(node).filter(|&child| reached.keep(child)));
        }
        weights.least(self.memory / 2)
    }

    /// Drops the edges of nodes below the root that have fewer visits. Nodes that can still be reached are kept.
    fn drop_edges(&mut self, least: u32) -> Places {
        let mut places = Places::new(self.nodes.len());
        places.keep(self.root);
        let mut waiting = vec![self.root];
        while let Some(node) = waiting.pop() {
            if self.nodes[node as usize].tally.visits() < least && node != self.root {
                let node = &mut self.nodes[node as usize];
                (node.edges, node.count, node.tried) = (0, 0, 0);
            }
            waiting.extend(self.children(node).filter(|&child| places.keep(child)));
        }
        places
    }

    fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let Node { edges, tried, .. } = self.nodes[node as usize];
        self.edges.rows[edges as usize..(edges + tried) as usize].iter().map(|edge| edge.child)
    }

    /// Moves the remaining rows of edges together, in their order.
    fn compact_edges(&mut self, places: &Places) {
        let mut owners: Vec<u32> =
            (0..self.nodes.len() as u32).filter(|&node| self.nodes[node as usize].count > 0).collect();
        owners.sort_unstable_by_key(|&node| self.nodes[node as usize].edges);
        let mut end = 0;
        for owner in owners {
            let Node { edges, count, .. } = &mut self.nodes[owner as usize];
            let row = self.edges.move_row(*edges as usize..(*edges + *count) as usize, end);
            for edge in row.iter_mut().filter(|edge| edge.child != NONE) {
                edge.child = places.of(edge.child);
            }
            *edges = end as u32;
            end += *count as usize;
        }
        self.edges.truncate(end);
    }
}

/// The bytes of a hash table with so many entries. Its capacity is a power of two, at most seven eighths of it used; while it grows, the
/// old table of half the size exists too.
fn table_bytes(entries: usize) -> usize {
    let places = (entries * 8 / 7 + 1).next_power_of_two();
    places * (size_of::<(u128, u32)>() + 1) * 3 / 2
}

#[cfg(test)]
mod tests {
    use super::super::Strategy;
    use super::super::uct::TreeSettings;
    use super::*;
    use crate::game::{Ending, Player};
    use crate::stream::Stream;
    use crate::watch::Cancel;

    /// A game in which both name digits in turn; the sum of eight digits decides.
    #[derive(Clone)]
    struct Digits(Vec<u8>);

    impl Game for Digits {
        type Move = u8;

        fn legal_moves(&self, moves: &mut Vec<u8>) {
            moves.clear();
            moves.extend((0..12).filter(|_| self.ending().is_none()));
        }

        fn play(&mut self, played: u8) {
            self.0.push(played);
        }

        fn turn(&self) -> Player {
            Player::BOTH[self.0.len() % 2]
        }

        fn ending(&self) -> Option<Ending> {
            let winner = Player::BOTH[self.0.iter().map(|&digit| usize::from(digit * digit)).sum::<usize>() % 2];
            (self.0.len() == 8).then_some(Ending::Win(winner))
        }

        /// The order of the digits makes no difference, so there are transpositions.
        fn key(&self) -> Option<u128> {
            let counts = (0..12).map(|digit| self.0.iter().filter(|&&other| other == digit).count() as u128);
            Some(counts.fold(self.0.len() as u128, |key, count| key << 4 | count))
        }
    }

    /// Walks through the whole tree and checks that every node belongs to the state that leads to it.
    fn check(tree: &Tree<Digits>, node: u32, state: &Digits, seen: &mut Vec<bool>) {
        let Node { edges, count, tried, turn, tally, .. } = tree.nodes[node as usize];
        if std::mem::replace(&mut seen[node as usize], true) {
            return;
        }
        assert!(state.ending().is_some() || turn == state.turn());
        let row = &tree.edges.rows[edges as usize..(edges + count) as usize];
        let mut moves: Vec<u8> = row.iter().map(|edge| edge.played).collect();
        moves.sort_unstable();
        assert!(count == 0 || moves == (0..12).collect::<Vec<_>>(), "a node has the edges of another: {moves:?}");
        assert!(row.iter().map(|edge| edge.visits).sum::<u32>() <= tally.visits());
        for (index, edge) in row.iter().enumerate() {
            assert_eq!(edge.child != NONE, index < tried as usize);
            if edge.child != NONE {
                let mut after = state.clone();
                after.play(edge.played);
                check(tree, edge.child, &after, seen);
            }
        }
    }

    fn allocated(tree: &Tree<Digits>) -> usize {
        let Edges { means, spreads, rows } = &tree.edges;
        let edges =
            (means.capacity() + spreads.capacity()) * size_of::<f32>() + size_of_val(&rows[..1]) * rows.capacity();
        edges + tree.nodes.capacity() * size_of::<Node>()
    }

    #[test]
    fn a_tree_stays_within_its_memory_and_in_order() {
        for transpositions in [false, true] {
            let uct = Strategy::uct(1).with("memory", 1_u64).with("transpositions", transpositions);
            let (plan, mut rng) = (TreeSettings::new(&uct, None), Stream::new(1).rng());
            let mut start = Digits(Vec::new());
            let mut tree = Tree::new(&start, &plan, &Cancel::new());
            let (mut prunings, mut before) = (0, 0);
            for simulation in 1..=90_000 {
                tree.simulate(&plan, &mut rng);
                prunings += u32::from(tree.nodes.len() < before);
                before = tree.nodes.len();
                assert!(tree.bytes() <= 1 << 20 && allocated(&tree) <= 5 << 18, "{} bytes", allocated(&tree));
                if simulation % 30_000 == 0 {
                    check(&tree, tree.root, &start, &mut vec![false; tree.nodes.len()]);
                    let played = (simulation / 30_000) as u8;
                    start.play(played);
                    tree.advance(played, &start, &plan);
                }
            }
            assert!(prunings > 3, "{prunings} prunings");
        }
    }
}
