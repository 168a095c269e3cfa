//! The features of a group for a network.

use super::column::fold;
use super::game::SameGame;
use super::{Cell, MAX_COLOURS};
use crate::features::FeatureList;

/// Sizes of groups are told apart up to this one.
const SIZES: usize = 16;
const SIZE_RANGES: [usize; 4] = [3, 4, 6, 10];
const PHASES: [u32; 5] = [5, 10, 20, 30, 50];

/// How many features there are.
pub(super) const COUNT: usize = SIZES + 2 * RANGES + (PHASES.len() + 1) * RANGES + 7 + MAX_COLOURS + 4 + 5 + 6 + 4 + 3;
const RANGES: usize = SIZE_RANGES.len() + 1;

/// The surroundings of the cells of a group.
#[derive(Clone, Copy, Default)]
struct Surroundings {
    size: usize,
    columns: usize,
    lowest: u32,
    /// Cells above the group, which will fall.
    above: u32,
    /// Columns that will be empty.
    emptied: usize,
    /// Columns in which the cells below and above the group have one colour.
    joins: usize,
}

impl SameGame {
    /// Lists the features of a group.
    pub(super) fn list_features(&self, first: Cell, features: &mut Vec<u32>) {
        let colour = self.colour(first);
        let around = self.surroundings(first);
        let size_range = SIZE_RANGES.iter().filter(|&&end| around.size >= end).count();
        let phase = PHASES.iter().filter(|&&end| self.played >= end).count();
        let left = usize::from(self.left(colour));
        let more_frequent = (0..MAX_COLOURS as u8).filter(|&other| usize::from(self.left(other)) > left).count();
        let mut list = FeatureList::new(features);
        list.one_of(SIZES, around.size - 2);
        list.one_of(2 * RANGES, size_range + RANGES * usize::from(colour == self.tabu()));
        list.one_of((PHASES.len() + 1) * RANGES, phase * RANGES + size_range);
        list.range(&[1, 2, 3, 5, 9, 17], left - around.size);
        list.one_of(MAX_COLOURS, more_frequent);
        list.one_of(4, around.columns - 1);
        list.range(&[1, 2, 4, 8], around.lowest);
        list.range(&[1, 2, 4, 8, 14], around.above);
        list.one_of(4, around.joins);
        list.one_of(3, around.emptied);
        debug_assert_eq!(list.count(), COUNT);
    }

    fn surroundings(&self, first: Cell) -> Surroundings {
        let start = (usize::from(first.column), 1 << first.row);
        let begin = Surroundings { lowest: u32::MAX, ..Surroundings::default() };
        fold(&self.columns, start, begin, |around, index, cells| {
            let column = &self.columns[index];
            let (lowest, highest) = (cells.trailing_zeros(), 63 - cells.leading_zeros());
            let height = column.height as u32;
            let size = cells.count_ones();
            let joins = lowest > 0
                && highest + 1 < height
                && column.colour(lowest as u8 - 1) == column.colour(highest as u8 + 1);
            Surroundings {
                size: around.size + size as usize,
                columns: around.columns + 1,
                lowest: around.lowest.min(lowest),
                above: around.above + (height - lowest - size),
                emptied: around.emptied + usize::from(size == height),
                joins: around.joins + usize::from(joins),
            }
        })
    }
}
