//! Kakuros for people: black cells in a symmetric pattern, one solution, a level.

use std::sync::Arc;

use nestling::{Rng, Stream};
use nestling_presentation::Solutions;

use super::layout::{Layout, Square};
use super::shape::shape;
use super::{Kakuro, SumBounds, logic};
use crate::domains::{fill, only, solve, up_to, values};
use crate::logic::{KAKURO, Level, Position, Unit, advance};

/// The largest value.
const LARGEST: usize = 9;

/// The changes of single values in an attempt.
const CHANGES: usize = 600;

/// One attempt to make a Kakuro of a level on `size` × `size` cells: a random filling, of which single values are changed where the
/// techniques up to the level do not lead to a value, as long as these cells become fewer or as few. `None` if some are left, or if
/// the result is easier than the level.
pub(crate) fn attempt(size: usize, level: Level, stream: Stream) -> Option<Kakuro> {
    let white = shape(size, stream.child(0))?;
    let width = size + 1;
    let place = |cell: usize| match (cell / width, cell % width) {
        (0, _) | (_, 0) => Square::BLANK,
        (row, column) if white[(row - 1) * size + column - 1] => Square::White,
        _ => Square::BLANK,
    };
    let places: Vec<Square> = (0..width * width).map(place).collect();
    let layout = Layout::new(width, places, LARGEST).ok()?;
    let filled = fill(&Kakuro::start(layout.clone(), SumBounds::Both), stream.child(1).seed());
    let mut filling = Filling { units: Arc::new(logic::units(&layout)), values: filled.values().to_vec(), layout };
    let mut rng = stream.child(2).rng();
    let mut open = filling.unsolved(level);
    for _ in 0..CHANGES {
        if open.is_empty() {
            break;
        }
        let before = filling.change(&open, &mut rng);
        let now = filling.unsolved(level);
        match now.len() <= open.len() {
            true => open = now,
            false => filling.values = before,
        }
    }
    if !open.is_empty() {
        return None;
    }
    let kakuro = filling.kakuro()?;
    let has_one_solution = || solve(&kakuro).is_some_and(|solved| solved.count == Solutions::One);
    (kakuro.grading().level == level && has_one_solution()).then_some(kakuro)
}

/// A grid with a value in every cell, which becomes a Kakuro with their sums.
struct Filling {
    layout: Layout,
    units: Arc<Vec<Unit>>,
    values: Vec<u8>,
}

impl Filling {
    /// The cells for which the techniques up to a level find no value.
    fn unsolved(&mut self, level: Level) -> Vec<usize> {
        for unit in Arc::make_mut(&mut self.units) {
            unit.sum = Some(unit.cells.iter().map(|&cell| u32::from(self.values[cell])).sum());
        }
        let is_cell = |cell: usize| self.layout.places[cell] == Square::White;
        let empty = vec![0; self.values.len()];
        let mut position = Position::new((self.layout.width, 0), &empty, is_cell, LARGEST, self.units.clone());
        advance(&mut position, KAKURO, level);
        (0..empty.len()).filter(|&cell| position.is_free(cell)).collect()
    }

    /// Gives one of some cells another value that no line of it has; returns the values before.
    fn change(&mut self, cells: &[usize], rng: &mut Rng) -> Vec<u8> {
        let before = self.values.clone();
        let cell = cells[rng.below(cells.len())];
        let lines = self.layout.lines_of[cell];
        let taken = lines.iter().flat_map(|&line| &self.layout.lines[usize::from(line)].cells);
        let taken = taken.fold(0, |taken, &other| taken | only(self.values[usize::from(other)]));
        let others: Vec<u8> = values(up_to(LARGEST) & !taken).collect();
        if !others.is_empty() {
            self.values[cell] = others[rng.below(others.len())];
        }
        before
    }

    /// The Kakuro with the sums of the values.
    fn kakuro(&self) -> Option<Kakuro> {
        let mut places = self.layout.places.clone();
        for (line, unit) in self.layout.lines.iter().zip(self.units.iter()) {
            let across = line.cells[1] == line.cells[0] + 1;
            let clue = usize::from(line.cells[0]) - if across { 1 } else { self.layout.width };
            let Square::Black { down: old_down, across: old_across } = places[clue] else { return None };
            let sum = Some(unit.cells.iter().map(|&cell| u32::from(self.values[cell])).sum());
            places[clue] = match across {
                true => Square::Black { down: old_down, across: sum },
                false => Square::Black { down: sum, across: old_across },
            };
        }
        Kakuro::new(self.layout.width, places, LARGEST, SumBounds::Both).ok()
    }
}
