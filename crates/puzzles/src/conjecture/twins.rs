//! Eigenvalues of a tree many of whose leaves are twins: joined to the same vertex.
//!
//! Let m leaves be twins. Their rows differ only in the columns of the twins, so m − 1 independent vectors, which are 1 at one twin and −1 at
//! another, are eigenvectors: with eigenvalue 0 of the adjacency matrix and −2 of the distance matrix. The other eigenvalues are those of a
//! smaller matrix with one row for all twins: its entries are those of the matrix times √(m m′), and 2 (m − 1) on the diagonal of distances.

use super::eigenvalues::eigenvalues;

/// The vertices of a tree, one of each class of twins.
pub(super) struct Twins {
    /// By class: its parent's class; of the first vertex itself. Parents come before their children.
    parents: Vec<usize>,
    /// By class: how many twins there are.
    counts: Vec<f64>,
}

impl Twins {
    /// The classes of a tree, given by the parent of every vertex.
    pub fn of(tree: &[u16]) -> Self {
        let mut is_leaf = vec![true; tree.len()];
        tree.iter().for_each(|&parent| is_leaf[usize::from(parent)] = false);
        let (mut class, mut leaves) = (vec![0; tree.len()], vec![None; tree.len()]);
        let (mut parents, mut counts) = (vec![0], vec![1.0]);
        for vertex in 1..tree.len() {
            let parent = usize::from(tree[vertex]);
            if is_leaf[vertex]
                && let Some(twins) = leaves[parent]
            {
                counts[twins] += 1.0;
                class[vertex] = twins;
                continue;
            }
            class[vertex] = parents.len();
            if is_leaf[vertex] {
                leaves[parent] = Some(parents.len());
            }
            parents.push(class[parent]);
            counts.push(1.0);
        }
        Twins { parents, counts }
    }

    /// How many classes there are.
    fn size(&self) -> usize {
        self.parents.len()
    }

    /// The largest eigenvalue of the adjacency matrix.
    pub fn largest_of_adjacency(&self) -> f64 {
        let size = self.size();
        let mut matrix = vec![0.0; size * size];
        for class in 1..size {
            let parent = self.parents[class];
            let entry = (self.counts[class] * self.counts[parent]).sqrt();
            (matrix[class * size + parent], matrix[parent * size + class]) = (entry, entry);
        }
        eigenvalues(&mut matrix, size)[0]
    }

    /// The distances of all classes, by rows: those of a new vertex are those of its parent + 1. Those of twins are 0 here.
    pub fn distances(&self) -> Vec<f64> {
        let size = self.size();
        let mut distances = vec![0.0; size * size];
        for class in 1..size {
            let parent = self.parents[class];
            for other in 0..class {
                let distance = distances[parent * size + other] + 1.0;
                (distances[class * size + other], distances[other * size + class]) = (distance, distance);
            }
        }
        distances
    }

    /// The diameter, and the least average distance of a vertex to all others.
    pub fn diameter_and_proximity(&self, distances: &[f64]) -> (usize, f64) {
        let within = |class: usize| 2.0 * (self.counts[class] - 1.0);
        let farthest = (0..self.size()).map(|class| within(class).min(2.0)).chain(distances.iter().copied());
        let sum = |class: usize, row: &[f64]| {
            within(class) + row.iter().zip(&self.counts).map(|(distance, count)| distance * count).sum::<f64>()
        };
        let sums = distances.chunks(self.size()).enumerate().map(|(class, row)| sum(class, row));
        let vertices: f64 = self.counts.iter().sum();
        (farthest.fold(0.0, f64::max) as usize, sums.fold(f64::INFINITY, f64::min) / (vertices - 1.0))
    }

    /// An eigenvalue of the distance matrix by its number, the largest first.
    pub fn of_distances(&self, distances: &[f64], number: usize) -> f64 {
        let size = self.size();
        let mut matrix = distances.to_vec();
        for class in 0..size {
            for other in 0..size {
                matrix[class * size + other] *= (self.counts[class] * self.counts[other]).sqrt();
            }
            matrix[class * size + class] = 2.0 * (self.counts[class] - 1.0);
        }
        let smaller = eigenvalues(&mut matrix, size);
        let twins = self.counts.iter().sum::<f64>() as usize - size;
        let above = smaller.iter().filter(|&&value| value > -2.0).count();
        match number {
            number if number < above => smaller[number],
            number if number < above + twins => -2.0,
            number => smaller[number - twins],
        }
    }
}
