//! Trees and conjectures as people see them.

use nestling::{Illegal, Problem, state_after};
use nestling_presentation::{Canvas, Meaning, Picture, Presentation, shown};
use serde_json::{Value, json};

use super::{ConjectureTree, TOLERANCE};
use crate::graph::Drawing;

impl Presentation for ConjectureTree {
    /// A line for every vertex that others were joined to.
    fn draw(&self, moves: &[u16], _: Canvas) -> String {
        let state = state_after(self, moves);
        let children = |parent: usize| {
            let joined = (1..state.parents.len()).filter(|&vertex| usize::from(state.parents[vertex]) == parent);
            joined.map(|vertex| (vertex + 1).to_string()).collect::<Vec<_>>()
        };
        let lines = (0..state.parents.len()).map(|parent| (parent + 1, children(parent)));
        let lines = lines.filter(|(_, children)| !children.is_empty());
        let text: String = lines.map(|(parent, children)| format!("{parent}: {}\n", children.join(" "))).collect();
        format!("{}\n{text}", self.conjecture().formula())
    }

    fn picture(&self, moves: &[u16], picture: &Picture) -> Option<String> {
        let state = state_after(self, picture.still()?.shown(moves));
        let (tree, score) = (state.tree(), state.score());
        let title = format!("{} vertices, {}: {}", tree.vertices(), self.conjecture().formula(), words(score));
        let disc =
            |vertex: u16| (if tree.degree(vertex) > 1 { "#ffb703" } else { "#8ecae6" }, (vertex + 1).to_string());
        Some(Drawing::tree(&tree).svg(&title, picture, disc))
    }

    fn view(&self, moves: &[u16]) -> Option<Value> {
        let tree = state_after(self, moves).tree();
        Some(json!({ "vertices": tree.vertices(), "edges": tree.edges().collect::<Vec<_>>() }))
    }

    fn meaning(score: f64, _: bool) -> Option<Meaning> {
        Some(Meaning { words: words(score), solved: score > TOLERANCE, parts: vec![("beyond_bound", score)] })
    }

    /// Reads moves such as `3`: the new vertex is joined to vertex 3.
    fn parse(&self, texts: &[&str]) -> Result<Vec<u16>, Illegal> {
        let read = |(index, text): (usize, &&str)| {
            let vertex = text.parse::<u16>().ok().and_then(|vertex| vertex.checked_sub(1));
            let reason = || {
                format!(
                    "{:?} is not a move; write the number of the vertex that the new one is joined to",
                    shown(text, 30)
                )
            };
            vertex.ok_or_else(|| Illegal { index, reason: reason() })
        };
        texts.iter().enumerate().map(read).collect()
    }
}

fn words(score: f64) -> String {
    match score {
        score if score > TOLERANCE => format!("the conjecture is refuted, by {score:.6}"),
        score => format!("this tree does not refute the conjecture, {:.6} are missing", -score),
    }
}
