//! Numbers for the values that are still possible, for formulas.

use super::{Assignment, Domains, only, values};

/// The assignments that are still possible, numbered cell by cell.
pub(crate) struct Candidates {
    sets: Vec<u64>,
    /// By cell: the number of its first value.
    first: Vec<u32>,
}

impl Candidates {
    pub fn new(domains: &Domains, largest: usize) -> Candidates {
        let all = super::up_to(largest);
        let sets: Vec<u64> = (0..domains.values().len()).map(|cell| domains.set(cell) & all).collect();
        let mut next = 0;
        let first = |set: &u64| {
            let first = next;
            next += set.count_ones();
            first
        };
        Candidates { first: sets.iter().map(first).collect(), sets }
    }

    /// All of them, in the order of their numbers.
    pub fn moves(&self) -> Vec<Assignment> {
        let of_cell = |(cell, &set): (usize, &u64)| {
            values(set).map(move |value| Assignment { cell: cell as u16, value }).collect::<Vec<_>>()
        };
        self.sets.iter().enumerate().flat_map(of_cell).collect()
    }

    /// The values that are possible for a cell.
    pub fn set(&self, cell: usize) -> u64 {
        self.sets[cell]
    }

    /// The numbers of the values of a cell.
    pub fn of_cell(&self, cell: usize) -> Vec<u32> {
        (0..self.sets[cell].count_ones()).map(|index| self.first[cell] + index).collect()
    }

    /// The numbers of one value in those of some cells that can have it.
    pub fn of_value(&self, cells: impl Iterator<Item = usize>, value: u8) -> Vec<u32> {
        let number = |cell: usize| {
            let set = self.sets[cell];
            let below = (set & (only(value) - 1)).count_ones();
            (set & only(value) != 0).then_some(self.first[cell] + below)
        };
        cells.filter_map(number).collect()
    }
}
