//! Whether a solver that was read can be that of a formula. The solver uses its numbers as indices, and [`learn`](ClauseSolver::learn) follows
//! causes backwards in time: with other contents it would panic.

use super::propagation::{Cause, Watch};
use super::solver::ClauseSolver;
use super::{Formula, Literal};

/// More conflicts than a solver can have had.
const IMPOSSIBLE: u64 = 1 << 50;

impl ClauseSolver {
    /// Whether it can be a solver of this formula.
    pub(crate) fn is_of<M>(&self, formula: &Formula<M>) -> bool {
        let fresh = ClauseSolver::new(formula, 0);
        let variables = formula.variables as usize;
        let lengths = [self.levels.len(), self.causes.len(), self.last.len(), self.seen.len()];
        let numbers = [self.restart.1, self.reduction.1];
        self.moves == fresh.moves
            && self.sets == fresh.sets
            && self.sets_of == fresh.sets_of
            && lengths.iter().all(|&length| length == variables)
            && self.watches.len() == 2 * variables
            && self.truths.len() == 2 * variables
            && self.seen.iter().all(|&seen| !seen)
            && self.conflicts < IMPOSSIBLE
            && numbers.iter().all(|&number| number <= self.conflicts + 1)
            && self.order.is_of(variables)
            && self.clauses.are_of(variables)
            && self.watches_fit()
            && self.trail_fits()
    }

    /// Whether each clause is watched at its first two literals only.
    fn watches_fit(&self) -> bool {
        let of_literal = |(literal, watches): (usize, &Vec<Watch>)| {
            watches.iter().all(|watch| {
                let Some(literals) = self.literals_of(watch.clause) else { return false };
                literals[..2].iter().any(|watched| watched.index() == literal) && literals.contains(&watch.other)
            })
        };
        self.watches.iter().enumerate().all(of_literal)
    }

    /// Whether exactly the literals of the trail are true, each at the level at which it stands there, and made true by earlier ones. What has
    /// not been looked at is of the last level.
    fn trail_fits(&self) -> bool {
        let mut truths = vec![0; self.truths.len()];
        let mut level = 0;
        for (place, literal) in self.trail.iter().enumerate() {
            if truths.get(literal.index()) != Some(&0) {
                return false;
            }
            while self.level_starts.get(level).is_some_and(|&start| start as usize <= place) {
                level += 1;
            }
            if self.levels[literal.variable()] as usize != level || !self.is_caused(*literal, &truths) {
                return false;
            }
            truths[literal.index()] = 1;
            truths[literal.negated().index()] = -1;
        }
        let starts = &self.level_starts;
        truths == self.truths
            && level == starts.len()
            && starts.windows(2).all(|pair| pair[0] < pair[1])
            && self.looked_at <= self.trail.len()
            && starts.last().is_none_or(|&start| start as usize <= self.looked_at)
    }

    /// Whether the cause of a literal explains it where these are the literals before it.
    fn is_caused(&self, literal: Literal, truths: &[i8]) -> bool {
        match self.causes[literal.variable()] {
            Cause::Decision => true,
            Cause::Rival(rival) => truths.get(rival.index()) == Some(&1),
            Cause::Clause(clause) => self
                .literals_of(clause)
                .is_some_and(|literals| literals.iter().all(|&other| other == literal || truths[other.index()] == -1)),
        }
    }

    fn literals_of(&self, clause: u32) -> Option<&[Literal]> {
        let (start, end) = ((clause as usize) < self.clauses.all.len()).then(|| self.clauses.range(clause))?;
        Some(&self.clauses.literals[start..end])
    }
}
