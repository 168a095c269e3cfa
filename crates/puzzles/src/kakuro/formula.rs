//! The solutions of a Kakuro as a formula.

use nestling::engine::{Formula, Literal};

use super::sums::combinations;
use super::{Kakuro, Remainder};
use crate::domains::{Assignment, Candidates, only, values};

/// The most sets of values that a line may have.
const MOST_SETS: usize = 2_000;

/// Every cell has one value; every line has the values of one of the sets with its sum.
pub(super) fn formula(kakuro: &Kakuro) -> Option<Formula<Assignment>> {
    let candidates = Candidates::new(&kakuro.domains, kakuro.largest());
    let mut formula = Formula::new(candidates.moves());
    for cell in (0..kakuro.places().len()).filter(|&cell| kakuro.domains.is_free(cell)) {
        formula.exactly_one(&candidates.of_cell(cell));
    }
    for (line, rest) in kakuro.layout.lines.iter().zip(&kakuro.lines) {
        let cells: Vec<usize> =
            line.cells.iter().map(|&cell| usize::from(cell)).filter(|&cell| kakuro.domains.is_free(cell)).collect();
        add_line(&mut formula, &candidates, &cells, *rest)?;
    }
    Some(formula)
}

/// Adds what the free cells of a line must keep.
fn add_line(
    formula: &mut Formula<Assignment>,
    candidates: &Candidates,
    cells: &[usize],
    rest: Remainder,
) -> Option<()> {
    let possible = cells.iter().fold(0, |all, &cell| all | candidates.set(cell)) & rest.unused;
    let sets = combinations(possible, rest.free, rest.sum, MOST_SETS)?;
    let chosen: Vec<u32> = sets.iter().map(|_| formula.variable()).collect();
    formula.exactly_one(&chosen);
    for value in values(possible) {
        let here = candidates.of_value(cells.iter().copied(), value);
        formula.at_most_one(&here);
        // The value is in the line if it is in a cell, and if it is in the chosen set.
        let present = formula.variable();
        here.iter().for_each(|&cell| formula.add(&[Literal::not(cell), Literal::is(present)]));
        let somewhere: Vec<Literal> =
            here.iter().map(|&cell| Literal::is(cell)).chain([Literal::not(present)]).collect();
        formula.add(&somewhere);
        for (&set, &chosen) in sets.iter().zip(&chosen) {
            let is_in = set & only(value) != 0;
            formula.add(&[Literal::not(chosen), if is_in { Literal::is(present) } else { Literal::not(present) }]);
        }
    }
    Some(())
}
