//! The plain rules, which know the edges of a graph and the colours of its vertices. Vertices may be coloured in any order.

use nestling::{Certificate, Illegal};

use super::{NONE, Paint};
use crate::graph::Graph;

/// Replays a colouring.
pub(super) fn certify(graph: &Graph, most: usize, start: &[u16], moves: &[Paint]) -> Result<Certificate, Illegal> {
    let mut colours = start.to_vec();
    // The colours in use are always the first ones.
    let mut used = in_use(start);
    for (index, &Paint { vertex, colour }) in moves.iter().enumerate() {
        let (name, shown) = (u32::from(vertex) + 1, u32::from(colour) + 1);
        let refused = |reason: String| Err(Illegal { index, reason });
        let Some(&before) = colours.get(usize::from(vertex)) else {
            return refused(format!("there is no vertex {name}; the graph has {}", colours.len()));
        };
        if before != NONE {
            return refused(format!("vertex {name} already has colour {}", before + 1));
        }
        if usize::from(colour) > used || usize::from(colour) >= most {
            return refused(format!("colour {shown} is not the next new colour; {used} are in use"));
        }
        let mut neighbours = graph.neighbours(vertex).iter();
        if let Some(neighbour) = neighbours.find(|&&neighbour| colours[usize::from(neighbour)] == colour) {
            return refused(format!(
                "vertex {name} and its neighbour {} would both have colour {shown}",
                neighbour + 1
            ));
        }
        colours[usize::from(vertex)] = colour;
        used = used.max(usize::from(colour) + 1);
    }
    let left = colours.iter().filter(|&&colour| colour == NONE).count();
    Ok(Certificate { score: (used + left) as f64, terminal: left == 0 })
}

/// The number of different colours.
fn in_use(colours: &[u16]) -> usize {
    let mut different: Vec<u16> = colours.iter().copied().filter(|&colour| colour != NONE).collect();
    different.sort_unstable();
    different.dedup();
    different.len()
}
