//! The solver: decide, propagate, learn from conflicts, go back, restart.
//!
//! Marques-Silva and Sakallah, *GRASP: A Search Algorithm for Propositional Satisfiability*, 1999; Moskewicz and others, *Chaff*, 2001
//! (watched literals, the order of decisions); Luby, Sinclair and Zuckerman, *Optimal speedup of Las Vegas algorithms*, 1993 (restarts);
//! Audemard and Simon, *Predicting Learnt Clauses Quality*, 2009 (which clauses are kept).

use serde::{Deserialize, Serialize};

use super::learnt::Clauses;
use super::order::Order;
use super::propagation::{Cause, Watch};
use super::{Formula, Literal};
use crate::stream::Stream;

/// The result of a search for a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseVerdict {
    /// There is a solution, which [`ClauseSolver::is_true`] tells.
    Solved,
    /// There is none, or no other than those that were [excluded](ClauseSolver::exclude_solution).
    Refuted,
}

/// The conflicts up to the first restart.
const FIRST_RESTART: u64 = 64;

/// The clauses that are learnt before half of them are removed for the first time, and how much later that happens every time.
const FIRST_REDUCTION: u64 = 2_000;
const LATER_REDUCTION: u64 = 500;

/// Learnt clauses of so few levels are always kept.
const KEPT_LEVELS: u32 = 2;

/// A solver of one formula, with everything it has learnt. The same formula, seed and numbers of conflicts give the same results on every
/// machine; a solver that serde has written and read continues like the one that was written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClauseSolver {
    /// How many variables stand for moves.
    pub(super) moves: u32,
    pub(super) sets: Vec<Vec<u32>>,
    /// By variable: the sets with it.
    pub(super) sets_of: Vec<Vec<u32>>,
    pub(super) clauses: Clauses,
    /// By literal.
    pub(super) watches: Vec<Vec<Watch>>,
    /// By literal: 1 if it is true, -1 if it is false, 0 if it is free.
    pub(super) truths: Vec<i8>,
    /// By variable: at which level it was assigned, and why.
    pub(super) levels: Vec<u32>,
    pub(super) causes: Vec<Cause>,
    /// The true literals, in the order of time.
    pub(super) trail: Vec<Literal>,
    /// By level of decisions: how many literals were true before it.
    pub(super) level_starts: Vec<u32>,
    /// How many literals of the trail have been propagated.
    pub(super) looked_at: usize,
    pub(super) order: Order,
    /// By variable: what it was last, and what it becomes when it is decided.
    pub(super) last: Vec<bool>,
    /// Marks of variables, all false between conflicts.
    pub(super) seen: Vec<bool>,
    pub(super) conflicts: u64,
    /// The conflicts at the next restart, and its number.
    pub(super) restart: (u64, u64),
    /// The conflicts at the next reduction, and its number.
    pub(super) reduction: (u64, u64),
    refuted: bool,
}

impl ClauseSolver {
    /// A solver of a formula. The seed decides which of equal variables are tried first.
    pub fn new<M>(formula: &Formula<M>, seed: u64) -> ClauseSolver {
        let variables = formula.variables as usize;
        let mut rng = Stream::new(seed).own().rng();
        let mut sets_of = vec![Vec::new(); variables];
        for (index, set) in formula.sets.iter().enumerate() {
            set.iter().for_each(|&variable| sets_of[variable as usize].push(index as u32));
        }
        let mut solver = ClauseSolver {
            moves: formula.moves.len() as u32,
            sets: formula.sets.clone(),
            sets_of,
            clauses: Clauses::default(),
            watches: vec![Vec::new(); 2 * variables],
            truths: vec![0; 2 * variables],
            levels: vec![0; variables],
            causes: vec![Cause::Decision; variables],
            trail: Vec::new(),
            level_starts: Vec::new(),
            looked_at: 0,
            order: Order::new((0..variables).map(|_| rng.unit() * 1e-3).collect()),
            last: vec![true; variables],
            seen: vec![false; variables],
            conflicts: 0,
            restart: (FIRST_RESTART, 1),
            reduction: (FIRST_REDUCTION, 1),
            refuted: false,
        };
        formula.clauses.iter().for_each(|clause| solver.add(clause));
        solver
    }

    /// Searches for a solution until there have been so many conflicts in all, or until it is told to give up, which it asks for at every
    /// conflict and every few decisions; `None` if it has not been decided by then.
    pub fn search(&mut self, conflicts: u64, give_up: &dyn Fn() -> bool) -> Option<ClauseVerdict> {
        let (mut conflict, mut decisions) = (Vec::new(), 0u32);
        while !self.refuted {
            if self.propagate(&mut conflict) {
                if self.conflicts >= conflicts || decisions % 64 == 63 && give_up() {
                    return None;
                }
                decisions = decisions.wrapping_add(1);
                if self.level_starts.is_empty() && self.conflicts >= self.reduction.0 {
                    self.reduce();
                }
                let Some(literal) = self.next_decision() else { return Some(ClauseVerdict::Solved) };
                self.level_starts.push(self.trail.len() as u32);
                self.assign(literal, Cause::Decision);
            } else {
                self.resolve(&conflict);
                if give_up() {
                    return None;
                }
            }
        }
        Some(ClauseVerdict::Refuted)
    }

