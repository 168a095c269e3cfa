//! The rules of snakes and coils, vertex by vertex.

use nestling::{Certificate, Illegal};

/// A path that is compared with all its vertices at every step.
struct Plain {
    dimensions: u8,
    is_coil: bool,
    path: Vec<u16>,
}

/// Replays the moves after a path.
pub(super) fn certify(dimensions: u8, is_coil: bool, path: &[u16], moves: &[u8]) -> Result<Certificate, Illegal> {
    let mut plain = Plain { dimensions, is_coil, path: path.to_vec() };
    for (index, &dimension) in moves.iter().enumerate() {
        if let Some(reason) = plain.conflict(dimension) {
            return Err(Illegal { index, reason });
        }
        plain.path.push(plain.head() ^ 1 << dimension);
    }
    if is_coil && !plain.can_be_closed() {
        // What cannot be closed later could perhaps be closed before.
        let closable = |&count: &usize| {
            let path = plain.path[..path.len() + count].to_vec();
            Plain { path, ..plain }.can_be_closed()
        };
        let index = (0..moves.len()).rev().find(closable).unwrap_or(0);
        return Err(Illegal { index, reason: "after it the path cannot return to its start".to_owned() });
    }
    let closed = plain.is_closed();
    let terminal = closed || (0..dimensions).all(|dimension| plain.conflict(dimension).is_some());
    let edges = plain.path.len() - 1;
    let score = match (is_coil, closed) {
        (false, _) => edges,
        (true, true) => edges + 1,
        (true, false) => 0,
    };
    Ok(Certificate { score: score as f64, terminal })
}

/// Whether two vertices differ in one dimension.
fn are_neighbours(one: u16, other: u16) -> bool {
    (one ^ other).count_ones() == 1
}

impl Plain {
    fn head(&self) -> u16 {
        self.path[self.path.len() - 1]
    }

    fn is_closed(&self) -> bool {
        self.is_coil && self.path.len() > 2 && are_neighbours(self.head(), self.path[0])
    }

    /// Whether a path may contain a vertex, which is not the next one, next to its vertices before the head.
    fn is_apart(&self, vertex: u16) -> bool {
        let others = &self.path[..self.path.len() - 1];
        let first = usize::from(self.is_coil && !others.is_empty());
        !self.path.contains(&vertex) && !others[first..].iter().any(|&other| are_neighbours(other, vertex))
    }

    /// The reason why the path may not go in this dimension.
    fn conflict(&self, dimension: u8) -> Option<String> {
        if dimension >= self.dimensions {
            return Some(format!(
                "there is no dimension {dimension}; they have the numbers 0 to {}",
                self.dimensions - 1
            ));
        }
        if self.is_closed() {
            return Some("the coil is closed already".to_owned());
        }
        let used = self.path.windows(2).map(|pair| (pair[0] ^ pair[1]).trailing_zeros()).max();
        let first = used.map_or(0, |used| used + 1);
        if u32::from(dimension) > first {
            return Some(format!("dimension {dimension} may not be used before dimension {first}"));
        }
        let vertex = self.head() ^ 1 << dimension;
        if !self.is_apart(vertex) {
            return Some(format!("vertex {vertex} is next to an earlier part of the path"));
        }
        None
    }

    /// Whether a closed coil can still come about: a breadth-first search for a way to a neighbour of the start.
    fn can_be_closed(&self) -> bool {
        if self.path.len() == 1 || self.is_closed() {
            return self.dimensions > 1;
        }
        let mut seen = vec![false; 1 << self.dimensions];
        let mut waiting = vec![self.head()];
        while let Some(vertex) = waiting.pop() {
            for dimension in 0..self.dimensions {
                let next = vertex ^ 1 << dimension;
                let beside_head = vertex != self.head() && are_neighbours(next, self.head());
                if seen[usize::from(next)] || beside_head || !self.is_apart(next) {
                    continue;
                }
                if are_neighbours(next, self.path[0]) && self.path.len() > 1 {
                    return true;
                }
                seen[usize::from(next)] = true;
                waiting.push(next);
            }
        }
        false
    }
}
