//! Training: the gradient of the mean of −ln π(right moves), followed with Adam (Kingma and Ba 2015).

use super::{Examples, Network};
use crate::math::exp;
use crate::stream::{Rng, Stream};

/// How a network is trained.
#[derive(Clone, Copy, Debug)]
pub struct TrainingSettings {
    /// Hidden units.
    pub hidden: usize,
    /// How often every position is used.
    pub epochs: u32,
    /// The step size of the first epoch; it decreases linearly to 0.
    pub rate: f64,
    /// The seed of the initial network and of the order of the positions.
    pub seed: u64,
}

/// Positions whose gradients are added up before a step.
const BATCH: usize = 64;
/// Adam's decay rates for gradients and for their squares.
const MEMORY: [f32; 2] = [0.9, 0.999];
const SMALL: f32 = 1e-8;

/// A network in training. The same examples and settings give the same network on every machine.
pub struct Training<'a> {
    examples: &'a Examples,
    settings: TrainingSettings,
    network: Network,
    /// The gradient of the current batch.
    gradient: Network,
    /// Adam's means of gradients and of their squares.
    means: [Network; 2],
    /// The weight of the means' start, MEMORYⁿ after n steps.
    remains: [f32; 2],
    /// Which features have occurred.
    met: Vec<bool>,
    order: Vec<usize>,
    rng: Rng,
    epoch: u32,
    sums: Vec<Vec<f32>>,
    values: Vec<f64>,
}

