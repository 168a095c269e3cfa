//! XY-wing: whatever the value of one cell is, one of two others has a third value.

use super::{Deduction, Position};

/// A cell with the values x and y sees a cell with x and z and one with y and z: a cell that sees both of these cannot have z.
pub(super) fn xy_wing(position: &Position) -> Option<Deduction> {
    let pairs: Vec<usize> = (0..position.sets.len()).filter(|&cell| position.sets[cell].count_ones() == 2).collect();
    for &pivot in &pairs {
        let set = position.sets[pivot];
        let shares_one =
            |&&cell: &&usize| (position.sets[cell] & set).count_ones() == 1 && position.are_peers(pivot, cell);
        let wings: Vec<usize> = pairs.iter().filter(shares_one).copied().collect();
        for (index, &one) in wings.iter().enumerate() {
            for &other in &wings[index + 1..] {
                let (a, b) = (position.sets[one], position.sets[other]);
                let third = a & b & !set;
                if third == 0 || (a | b) & set != set {
                    continue;
                }
                let sees_both = |&cell: &usize| position.are_peers(cell, one) && position.are_peers(cell, other);
                let excluded = position.exclusions((0..position.sets.len()).filter(sees_both), third);
                if !excluded.is_empty() {
                    let cells = vec![pivot, one, other];
                    let relies_on = position.missing(&cells);
                    return Some(Deduction { cells, values: third, excluded, relies_on, ..Deduction::default() });
                }
            }
        }
    }
    None
}
