//! Undirected graphs, which several problems share: their text format, some families, pictures.

mod draw;
mod families;
mod read;

pub use draw::Drawing;
pub use families::{LARGEST_MYCIELSKI, LARGEST_QUEEN, mycielski, queen};
pub use read::ReadError;

/// The most vertices of a graph.
pub const MOST_VERTICES: usize = 5000;

/// A graph without loops and multiple edges. Vertices are numbered from 0; people see them numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// By vertex, in order.
    neighbours: Vec<Vec<u16>>,
}

impl Graph {
    /// A graph with these edges; repeated ones count once.
    ///
    /// ```
    /// use nestling_puzzles::graph::Graph;
    /// let triangle = Graph::new(3, [(0, 1), (1, 2), (2, 0), (0, 1)]);
    /// assert_eq!((triangle.edges().count(), triangle.neighbours(1)), (3, &[0, 2][..]));
    /// ```
    ///
    /// # Panics
    ///
    /// If an edge joins a vertex to itself, or a vertex is too large.
    pub fn new(vertices: usize, edges: impl IntoIterator<Item = (u16, u16)>) -> Graph {
        assert!(vertices <= MOST_VERTICES, "too many vertices");
        let mut neighbours = vec![Vec::new(); vertices];
        for (one, other) in edges {
            assert_ne!(one, other, "an edge joins two vertices");
            neighbours[usize::from(one)].push(other);
            neighbours[usize::from(other)].push(one);
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        Graph { neighbours }
    }

    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.neighbours.len()
    }

    /// The neighbours of a vertex, in order.
    pub fn neighbours(&self, vertex: u16) -> &[u16] {
        &self.neighbours[usize::from(vertex)]
    }

    /// The number of neighbours of a vertex.
    pub fn degree(&self, vertex: u16) -> usize {
        self.neighbours(vertex).len()
    }

    /// The largest degree; 0 in a graph without vertices.
    pub fn largest_degree(&self) -> usize {
        self.neighbours.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Whether two vertices are joined.
    pub fn has_edge(&self, one: u16, other: u16) -> bool {
        self.neighbours(one).binary_search(&other).is_ok()
    }

    /// All edges, each once, the smaller vertex first.
    pub fn edges(&self) -> impl Iterator<Item = (u16, u16)> {
        let from =
            |one: u16| self.neighbours(one).iter().filter(move |&&other| one < other).map(move |&other| (one, other));
        (0..self.vertices() as u16).flat_map(from)
    }
}
