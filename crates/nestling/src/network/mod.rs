//! Networks that give weights to moves by their features: the policy π_θ(m | s) ∝ exp f_θ(s, m).

mod evaluation;
mod examples;
mod text;
mod training;

use crate::learner::LARGEST_CHANGE;

pub use evaluation::Evaluation;
pub use examples::{Examples, Fit};
pub(crate) use text::FIRST_WORD;
pub use training::{Training, TrainingSettings};

/// A network with one hidden layer: f(s, m) = output · max(0, bias + Σ row\[k\]), where k runs over the
/// [features](crate::Problem::features) of the move.
///
/// All sums are computed in the same order on every machine, so the same network plays the same games everywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    hidden: usize,
    /// By feature: its contribution to every hidden unit.
    rows: Vec<f32>,
    bias: Vec<f32>,
    output: Vec<f32>,
}

/// How many partial sums of a dot product are computed in parallel.
const LANES: usize = 8;

/// The most hidden units that a network may have, and the most numbers in the rows of its features.
const MOST_HIDDEN: usize = 1024;
const MOST_NUMBERS: usize = 1 << 24;

impl Network {
    /// A network of zeros: it plays uniformly.
    ///
    /// # Panics
    ///
    /// When there is no hidden unit, or more than [`most_hidden`](Network::most_hidden).
    pub fn zero(features: usize, hidden: usize) -> Network {
        let most = Network::most_hidden(features);
        assert!((1..=most).contains(&hidden), "a network has 1 to {most} hidden units, not {hidden}");
        Network { hidden, rows: vec![0.0; features * hidden], bias: vec![0.0; hidden], output: vec![0.0; hidden] }
    }

    /// The most hidden units that a network for so many features may have.
    pub fn most_hidden(features: usize) -> usize {
        MOST_HIDDEN.min(MOST_NUMBERS / features.max(1))
    }

    /// How many features it knows.
    pub fn features(&self) -> usize {
        self.rows.len() / self.hidden
    }

    /// How many hidden units it has.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// All its numbers: the rows of the features one after the other, the bias and the output.
    fn parameters_mut(&mut self) -> [&mut [f32]; 3] {
        [&mut self.rows, &mut self.bias, &mut self.output]
    }

    /// The contribution of a feature to the hidden units.
    fn row(&self, feature: usize) -> &[f32] {
        &self.rows[feature * self.hidden..][..self.hidden]
    }

    /// Sets `sums` to the sums of the hidden units for a move with these features.
    fn hidden_sums(&self, features: &[u32], sums: &mut Vec<f32>) {
        sums.clone_from(&self.bias);
        for &feature in features {
            for (sum, add) in sums.iter_mut().zip(self.row(feature as usize)) {
                *sum += add;
            }
        }
    }

    /// f of a move whose hidden units have these sums.
    fn value_of(&self, sums: &[f32]) -> f32 {
        let mut lanes = [0.0; LANES];
        for (sums, outputs) in sums.chunks(LANES).zip(self.output.chunks(LANES)) {
            for ((lane, sum), output) in lanes.iter_mut().zip(sums).zip(outputs) {
                *lane += sum.max(0.0) * output;
            }
        }
        lanes.into_iter().sum()
    }

    /// f of a move with these features; `sums` is a buffer.
    fn value(&self, features: &[u32], sums: &mut Vec<f32>) -> f64 {
        self.hidden_sums(features, sums);
        f64::from(self.value_of(sums)).clamp(-LARGEST_CHANGE, LARGEST_CHANGE)
    }
}
