//! What a conflict teaches: the clause at its first unique implication point.

use super::Literal;
use super::propagation::Cause;
use super::solver::ClauseSolver;

impl ClauseSolver {
    /// The clause that follows from a conflict, with its one literal of the last level first and one of the highest other level second;
    /// and that level, to go back to.
    pub(super) fn learn(&mut self, conflict: &[Literal]) -> (Vec<Literal>, u32) {
        let level = self.level_starts.len() as u32;
        let mut clause = vec![Literal(0)];
        let (mut open, mut at) = (0, self.trail.len());
        let mut reason = conflict.to_vec();
        loop {
            for &literal in &reason {
                let variable = literal.variable();
                if self.seen[variable] || self.levels[variable] == 0 {
                    continue;
                }
                self.seen[variable] = true;
                self.order.bump(variable);
                if self.levels[variable] == level {
                    open += 1;
                } else {
                    clause.push(literal);
                }
            }
            // The next literal of this level, backwards in time.
            while !self.seen[self.trail[at - 1].variable()] {
                at -= 1;
            }
            at -= 1;
            let literal = self.trail[at];
            self.seen[literal.variable()] = false;
            open -= 1;
            if open == 0 {
                clause[0] = literal.negated();
                break;
            }
            reason.clear();
            self.explain(literal, &mut reason);
        }
        let all = clause.clone();
        let mut needed = clause.split_off(1);
        needed.retain(|&literal| !self.follows(literal));
        clause.extend(needed);
        all.iter().for_each(|literal| self.seen[literal.variable()] = false);
        (1..clause.len()).max_by_key(|&at| self.levels[clause[at].variable()]).into_iter().for_each(|at| {
            clause.swap(1, at);
        });
        let back = clause.get(1).map_or(0, |literal| self.levels[literal.variable()]);
        (clause, back)
    }

    /// The other literals of the clause that made a literal true, all of them false.
    fn explain(&self, literal: Literal, reason: &mut Vec<Literal>) {
        match self.causes[literal.variable()] {
            Cause::Decision => {}
            Cause::Rival(rival) => reason.push(rival.negated()),
            Cause::Clause(clause) => {
                let (start, end) = self.clauses.range(clause);
                reason.extend(self.clauses.literals[start..end].iter().filter(|&&other| other != literal));
            }
        }
    }

    /// Whether a literal of a learnt clause follows from the others, so that it can be left out.
    fn follows(&self, literal: Literal) -> bool {
        if self.causes[literal.variable()] == Cause::Decision {
            return false;
        }
        let mut reason = Vec::new();
        self.explain(literal.negated(), &mut reason);
        reason.iter().all(|other| self.seen[other.variable()] || self.levels[other.variable()] == 0)
    }

    /// The number of levels of decisions in a clause.
    pub(super) fn level_count(&mut self, clause: &[Literal]) -> u32 {
        let mut levels: Vec<u32> = clause.iter().map(|literal| self.levels[literal.variable()]).collect();
        levels.sort_unstable();
        levels.dedup();
        levels.len() as u32
    }
}
