//! Graph colouring: give every vertex a colour, neighbours different ones, with as few colours as possible.
//!
//! The vertices are coloured in the order of DSATUR: Brélaz, *New methods to color the vertices of a graph*, 1979.

mod presentation;
mod rules;

use std::sync::Arc;

use nestling::{Certificate, Goal, Illegal, Problem};
use serde::{Deserialize, Serialize};

use crate::graph::Graph;

/// No colour yet.
const NONE: u16 = u16::MAX;

/// A move: the colour of a vertex, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Paint {
    /// The vertex.
    pub vertex: u16,
    /// Its colour.
    pub colour: u16,
}

/// A graph, and at the same time a partial colouring of it.
///
/// The next vertex is the one whose neighbours have the most colours already; of several, the one with the most neighbours; of several,
/// the first. The legal moves are the colours that none of its neighbours has: those in use, in order, then one new colour. No more than
/// the largest degree + 1 colours are ever needed. The score, to be made small, is the number of colours in use + the number of vertices
/// without a colour, which is the number of colours of a finished colouring.
///
/// | playout policy | a playout considers |
/// |---|---|
/// | `reuse` (the default) | a new colour only if no colour in use fits |
///
/// ```
/// use nestling::Run;
/// use nestling_puzzles::colouring::Colouring;
/// use nestling_puzzles::graph::mycielski;
/// let outcome = Run::new(&Colouring::new(mycielski(3)), "nested(1)".parse()?).seed(1).start()?;
/// assert_eq!(outcome.score(), Some(4.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Colouring {
    shared: Arc<Shared>,
    /// By vertex.
    colours: Vec<u16>,
    /// By vertex: the colours of its neighbours, a bit each, `shared.words` words a vertex.
    taken: Vec<u64>,
    /// By vertex: the number of these.
    saturation: Vec<u16>,
    /// The number of colours in use, and of vertices without one.
    used: u16,
    left: u16,
}

#[derive(Debug)]
struct Shared {
    graph: Graph,
    /// The most colours that are used.
    most: usize,
    words: usize,
    /// A number of colours that every colouring needs.
    bound: usize,
    /// The chromatic number, for graphs of which it is known.
    known: Option<usize>,
    is_board: bool,
}

clone_state!(Colouring: shared [shared], owned [colours, taken, saturation], plain [used, left]);

impl Colouring {
    /// A graph to be coloured.
    pub fn new(graph: Graph) -> Self {
        Colouring::with(graph, None, false)
    }

    /// The same for a graph whose chromatic number is known; `is_board` if its vertices are the squares of a board.
    pub fn with(graph: Graph, known: Option<usize>, is_board: bool) -> Self {
        let (count, most) = (graph.vertices(), graph.largest_degree() + 1);
        let words = most.div_ceil(64);
        let bound = known.unwrap_or_else(|| clique(&graph));
        Colouring {
            colours: vec![NONE; count],
            taken: vec![0; count * words],
            saturation: vec![0; count],
            used: 0,
            left: count as u16,
            shared: Arc::new(Shared { graph, most, words, bound, known, is_board }),
        }
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.shared.graph
    }

    /// The colour of a vertex, from 0.
    pub fn colour(&self, vertex: u16) -> Option<u16> {
        Some(self.colours[usize::from(vertex)]).filter(|&colour| colour != NONE)
    }

    /// The vertex that is coloured next.
    fn next(&self) -> Option<u16> {
        let graph = &self.shared.graph;
        let free = (0..self.colours.len()).filter(|&vertex| self.colours[vertex] == NONE);
        let rank = |vertex: usize| (self.saturation[vertex], graph.degree(vertex as u16), std::cmp::Reverse(vertex));
        free.max_by_key(|&vertex| rank(vertex)).map(|vertex| vertex as u16)
    }

    fn is_taken(&self, vertex: u16, colour: u16) -> bool {
        let word = self.taken[usize::from(vertex) * self.shared.words + usize::from(colour) / 64];
        word >> (colour % 64) & 1 == 1
    }
}

/// The size of a clique: for every vertex, one is grown greedily, and the largest counts. Every colouring needs as many colours.
fn clique(graph: &Graph) -> usize {
    let grown = |start: u16| {
        let mut members = vec![start];
        for &other in graph.neighbours(start) {
            if members.iter().all(|&member| graph.has_edge(member, other)) {
                members.push(other);
            }
        }
        members.len()
    };
    let (mut largest, most) = (0, graph.largest_degree() + 1);
    for start in 0..graph.vertices() as u16 {
        largest = largest.max(grown(start));
        if largest == most {
            break;
        }
    }
    largest
}

impl Problem for Colouring {
    type Move = Paint;

    const PLAIN_TEXTS: bool = true;

    fn legal_moves(&self, moves: &mut Vec<Paint>) {
        moves.clear();
        let Some(vertex) = self.next() else { return };
        let colours = 0..(usize::from(self.used) + 1).min(self.shared.most) as u16;
        moves.extend(colours.filter(|&colour| !self.is_taken(vertex, colour)).map(|colour| Paint { vertex, colour }));
    }

    fn play(&mut self, played: Paint) {
        let Paint { vertex, colour } = played;
        self.colours[usize::from(vertex)] = colour;
        self.used = self.used.max(colour + 1);
        self.left -= 1;
        let (shared, bit) = (Arc::clone(&self.shared), 1 << (colour % 64));
        for &other in shared.graph.neighbours(vertex) {
            let word = &mut self.taken[usize::from(other) * shared.words + usize::from(colour) / 64];
            self.saturation[usize::from(other)] += u16::from(*word & bit == 0);
            *word |= bit;
        }
    }

    fn score(&self) -> f64 {
        f64::from(self.used) + f64::from(self.left)
    }

    fn goal(&self) -> Goal {
        Goal::Min
    }

    fn code(&self, played: Paint) -> u64 {
        u64::from(played.vertex) * self.shared.most as u64 + u64::from(played.colour)
    }

    fn dense_codes(&self) -> usize {
        let codes = self.colours.len() * self.shared.most;
        if codes <= 1 << 20 { codes } else { 0 }
    }

    fn policies(&self) -> &'static [&'static str] {
        &["reuse"]
    }

    fn default_policy(&self) -> &'static str {
        "reuse"
    }

    fn prefer(&self, _policy: usize, moves: &mut Vec<Paint>, _weights: &mut Vec<f64>) {
        if moves.len() > 1 {
            moves.retain(|played| played.colour < self.used);
        }
    }

    fn bound(&self) -> Option<f64> {
        Some(self.shared.bound as f64)
    }

    fn move_text(&self, played: Paint) -> String {
        format!("{}={}", played.vertex + 1, played.colour + 1)
    }

    fn certify(&self, moves: &[Paint]) -> Result<Certificate, Illegal> {
        rules::certify(&self.shared.graph, self.shared.most, &self.colours, moves)
    }
}