    /// How many conflicts there have been.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// Whether a variable is true, or free and was true when it was assigned last: a guess, unless the formula was just solved.
    pub fn is_true(&self, variable: u32) -> bool {
        match self.truths[Literal::is(variable).index()] {
            0 => self.last[variable as usize],
            truth => truth > 0,
        }
    }

    /// After a solution: excludes all solutions with the same moves.
    pub fn exclude_solution(&mut self) {
        let is_played = |&variable: &u32| self.truths[Literal::is(variable).index()] > 0;
        let clause: Vec<Literal> = (0..self.moves).filter(is_played).map(Literal::not).collect();
        self.go_back(0);
        self.add(&clause);
    }

    /// Adds a clause at the lowest level, where nothing is decided.
    fn add(&mut self, clause: &[Literal]) {
        let is_true = |literal: &Literal| self.truths[literal.index()] > 0;
        if clause.iter().any(is_true) {
            return;
        }
        let free: Vec<Literal> = clause.iter().copied().filter(|literal| self.truths[literal.index()] == 0).collect();
        match free[..] {
            [] => self.refuted = true,
            [only] => self.assign(only, Cause::Decision),
            _ => {
                self.add_watched(&free, 0);
            }
        }
    }

    fn add_watched(&mut self, literals: &[Literal], levels: u32) -> u32 {
        let clause = self.clauses.add(literals, levels);
        self.watch(clause);
        clause
    }

    fn watch(&mut self, clause: u32) {
        let (start, _) = self.clauses.range(clause);
        let [first, second] = [self.clauses.literals[start], self.clauses.literals[start + 1]];
        self.watches[first.index()].push(Watch { clause, other: second });
        self.watches[second.index()].push(Watch { clause, other: first });
    }

    /// Learns from a conflict, and goes back to where the new clause leaves one literal.
    fn resolve(&mut self, conflict: &[Literal]) {
        self.conflicts += 1;
        if self.level_starts.is_empty() {
            self.refuted = true;
            return;
        }
        let (clause, level) = self.learn(conflict);
        let levels = self.level_count(&clause);
        self.go_back(level as usize);
        let cause = match clause.len() {
            1 => Cause::Decision,
            _ => Cause::Clause(self.add_watched(&clause, levels)),
        };
        self.assign(clause[0], cause);
        self.order.decay();
        if self.conflicts >= self.restart.0 {
            let number = self.restart.1 + 1;
            self.restart = (self.conflicts + FIRST_RESTART * luby(number), number);
            self.go_back(0);
        }
    }

    /// Takes back everything above a level.
    fn go_back(&mut self, level: usize) {
        let Some(&start) = self.level_starts.get(level) else { return };
        for literal in self.trail.drain(start as usize..) {
            let variable = literal.variable();
            self.last[variable] = literal.is_positive();
            self.truths[literal.index()] = 0;
            self.truths[literal.negated().index()] = 0;
            self.order.push(variable);
        }
        self.level_starts.truncate(level);
        self.looked_at = start as usize;
    }

    /// The first free variable, as it was last; none if all are assigned.
    fn next_decision(&mut self) -> Option<Literal> {
        while let Some(variable) = self.order.pop() {
            if self.truths[2 * variable] == 0 {
                let variable = variable as u32;
                let last = self.last[variable as usize];
                return Some(if last { Literal::is(variable) } else { Literal::not(variable) });
            }
        }
        None
    }

    /// Removes the worse half of the learnt clauses, and every clause that is true forever. Nothing is decided.
    fn reduce(&mut self) {
        let number = self.reduction.1 + 1;
        self.reduction = (self.conflicts + FIRST_REDUCTION + LATER_REDUCTION * number, number);
        let all = &self.clauses.all;
        let mut worse: Vec<u32> =
            (0..all.len() as u32).filter(|&clause| all[clause as usize].levels > KEPT_LEVELS).collect();
        // The most levels first; of equal ones the oldest.
        worse.sort_by_key(|&clause| (std::cmp::Reverse(all[clause as usize].levels), clause));
        let mut kept = vec![true; all.len()];
        worse[..worse.len() / 2].iter().for_each(|&clause| kept[clause as usize] = false);
        for clause in 0..all.len() as u32 {
            let (start, end) = self.clauses.range(clause);
            let is_true = |literal: &Literal| self.truths[literal.index()] > 0;
            kept[clause as usize] &= !self.clauses.literals[start..end].iter().any(is_true);
        }
        self.clauses.retain(&kept);
        self.watches.iter_mut().for_each(Vec::clear);
        (0..self.clauses.all.len() as u32).for_each(|clause| self.watch(clause));
        // What is true at the lowest level needs no cause.
        self.trail.iter().for_each(|literal| self.causes[literal.variable()] = Cause::Decision);
    }
}

/// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …: the restarts of Luby, Sinclair and Zuckerman; the first has number 1.
fn luby(number: u64) -> u64 {
    let block = (number + 1).next_power_of_two();
    if block == number + 1 { block / 2 } else { luby(number + 1 - block / 2) }
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn restarts_are_lubys() {
        let first: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
