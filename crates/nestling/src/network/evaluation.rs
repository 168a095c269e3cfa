//! What a network says of the moves of a state.

use std::cell::Cell;
use std::sync::{Arc, Weak};

use super::Network;
use crate::problem::Problem;

/// What a network says of the moves of a state, and the buffers for it.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    features: Vec<u32>,
    sums: Vec<f32>,
    values: Vec<f64>,
}

impl Evaluation {
    /// f of every move of a state, one after the other.
    pub fn of<P: Problem>(&mut self, network: &Arc<Network>, state: &P, moves: &[P::Move]) -> &[f64] {
        let Evaluation { features, sums, values } = self;
        let mut memory = MEMORY.take();
        memory.turn_to(network);
        values.clear();
        for &played in moves {
            features.clear();
            state.features(played, features);
            values.push(memory.value(features, |features| network.value(features, sums)));
        }
        MEMORY.set(memory);
        values
    }

    /// Forgets the values of the last state.
    pub(crate) fn clear(&mut self) {
        self.values.clear();
    }

    /// f of every move of the last state.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }
}

/// How many values a thread remembers; a power of two.
const REMEMBERED: usize = 1 << 13;

thread_local! {
    static MEMORY: Cell<Memory> = const { Cell::new(Memory { network: Weak::new(), values: Vec::new() }) };
}

/// Values that were computed before: most moves look as they did a move ago, and adding up what they look like is most of the work.
#[derive(Default)]
struct Memory {
    /// Whose values they are. While this is here, no other network has its address.
    network: Weak<Network>,
    /// Features with their value, each in the place that its features choose.
    values: Vec<(Vec<u32>, f64)>,
}

impl Memory {
    /// Forgets everything if it is about another network.
    fn turn_to(&mut self, network: &Arc<Network>) {
        if self.values.is_empty() || self.network.as_ptr() != Arc::as_ptr(network) {
            self.network = Arc::downgrade(network);
            self.values.clear();
            self.values.resize(REMEMBERED, (Vec::new(), network.value(&[], &mut Vec::new())));
        }
    }

    fn value(&mut self, features: &[u32], compute: impl FnOnce(&[u32]) -> f64) -> f64 {
        let (known, value) = &mut self.values[place_of(features)];
        if known[..] != *features {
            known.clear();
            known.extend_from_slice(features);
            *value = compute(features);
        }
        *value
    }
}

/// Where the value of some features is remembered. The products do not wait for each other.
fn place_of(features: &[u32]) -> usize {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut factor = FACTOR;
    let mut mixed: u64 = 0;
    for &feature in features {
        mixed = mixed.wrapping_add(u64::from(feature).wrapping_mul(factor));
        factor = factor.wrapping_add(FACTOR << 1);
    }
    (mixed.wrapping_mul(FACTOR) >> 40) as usize % REMEMBERED
}
