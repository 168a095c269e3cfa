//! Clauses, those of the formula and those that were learnt, in one list of literals.

use serde::{Deserialize, Serialize};

use super::Literal;

/// A clause.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Clause {
    start: u32,
    length: u32,
    /// For learnt clauses, the number of levels of decisions in it when it was learnt: clauses of few levels are used most. 0 for the
    /// clauses of the formula.
    pub levels: u32,
}

/// All clauses with at least two literals.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Clauses {
    pub literals: Vec<Literal>,
    pub all: Vec<Clause>,
}

impl Clauses {
    /// Adds a clause and returns its number.
    pub fn add(&mut self, literals: &[Literal], levels: u32) -> u32 {
        let start = self.literals.len() as u32;
        self.literals.extend_from_slice(literals);
        self.all.push(Clause { start, length: literals.len() as u32, levels });
        self.all.len() as u32 - 1
    }

    /// Whether the clauses lie one after the other in the list, and have only literals of so many variables.
    pub fn are_of(&self, variables: usize) -> bool {
        let follows = |end: u64, clause: &Clause| {
            (u64::from(clause.start) == end && clause.length > 1).then(|| end + u64::from(clause.length))
        };
        self.all.iter().try_fold(0, follows) == Some(self.literals.len() as u64)
            && self.literals.iter().all(|literal| literal.variable() < variables)
    }

    /// The literals of a clause, as a range of [`Clauses::literals`].
    pub fn range(&self, clause: u32) -> (usize, usize) {
        let Clause { start, length, .. } = self.all[clause as usize];
        (start as usize, (start + length) as usize)
    }

    /// Removes the clauses that are not to be kept; the others move together. Returns the new number of each, if it was kept.
    pub fn retain(&mut self, kept: &[bool]) -> Vec<Option<u32>> {
        let old = std::mem::take(self);
        let mut numbers = vec![None; old.all.len()];
        for (number, clause) in old.all.iter().enumerate().filter(|&(number, _)| kept[number]) {
            let literals = &old.literals[clause.start as usize..(clause.start + clause.length) as usize];
            numbers[number] = Some(self.add(literals, clause.levels));
        }
        numbers
    }
}
