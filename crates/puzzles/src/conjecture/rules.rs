//! The plain rules: the tree as a list of edges, its matching by augmenting paths, its distances edge by edge. The eigenvalue is computed as in
//! the search and then checked by counting with the whole matrix, which shares nothing with it.

use nestling::{Certificate, Illegal};

use super::eigenvalues::larger_than;
use super::twins::Twins;
use super::{Conjecture, TOO_SMALL, beyond_matching, beyond_proximity};

/// The error that a computed eigenvalue may have.
const ERROR: f64 = 1e-9;

pub(super) fn certify(
    conjecture: Conjecture,
    vertices: usize,
    start: &[u16],
    moves: &[u16],
) -> Result<Certificate, Illegal> {
    let mut edges: Vec<(usize, usize)> =
        start.iter().enumerate().skip(1).map(|(vertex, &parent)| (vertex, parent.into())).collect();
    for (index, &parent) in moves.iter().enumerate() {
        let (size, parent) = (edges.len() + 1, usize::from(parent));
        if size >= vertices {
            return Err(Illegal { index, reason: format!("the tree already has its {vertices} vertices") });
        }
        if parent >= size {
            return Err(Illegal { index, reason: format!("there is no vertex {} yet; there are {size}", parent + 1) });
        }
        edges.push((size, parent));
    }
    let terminal = edges.len() + 1 == vertices;
    let unsure = |reason: String| Illegal { index: moves.len().saturating_sub(1), reason };
    let score = score(conjecture, &edges).map_err(unsure)?;
    Ok(Certificate { score, terminal })
}

fn score(conjecture: Conjecture, edges: &[(usize, usize)]) -> Result<f64, String> {
    let size = edges.len() + 1;
    if size < 4 {
        return Ok(TOO_SMALL);
    }
    let parents: Vec<u16> = std::iter::once(0).chain(edges.iter().map(|&(_, parent)| parent as u16)).collect();
    let twins = Twins::of(&parents);
    match conjecture {
        Conjecture::Matching => {
            let mut adjacency = vec![0.0; size * size];
            for &(one, other) in edges {
                adjacency[one * size + other] = 1.0;
                adjacency[other * size + one] = 1.0;
            }
            Ok(beyond_matching(
                size,
                confirmed(twins.largest_of_adjacency(), &adjacency, size, 0)?,
                matching(edges, size),
            ))
        }
        Conjecture::Proximity => {
            let distances = distances(edges, size);
            let (diameter, proximity) = diameter_and_proximity(&distances, size);
            let index = 2 * diameter / 3 - 1;
            let value = twins.of_distances(&twins.distances(), index);
            Ok(beyond_proximity(proximity, confirmed(value, &distances, size, index)?))
        }
    }
}

/// The diameter and the proximity of distances by rows.
fn diameter_and_proximity(distances: &[f64], size: usize) -> (usize, f64) {
    let diameter = distances.iter().copied().fold(0.0, f64::max) as usize;
    let least = distances.chunks(size).map(|row| row.iter().sum::<f64>()).fold(f64::INFINITY, f64::min);
    (diameter, least / (size - 1) as f64)
}

/// The eigenvalue number `index`, the largest first, checked: more than `index` are not below it, and at most `index` are above it.
fn confirmed(value: f64, matrix: &[f64], size: usize, index: usize) -> Result<f64, String> {
    let (above, from) = (larger_than(matrix, size, value + ERROR), larger_than(matrix, size, value - ERROR));
    if above <= index && index < from {
        return Ok(value);
    }
    Err(format!("the eigenvalue {value} could not be confirmed: {above} are above it, {from} not below"))
}

/// The size of a largest matching, by augmenting paths. They suffice, since a tree has no odd cycles.
fn matching(edges: &[(usize, usize)], size: usize) -> usize {
    let mut neighbours = vec![Vec::new(); size];
    for &(one, other) in edges {
        neighbours[one].push(other);
        neighbours[other].push(one);
    }
    // Vertices at an even distance from the first one are on one side.
    let mut is_even = vec![true; size];
    for &(vertex, parent) in edges {
        is_even[vertex] = !is_even[parent];
    }
    fn augment(vertex: usize, neighbours: &[Vec<usize>], partner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
        for &other in &neighbours[vertex] {
            if std::mem::replace(&mut seen[other], true) {
                continue;
            }
            if partner[other].is_none_or(|taken| augment(taken, neighbours, partner, seen)) {
                partner[other] = Some(vertex);
                return true;
            }
        }
        false
    }
    let mut partner = vec![None; size];
    let even = (0..size).filter(|&vertex| is_even[vertex]);
    even.filter(|&vertex| augment(vertex, &neighbours, &mut partner, &mut vec![false; size])).count()
}

/// The distances by rows, from each vertex outwards along the edges.
fn distances(edges: &[(usize, usize)], size: usize) -> Vec<f64> {
    let mut neighbours = vec![Vec::new(); size];
    for &(one, other) in edges {
        neighbours[one].push(other);
        neighbours[other].push(one);
    }
    let mut distances = vec![0.0; size * size];
    for from in 0..size {
        let (mut layer, mut seen, mut distance) = (vec![from], vec![false; size], 0.0);
        seen[from] = true;
        while !layer.is_empty() {
            layer.iter().for_each(|&vertex| distances[from * size + vertex] = distance);
            let beyond: Vec<usize> = layer
                .iter()
                .flat_map(|&vertex| neighbours[vertex].iter().copied())
                .filter(|&vertex| !seen[vertex])
                .collect();
            beyond.iter().for_each(|&vertex| seen[vertex] = true);
            (layer, distance) = (beyond, distance + 1.0);
        }
    }
    distances
}
