//! Graphs from text, in the format of the DIMACS colouring challenge.

use super::{Graph, MOST_VERTICES};
use crate::excerpt::excerpt;

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
#[non_exhaustive]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there and what would be right.
    pub reason: String,
}

impl Graph {
    /// Reads a graph in the format of the DIMACS colouring challenge: lines `c …` are comments, `p edge VERTICES EDGES` comes first, and
    /// `e A B` is an edge; vertices are numbered from 1. An edge may be repeated, and the number of edges is not checked, because public
    /// files count them in two ways. Lines `n …` are ignored.
    ///
    /// ```
    /// use nestling_puzzles::graph::Graph;
    /// let path = Graph::read("c a path\np edge 3 2\ne 1 2\ne 2 3\n")?;
    /// assert_eq!((path.vertices(), path.edges().count()), (3, 2));
    /// let error = Graph::read("p edge 3 2\ne 1 4\n").unwrap_err();
    /// assert_eq!(error.to_string(), "line 2: \"4\" is not a vertex; they are numbered from 1 to 3");
    /// # Ok::<(), nestling_puzzles::graph::ReadError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is not such a file.
    pub fn read(text: &str) -> Result<Graph, ReadError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut vertices = None;
        let mut edges = Vec::new();
        for (line, content) in (1..).zip(text.lines()) {
            let wrong = |reason: String| ReadError { line, reason };
            let words: Vec<&str> = content.split_whitespace().collect();
            match (words.first().copied(), vertices) {
                (None | Some("c" | "n" | "d" | "v" | "x"), _) => {}
                (Some("p"), None) => vertices = Some(size(&words).map_err(wrong)?),
                (Some("p"), Some(_)) => return Err(wrong("a second line p; a file contains one graph".to_owned())),
                (Some("e"), None) => return Err(wrong("an edge before the line p edge VERTICES EDGES".to_owned())),
                (Some("e"), Some(count)) => edges.push(edge(&words, count).map_err(wrong)?),
                (Some(other), _) => {
                    let reason =
                        format!("{:?} is not the beginning of a line of DIMACS; there are c, p and e", excerpt(other));
                    return Err(wrong(reason));
                }
            }
        }
        let missing = || ReadError {
            line: 1,
            reason: "no line p edge VERTICES EDGES; is this a graph in DIMACS format?".to_owned(),
        };
        Ok(Graph::new(vertices.ok_or_else(missing)?, edges))
    }
}

/// The number of vertices in `p edge VERTICES EDGES`.
fn size(words: &[&str]) -> Result<usize, String> {
    let [_, "edge" | "edges" | "col", vertices, ..] = words else {
        return Err("write p edge VERTICES EDGES".to_owned());
    };
    let count = vertices.parse().ok().filter(|count| (1..=MOST_VERTICES).contains(count));
    count.ok_or_else(|| format!("{:?} is not a number of vertices from 1 to {MOST_VERTICES}", excerpt(vertices)))
}

fn edge(words: &[&str], count: usize) -> Result<(u16, u16), String> {
    let [_, one, other] = words else { return Err("an edge has two vertices: e A B".to_owned()) };
    let vertex = |word: &str| {
        let vertex = word.parse::<usize>().ok().filter(|vertex| (1..=count).contains(vertex));
        let reason = || format!("{:?} is not a vertex; they are numbered from 1 to {count}", excerpt(word));
        vertex.map(|vertex| (vertex - 1) as u16).ok_or_else(reason)
    };
    let (one, other) = (vertex(one)?, vertex(other)?);
    if one == other {
        Err("an edge joins a vertex to itself; such a graph has no colouring".to_owned())
    } else {
        Ok((one, other))
    }
}
