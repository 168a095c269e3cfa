//! The values that are still possible, and what follows from them.

use std::sync::Arc;

use crate::domains::{name, only, up_to};

/// Cells that must all be different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub kind: UnitKind,
    /// As people name it: `row 3`.
    pub name: String,
    pub cells: Vec<usize>,
    /// The sum of the values; if there is none, every value is in the unit.
    pub sum: Option<u32>,
}

/// The shape of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnitKind {
    Row,
    Column,
    Box,
}

/// A grid with the values that are still possible in every free cell.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub width: usize,
    /// The number of the first row and column.
    pub first: usize,
    largest: usize,
    /// The value of every cell; 0 if it is free.
    pub values: Vec<u8>,
    /// The values that are possible in every free cell, value v as bit v − 1; none for the others.
    pub sets: Vec<u64>,
    pub units: Arc<Vec<Unit>>,
    /// By cell: the units with it.
    pub units_of: Arc<Vec<Vec<usize>>>,
}

/// What a technique has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Deduction {
    /// The cells that show it.
    pub cells: Vec<usize>,
    /// The values that it is about.
    pub values: u64,
    /// The units that it happens in, and those that it has an effect on.
    pub units: Vec<usize>,
    /// The value of a cell.
    pub assigned: Option<(usize, u8)>,
    /// Values that are impossible in cells.
    pub excluded: Vec<(usize, u64)>,
    /// Values that had to be excluded from cells before.
    pub relies_on: Vec<(usize, u64)>,
}

impl Position {
    /// A grid where every free cell can have all of the values that its units do not have yet.
    pub fn new(
        (width, first): (usize, usize),
        values: &[u8],
        is_cell: impl Fn(usize) -> bool,
        largest: usize,
        units: Arc<Vec<Unit>>,
    ) -> Position {
        let mut units_of = vec![Vec::new(); values.len()];
        for (index, unit) in units.iter().enumerate() {
            unit.cells.iter().for_each(|&cell| units_of[cell].push(index));
        }
        let sets = (0..values.len()).map(|cell| if is_cell(cell) { up_to(largest) } else { 0 }).collect();
        let empty = vec![0; values.len()];
        let mut position = Position { width, first, largest, values: empty, sets, units, units_of: Arc::new(units_of) };
        for (cell, &value) in values.iter().enumerate().filter(|&(_, &value)| value > 0) {
            position.assign(cell, value);
        }
        position
    }

    /// Assigns a value, and excludes it from the other cells of the same units.
    pub fn assign(&mut self, cell: usize, value: u8) {
        self.values[cell] = value;
        self.sets[cell] = 0;
        for &unit in &self.units_of[cell] {
            self.units[unit].cells.iter().for_each(|&peer| self.sets[peer] &= !only(value));
        }
    }

    /// Carries out a deduction.
    pub fn apply(&mut self, found: &Deduction) {
        if let Some((cell, value)) = found.assigned {
            self.assign(cell, value);
        }
        found.excluded.iter().for_each(|&(cell, values)| self.sets[cell] &= !values);
    }

    /// The largest value.
    pub fn largest(&self) -> usize {
        self.largest
    }

    /// The cells that have no value and should have one.
    pub fn free(&self) -> usize {
        (0..self.values.len()).filter(|&cell| self.is_free(cell)).count()
    }

    /// Whether a cell of some unit has no value.
    pub fn is_free(&self, cell: usize) -> bool {
        self.values[cell] == 0 && !self.units_of[cell].is_empty()
    }

    /// The free cells of a unit.
    pub fn free_cells<'a>(&'a self, unit: &'a Unit) -> impl Iterator<Item = usize> + 'a {
        unit.cells.iter().copied().filter(|&cell| self.values[cell] == 0)
    }

    /// The values that are possible somewhere in a unit.
    pub fn possible_in(&self, unit: &Unit) -> u64 {
        unit.cells.iter().fold(0, |all, &cell| all | self.sets[cell])
    }

    /// The cells of a unit in which a value is possible.
    pub fn places<'a>(&'a self, unit: &'a Unit, value: u8) -> impl Iterator<Item = usize> + 'a {
        unit.cells.iter().copied().filter(move |&cell| self.sets[cell] & only(value) != 0)
    }

    /// Whether two cells are in the same unit.
    pub fn are_peers(&self, one: usize, other: usize) -> bool {
        one != other && self.units_of[one].iter().any(|unit| self.units_of[other].contains(unit))
    }

    /// What is left to exclude of some values in some cells.
    pub fn exclusions(&self, cells: impl Iterator<Item = usize>, values: u64) -> Vec<(usize, u64)> {
        cells.map(|cell| (cell, self.sets[cell] & values)).filter(|&(_, values)| values != 0).collect()
    }

    /// The values that are impossible in cells, on which a deduction may rely.
    pub fn missing(&self, cells: &[usize]) -> Vec<(usize, u64)> {
        cells.iter().map(|&cell| (cell, !self.sets[cell])).collect()
    }

    /// `r3c4`
    pub fn name(&self, cell: usize) -> String {
        name(cell, self.width, self.first)
    }
}
