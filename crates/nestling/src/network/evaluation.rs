//! The values that a network gives to the moves of a state.

use std::cell::Cell;
use std::sync::{Arc, Weak};

use super::Network;
use crate::problem::Problem;

/// Computes the values of a network for the moves of a state; has the buffers for it.
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

/// How many values a thread caches; a power of two.
const REMEMBERED: usize = 1 << 12;

/// Moves with more features are not cached.
const WIDTH: usize = 32;

thread_local! {
    static MEMORY: Cell<Memory> = const { Cell::new(Memory { network: Weak::new(), places: Vec::new() }) };
}

/// Values that were computed before: most moves have the same features as a move ago, and adding up the features is most of the work.
#[derive(Default)]
struct Memory {
    /// The network of the values. As long as this exists, no other network has its address.
    network: Weak<Network>,
    /// Each value is at the index computed from its features.
    places: Vec<CachedValue>,
}

#[derive(Clone, Copy)]
struct CachedValue {
    value: f64,
    /// How many features there are; 0 if the entry is empty.
    count: usize,
    features: [u32; WIDTH],
}

impl Memory {
    /// Clears the cache if it belongs to another network.
    fn turn_to(&mut self, network: &Arc<Network>) {
        if self.places.is_empty() || self.network.as_ptr() != Arc::as_ptr(network) {
            self.network = Arc::downgrade(network);
            self.places.clear();
            self.places.resize(REMEMBERED, CachedValue { value: 0.0, count: 0, features: [0; WIDTH] });
        }
    }

    fn value(&mut self, features: &[u32], compute: impl FnOnce(&[u32]) -> f64) -> f64 {
        if features.is_empty() || features.len() > WIDTH {
            return compute(features);
        }
        let place = &mut self.places[place_of(features)];
        if place.features[..place.count] != *features {
            place.value = compute(features);
            place.count = features.len();
            place.features[..features.len()].copy_from_slice(features);
        }
        place.value
    }
}

/// The index at which the value of some features is cached.
fn place_of(features: &[u32]) -> usize {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let (mut mixed, mut factor) = (0_u64, FACTOR);
    for &feature in features {
        mixed = mixed.wrapping_add(u64::from(feature).wrapping_mul(factor));
        factor = factor.wrapping_mul(FACTOR);
    }
    (mixed >> 40) as usize % REMEMBERED
}
