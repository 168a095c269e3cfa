//! Graphs with known chromatic numbers, by their definitions.

use super::Graph;

/// The largest queen graph: that of a board of 20 × 20.
pub const LARGEST_QUEEN: usize = 20;

/// The largest Mycielski graph.
pub const LARGEST_MYCIELSKI: usize = 9;

/// The queen graph of an n × n board: its squares are joined if a queen can move from one to the other.
///
/// ```
/// use nestling_puzzles::graph::queen;
/// // DIMACS has this graph as queen8_8, with 728 edges.
/// assert_eq!((queen(8).vertices(), queen(8).edges().count()), (64, 728));
/// ```
pub fn queen(side: usize) -> Graph {
    let square = |cell: usize| (cell / side, cell % side);
    let attacks = move |one: usize, other: usize| {
        let ((row, column), (other_row, other_column)) = (square(one), square(other));
        let (down, right) = (row.abs_diff(other_row), column.abs_diff(other_column));
        down == 0 || right == 0 || down == right
    };
    let cells = side * side;
    let pairs = (0..cells).flat_map(|one| (one + 1..cells).map(move |other| (one, other)));
    let edges = pairs.filter(|&(one, other)| attacks(one, other)).map(|(one, other)| (one as u16, other as u16));
    Graph::new(cells, edges)
}

/// The Mycielski graph number k, of chromatic number k + 1 and without triangles. The first is one edge; the next has, beside the vertices v
/// of the one before, a copy of each, which is joined to the neighbours of v, and one vertex more, which is joined to all copies.
///
/// ```
/// use nestling_puzzles::graph::mycielski;
/// // DIMACS has these graphs as myciel3, the Grötzsch graph, and myciel5.
/// assert_eq!((mycielski(3).vertices(), mycielski(3).edges().count()), (11, 20));
/// assert_eq!((mycielski(5).vertices(), mycielski(5).edges().count()), (47, 236));
/// ```
pub fn mycielski(number: usize) -> Graph {
    let mut graph = Graph::new(2, [(0, 1)]);
    for _ in 1..number {
        let count = graph.vertices() as u16;
        let copies = graph.edges().flat_map(|(one, other)| [(one, other), (one, other + count), (one + count, other)]);
        let apex = (count..2 * count).map(|copy| (copy, 2 * count));
        graph = Graph::new(2 * usize::from(count) + 1, copies.chain(apex).collect::<Vec<_>>());
    }
    graph
}
