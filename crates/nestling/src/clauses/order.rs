//! The order in which variables are decided: those that were part of recent conflicts first (VSIDS).

use serde::{Deserialize, Serialize};

/// What an older conflict counts less than the next one.
const DECAY: f64 = 0.95;

/// Activities above this are all scaled down.
const LARGEST: f64 = 1e100;

/// Not in the heap.
const OUT: u32 = u32::MAX;

/// A heap of variables, the most active first; of equally active ones the lower number.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Order {
    activity: Vec<f64>,
    increment: f64,
    heap: Vec<u32>,
    /// By variable: its place in the heap.
    places: Vec<u32>,
}

impl Order {
    pub fn new(activity: Vec<f64>) -> Order {
        let count = activity.len() as u32;
        let mut order = Order { activity, increment: 1.0, heap: (0..count).collect(), places: (0..count).collect() };
        (0..order.heap.len() / 2).rev().for_each(|place| order.sink(place));
        order
    }

    /// Whether it is an order of so many variables.
    pub fn is_of(&self, variables: usize) -> bool {
        let in_place = |(place, &variable): (usize, &u32)| self.places.get(variable as usize) == Some(&(place as u32));
        let outside = self.places.iter().filter(|&&place| place == OUT).count();
        self.activity.len() == variables
            && self.places.len() == variables
            && self.heap.len() + outside == variables
            && self.heap.iter().enumerate().all(in_place)
    }

    /// The variable was part of a conflict.
    pub fn bump(&mut self, variable: usize) {
        self.activity[variable] += self.increment;
        if self.activity[variable] > LARGEST {
            self.activity.iter_mut().for_each(|activity| *activity /= LARGEST);
            self.increment /= LARGEST;
        }
        let place = self.places[variable];
        if place != OUT {
            self.rise(place as usize);
        }
    }

    /// A conflict is over.
    pub fn decay(&mut self) {
        self.increment /= DECAY;
    }

    /// Takes the first variable out.
    pub fn pop(&mut self) -> Option<usize> {
        let first = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.places[first as usize] = OUT;
        if last != first {
            self.put(0, last);
            self.sink(0);
        }
        Some(first as usize)
    }

    /// Puts a variable back.
    pub fn push(&mut self, variable: usize) {
        if self.places[variable] == OUT {
            self.heap.push(variable as u32);
            self.put(self.heap.len() - 1, variable as u32);
            self.rise(self.heap.len() - 1);
        }
    }

    fn put(&mut self, place: usize, variable: u32) {
        self.heap[place] = variable;
        self.places[variable as usize] = place as u32;
    }

    fn is_before(&self, one: u32, other: u32) -> bool {
        let (a, b) = (self.activity[one as usize], self.activity[other as usize]);
        a > b || a == b && one < other
    }

    fn rise(&mut self, mut place: usize) {
        let variable = self.heap[place];
        while place > 0 {
            let above = self.heap[(place - 1) / 2];
            if !self.is_before(variable, above) {
                break;
            }
            self.put(place, above);
            place = (place - 1) / 2;
        }
        self.put(place, variable);
    }

    fn sink(&mut self, mut place: usize) {
        let variable = self.heap[place];
        loop {
            let mut below = 2 * place + 1;
            if below >= self.heap.len() {
                break;
            }
            if below + 1 < self.heap.len() && self.is_before(self.heap[below + 1], self.heap[below]) {
                below += 1;
            }
            if !self.is_before(self.heap[below], variable) {
                break;
            }
            self.put(place, self.heap[below]);
            place = below;
        }
        self.put(place, variable);
    }
}