impl<'a> Training<'a> {
    /// A random initial network.
    pub fn new(examples: &'a Examples, features: usize, settings: TrainingSettings) -> Self {
        let zero = Network::zero(features, settings.hidden);
        let mut rng = Stream::new(settings.seed).rng();
        let (mut met, mut most) = (vec![false; features], 1);
        for index in 0..examples.len() {
            for (features, _) in examples.position(index) {
                features.iter().for_each(|&feature| met[feature as usize] = true);
                most = most.max(features.len());
            }
        }
        let mut network = zero.clone();
        let mut fill = |numbers: &mut [f32], size: f64| {
            numbers.iter_mut().for_each(|number| *number = ((2.0 * rng.unit() - 1.0) * size) as f32);
        };
        let [rows, _, output] = network.parameters_mut();
        fill(rows, (3.0 / most as f64).sqrt());
        fill(output, (1.0 / settings.hidden as f64).sqrt());
        Training {
            examples,
            settings,
            network,
            gradient: zero.clone(),
            means: [zero.clone(), zero],
            remains: [1.0; 2],
            met,
            order: (0..examples.len()).collect(),
            rng,
            epoch: 0,
            sums: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Uses every position once, in a random order. `goes_on` gets the share of positions used so far; if it returns false, the epoch ends
    /// there.
    pub fn epoch(&mut self, mut goes_on: impl FnMut(f64) -> bool) {
        for last in (1..self.order.len()).rev() {
            self.order.swap(last, self.rng.below(last + 1));
        }
        let order = std::mem::take(&mut self.order);
        let mut seen = 0;
        for batch in order.chunks(BATCH) {
            batch.iter().for_each(|&index| self.add_gradient(index));
            let share = seen as f64 / order.len() as f64;
            self.step(batch.len(), self.settings.rate * self.rate_left(share));
            seen += batch.len();
            if !goes_on(seen as f64 / order.len() as f64) {
                break;
            }
        }
        self.order = order;
        self.epoch += 1;
    }

    /// The share of the step size that is left in the middle of an epoch.
    fn rate_left(&self, share: f64) -> f64 {
        (1.0 - (f64::from(self.epoch) + share) / f64::from(self.settings.epochs.max(1))).max(0.0)
    }

    /// The network as it is now. Features that occur in no example have weight 0.
    pub fn network(&self) -> Network {
        let mut network = self.network.clone();
        let hidden = network.hidden;
        for (row, _) in network.rows.chunks_mut(hidden).zip(&self.met).filter(|&(_, &met)| !met) {
            row.fill(0.0);
        }
        network
    }

    /// Adds the gradient of a position: the sum over its moves of (π(m) − π(m | a right one)) times the gradient of f(m).
    fn add_gradient(&mut self, index: usize) {
        self.values.clear();
        for (number, (features, _)) in self.examples.position(index).enumerate() {
            if number == self.sums.len() {
                self.sums.push(Vec::new());
            }
            self.network.hidden_sums(features, &mut self.sums[number]);
            self.values.push(f64::from(self.network.value_of(&self.sums[number])));
        }
        let most = self.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.values.iter_mut().for_each(|value| *value = exp(*value - most));
        let total: f64 = self.values.iter().sum();
        let rights = self.values.iter().zip(self.examples.position(index)).filter(|(_, (_, is_right))| *is_right);
        let right = rights.map(|(value, _)| value).sum::<f64>().max(f64::MIN_POSITIVE);
        let Network { hidden, rows, bias, output } = &mut self.gradient;
        for (number, (features, is_right)) in self.examples.position(index).enumerate() {
            let value = self.values[number];
            let excess = (value / total - if is_right { value / right } else { 0.0 }) as f32;
            let sums = &mut self.sums[number];
            for unit in 0..*hidden {
                let active = sums[unit].max(0.0);
                output[unit] += excess * active;
                sums[unit] = if active > 0.0 { excess * self.network.output[unit] } else { 0.0 };
                bias[unit] += sums[unit];
            }
            for &feature in features {
                let row = &mut rows[feature as usize * *hidden..][..*hidden];
                row.iter_mut().zip(&*sums).for_each(|(sum, add)| *sum += add);
            }
        }
    }

    /// A step of Adam along the gradient of so many positions; then the gradient is cleared.
    fn step(&mut self, positions: usize, rate: f64) {
        let [first, second] = MEMORY;
        self.remains = [self.remains[0] * first, self.remains[1] * second];
        let [first_left, second_left] = self.remains.map(|remains| 1.0 - remains);
        let (share, rate) = (1.0 / positions as f32, rate as f32);
        let [means, squares] = &mut self.means;
        let parts = self.network.parameters_mut().into_iter().zip(self.gradient.parameters_mut());
        for ((numbers, gradients), (means, squares)) in
            parts.zip(means.parameters_mut().into_iter().zip(squares.parameters_mut()))
        {
            for index in 0..numbers.len() {
                let gradient = std::mem::take(&mut gradients[index]) * share;
                means[index] = first * means[index] + (1.0 - first) * gradient;
                squares[index] = second * squares[index] + (1.0 - second) * gradient * gradient;
                let (mean, square) = (means[index] / first_left, squares[index] / second_left);
                numbers[index] -= rate * mean / (square.sqrt() + SMALL);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;

    /// Three moves in each of two steps, with features of their own.
    #[derive(Clone)]
    struct Choices(u32);

    impl Problem for Choices {
        type Move = u32;

        fn legal_moves(&self, moves: &mut Vec<u32>) {
            moves.clear();
            moves.extend(if self.0 < 2 { 0..3 } else { 0..0 });
        }

        fn play(&mut self, _: u32) {
            self.0 += 1;
        }

        fn score(&self) -> f64 {
            0.0
        }

        fn feature_count(&self) -> usize {
            5
        }

        fn features(&self, played: u32, features: &mut Vec<u32>) {
            features.extend([played, 3 + self.0]);
        }
    }

    /// The gradient is that of the loss, compared with finite differences.
    #[test]
    fn gradients_are_those_of_the_loss() {
        let mut examples = Examples::default();
        examples.add_game(&Choices(0), &[2, 0]);
        let settings = TrainingSettings { hidden: 6, epochs: 1, rate: 0.1, seed: 5 };
        let mut training = Training::new(&examples, 5, settings);
        (0..examples.len()).for_each(|index| training.add_gradient(index));
        let loss = |part: usize, index: usize, change: f32| {
            let mut network = training.network.clone();
            network.parameters_mut()[part][index] += change;
            2.0 * examples.fit(&network).unwrap().loss
        };
        let gradients = training.gradient.parameters_mut().map(|numbers| numbers.to_vec());
        for (part, gradients) in gradients.iter().enumerate() {
            for (index, &gradient) in gradients.iter().enumerate() {
                let change = 1e-3;
                let expected = (loss(part, index, change) - loss(part, index, -change)) / f64::from(2.0 * change);
                assert!((f64::from(gradient) - expected).abs() < 2e-3, "{part}, {index}: {gradient}, not {expected}");
            }
        }
    }
}
