//! Trees with a memory limit: a tree that reaches its limit drops its least visited parts.
//!
//! What is dropped depends on the tree alone. So a search has the same result on any number of threads and after any interruption, and a
//! tree that stays below its limit is not changed.

/// The default memory limit of a tree in MiB. A search has a tree on every thread, a match has two players on each, so the limit must be
/// small compared with a machine's memory per core.
pub(crate) const DEFAULT_MEMORY: u64 = 128;

/// The largest memory limit of a tree in MiB: its nodes are numbered with 32 bits.
pub(crate) const MOST_MEMORY: u64 = 65_536;

/// The bytes of so many MiB.
pub(crate) fn bytes(memory: u64) -> usize {
    usize::try_from(memory << 20).unwrap_or(usize::MAX)
}

/// Makes room in a vector for more entries. It grows by an eighth rather than to twice its size, so that little memory stays unused.
#[inline]
pub(crate) fn make_room<T>(row: &mut Vec<T>, more: usize) {
    if row.capacity() - row.len() < more {
        row.reserve_exact(more.max(row.len() / 8).max(64));
    }
}

/// The total weight below nodes, by the order of magnitude of the nodes' visits.
pub(crate) struct WeightsByVisits([usize; 33]);

impl WeightsByVisits {
    /// Nothing yet.
    pub fn new() -> Self {
        WeightsByVisits([0; 33])
    }

    /// Adds what is below a node.
    pub fn add(&mut self, visits: u32, weight: usize) {
        let power = u32::BITS - visits.leading_zeros();
        self.0[power as usize] += weight;
    }

    /// The smallest number of visits, a power of two or 0, such that the subtrees of all nodes with at least so many visits fit into
    /// `room`.
    pub fn least(&self, room: usize) -> u32 {
        let (mut power, mut sum) = (32, self.0[32]);
        while power > 0 && sum + self.0[power - 1] <= room {
            power -= 1;
            sum += self.0[power];
        }
        power.checked_sub(1).map_or(0, |power| 1 << power)
    }
}

/// Which nodes of a tree are kept, and their new indices. Nodes keep their order, so that they can be moved one after the other.
pub(crate) struct Places(Vec<u32>);

/// The place of a node that is dropped.
const NOWHERE: u32 = u32::MAX;

impl Places {
    /// For so many nodes, none of which is kept yet.
    pub fn new(nodes: usize) -> Self {
        Places(vec![NOWHERE; nodes])
    }

    /// Keeps a node; false if it was kept already.
    pub fn keep(&mut self, node: u32) -> bool {
        std::mem::replace(&mut self.0[node as usize], 0) == NOWHERE
    }

    /// Whether a node is kept.
    pub fn keeps(&self, node: u32) -> bool {
        self.0[node as usize] != NOWHERE
    }

    /// Moves the kept nodes together, the root first; afterwards [`of`](Places::of) returns their new indices. Node 0 must be the root or
    /// be dropped, because the root takes its place.
    pub fn compact<N: Copy>(&mut self, nodes: &mut Vec<N>, root: u32) {
        debug_assert!(self.keeps(root) && (root == 0 || !self.keeps(0)));
        nodes[0] = nodes[root as usize];
        let mut next = 1;
        for old in 0..nodes.len() {
            if old == root as usize {
                self.0[old] = 0;
            } else if self.0[old] != NOWHERE {
                nodes[next] = nodes[old];
                self.0[old] = next as u32;
                next += 1;
            }
        }
        nodes.truncate(next);
    }

    /// The new index of a kept node.
    pub fn of(&self, node: u32) -> u32 {
        self.0[node as usize]
    }
}

/// The memory that [`Places`] take for each node.
pub(crate) const PLACE_BYTES: usize = size_of::<u32>();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_kept() {
        let mut weights = WeightsByVisits::new();
        for (visits, weight) in [(0, 50), (1, 40), (2, 10), (3, 10), (4, 5), (u32::MAX, 1)] {
            weights.add(visits, weight);
        }
        for (room, least) in
            [(1000, 0), (116, 0), (115, 1), (66, 1), (65, 2), (26, 2), (25, 4), (6, 4), (5, 8), (0, 1 << 31)]
        {
            assert_eq!(weights.least(room), least, "{room}");
        }
    }

    #[test]
    fn nodes_keep_their_order() {
        let (mut nodes, mut places) = (vec!['a', 'b', 'c', 'd', 'e', 'f'], Places::new(6));
        assert!(places.keep(3) && places.keep(1) && places.keep(5) && !places.keep(5));
        places.compact(&mut nodes, 3);
        assert_eq!(nodes, ['d', 'b', 'f']);
        assert_eq!([3, 1, 5].map(|node| places.of(node)), [0, 1, 2]);
        assert!(!places.keeps(0) && !places.keeps(4));
    }
}
