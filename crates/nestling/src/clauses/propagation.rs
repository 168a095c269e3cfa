//! What follows from the literals that are true.

use serde::{Deserialize, Serialize};

use super::Literal;
use super::solver::ClauseSolver;

/// Why a literal is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Cause {
    /// It was decided, or follows from nothing.
    Decision,
    /// It is the first literal of this clause, and all others are false.
    Clause(u32),
    /// This literal is true, of a set of which at most one is.
    Rival(Literal),
}

/// A clause that has to be looked at when one of its first two literals becomes false.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Watch {
    pub clause: u32,
    /// Another literal of the clause: if it is true, so is the clause.
    pub other: Literal,
}

impl ClauseSolver {
    /// Makes a literal true whose variable is free.
    pub(super) fn assign(&mut self, literal: Literal, cause: Cause) {
        let variable = literal.variable();
        self.truths[literal.index()] = 1;
        self.truths[literal.negated().index()] = -1;
        self.levels[variable] = self.level_starts.len() as u32;
        self.causes[variable] = cause;
        self.trail.push(literal);
    }

    /// Makes everything true that follows. If two things contradict each other, `conflict` is a clause that is false, and the result is
    /// false.
    pub(super) fn propagate(&mut self, conflict: &mut Vec<Literal>) -> bool {
        while let Some(&literal) = self.trail.get(self.looked_at) {
            self.looked_at += 1;
            if !(self.exclude_rivals(literal, conflict) && self.visit_clauses(literal.negated(), conflict)) {
                return false;
            }
        }
        true
    }

    /// Of each set with the literal all others are false.
    fn exclude_rivals(&mut self, literal: Literal, conflict: &mut Vec<Literal>) -> bool {
        if !literal.is_positive() {
            return true;
        }
        for index in 0..self.sets_of[literal.variable()].len() {
            let set = self.sets_of[literal.variable()][index] as usize;
            for at in 0..self.sets[set].len() {
                let rival = Literal::not(self.sets[set][at]);
                match self.truths[rival.index()] {
                    0 => self.assign(rival, Cause::Rival(literal)),
                    -1 if rival != literal.negated() => {
                        conflict.clear();
                        conflict.extend([rival, literal.negated()]);
                        return false;
                    }
                    _ => {}
                }
            }
        }
        true
    }

    /// Looks at the clauses that watch a literal which has become false.
    fn visit_clauses(&mut self, wrong: Literal, conflict: &mut Vec<Literal>) -> bool {
        let mut watches = std::mem::take(&mut self.watches[wrong.index()]);
        let (mut read, mut kept, mut consistent) = (0, 0, true);
        while read < watches.len() {
            let watch = watches[read];
            read += 1;
            if self.truths[watch.other.index()] == 1 || !self.moves_on(watch, wrong, conflict, &mut consistent) {
                watches[kept] = watch;
                kept += 1;
            }
            if !consistent {
                break;
            }
        }
        watches.copy_within(read.., kept);
        watches.truncate(kept + watches.len() - read);
        self.watches[wrong.index()] = watches;
        consistent
    }

    /// Whether a clause is from now on watched at another literal. If there is none, its first literal must be true.
    fn moves_on(&mut self, watch: Watch, wrong: Literal, conflict: &mut Vec<Literal>, consistent: &mut bool) -> bool {
        let (start, end) = self.clauses.range(watch.clause);
        let literals = &mut self.clauses.literals[start..end];
        if literals[0] == wrong {
            literals.swap(0, 1);
        }
        let first = literals[0];
        let truth = self.truths[first.index()];
        if truth == 1 {
            return false;
        }
        if let Some(at) = (2..literals.len()).find(|&at| self.truths[literals[at].index()] != -1) {
            literals.swap(1, at);
            let watched = literals[1];
            self.watches[watched.index()].push(Watch { clause: watch.clause, other: first });
            return true;
        }
        if truth == 0 {
            self.assign(first, Cause::Clause(watch.clause));
        } else {
            conflict.clear();
            conflict.extend_from_slice(literals);
            *consistent = false;
        }
        false
    }
}
