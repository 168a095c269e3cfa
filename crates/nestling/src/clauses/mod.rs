//! Problems that are solved or not, as formulas: clauses over yes-or-no variables, and sets of which at most one may be true. `cdcl`
//! searches with them.

mod analysis;
mod check;
mod learnt;
mod order;
mod propagation;
mod solver;

use serde::{Deserialize, Serialize};

pub use solver::{ClauseSolver, ClauseVerdict};

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Literal(u32);

impl Literal {
    /// The variable is true.
    pub fn is(variable: u32) -> Literal {
        Literal(variable * 2)
    }

    /// The variable is false.
    pub fn not(variable: u32) -> Literal {
        Literal(variable * 2 + 1)
    }

    fn negated(self) -> Literal {
        Literal(self.0 ^ 1)
    }

    fn variable(self) -> usize {
        self.0 as usize / 2
    }

    fn is_positive(self) -> bool {
        self.0.is_multiple_of(2)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The solutions of a problem from one state: variable number i is true if the i-th of the moves is played.
///
/// ```
/// use nestling::engine::{ClauseSolver, Formula, Literal, ClauseVerdict};
/// // Of three moves exactly one is played, and not the first.
/// let mut formula = Formula::new(vec!['a', 'b', 'c']);
/// formula.exactly_one(&[0, 1, 2]);
/// formula.add(&[Literal::not(0)]);
/// let mut solver = ClauseSolver::new(&formula, 1);
/// assert_eq!(solver.search(100, &|| false), Some(ClauseVerdict::Solved));
/// assert!(solver.is_true(1) != solver.is_true(2));
/// // Without that solution there is another; without both there is none.
/// solver.exclude_solution();
/// assert_eq!(solver.search(100, &|| false), Some(ClauseVerdict::Solved));
/// solver.exclude_solution();
/// assert_eq!(solver.search(100, &|| false), Some(ClauseVerdict::Refuted));
/// ```
#[derive(Clone, Debug)]
pub struct Formula<M> {
    moves: Vec<M>,
    variables: u32,
    /// Of each of these sets at most one variable is true.
    sets: Vec<Vec<u32>>,
    clauses: Vec<Vec<Literal>>,
}

impl<M> Formula<M> {
    /// A formula without clauses, whose first variables stand for these moves.
    pub fn new(moves: Vec<M>) -> Self {
        Formula { variables: moves.len() as u32, moves, sets: Vec::new(), clauses: Vec::new() }
    }

    /// The moves, by the numbers of their variables.
    pub fn moves(&self) -> &[M] {
        &self.moves
    }

    /// Adds a variable that stands for no move.
    pub fn variable(&mut self) -> u32 {
        self.variables += 1;
        self.variables - 1
    }

    /// One of the literals is true. An empty clause cannot be satisfied.
    pub fn add(&mut self, literals: &[Literal]) {
        let mut clause = literals.to_vec();
        clause.sort_unstable();
        clause.dedup();
        let is_always_true = clause.windows(2).any(|pair| pair[0].negated() == pair[1]);
        if !is_always_true {
            self.clauses.push(clause);
        }
    }

    /// At most one of the variables, which are distinct, is true.
    pub fn at_most_one(&mut self, variables: &[u32]) {
        if variables.len() > 1 {
            self.sets.push(variables.to_vec());
        }
    }

    /// Exactly one of the variables, which are distinct, is true.
    pub fn exactly_one(&mut self, variables: &[u32]) {
        self.at_most_one(variables);
        self.add(&variables.iter().map(|&variable| Literal::is(variable)).collect::<Vec<_>>());
    }
}
